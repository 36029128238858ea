// SPDX-License-Identifier: MIT
/* Plots of gaps over time and of their lengths. Marks that would cover each other are drawn once. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/html.h"
#include "report/hwlat_html_charts.h"
#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

#define COLUMNS 500
#define ROWS 50

/*
 * struct plot - the picture of one CPU
 * @from_ns, @span_ns: the time axis
 * @low, @high: logarithms of the shortest and the longest length
 * @marks: which cells have a gap, of the cause that is being drawn
 */
struct plot {
	const struct hwlat_result *result;
	const struct report_out *out;
	uint32_t cpu;
	double from_ns, span_ns;
	double low, high;
	bool marks[COLUMNS][ROWS];
};

static int cell(double share, int cells)
{
	const int n = (int)(share * cells);

	return n < 0 ? 0 : n >= cells ? cells - 1 : n;
}

static int column_of(const struct plot *plot, int64_t at_ns)
{
	return cell(((double)at_ns - plot->from_ns) / plot->span_ns, COLUMNS);
}

static int row_of(const struct plot *plot, uint64_t length_ns)
{
	return cell((log((double)length_ns + 1) - plot->low) / (plot->high - plot->low), ROWS);
}

/* Watched time as one rectangle for each run of columns. */
static void draw_windows(const struct plot *plot)
{
	const struct hwlat_result *result = plot->result;
	bool watched[COLUMNS + 1] = { false };
	int start = -1;

	for (size_t i = 0; i < result->window_count; i++) {
		const struct hwlat_window *window = &result->windows[i];
		const int last = column_of(plot, window->start_ns + (int64_t)window->duration_ns);

		if (window->cpu != plot->cpu)
			continue;
		for (int x = column_of(plot, window->start_ns); x <= last; x++)
			watched[x] = true;
	}
	for (int x = 0; x <= COLUMNS; x++) {
		if (watched[x] && start < 0)
			start = x;
		if (watched[x] || start < 0)
			continue;
		fprintf(plot->out->file,
			"<rect class=\"w\" x=\"%d\" y=\"0\" width=\"%d\" height=\"%d\"/>", start,
			x - start, ROWS);
		start = -1;
	}
}

static bool mark_cause(struct plot *plot, enum hwlat_cause cause)
{
	bool any = false;

	memset(plot->marks, 0, sizeof(plot->marks));
	for (size_t i = 0; i < plot->result->record_count; i++) {
		const struct hwlat_gap *gap = &plot->result->records[i];

		if (gap->backward || gap->cpu != plot->cpu || gap->cause != cause)
			continue;
		plot->marks[column_of(plot, gap->start_ns)][row_of(plot, gap->duration_ns)] = true;
		any = true;
	}
	return any;
}

static void draw_marks(const struct plot *plot, enum hwlat_cause cause)
{
	FILE *file = plot->out->file;

	fprintf(file, "<path class=\"dots c%u\" d=\"", (unsigned int)cause);
	for (int x = 0; x < COLUMNS; x++)
		for (int y = 0; y < ROWS; y++)
			if (plot->marks[x][y])
				fprintf(file, "M%d.5 %d.5h0", x, ROWS - 1 - y);
	fputs("\"/>", file);
}

static void draw_plot(struct plot *plot, uint64_t gaps)
{
	char low[32], high[32];
	FILE *file = plot->out->file;

	fputs("<div class=\"plot\"><div class=\"label\"><span><b>", file);
	if (plot->cpu == HWLAT_NO_CPU)
		fputs("unknown CPU", file);
	else
		fprintf(file, "CPU %" PRIu32, plot->cpu);
	fprintf(file,
		"</b><br><span class=\"dim\">%s</span></span><span class=\"dim\">%s</span></div>",
		hwlat_length((uint64_t)exp(plot->high), high),
		hwlat_length((uint64_t)exp(plot->low), low));
	fprintf(file,
		"<svg class=\"chart\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
		"role=\"img\" aria-label=\"%" PRIu64 " gap%s by time and length\">",
		COLUMNS, ROWS, gaps, report_plural(gaps));
	draw_windows(plot);
	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		if (mark_cause(plot, (enum hwlat_cause)i))
			draw_marks(plot, (enum hwlat_cause)i);
	fputs("</svg></div>\n", file);
}

