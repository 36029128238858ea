/* SPDX-License-Identifier: MIT */
/* Writers for GPUs and the metric sets that are loaded there. */
#ifndef HADAL_REPORT_OA_LIST_H
#define HADAL_REPORT_OA_LIST_H

#include "hadal/oa_device.h"
#include "report/report.h"

/*
 * struct oa_listed - one GPU with its sets
 * @sets, @count: in order of their ids
 * @names: for each set its name, or NULL where none of the files has one
 */
struct oa_listed {
	struct hadal_oa_gpu gpu;
	struct hadal_oa_loaded *sets;
	const char **names;
	size_t count;
};

/* "built-in", "dynamic", "unknown". */
const char *report_oa_origin(enum hadal_oa_origin origin);

/* One line for @gpu: card, driver, generation, device id, node. Without a line end. */
void report_oa_gpu_line(const struct hadal_oa_gpu *gpu, const struct report_out *out);

/* The same for a JSON document: card, slot, node, driver, vendor, device, revision, gen, supported. */
struct json_object *report_oa_gpu_json(const struct hadal_oa_gpu *gpu);

/* Writes GPUs and sets; @named: files were given to find names in. */
void report_oa_list_table(const struct oa_listed *gpus, size_t count, bool named,
			  const struct report_out *out);

/* The same as a JSON document. Returns 0 or -ENOMEM. */
int report_oa_list_json(const struct oa_listed *gpus, size_t count, const struct report_out *out);

#endif
