// SPDX-License-Identifier: MIT
/* hadal boot: where firmware spent the boot. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/boot.h"
#include "hadal/boot_live.h"
#include "report/boot_in.h"

static const char help[] =
	"Usage: hadal boot [-i FILE] [OPTIONS]\n"
	"       hadal boot list [-i FILE] [OPTIONS]\n"
	"       hadal boot compare BOOT BOOT... [OPTIONS]\n"
	"       hadal boot add ID|NAME [OPTIONS]\n"
	"\n"
	"Shows where the boot went, on this machine or from a recording; `list` shows what CBMEM\n"
	"holds, `compare` what got slower from the first BOOT, a recording or `live`, to the\n"
	"later ones; `add` notes a stamp of now in firmware's table.\n"
	"\n"
	"  -i, --input FILE     the recording, - for standard input: a timestamp table, a\n"
	"                       coreboot table, a CBMEM area, an image of physical memory, a\n"
	"                       JSON document of this verb, or what `cbmem -t` printed\n"
	"      --source NAME    read this machine's sysfs, devmem, devicetree, fpdt, loader,\n"
	"                       kernel, systemd or login only; auto (default) is all that work\n"
	"      --root DIR       read the files of another machine, below DIR\n"
	"      --base ADDR      physical address of the recording's first byte\n"
	"      --tick-khz N     the counter's frequency in kHz, whatever the recording says\n"
	"      --names FILE     names for IDs, lines of `ID NAME`\n"
	"      --limit LIMIT    compare: status 1 if the total got slower by more than this, a\n"
	"                       part of the first (5%) or a time (20ms; ns, us, ms or s)\n"
	"      --format FMT     table (default), cbmem, parseable, folded, json, perfetto,\n"
	"                       openmetrics, html or svg;\n"
	"                       for list: cbmem (default), table or json;\n"
	"                       for compare: table (default) or json\n"
	"      --json           short for --format=json\n"
	"  -o, --output FILE    write there instead of to standard output\n"
	"      --color WHEN     auto (default), always or never\n"
	"  -q, --quiet          no warnings\n"
	"  -v, --verbose        say of each source why it was or was not used\n"
	"  -h, --help           this text\n"
	"\n"
	"cbmem, parseable and folded are what coreboot's `cbmem -t`, `-T` and `-S` print, and\n"
	"list prints what `cbmem -l` does.\n"
	"\n"
	"Examples:\n"
	"  sudo hadal boot -v\n"
	"  sudo hadal boot --format=html -o boot.html\n"
	"  sudo hadal boot add TS_KERNEL_START\n"
	"  hadal boot compare good.json live --limit=5%\n"
	"  hadal boot -i timestamps.bin\n"
	"  hadal boot -i memory.img --base=0x7fdb0000 --json -o boot.json\n"
	"  cbmem -t | hadal boot -i -\n"
	"  hadal boot -i timestamps.bin --format=folded | flamegraph.pl --countname=us > boot.svg\n"
	"\n"
	"Exit status: 0 shown; 1 slower than --limit allows; 2 usage; 3 not possible here;\n"
	"4 bad input, even if a part of it could be shown.\n";

enum { OPT_BASE = CLI_OPT_VERB, OPT_TICK_KHZ, OPT_NAMES, OPT_ROOT, OPT_SOURCE, OPT_LIMIT };

static const struct option long_options[] = {
	{ "input", required_argument, NULL, 'i' },
	{ "base", required_argument, NULL, OPT_BASE },
	{ "tick-khz", required_argument, NULL, OPT_TICK_KHZ },
	{ "names", required_argument, NULL, OPT_NAMES },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "limit", required_argument, NULL, OPT_LIMIT },
	CLI_LONG_OPTIONS,
	{ 0 },
};

static const struct boot_writer *const writers[] = {
	&boot_writer_table,	  &boot_writer_cbmem, &boot_writer_parseable,
	&boot_writer_folded,	  &boot_writer_json,  &boot_writer_perfetto,
	&boot_writer_openmetrics, &boot_writer_html,  &boot_writer_svg,
};

static int parse_tick_khz(struct boot_options *opts)
{
	uint64_t khz;

	if (cli_parse_u64(optarg, &khz) < 0 || !khz || khz > UINT32_MAX)
		return cli_usage("--tick-khz=%s: it is a number of kHz from 1 to 4294967295",
				 optarg);
	opts->tick_khz = (uint32_t)khz;
	return -1;
}

static int parse_base(struct boot_options *opts)
{
	if (cli_parse_u64(optarg, &opts->base) < 0)
		return cli_usage("--base=%s: it is an address like 0x7fdb0000", optarg);
	opts->has_base = true;
	return -1;
}

static int parse_source(struct boot_options *opts)
{
	opts->source = NULL;
	if (strcmp(optarg, "auto") == 0)
		return -1;
	for (size_t i = 0; hadal_live_sources[i]; i++)
		if (strcmp(hadal_live_sources[i], optarg) == 0)
			opts->source = optarg;
	if (opts->source)
		return -1;
	return cli_usage("--source=%s: it is auto, sysfs, devmem, devicetree, fpdt, loader, "
			 "kernel, systemd or login",
			 optarg);
}

/* A number and %, or a number and a unit of time. */
static int parse_limit(struct boot_options *opts)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "%", 1 }, { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	char *unit;
	double value = strtod(optarg, &unit);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (*optarg < '0' || *optarg > '9' || strcmp(unit, units[i].name) != 0)
			continue;
		opts->has_limit = true;
		opts->limit_percent = i == 0;
		opts->limit = value * units[i].ns;
		return -1;
	}
	return cli_usage("--limit=%s: it is a part like 5%% or a time like 20ms", optarg);
}

