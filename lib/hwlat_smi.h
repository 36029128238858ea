/* SPDX-License-Identifier: MIT */
/* One CPU's count of SMIs, by whichever way this machine and this user have. */
#ifndef HADAL_LIB_HWLAT_SMI_H
#define HADAL_LIB_HWLAT_SMI_H

#include "hadal/finding.h"
#include "hadal/hwlat.h"

/* @fd: -1 without a way; @msr: it is the MSR device, not a perf event */
struct hwlat_smi {
	int fd;
	bool msr;
};

/* Returns 0, or a negative errno: -ENODEV if the CPU has no such counter. */
int hwlat_smi_open(struct hwlat_smi *smi, unsigned int cpu);

/* A number of which only differences mean something, or HWLAT_UNKNOWN. */
uint64_t hwlat_smi_read(const struct hwlat_smi *smi);

void hwlat_smi_close(struct hwlat_smi *smi);

/* Whether this user can read the counters, why not, and which command changes that. */
void hwlat_smi_check(struct finding *finding);

#endif
