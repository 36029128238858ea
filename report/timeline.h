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

#define TIMELINE_NO_ID UINT32_MAX

/* What an entry's times count, and from where. */
enum timeline_axis {
	AXIS_MAIN,   /* nanoseconds from the line's zero */
	AXIS_KERNEL, /* nanoseconds from the kernel's zero, which cannot be placed on the line */
	AXIS_TICKS,  /* ticks from the line's zero, since their frequency is unknown */
	AXES,
};

/*
 * struct timeline_entry - a span of any source, as people see it
 * @name, @source: owned by the boot, the tables, or @number
 * @doubtful: why it should not be believed, or NULL
 * @start, @length: on @axis
 * @depth: spans of the same source around it
 * @order: its place in what the source told
 * @is_event: the time that led up to the event of that name, not a range
 * @of_stamps: made from the stamps
 * @id: then the ID that it is called by, with today's meaning; TIMELINE_NO_ID for the time before
 *	the first stamp
 */
struct timeline_entry {
	const char *name;
	const char *source;
	const char *doubtful;
	enum timeline_axis axis;
	uint64_t start;
	uint64_t length;
	unsigned int depth;
	size_t order;
	bool is_event;
	bool of_stamps;
	uint32_t id;
	char number[16];
};

/*
 * struct timeline - the whole
 * @boot: where it is from; must outlive the timeline
 * @entries: the spans of all sources, the stamps' first, the others by their start
 * @ends: where the entries of each axis end, doubtful ones left out unless all are
 * @khz: the counter's frequency, 0 unknown; @khz_from says who knows
 * @base: the base's time in ticks since the line's zero
 * @shifted: some stamps are before the counter's zero (@compatible: before the base), so the
 *	line's zero is the earliest stamp
 */
struct timeline {
	const struct hadal_boot *boot;
	struct timeline_row *rows;
	size_t row_count;
	struct timeline_span *spans;
	size_t span_count;
	struct timeline_entry *entries;
	size_t entry_count;
	uint64_t ends[AXES];
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

/*
 * Makes the entries of a line; timeline_init() calls it. 0 or -ENOMEM.
 */
int timeline_add_entries(struct timeline *line);

/* How far the line's zero is before the counter's: 0 unless stamps reach back so far. */
int64_t timeline_shift_ns(const struct timeline *line);

/* Ticks in nanoseconds, rounded down, INT64_MAX if they are more. The frequency must be known. */
int64_t timeline_ns(const struct timeline *line, uint64_t ticks);

/* What happened at a row: a name of the recording or the user, or the ID's label, or "ID n". */
const char *timeline_row_label(const struct timeline *line, const struct timeline_row *row,
			       char buf[16]);

/* What a span is called: a range's own name, or its event's label. */
const char *timeline_span_label(const struct timeline *line, const struct timeline_span *span,
				char buf[16]);

#endif
