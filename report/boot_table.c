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

/* Nanoseconds as microseconds, rounded to the nearest. */
static uint64_t rounded_us(uint64_t ns)
{
	return ns / 1000 + (ns % 1000 >= 500);
}

/* Milliseconds with three decimals, or raw ticks where the frequency is unknown. */
static void put_time(enum timeline_axis axis, uint64_t time, FILE *file)
{
	uint64_t us = rounded_us(time);

	if (axis == AXIS_TICKS)
		fprintf(file, " %*" PRIu64, TIME_COLUMNS - 1, time);
	else
		fprintf(file, " %*" PRIu64 ".%03" PRIu64, TIME_COLUMNS - 5, us / 1000, us % 1000);
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

/* A range by its name; an event, whose row shows the time that led up to it, with an arrow. */
static void put_what(const struct timeline_entry *entry, const struct report_out *out)
{
	size_t left = 2 * TIME_COLUMNS + SHARE_COLUMNS + BAR_COLUMNS + 4;
	unsigned int indent = entry->depth * 2 < 16 ? entry->depth * 2 : 16;
	const char *arrow = !entry->is_event ? "" : out->utf8 ? "→ " : "-> ";
	char label[256];

	if (entry->of_stamps)
		snprintf(label, sizeof(label), "%s%s", arrow, entry->name);
	else
		snprintf(label, sizeof(label), "%s (%s)", entry->name, entry->source);
	fprintf(out->file, "%*s", (int)indent, "");
	put_label(label, out->width > left + indent + 8 ? out->width - left - indent : 8,
		  out->file);
}

static void put_entry(const struct timeline *line, const struct timeline_entry *entry,
		      const struct report_out *out)
{
	uint64_t whole = line->ends[entry->axis];
	uint64_t part = entry->length < whole ? entry->length : whole;
	uint64_t permille = (uint64_t)((unsigned __int128)part * 1000 / (whole ? whole : 1));

	put_time(entry->axis, entry->start, out->file);
	put_time(entry->axis, entry->length, out->file);
	fprintf(out->file, "%*" PRIu64 ".%" PRIu64 "  ", SHARE_COLUMNS - 2, permille / 10,
		permille % 10);
	put_bar(part, whole, out);
	fputs("  ", out->file);
	put_what(entry, out);
	fputc('\n', out->file);
	if (entry->doubtful && (!entry->of_stamps || entry == line->entries))
		fprintf(out->file, "%*s  doubtful: %s\n", TIME_COLUMNS, "", entry->doubtful);
}

static void put_columns(enum timeline_axis axis, const struct report_out *out)
{
	bool ticks = axis == AXIS_TICKS;

	fprintf(out->file, "%*s%*s%*s  %*s  %s\n", TIME_COLUMNS, ticks ? "START" : "START ms",
		TIME_COLUMNS, ticks ? "LENGTH" : "LENGTH ms", SHARE_COLUMNS, "SHARE%",
		(int)BAR_COLUMNS, "", "WHAT");
}

static void put_counter(const struct timeline *line, const struct report_out *out)
{
	if (line->khz && !line->boot->microseconds)
		fprintf(out->file, "Counter: %u.%03u MHz (%s). ", line->khz / 1000,
			line->khz % 1000, line->khz_from);
	fprintf(out->file, "Time 0 is %s.\n\n",
		line->shifted ? "the earliest stamp" : "the counter's zero");
}

static void put_head(const struct timeline *line, const struct report_out *out)
{
	const struct timeline_row *last = &line->rows[line->row_count - 1];
	char buf[16];
	uint64_t us;

	fprintf(out->file, "%zu timestamp%s from a %s", line->boot->stamps.count,
		report_plural(line->boot->stamps.count), line->boot->source);
	if (line->khz) {
		us = rounded_us((uint64_t)timeline_ns(line, last->at));
		fprintf(out->file, ", %" PRIu64 ".%03" PRIu64 " ms to \"%s\"\n", us / 1000,
			us % 1000, timeline_row_label(line, last, buf));
	} else {
		fputs(", in ticks: the counter's frequency is unknown\n", out->file);
	}
	put_counter(line, out);
}

static void put_ticks(const struct timeline *line, uint64_t ticks, FILE *file)
{
	if (line->khz)
		put_time(AXIS_MAIN, (uint64_t)timeline_ns(line, ticks), file);
	else
		put_time(AXIS_TICKS, ticks, file);
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
			put_ticks(line, (uint64_t)at[i].ticks - (uint64_t)at[0].ticks, out->file);
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
		fprintf(out->file, "\n%s, generation %u. %u stamp%s dropped, %u refused.\n",
			boot->resumed ? "Resume" : "Fresh boot", boot->generation, boot->dropped,
			report_plural(boot->dropped), boot->refused);
	put_stamps(&boot->presuspend,
		   "Before the suspend (times among themselves, not part of this boot):", line,
		   out);
	put_stamps(&boot->leftovers,
		   "Left over from an earlier boot (times among themselves, not part of this one):",
		   line, out);
}

/* Spans leave out what lies between the end of one and the start of the next. */
static void put_between(const struct timeline *line, const struct report_out *out)
{
	uint64_t whole = line->rows[line->row_count - 1].at;
	uint64_t shown = line->rows[0].at;

	for (size_t i = 0; i < line->span_count; i++)
		if (!line->spans[i].depth)
			shown += line->rows[line->spans[i].last].at -
				 line->rows[line->spans[i].first].at;
	fprintf(out->file, "\n%*s", TIME_COLUMNS, "");
	put_ticks(line, whole - shown, out->file);
	fputs("  between the spans above\n", out->file);
}

/* The entries that are or are not of the stamps, on one axis or (AXES) on any but the kernel's. */
static void put_entries(const struct timeline *line, bool of_stamps, enum timeline_axis axis,
			const char *head, const struct report_out *out)
{
	size_t count = 0;

	for (size_t i = 0; i < line->entry_count; i++) {
		const struct timeline_entry *entry = &line->entries[i];

		if (entry->of_stamps != of_stamps ||
		    (axis == AXES ? entry->axis == AXIS_KERNEL : entry->axis != axis))
			continue;
		if (!count++) {
			fputs(head, out->file);
			put_columns(entry->axis, out);
		}
		put_entry(line, entry, out);
	}
}

static void put_others(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;
	char head[256];

	put_entries(line, false, AXIS_MAIN,
		    !boot->has_stamps ? "" :
		    line->khz	      ? "\n" :
					"\nFrom the counter's zero, in milliseconds:\n",
		    out);
	snprintf(head, sizeof(head), "%sFrom the kernel's own zero, since %s:\n",
		 line->ends[AXIS_MAIN] || boot->has_stamps ? "\n" : "",
		 *boot->apart ? boot->apart : "the clocks cannot be related");
	put_entries(line, false, AXIS_KERNEL, head, out);
}

static int write_table(const struct timeline *line, const struct report_out *out)
{
	if (line->boot->has_stamps || !line->boot->span_count) {
		put_head(line, out);
		put_entries(line, true, AXES, "", out);
		put_between(line, out);
	} else if (line->ends[AXIS_MAIN]) {
		fputs("No firmware timestamps; the rest of the boot. Time 0 is the counter's "
		      "zero.\n\n",
		      out->file);
	}
	put_others(line, out);
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
