// SPDX-License-Identifier: MIT
/* The boot for people: each span with its start, its length, its share and a bar. */
#include <inttypes.h>
#include <string.h>

#include "report/boot_out.h"

#define BAR_COLUMNS 14u
#define TIME_COLUMNS 12
#define SHARE_COLUMNS 7

/* Eighths of a cell, for bars that are finer than a column. */
static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };

/* Microseconds, rounded to the nearest. */
static int64_t rounded_us(const struct timeline *line, uint64_t ticks)
{
	int64_t ns = timeline_ns(line, ticks);

	return ns / 1000 + (ns % 1000 >= 500);
}

/* Milliseconds with three decimals, or raw ticks where the frequency is unknown. */
static void put_time(const struct timeline *line, uint64_t ticks, FILE *file)
{
	int64_t us;

	if (!line->khz) {
		fprintf(file, "%*" PRIu64, TIME_COLUMNS, ticks);
		return;
	}
	us = rounded_us(line, ticks);
	fprintf(file, "%*" PRId64 ".%03" PRId64, TIME_COLUMNS - 4, us / 1000, us % 1000);
}

static void put_bar(uint64_t part, uint64_t whole, const struct report_out *out)
{
	uint64_t cells =
		(uint64_t)((unsigned __int128)part * BAR_COLUMNS * 8 / (whole ? whole : 1));
	unsigned int columns = (unsigned int)(cells / 8);
	unsigned int used = columns;

	if (out->color)
		fputs("\033[36m", out->file);
	for (unsigned int i = 0; i < columns; i++)
		fputs(out->utf8 ? "█" : "#", out->file);
	if (out->utf8 && cells % 8) {
		fputs(eighths[cells % 8], out->file);
		used++;
	}
	if (out->color)
		fputs("\033[0m", out->file);
	fprintf(out->file, "%*s", (int)(BAR_COLUMNS - used), "");
}

/* A label in at most @room columns; cut at a character's start. */
static void put_label(const char *label, size_t room, FILE *file)
{
	size_t columns = 0;

	for (; *label; label++) {
		if (((unsigned char)*label & 0xc0) != 0x80 && columns++ == room)
			break;
		fputc(*label, file);
	}
}

static void put_row(const struct timeline *line, uint64_t start, uint64_t ticks, uint64_t whole,
		    unsigned int depth, const char *label, const struct report_out *out)
{
	uint64_t permille = (uint64_t)((unsigned __int128)ticks * 1000 / (whole ? whole : 1));
	size_t left = 2 * TIME_COLUMNS + SHARE_COLUMNS + BAR_COLUMNS + 4;
	unsigned int indent = depth * 2 < 16 ? depth * 2 : 16;

	put_time(line, start, out->file);
	put_time(line, ticks, out->file);
	fprintf(out->file, "%*" PRIu64 ".%" PRIu64 "  ", SHARE_COLUMNS - 2, permille / 10,
		permille % 10);
	put_bar(ticks, whole, out);
	fprintf(out->file, "  %*s", (int)indent, "");
	put_label(label, out->width > left + indent + 8 ? out->width - left - indent : 8,
		  out->file);
	fputc('\n', out->file);
}

static void put_head(const struct timeline *line, const struct report_out *out)
{
	const struct timeline_row *last = &line->rows[line->row_count - 1];
	char buf[16];
	int64_t us;

	fprintf(out->file, "%zu timestamps from a %s", line->boot->stamps.count,
		line->boot->source);
	if (line->khz) {
		us = rounded_us(line, last->at);
		fprintf(out->file, ", %" PRId64 ".%03" PRId64 " ms to \"%s\"\n", us / 1000,
			us % 1000, timeline_row_label(line, last, buf));
		if (!line->boot->microseconds)
			fprintf(out->file, "Counter: %u.%03u MHz (%s). ", line->khz / 1000,
				line->khz % 1000, line->khz_from);
	} else {
		fputs(", in ticks: the counter's frequency is unknown\n", out->file);
	}
	fprintf(out->file, "Time 0 is %s.\n\n",
		line->shifted ? "the earliest stamp" : "the counter's zero");
	fprintf(out->file, "%*s%*s%*s  %*s  %s\n", TIME_COLUMNS, line->khz ? "START ms" : "START",
		TIME_COLUMNS, line->khz ? "LENGTH ms" : "LENGTH", SHARE_COLUMNS, "SHARE%",
		(int)BAR_COLUMNS, "", "WHAT");
}

