/* SPDX-License-Identifier: MIT */
/* Records brought in order: gaps that hit several CPUs at once joined, and the time that was watched. */
#ifndef HADAL_LIB_HWLAT_EVENTS_H
#define HADAL_LIB_HWLAT_EVENTS_H

#include "hadal/hwlat_analysis.h"
#include "lib/hwlat_period.h"

/*
 * struct hwlat_event - one or more gaps that overlap
 * @gaps: in struct hwlat_events, @gap_count of them; the first of them began first
 * @period: whose strike it is, counted from 1, or 0
 */
struct hwlat_event {
	const struct hwlat_gap *const *gaps;
	size_t gap_count;
	int64_t start_ns;
	int64_t end_ns;
	uint64_t duration_ns; /* of its longest gap */
	size_t period;
};

/*
 * struct hwlat_events - all of a run, in the order of time
 * @gaps: pointers to the records, without steps back of the clock and gaps of the kernel's own
 */
struct hwlat_events {
	const struct hwlat_gap **gaps;
	size_t gap_count;
	struct hwlat_event *at;
	size_t count;
};

/* Returns 0 or -ENOMEM; to be freed with hwlat_events_free() in both cases. */
int hwlat_events_make(struct hwlat_events *events, const struct hwlat_records *records);
void hwlat_events_free(struct hwlat_events *events);

/* Whether the event has a gap on that CPU; every event has one on CPU -1. */
bool hwlat_event_on(const struct hwlat_event *event, int cpu);

/*
 * When @cpu was watched, or for -1 at least one: in order, without overlap, to be freed. *@count is 0 and
 * the result NULL if there are no windows. Returns 0 or -ENOMEM.
 */
int hwlat_spells_make(struct period_spell **spells, size_t *count,
		      const struct hwlat_records *records, int cpu);

/* Finds the periods among the events, and marks those that they explain. Returns 0 or -ENOMEM. */
int hwlat_periods_find(struct hwlat_events *events, const struct hwlat_records *records,
		       struct hwlat_analysis *analysis);

#endif
