// SPDX-License-Identifier: MIT
/* What the machine counts over a whole run, watched or not. */
#include <stdlib.h>

#include "lib/hwlat_counters.h"
#include "lib/hwlat_interrupts.h"

static void read_nmi(uint64_t counts[CPUS_MAX], struct cpus *known)
{
	struct proc_file file;

	*known = (struct cpus){ 0 };
	if (!proc_file_open(&file, "/proc/interrupts") && !proc_file_read(&file))
		*known = interrupts_add_row(file.text, "NMI", counts);
	proc_file_close(&file);
}

static void open_smis(struct hwlat_counters *counters, const struct cpus *cpus)
{
	counters->smi_files = malloc(CPUS_MAX * sizeof(counters->smi_files[0]));
	for (unsigned int cpu = 0; counters->smi_files && cpu < CPUS_MAX; cpu++) {
		struct hwlat_smi *smi = &counters->smi_files[cpu];

		smi->fd = -1;
		if (cpus_has(cpus, cpu) && !hwlat_smi_open(smi, cpu))
			counters->smi_start[cpu] = hwlat_smi_read(smi);
	}
}

void hwlat_counters_open(struct hwlat_counters *counters, const struct cpus *cpus, bool smi)
{
	read_nmi(counters->nmi_start, &counters->nmi_known);
	if (smi)
		open_smis(counters, cpus);
}

static void stop_smi(struct hwlat_counters *counters, unsigned int cpu)
{
	const uint64_t end = hwlat_smi_read(&counters->smi_files[cpu]);

	if (end == HWLAT_UNKNOWN || counters->smi_start[cpu] == HWLAT_UNKNOWN)
		return;
	counters->smi[cpu] = end - counters->smi_start[cpu];
	cpus_add(&counters->smi_known, cpu);
}

void hwlat_counters_stop(struct hwlat_counters *counters)
{
	struct cpus known;

	read_nmi(counters->nmi_end, &known);
	cpus_intersect(&counters->nmi_known, &known);
	for (unsigned int cpu = 0; counters->smi_files && cpu < CPUS_MAX; cpu++)
		stop_smi(counters, cpu);
}

uint64_t hwlat_counters_nmi(const struct hwlat_counters *counters, unsigned int cpu)
{
	if (!cpus_has(&counters->nmi_known, cpu))
		return HWLAT_UNKNOWN;
	return counters->nmi_end[cpu] - counters->nmi_start[cpu];
}

static bool smi_moved(const struct hwlat_counters *counters)
{
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu++)
		if (cpus_has(&counters->smi_known, cpu) && counters->smi[cpu])
			return true;
	return false;
}

uint64_t hwlat_counters_smi(const struct hwlat_counters *counters, unsigned int cpu,
			    bool hypervisor)
{
	if (!cpus_has(&counters->smi_known, cpu) || (hypervisor && !smi_moved(counters)))
		return HWLAT_UNKNOWN;
	return counters->smi[cpu];
}

void hwlat_counters_close(struct hwlat_counters *counters)
{
	for (unsigned int cpu = 0; counters->smi_files && cpu < CPUS_MAX; cpu++)
		hwlat_smi_close(&counters->smi_files[cpu]);
	free(counters->smi_files);
}
