// SPDX-License-Identifier: MIT
/* hadal oa: reads the command line and hands over to the sub-verb. */
#include <string.h>

#include "cli/oa.h"
#include "cli/oa_record.h"
#include "hadal/duration.h"

static const char help[] =
	"Usage: hadal oa check [OPTIONS] FILE...\n"
	"       hadal oa show [OPTIONS] SET FILE...\n"
	"       hadal oa list [OPTIONS] [FILE...]\n"
	"       hadal oa add [OPTIONS] FILE...\n"
	"       hadal oa remove [OPTIONS] SET...\n"
	"       hadal oa record [OPTIONS] --set SET FILE...\n"
	"       hadal oa read [OPTIONS] RECORDING FILE...\n"
	"\n"
	"Says what the kernel would answer to Intel GPU metric sets, without the GPU, and adds\n"
	"and removes them on GPUs of the drivers i915, xe and hadal_oa, the virtual one.\n"
	"\n"
	"check judges every set of metric XML files: which register of which set is refused,\n"
	"and why; a guids.xml among the files is used to check hashes. REGISTERS counts mux,\n"
	"boolean and flex ones. show prints everything about the sets with that UUID or symbol\n"
	"name: registers in the order they are written, counters, equations. FILE is a metric\n"
	"file as Mesa and igt-gpu-tools have them; - is standard input.\n"
	"\n"
	"list shows the GPUs and the sets in their drivers, with the names that the files have\n"
	"for them. add judges the sets of the files, then adds all of them or none; a UUID that\n"
	"is there already is compared, and never taken for the same unseen. remove takes out\n"
	"sets by UUID or id, or all.\n"
	"\n"
	"record opens a stream of reports by one set, which it adds for the time of the run if it\n"
	"is not there, and writes them to -o FILE until SIGINT; the format is that of\n"
	"i915-perf-recorder. read decodes such a RECORDING into the counters of its set, by the\n"
	"equations in FILE: each over the whole, and its extremes; or every interval.\n"
	"\n"
	"      --gen GEN        judge as this generation (skl, tgl, mtl ...), not as the\n"
	"                       chipset that each set names or as this GPU\n"
	"      --revision N     PCI revision of the GPU: leave out what does not apply to it\n"
	"      --slices MASK    slices of the GPU: leave out what does not apply to them\n"
	"      --device NAME    which GPU: card0, renderD128, or its place on the bus\n"
	"      --root DIR       find /sys, /proc and /dev below DIR, as in a container\n"
	"      --set SET        add or record this set: a UUID, a symbol name, or, to add, all\n"
	"                       (default)\n"
	"      --replace        add also where the UUID has other registers; these go\n"
	"      --keep-going     add what can be added, though not all can\n"
	"      --dry-run        say what add would do, and do nothing\n"
	"      --period TIME    record: from report to report, as near as the GPU can (1ms)\n"
	"  -d, --duration TIME  record: for how long; a bare number is us (until SIGINT)\n"
	"      --max-size SIZE  record: up to so many bytes; k, M, G are thousands (any)\n"
	"      --format FMT     table (default) or json; with read also: csv, perfetto\n"
	"      --json           short for --format=json\n"
	"  -o, --output FILE    write there instead of to standard output\n"
	"      --color WHEN     auto (default), always or never\n"
	"  -q, --quiet          no warnings, no progress\n"
	"  -v, --verbose        show every refusal, not the first three of each set\n"
	"  -h, --help           this text\n"
	"\n"
	"Without --revision and --slices check and show take every block of registers; add asks\n"
	"the GPU. An add that is interrupted leaves nothing.\n"
	"\n"
	"Examples:\n"
	"  hadal oa check oa-tglgt2.xml\n"
	"  hadal oa check --gen=skl my-sets.xml\n"
	"  hadal oa check --json oa-*.xml guids.xml | jq '.files[].sets[].verdict'\n"
	"  hadal oa show RenderBasic oa-bdw.xml --revision=2 --slices=0x1\n"
	"  sudo hadal oa add oa-sklgt2.xml --set=RenderBasic\n"
	"  hadal oa list oa-sklgt2.xml\n"
	"  sudo hadal oa remove all\n"
	"  sudo hadal oa record --set=RenderBasic oa-sklgt2.xml -d 10s -o render.record\n"
	"  hadal oa read --format=csv render.record oa-sklgt2.xml >render.csv\n"
	"\n"
	"Exit status: 0 all sets accepted, or done; 1 a set refused; 2 usage; 3 not possible\n"
	"here; 4 something in a file is wrong (the rest is still judged or shown).\n";

