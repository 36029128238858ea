// SPDX-License-Identifier: MIT
/*
 * The boot as metrics. OpenMetrics 1.0 that node_exporter's older parser takes as well: no times
 * of samples, and gauges only, since the two disagree on how a counter is called.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/boot_out.h"

/* Firmware and users choose names; a label's value escapes these three. */
static void put_label(const char *name, const char *value, FILE *file)
{
	fprintf(file, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			fputc('\\', file);
		fputc(*value == '\n' ? ' ' : *value, file);
	}
	fputc('"', file);
}

static void put_seconds(uint64_t ns, FILE *file)
{
	fprintf(file, " %" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void put_family(const char *name, const char *help, FILE *file)
{
	fprintf(file, "# TYPE %s gauge\n# UNIT %s seconds\n# HELP %s %s\n", name, name, name, help);
}

static const char *source_of(const struct timeline_entry *entry)
{
	return entry->of_stamps ? "firmware" : entry->source;
}

static void put_entry(const struct timeline_entry *entry, unsigned int nth, FILE *file)
{
	fputs("hadal_boot_span_seconds{", file);
	put_label("span", entry->name, file);
	fputc(',', file);
	put_label("source", source_of(entry), file);
	fprintf(file, ",number=\"%u\",doubtful=\"%u\"}", nth, entry->doubtful != NULL);
	put_seconds(entry->length, file);
}

static int compare_names(const void *pa, const void *pb)
{
	const struct timeline_entry *const *a = pa, *const *b = pb;
	int order = strcmp(source_of(*a), source_of(*b));

	if (order == 0)
		order = strcmp((*a)->name, (*b)->name);
	return order ? order : *a < *b ? -1 : *a > *b;
}

static bool same_name(const struct timeline_entry *a, const struct timeline_entry *b)
{
	return strcmp(a->name, b->name) == 0 && strcmp(source_of(a), source_of(b)) == 0;
}

/* The same labels twice would be an error: spans of one name are numbered from 1 on. */
static int put_entries(const struct timeline *line, FILE *file)
{
	const struct timeline_entry **sorted = calloc(line->entry_count + 1, sizeof(*sorted));
	unsigned int nth = 0;
	size_t count = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < line->entry_count; i++)
		if (line->entries[i].axis != AXIS_TICKS)
			sorted[count++] = &line->entries[i];
	qsort(sorted, count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < count; i++) {
		nth = i && same_name(sorted[i - 1], sorted[i]) ? nth + 1 : 1;
		put_entry(sorted[i], nth, file);
	}
	free(sorted);
	return 0;
}

static int write_openmetrics(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;
	int ret;

	put_family("hadal_boot_span_seconds", "Length of a part of the boot.", out->file);
	ret = put_entries(line, out->file);
	if (line->ends[AXIS_MAIN]) {
		put_family("hadal_boot_total_seconds",
			   "From the counter's zero to the end of the last span.", out->file);
		fputs("hadal_boot_total_seconds", out->file);
		put_seconds(line->ends[AXIS_MAIN], out->file);
	}
	if (boot->has_kernel_zero) {
		put_family("hadal_boot_kernel_start_seconds",
			   "From the counter's zero to the kernel's.", out->file);
		fputs("hadal_boot_kernel_start_seconds", out->file);
		put_seconds((uint64_t)boot->kernel_zero_ns, out->file);
	}
	if (boot->has_companion)
		fprintf(out->file,
			"# TYPE hadal_boot_dropped_stamps gauge\n"
			"# HELP hadal_boot_dropped_stamps Stamps that did not fit.\n"
			"hadal_boot_dropped_stamps %u\n",
			boot->dropped);
	fputs("# EOF\n", out->file);
	return ret;
}

const struct boot_writer boot_writer_openmetrics = {
	.name = "openmetrics",
	.plain = true,
	.needs_time = true,
	.write = write_openmetrics,
};
