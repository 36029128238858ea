// SPDX-License-Identifier: MIT
/* A hwlat run's records and sums. */
#include <errno.h>
#include <stdlib.h>

#include "report/hwlat_result.h"

int hwlat_result_init(struct hwlat_result *result, const struct hwlat_config *config,
		      size_t max_records, uint64_t limit_ns)
{
	*result = (struct hwlat_result){
		.config = *config,
		.max_records = max_records,
		.limit_ns = limit_ns,
	};
	result->cpus = calloc(cpus_count(&config->cpus), sizeof(result->cpus[0]));
	if (!result->cpus)
		return -ENOMEM;
	for (int cpu = cpus_next(&config->cpus, -1); cpu >= 0;
	     cpu = cpus_next(&config->cpus, cpu)) {
		result->cpus[result->cpu_count++] = (struct hwlat_cpu){
			.cpu = (unsigned int)cpu,
			.smi = HWLAT_UNKNOWN,
			.nmi = HWLAT_UNKNOWN,
		};
	}
	return 0;
}

static struct hwlat_cpu *find_cpu(struct hwlat_result *result, unsigned int cpu)
{
	for (size_t i = 0; i < result->cpu_count; i++)
		if (result->cpus[i].cpu == cpu)
			return &result->cpus[i];
	return NULL;
}

static bool make_room(struct hwlat_result *result)
{
	size_t room = result->record_room ? result->record_room * 2 : 64;
	struct hwlat_gap *records;

	if (result->record_count < result->record_room)
		return true;
	if (room > result->max_records)
		room = result->max_records;
	if (room == result->record_room)
		return false;
	records = realloc(result->records, room * sizeof(*records));
	if (!records)
		return false;
	result->records = records;
	result->record_room = room;
	return true;
}

static void add_to_cpu(struct hwlat_cpu *cpu, const struct hwlat_gap *gap)
{
	cpu->gaps += gap->count;
	if (gap->smi != HWLAT_UNKNOWN)
		cpu->seen_smi += gap->smi;
	if (gap->nmi != HWLAT_UNKNOWN)
		cpu->seen_nmi += gap->nmi;
}

static void add_to_sums(struct hwlat_result *result, const struct hwlat_gap *gap)
{
	struct hwlat_cpu *cpu = find_cpu(result, gap->cpu);

	result->gaps += gap->count;
	result->causes[gap->cause] += gap->count;
	if (gap->duration_ns > result->max_ns)
		result->max_ns = gap->duration_ns;
	if (gap->duration_ns > result->limit_ns) {
		result->over_limit++;
		result->over_separable += gap->cause != HWLAT_INSEPARABLE;
	}
	if (cpu)
		add_to_cpu(cpu, gap);
}

void hwlat_result_gap(void *context, const struct hwlat_gap *gap)
{
	struct hwlat_result *result = context;

	if (gap->backward)
		result->backward++;
	else
		add_to_sums(result, gap);
	if (make_room(result))
		result->records[result->record_count++] = *gap;
	else
		result->omitted++;
}

void hwlat_result_window(void *context, const struct hwlat_window *window)
{
	struct hwlat_result *result = context;
	struct hwlat_cpu *cpu = find_cpu(result, window->cpu);

	result->watched_ns += window->watched_ns;
	result->dropped += window->dropped;
	if (cpu)
		cpu->watched_ns += window->watched_ns;
}

void hwlat_result_finish(struct hwlat_result *result, const struct hwlat_run *run, bool complete)
{
	result->facts = *hwlat_run_facts(run);
	result->complete = complete;
	if (!result->facts.tells_windows)
		result->watched_ns = HWLAT_UNKNOWN;
	for (size_t i = 0; i < result->cpu_count; i++) {
		struct hwlat_cpu *cpu = &result->cpus[i];

		cpu->smi = hwlat_run_smi(run, cpu->cpu);
		cpu->nmi = hwlat_run_nmi(run, cpu->cpu);
		if (!result->facts.tells_windows)
			cpu->watched_ns = HWLAT_UNKNOWN;
	}
}

enum hwlat_verdict hwlat_result_verdict(const struct hwlat_result *result)
{
	if (result->limit_ns == HWLAT_UNKNOWN)
		return HWLAT_NO_LIMIT;
	if (!result->over_limit)
		return HWLAT_WITHIN;
	return result->over_separable ? HWLAT_EXCEEDED : HWLAT_EXCEEDED_INSEPARABLE;
}

void hwlat_result_free(struct hwlat_result *result)
{
	free(result->records);
	free(result->cpus);
}
