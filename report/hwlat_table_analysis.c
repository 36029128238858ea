// SPDX-License-Identifier: MIT
/* What the analysis of a hwlat run came to, for people. */
#include <inttypes.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

void hwlat_table_periods(const struct hwlat_analysis *analysis, const struct report_out *out)
{
	FILE *file = out->file;
	char every[32], error[32], jitter[32], duration[32], cpus[HWLAT_CPUS_BYTES];

	if (!analysis->period_count)
		return;
	fprintf(file, "%14s %14s %13s %13s %9s %7s  %s\n", "EVERY", "+-", "JITTER", "LENGTH",
		"SEEN", "MISSING", "BY, ON");
	for (size_t i = 0; i < analysis->period_count; i++) {
		const struct hwlat_period *period = &analysis->periods[i];

		fprintf(file, "%14s %14s %13s %13s %9" PRIu64 " %7" PRIu64 "  %s, %s\n",
			hwlat_length(period->period_ns, every),
			hwlat_length(period->error_ns, error),
			hwlat_length(period->jitter_ns, jitter),
			hwlat_length(period->duration_ns, duration), period->seen, period->missing,
			hwlat_cause_name(period->cause), hwlat_cpus_words(&period->cpus, cpus));
	}
	fputc('\n', file);
}

void hwlat_table_lengths(const struct hwlat_analysis *analysis, const struct report_out *out)
{
	FILE *file = out->file;
	char half[32], p90[32], p99[32];

	if (!analysis->longest)
		return;
	fprintf(file, "Half of the gaps are within %s, 90 %% within %s, 99 %% within %s.\n",
		hwlat_length(analysis->median_ns, half), hwlat_length(analysis->p90_ns, p90),
		hwlat_length(analysis->p99_ns, p99));
	if (analysis->per_hour > 0)
		fprintf(file, "That is %s an hour of watching; with 95 %% confidence %s to %s.\n",
			hwlat_rate(analysis->per_hour, half),
			hwlat_rate(analysis->least_per_hour, p90),
			hwlat_rate(analysis->most_per_hour, p99));
	if (analysis->joint)
		fprintf(file,
			"%" PRIu64 " time%s several CPUs were away at once, at most %" PRIu64
			": joined, there %s %" PRIu64 " gap%s.\n",
			analysis->joint, report_plural(analysis->joint), analysis->widest,
			analysis->events == 1 ? "is" : "are", analysis->events,
			report_plural(analysis->events));
}

void hwlat_table_advice(const struct hwlat_result *result, const struct report_out *out)
{
	FILE *file = out->file;
	struct hwlat_advice advice;

	hwlat_advise(result, &advice);
	fprintf(file, "\n%s\n", advice.sentence);
	for (size_t i = 0; i < advice.hint_count; i++)
		fprintf(file, "%s\n", advice.hints[i]);
}
