// SPDX-License-Identifier: MIT
/* hadal oa: reads the command line and hands over to the sub-verb. */
#include <string.h>

#include "cli/oa.h"

static const char help[] =
	"Usage: hadal oa check [OPTIONS] FILE...\n"
	"       hadal oa show [OPTIONS] SET FILE...\n"
	"\n"
	"Says what the kernel would answer to Intel GPU metric sets, without the GPU.\n"
	"\n"
	"check judges every set of metric XML files: which register of which set is refused,\n"
	"and why; a guids.xml among the files is used to check hashes. REGISTERS counts mux,\n"
	"boolean and flex ones. show prints everything about the sets with that UUID or symbol\n"
	"name: registers in the order they are written, counters, equations. FILE is a metric\n"
	"file as Mesa and igt-gpu-tools have them; - is standard input.\n"
	"\n"
	"      --gen GEN        judge as this generation (skl, tgl, mtl ...), not as the\n"
	"                       chipset that each set names\n"
	"      --revision N     PCI revision of the GPU: leave out what does not apply to it\n"
	"      --slices MASK    slices of the GPU: leave out what does not apply to them\n"
	"      --format FMT     table (default) or json\n"
	"      --json           short for --format=json\n"
	"  -o, --output FILE    write there instead of to standard output\n"
	"      --color WHEN     auto (default), always or never\n"
	"  -q, --quiet          no warnings\n"
	"  -v, --verbose        show every refusal, not the first three of each set\n"
	"  -h, --help           this text\n"
	"\n"
	"Without --revision and --slices every block of registers is judged.\n"
	"\n"
	"Examples:\n"
	"  hadal oa check oa-tglgt2.xml\n"
	"  hadal oa check --gen=skl my-sets.xml\n"
	"  hadal oa check --json oa-*.xml guids.xml | jq '.files[].sets[].verdict'\n"
	"  hadal oa show RenderBasic oa-bdw.xml --revision=2 --slices=0x1\n"
	"\n"
	"Exit status: 0 all sets accepted; 1 a set refused; 2 usage; 3 not possible here;\n"
	"4 something in a file is wrong (the rest is still judged).\n";

enum { OPT_GEN = CLI_OPT_VERB, OPT_REVISION, OPT_SLICES };

static const struct option long_options[] = {
	{ "gen", required_argument, NULL, OPT_GEN },
	{ "revision", required_argument, NULL, OPT_REVISION },
	{ "slices", required_argument, NULL, OPT_SLICES },
	CLI_LONG_OPTIONS,
	{ 0 },
};

static const struct {
	const char *name;
	const char *messages;
	int (*run)(const struct oa_request *request);
} commands[] = {
	{ "check", "oa check", oa_check_run },
	{ "show", "oa show", oa_show_run },
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

static int parse_option(struct oa_request *request, int opt)
{
	switch (opt) {
	case OPT_GEN:
		return parse_generation(&request->question);
	case OPT_REVISION:
		return parse_revision(&request->question);
	case OPT_SLICES:
		return parse_slices(&request->question);
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

	while ((opt = getopt_long(argc, argv, CLI_SHORT_OPTIONS, long_options, NULL)) != -1) {
		status = parse_option(request, opt);
		if (status >= 0)
			return status;
	}
	request->names = argv + optind;
	request->count = (size_t)(argc - optind);
	return find_format(request);
}

static int run(int argc, char **argv)
{
	struct oa_request request = { .json = false };
	int status = parse(&request, argc, argv);
	const char *name;

	if (status >= 0)
		return status;
	if (request.count == 0)
		return cli_usage("which sub-verb? check or show");
	name = *request.names++;
	request.count--;
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, name) == 0) {
			cli_set_verb(commands[i].messages);
			return commands[i].run(&request);
		}
	}
	return cli_usage("there is no sub-verb '%s'", name);
}

const struct verb oa_verb = {
	.name = "oa",
	.summary = "which GPU counter configurations the kernel would take",
	.help = help,
	.run = run,
};
