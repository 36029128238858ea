/* SPDX-License-Identifier: MIT */
/* Writers for metric sets and what the kernel would say to them. */
#ifndef HADAL_REPORT_OA_H
#define HADAL_REPORT_OA_H

#include "hadal/oa.h"
#include "report/report.h"

/*
 * struct oa_checked - one file with the verdict on each of its sets
 * @results: file->set_count of them, in the order of the sets
 */
struct oa_checked {
	const struct hadal_oa_file *file;
	struct hadal_oa_result *results;
};

/*
 * struct oa_report - all that was checked
 * @question: for which GPU
 * @all_refusals: show every refusal, not only the first few of each set
 */
struct oa_report {
	const struct hadal_oa_question *question;
	const struct oa_checked *files;
	size_t file_count;
	bool all_refusals;
};

/* One set to show: number @set of @checked. */
struct oa_shown {
	const struct oa_checked *checked;
	uint32_t set;
};

/* The words of the formats: "mux", "address", "refused". */
const char *report_oa_class(enum oa_class cls);
const char *report_oa_reason(enum oa_reason reason);
const char *report_oa_verdict(enum hadal_oa_verdict verdict);

/* "i915" or "xe": whose rules @result applied; "" if none. */
const char *report_oa_driver(const struct hadal_oa_result *result);

/* Writes the refusals of @set, a line each; the first few if not @all. */
void report_oa_write_refusals(const struct hadal_oa_result *result, const struct hadal_oa_set *set,
			      bool all, FILE *f);

/* A set with its verdict as part of a JSON document. */
struct json_object *report_oa_set_json(const struct hadal_oa_set *set,
				       const struct hadal_oa_result *result);

/* Writes verdicts, one line per set, refusals below it, and a sum. */
void report_oa_check_table(const struct oa_report *report, const struct report_out *out);

/* The same as a JSON document. Returns 0 or -ENOMEM. */
int report_oa_check_json(const struct oa_report *report, const struct report_out *out);

/*
 * Writes all that is known of each set: the blocks that apply with their registers, counters,
 * equations. Returns 0 or -ENOMEM.
 */
int report_oa_show_table(const struct oa_report *report, const struct oa_shown *sets, size_t count,
			 const struct report_out *out);

/* The same as a JSON document. Returns 0 or -ENOMEM. */
int report_oa_show_json(const struct oa_report *report, const struct oa_shown *sets, size_t count,
			const struct report_out *out);

#endif
