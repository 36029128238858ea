// SPDX-License-Identifier: MIT
/* One list of the spans of all sources, on as few axes as the clocks allow. */
#include <errno.h>
#include <stdlib.h>

#include "report/timeline.h"

/* Ticks on the axis that the stamps have: nanoseconds if that can be. */
static uint64_t on_axis(const struct timeline *line, uint64_t ticks)
{
	return line->khz ? (uint64_t)timeline_ns(line, ticks) : ticks;
}

static struct timeline_entry *add_entry(struct timeline *line)
{
	return &line->entries[line->entry_count++];
}

static void add_stamps(struct timeline *line, const char *name, uint64_t from, uint64_t to)
{
	*add_entry(line) = (struct timeline_entry){
		.name = name,
		.source = line->boot->source,
		.doubtful = *line->boot->stamps_doubtful ? line->boot->stamps_doubtful : NULL,
		.axis = line->khz ? AXIS_MAIN : AXIS_TICKS,
		.start = on_axis(line, from),
		.length = on_axis(line, to - from),
		.of_stamps = true,
		.id = TIMELINE_NO_ID,
	};
}

static void add_stamp_span(struct timeline *line, const struct timeline_span *span)
{
	struct timeline_entry *entry = &line->entries[line->entry_count];

	add_stamps(line, NULL, line->rows[span->first].at, line->rows[span->last].at);
	entry->name = timeline_span_label(line, span, entry->number);
	entry->depth = span->depth;
	entry->id = line->rows[span->is_range ? span->first : span->last].id;
	/* Until April 2025 the event that is 31 now was 30. */
	if (entry->id == 30 && line->boot->old_id_30)
		entry->id = 31;
	entry->is_event = !span->is_range;
}

/* All that the table tells, and the time before it. */
static void add_table(struct timeline *line)
{
	struct timeline_entry *first = &line->entries[line->entry_count];

	if (line->rows[0].at)
		add_stamps(line, "before the first stamp", 0, line->rows[0].at);
	if (line->rows[0].at && line->khz && first->length > (uint64_t)HADAL_LATE_START_NS)
		first->doubtful = HADAL_LATE_START;
	for (size_t i = 0; i < line->span_count; i++)
		add_stamp_span(line, &line->spans[i]);
}

int64_t timeline_shift_ns(const struct timeline *line)
{
	if (!line->shifted || !line->khz)
		return 0;
	return timeline_ns(line, line->base - line->boot->base);
}

static void add_other(struct timeline *line, const struct hadal_span *span)
{
	const struct hadal_boot *boot = line->boot;
	struct timeline_entry *entry = add_entry(line);

	*entry = (struct timeline_entry){
		.name = span->name,
		.source = span->source,
		.doubtful = span->doubtful,
		.start = (uint64_t)span->start_ns,
		.length = (uint64_t)span->duration_ns,
		.depth = span->depth,
		.order = line->entry_count,
	};
	if (span->clock == HADAL_CLOCK_KERNEL && !boot->has_kernel_zero) {
		entry->axis = AXIS_KERNEL;
		return;
	}
	if (span->clock == HADAL_CLOCK_KERNEL)
		entry->start += (uint64_t)boot->kernel_zero_ns;
	entry->start += (uint64_t)timeline_shift_ns(line);
	/* A recording's numbers may be anything; sums of them stay numbers that JSON can hold. */
	if (entry->start > INT64_MAX)
		entry->start = INT64_MAX;
}

/* By start, what is around others first; else as their sources told them. */
static int compare_entries(const void *pa, const void *pb)
{
	const struct timeline_entry *a = pa, *b = pb;

	if (a->axis != b->axis)
		return a->axis < b->axis ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

static void find_ends(struct timeline *line, bool doubtful_too)
{
	for (size_t i = 0; i < line->entry_count; i++) {
		const struct timeline_entry *entry = &line->entries[i];
		uint64_t end = entry->start + entry->length;

		if ((doubtful_too || !entry->doubtful) && end > line->ends[entry->axis])
			line->ends[entry->axis] = end;
	}
}

int timeline_add_entries(struct timeline *line)
{
	const struct hadal_boot *boot = line->boot;
	size_t stamps;

	line->entries = calloc(1 + line->span_count + boot->span_count, sizeof(*line->entries));
	if (!line->entries)
		return -ENOMEM;
	if (boot->has_stamps || !boot->span_count)
		add_table(line);
	stamps = line->entry_count;
	for (size_t i = 0; i < boot->span_count; i++)
		add_other(line, &boot->spans[i]);
	qsort(line->entries + stamps, boot->span_count, sizeof(*line->entries), compare_entries);
	find_ends(line, false);
	for (unsigned int axis = 0; axis < AXES; axis++)
		if (!line->ends[axis])
			find_ends(line, true);
	return 0;
}
