// SPDX-License-Identifier: MIT
/* The lengths of all gaps as a histogram, in text: a line for each bucket from the first to the last. */
#include <inttypes.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

#define BAR_MAX 200

static unsigned int first_used(const struct histogram *lengths)
{
	unsigned int i = 0;

	while (i < HISTOGRAM_BUCKETS && !lengths->counts[i])
		i++;
	return i;
}

static uint64_t largest(const struct histogram *lengths)
{
	uint64_t most = 0;

	for (unsigned int i = 0; i < HISTOGRAM_BUCKETS; i++)
		if (lengths->counts[i] > most)
			most = lengths->counts[i];
	return most;
}

static void write_bar(uint64_t count, uint64_t most, unsigned int width, FILE *file)
{
	const double share = (double)count / (double)most;
	const unsigned int length = (unsigned int)(share * width + 0.5);

	for (unsigned int i = 0; i < length; i++)
		fputc('#', file);
	/* What is there shows, however little. */
	if (count && !length)
		fputc('.', file);
	fputc('\n', file);
}

static void write_lines(const struct hwlat_result *result, unsigned int width, FILE *file)
{
	const struct histogram *lengths = &result->lengths;
	const uint64_t most = largest(lengths);
	char least[32], end[32];
	uint64_t seen = 0;

	fprintf(file, "%12s  %12s %9s %7s\n", "FROM", "TO", "GAPS", "UP TO");
	for (unsigned int i = first_used(lengths); seen < result->gaps; i++) {
		seen += lengths->counts[i];
		fprintf(file, "%12s  %12s %9" PRIu64 " %5.1f %%  ",
			hwlat_length(histogram_least(i), least),
			hwlat_length(histogram_most(i), end), lengths->counts[i],
			100.0 * (double)seen / (double)result->gaps);
		write_bar(lengths->counts[i], most, width, file);
	}
}

void hwlat_write_hist(const struct hwlat_result *result, const struct report_out *out)
{
	const unsigned int width = out->width > 60 ? out->width - 50 : 10;
	char most[32];

	if (!result->gaps) {
		fputs("No gap.\n", out->file);
		return;
	}
	write_lines(result, width < BAR_MAX ? width : BAR_MAX, out->file);
	fprintf(out->file, "\n%" PRIu64 " gap%s, the longest %s.\n", result->gaps,
		report_plural(result->gaps), hwlat_length(result->max_ns, most));
}