static int parse_option(struct boot_options *opts, int opt)
{
	switch (opt) {
	case 'i':
		opts->input = optarg;
		return -1;
	case OPT_BASE:
		return parse_base(opts);
	case OPT_TICK_KHZ:
		return parse_tick_khz(opts);
	case OPT_NAMES:
		opts->names = optarg;
		return -1;
	case OPT_ROOT:
		opts->root = optarg;
		return -1;
	case OPT_SOURCE:
		return parse_source(opts);
	case OPT_LIMIT:
		return parse_limit(opts);
	default:
		return cli_option(&opts->common, opt, &boot_verb);
	}
}

static int find_writer(struct boot_options *opts)
{
	const char *name = opts->common.format;

	if (!name)
		name = opts->list ? "cbmem" : "table";
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		if (strcmp(writers[i]->name, name) != 0)
			continue;
		if (opts->list && !writers[i]->list)
			return cli_usage("--format=%s: list has cbmem, table and json", name);
		opts->writer = writers[i];
		return -1;
	}
	return cli_usage("--format=%s: there is no such format", name);
}

/* Returns -1 to go on, or the status to end with. */
static int parse(struct boot_options *opts, int argc, char **argv)
{
	int opt, status;

	while ((opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS "i:", long_options, NULL)) != -1) {
		status = parse_option(opts, opt);
		if (status >= 0)
			return status;
	}
	if (opts->compare || opts->add) {
		opts->boots = (const char *const *)argv + optind;
		opts->boot_count = (size_t)(argc - optind);
		return -1;
	}
	if (optind < argc)
		return cli_usage("'%s' is one argument too many", argv[optind]);
	return find_writer(opts);
}

/* --- the verb ---------------------------------------------------------------------------- */

int boot_out_of_memory(const char *thing)
{
	cli_error(thing, "Free some memory, or cut the recording to its CBMEM area.",
		  "not enough memory for it");
	return STATUS_IMPOSSIBLE;
}

static int bad_recording(const struct hadal_boot *boot, const char *path, size_t len)
{
	cli_error(
		path,
		"It should be a dump, a JSON document of `hadal boot`, or what `cbmem -t` printed.",
		"%s",
		boot->damage.count ? boot->damage.at[0] :
		len		   ? "is no recording of a kind that hadal knows" :
				     "is empty");
	return STATUS_BAD_INPUT;
}

int boot_read_recording(struct hadal_boot *boot, const struct boot_options *opts, const char *path,
			const struct input *in)
{
	int ret = boot_in_read(boot, in->bytes, in->len, opts->has_base ? &opts->base : NULL);

	if (ret == -ENOMEM)
		return boot_out_of_memory(path);
	return ret == 0 ? STATUS_DONE : bad_recording(boot, path, in->len);
}

