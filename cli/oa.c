// SPDX-License-Identifier: MIT
/* hadal oa: finds the sub-verb and hands over. */
#include <string.h>

#include "cli/oa.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{ "check", oa_check_run },
	{ "show", oa_show_run },
};

static const char help[] =
	"Usage: hadal oa check [OPTIONS] FILE...\n"
	"       hadal oa show [OPTIONS] SET FILE...\n"
	"\n"
	"Says what the kernel would answer to Intel GPU metric sets, without the GPU.\n"
	"\n"
	"  check   judge every set of metric XML files: which register of which set is\n"
	"          refused, and why; a guids.xml among the files is used to check hashes\n"
	"  show    everything about the sets with that UUID or symbol name: registers in\n"
	"          the order they are written, counters, equations\n"
	"\n"
	"FILE is a metric file as Mesa and igt-gpu-tools have them; - is standard input.\n"
	"\n"
	"Options:\n"
	"      --gen=GEN        judge as this generation (skl, tgl, mtl ...), not as the\n"
	"                       chipset that each set names\n"
	"      --revision=N     PCI revision of the GPU: leave out what does not apply to it\n"
	"      --slices=MASK    slices of the GPU: leave out what does not apply to them\n"
	"      --format=FMT     table (default) or json; --json is short for the latter\n"
	"  -o, --output=FILE    write there\n"
	"  -v, --verbose        show every refusal, not the first three of each set\n"
	"  -q, --quiet          no warnings\n"
	"      --color=WHEN     auto, always or never\n"
	"  -h, --help           this text\n"
	"\n"
	"Without --revision and --slices every block of registers is judged.\n"
	"\n"
	"Exit status: 0 all sets accepted, 1 a set refused, 2 usage, 3 not possible here,\n"
	"4 something in a file is wrong (the rest is still judged).\n"
	"\n"
	"Examples:\n"
	"  hadal oa check oa-tglgt2.xml\n"
	"  hadal oa check --gen=skl my-sets.xml\n"
	"  hadal oa check --json oa-*.xml guids.xml | jq '.files[].sets[].verdict'\n"
	"  hadal oa show RenderBasic oa-bdw.xml --revision=2 --slices=0x1\n";

static int run(int argc, char **argv)
{
	if (argc < 2)
		return cli_usage("which sub-verb? check or show");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		fputs(help, stdout);
		return STATUS_DONE;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, argv[1]) == 0)
			return commands[i].run(argc - 1, argv + 1);
	return cli_usage("there is no sub-verb '%s'", argv[1]);
}

const struct verb oa_verb = {
	.name = "oa",
	.summary = "judge and show GPU counter configurations",
	.help = help,
	.run = run,
};
