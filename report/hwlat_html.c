// SPDX-License-Identifier: MIT
/* A hwlat run as a page: the verdict, the gaps over time, their lengths, causes, periods, CPUs. */
#include <inttypes.h>

#include "report/html.h"
#include "report/hwlat_html_charts.h"
#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

static void put_verdict(const struct hwlat_result *result, const struct report_out *out)
{
	struct hwlat_advice advice;
	char time[32], least[32], most[32], list[HWLAT_CPUS_BYTES];

	hwlat_advise(result, &advice);
	fputs("<p class=\"verdict\">", out->file);
	html_text(advice.sentence, out);
	fputs("</p>\n", out->file);
	for (size_t i = 0; i < advice.hint_count; i++) {
		fputs("<p>", out->file);
		html_text(advice.hints[i], out);
		fputs("</p>\n", out->file);
	}
	fprintf(out->file, "<p class=\"dim\">%s, %s, %s, %s",
		result->source ? result->source : "a run on this machine", result->facts.backend,
		hwlat_cpus_words(&result->config.cpus, list),
		hwlat_length(result->facts.duration_ns, time));
	if (result->config.threshold_us)
		fprintf(out->file, ", gaps over %s",
			hwlat_length(result->config.threshold_us * 1000, time));
	if (result->analysis.per_hour > 0)
		fprintf(out->file, ", %s an hour (95 %%: %s to %s)",
			hwlat_rate(result->analysis.per_hour, time),
			hwlat_rate(result->analysis.least_per_hour, least),
			hwlat_rate(result->analysis.most_per_hour, most));
	fputs(".</p>\n", out->file);
}

static void table_begin(const char *heading, const char *columns, const struct report_out *out)
{
	fprintf(out->file, "<section>\n<h2>%s</h2>\n<div class=\"scroll\"><table>\n<tr>%s</tr>\n",
		heading, columns);
}

static void table_end(const struct report_out *out)
{
	fputs("</table></div>\n</section>\n", out->file);
}

static void put_causes(const struct hwlat_result *result, const struct report_out *out)
{
	if (!result->gaps)
		return;
	table_begin("Causes", "<th>Cause</th><th class=\"n\">Gaps</th><th class=\"n\">Share</th>",
		    out);
	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		if (result->causes[i])
			fprintf(out->file,
				"<tr><td><i class=\"key c%u\"></i>%s</td><td class=\"n\">%" PRIu64
				"</td><td class=\"n\">%.1f %%</td></tr>\n",
				i, hwlat_cause_name((enum hwlat_cause)i), result->causes[i],
				100.0 * (double)result->causes[i] / (double)result->gaps);
	table_end(out);
}

static void put_periods(const struct hwlat_analysis *analysis, const struct report_out *out)
{
	char every[32], error[32], jitter[32], length[32], cpus[HWLAT_CPUS_BYTES];

	if (!analysis->period_count)
		return;
	table_begin(
		"Periods",
		"<th class=\"n\">Every</th><th class=\"n\">&plusmn;</th><th class=\"n\">"
		"Jitter</th><th class=\"n\">Length</th><th class=\"n\">Seen</th><th class=\"n\">"
		"Missing</th><th class=\"n\">Confidence</th><th>By, on</th>",
		out);
	for (size_t i = 0; i < analysis->period_count; i++) {
		const struct hwlat_period *period = &analysis->periods[i];

		fprintf(out->file,
			"<tr><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
			"<td class=\"n\">%s</td><td class=\"n\">%" PRIu64 " of %" PRIu64
			"</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.0f %%</td>"
			"<td class=\"line\">%s, %s</td></tr>\n",
			hwlat_length(period->period_ns, every),
			hwlat_length(period->error_ns, error),
			hwlat_length(period->jitter_ns, jitter),
			hwlat_length(period->duration_ns, length), period->seen, period->of,
			period->missing, 100 * period->confidence, hwlat_cause_name(period->cause),
			hwlat_cpus_words(&period->cpus, cpus));
	}
	table_end(out);
}

static void put_cpus(const struct hwlat_result *result, const struct report_out *out)
{
	char watched[32], smi[32], seen_smi[32], nmi[32], seen_nmi[32];

	table_begin("CPUs",
		    "<th class=\"n\">CPU</th><th class=\"n\">Watched</th><th class=\"n\">Gaps</th>"
		    "<th class=\"n\">SMIs</th><th class=\"n\">in gaps</th><th class=\"n\">NMIs</th>"
		    "<th class=\"n\">in gaps</th>",
		    out);
	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct hwlat_cpu *cpu = &result->cpus[i];

		fprintf(out->file,
			"<tr><td class=\"n\">%u</td><td class=\"n\">%s</td><td class=\"n\">%" PRIu64
			"</td><td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
			"<td class=\"n\">%s</td></tr>\n",
			cpu->cpu,
			cpu->watched_ns == HWLAT_UNKNOWN ? "-" :
							   hwlat_length(cpu->watched_ns, watched),
			cpu->gaps, hwlat_count(cpu->smi, smi), hwlat_count(cpu->seen_smi, seen_smi),
			hwlat_count(cpu->nmi, nmi), hwlat_count(cpu->seen_nmi, seen_nmi));
	}
	table_end(out);
	fputs("<p class=\"dim\">An SMI that stops all CPUs is counted on each: do not add CPUs up. "
	      "&ldquo;-&rdquo; is what nobody can tell.</p>\n",
	      out->file);
}

void hwlat_write_html(const struct hwlat_result *result, const struct report_out *out)
{
	html_begin("Who takes the CPU away", out);
	put_verdict(result, out);
	hwlat_html_plots(result, out);
	hwlat_html_histogram(result, out);
	put_causes(result, out);
	put_periods(&result->analysis, out);
	put_cpus(result, out);
	html_end(out);
}