/* What -v asks for. */
static void say_found(const struct hadal_boot *boot, const struct boot_options *opts)
{
	fprintf(stderr, "hadal boot: %s: %zu stamp%s from a %s; counter: ", opts->input,
		boot->stamps.count, report_plural(boot->stamps.count), boot->source);
	if (boot->khz)
		fprintf(stderr, "%u kHz, says the %s\n", boot->khz, boot->khz_from);
	else
		fputs("frequency unknown\n", stderr);
	fprintf(stderr,
		"hadal boot: %s: entries of CBMEM: %zu; stamps left over: %zu, from before a suspend: %zu\n",
		opts->input, boot->directory_count, boot->leftovers.count, boot->presuspend.count);
}

/* What there is to show depends on the format: coreboot's formats know stamps only. */
static bool has_something(const struct hadal_boot *boot, const struct boot_options *opts)
{
	return opts->list || boot->has_stamps || (boot->span_count && !opts->writer->compatible);
}

static int show_recording(const struct hadal_boot *boot, const struct boot_options *opts)
{
	struct report_out out;

	if (opts->common.verbose)
		say_found(boot, opts);
	if (!has_something(boot, opts)) {
		boot_warn(boot, opts->input);
		cli_error(opts->input, "`hadal boot list` shows what else it holds.",
			  "holds no timestamps");
		return STATUS_BAD_INPUT;
	}
	if (cli_open_output(&out, &opts->common, opts->writer->plain) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	return boot_show(boot, opts, opts->input, &out, STATUS_DONE);
}

static int read_names(struct hadal_boot *boot, const char *path)
{
	struct input in;
	int status = boot_input_open(&in, path);

	if (status != STATUS_DONE)
		return status;
	if (boot_in_names(boot, in.bytes, in.len) < 0)
		status = boot_out_of_memory(path);
	boot_input_close(&in);
	return status;
}

static int run_recording(const struct boot_options *opts)
{
	struct hadal_boot boot = { 0 };
	struct input in;
	int status = boot_input_open(&in, opts->input);

	if (status != STATUS_DONE)
		return status;
	status = boot_read_recording(&boot, opts, opts->input, &in);
	if (status == STATUS_DONE && opts->names)
		status = read_names(&boot, opts->names);
	if (status == STATUS_DONE)
		status = show_recording(&boot, opts);
	hadal_boot_free(&boot);
	boot_input_close(&in);
	return status;
}

/* Options that say where to read from go with one of the two places only. */
static int check_options(const struct boot_options *opts)
{
	if (opts->add && (opts->input || opts->source || opts->names || opts->common.format))
		return cli_usage("add takes an ID, --root, -q and -v only");
	if (opts->compare && (opts->input || opts->names))
		return cli_usage("compare takes recordings without -i, and no --names");
	if (opts->has_limit && !opts->compare)
		return cli_usage("--limit: goes with compare");
	if (opts->input && opts->root)
		return cli_usage("--root: goes without -i");
	if (opts->input && opts->source)
		return cli_usage("--source: goes without -i");
	if (!opts->input && opts->has_base && !opts->compare)
		return cli_usage("--base: goes with -i");
	return -1;
}

static int run(int argc, char **argv)
{
	struct boot_options opts = { 0 };
	int status;

	opts.list = argc > 1 && strcmp(argv[1], "list") == 0;
	opts.compare = argc > 1 && strcmp(argv[1], "compare") == 0;
	opts.add = argc > 1 && strcmp(argv[1], "add") == 0;
	if (opts.list || opts.compare || opts.add) {
		cli_set_verb(opts.list ? "boot list" : opts.compare ? "boot compare" : "boot add");
		argv[1] = argv[0];
		argc--;
		argv++;
	}
	status = parse(&opts, argc, argv);
	if (status < 0)
		status = check_options(&opts);
	if (status >= 0)
		return status;
	if (opts.add)
		return boot_run_add(&opts);
	if (opts.compare)
		return boot_run_compare(&opts);
	return opts.input ? run_recording(&opts) : boot_run_live(&opts);
}

const struct verb boot_verb = {
	.name = "boot",
	.summary = "where the boot went",
	.help = help,
	.run = run,
};