enum {
	OPT_GEN = CLI_OPT_VERB,
	OPT_REVISION,
	OPT_SLICES,
	OPT_DEVICE,
	OPT_ROOT,
	OPT_SET,
	OPT_REPLACE,
	OPT_KEEP_GOING,
	OPT_DRY_RUN,
	OPT_PERIOD,
	OPT_DURATION,
	OPT_MAX_SIZE,
	OPT_END
};

/* Of reports. */
#define DEFAULT_PERIOD_NS 1000000

#define TAKES(option) (1u << ((option)-CLI_OPT_VERB))

static const struct option long_options[] = {
	{ "gen", required_argument, NULL, OPT_GEN },
	{ "revision", required_argument, NULL, OPT_REVISION },
	{ "slices", required_argument, NULL, OPT_SLICES },
	{ "device", required_argument, NULL, OPT_DEVICE },
	{ "root", required_argument, NULL, OPT_ROOT },
	{ "set", required_argument, NULL, OPT_SET },
	{ "replace", no_argument, NULL, OPT_REPLACE },
	{ "keep-going", no_argument, NULL, OPT_KEEP_GOING },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "period", required_argument, NULL, OPT_PERIOD },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "max-size", required_argument, NULL, OPT_MAX_SIZE },
	CLI_LONG_OPTIONS,
	{ 0 },
};

/*
 * The sub-verbs
 * @takes: which of the options above that not all verbs have
 * @formats: it judges --format itself
 */
static const struct command {
	const char *name;
	const char *messages;
	int (*run)(const struct oa_request *request);
	unsigned int takes;
	bool formats;
} commands[] = {
	{ "check", "oa check", oa_check_run,
	  TAKES(OPT_GEN) | TAKES(OPT_REVISION) | TAKES(OPT_SLICES), false },
	{ "show", "oa show", oa_show_run, TAKES(OPT_GEN) | TAKES(OPT_REVISION) | TAKES(OPT_SLICES),
	  false },
	{ "list", "oa list", oa_list_run, TAKES(OPT_DEVICE) | TAKES(OPT_ROOT), false },
	{ "add", "oa add", oa_add_run,
	  TAKES(OPT_GEN) | TAKES(OPT_DEVICE) | TAKES(OPT_ROOT) | TAKES(OPT_SET) |
		  TAKES(OPT_REPLACE) | TAKES(OPT_KEEP_GOING) | TAKES(OPT_DRY_RUN),
	  false },
	{ "remove", "oa remove", oa_remove_run, TAKES(OPT_DEVICE) | TAKES(OPT_ROOT), false },
	{ "record", "oa record", oa_record_run,
	  TAKES(OPT_DEVICE) | TAKES(OPT_ROOT) | TAKES(OPT_SET) | TAKES(OPT_PERIOD) |
		  TAKES(OPT_DURATION) | TAKES(OPT_MAX_SIZE),
	  true },
	{ "read", "oa read", oa_read_run, 0, true },
};

static int parse_generation(struct hadal_oa_question *question)
{
	char list[256];
	size_t used = 0;

	question->generation = oa_generation_find(optarg);
	if (question->generation)
		return -1;
	for (uint32_t i = 0; i < oa_generation_count && used < sizeof(list); i++)
		used += (size_t)snprintf(list + used, sizeof(list) - used, " %s",
					 oa_generations[i].name);
	return cli_usage("--gen=%s: it is one of%s", optarg, list);
}

static int parse_revision(struct hadal_oa_question *question)
{
	if (cli_parse_u64(optarg, &question->revision) < 0 || question->revision > 0xff)
		return cli_usage("--revision=%s: it is a number up to 0xff", optarg);
	question->has_revision = true;
	return -1;
}

