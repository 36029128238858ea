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

/* Room for one more of @items, @count of them used, of @size bytes each; at most @most. */
static bool make_room(void **items, size_t count, size_t *room, size_t most, size_t size)
{
	size_t wanted = *room ? *room * 2 : 64;
	void *larger;

	if (count < *room)
		return true;
	if (wanted > most)
		wanted = most;
	if (wanted == *room)
		return false;
	larger = realloc(*items, wanted * size);
	if (!larger)
		return false;
	*items = larger;
	*room = wanted;
	return true;
}

static bool room_for_gap(struct hwlat_result *result)
{
	void *items = result->records;
	const bool room = make_room(&items, result->record_count, &result->record_room,
				    result->max_records, sizeof(result->records[0]));

	result->records = items;
	return room;
}

static bool room_for_change(struct hwlat_result *result)
{
	void *items = result->changes;
	const bool room = make_room(&items, result->change_count, &result->change_room,
				    result->max_records, sizeof(result->changes[0]));

	result->changes = items;
	return room;
}

static bool room_for_window(struct hwlat_result *result)
{
	void *items = result->windows;
	const bool room = make_room(&items, result->window_count, &result->window_room,
				    HWLAT_WINDOWS_MAX, sizeof(result->windows[0]));

	result->windows = items;
	return room;
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
	histogram_add(&result->lengths, gap->duration_ns, gap->count);
	if (gap->duration_ns > result->max_ns)
		result->max_ns = gap->duration_ns;
	if (gap->duration_ns > result->limit_ns && gap->cause != HWLAT_KERNEL) {
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
	if (room_for_gap(result))
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
	if (room_for_window(result))
		result->windows[result->window_count++] = *window;
	else
		result->windows_omitted++;
}

void hwlat_result_counts(void *context, const struct hwlat_counts *counts)
{
	struct hwlat_result *result = context;

	if (room_for_change(result))
		result->changes[result->change_count++] = *counts;
	else
		result->omitted++;
}

void hwlat_result_finish(struct hwlat_result *result, const struct hwlat_run *run, bool complete)
{
	result->facts = *hwlat_run_facts(run);
	result->complete = complete;
	if (!result->facts.tells_windows)
		result->watched_ns = HWLAT_UNKNOWN;
	for (size_t i = 0; i < result->cpu_count; i++) {
		struct hwlat_cpu *cpu = &result->cpus[i];

		for (unsigned int which = 0; which < HWLAT_COUNTERS; which++)
			cpu->counts[which] =
				hwlat_run_count(run, (enum hwlat_counter)which, cpu->cpu);
		cpu->smi = cpu->counts[HWLAT_COUNT_SMI];
		cpu->nmi = cpu->counts[HWLAT_COUNT_NMI];
		if (!result->facts.tells_windows)
			cpu->watched_ns = HWLAT_UNKNOWN;
	}
}

int hwlat_result_analyse(struct hwlat_result *result)
{
	const struct hwlat_records records = {
		.gaps = result->records,
		.gap_count = result->record_count,
		.windows = result->windows,
		.window_count = result->window_count,
		.width_us = result->config.width_us,
		.window_us = result->config.window_us,
		.mode = result->config.mode,
		.cpus = &result->config.cpus,
	};
	int err = hwlat_analyse(&records, &result->analysis);

	/* Of a part of the records no rate can be made. */
	if (result->omitted || result->windows_omitted || result->dropped)
		result->analysis.per_hour = -1;
	return err;
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
	free(result->changes);
	free(result->windows);
	free(result->cpus);
}
