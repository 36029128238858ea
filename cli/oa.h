/* SPDX-License-Identifier: MIT */
/* What the sub-verbs of `hadal oa` share. */
#ifndef HADAL_CLI_OA_H
#define HADAL_CLI_OA_H

#include "cli/cli.h"
#include "hadal/oa_load.h"
#include "report/oa.h"

/*
 * struct oa_request - what the command line says
 * @names: the arguments behind the sub-verb
 * @device: --device, NULL for the only GPU
 * @root: --root, NULL for this machine
 * @set: --set, NULL for all
 * @period_ns, @duration_ns, @max_bytes: of a recording; UINT64_MAX for no end
 * @given: the options of this verb that were given, a bit for each
 */
struct oa_request {
	struct cli_options options;
	struct hadal_oa_question question;
	const char *device;
	const char *root;
	const char *set;
	uint64_t period_ns;
	uint64_t duration_ns;
	uint64_t max_bytes;
	unsigned int given;
	bool replace;
	bool keep_going;
	bool dry_run;
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
 * Reads @names ("-" is standard input). Returns STATUS_DONE or, after a message, STATUS_IMPOSSIBLE
 * for want of memory. To be released with oa_input_free() in either case.
 */
int oa_input_open(struct oa_input *input, char **names, size_t count);

/*
 * Finds UUIDs used twice, compares hashes, judges every set and prints what is wrong with the
 * files. Returns as above.
 */
int oa_input_judge(struct oa_input *input, const struct hadal_oa_question *question);

/* Both. To be released in either case. */
int oa_input_read(struct oa_input *input, char **names, size_t count,
		  const struct hadal_oa_question *question);

/* How many sets all the files have. */
size_t oa_input_sets(const struct oa_input *input);

void oa_input_free(struct oa_input *input);

/* Says that memory is short. Returns STATUS_IMPOSSIBLE. */
int oa_no_memory(void);

/*
 * Finds the GPU that --device names, or the only one. Returns STATUS_DONE or, after a message, what
 * to end with.
 */
int oa_gpu_find(const struct oa_request *request, struct hadal_oa_gpu *gpu);

/* Finds and opens it. @fd is to be closed by the caller. */
int oa_gpu_open(const struct oa_request *request, struct hadal_oa_gpu *gpu, int *fd);

/*
 * Says what a call's @error (positive) means and what to do about it; @thing is the set or file it
 * is about. Returns STATUS_NO where the driver refused @thing, else STATUS_IMPOSSIBLE.
 */
int oa_gpu_error(const struct hadal_oa_gpu *gpu, enum hadal_oa_call call, const char *thing,
		 int error);

/* The sub-verbs. Each returns an enum status. */
int oa_check_run(const struct oa_request *request);
int oa_show_run(const struct oa_request *request);
int oa_list_run(const struct oa_request *request);
int oa_add_run(const struct oa_request *request);
int oa_remove_run(const struct oa_request *request);
int oa_record_run(const struct oa_request *request);
int oa_read_run(const struct oa_request *request);

#endif
