// SPDX-License-Identifier: MIT
/* `hadal doctor`: what this machine can and cannot show, and which command changes that. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "hadal/doctor.h"
#include "report/doctor.h"

static const char help[] =
	"Usage: hadal doctor [OPTIONS]\n"
	"\n"
	"Says for each source and back end of the other verbs whether it can be used here and by\n"
	"this user, what is in the way, and what to do about it. Changes nothing.\n"
	"\n"
	"      --format=FORMAT    table or json (table)\n"
	"      --json             the same as --format=json\n"
	"  -o, --output=FILE      write there\n"
	"  -q, --quiet            no warnings\n"
	"  -v, --verbose          accepted, as everywhere\n"
	"      --color=WHEN       auto, always, never\n"
	"  -h, --help             this text\n"
	"\n"
	"Exit status: 0 whatever it finds; 2 usage; 3 the output could not be written.\n"
	"\n"
	"Examples:\n"
	"  sudo hadal doctor\n"
	"  hadal doctor --json | jq '.lines[] | select(.state != \"ready\")'\n";

/*
 * Each verb with the function that hands out its lines, as they are shown. The last is asked first:
 * boot gives up privilege before it reads what firmware wrote.
 */
static const struct {
	const char *verb;
	const char *title;
	void (*lines)(const struct doctor_sink *sink);
} subjects[] = {
	{ "boot", "boot: where the boot went", boot_doctor },
	{ "hwlat", "hwlat: who takes a CPU away", hwlat_doctor },
	{ "oa", "oa: GPU counter configurations", oa_doctor },
};

static const struct option long_options[] = {
	CLI_LONG_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

/* struct lines - what one verb's function said; @lost if there was no memory for all */
struct lines {
	struct line {
		char *name;
		struct finding finding;
	} * at;
	size_t count;
	bool lost;
};

static void take_line(void *context, const char *name, const struct finding *finding)
{
	struct lines *lines = context;
	struct line *at = reallocarray(lines->at, lines->count + 1, sizeof(*at));
	char *copy = strdup(name);

	if (at)
		lines->at = at;
	if (at && copy) {
		at[lines->count++] = (struct line){ copy, *finding };
		return;
	}
	free(copy);
	lines->lost = true;
}

/* 0 or -ENOMEM. */
static int ask(struct lines lines[SUBJECTS])
{
	bool lost = false;

	for (size_t i = SUBJECTS; i; i--) {
		const struct doctor_sink sink = { take_line, &lines[i - 1] };

		subjects[i - 1].lines(&sink);
		lost |= lines[i - 1].lost;
	}
	return lost ? -ENOMEM : 0;
}

static void free_lines(struct lines lines[SUBJECTS])
{
	for (size_t i = 0; i < SUBJECTS; i++) {
		for (size_t j = 0; j < lines[i].count; j++)
			free(lines[i].at[j].name);
		free(lines[i].at);
	}
}

static void write_table(const struct lines lines[SUBJECTS], const struct report_out *out)
{
	for (size_t i = 0; i < SUBJECTS; i++) {
		fprintf(out->file, "%s%s\n", i ? "\n" : "", subjects[i].title);
		for (size_t j = 0; j < lines[i].count; j++)
			doctor_write_line(lines[i].at[j].name, &lines[i].at[j].finding, out);
	}
}

static int write_json(const struct lines lines[SUBJECTS], const struct report_out *out)
{
	struct json_object *doc = report_json_begin("doctor", true);
	struct json_object *array = json_object_new_array();
	int err;

	for (size_t i = 0; i < SUBJECTS; i++)
		for (size_t j = 0; j < lines[i].count; j++)
			json_object_array_add(array, doctor_json_line(subjects[i].verb,
								      lines[i].at[j].name,
								      &lines[i].at[j].finding));
	json_object_object_add(doc, "lines", array);
	err = report_json_write(doc, out);
	json_object_put(doc);
	return err;
}

static int read_options(struct cli_options *opts, bool *json, int argc, char **argv)
{
	int opt, status = -1;

	while (status < 0 &&
	       (opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1)
		status = cli_option(opts, opt, &doctor_verb);
	if (status >= 0)
		return status;
	if (optind < argc)
		return cli_usage("%s: there is nothing to name here", argv[optind]);
	*json = opts->format && strcmp(opts->format, "json") == 0;
	if (opts->format && !*json && strcmp(opts->format, "table") != 0)
		return cli_usage("--format=%s: it is table or json", opts->format);
	return -1;
}

static int run(int argc, char **argv)
{
	struct lines lines[SUBJECTS] = { 0 };
	struct cli_options opts = { 0 };
	struct report_out out;
	bool json = false;
	int err, status = read_options(&opts, &json, argc, argv);

	if (status >= 0)
		return status;
	status = cli_open_output(&out, &opts, json);
	if (status != STATUS_DONE)
		return status;
	err = ask(lines);
	if (err == 0 && json)
		err = write_json(lines, &out);
	else if (err == 0)
		write_table(lines, &out);
	free_lines(lines);
	if (err) {
		cli_error(NULL, NULL, "%s", strerror(ENOMEM));
		status = STATUS_IMPOSSIBLE;
	}
	return cli_close_output(&out, &opts, status);
}

const struct verb doctor_verb = {
	.name = "doctor",
	.summary = "what this machine can and cannot show, and what to do",
	.help = help,
	.run = run,
};
