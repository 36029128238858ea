/* SPDX-License-Identifier: MIT */
/*
 * The boot as writers show it: stamps in time order, and the spans between them.
 *
 * The order and the spans are those of coreboot's tool, which users compare with: a row for the
 * base itself (ID 0), a stable sort, ranges from a start to its end where both are there, and
 * single events that show the time since the row before.
 */
#ifndef HADAL_REPORT_TIMELINE_H
#define HADAL_REPORT_TIMELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hadal/boot.h"

/*
 * struct timeline_row - one stamp
 * @id: its ID
 * @at: ticks since the line's zero
 * @is_base: this row is the base, not a stored stamp
 */
struct timeline_row {
	uint32_t id;
	uint64_t at;
	bool is_base;
};

/*
 * struct timeline_span - a range, or the time that led up to an event
 * @first, @last: rows; for an event @last is its row and @first the one before, or itself
 * @parent: the span it lies in, or -1
 * @depth: how many spans it lies in
 * @is_range: from a start to its end
 */
struct timeline_span {
	size_t first;
	size_t last;
	long parent;
	unsigned int depth;
	bool is_range;
};

/*
 * struct timeline - the whole
 * @boot: where it is from; must outlive the timeline
 * @khz: the counter's frequency, 0 unknown; @khz_from says who knows
 * @base: the base's time in ticks since the line's zero
 * @shifted: some stamps are before the base, so the line's zero is the earliest stamp, not the
 *	counter's zero
 */
struct timeline {
	const struct hadal_boot *boot;
	struct timeline_row *rows;
	size_t row_count;
	struct timeline_span *spans;
	size_t span_count;
	uint32_t khz;
	const char *khz_from;
	uint64_t base;
	bool shifted;
};

/*
 * Lays out @boot. @khz is the user's frequency or 0. @compatible: ID 30 means what it means
 * today, as coreboot's tool has it, even in an older table. -ENOMEM. Free with timeline_free().
 */
int timeline_init(struct timeline *line, const struct hadal_boot *boot, uint32_t khz,
		  bool compatible);
void timeline_free(struct timeline *line);

/* Ticks in nanoseconds, rounded down, INT64_MAX if they are more. The frequency must be known. */
int64_t timeline_ns(const struct timeline *line, uint64_t ticks);

/* What happened at a row: a name of the recording or the user, or the ID's label, or "ID n". */
const char *timeline_row_label(const struct timeline *line, const struct timeline_row *row,
			       char buf[16]);

/* What a span is called: a range's own name, or its event's label. */
const char *timeline_span_label(const struct timeline *line, const struct timeline_span *span,
				char buf[16]);

#endif
