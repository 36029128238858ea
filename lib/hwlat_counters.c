// SPDX-License-Identifier: MIT
/* What the machine counts over a whole run, watched or not. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat_counters.h"

#define INTERRUPTS "/proc/interrupts"
#define MSR_PMU "/sys/bus/event_source/devices/msr"

/* The head of /proc/interrupts names the CPUs that have a column: "CPU0 CPU1 CPU3". */
static unsigned int parse_columns(const char *text, unsigned int columns[CPUS_MAX])
{
	unsigned int count = 0;
	char *end;

	while (count < CPUS_MAX && strncmp(text += strspn(text, " "), "CPU", 3) == 0) {
		columns[count++] = (unsigned int)strtoul(text + 3, &end, 10);
		text = end;
	}
	return count;
}

static const char *find_row(const char *text, const char *name)
{
	for (; text; text = strchr(text, '\n')) {
		text += strspn(text, "\n ");
		if (strncmp(text, name, strlen(name)) == 0)
			return text + strlen(name);
	}
	return NULL;
}

void hwlat_parse_nmi(const char *text, uint64_t counts[CPUS_MAX], struct cpus *known)
{
	unsigned int columns[CPUS_MAX];
	const unsigned int count = parse_columns(text, columns);
	const char *row = find_row(text, "NMI:");
	char *end;

	*known = (struct cpus){ 0 };
	for (unsigned int i = 0; row && i < count; i++, row = end) {
		const uint64_t value = strtoull(row, &end, 10);

		if (end == row)
			break;
		if (columns[i] < CPUS_MAX) {
			counts[columns[i]] = value;
			cpus_add(known, columns[i]);
		}
	}
}

/* The file has no size of its own, and grows with the number of CPUs. */
static void read_nmi(uint64_t counts[CPUS_MAX], struct cpus *known)
{
	FILE *file = fopen(INTERRUPTS, "re");
	char *text = NULL;
	size_t size = 0;

	*known = (struct cpus){ 0 };
	if (!file)
		return;
	if (getdelim(&text, &size, '\0', file) > 0)
		hwlat_parse_nmi(text, counts, known);
	free(text);
	fclose(file);
}

/* The PMU "msr" counts SMIs of a CPU as event 4, where that CPU's model has the counter. */
static int open_smi(uint32_t type, int cpu)
{
	struct perf_event_attr attr = { .type = type, .size = sizeof(attr), .config = 4 };

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void open_smis(struct hwlat_counters *counters, const struct cpus *cpus)
{
	uint64_t type;

	if (access(MSR_PMU "/events/smi", F_OK) != 0 || file_read_u64(MSR_PMU "/type", &type))
		return;
	counters->smi_fd = malloc(CPUS_MAX * sizeof(int));
	if (!counters->smi_fd)
		return;
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		counters->smi_fd[cpu] =
			cpus_has(cpus, (unsigned int)cpu) ? open_smi((uint32_t)type, cpu) : -1;
}

void hwlat_counters_open(struct hwlat_counters *counters, const struct cpus *cpus, bool smi)
{
	read_nmi(counters->nmi_start, &counters->nmi_known);
	if (smi)
		open_smis(counters, cpus);
}

void hwlat_counters_stop(struct hwlat_counters *counters)
{
	struct cpus known;

	read_nmi(counters->nmi_end, &known);
	cpus_intersect(&counters->nmi_known, &known);
	for (unsigned int cpu = 0; counters->smi_fd && cpu < CPUS_MAX; cpu++)
		if (counters->smi_fd[cpu] >= 0 && read(counters->smi_fd[cpu], &counters->smi[cpu],
						       sizeof(uint64_t)) == sizeof(uint64_t))
			cpus_add(&counters->smi_known, cpu);
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
	for (unsigned int cpu = 0; counters->smi_fd && cpu < CPUS_MAX; cpu++)
		if (counters->smi_fd[cpu] >= 0)
			close(counters->smi_fd[cpu]);
	free(counters->smi_fd);
}
