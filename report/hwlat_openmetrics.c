// SPDX-License-Identifier: MIT
/*
 * A hwlat run as metrics. OpenMetrics 1.0 that node_exporter's older parser takes as well: no times of
 * samples, gauges instead of counters, since the two disagree on how a counter is called, and one histogram.
 */
#include <inttypes.h>

#include "report/hwlat_out.h"

static void family(const char *name, const char *type, const char *unit, const char *help,
		   FILE *file)
{
	fprintf(file, "# TYPE %s %s\n", name, type);
	if (unit)
		fprintf(file, "# UNIT %s %s\n", name, unit);
	fprintf(file, "# HELP %s %s\n", name, help);
}

static void seconds(uint64_t ns, FILE *file)
{
	fprintf(file, " %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

/* Powers of two of nanoseconds, from the first that holds a gap to the first that holds all. */
static void put_lengths(const struct hwlat_result *result, FILE *file)
{
	const char *name = "hadal_hwlat_gap_seconds";
	uint64_t sum = 0, below = 0, told = 0;

	family(name, "histogram", "seconds", "Lengths of gaps.", file);
	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS && told < result->gaps; i++) {
		below += result->lengths.counts[i];
		if (i % HISTOGRAM_PARTS == HISTOGRAM_PARTS - 1)
			told = below;
		if (below && i % HISTOGRAM_PARTS == HISTOGRAM_PARTS - 1)
			fprintf(file, "%s_bucket{le=\"%.9g\"} %" PRIu64 "\n", name,
				(double)histogram_most(i) / 1e9, below);
	}
	for (size_t i = 0; i < result->record_count; i++)
		if (!result->records[i].backward)
			sum += result->records[i].duration_ns * result->records[i].count;
	fprintf(file, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_count %" PRIu64 "\n%s_sum", name,
		result->gaps, name, result->gaps, name);
	seconds(sum, file);
}

static void put_causes(const struct hwlat_result *result, FILE *file)
{
	family("hadal_hwlat_gaps", "gauge", NULL, "Gaps by cause.", file);
	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		fprintf(file, "hadal_hwlat_gaps{cause=\"%s\"} %" PRIu64 "\n",
			hwlat_cause_name((enum hwlat_cause)i), result->causes[i]);
	family("hadal_hwlat_longest_seconds", "gauge", "seconds", "The longest gap.", file);
	fputs("hadal_hwlat_longest_seconds", file);
	seconds(result->max_ns, file);
}

/* What nobody can tell has no sample. A broadcast SMI counts on each CPU: not to be added up. */
static void put_counter(const struct hwlat_result *result, enum hwlat_counter counter,
			const char *name, const char *help, FILE *file)
{
	bool any = false;

	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct hwlat_cpu *cpu = &result->cpus[i];
		const uint64_t count = counter == HWLAT_COUNT_SMI ? cpu->smi :
				       counter == HWLAT_COUNT_NMI ? cpu->nmi :
								    cpu->counts[counter];

		if (count == HWLAT_UNKNOWN || (counter > HWLAT_COUNT_NMI && !result->facts.passive))
			continue;
		if (!any)
			family(name, "gauge", counter == HWLAT_COUNT_STEAL_NS ? "seconds" : NULL,
			       help, file);
		any = true;
		fprintf(file, "%s{cpu=\"%u\"}", name, cpu->cpu);
		if (counter == HWLAT_COUNT_STEAL_NS)
			seconds(count, file);
		else
			fprintf(file, " %" PRIu64 "\n", count);
	}
}

static void put_counters(const struct hwlat_result *result, FILE *file)
{
	put_counter(result, HWLAT_COUNT_SMI, "hadal_hwlat_smis",
		    "SMIs on this CPU during the run; one that stops all CPUs is counted on each.",
		    file);
	put_counter(result, HWLAT_COUNT_NMI, "hadal_hwlat_nmis", "NMIs on this CPU during the run.",
		    file);
	put_counter(result, HWLAT_COUNT_MCE, "hadal_hwlat_machine_checks",
		    "Machine checks on this CPU during the run.", file);
	put_counter(result, HWLAT_COUNT_THERMAL, "hadal_hwlat_thermal_events",
		    "Thermal events on this CPU during the run.", file);
	put_counter(result, HWLAT_COUNT_STEAL_NS, "hadal_hwlat_steal_seconds",
		    "Time that the hypervisor took from this CPU during the run.", file);
}

static void put_watched(const struct hwlat_result *result, FILE *file)
{
	family("hadal_hwlat_run_seconds", "gauge", "seconds", "Length of the run.", file);
	fputs("hadal_hwlat_run_seconds", file);
	seconds(result->facts.duration_ns, file);
	if (result->watched_ns == HWLAT_UNKNOWN || result->facts.passive)
		return;
	family("hadal_hwlat_watched_seconds", "gauge", "seconds", "Time that was watched.", file);
	for (size_t i = 0; i < result->cpu_count; i++) {
		fprintf(file, "hadal_hwlat_watched_seconds{cpu=\"%u\"}", result->cpus[i].cpu);
		seconds(result->cpus[i].watched_ns, file);
	}
}

static void put_periods(const struct hwlat_analysis *analysis, FILE *file)
{
	if (!analysis->period_count)
		return;
	family("hadal_hwlat_period_seconds", "gauge", "seconds",
	       "Periods of sources that strike again and again.", file);
	for (size_t i = 0; i < analysis->period_count; i++) {
		fprintf(file, "hadal_hwlat_period_seconds{cause=\"%s\",number=\"%zu\"}",
			hwlat_cause_name(analysis->periods[i].cause), i + 1);
		seconds(analysis->periods[i].period_ns, file);
	}
}

void hwlat_write_openmetrics(const struct hwlat_result *result, const struct report_out *out)
{
	if (!result->facts.passive) {
		put_lengths(result, out->file);
		put_causes(result, out->file);
		put_periods(&result->analysis, out->file);
	}
	put_counters(result, out->file);
	put_watched(result, out->file);
	fputs("# EOF\n", out->file);
}
