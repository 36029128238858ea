/* SPDX-License-Identifier: MIT */
/* What the sub-verbs of `hadal oa` share. */
#ifndef HADAL_CLI_OA_H
#define HADAL_CLI_OA_H

#include "cli/cli.h"
#include "report/oa.h"

/*
 * struct oa_input - metric files from the command line, checked
 * @files: as many as could be opened; guids.xml files among them
 * @checked: the verdicts, one entry per file
 * @bad: a file could not be opened or has errors
 */
struct oa_input {
	struct hadal_oa_file **files;
	struct oa_checked *checked;
	size_t count;
	bool bad;
};

/*
 * Reads @names ("-" is standard input), finds UUIDs used twice, compares hashes, judges every set
 * and prints what is wrong with the files. Returns STATUS_DONE or, after a message,
 * STATUS_IMPOSSIBLE for want of memory. To be released with oa_input_free() in either case.
 */
int oa_input_read(struct oa_input *input, char **names, size_t count,
		  const struct hadal_oa_question *question);

void oa_input_free(struct oa_input *input);

/* Says that memory is short. Returns STATUS_IMPOSSIBLE. */
int oa_no_memory(void);

/* The sub-verbs; argv[0] is the sub-verb. Each returns an enum status. */
int oa_check_run(int argc, char **argv);
int oa_show_run(int argc, char **argv);

extern const struct verb oa_verb;

#endif
