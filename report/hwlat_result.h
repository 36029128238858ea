/* SPDX-License-Identifier: MIT */
/* A hwlat run's records and sums: what all of its writers write. */
#ifndef HADAL_REPORT_HWLAT_RESULT_H
#define HADAL_REPORT_HWLAT_RESULT_H

#include "core/histogram.h"
#include "hadal/hwlat.h"
#include "hadal/hwlat_analysis.h"

/* A gap's CPU, where a recording does not say. */
#define HWLAT_NO_CPU UINT32_MAX

/* Twelve days of one CPU at a window a second. */
#define HWLAT_WINDOWS_MAX ((size_t)1 << 20)

/* The answer to --limit. */
enum hwlat_verdict {
	HWLAT_NO_LIMIT,
	HWLAT_WITHIN,
	HWLAT_EXCEEDED,
	HWLAT_EXCEEDED_INSEPARABLE, /* only by gaps that may be the hypervisor's */
};

/*
 * struct hwlat_cpu - sums of one CPU
 * @seen_smi, @seen_nmi: those that fell into a recorded gap
 * @smi, @nmi: over the whole run, or HWLAT_UNKNOWN
 * @counts: the same for all counters, by enum hwlat_counter
 */
struct hwlat_cpu {
	unsigned int cpu;
	uint64_t watched_ns;
	uint64_t gaps;
	uint64_t seen_smi;
	uint64_t seen_nmi;
	uint64_t smi;
	uint64_t nmi;
	uint64_t counts[HWLAT_COUNTERS];
};

/*
 * struct hwlat_result - a run
 * @source: what kind of recording it was read from, in two words; NULL for a run on this machine
 * @complete: it ended by itself, not by a signal or an error
 * @limit_ns: HWLAT_UNKNOWN if there is none
 * @records: the first @max_records of them, in the order of their arrival
 * @changes: what the passive back end told, the first @max_records of them
 * @omitted: records beyond
 * @windows: the first HWLAT_WINDOWS_MAX of them; @windows_omitted: those beyond
 * @lengths: of all gaps, in ns
 * @analysis: what hwlat_result_analyse() made of the records
 * @gaps: what the records stand for; backward steps are counted in @backward only
 * @dropped: gaps without a record
 * @over_limit, @over_separable: gaps longer than the limit, the kernel's aside; those of them with
 *	a cause
 */
struct hwlat_result {
	struct hwlat_facts facts;
	struct hwlat_config config;
	const char *source;
	bool complete;
	uint64_t limit_ns;
	struct hwlat_gap *records;
	size_t record_count;
	size_t record_room;
	size_t max_records;
	struct hwlat_counts *changes;
	size_t change_count;
	size_t change_room;
	uint64_t omitted;
	struct hwlat_window *windows;
	size_t window_count;
	size_t window_room;
	uint64_t windows_omitted;
	struct histogram lengths;
	struct hwlat_analysis analysis;
	uint64_t gaps;
	uint64_t max_ns;
	uint64_t dropped;
	uint64_t backward;
	uint64_t watched_ns;
	uint64_t over_limit;
	uint64_t over_separable;
	uint64_t causes[HWLAT_CAUSES];
	struct hwlat_cpu *cpus;
	size_t cpu_count;
};

/* Returns 0 or -ENOMEM. To be freed with hwlat_result_free() in both cases. */
int hwlat_result_init(struct hwlat_result *result, const struct hwlat_config *config,
		      size_t max_records, uint64_t limit_ns);

/* All want the result as @context: they are what a struct hwlat_sink holds. */
void hwlat_result_gap(void *context, const struct hwlat_gap *gap);
void hwlat_result_window(void *context, const struct hwlat_window *window);
void hwlat_result_counts(void *context, const struct hwlat_counts *counts);

/* Takes what the run knows after its stop. */
void hwlat_result_finish(struct hwlat_result *result, const struct hwlat_run *run, bool complete);

/* Works out what the records say together, at the end. Returns 0 or -ENOMEM. */
int hwlat_result_analyse(struct hwlat_result *result);

enum hwlat_verdict hwlat_result_verdict(const struct hwlat_result *result);

void hwlat_result_free(struct hwlat_result *result);

#endif
