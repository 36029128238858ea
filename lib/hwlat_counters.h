/* SPDX-License-Identifier: MIT */
/*
 * What the machine counts over a whole run, watched or not: NMIs from /proc/interrupts, and SMIs from
 * perf's msr counters for a back end that has none of its own.
 */
#ifndef HADAL_LIB_HWLAT_COUNTERS_H
#define HADAL_LIB_HWLAT_COUNTERS_H

#include "hadal/hwlat.h"
#include "lib/hwlat_smi.h"

struct hwlat_counters {
	uint64_t nmi_start[CPUS_MAX];
	uint64_t nmi_end[CPUS_MAX];
	uint64_t smi[CPUS_MAX];
	struct cpus nmi_known;
	struct cpus smi_known;
	struct hwlat_smi *smi_files; /* by CPU number */
	uint64_t smi_start[CPUS_MAX];
};

/* Reads the start of everything that can be read; @smi: SMIs too. */
void hwlat_counters_open(struct hwlat_counters *counters, const struct cpus *cpus, bool smi);

/* Reads the end. */
void hwlat_counters_stop(struct hwlat_counters *counters);

uint64_t hwlat_counters_nmi(const struct hwlat_counters *counters, unsigned int cpu);

/*
 * A hypervisor may answer for the SMI counter without counting, so in a virtual machine a counter
 * that stood still on all CPUs is unknown.
 */
uint64_t hwlat_counters_smi(const struct hwlat_counters *counters, unsigned int cpu,
			    bool hypervisor);

void hwlat_counters_close(struct hwlat_counters *counters);

#endif
