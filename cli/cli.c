// SPDX-License-Identifier: MIT
/* Messages, common options and output, shared by all verbs. */
#include <ctype.h>
#include <errno.h>
#include <langinfo.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"

static const char *cli_verb = "";
static bool cli_quiet;

void cli_set_verb(const char *verb)
{
	cli_verb = verb;
}

static void message_start(void)
{
	fflush(stdout);
	fprintf(stderr, "hadal%s%s: ", *cli_verb ? " " : "", cli_verb);
}

void cli_error(const char *thing, const char *hint, const char *fmt, ...)
{
	va_list ap;

	message_start();
	if (thing)
		fprintf(stderr, "%s: ", thing);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (hint)
		fprintf(stderr, "  %s\n", hint);
}

void cli_warn(const char *fmt, ...)
{
	va_list ap;

	if (cli_quiet)
		return;
	message_start();
	fputs("warning: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int cli_usage(const char *fmt, ...)
{
	va_list ap;

	message_start();
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\n  Try 'hadal%s%s --help'.\n", *cli_verb ? " " : "", cli_verb);
	return STATUS_USAGE;
}

static int color_option(struct cli_options *opts)
{
	static const char *const words[] = { "auto", "always", "never" };

	for (unsigned int i = 0; i < 3; i++) {
		if (strcmp(optarg, words[i]) == 0) {
			opts->color = i;
			return -1;
		}
	}
	return cli_usage("--color=%s: it is auto, always or never", optarg);
}

int cli_option(struct cli_options *opts, int opt, const struct verb *verb)
{
	switch (opt) {
	case 'h':
		fputs(verb->help, stdout);
		return fflush(stdout) == 0 ? STATUS_DONE : STATUS_IMPOSSIBLE;
	case 'o':
		opts->output = optarg;
		return -1;
	case 'q':
		opts->quiet = cli_quiet = true;
		return -1;
	case 'v':
		opts->verbose++;
		return -1;
	case CLI_OPT_FORMAT:
		opts->format = optarg;
		return -1;
	case CLI_OPT_JSON:
		opts->format = "json";
		return -1;
	case CLI_OPT_COLOR:
		return color_option(opts);
	default:
		/* getopt_long() has already named the option. */
		fprintf(stderr, "  Try 'hadal %s --help'.\n", cli_verb);
		return STATUS_USAGE;
	}
}

static bool wants_color(const struct cli_options *opts, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (opts->color != COLOR_AUTO)
		return opts->color == COLOR_ALWAYS;
	return terminal && term && strcmp(term, "dumb") != 0 && !(no_color && *no_color);
}

static unsigned int terminal_width(int fd)
{
	struct winsize size;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return 80;
}

int cli_open_output(struct report_out *out, const struct cli_options *opts, bool plain)
{
	bool terminal;

	out->file = stdout;
	if (opts->output && strcmp(opts->output, "-") != 0) {
		out->file = fopen(opts->output, "we");
		if (!out->file) {
			cli_error(opts->output, "Choose another file with -o.",
				  "cannot be written: %s", strerror(errno));
			return STATUS_IMPOSSIBLE;
		}
	}
	terminal = isatty(fileno(out->file));
	out->width = terminal ? terminal_width(fileno(out->file)) : 80;
	out->color = !plain && wants_color(opts, terminal);
	out->utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	return STATUS_DONE;
}

int cli_close_output(struct report_out *out, const struct cli_options *opts, int status)
{
	bool failed = ferror(out->file) != 0;
	int error = errno;

	if (out->file == stdout ? fflush(stdout) : fclose(out->file)) {
		failed = true;
		error = errno;
	}
	if (!failed || error == EPIPE)
		return status;
	cli_error(opts->output ? opts->output : "standard output",
		  "Free some space or choose another file with -o.", "not all was written: %s",
		  strerror(error));
	return STATUS_IMPOSSIBLE;
}

int cli_parse_u64(const char *text, uint64_t *value)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = hex ? text + 2 : text;
	char *end;

	if (!(hex ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
		return -EINVAL;
	errno = 0;
	*value = strtoull(digits, &end, hex ? 16 : 10);
	if (*end)
		return -EINVAL;
	return -errno;
}
