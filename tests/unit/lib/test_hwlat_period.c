// SPDX-License-Identifier: MIT
/*
 * Periods of simulated sources, seen through windows. Each row is a thousand seeds and prints how many
 * periods were found, how many of them wrong, and how many where there was none. The seeds are fixed, so the
 * figures are the same on every machine.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/hwlat_period.h"
#include "tests/tap.h"

#define SECOND 1e9
#define SIGHTINGS_MAX 512
#define SPELLS_MAX 16384

static int64_t sightings[SIGHTINGS_MAX];
static struct period_spell spells[SPELLS_MAX];
static struct period_input input = { .at_ns = sightings, .spells = spells };
static uint64_t state;

/* splitmix64 */
static double uniform(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* How far a strike is from its time, as a share of what the row allows. */
static double deviation(bool normal)
{
	if (!normal)
		return 2 * uniform() - 1;
	return sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
}

/*
 * struct row - a source, how it is watched, and what is asked of the finder
 * @period_min, @period_max: s, drawn evenly; of random arrivals the mean distance
 * @jitter_min, @jitter_max: how far a strike may be from its time, as a share of the period
 * @normal: that is a standard deviation, so that a third of the strikes is farther off
 * @width, @cycle: s, the windows
 * @varies: the pause varies by that share, half of it up and half of it down
 * @run: s, or 0: until there are @sightings
 * @random: there is no period
 * @blind: nobody knows when the windows were
 * @seeds: how many runs
 * @right, @wrong: at least and at most so many of a hundred
 */
struct row {
	const char *name;
	double period_min, period_max;
	double jitter_min, jitter_max;
	double width, cycle, varies;
	double run;
	unsigned int sightings;
	bool random, blind, normal;
	unsigned int seeds;
	double right, wrong;
};

/* What the row's thousand seeds came to. */
struct rates {
	unsigned int found, right, wrong;
};

static void make_windows(const struct row *row, double until)
{
	double start = uniform() * row->cycle;

	input.spell_count = 0;
	while (start < until && input.spell_count < SPELLS_MAX) {
		spells[input.spell_count++] = (struct period_spell){
			(int64_t)(start * SECOND),
			(int64_t)((start + row->width) * SECOND),
		};
		start += row->cycle + (row->cycle - row->width) * row->varies * (uniform() - 0.5);
	}
}

static bool watched(double time)
{
	for (size_t i = 0; i < input.spell_count; i++)
		if (time >= (double)spells[i].start_ns && time < (double)spells[i].end_ns)
			return true;
	return false;
}

static int compare_times(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* One try: leaves what is seen of a source of that period. */
static void make_source(const struct row *row, double period, double jitter)
{
	const double expected =
		row->run ? row->run : row->sightings * period * row->cycle / row->width;
	const double run = row->run ? row->run : expected * 4;
	const size_t most = row->run ? SIGHTINGS_MAX : row->sightings;
	double next = uniform() * period;

	make_windows(row, run);
	input.count = 0;
	while (next < run && input.count < most) {
		const double at =
			(next + (row->random ? 0 : deviation(row->normal) * jitter * period)) *
			SECOND;

		if (watched(at))
			sightings[input.count++] = (int64_t)at;
		next += row->random ? -log(1 - uniform()) * period : period;
	}
	qsort(sightings, input.count, sizeof(sightings[0]), compare_times);
	while (!row->run && input.spell_count && input.count &&
	       spells[input.spell_count - 1].start_ns > sightings[input.count - 1])
		input.spell_count--;
}

/* Sources that the windows hide are drawn again. Leaves the period in seconds. */
static double draw(const struct row *row)
{
	double period;

	do {
		period = row->period_min + uniform() * (row->period_max - row->period_min);
		make_source(row, period,
			    row->jitter_min + uniform() * (row->jitter_max - row->jitter_min));
	} while (input.count < (row->run ? 5 : row->sightings));
	return period;
}

static void count(const struct row *row, double period, struct rates *rates)
{
	struct period_comb comb;

	if (!period_find(&input, 1, &comb))
		return;
	if (!row->random && fabs(comb.period_ns / SECOND / period - 1) < 0.01)
		rates->right++;
	else
		rates->wrong++;
}

static void run_row(const struct row *row)
{
	struct rates rates = { 0 };
	double right, wrong;

	for (unsigned int seed = 1; seed <= row->seeds; seed++) {
		double period;

		state = seed * 1000003;
		period = draw(row);
		input.duty = row->width / row->cycle;
		input.cycle_ns = row->cycle * SECOND;
		input.cycles = 1;
		if (row->blind)
			input.spell_count = 0;
		count(row, period, &rates);
	}
	right = rates.right * 100.0 / row->seeds;
	wrong = rates.wrong * 100.0 / row->seeds;
	printf("# %s, %u seeds: found %.1f %%, %s %.1f %%\n", row->name, row->seeds, right,
	       row->random ? "false" : "wrong", wrong);
	CHECK(right >= row->right);
	CHECK(wrong <= row->wrong);
}

/* As the tracer has them: windows of half a second, which a kernel's ticks make 1.024 s apart. */
#define REGULAR .width = 0.512, .cycle = 1.024
/* As the module has them. */
#define VARIED .width = 0.5, .cycle = 1, .varies = 0.5
#define LITTLE .width = 0.05, .cycle = 1, .varies = 0.5
#define PERIODS .period_min = 0.6, .period_max = 7.3
#define MINUTE .period_min = 60, .period_max = 60, .run = 1800

static void test_periods(void)
{
	static const struct row rows[] = {
		{ "regular windows, jitter to 2 %", PERIODS, REGULAR, .jitter_max = 0.02,
		  .sightings = 20, .seeds = 1000, .right = 98, .wrong = 0.2 },
		{ "varied windows, jitter to 2 %", PERIODS, VARIED, .jitter_max = 0.02,
		  .sightings = 20, .seeds = 1000, .right = 99.5, .wrong = 0.1 },
		{ "unknown windows, jitter to 2 %", PERIODS, REGULAR, .jitter_max = 0.02,
		  .sightings = 20, .blind = true, .seeds = 300, .right = 97.5, .wrong = 2 },
		{ "varied windows, deviation to 2 %", PERIODS, VARIED, .jitter_max = 0.02,
		  .normal = true, .sightings = 20, .seeds = 300, .right = 98.5, .wrong = 0.7 },
		{ "a minute in half an hour", MINUTE, REGULAR, .jitter_max = 0.02, .seeds = 300,
		  .right = 98, .wrong = 0.5 },
		{ "5 % watched, jitter 0.05 %", PERIODS, LITTLE, .jitter_min = 0.0005,
		  .jitter_max = 0.0005, .sightings = 20, .seeds = 300, .right = 99, .wrong = 0.5 },
		{ "5 % watched, jitter 1 %", PERIODS, LITTLE, .jitter_min = 0.01,
		  .jitter_max = 0.01, .sightings = 20, .seeds = 300, .right = 99, .wrong = 0.5 },
		{ "5 % watched, jitter 2 %", PERIODS, LITTLE, .jitter_min = 0.02,
		  .jitter_max = 0.02, .sightings = 20, .seeds = 300, .right = 99, .wrong = 0.5 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run_row(&rows[i]);
}

static void test_random_arrivals(void)
{
	static const struct row rows[] = {
		{ "random, regular windows", PERIODS, REGULAR, .random = true, .sightings = 20,
		  .seeds = 1000 },
		{ "random, varied windows", PERIODS, VARIED, .random = true, .sightings = 20,
		  .seeds = 1000 },
		{ "random, unknown windows", PERIODS, REGULAR, .random = true, .sightings = 20,
		  .blind = true, .seeds = 1000 },
		{ "random, 5 % watched", PERIODS, LITTLE, .random = true, .sightings = 20,
		  .seeds = 300 },
		{ "random, many", .period_min = 0.1, .period_max = 3, REGULAR, .random = true,
		  .sightings = 200, .seeds = 300 },
		{ "random, few", PERIODS, VARIED, .random = true, .sightings = 6, .seeds = 1000 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		run_row(&rows[i]);
}

/* What happens at the same place of every window is made by the watching. */
static void test_own_rhythm(void)
{
	struct period_comb comb;

	state = 1;
	input.spell_count = input.count = 0;
	input.duty = 0.5;
	for (size_t i = 0; i < 40; i++) {
		const int64_t start = (int64_t)i * 1000000000;

		spells[input.spell_count++] = (struct period_spell){ start, start + 500000000 };
		sightings[input.count++] = start + 1000 + (int64_t)(uniform() * 1000);
	}
	CHECK(!period_find(&input, 1, &comb));
	/* One CPU of four, whose windows come every fourth cycle. */
	for (size_t i = 0; i < 40; i++) {
		spells[i].start_ns *= 4;
		spells[i].end_ns = spells[i].start_ns + 500000000;
		sightings[i] = spells[i].start_ns + 100000000;
	}
	CHECK(!period_find(&input, 1, &comb));
	/* Without windows the cycle has to do. */
	input.spell_count = 0;
	input.cycle_ns = SECOND;
	input.cycles = 4;
	CHECK(!period_find(&input, 1, &comb));
}

static void test_too_few(void)
{
	struct period_comb comb;

	input.spell_count = 1;
	spells[0] = (struct period_spell){ 0, 100000000000 };
	for (size_t i = 0; i < 5; i++)
		sightings[i] = 1000000000 + (int64_t)i * 20000000000;
	for (input.count = 0; input.count < PERIOD_SIGHTINGS_MIN; input.count++)
		CHECK(!period_find(&input, 1, &comb));
	REQUIRE(period_find(&input, 1, &comb));
	CHECK_EQ(comb.period_ns, 20000000000);
	CHECK_EQ(comb.hits, 5);
	CHECK_EQ(comb.missing, 0);
	CHECK(comb.error_ns < 1000);
	CHECK(period_on_tooth(&comb, 121000000000) && !period_on_tooth(&comb, 111000000000));
}

/* All at once, in an empty spell, at the ends of time: no answer, and no trouble. */
static void test_absurd(void)
{
	struct period_comb comb;

	input.spell_count = 1;
	spells[0] = (struct period_spell){ 5, 5 };
	input.count = 20;
	for (size_t i = 0; i < 20; i++)
		sightings[i] = 5;
	CHECK(!period_find(&input, 1, &comb));
	for (size_t i = 0; i < 20; i++)
		sightings[i] = i < 10 ? INT64_MIN / 4 : INT64_MAX / 4;
	CHECK(!period_find(&input, 1, &comb));
	input.spell_count = 0;
	CHECK(!period_find(&input, 1, &comb));
}

int main(void)
{
	TAP_RUN(test_periods);
	TAP_RUN(test_random_arrivals);
	TAP_RUN(test_own_rhythm);
	TAP_RUN(test_too_few);
	TAP_RUN(test_absurd);
	return tap_done();
}
