/* SPDX-License-Identifier: MIT */
/* Boots side by side: the same spans of each, those that got slower first. */
#ifndef HADAL_REPORT_BOOT_COMPARE_H
#define HADAL_REPORT_BOOT_COMPARE_H

#include "report/report.h"
#include "report/timeline.h"

/* A boot does not have the span. */
#define COMPARE_MISSING INT64_MIN

/*
 * struct compare_row - one span in all boots
 * @name: what it is called in the first boot that has it; owned by that boot's line
 * @source: which source tells it; "stamps" for firmware's table
 * @ns: its length in each boot, or COMPARE_MISSING
 * @change: mean of the later boots less the first one's length, if @complete
 * @min, @mean, @max, @deviation: over all boots, if @complete; of a sample
 * @complete: all boots have it
 * @entry, @nth: what tells it from others: the nth of its kind in its boot
 * @seen, @seen_in: how many of its kind the boot @seen_in had so far, if @nth is 0
 */
struct compare_row {
	const char *name;
	const char *source;
	int64_t *ns;
	int64_t change;
	int64_t min;
	int64_t mean;
	int64_t max;
	int64_t deviation;
	bool complete;
	const struct timeline_entry *entry;
	unsigned int nth;
	unsigned int seen;
	size_t seen_in;
};

/*
 * struct compare - the whole
 * @names: what the boots are called
 * @total: from the first stamp to the last; without stamps to the end of the last span
 * @rows: complete ones first, the greatest change first
 * @tree: the same for a search
 * @left_out: spans that were doubtful, or before the stamps of a resume
 */
struct compare {
	const char *const *names;
	size_t count;
	struct compare_row *total;
	struct compare_row **rows;
	size_t row_count;
	size_t row_room;
	void *tree;
	size_t left_out;
};

/*
 * Compares @count lines, at least two, whose frequencies are known. They and @names must outlive
 * the result. 0 or -ENOMEM; free with compare_free() also then.
 */
int compare_init(struct compare *cmp, const struct timeline *lines, const char *const *names,
		 size_t count);
void compare_free(struct compare *cmp);

/* True if the total got slower by more than @limit: per cent of the first, or nanoseconds. */
bool compare_exceeds(const struct compare *cmp, double limit, bool percent);

/* struct compare_writer - an output format; @exceeded is NULL if no limit was asked for */
struct compare_writer {
	const char *name;
	bool plain;
	int (*write)(const struct compare *cmp, const bool *exceeded, const struct report_out *out);
};

extern const struct compare_writer compare_writer_table;
extern const struct compare_writer compare_writer_json;

#endif
