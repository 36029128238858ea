/* SPDX-License-Identifier: MIT */
/* What the sub-verbs of `hadal oa` share. */
#ifndef HADAL_CLI_OA_H
#define HADAL_CLI_OA_H

#include "cli/cli.h"
#include "report/oa.h"

/*
 * struct oa_request - what the command line says
 * @names: the arguments behind the sub-verb
 */
struct oa_request {
	struct cli_options options;
	struct hadal_oa_question question;
	bool json;
	char **names;
	size_t count;
};

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

/* The sub-verbs. Each returns an enum status. */
int oa_check_run(const struct oa_request *request);
int oa_show_run(const struct oa_request *request);

#endif
