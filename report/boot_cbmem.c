// SPDX-License-Identifier: MIT
/*
 * What coreboot's cbmem tool prints, byte for byte: -t, -T, -S and -l. Its whole megahertz, its
 * truncated steps and the total that is their sum are part of that.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/boot_out.h"

/* The tool knows whole MHz; where it gives up, below 1 MHz and without any, we do not. */
static uint64_t to_us(const struct timeline *line, uint64_t ticks)
{
	if (!line->khz)
		return ticks;
	if (line->khz < 1000)
		return (uint64_t)((unsigned __int128)ticks * 1000 / line->khz);
	return ticks / (line->khz / 1000);
}

/* Digits in groups of three; @buf holds any 64-bit number. */
static const char *grouped(uint64_t v, char buf[32])
{
	char *p = buf + 31;

	*p = '\0';
	for (unsigned int digits = 0; !digits || v; digits++, v /= 10) {
		if (digits && digits % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + v % 10);
	}
	return p;
}

static const char *label_of(const struct timeline *line, uint32_t id)
{
	const char *name = hadal_boot_name(line->boot, id);
	const struct hadal_boot_id *row = hadal_boot_id_find(id);

	return row ? row->label : name ? name : "<unknown>";
}

/* The tool's idea of the row before the first one. */
static uint64_t before_first(const struct timeline *line)
{
	return line->shifted ? 0 : line->base;
}

static int write_cbmem(const struct timeline *line, const struct report_out *out)
{
	uint64_t previous = before_first(line), total = 0, step;
	char buf[32];

	fprintf(out->file, "%zu entries total:\n\n", line->boot->stamps.count);
	for (size_t i = 0; i < line->row_count; i++) {
		const struct timeline_row *row = &line->rows[i];

		step = to_us(line, row->at - previous);
		fprintf(out->file, "%4d:%-50s", (int32_t)row->id, label_of(line, row->id));
		fputs(grouped(to_us(line, row->at), buf), out->file);
		if (previous)
			fprintf(out->file, " (%s)", grouped(step, buf));
		fputc('\n', out->file);
		previous = row->at;
		total += step;
	}
	fprintf(out->file, "\nTotal Time: %s\n", grouped(total, buf));
	return 0;
}

static int write_parseable(const struct timeline *line, const struct report_out *out)
{
	uint64_t previous = before_first(line);

	for (size_t i = 0; i < line->row_count; i++) {
		const struct timeline_row *row = &line->rows[i];

		fprintf(out->file, "%d\t%" PRIu64 "\t%" PRIu64 "\t%s\n", (int32_t)row->id,
			to_us(line, row->at), to_us(line, row->at - previous),
			label_of(line, row->id));
		previous = row->at;
	}
	return 0;
}

/* A frame's name; the characters that separate frames cannot be part of one. */
static void put_event(const struct timeline *line, uint32_t id, FILE *file)
{
	const struct hadal_boot_id *row = hadal_boot_id_find(id);
	const char *name = row ? row->name : hadal_boot_name(line->boot, id);

	for (name = name ? name : "UNKNOWN"; *name; name++)
		fputc(*name == ';' ? ',' : *name, file);
}

static void put_frame(const struct timeline *line, const struct timeline_span *span, FILE *file)
{
	put_event(line, line->rows[span->is_range ? span->first : span->last].id, file);
	if (span->is_range) {
		fputs(" -> ", file);
		put_event(line, line->rows[span->last].id, file);
	}
}

/* The frames from the outermost range to @span; chain[0] is @span itself. */
static void put_path(const struct timeline *line, const struct timeline_span *span,
		     const struct timeline_span **chain, FILE *file)
{
	size_t n = 0;

	for (;; span = &line->spans[span->parent]) {
		chain[n++] = span;
		if (span->parent < 0)
			break;
	}
	while (n) {
		put_frame(line, chain[--n], file);
		if (n)
			fputc(';', file);
	}
}

static int write_folded(const struct timeline *line, const struct report_out *out)
{
	const struct timeline_span **chain = calloc(line->span_count, sizeof(*chain));

	if (!chain)
		return -ENOMEM;
	for (size_t i = 0; i < line->span_count; i++) {
		const struct timeline_span *span = &line->spans[i];
		uint64_t ticks = line->rows[span->last].at - line->rows[span->first].at;

		put_path(line, span, chain, out->file);
		fprintf(out->file, " %" PRIu64 "\n", to_us(line, ticks));
	}
	free(chain);
	return 0;
}

static int list_cbmem(const struct hadal_boot *boot, const struct report_out *out)
{
	unsigned int n = 0;
	char buf[24];

	fprintf(out->file, "CBMEM table of contents:\n    %-20s  %-8s  %-8s  %-8s\n", "NAME", "ID",
		"START", "LENGTH");
	for (size_t i = 0; i < boot->directory_count; i++) {
		const struct hadal_cbmem_entry *entry = &boot->directory[i];

		if (boot->has_table && !entry->in_table)
			continue;
		fprintf(out->file, "%2u. %-20s  %08x  %08" PRIx64 "  %08x\n", n++,
			hadal_cbmem_label(entry->id, buf), entry->id, entry->address, entry->size);
	}
	return 0;
}

const struct boot_writer boot_writer_cbmem = {
	.name = "cbmem",
	.plain = true,
	.compatible = true,
	.write = write_cbmem,
	.list = list_cbmem,
};

const struct boot_writer boot_writer_parseable = {
	.name = "parseable",
	.plain = true,
	.compatible = true,
	.write = write_parseable,
};

const struct boot_writer boot_writer_folded = {
	.name = "folded",
	.plain = true,
	.compatible = true,
	.write = write_folded,
};
