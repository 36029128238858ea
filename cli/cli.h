/* SPDX-License-Identifier: MIT */
/*
 * What all verbs share: exit status, messages, the options that mean the same everywhere, and
 * the output stream. Only this folder prints, exits and chooses defaults.
 */
#ifndef HADAL_CLI_H
#define HADAL_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report/report.h"

/* Exit status of every verb. */
enum status {
	STATUS_DONE = 0, /* done, and the answer is yes or there was no question */
	STATUS_NO = 1,	 /* done, and the answer is no */
	STATUS_USAGE = 2,
	STATUS_IMPOSSIBLE = 3, /* privilege, kernel feature, device, memory, disk */
	STATUS_BAD_INPUT = 4,  /* even if a part could be shown */
};

/*
 * struct verb - one word after `hadal`
 * @name: the word
 * @summary: one line for `hadal --help`
 * @help: the whole help text, printed for --help and by `hadal help VERB`
 * @run: does it; argv[0] is the verb; returns an enum status
 */
struct verb {
	const char *name;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

extern const struct verb boot_verb;
extern const struct verb oa_verb;
extern const struct verb hwlat_verb;
extern const struct verb doctor_verb;

/* --- messages ---------------------------------------------------------------------------- */

/* Names the verb (and sub-verb) that messages speak of: "boot", "boot list". */
void cli_set_verb(const char *verb);

/*
 * Prints `hadal VERB: THING: REASON` and, on a line of its own, @hint: what to do next (NULL for
 * none). @thing may be NULL.
 */
void cli_error(const char *thing, const char *hint, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints `hadal VERB: warning: ...`, unless -q was given. */
void cli_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints a usage error with the pointer to --help. Returns STATUS_USAGE. */
int cli_usage(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* --- options with one meaning everywhere ------------------------------------------------- */

/*
 * struct cli_options - the options that every verb has
 * @output: -o, a file name, "-" or NULL for stdout
 * @format: --format, NULL for the verb's default
 * @quiet: -q, no warnings and no progress
 * @verbose: -v, how often it was given
 * @color: --color
 */
struct cli_options {
	const char *output;
	const char *format;
	bool quiet;
	int verbose;
	enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;
};

/* Values of long options that have no short form; a verb's own start at CLI_OPT_VERB. */
enum { CLI_OPT_FORMAT = 256, CLI_OPT_JSON, CLI_OPT_COLOR, CLI_OPT_VERB };

#define CLI_SHORT_OPTIONS "ho:qv"
/* clang-format off */
#define CLI_LONG_OPTIONS \
	{ "help", no_argument, NULL, 'h' }, \
	{ "output", required_argument, NULL, 'o' }, \
	{ "quiet", no_argument, NULL, 'q' }, \
	{ "verbose", no_argument, NULL, 'v' }, \
	{ "format", required_argument, NULL, CLI_OPT_FORMAT }, \
	{ "json", no_argument, NULL, CLI_OPT_JSON }, \
	{ "color", required_argument, NULL, CLI_OPT_COLOR }
/* clang-format on */

/*
 * Takes one option that getopt_long() returned. Returns -1 when the verb should go on, else the
 * status to end with: after --help, for a bad value, or for an option nobody knows.
 */
int cli_option(struct cli_options *opts, int opt, const struct verb *verb);

/* --- output ------------------------------------------------------------------------------ */

/*
 * Opens -o FILE or stdout into @out, with the width, colour and character set that suit it.
 * @plain: the format is for machines, so it is never coloured. Returns STATUS_DONE or, after a
 * message, STATUS_IMPOSSIBLE.
 */
int cli_open_output(struct report_out *out, const struct cli_options *opts, bool plain);

/*
 * Flushes and closes @out. Returns @status, or STATUS_IMPOSSIBLE after a message if not all could
 * be written. A reader that closed the pipe is no error.
 */
int cli_close_output(struct report_out *out, const struct cli_options *opts, int status);

/* --- values ------------------------------------------------------------------------------ */

/*
 * Reads an unsigned number, decimal or with 0x. Returns 0 or -EINVAL (also for signs, blanks, an
 * empty string, or anything after the number) or -ERANGE.
 */
int cli_parse_u64(const char *text, uint64_t *value);

#endif
