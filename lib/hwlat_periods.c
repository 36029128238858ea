// SPDX-License-Identifier: MIT
/*
 * Which sources strike periodically. First all CPUs together, since most SMIs stop every CPU, then each
 * by itself. In either view first all events that nothing explains yet, since the lengths of one source may
 * vary, then those of one length, since several sources mostly differ in it.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "lib/hwlat_events.h"

/* More sightings make no period surer, and take longer. */
#define SIGHTINGS_MAX 2000

/* Lengths of one source lie no farther apart, when there are many of them. */
#define LENGTH_STEP 1.1

/*
 * struct view - where periods are looked for
 * @cpu: on that one, or -1 for all together
 * @tests: how often a period is looked for in the whole run
 * @picked: the sightings at hand
 */
struct view {
	struct hwlat_events *events;
	const struct hwlat_records *records;
	struct hwlat_analysis *analysis;
	struct period_input in;
	int cpu;
	unsigned int tests;
	struct hwlat_event **picked;
	int64_t *at_ns;
};

static int compare_lengths(const void *a, const void *b)
{
	const struct hwlat_event *const *x = a, *const *y = b;

	return ((*x)->duration_ns > (*y)->duration_ns) - ((*x)->duration_ns < (*y)->duration_ns);
}

static int compare_times(const void *a, const void *b)
{
	const struct hwlat_event *const *x = a, *const *y = b;

	return ((*x)->start_ns > (*y)->start_ns) - ((*x)->start_ns < (*y)->start_ns);
}

/* --- what was found ---------------------------------------------------------------------------- */

static enum hwlat_cause most_common(const uint64_t counts[HWLAT_CAUSES])
{
	unsigned int most = 0;

	for (unsigned int i = 1; i < HWLAT_CAUSES; i++)
		if (counts[i] > counts[most])
			most = i;
	return (enum hwlat_cause)most;
}

static void describe(struct hwlat_period *period, struct hwlat_event **events, size_t count)
{
	uint64_t causes[HWLAT_CAUSES] = { 0 };

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < events[i]->gap_count; k++) {
			const struct hwlat_gap *gap = events[i]->gaps[k];

			causes[gap->cause]++;
			if (gap->cpu < CPUS_MAX)
				cpus_add(&period->cpus, gap->cpu);
		}
	}
	period->cause = most_common(causes);
	qsort(events, count, sizeof(*events), compare_lengths);
	period->duration_ns = events[count / 2]->duration_ns;
}

/* Takes the events on a tooth out of the picked ones, into the period. */
static void keep(struct view *view, const struct period_comb *comb)
{
	struct hwlat_analysis *analysis = view->analysis;
	struct hwlat_period *period = &analysis->periods[analysis->period_count++];
	struct hwlat_event **picked = view->picked;
	size_t used = 0;

	for (size_t i = 0; i < view->in.count; i++) {
		if (!period_on_tooth(comb, picked[i]->start_ns))
			continue;
		picked[i]->period = analysis->period_count;
		picked[used++] = picked[i];
	}
	*period = (struct hwlat_period){
		.period_ns = (uint64_t)llround(comb->period_ns),
		.error_ns = (uint64_t)ceil(comb->error_ns),
		.jitter_ns = (uint64_t)llround(comb->jitter_ns),
		.seen = comb->hits,
		.missing = comb->missing,
		.of = analysis->events,
		.confidence = comb->score,
		.chance = comb->chance,
	};
	describe(period, picked, used);
}

/* Looks at the picked events, which are in the order of time. */
static void look(struct view *view, size_t count)
{
	struct period_comb comb;

	view->in.count = count < SIGHTINGS_MAX ? count : SIGHTINGS_MAX;
	for (size_t i = 0; i < view->in.count; i++)
		view->at_ns[i] = view->picked[i]->start_ns;
	if (view->analysis->period_count < HWLAT_PERIODS_MAX &&
	    period_find(&view->in, view->tests, &comb))
		keep(view, &comb);
}

/* --- which sightings --------------------------------------------------------------------------- */

