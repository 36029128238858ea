/* SPDX-License-Identifier: MIT */
/* Writers for metric sets that were, or would be, added to a driver. */
#ifndef HADAL_REPORT_OA_ADD_H
#define HADAL_REPORT_OA_ADD_H

#include "hadal/oa_load.h"
#include "report/oa.h"
#include "report/oa_list.h"

/* What is to be done with a set, and why. */
enum oa_plan {
	OA_PLAN_ADD,
	OA_PLAN_REPLACE,    /* another set has its UUID, and is to go */
	OA_PLAN_PRESENT,    /* it is there already, with the same registers */
	OA_PLAN_DIFFERENT,  /* its UUID is there, with other registers */
	OA_PLAN_UNCOMPARED, /* its UUID is there, with registers that cannot be read */
	OA_PLAN_REFUSED,    /* by the rules of the driver */
	OA_PLAN_UNUSABLE,   /* damaged, without a UUID, or with that of a set before it */
	OA_PLAN_OTHER_GPU,  /* made for another generation */
};

/*
 * struct oa_addition - one set
 * @checked, @set: where it is from, and what the rules say
 * @uuid: as it is added; "" if it has none
 * @loaded: what has this UUID already; uuid "" if nothing does
 * @twin: what has this UUID in another case; uuid "" if nothing does
 * @change: what was done, NULL if nothing was to do, or only would be
 */
struct oa_addition {
	const struct oa_checked *checked;
	uint32_t set;
	enum oa_plan plan;
	char uuid[UUID_TEXT_LENGTH + 1];
	struct hadal_oa_loaded loaded;
	struct hadal_oa_loaded twin;
	const struct hadal_oa_change *change;
};

/*
 * struct oa_add_report - all that was to be added
 * @dry: only what would be done
 * @complete: nothing was cut short by a signal
 */
struct oa_add_report {
	const struct hadal_oa_gpu *gpu;
	const struct oa_addition *additions;
	size_t count;
	bool dry;
	bool complete;
	bool all_refusals;
};

/* Writes one line per set, refusals below it, and a sum. */
void report_oa_add_table(const struct oa_add_report *report, const struct report_out *out);

/* The same as a JSON document. Returns 0 or -ENOMEM. */
int report_oa_add_json(const struct oa_add_report *report, const struct report_out *out);

#endif
