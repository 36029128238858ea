/* SPDX-License-Identifier: MIT */
/* Writers for metric sets that were removed. */
#ifndef HADAL_REPORT_OA_REMOVE_H
#define HADAL_REPORT_OA_REMOVE_H

#include "report/oa_list.h"

enum oa_removal_outcome {
	OA_REMOVED,
	OA_REMOVAL_FAILED,
	OA_REMOVAL_UNTRIED, /* a signal came */
	OA_STAYS,	    /* the driver's own */
};

/*
 * struct oa_removal - one set
 * @error: positive, of a failed one
 */
struct oa_removal {
	const struct hadal_oa_loaded *set;
	enum oa_removal_outcome outcome;
	int error;
};

/* Writes what became of each set, with its UUID and id, and a sum. */
void report_oa_remove_table(const struct oa_removal *removals, size_t count,
			    const struct report_out *out);

/* The same as a JSON document. Returns 0 or -ENOMEM. */
int report_oa_remove_json(const struct hadal_oa_gpu *gpu, const struct oa_removal *removals,
			  size_t count, const struct report_out *out);

#endif
