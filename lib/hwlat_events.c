// SPDX-License-Identifier: MIT
/* Joins gaps of several CPUs, and windows of several CPUs. */
#include <errno.h>
#include <stdlib.h>

#include "lib/hwlat_events.h"

/* Times far outside any run would overflow when they are subtracted. */
#define TIME_MAX (INT64_MAX / 4)

static int64_t bounded(int64_t time)
{
	return time > TIME_MAX ? TIME_MAX : time < -TIME_MAX ? -TIME_MAX : time;
}

static int64_t end_of(int64_t start, uint64_t duration)
{
	return bounded(start) + (duration > TIME_MAX ? TIME_MAX : (int64_t)duration);
}

static int compare_starts(const void *a, const void *b)
{
	const struct hwlat_gap *const *x = a, *const *y = b;

	if ((*x)->start_ns != (*y)->start_ns)
		return (*x)->start_ns > (*y)->start_ns ? 1 : -1;
	return ((*x)->cpu > (*y)->cpu) - ((*x)->cpu < (*y)->cpu);
}

bool hwlat_event_on(const struct hwlat_event *event, int cpu)
{
	for (size_t i = 0; i < event->gap_count; i++)
		if (cpu < 0 || event->gaps[i]->cpu == (unsigned int)cpu)
			return true;
	return false;
}

/* Two gaps of one CPU are never one event, however close. */
static bool belongs(const struct hwlat_event *event, const struct hwlat_gap *gap)
{
	return bounded(gap->start_ns) <= event->end_ns && !hwlat_event_on(event, (int)gap->cpu);
}

static void add_gap(struct hwlat_events *events, size_t i)
{
	struct hwlat_event *event = events->count ? &events->at[events->count - 1] : NULL;
	const struct hwlat_gap *gap = events->gaps[i];
	const int64_t end = end_of(gap->start_ns, gap->duration_ns);

	if (!event || !belongs(event, gap)) {
		events->at[events->count++] = (struct hwlat_event){
			&events->gaps[i], 1, bounded(gap->start_ns), end, gap->duration_ns, 0,
		};
		return;
	}
	event->gap_count++;
	if (end > event->end_ns)
		event->end_ns = end;
	if (gap->duration_ns > event->duration_ns)
		event->duration_ns = gap->duration_ns;
}

int hwlat_events_make(struct hwlat_events *events, const struct hwlat_records *records)
{
	*events = (struct hwlat_events){
		.gaps = calloc(records->gap_count + 1, sizeof(*events->gaps)),
		.at = calloc(records->gap_count + 1, sizeof(*events->at)),
	};
	if (!events->gaps || !events->at)
		return -ENOMEM;
	for (size_t i = 0; i < records->gap_count; i++)
		if (!records->gaps[i].backward && records->gaps[i].cause != HWLAT_KERNEL)
			events->gaps[events->gap_count++] = &records->gaps[i];
	qsort(events->gaps, events->gap_count, sizeof(*events->gaps), compare_starts);
	for (size_t i = 0; i < events->gap_count; i++)
		add_gap(events, i);
	return 0;
}

void hwlat_events_free(struct hwlat_events *events)
{
	free(events->gaps);
	free(events->at);
}

static int compare_spells(const void *a, const void *b)
{
	const struct period_spell *x = a, *y = b;

	return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* Those that touch become one. */
static size_t merge(struct period_spell *spells, size_t count)
{
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		if (used && spells[i].start_ns <= spells[used - 1].end_ns) {
			if (spells[i].end_ns > spells[used - 1].end_ns)
				spells[used - 1].end_ns = spells[i].end_ns;
		} else {
			spells[used++] = spells[i];
		}
	}
	return used;
}

int hwlat_spells_make(struct period_spell **spells, size_t *count,
		      const struct hwlat_records *records, int cpu)
{
	struct period_spell *made = calloc(records->window_count + 1, sizeof(*made));
	size_t used = 0;

	*spells = NULL;
	*count = 0;
	if (!made)
		return -ENOMEM;
	for (size_t i = 0; i < records->window_count; i++) {
		const struct hwlat_window *window = &records->windows[i];

		if (cpu < 0 || window->cpu == (unsigned int)cpu)
			made[used++] = (struct period_spell){
				bounded(window->start_ns),
				end_of(window->start_ns, window->duration_ns),
			};
	}
	qsort(made, used, sizeof(*made), compare_spells);
	*count = merge(made, used);
	*spells = made;
	return 0;
}
