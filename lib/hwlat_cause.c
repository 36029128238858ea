// SPDX-License-Identifier: MIT
/* Causes: what a gap's counters speak for, and whether there is somebody below who could be one. */
#include <unistd.h>

#include "lib/hwlat.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

static const char *const cause_names[] = {
	[HWLAT_SMI] = "smi",
	[HWLAT_NMI] = "nmi",
	[HWLAT_SMI_NMI] = "smi+nmi",
	[HWLAT_STEAL] = "steal",
	[HWLAT_KERNEL] = "kernel",
	[HWLAT_INSEPARABLE] = "inseparable",
	[HWLAT_UNEXPLAINED] = "unexplained",
};

const char *hwlat_cause_name(enum hwlat_cause cause)
{
	return cause_names[cause];
}

static const char *const counter_names[] = {
	[HWLAT_COUNT_SMI] = "smi",	     [HWLAT_COUNT_NMI] = "nmi",
	[HWLAT_COUNT_MCE] = "mce",	     [HWLAT_COUNT_THERMAL] = "thermal",
	[HWLAT_COUNT_STEAL_NS] = "steal_ns",
};

const char *hwlat_counter_name(enum hwlat_counter counter)
{
	return counter_names[counter];
}

/* While another thread ran, SMIs and NMIs may have come, but they did not make the gap. */
enum hwlat_cause hwlat_cause_of(const struct hwlat_gap *gap, bool hypervisor)
{
	const bool smi = gap->smi != HWLAT_UNKNOWN && gap->smi;
	const bool nmi = gap->nmi != HWLAT_UNKNOWN && gap->nmi;

	if (gap->entry == HWLAT_SWITCHED)
		return HWLAT_KERNEL;
	if (smi)
		return nmi ? HWLAT_SMI_NMI : HWLAT_SMI;
	if (nmi)
		return HWLAT_NMI;
	if (gap->entry == HWLAT_ENTERED)
		return HWLAT_KERNEL;
	if (gap->stolen)
		return HWLAT_STEAL;
	return hypervisor ? HWLAT_INSEPARABLE : HWLAT_UNEXPLAINED;
}

bool hwlat_hypervisor(void)
{
#if defined(__x86_64__) || defined(__i386__)
	unsigned int eax, ebx, ecx, edx;

	/* CPUID leaf 1, ECX bit 31: never set by hardware, and by every hypervisor that is honest. */
	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && ecx >> 31;
#else
	return access("/proc/device-tree/hypervisor", F_OK) == 0;
#endif
}
