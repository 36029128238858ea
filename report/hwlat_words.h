/* SPDX-License-Identifier: MIT */
/* What a hwlat run comes to in words: one sentence, and what else is worth trying. */
#ifndef HADAL_REPORT_HWLAT_WORDS_H
#define HADAL_REPORT_HWLAT_WORDS_H

#include "report/hwlat_result.h"

#define HWLAT_CPUS_BYTES 64
#define HWLAT_HINTS_MAX 4

/* "150.704 us": three digits below the unit that fits. Returns @buf. */
const char *hwlat_length(uint64_t ns, char buf[32]);

/* A rate with three digits or all before the point. Returns @buf. */
const char *hwlat_rate(double rate, char buf[32]);

/* "CPU 0", "CPUs 0-3,8", "an unknown CPU": cut short if there are very many. Returns @buf. */
const char *hwlat_cpus_words(const struct cpus *cpus, char buf[HWLAT_CPUS_BYTES]);

/*
 * struct hwlat_advice - what to think and what to do
 * @sentence: the verdict
 * @hints: known sources that the evidence fits; static strings
 */
struct hwlat_advice {
	char sentence[512];
	const char *hints[HWLAT_HINTS_MAX];
	size_t hint_count;
};

/* Says what @result comes to, which hwlat_result_analyse() has seen. */
void hwlat_advise(const struct hwlat_result *result, struct hwlat_advice *advice);

#endif
