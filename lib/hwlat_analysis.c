// SPDX-License-Identifier: MIT
/* What the gaps of a run say together: lengths, the rate of events, periods. */
#include <errno.h>
#include <stdlib.h>

#include "lib/hwlat_events.h"

#define NS_PER_HOUR 3600e9

static int compare_lengths(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* The length that @per_mille of the gaps do not exceed. */
static uint64_t percentile(const uint64_t *lengths, size_t count, size_t per_mille)
{
	const size_t rank = (count * per_mille + 999) / 1000;

	return count ? lengths[rank ? rank - 1 : 0] : 0;
}

static int find_lengths(const struct hwlat_events *events, struct hwlat_analysis *analysis)
{
	uint64_t *lengths = calloc(events->gap_count + 1, sizeof(*lengths));

	if (!lengths)
		return -ENOMEM;
	for (size_t i = 0; i < events->gap_count; i++) {
		const struct hwlat_gap *gap = events->gaps[i];

		lengths[i] = gap->duration_ns;
		if (!analysis->longest || gap->duration_ns > analysis->longest->duration_ns)
			analysis->longest = gap;
	}
	qsort(lengths, events->gap_count, sizeof(*lengths), compare_lengths);
	analysis->median_ns = percentile(lengths, events->gap_count, 500);
	analysis->p90_ns = percentile(lengths, events->gap_count, 900);
	analysis->p99_ns = percentile(lengths, events->gap_count, 990);
	free(lengths);
	return 0;
}

static void find_joint(const struct hwlat_events *events, struct hwlat_analysis *analysis)
{
	analysis->events = events->count;
	for (size_t i = 0; i < events->count; i++) {
		const struct hwlat_event *event = &events->at[i];

		analysis->joint += event->gap_count > 1;
		if (event->gap_count > analysis->widest)
			analysis->widest = event->gap_count;
		analysis->lost_ns += (uint64_t)(event->end_ns - event->start_ns);
	}
}

/* A window is watched in slices, and what breathes between them is not. */
static double share_watched(const struct hwlat_records *records)
{
	double watched = 0, whole = 0;

	for (size_t i = 0; i < records->window_count; i++) {
		watched += (double)records->windows[i].watched_ns;
		whole += (double)records->windows[i].duration_ns;
	}
	return whole > watched ? watched / whole : 1;
}

/* While an event lasts no other can be seen, so that time is not watched for one. */
static int find_rate(const struct hwlat_records *records, struct hwlat_analysis *analysis)
{
	struct period_spell *spells;
	double least, most, live;
	size_t count;
	int err = hwlat_spells_make(&spells, &count, records, -1);

	if (err)
		return err;
	if (records->window_count)
		analysis->watched_ns = 0;
	for (size_t i = 0; i < count; i++)
		analysis->watched_ns += (uint64_t)(spells[i].end_ns - spells[i].start_ns);
	free(spells);
	if (records->window_count)
		analysis->watched_ns =
			(uint64_t)((double)analysis->watched_ns * share_watched(records));
	if (!records->window_count || analysis->watched_ns <= analysis->lost_ns)
		return 0;
	live = (double)(analysis->watched_ns - analysis->lost_ns) / NS_PER_HOUR;
	hwlat_poisson_interval(analysis->events, &least, &most);
	analysis->per_hour = (double)analysis->events / live;
	analysis->least_per_hour = least / live;
	analysis->most_per_hour = most / live;
	return 0;
}

int hwlat_analyse(const struct hwlat_records *records, struct hwlat_analysis *analysis)
{
	struct hwlat_events events;
	int err = hwlat_events_make(&events, records);

	*analysis = (struct hwlat_analysis){
		.watched_ns = HWLAT_UNKNOWN,
		.per_hour = -1,
		.least_per_hour = -1,
		.most_per_hour = -1,
	};
	if (!err)
		err = find_lengths(&events, analysis);
	if (!err) {
		find_joint(&events, analysis);
		err = find_rate(records, analysis);
	}
	if (!err)
		err = hwlat_periods_find(&events, records, analysis);
	hwlat_events_free(&events);
	return err;
}
