// SPDX-License-Identifier: MIT
/* How well a comb and the sightings agree, and what watched time has to do with it. */
#include <math.h>
#include <stdlib.h>

#include "lib/hwlat_period.h"

/* A kernel that sleeps in whole ticks makes a cycle longer than it was told, by up to this. */
#define CYCLE_STRETCH 0.03
/* Sightings this close to one place in their stretch of watching are bound to it. */
#define PINNED_SHARE 0.05
#define PINNED_PART 0.8
/* No clock at hand is better than that, however little the strikes jitter. */
#define CLOCK_NS 1000
/* How many standard deviations more than expected are too many. */
#define EXCESS_SPREADS 3
#define DEFICIT_SPREADS 1

static double tooth_of(const struct period_comb *comb, int64_t at_ns)
{
	return round(((double)at_ns - comb->phase_ns) / comb->period_ns);
}

/* The last spell that starts at or before @time, or NULL. */
static const struct period_spell *spell_of(const struct period_input *in, double time)
{
	size_t low = 0, high = in->spell_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if ((double)in->spells[middle].start_ns <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &in->spells[low - 1] : NULL;
}

/* A tooth this far inside is seen if it is there, late or early. */
static bool well_inside(const struct period_input *in, const struct period_comb *comb, double tooth)
{
	const double time = comb->phase_ns + tooth * comb->period_ns;
	const struct period_spell *spell = spell_of(in, time - comb->tolerance_ns);

	return spell && time + comb->tolerance_ns <= (double)spell->end_ns;
}

/* How many teeth lie well inside watched time, struck or not. */
static double teeth_inside(const struct period_input *in, const struct period_comb *comb)
{
	double sum = 0;

	for (size_t i = 0; i < in->spell_count; i++) {
		const double from = (double)in->spells[i].start_ns + comb->tolerance_ns;
		const double to = (double)in->spells[i].end_ns - comb->tolerance_ns;
		const double first = ceil((from - comb->phase_ns) / comb->period_ns);
		const double last = floor((to - comb->phase_ns) / comb->period_ns);

		if (last >= first)
			sum += last - first + 1;
	}
	return sum;
}

/* Time on teeth of @half_width from the phase to @time; negative before it. */
static double on_teeth(const struct period_comb *comb, double half_width, double time)
{
	const double y = time - comb->phase_ns + half_width;
	const double whole = floor(y / comb->period_ns);

	return whole * 2 * half_width + fmin(y - whole * comb->period_ns, 2 * half_width);
}

static double watched_on_teeth(const struct period_input *in, const struct period_comb *comb,
			       double half_width)
{
	double sum = 0;

	for (size_t i = 0; i < in->spell_count; i++)
		sum += on_teeth(comb, half_width, (double)in->spells[i].end_ns) -
		       on_teeth(comb, half_width, (double)in->spells[i].start_ns);
	return sum;
}

/* With the jitter at hand a tooth is as wide as an even distribution of that spread. */
static double half_width_of(const struct period_comb *comb)
{
	return fmax(comb->jitter_ns * sqrt(3), CLOCK_NS);
}

/*
 * How many strikes should have been seen; without spells nobody knows which teeth were watched, but how
 * many.
 */
static double expected(const struct period_input *in, const struct period_comb *comb)
{
	const double span = (double)(in->at_ns[in->count - 1] - in->at_ns[0]);
	const double half_width = half_width_of(comb);

	if (!in->spell_count)
		return (span / comb->period_ns + 1) * in->duty;
	return watched_on_teeth(in, comb, half_width) / (2 * half_width);
}

/* More than a source of that period can have shown. Without spells it may always have been seen. */
static bool is_too_much(const struct period_input *in, double hits, double should)
{
	if (!in->spell_count)
		return hits > should / in->duty + 1;
	return hits > should + EXCESS_SPREADS * sqrt(should) + 1;
}

void period_score(const struct period_input *in, struct period_comb *comb)
{
	double last = NAN, struck = 0, missing, should, off;

	comb->hits = 0;
	for (size_t i = 0; i < in->count; i++) {
		const double tooth = tooth_of(comb, in->at_ns[i]);

		if (!period_on_tooth(comb, in->at_ns[i]) || tooth == last)
			continue;
		last = tooth;
		comb->hits++;
		struck += well_inside(in, comb, tooth);
	}
	off = (double)(in->count - comb->hits);
	comb->score = 0;
	/* Counting teeth is the costly part, and cannot help any more. */
	if (!comb->hits || (double)comb->hits < 2 * off)
		return;
	should = expected(in, comb);
	if (is_too_much(in, (double)comb->hits, should))
		return;
	comb->likelihood = -should - (double)comb->hits * log(2 * half_width_of(comb));
	missing = fmax(0, should - DEFICIT_SPREADS * sqrt(should) - (double)comb->hits);
	if (in->spell_count)
		missing = fmax(missing, teeth_inside(in, comb) - struck);
	comb->missing = (size_t)missing;
	comb->score = 2 * (double)comb->hits / (2 * (double)comb->hits + off + missing);
}

double period_exposure(const struct period_input *in, const struct period_comb *comb)
{
	double watched = 0;

	if (!in->spell_count)
		return fmin(1, 2 * comb->tolerance_ns / comb->period_ns / in->duty);
	for (size_t i = 0; i < in->spell_count; i++)
		watched += (double)(in->spells[i].end_ns - in->spells[i].start_ns);
	return watched > 0 ? watched_on_teeth(in, comb, comb->tolerance_ns) / watched : 1;
}

static bool is_cycle(const struct period_input *in, const struct period_comb *comb)
{
	for (unsigned int n = 1; n <= in->cycles; n++)
		if (comb->period_ns >= n * in->cycle_ns * (1 - CYCLE_STRETCH / 3) &&
		    comb->period_ns <= n * in->cycle_ns * (1 + CYCLE_STRETCH))
			return true;
	return false;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* From the start of its spell to a sighting, for each of them that is on a tooth. */
static size_t places_in_spells(const struct period_input *in, const struct period_comb *comb,
			       double *places)
{
	size_t used = 0;

	for (size_t i = 0; i < in->count; i++) {
		const struct period_spell *spell = spell_of(in, (double)in->at_ns[i]);

		if (spell && period_on_tooth(comb, in->at_ns[i]))
			places[used++] = (double)(in->at_ns[i] - spell->start_ns);
	}
	qsort(places, used, sizeof(*places), compare_doubles);
	return used;
}

bool period_is_own_rhythm(const struct period_input *in, const struct period_comb *comb)
{
	double *places, length, middle;
	size_t used, close = 0;

	if (!in->spell_count)
		return is_cycle(in, comb);
	places = calloc(in->count, sizeof(*places));
	if (!places)
		return true;
	used = places_in_spells(in, comb, places);
	length = (double)(in->spells[0].end_ns - in->spells[0].start_ns);
	middle = used ? places[used / 2] : 0;
	for (size_t i = 0; i < used; i++)
		close += fabs(places[i] - middle) <= length * PINNED_SHARE;
	free(places);
	return (double)close >= PINNED_PART * (double)used;
}
