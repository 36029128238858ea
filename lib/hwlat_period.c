// SPDX-License-Identifier: MIT
/* Looks for a period: many combs, each from two sightings, and the best of them against chance. */
#include <math.h>

#include "lib/hwlat_period.h"

/* A pair of sightings may have unseen strikes between its two: the more, the less is watched. */
#define STEPS_MIN 12
#define STEPS_MAX 120
#define STEPS_BY_DUTY 6
#define NEIGHBOURS 3
/* Pairs to start from, spread over the run. */
#define PAIRS_MAX 256

/* A comb counts if no more than this share is wrong, and chance makes as good a one so seldom. */
#define SCORE_MIN 0.8
#define CHANCE_MAX 1e-3

/* Scores this close are equal. */
#define SCORE_EQUAL 0.02
#define LIKELIHOOD_EQUAL 2

/* Periods this close are the same. */
#define SAME_PERIOD 0.01
#define KNOWN_PERIOD 1e-6
#define SHORTLIST 16

/* The tolerance follows the sightings, which is as good as trying that many. */
#define TOLERANCES 4

/* The probability of @least or more successes in @n trials of probability @p. */
static double binomial_tail(size_t n, size_t least, double p)
{
	const double odds = log(p) - log1p(-p);
	double sum = 0;

	if (least == 0 || p >= 1)
		return 1;
	for (size_t k = least; k <= n; k++)
		sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
			   lgamma((double)(n - k) + 1) + (double)k * odds + (double)n * log1p(-p));
	return fmin(sum, 1);
}

static size_t pair_step(const struct period_input *in)
{
	return in->count * NEIGHBOURS / PAIRS_MAX + 1;
}

static unsigned int steps_of(const struct period_input *in)
{
	return (unsigned int)fmin(fmax(STEPS_BY_DUTY / in->duty, STEPS_MIN), STEPS_MAX);
}

/* How probable it is that one of all the combs is as good by chance: two of its hits are given. */
static double chance_of(const struct period_input *in, const struct period_comb *comb,
			unsigned int tests)
{
	const size_t pairs = (in->count / pair_step(in) + 1) * NEIGHBOURS;
	const double tried = (double)pairs * steps_of(in) * TOLERANCES * tests;
	const double exposure = period_exposure(in, comb);

	if (comb->hits < 3)
		return 1;
	return fmin(1, tried * binomial_tail(in->count - 2, comb->hits - 2, exposure));
}

/* struct shortlist - the combs that count, each period once */
struct shortlist {
	struct period_comb at[SHORTLIST];
	size_t count;
};

static bool same_period(const struct period_comb *a, const struct period_comb *b)
{
	return fabs(a->period_ns / b->period_ns - 1) < SAME_PERIOD;
}

/* The one with that period, a new one, or the worst. */
static struct period_comb *place_for(struct shortlist *list, const struct period_comb *comb)
{
	struct period_comb *worst = list->at;

	for (size_t i = 0; i < list->count; i++) {
		if (same_period(&list->at[i], comb))
			return &list->at[i];
		if (list->at[i].score < worst->score)
			worst = &list->at[i];
	}
	if (list->count == SHORTLIST)
		return worst;
	list->at[list->count] = (struct period_comb){ 0 };
	return &list->at[list->count++];
}

/* Nearly every pair leads to the comb that is there. */
static bool is_known(const struct shortlist *list, const struct period_comb *comb)
{
	for (size_t i = 0; i < list->count; i++)
		if (fabs(list->at[i].period_ns / comb->period_ns - 1) < KNOWN_PERIOD)
			return true;
	return false;
}

static void try_comb(const struct period_input *in, struct period_comb *comb, unsigned int tests,
		     struct shortlist *list)
{
	struct period_comb *place;

	if (is_known(list, comb))
		return;
	period_score(in, comb);
	if (comb->score < SCORE_MIN)
		return;
	comb->chance = chance_of(in, comb, tests);
	if (comb->chance >= CHANCE_MAX)
		return;
	place = place_for(list, comb);
	if (comb->score > place->score)
		*place = *comb;
}

static const struct period_comb *choose(const struct shortlist *list)
{
	const struct period_comb *best = NULL;
	double most = 0;

	for (size_t i = 0; i < list->count; i++)
		most = fmax(most, list->at[i].score);
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i].score >= most - SCORE_EQUAL &&
		    (!best || list->at[i].likelihood > best->likelihood))
			best = &list->at[i];
	return best;
}

/*
 * Regular windows may see sources of different periods at the very same times, such as one that is locked
 * to them and another of half its period, every other strike of which they never see.
 */
static bool has_rival(const struct shortlist *list, const struct period_comb *best)
{
	for (size_t i = 0; i < list->count; i++)
		if (&list->at[i] != best && list->at[i].score >= best->score - SCORE_EQUAL / 4 &&
		    list->at[i].likelihood > best->likelihood - LIKELIHOOD_EQUAL)
			return true;
	return false;
}

bool period_find(const struct period_input *in, unsigned int tests, struct period_comb *comb)
{
	struct shortlist list = { .count = 0 };
	const struct period_comb *best;

	if (in->count < PERIOD_SIGHTINGS_MIN)
		return false;
	for (size_t i = 0; i + 1 < in->count; i += pair_step(in))
		for (size_t j = i + 1; j <= i + NEIGHBOURS && j < in->count; j++)
			for (unsigned int k = 1; k <= steps_of(in); k++)
				if (in->at_ns[j] > in->at_ns[i] && period_fit(in, i, j, k, comb))
					try_comb(in, comb, tests, &list);
	best = choose(&list);
	if (!best || has_rival(&list, best) || period_is_own_rhythm(in, best))
		return false;
	*comb = *best;
	return true;
}
