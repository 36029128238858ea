// SPDX-License-Identifier: MIT
/* Finds the same spans in several boots, and ranks them by what got slower. */
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "report/boot_compare.h"

/* Stamps go by ID, whatever a release or a user calls them; other spans by source and name. */
static int compare_entries(const struct timeline_entry *a, const struct timeline_entry *b)
{
	int order;

	if (a->of_stamps != b->of_stamps)
		return a->of_stamps ? -1 : 1;
	if (a->is_event != b->is_event)
		return a->is_event ? -1 : 1;
	if (a->of_stamps)
		return a->id < b->id ? -1 : a->id > b->id;
	order = strcmp(a->source, b->source);
	return order ? order : strcmp(a->name, b->name);
}

static int compare_keys(const void *pa, const void *pb)
{
	const struct compare_row *a = pa, *b = pb;
	int order = compare_entries(a->entry, b->entry);

	return order ? order : a->nth < b->nth ? -1 : a->nth > b->nth;
}

static struct compare_row *new_row(const struct timeline_entry *entry, unsigned int nth,
				   size_t boots)
{
	struct compare_row *row = calloc(1, sizeof(*row));

	if (!row)
		return NULL;
	row->name = entry->name;
	row->source = entry->of_stamps ? "stamps" : entry->source;
	row->entry = entry;
	row->nth = nth;
	row->ns = calloc(boots, sizeof(*row->ns));
	if (!row->ns) {
		free(row);
		return NULL;
	}
	for (size_t i = 0; i < boots; i++)
		row->ns[i] = COMPARE_MISSING;
	return row;
}

static void free_row(struct compare_row *row)
{
	if (row)
		free(row->ns);
	free(row);
}

static int keep_row(struct compare *cmp, struct compare_row *row)
{
	size_t room = cmp->row_room ? cmp->row_room * 2 : 64;
	void *rows;

	if (cmp->row_count == cmp->row_room) {
		rows = reallocarray(cmp->rows, room, sizeof(*cmp->rows));
		if (!rows)
			return -ENOMEM;
		cmp->rows = rows;
		cmp->row_room = room;
	}
	if (!tsearch(row, &cmp->tree, compare_keys))
		return -ENOMEM;
	cmp->rows[cmp->row_count++] = row;
	return 0;
}

/* The row for the nth span of a kind, a new one if need be; NULL for want of memory. */
static struct compare_row *take_row(struct compare *cmp, const struct timeline_entry *entry,
				    unsigned int nth)
{
	const struct compare_row key = { .entry = entry, .nth = nth };
	struct compare_row **found = tfind(&key, &cmp->tree, compare_keys);
	struct compare_row *row;

	if (found)
		return *found;
	row = new_row(entry, nth, cmp->count);
	if (row && keep_row(cmp, row) < 0) {
		free_row(row);
		row = NULL;
	}
	return row;
}

/* An ID may occur many times; the nth of one boot is the nth of another. */
static struct compare_row *find_row(struct compare *cmp, const struct timeline_entry *entry,
				    size_t boot)
{
	struct compare_row *first = take_row(cmp, entry, 0);
	unsigned int nth;

	if (!first)
		return NULL;
	if (first->seen_in != boot)
		first->seen = 0;
	first->seen_in = boot;
	nth = first->seen++;
	return nth ? take_row(cmp, entry, nth) : first;
}

/* The last thing before a resume's stamps is not firmware, but all the time since the boot. */
static bool leave_out(const struct timeline *line, const struct timeline_entry *entry)
{
	return entry->doubtful || (entry->of_stamps && entry->id == TIMELINE_NO_ID &&
				   hadal_boot_is_resume(line->boot));
}

static int add_boot(struct compare *cmp, const struct timeline *line, size_t boot)
{
	for (size_t i = 0; i < line->entry_count; i++) {
		const struct timeline_entry *entry = &line->entries[i];
		struct compare_row *row;

		if (leave_out(line, entry)) {
			cmp->left_out++;
			continue;
		}
		row = find_row(cmp, entry, boot);
		if (!row)
			return -ENOMEM;
		row->ns[boot] = (int64_t)entry->length;
	}
	return 0;
}

static int64_t total_ns(const struct timeline *line)
{
	const struct timeline_row *rows = line->rows;

	if (line->boot->has_stamps)
		return timeline_ns(line, rows[line->row_count - 1].at - rows[0].at);
	return (int64_t)(line->ends[AXIS_MAIN] ? line->ends[AXIS_MAIN] : line->ends[AXIS_KERNEL]);
}

static int64_t deviation(const struct compare_row *row, size_t count)
{
	double sum = 0, off;

	for (size_t i = 0; i < count; i++) {
		off = (double)(row->ns[i] - row->mean);
		sum += off * off;
	}
	return count > 1 ? (int64_t)(sqrt(sum / (double)(count - 1)) + 0.5) : 0;
}

static void summarize(struct compare_row *row, size_t count)
{
	size_t others = count > 1 ? count - 1 : 1;
	__int128 later = 0;

	row->min = INT64_MAX;
	for (size_t i = 0; i < count; i++) {
		if (row->ns[i] == COMPARE_MISSING)
			return;
		row->min = row->ns[i] < row->min ? row->ns[i] : row->min;
		row->max = row->ns[i] > row->max ? row->ns[i] : row->max;
		later += i ? row->ns[i] : 0;
	}
	row->complete = true;
	row->change = (int64_t)(later / (int64_t)others) - row->ns[0];
	row->mean = (int64_t)((later + row->ns[0]) / (int64_t)(others + 1));
	row->deviation = deviation(row, count);
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct compare_row *const *ra = pa, *const *rb = pb;
	const struct compare_row *a = *ra, *b = *rb;

	if (a->complete != b->complete)
		return a->complete ? -1 : 1;
	if (a->change != b->change)
		return a->change > b->change ? -1 : 1;
	return compare_keys(a, b);
}

int compare_init(struct compare *cmp, const struct timeline *lines, const char *const *names,
		 size_t count)
{
	const struct timeline_entry total = { .name = "total", .source = "stamps" };

	*cmp = (struct compare){ .names = names, .count = count };
	cmp->total = new_row(&total, 0, count);
	if (!cmp->total)
		return -ENOMEM;
	cmp->total->entry = NULL;
	for (size_t i = 0; i < count; i++) {
		cmp->total->ns[i] = total_ns(&lines[i]);
		if (add_boot(cmp, &lines[i], i) < 0)
			return -ENOMEM;
	}
	summarize(cmp->total, count);
	for (size_t i = 0; i < cmp->row_count; i++)
		summarize(cmp->rows[i], count);
	qsort(cmp->rows, cmp->row_count, sizeof(*cmp->rows), compare_rows);
	return 0;
}

/* The rows are freed with the array that holds them too. */
static void keep(void *row)
{
	(void)row;
}

void compare_free(struct compare *cmp)
{
	tdestroy(cmp->tree, keep);
	for (size_t i = 0; i < cmp->row_count; i++)
		free_row(cmp->rows[i]);
	free(cmp->rows);
	free_row(cmp->total);
	*cmp = (struct compare){ 0 };
}

bool compare_exceeds(const struct compare *cmp, double limit, bool percent)
{
	double allowed = percent ? (double)cmp->total->ns[0] * limit / 100 : limit;

	return (double)cmp->total->change > allowed;
}