static int parse_slices(struct hadal_oa_question *question)
{
	if (cli_parse_u64(optarg, &question->slices) < 0 || question->slices == 0 ||
	    question->slices > 0xff)
		return cli_usage("--slices=%s: it is a mask from 0x1 to 0xff", optarg);
	question->has_slices = true;
	return -1;
}

static int parse_duration(const char *option, uint64_t *ns)
{
	if (duration_parse(optarg, ns) == 0 && *ns)
		return -1;
	return cli_usage("%s=%s: not a whole number above 0 with ns, us, ms, s, m or h (bare: us)",
			 option, optarg);
}

static int parse_size(uint64_t *bytes)
{
	if (oa_record_size(optarg, bytes) == 0)
		return -1;
	return cli_usage("--max-size=%s: not a number from %u on, with k, M or G", optarg,
			 OA_RECORD_MIN_SIZE);
}

static int parse_option(struct oa_request *request, int opt)
{
	switch (opt) {
	case OPT_GEN:
		return parse_generation(&request->question);
	case OPT_REVISION:
		return parse_revision(&request->question);
	case OPT_SLICES:
		return parse_slices(&request->question);
	case OPT_DEVICE:
		request->device = optarg;
		return -1;
	case OPT_ROOT:
		request->root = optarg;
		return -1;
	case OPT_SET:
		request->set = optarg;
		return -1;
	case OPT_REPLACE:
		request->replace = true;
		return -1;
	case OPT_KEEP_GOING:
		request->keep_going = true;
		return -1;
	case OPT_DRY_RUN:
		request->dry_run = true;
		return -1;
	case OPT_PERIOD:
		return parse_duration("--period", &request->period_ns);
	case OPT_DURATION:
		return parse_duration("--duration", &request->duration_ns);
	case OPT_MAX_SIZE:
		return parse_size(&request->max_bytes);
	default:
		return cli_option(&request->options, opt, &oa_verb);
	}
}

static int find_format(struct oa_request *request)
{
	const char *format = request->options.format;

	if (!format || strcmp(format, "table") == 0)
		return -1;
	request->json = strcmp(format, "json") == 0;
	return request->json ? -1 : cli_usage("--format=%s: it is table or json", format);
}

/* Returns -1 to go on, or the status to end with. */
static int parse(struct oa_request *request, int argc, char **argv)
{
	int opt, status;

	while ((opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS "d:", long_options, NULL)) != -1) {
		if (opt == 'd')
			opt = OPT_DURATION;
		status = parse_option(request, opt);
		if (status >= 0)
			return status;
		if (opt >= CLI_OPT_VERB)
			request->given |= TAKES(opt);
	}
	request->names = argv + optind;
	request->count = (size_t)(argc - optind);
	return -1;
}

static const struct command *find_command(const char *name)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

/* Options that were given, but not for this sub-verb. */
static int refuse_options(const struct command *command, unsigned int given)
{
	for (size_t i = 0; long_options[i].name; i++) {
		const int opt = long_options[i].val;

		if (opt >= CLI_OPT_VERB && opt < OPT_END && given & TAKES(opt) &&
		    !(command->takes & TAKES(opt)))
			return cli_usage("--%s is not for this sub-verb", long_options[i].name);
	}
	return -1;
}

static int run(int argc, char **argv)
{
	struct oa_request request = {
		.period_ns = DEFAULT_PERIOD_NS,
		.duration_ns = UINT64_MAX,
		.max_bytes = UINT64_MAX,
	};
	int status = parse(&request, argc, argv);
	const struct command *command;

	if (status >= 0)
		return status;
	if (request.count == 0)
		return cli_usage("which sub-verb?");
	command = find_command(*request.names);
	if (!command)
		return cli_usage("there is no sub-verb '%s'", *request.names);
	request.names++;
	request.count--;
	cli_set_verb(command->messages);
	status = refuse_options(command, request.given);
	if (status < 0 && !command->formats)
		status = find_format(&request);
	return status >= 0 ? status : command->run(&request);
}

const struct verb oa_verb = {
	.name = "oa",
	.summary = "which GPU counter configurations can be programmed",
	.help = help,
	.run = run,
};
