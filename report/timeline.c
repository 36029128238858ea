// SPDX-License-Identifier: MIT
/* Puts stamps in order and finds the spans between them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"

/* Ties keep their stored order, the base's row last, as glibc's stable qsort() left them. */
struct sort_row {
	struct timeline_row row;
	int64_t ticks;
	size_t order;
};

static int compare_rows(const void *pa, const void *pb)
{
	const struct sort_row *a = pa, *b = pb;

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/*
 * Where the line's zero is. coreboot's tool moves it to the earliest stamp as soon as one is
 * before the base; but only what is before the counter's own zero has no place after it.
 */
static void place_zero(struct timeline *line, int64_t earliest, bool compatible)
{
	uint64_t base = line->boot->base;

	line->shifted = compatible ? earliest < 0 : (__int128)(int64_t)base + earliest < 0;
	line->base = line->shifted ? -(uint64_t)earliest : base;
}

static int sort_rows(struct timeline *line, bool compatible)
{
	const struct hadal_boot *boot = line->boot;
	size_t n = boot->stamps.count;
	struct sort_row *sorted = calloc(n + 1, sizeof(*sorted));
	uint64_t zero;

	line->rows = calloc(n + 1, sizeof(*line->rows));
	if (!sorted || !line->rows) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		sorted[i].row.id = boot->stamps.at[i].id;
		sorted[i].ticks = boot->stamps.at[i].ticks;
		sorted[i].order = i;
	}
	sorted[n] = (struct sort_row){ .row.is_base = true, .order = n };
	qsort(sorted, n + 1, sizeof(*sorted), compare_rows);

	place_zero(line, sorted[0].ticks, compatible);
	zero = line->base;
	for (size_t i = 0; i <= n; i++) {
		line->rows[i] = sorted[i].row;
		line->rows[i].at = zero + (uint64_t)sorted[i].ticks;
	}
	line->row_count = n + 1;
	free(sorted);
	return 0;
}

static uint32_t end_of(const struct timeline *line, uint32_t id, bool compatible)
{
	const struct hadal_boot_id *row = hadal_boot_id_find(id);

	if (id == 30 && !compatible && line->boot->old_id_30)
		return HADAL_OLD_ID_30_END;
	return row ? row->end : 0;
}

/*
 * For each row, the first later row with the ID that closes its range, or 0. One pass from the
 * back with the row seen last for each ID: a table full of starts must not cost the square.
 */
static int find_ends(const struct timeline *line, bool compatible, size_t *ends)
{
	size_t *seen = calloc(hadal_boot_id_count, sizeof(*seen));
	const struct hadal_boot_id *id, *end;

	if (!seen)
		return -ENOMEM;
	for (size_t i = line->row_count; i; i--) {
		uint32_t end_id = end_of(line, line->rows[i - 1].id, compatible);

		end = end_id ? hadal_boot_id_find(end_id) : NULL;
		ends[i - 1] = end ? seen[end - hadal_boot_ids] : 0;
		id = hadal_boot_id_find(line->rows[i - 1].id);
		if (id)
			seen[id - hadal_boot_ids] = i - 1;
	}
	free(seen);
	return 0;
}

/* Walks the rows once; the innermost open range is the end of a chain through ->parent. */
static void build_spans(struct timeline *line, const size_t *ends)
{
	long open = -1;

	for (size_t i = 0; i < line->row_count; i++) {
		struct timeline_span *span = &line->spans[line->span_count];
		bool popped = false;

		while (open >= 0 && line->spans[open].last == i) {
			open = line->spans[open].parent;
			popped = true;
		}
		span->parent = open;
		span->depth = open < 0 ? 0 : line->spans[open].depth + 1;
		span->is_range = ends[i] && (open < 0 || ends[i] < line->spans[open].last);
		if (!span->is_range && popped)
			continue;
		span->first = span->is_range || !i ? i : i - 1;
		span->last = span->is_range ? ends[i] : i;
		if (span->is_range)
			open = (long)line->span_count;
		line->span_count++;
	}
}

static int find_spans(struct timeline *line, bool compatible)
{
	size_t *ends = calloc(line->row_count, sizeof(*ends));
	int ret;

	line->spans = calloc(line->row_count, sizeof(*line->spans));
	ret = ends && line->spans ? find_ends(line, compatible, ends) : -ENOMEM;
	if (ret == 0)
		build_spans(line, ends);
	free(ends);
	return ret;
}

int timeline_init(struct timeline *line, const struct hadal_boot *boot, uint32_t khz,
		  bool compatible)
{
	int ret;

	*line = (struct timeline){ .boot = boot };
	line->khz = khz ? khz : boot->khz;
	line->khz_from = khz ? "--tick-khz" : boot->khz_from;
	ret = sort_rows(line, compatible);
	if (ret == 0)
		ret = find_spans(line, compatible);
	if (ret == 0)
		ret = timeline_add_entries(line);
	if (ret < 0)
		timeline_free(line);
	return ret;
}

void timeline_free(struct timeline *line)
{
	free(line->rows);
	free(line->spans);
	free(line->entries);
	*line = (struct timeline){ 0 };
}

int64_t timeline_ns(const struct timeline *line, uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000 / line->khz;

	return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

const char *timeline_row_label(const struct timeline *line, const struct timeline_row *row,
			       char buf[16])
{
	const char *name = hadal_boot_name(line->boot, row->id);
	const struct hadal_boot_id *id = hadal_boot_id_find(row->id);

	if (name)
		return name;
	if (row->id == 30 && line->boot->old_id_30)
		return HADAL_OLD_ID_30_LABEL;
	if (id)
		return id->label;
	snprintf(buf, 16, "ID %u", row->id);
	return buf;
}

const char *timeline_span_label(const struct timeline *line, const struct timeline_span *span,
				char buf[16])
{
	const struct timeline_row *row = &line->rows[span->is_range ? span->first : span->last];
	const struct hadal_boot_id *id = hadal_boot_id_find(row->id);

	if (span->is_range && !hadal_boot_name(line->boot, row->id) &&
	    !(row->id == 30 && line->boot->old_id_30))
		return id->range;
	return timeline_row_label(line, row, buf);
}
