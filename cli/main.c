// SPDX-License-Identifier: MIT
/* hadal: finds the verb and hands over. */
#include <locale.h>
#include <signal.h>
#include <string.h>

#include "cli/cli.h"

static const struct verb *const verbs[] = {
	&boot_verb, &hwlat_verb, &oa_verb, &doctor_verb, NULL,
};

static void print_help(void)
{
	puts("Usage: hadal VERB [OPTIONS]\n"
	     "\n"
	     "Shows what a computer does below the operating system.\n"
	     "\n"
	     "Verbs:");
	for (size_t i = 0; verbs[i]; i++)
		printf("  %-8s %s\n", verbs[i]->name, verbs[i]->summary);
	puts("\n"
	     "  hadal VERB --help    options, formats and examples of one verb\n"
	     "  hadal --version      the version\n"
	     "\n"
	     "Exit status: 0 done; 1 done, and the answer is no; 2 usage; 3 not possible here;\n"
	     "4 bad input, even if a part could be shown.");
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; verbs[i]; i++)
		if (strcmp(verbs[i]->name, name) == 0)
			return verbs[i];
	return NULL;
}

static int run_help(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2) {
		print_help();
		return STATUS_DONE;
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return cli_usage("help: there is no verb '%s'", argv[1]);
	fputs(verb->help, stdout);
	return STATUS_DONE;
}

/* getopt_long() begins its messages with argv[0]: as all others begin, `hadal VERB`. */
static int run_verb(const struct verb *verb, int argc, char **argv)
{
	static char name[32];

	snprintf(name, sizeof(name), "hadal %s", verb->name);
	argv[0] = name;
	cli_set_verb(verb->name);
	return verb->run(argc, argv);
}

static int run(int argc, char **argv)
{
	const struct verb *verb;

	if (argc < 2)
		return cli_usage("which verb?");
	if (strcmp(argv[1], "help") == 0)
		return run_help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return run_help(1, argv + 1);
	if (strcmp(argv[1], "--version") == 0) {
		puts("hadal " HADAL_VERSION);
		return STATUS_DONE;
	}
	verb = find_verb(argv[1]);
	if (!verb)
		return cli_usage("there is no verb '%s'", argv[1]);
	return run_verb(verb, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	int status;

	/* Only the character set: numbers are printed the same way everywhere. */
	setlocale(LC_CTYPE, "");
	/* A reader that goes away shows as EPIPE where the output is closed. */
	signal(SIGPIPE, SIG_IGN);
	status = run(argc, argv);
	if (fflush(stdout) != 0 && status == STATUS_DONE)
		status = STATUS_IMPOSSIBLE;
	return status;
}