static void put_stamps(const struct hadal_stamps *stamps, const char *head,
		       const struct timeline *line, const struct report_out *out)
{
	const struct hadal_stamp *at = stamps->at;
	struct timeline_row row = { 0 };
	char buf[16];

	if (!stamps->count)
		return;
	fprintf(out->file, "\n%s\n", head);
	for (size_t i = 0; i < stamps->count; i++) {
		row.id = at[i].id;
		if (at[i].ticks >= at[0].ticks) {
			put_time(line, (uint64_t)at[i].ticks - (uint64_t)at[0].ticks, out->file);
		} else {
			fprintf(out->file, "%*s", TIME_COLUMNS, "earlier");
		}
		fprintf(out->file, "  %s\n", timeline_row_label(line, &row, buf));
	}
}

static void put_tail(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;

	if (boot->has_companion)
		fprintf(out->file, "\n%s, generation %u. %u stamps dropped, %u refused.\n",
			boot->resumed ? "Resume" : "Fresh boot", boot->generation, boot->dropped,
			boot->refused);
	put_stamps(&boot->presuspend,
		   "Before the suspend (times among themselves, not part of this boot):", line,
		   out);
	put_stamps(&boot->leftovers,
		   "Left over from an earlier boot (times among themselves, not part of this one):",
		   line, out);
}

/* A range by its name; an event, whose row shows the time that led up to it, with an arrow. */
static void put_span(const struct timeline *line, const struct timeline_span *span, uint64_t whole,
		     const struct report_out *out)
{
	uint64_t start = line->rows[span->first].at;
	const char *arrow = span->is_range ? "" : out->utf8 ? "→ " : "-> ";
	char label[256], buf[16];

	snprintf(label, sizeof(label), "%s%s", arrow, timeline_span_label(line, span, buf));
	put_row(line, start, line->rows[span->last].at - start, whole, span->depth, label, out);
}

/* Spans leave out what lies between the end of one and the start of the next. */
static void put_between(const struct timeline *line, uint64_t whole, uint64_t shown,
			const struct report_out *out)
{
	fprintf(out->file, "\n%*s", TIME_COLUMNS, "");
	put_time(line, whole - shown, out->file);
	fputs("  between the spans above\n", out->file);
}

static int write_table(const struct timeline *line, const struct report_out *out)
{
	uint64_t whole = line->rows[line->row_count - 1].at;
	uint64_t shown = line->rows[0].at;

	put_head(line, out);
	if (shown)
		put_row(line, 0, shown, whole, 0, "before the first stamp", out);
	for (size_t i = 0; i < line->span_count; i++) {
		const struct timeline_span *span = &line->spans[i];

		put_span(line, span, whole, out);
		if (!span->depth)
			shown += line->rows[span->last].at - line->rows[span->first].at;
	}
	put_between(line, whole, shown, out);
	put_tail(line, out);
	return 0;
}

static int list_table(const struct hadal_boot *boot, const struct report_out *out)
{
	char buf[24];

	fprintf(out->file, "%-20s  %-8s  %-16s  %10s  %s\n", "NAME", "ID", "START", "BYTES",
		"LISTED BY");
	for (size_t i = 0; i < boot->directory_count; i++) {
		const struct hadal_cbmem_entry *entry = &boot->directory[i];

		fprintf(out->file, "%-20s  %08x  ", hadal_cbmem_label(entry->id, buf), entry->id);
		if (entry->has_address)
			fprintf(out->file, "%016" PRIx64, entry->address);
		else
			fprintf(out->file, "%-16s", "unknown");
		fprintf(out->file, "  %10u  %s%s%s\n", entry->size,
			entry->in_table ? "coreboot table" : "",
			entry->in_table && entry->in_directory ? ", " : "",
			entry->in_directory ? "directory" : "");
	}
	return 0;
}

const struct boot_writer boot_writer_table = {
	.name = "table",
	.write = write_table,
	.list = list_table,
};
