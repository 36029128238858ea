// SPDX-License-Identifier: MIT
/* A hwlat run for people: the gaps, their causes, what was watched, and a sentence at the end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

/* More would push the answer off the screen. */
#define FIRST_GAPS 20

/* A step this much longer than the loop's own is worth calling a gap. */
#define FLOOR_FACTOR 5

static const char *const spoken[] = {
	[HWLAT_SMI] = "by SMIs",
	[HWLAT_NMI] = "by NMIs",
	[HWLAT_SMI_NMI] = "by SMIs and NMIs",
	[HWLAT_STEAL] = "by the hypervisor",
	[HWLAT_KERNEL] = "by the kernel",
	[HWLAT_INSEPARABLE] = "inseparable",
	[HWLAT_UNEXPLAINED] = "unexplained",
};

const char *hwlat_seconds(int64_t ns, char buf[32])
{
	const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

	snprintf(buf, 32, "%s%" PRIu64 ".%06" PRIu64, ns < 0 ? "-" : "", size / 1000000000,
		 size % 1000000000 / 1000);
	return buf;
}

const char *hwlat_count(uint64_t n, char buf[32])
{
	if (n == HWLAT_UNKNOWN)
		return "-";
	snprintf(buf, 32, "%" PRIu64, n);
	return buf;
}

static void write_head(const struct hwlat_result *result, FILE *file)
{
	char list[CPUS_LIST_BYTES], run[32], width[32], window[32], thresh[32];

	if (result->source) {
		fprintf(file, "%s of the back end %s, %s long\n\n", result->source,
			result->facts.backend, hwlat_length(result->facts.duration_ns, run));
		return;
	}
	fprintf(file, "%s on CPU%s %s for %s, %s of every %s, %s: gaps over %s\n\n",
		result->facts.backend, report_plural(result->cpu_count),
		cpus_list(&result->config.cpus, list), hwlat_length(result->facts.duration_ns, run),
		hwlat_length(result->config.width_us * 1000, width),
		hwlat_length(result->config.window_us * 1000, window),
		hwlat_mode_name(result->config.mode),
		hwlat_length(result->config.threshold_us * 1000, thresh));
}

static void write_gap(const struct hwlat_result *result, const struct hwlat_gap *gap,
		      const struct report_out *out)
{
	const bool over = !gap->backward && gap->duration_ns > result->limit_ns;
	char start[32], cpu[32], duration[32], smi[32], nmi[32], nmi_time[32], records[32];

	fprintf(out->file, "%14s  %4s  %s%12s%s  %-12s %5s %5s  %s",
		hwlat_seconds(gap->start_ns, start),
		hwlat_count(gap->cpu == HWLAT_NO_CPU ? HWLAT_UNKNOWN : gap->cpu, cpu),
		over && out->color ? "\033[1;31m" : "", hwlat_length(gap->duration_ns, duration),
		over && out->color ? "\033[0m" : "",
		gap->backward ? "clock back" : hwlat_cause_name(gap->cause),
		hwlat_count(gap->smi, smi), hwlat_count(gap->nmi, nmi),
		gap->nmi && gap->nmi_ns != HWLAT_UNKNOWN ? hwlat_length(gap->nmi_ns, nmi_time) :
							   "-");
	if (gap->count != 1)
		fprintf(out->file, "  longest of %s", hwlat_count(gap->count, records));
	fputc('\n', out->file);
}

static void write_gaps(const struct hwlat_result *result, const struct report_out *out, bool all)
{
	const size_t shown =
		all || result->record_count < FIRST_GAPS ? result->record_count : FIRST_GAPS;
	const uint64_t more = result->record_count - shown;

	if (!result->record_count)
		return;
	fprintf(out->file, "%14s  %4s  %12s  %-12s %5s %5s  %s\n", "AT s", "CPU", "LENGTH", "CAUSE",
		"SMIs", "NMIs", "IN NMIs");
	for (size_t i = 0; i < shown; i++)
		write_gap(result, &result->records[i], out);
	if (more)
		fprintf(out->file, "%14s  %" PRIu64 " more; -v lists them\n", "...", more);
	if (result->omitted)
		fprintf(out->file, "%14s  %" PRIu64 " more not kept (--max-records)\n", "...",
			result->omitted);
	fputc('\n', out->file);
}