static size_t pick(struct view *view)
{
	size_t count = 0;

	for (size_t i = 0; i < view->events->count; i++)
		if (!view->events->at[i].period && hwlat_event_on(&view->events->at[i], view->cpu))
			view->picked[count++] = &view->events->at[i];
	return count;
}

static void look_at_lengths(struct view *view, struct hwlat_event **by_length, size_t count)
{
	size_t first = 0;

	qsort(by_length, count, sizeof(*by_length), compare_lengths);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && (double)by_length[i]->duration_ns <=
					 (double)by_length[i - 1]->duration_ns * LENGTH_STEP)
			continue;
		if (i - first >= PERIOD_SIGHTINGS_MIN && i - first < count) {
			for (size_t k = first; k < i; k++)
				view->picked[k - first] = by_length[k];
			qsort(view->picked, i - first, sizeof(*view->picked), compare_times);
			look(view, i - first);
		}
		first = i;
	}
}

static int look_at_all(struct view *view)
{
	size_t count = pick(view);
	struct hwlat_event **by_length;

	look(view, count);
	count = pick(view);
	by_length = calloc(count + 1, sizeof(*by_length));
	if (!by_length)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		by_length[i] = view->picked[i];
	look_at_lengths(view, by_length, count);
	free(by_length);
	return 0;
}

/* --- how it was watched ------------------------------------------------------------------------ */

/* Without windows the settings have to say how much was watched. */
static void set_duty(struct view *view)
{
	const struct hwlat_records *records = view->records;
	const int cpus = (int)cpus_count(records->cpus);
	const bool in_turn = records->mode == HWLAT_ROUND_ROBIN;

	view->in.cycles = in_turn && cpus > 1 ? (unsigned int)cpus : 1;
	view->in.cycle_ns = (double)records->window_us * 1000;
	view->in.duty =
		records->window_us ? (double)records->width_us / (double)records->window_us : 1;
	if (view->cpu >= 0 && in_turn && cpus > 1)
		view->in.duty /= cpus;
}

static double duty_of(const struct period_spell *spells, size_t count)
{
	double watched = 0;

	for (size_t i = 0; i < count; i++)
		watched += (double)(spells[i].end_ns - spells[i].start_ns);
	return watched / (double)(spells[count - 1].end_ns - spells[0].start_ns);
}

static int look_on_cpu(struct view *view, int cpu)
{
	struct period_spell *spells;
	int err;

	view->cpu = cpu;
	err = hwlat_spells_make(&spells, &view->in.spell_count, view->records, cpu);
	if (err)
		return err;
	view->in.spells = spells;
	set_duty(view);
	if (view->in.spell_count)
		view->in.duty = duty_of(spells, view->in.spell_count);
	if (!(view->in.duty > 0) || view->in.duty > 1)
		view->in.duty = 1;
	err = look_at_all(view);
	free(spells);
	return err;
}

static int look_everywhere(struct view *view)
{
	const struct cpus *cpus = view->records->cpus;
	int err = look_on_cpu(view, -1);

	if (cpus_count(cpus) < 2)
		return err;
	for (int cpu = cpus_next(cpus, -1); !err && cpu >= 0; cpu = cpus_next(cpus, cpu))
		err = look_on_cpu(view, cpu);
	return err;
}

static int compare_seen(const void *a, const void *b)
{
	const struct hwlat_period *x = a, *y = b;

	return (y->seen > x->seen) - (y->seen < x->seen);
}

int hwlat_periods_find(struct hwlat_events *events, const struct hwlat_records *records,
		       struct hwlat_analysis *analysis)
{
	struct view view = {
		.events = events,
		.records = records,
		.analysis = analysis,
		.tests = 2 * ((unsigned int)cpus_count(records->cpus) + 1),
		.picked = calloc(events->count + 1, sizeof(*view.picked)),
		.at_ns = calloc(SIGHTINGS_MAX, sizeof(*view.at_ns)),
	};
	int err = -ENOMEM;

	view.in.at_ns = view.at_ns;
	if (view.picked && view.at_ns)
		err = look_everywhere(&view);
	free(view.picked);
	free(view.at_ns);
	qsort(analysis->periods, analysis->period_count, sizeof(analysis->periods[0]),
	      compare_seen);
	return err;
}
