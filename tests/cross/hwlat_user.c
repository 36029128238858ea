// SPDX-License-Identifier: MIT
/*
 * The back end "user" on another machine: it opens, watches with that machine's own counter, and tells
 * windows and gaps that can be. Prints TAP.
 */
#include <string.h>
#include <time.h>

#include "lib/hwlat_user.h"
#include "lib/port/counter.h"
#include "tests/tap.h"

#define THRESHOLD_US 1000

static uint64_t started_ns, last_ns, windows, gaps, bad_windows, bad_gaps;

static bool in_run(int64_t start_ns, uint64_t duration_ns)
{
	if ((uint64_t)start_ns + duration_ns > last_ns)
		last_ns = (uint64_t)start_ns + duration_ns;
	return (uint64_t)start_ns >= started_ns;
}

static void take_gap(void *context, const struct hwlat_gap *gap)
{
	(void)context;
	gaps++;
	if (gap->duration_ns <= THRESHOLD_US * 1000 || gap->backward ||
	    !in_run(gap->start_ns, gap->duration_ns))
		bad_gaps++;
}

static void take_window(void *context, const struct hwlat_window *window)
{
	(void)context;
	windows++;
	if (!window->duration_ns || window->watched_ns > window->duration_ns ||
	    !in_run(window->start_ns, window->duration_ns))
		bad_windows++;
}

/*
 * The counter and the kernel's clock over a stretch: the counter is read between two reads of the clock at
 * both ends, so its stretch is longer than the inner one and shorter than the outer one.
 */
static void test_rate(void)
{
	const struct timespec pause = { .tv_nsec = 200000000 };
	uint64_t first, inner_start, inner_end, last, ticks, ns;
	struct user_run run = { 0 };

	counter_find_rate(&run.rate);
	printf("# counter " PORT_COUNTER_NAME " at %u kHz, from %s\n", run.rate.khz, run.rate.from);
	REQUIRE(run.rate.khz > 0);
	first = hwlat_now_ns();
	ticks = port_counter();
	inner_start = hwlat_now_ns();
	nanosleep(&pause, NULL);
	inner_end = hwlat_now_ns();
	ticks = port_counter() - ticks;
	last = hwlat_now_ns();
	ns = user_ns(&run, ticks);
	CHECK(ns + ns / 1000 >= inner_end - inner_start);
	CHECK(ns - ns / 1000 <= last - first);
}

/* For as long as two windows take, however long the host lets this machine wait. */
static int watch(void *state, struct hwlat_facts *facts)
{
	const struct hwlat_sink sink = { take_gap, take_window, NULL, NULL };
	const struct timespec pause = { .tv_nsec = 100000000 };
	int err;

	started_ns = hwlat_now_ns();
	err = hwlat_user.start(state, 0);
	while (!err && windows < 2) {
		nanosleep(&pause, NULL);
		err = hwlat_user.read(state, &sink);
	}
	return err ? err : hwlat_user.stop(state, &sink, facts);
}

static struct hwlat_config config(uint64_t threshold_us)
{
	struct hwlat_config asked = {
		.width_us = 300000,
		.window_us = 400000,
		.threshold_us = threshold_us,
		.mode = HWLAT_PER_CPU,
		.all = true,
	};
	struct cpus allowed;

	if (!cpus_read(&allowed, "online"))
		cpus_add(&asked.cpus, (unsigned int)cpus_next(&allowed, -1));
	return asked;
}

static void test_run(void)
{
	const struct hwlat_config asked = config(THRESHOLD_US);
	struct hwlat_facts facts = { 0 };
	struct finding why = { 0 };
	void *state = NULL;

	CHECK_EQ(hwlat_user.open(&state, &asked, &why), 0);
	printf("# %s\n", why.reason);
	REQUIRE(state);
	CHECK_EQ(watch(state, &facts), 0);
	hwlat_user.close(state);
	printf("# floor %llu ns, %llu windows, %llu gaps\n", (unsigned long long)facts.floor_ns,
	       (unsigned long long)windows, (unsigned long long)gaps);
	CHECK(!facts.os_clock);
	CHECK_EQ(facts.kernel.told, HWLAT_TOLD_COUNTERS);
	CHECK(facts.floor_ns > 0);
	CHECK(windows > 0);
	CHECK_EQ(bad_windows, 0);
	CHECK_EQ(bad_gaps, 0);
	/* The counter's rate is good to one in a thousand at least. */
	CHECK(last_ns <= hwlat_now_ns() + 1000000);
}

static void test_threshold_below_the_floor(void)
{
	const struct hwlat_config asked = config(0);
	struct finding why = { 0 };
	void *state = NULL;

	CHECK(hwlat_user.open(&state, &asked, &why) < 0);
	CHECK(!state);
	CHECK(strstr(why.reason, "the loop itself"));
	CHECK(strstr(why.next, "--threshold="));
}

int main(void)
{
	TAP_RUN(test_rate);
	TAP_RUN(test_run);
	TAP_RUN(test_threshold_below_the_floor);
	return tap_done();
}
