/* SPDX-License-Identifier: MIT */
/*
 * libhadal, hwlat: what the gaps of a run say together. Works on records only, so that somebody else's
 * log is understood as well as a run on this machine. Nothing here prints.
 */
#ifndef HADAL_HWLAT_ANALYSIS_H
#define HADAL_HWLAT_ANALYSIS_H

#include "hadal/hwlat.h"

/* Periods that are reported at most, the most gaps first. */
#define HWLAT_PERIODS_MAX 16

/* Fewer sightings of a source say nothing about a period. */
#define HWLAT_PERIOD_LEAST 5

/*
 * struct hwlat_records - what is to be understood
 * @gaps: in any order; steps back of the clock and gaps of the kernel's own are passed over
 * @windows: in any order; none if nobody knows when it was watched
 * @width_us, @window_us: how the watching was meant, for records without windows
 * @mode: the same
 * @cpus: the CPUs that were watched
 */
struct hwlat_records {
	const struct hwlat_gap *gaps;
	size_t gap_count;
	const struct hwlat_window *windows;
	size_t window_count;
	uint64_t width_us;
	uint64_t window_us;
	enum hwlat_mode mode;
	const struct cpus *cpus;
};

/*
 * struct hwlat_period - a source that strikes again and again
 * @period_ns, @error_ns: the period and its standard error
 * @jitter_ns: spread of single strikes
 * @duration_ns: the median length of its gaps
 * @seen: strikes that were seen
 * @missing: strikes that were due in watched time, and did not come
 * @of: gaps that were looked at, joined over CPUs; @seen of them are explained
 * @confidence: 0 to 1, how well the period and the gaps agree
 * @chance: how probable as good a period is where there is none
 * @cpus: where it was seen
 * @cause: of most of its gaps
 */
struct hwlat_period {
	uint64_t period_ns;
	uint64_t error_ns;
	uint64_t jitter_ns;
	uint64_t duration_ns;
	uint64_t seen;
	uint64_t missing;
	uint64_t of;
	double confidence;
	double chance;
	struct cpus cpus;
	enum hwlat_cause cause;
};

/*
 * struct hwlat_analysis - what the records say together
 * @events: gaps, where those that overlap on several CPUs are one
 * @joint: events that hit more than one CPU
 * @widest: CPUs that the widest of them hit at once
 * @median_ns, @p90_ns, @p99_ns: of the lengths of all gaps; 0 without any
 * @watched_ns: time in which at least one CPU was watched, or HWLAT_UNKNOWN
 * @lost_ns: time in which an event lasted
 * @per_hour, @least_per_hour, @most_per_hour: rate of events and its 95 % interval, after the time
 *	that gaps themselves hide; negative if unknown
 * @longest: the longest gap, or NULL; one of the records
 */
struct hwlat_analysis {
	uint64_t events;
	uint64_t joint;
	uint64_t widest;
	uint64_t median_ns;
	uint64_t p90_ns;
	uint64_t p99_ns;
	uint64_t watched_ns;
	uint64_t lost_ns;
	double per_hour;
	double least_per_hour;
	double most_per_hour;
	const struct hwlat_gap *longest;
	struct hwlat_period periods[HWLAT_PERIODS_MAX];
	size_t period_count;
};

/* Returns 0 or -ENOMEM. Nothing in @analysis has to be freed; @longest is as long-lived as the records. */
int hwlat_analyse(const struct hwlat_records *records, struct hwlat_analysis *analysis);

/*
 * The exact 95 % interval of the mean of a Poisson distribution of which @count was seen. With a count
 * of 0 the lower end is 0 and the upper is the one-sided bound of 95 %, 3.0.
 */
void hwlat_poisson_interval(uint64_t count, double *least, double *most);

#endif
