// SPDX-License-Identifier: MIT
/* What gaps say together: exact intervals, gaps of several CPUs joined, sources of one CPU and of all. */
#include <math.h>
#include <string.h>

#include "hadal/hwlat_analysis.h"
#include "tests/tap.h"

#define MS 1000000

static struct hwlat_gap gaps[256];
static struct hwlat_window windows[256];
static struct cpus cpus;
static struct hwlat_records records = { .gaps = gaps, .windows = windows, .cpus = &cpus };
static struct hwlat_analysis analysis;

static void begin(unsigned int cpu_count)
{
	memset(&cpus, 0, sizeof(cpus));
	for (unsigned int i = 0; i < cpu_count; i++)
		cpus_add(&cpus, i);
	records.gap_count = records.window_count = 0;
	records.mode = HWLAT_PER_CPU;
}

static void add_gap(uint32_t cpu, int64_t start, uint64_t duration)
{
	gaps[records.gap_count++] = (struct hwlat_gap){
		.cpu = cpu,
		.start_ns = start,
		.duration_ns = duration,
		.cause = HWLAT_SMI,
		.count = 1,
	};
}

static void add_window(uint32_t cpu, int64_t start, uint64_t duration)
{
	windows[records.window_count++] = (struct hwlat_window){
		.cpu = cpu,
		.start_ns = start,
		.duration_ns = duration,
		.watched_ns = duration,
	};
}

static bool near(double have, double want)
{
	return fabs(have - want) < 0.001;
}

/* Chi-square quantiles over two, from tables. */
static void test_poisson_interval(void)
{
	double least, most;

	hwlat_poisson_interval(0, &least, &most);
	CHECK(near(least, 0) && near(most, 2.9957));
	hwlat_poisson_interval(1, &least, &most);
	CHECK(near(least, 0.0253) && near(most, 5.5716));
	hwlat_poisson_interval(10, &least, &most);
	CHECK(near(least, 4.7954) && near(most, 18.3904));
	hwlat_poisson_interval(100, &least, &most);
	CHECK(near(least, 81.3639) && near(most, 121.6273));
}

static void test_joined(void)
{
	begin(3);
	add_gap(2, 1000, 500);
	add_gap(0, 900, 400);
	add_gap(0, 1400, 100);
	add_gap(1, 5000, 100);
	gaps[records.gap_count] = gaps[0];
	gaps[records.gap_count++].backward = true;
	gaps[records.gap_count] = gaps[0];
	gaps[records.gap_count++].cause = HWLAT_KERNEL;
	CHECK_EQ(hwlat_analyse(&records, &analysis), 0);
	CHECK_EQ(analysis.events, 3);
	CHECK_EQ(analysis.joint, 1);
	CHECK_EQ(analysis.widest, 2);
	CHECK_EQ(analysis.lost_ns, 600 + 100 + 100);
	CHECK_EQ(analysis.median_ns, 100);
	CHECK_EQ(analysis.p99_ns, 500);
	REQUIRE(analysis.longest);
	CHECK_EQ(analysis.longest->duration_ns, 500);
	CHECK_EQ(analysis.watched_ns, HWLAT_UNKNOWN);
	CHECK(analysis.per_hour < 0);
}

/* Two CPUs watched at the same time are one look; time in gaps is not watched. */
static void test_rate(void)
{
	begin(2);
	add_window(0, 0, 1000 * (uint64_t)MS);
	add_window(1, 500 * MS, 1000 * (uint64_t)MS);
	add_gap(0, 100 * MS, 500 * (uint64_t)MS);
	CHECK_EQ(hwlat_analyse(&records, &analysis), 0);
	CHECK_EQ(analysis.watched_ns, 1500 * MS);
	CHECK(near(analysis.per_hour, 3600));
	CHECK(near(analysis.most_per_hour / 3600, 5.5716));
	records.gap_count = 0;
	CHECK_EQ(hwlat_analyse(&records, &analysis), 0);
	CHECK(near(analysis.per_hour, 0) && near(analysis.most_per_hour / 2400, 2.9957));
}

/* Four CPUs in turn, a source that stops all: seen by whichever is watched. */
static void test_period_of_all_cpus(void)
{
	begin(4);
	records.mode = HWLAT_ROUND_ROBIN;
	for (int i = 0; i < 100; i++) {
		/* The pauses vary, or the windows would see but parts of it. */
		const int64_t start = i * 1000LL * MS + i * 37 % 11 * 20 * MS;

		add_window((uint32_t)i % 4, start, 600 * (uint64_t)MS);
		for (int64_t at = 0; at < 101000LL * MS; at += 2400LL * MS)
			if (at >= start && at < start + 600LL * MS)
				add_gap((uint32_t)i % 4, at, 150000);
	}
	CHECK_EQ(hwlat_analyse(&records, &analysis), 0);
	REQUIRE(analysis.period_count == 1);
	CHECK_EQ(analysis.periods[0].period_ns, 2400LL * MS);
	CHECK_EQ(analysis.periods[0].missing, 0);
	CHECK_EQ(analysis.periods[0].cause, HWLAT_SMI);
	CHECK_EQ(cpus_count(&analysis.periods[0].cpus), 4);
}

/* Two sources on two CPUs, watched all the time, of lengths and periods of their own. */
static void test_two_sources(void)
{
	begin(2);
	add_window(0, 0, 60000 * (uint64_t)MS);
	add_window(1, 0, 60000 * (uint64_t)MS);
	for (int i = 0; i < 24; i++)
		add_gap(0, 7 * MS + i * 2400LL * MS, 150000);
	for (int i = 0; i < 40; i++)
		add_gap(1, 13 * MS + i * 1310LL * MS, 30000);
	CHECK_EQ(hwlat_analyse(&records, &analysis), 0);
	REQUIRE(analysis.period_count == 2);
	CHECK_EQ(analysis.periods[0].period_ns, 1310LL * MS);
	CHECK_EQ(analysis.periods[0].duration_ns, 30000);
	CHECK_EQ(analysis.periods[1].period_ns, 2400LL * MS);
	CHECK_EQ(analysis.periods[1].seen, 24);
	CHECK_EQ(analysis.periods[1].of, 64);
}

int main(void)
{
	TAP_RUN(test_poisson_interval);
	TAP_RUN(test_joined);
	TAP_RUN(test_rate);
	TAP_RUN(test_period_of_all_cpus);
	TAP_RUN(test_two_sources);
	return tap_done();
}
