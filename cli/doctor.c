// SPDX-License-Identifier: MIT
/* `hadal doctor`: what this machine can and cannot show, and which command changes that. */
#include <errno.h>
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

/* Each verb with the function that hands out its lines. */
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

static void table_line(void *context, const char *name, const struct finding *finding)
{
	doctor_write_line(name, finding, context);
}

static void write_table(struct report_out *out)
{
	const struct doctor_sink sink = { table_line, out };

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		fprintf(out->file, "%s%s\n", i ? "\n" : "", subjects[i].title);
		subjects[i].lines(&sink);
	}
}

struct json {
	struct json_object *array;
	const char *verb;
};

static void json_line(void *context, const char *name, const struct finding *finding)
{
	const struct json *json = context;

	json_object_array_add(json->array, doctor_json_line(json->verb, name, finding));
}

static int write_json(const struct report_out *out)
{
	struct json_object *doc = report_json_begin("doctor", true);
	struct json json = { .array = json_object_new_array() };
	const struct doctor_sink sink = { json_line, &json };
	int err;

	for (size_t i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++) {
		json.verb = subjects[i].verb;
		subjects[i].lines(&sink);
	}
	json_object_object_add(doc, "lines", json.array);
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
	struct cli_options opts = { 0 };
	struct report_out out;
	bool json = false;
	int status = read_options(&opts, &json, argc, argv);

	if (status >= 0)
		return status;
	status = cli_open_output(&out, &opts, json);
	if (status != STATUS_DONE)
		return status;
	if (!json) {
		write_table(&out);
	} else if (write_json(&out)) {
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
