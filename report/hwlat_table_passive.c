// SPDX-License-Identifier: MIT
/* A run of the back end "passive" for people: what came when, the sums, and what it cost. */
#include <inttypes.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

/* More would push the answer off the screen. */
#define FIRST_CHANGES 20

#define PPM 1000000

static const char *const titles[] = {
	[HWLAT_COUNT_SMI] = "SMIs",	  [HWLAT_COUNT_NMI] = "NMIs",
	[HWLAT_COUNT_MCE] = "MCHECKS",	  [HWLAT_COUNT_THERMAL] = "THERMAL",
	[HWLAT_COUNT_STEAL_NS] = "STEAL",
};

static const char *const spoken[] = {
	[HWLAT_COUNT_SMI] = "SMIs",
	[HWLAT_COUNT_NMI] = "NMIs",
	[HWLAT_COUNT_MCE] = "machine checks",
	[HWLAT_COUNT_THERMAL] = "thermal events",
	[HWLAT_COUNT_STEAL_NS] = "stolen time",
};

static const char *value(unsigned int counter, uint64_t n, char buf[32])
{
	if (counter == HWLAT_COUNT_STEAL_NS && n != HWLAT_UNKNOWN && n)
		return hwlat_length(n, buf);
	return hwlat_count(n, buf);
}

static void write_titles(FILE *file)
{
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		fprintf(file, " %10s", titles[i]);
	fputc('\n', file);
}

static void write_values(const uint64_t n[HWLAT_COUNTERS], FILE *file)
{
	char buf[32];

	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		fprintf(file, " %10s", value(i, n[i], buf));
	fputc('\n', file);
}

static void write_head(const struct hwlat_result *result, FILE *file)
{
	char list[CPUS_LIST_BYTES], run[32];

	fprintf(file, "passive on CPU%s %s for %s: counters, once a second\n\n",
		report_plural(result->cpu_count), cpus_list(&result->config.cpus, list),
		hwlat_length(result->facts.duration_ns, run));
}

static void write_changes(const struct hwlat_result *result, FILE *file, bool all)
{
	const size_t shown =
		all || result->change_count < FIRST_CHANGES ? result->change_count : FIRST_CHANGES;
	char start[32];

	if (!result->change_count)
		return;
	fprintf(file, "%14s  %4s", "FROM s", "CPU");
	write_titles(file);
	for (size_t i = 0; i < shown; i++) {
		const struct hwlat_counts *counts = &result->changes[i];

		fprintf(file, "%14s  %4u", hwlat_seconds(counts->start_ns, start), counts->cpu);
		write_values(counts->n, file);
	}
	if (shown < result->change_count)
		fprintf(file, "%14s  %zu more; -v lists them\n", "...",
			result->change_count - shown);
	if (result->omitted)
		fprintf(file, "%14s  %" PRIu64 " more not kept (--max-records)\n", "...",
			result->omitted);
	fputc('\n', file);
}

static void write_cpus(const struct hwlat_result *result, FILE *file)
{
	fprintf(file, "%4s", "CPU");
	write_titles(file);
	for (size_t i = 0; i < result->cpu_count; i++) {
		fprintf(file, "%4u", result->cpus[i].cpu);
		write_values(result->cpus[i].counts, file);
	}
	fputc('\n', file);
}

/* The least and the most of the CPUs that know. Returns how many these are. */
static size_t range(const struct hwlat_result *result, unsigned int counter, uint64_t *least,
		    uint64_t *most)
{
	size_t known = 0;

	*least = HWLAT_UNKNOWN;
	*most = 0;
	for (size_t i = 0; i < result->cpu_count; i++) {
		const uint64_t n = result->cpus[i].counts[counter];

		if (n == HWLAT_UNKNOWN)
			continue;
		known++;
		if (n < *least)
			*least = n;
		if (n > *most)
			*most = n;
	}
	return known;
}

/* CPUs are never added up: a broadcast SMI counts on each of them. */
static void write_answer(const struct hwlat_result *result, FILE *file)
{
	char least_text[32], most_text[32];
	uint64_t least, most;
	size_t known;

	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++) {
		fprintf(file, "%s%s: ", i ? "; " : "", spoken[i]);
		known = range(result, i, &least, &most);
		if (!known)
			fputs("unknown", file);
		else if (!most)
			fputs("none", file);
		else if (least == most)
			fprintf(file, "%s on each CPU%s", value(i, most, most_text),
				known < result->cpu_count ? " that counts it" : "");
		else
			fprintf(file, "%s to %s on a CPU", value(i, least, least_text),
				value(i, most, most_text));
	}
	fputs(".\n", file);
}

static void write_cost(const struct hwlat_facts *facts, FILE *file)
{
	const uint64_t unit = facts->duration_ns / PPM;
	const uint64_t ppm = unit ? facts->cost_ns / unit : 0;
	char cost[32];

	fprintf(file, "Cost: %s of CPU time, %" PRIu64 ".%04" PRIu64 " %% of one CPU.\n",
		hwlat_length(facts->cost_ns, cost), ppm / 10000, ppm % 10000);
}

void hwlat_table_passive(const struct hwlat_result *result, const struct report_out *out, bool all)
{
	write_head(result, out->file);
	write_changes(result, out->file, all);
	write_cpus(result, out->file);
	write_answer(result, out->file);
	if (result->facts.cost_ns != HWLAT_UNKNOWN)
		write_cost(&result->facts, out->file);
	if (!result->complete)
		fputs("The run was ended early.\n", out->file);
}