/* All plots have the same axes: a half more at each end, so that no mark is cut. */
static void set_axes(struct plot *plot)
{
	const struct hwlat_result *result = plot->result;
	uint64_t shortest = result->max_ns;
	double to = (double)result->facts.duration_ns;

	for (size_t i = 0; i < result->record_count; i++) {
		const struct hwlat_gap *gap = &result->records[i];

		if (!gap->backward && gap->duration_ns < shortest)
			shortest = gap->duration_ns;
		if ((double)gap->start_ns < plot->from_ns)
			plot->from_ns = (double)gap->start_ns;
		if ((double)gap->start_ns > to)
			to = (double)gap->start_ns;
	}
	plot->span_ns = fmax(to - plot->from_ns, 1);
	plot->low = log((double)shortest / 1.5 + 1);
	plot->high = log((double)result->max_ns * 1.5 + 2);
}

static uint64_t gaps_without_cpu(const struct hwlat_result *result)
{
	uint64_t gaps = 0;

	for (size_t i = 0; i < result->record_count; i++)
		gaps += result->records[i].cpu == HWLAT_NO_CPU;
	return gaps;
}

static void legend(const struct hwlat_result *result, const struct report_out *out)
{
	fputs("<p class=\"legend\">", out->file);
	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		if (result->causes[i])
			fprintf(out->file, "<span><i class=\"key c%u\"></i>%s</span> ", i,
				hwlat_cause_name((enum hwlat_cause)i));
	if (result->window_count)
		fputs("<span><i class=\"key w\"></i>watched</span>", out->file);
	fputs("</p>\n", out->file);
}

void hwlat_html_plots(const struct hwlat_result *result, const struct report_out *out)
{
	struct plot plot = { .result = result, .out = out };
	char from[32], to[32];
	size_t drawn = 0;

	if (!result->gaps)
		return;
	set_axes(&plot);
	fputs("<section>\n<h2>Gaps over time</h2>\n", out->file);
	legend(result, out);
	for (size_t i = 0; i < result->cpu_count && drawn < HWLAT_PLOTS_MAX; i++) {
		if (!result->cpus[i].gaps && result->cpu_count > 4)
			continue;
		plot.cpu = result->cpus[i].cpu;
		draw_plot(&plot, result->cpus[i].gaps);
		drawn++;
	}
	plot.cpu = HWLAT_NO_CPU;
	if (gaps_without_cpu(result))
		draw_plot(&plot, gaps_without_cpu(result));
	fprintf(out->file,
		"<div class=\"plot axis dim\"><span></span><div><span>%s s</span><span>%s s</span></div>"
		"</div>\n</section>\n",
		hwlat_seconds((int64_t)plot.from_ns, from),
		hwlat_seconds((int64_t)(plot.from_ns + plot.span_ns), to));
}

static void draw_bar(const struct histogram *lengths, unsigned int bucket, unsigned int first,
		     uint64_t most, FILE *file)
{
	const double height = 100.0 * (double)lengths->counts[bucket] / (double)most;
	char least[32], end[32];

	fprintf(file,
		"<rect class=\"h\" x=\"%u.1\" y=\"%.2f\" width=\"0.8\" height=\"%.2f\"><title>%s to "
		"%s: %" PRIu64 "</title></rect>",
		bucket - first, 100 - fmax(height, 1), fmax(height, 1),
		hwlat_length(histogram_least(bucket), least),
		hwlat_length(histogram_most(bucket), end), lengths->counts[bucket]);
}

void hwlat_html_histogram(const struct hwlat_result *result, const struct report_out *out)
{
	const struct histogram *lengths = &result->lengths;
	unsigned int first = HISTOGRAM_BUCKETS, last = 0;
	char least[32], end[32];
	uint64_t most = 0;

	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!lengths->counts[i])
			continue;
		first = i < first ? i : first;
		last = i;
		most = lengths->counts[i] > most ? lengths->counts[i] : most;
	}
	if (!most)
		return;
	fprintf(out->file,
		"<section>\n<h2>Lengths</h2>\n<div class=\"plot\"><div class=\"label\"><span "
		"class=\"dim\">%" PRIu64 " gap%s</span><span class=\"dim\">0</span></div>"
		"<svg class=\"chart tall\" viewBox=\"0 0 %u 100\" preserveAspectRatio=\"none\" "
		"role=\"img\" aria-label=\"how many gaps there are of each length\">",
		most, report_plural(most), last - first + 1 < 8 ? 8 : last - first + 1);
	for (unsigned int i = first; i <= last; i++)
		if (lengths->counts[i])
			draw_bar(lengths, i, first, most, out->file);
	fprintf(out->file,
		"</svg></div>\n<div class=\"plot axis dim\"><span></span><div><span>%s</span>"
		"<span>%s</span></div></div>\n</section>\n",
		hwlat_length(histogram_least(first), least),
		hwlat_length(histogram_most(last - first < 7 ? first + 7 : last), end));
}
