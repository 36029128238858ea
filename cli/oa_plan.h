/* SPDX-License-Identifier: MIT */
/* What `hadal oa add` is to do: which sets, and what stands in their way. */
#ifndef HADAL_CLI_OA_PLAN_H
#define HADAL_CLI_OA_PLAN_H

#include "cli/oa.h"
#include "report/oa_add.h"

/*
 * struct oa_adding - one `hadal oa add`
 * @device: what is known of the GPU, for conditions
 * @additions, @changes: one for each chosen set; the changes to make are the first @change_count
 */
struct oa_adding {
	const struct oa_request *request;
	struct hadal_oa_question question;
	struct hadal_oa_device device;
	struct hadal_oa_gpu gpu;
	int fd;
	struct oa_input input;
	struct hadal_oa_loaded *loaded;
	size_t loaded_count;
	struct oa_addition *additions;
	size_t count;
	struct hadal_oa_change *changes;
	size_t change_count;
};

/*
 * Chooses the sets of the files, judges them, compares them with what is loaded and lists the
 * changes. Returns STATUS_DONE or, after a message, what to end with.
 */
int oa_plan_make(struct oa_adding *adding);

/* Frees what the plan holds. */
void oa_plan_free(struct oa_adding *adding);

#endif
