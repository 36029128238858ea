// SPDX-License-Identifier: MIT
/*
 * The kernel's own zero: where CLOCK_MONOTONIC started, on the counter that firmware used. Both
 * are read together; the kernel's side is the clock that no time daemon corrects.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lib/boot_counter.h"
#include "lib/boot_source.h"

#define SAMPLES 32

/* A zero that is known less well than this explains nothing. */
#define UNSURE_NS 100000000

/* Clocks that differ by more than this show that the machine has slept. */
#define SLEPT_NS 10000000

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int64_t to_ns(const struct counter_rate *rate, uint64_t ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * rate->mult >> rate->shift;

	return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

/* The counter minus the clock, from the pair of clock reads that enclose it most tightly. */
static int64_t difference(const struct counter_rate *rate)
{
	int64_t best = INT64_MAX, result = 0, before, after;
	uint64_t ticks;

	for (int i = 0; i < SAMPLES; i++) {
		before = clock_ns(CLOCK_MONOTONIC_RAW);
		ticks = counter_now();
		after = clock_ns(CLOCK_MONOTONIC_RAW);
		if (after - before >= best)
			continue;
		best = after - before;
		result = to_ns(rate, ticks) - (before + best / 2);
	}
	return result;
}

/* How far off the kernel's zero may be: the rate's error over all that was counted. */
static int64_t unsure_ns(const struct counter_rate *rate)
{
	return (int64_t)((__int128)to_ns(rate, counter_now()) * rate->ppb / 1000000000);
}

/* Finds the kernel's zero, or says why it cannot be known. */
static void find_zero(struct hadal_counter *counter, const struct counter_rate *rate)
{
	int64_t unsure = unsure_ns(rate);

	counter->zero_ns = difference(rate);
	counter->has_zero = counter->zero_ns >= 0 && unsure <= UNSURE_NS;
	if (counter->zero_ns < 0)
		snprintf(counter->why, sizeof(counter->why),
			 "the counter was reset after the kernel had started");
	else if (unsure > UNSURE_NS)
		snprintf(counter->why, sizeof(counter->why),
			 "the counter has run for so long that the kernel's start on it, by %s, "
			 "may be %" PRId64 " ms off",
			 rate->from, unsure / 1000000);
}

void hadal_counter_read(struct hadal_counter *counter)
{
	struct counter_rate rate;

	*counter = (struct hadal_counter){ .khz_from = "unknown" };
	if (!counter_readable()) {
		snprintf(counter->why, sizeof(counter->why),
			 "this CPU's counter cannot be read by programs");
		return;
	}
	counter_find_rate(&rate);
	counter->khz = rate.khz;
	counter->khz_from = rate.from;
	if (!rate.khz)
		snprintf(counter->why, sizeof(counter->why),
			 "nobody knows how fast this CPU's counter runs");
	else if (clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC) > SLEPT_NS)
		snprintf(counter->why, sizeof(counter->why),
			 "the machine was suspended since it booted, and its counter may have "
			 "stopped or restarted");
	else
		find_zero(counter, &rate);
}

static void *kernel_open(const struct boot_tree *tree, struct finding *finding)
{
	struct hadal_counter *counter = malloc(sizeof(*counter));

	if (!counter)
		return boot_source_no_memory(finding);
	if (boot_tree_is_live(tree)) {
		hadal_counter_read(counter);
		return counter;
	}
	free(counter);
	finding_set(finding, FINDING_ABSENT, "Run hadal on that machine.",
		    "the counter of the machine that --root belongs to cannot be read here");
	return NULL;
}

/* Its span reaches from where others end, so hadal_boot_relate() adds it. */
static int kernel_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct hadal_counter *counter = state;

	(void)boot;
	if (counter->has_zero)
		finding_set(finding, FINDING_READY, NULL,
			    "the kernel started %" PRId64 ".%03" PRId64
			    " s after the counter's zero (%u kHz, from %s)",
			    counter->zero_ns / 1000000000, counter->zero_ns / 1000000 % 1000,
			    counter->khz, counter->khz_from);
	else
		finding_set(
			finding, FINDING_BLOCKED,
			"After a cold boot, or where the kernel's perf events may be used, it may "
			"be known.",
			"%s", counter->why);
	return counter->has_zero;
}

const struct boot_source boot_source_kernel = {
	.name = "kernel",
	.open = kernel_open,
	.read = kernel_read,
	.close = free,
};