static int compare_lengths(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static size_t collect(const struct hwlat_result *result, enum hwlat_cause cause, uint64_t *lengths)
{
	size_t used = 0;

	for (size_t i = 0; i < result->record_count; i++)
		if (!result->records[i].backward && result->records[i].cause == cause)
			lengths[used++] = result->records[i].duration_ns;
	qsort(lengths, used, sizeof(*lengths), compare_lengths);
	return used;
}

static void write_causes(const struct hwlat_result *result, FILE *file)
{
	uint64_t *lengths = calloc(result->record_count + 1, sizeof(*lengths));
	char least[32], middle[32], most[32];

	if (!lengths || !result->gaps) {
		free(lengths);
		return;
	}
	fprintf(file, "%-12s %8s  %12s  %12s  %12s\n", "CAUSE", "GAPS", "SHORTEST", "MEDIAN",
		"LONGEST");
	for (unsigned int i = 0; i < HWLAT_CAUSES; i++) {
		const size_t used = collect(result, (enum hwlat_cause)i, lengths);

		if (used)
			fprintf(file, "%-12s %8" PRIu64 "  %12s  %12s  %12s\n",
				hwlat_cause_name((enum hwlat_cause)i), result->causes[i],
				hwlat_length(lengths[0], least),
				hwlat_length(lengths[used / 2], middle),
				hwlat_length(lengths[used - 1], most));
	}
	fputc('\n', file);
	free(lengths);
}

/* "4.500 s 90.0 %" of the run. */
static const char *share(uint64_t part, uint64_t whole, char buf[64])
{
	const uint64_t tenths = whole >= 1000 ? part / (whole / 1000) : 0;
	char time[32];

	if (part == HWLAT_UNKNOWN)
		return "-";
	snprintf(buf, 64, "%s %3" PRIu64 ".%" PRIu64 " %%", hwlat_length(part, time), tenths / 10,
		 tenths % 10);
	return buf;
}

static void write_cpus(const struct hwlat_result *result, FILE *file)
{
	char watched[64], smi[32], seen_smi[32], nmi[32], seen_nmi[32];

	fprintf(file, "%4s  %20s  %8s  %8s %8s  %8s %8s\n", "CPU", "WATCHED", "GAPS", "SMIs",
		"in gaps", "NMIs", "in gaps");
	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct hwlat_cpu *cpu = &result->cpus[i];

		fprintf(file, "%4u  %20s  %8" PRIu64 "  %8s %8s  %8s %8s\n", cpu->cpu,
			share(cpu->watched_ns, result->facts.duration_ns, watched), cpu->gaps,
			hwlat_count(cpu->smi, smi), hwlat_count(cpu->seen_smi, seen_smi),
			hwlat_count(cpu->nmi, nmi), hwlat_count(cpu->seen_nmi, seen_nmi));
	}
	fputc('\n', file);
}

static void write_notes(const struct hwlat_result *result, FILE *file)
{
	const struct hwlat_facts *facts = &result->facts;
	const uint64_t lost = result->dropped + facts->lost;
	char floor[32];

	if (facts->kernel.told != HWLAT_TOLD_OFF)
		hwlat_table_user_notes(result, file);
	if (!facts->tells_windows)
		fputs("The tracer tells one record a window, in whole us, without SMIs, and not how long it"
		      " watched.\n",
		      file);
	if (result->causes[HWLAT_INSEPARABLE])
		fputs("This is a virtual machine: no one in here can tell its host's gaps from hardware's.\n",
		      file);
	if (!facts->c_states_off && !result->source)
		fputs("Sleep states were not held off: /dev/cpu_dma_latency cannot be used here.\n",
		      file);
	if (lost)
		fprintf(file, "%" PRIu64 " more gap%s found no room on the way here.\n", lost,
			report_plural(lost));
	if (result->backward)
		fprintf(file, "Steps back of the clock: %" PRIu64 ".\n", result->backward);
	if (facts->floor_ns != HWLAT_UNKNOWN &&
	    result->config.threshold_us * 1000 < facts->floor_ns * FLOOR_FACTOR)
		fprintf(file,
			"The threshold is near what one look at the clock costs, %s: expect noise.\n",
			hwlat_length(facts->floor_ns, floor));
	if (!result->complete)
		fputs("The run was ended early.\n", file);
}

static void write_cause_words(const struct hwlat_result *result, FILE *file)
{
	const char *before = ": ";

	for (unsigned int i = 0; i < HWLAT_CAUSES; i++) {
		if (!result->causes[i])
			continue;
		if (result->causes[i] == result->gaps)
			fprintf(file, ": all %s", spoken[i]);
		else
			fprintf(file, "%s%" PRIu64 " %s", before, result->causes[i], spoken[i]);
		before = ", ";
	}
}

static void write_answer(const struct hwlat_result *result, FILE *file)
{
	char time[32];

	if (result->gaps) {
		fprintf(file, "%" PRIu64 " gap%s, the longest %s", result->gaps,
			report_plural(result->gaps), hwlat_length(result->max_ns, time));
		write_cause_words(result, file);
	} else {
		fprintf(file, "No gap over %s",
			hwlat_length(result->config.threshold_us * 1000, time));
	}
	if (result->watched_ns != HWLAT_UNKNOWN)
		fprintf(file, "; watched %s", hwlat_length(result->watched_ns, time));
	fputs(".\n", file);
}

static void write_verdict(const struct hwlat_result *result, FILE *file)
{
	char time[32];

	switch (hwlat_result_verdict(result)) {
	case HWLAT_NO_LIMIT:
		return;
	case HWLAT_WITHIN:
		fprintf(file, "Limit %s: kept.\n", hwlat_length(result->limit_ns, time));
		return;
	case HWLAT_EXCEEDED:
		fprintf(file, "Limit %s: exceeded, %" PRIu64 " time%s.\n",
			hwlat_length(result->limit_ns, time), result->over_limit,
			report_plural(result->over_limit));
		return;
	case HWLAT_EXCEEDED_INSEPARABLE:
		fprintf(file,
			"Limit %s: passed %" PRIu64 " time%s, but perhaps only by the host.\n",
			hwlat_length(result->limit_ns, time), result->over_limit,
			report_plural(result->over_limit));
	}
}

void hwlat_write_table(const struct hwlat_result *result, const struct report_out *out, bool all)
{
	if (result->facts.passive) {
		hwlat_table_passive(result, out, all);
		hwlat_table_advice(result, out);
		return;
	}
	write_head(result, out->file);
	write_gaps(result, out, all);
	write_causes(result, out->file);
	hwlat_table_periods(&result->analysis, out);
	write_cpus(result, out->file);
	write_notes(result, out->file);
	hwlat_table_lengths(&result->analysis, out);
	write_answer(result, out->file);
	write_verdict(result, out->file);
	hwlat_table_advice(result, out);
}
