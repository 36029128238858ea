// SPDX-License-Identifier: MIT
/* The boot as a page: the time line, the stamps, the sources, the damage. */
#include <inttypes.h>
#include <string.h>

#include "report/boot_out.h"
#include "report/html.h"

void boot_format_time(char text[32], enum timeline_axis axis, uint64_t time)
{
	uint64_t us = time / 1000 + (time % 1000 >= 500);

	if (axis == AXIS_TICKS)
		snprintf(text, 32, "%" PRIu64, time);
	else
		snprintf(text, 32, "%" PRIu64 ".%03" PRIu64, us / 1000, us % 1000);
}

/* A name that is cut off ends with a whole character. */
void boot_format_name(char *name, size_t size, const struct timeline_entry *entry)
{
	size_t len;

	if (entry->of_stamps)
		snprintf(name, size, "%s%s", entry->is_event ? "→ " : "", entry->name);
	else
		snprintf(name, size, "%s (%s)", entry->name, entry->source);
	len = strlen(name);
	if (len + 1 < size)
		return;
	while (len && ((unsigned char)name[len - 1] & 0xc0) == 0x80)
		len--;
	if (len && (unsigned char)name[len - 1] >= 0xc0)
		len--;
	name[len] = '\0';
}

static void put_bar(const struct timeline_entry *entry, const struct report_out *out)
{
	char start[32], length[32], text[96], name[256];

	boot_format_time(start, entry->axis, entry->start);
	boot_format_time(length, entry->axis, entry->length);
	snprintf(text, sizeof(text), "%s at %s %s", length, start,
		 entry->axis == AXIS_TICKS ? "ticks" : "ms");
	boot_format_name(name, sizeof(name), entry);
	html_bar(name, entry->depth, entry->of_stamps ? "stamps" : "other", entry->start,
		 entry->length, text, entry->doubtful, out);
}

static void put_axis(const struct timeline *line, enum timeline_axis axis, const char *heading,
		     const struct report_out *out)
{
	bool any = false;

	for (size_t i = 0; i < line->entry_count; i++) {
		if (line->entries[i].axis != axis)
			continue;
		if (!any)
			html_timeline_begin(heading, line->ends[axis],
					    axis == AXIS_TICKS ? "ticks" : "ms",
					    axis == AXIS_TICKS ? 1 : 1000000, out);
		any = true;
		put_bar(&line->entries[i], out);
	}
	if (any)
		html_timeline_end(out);
}

static void put_summary(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;
	char text[32];

	fputs("<p>", out->file);
	if (boot->has_stamps)
		fprintf(out->file, "%zu timestamp%s from a %s. ", boot->stamps.count,
			report_plural(boot->stamps.count), boot->source);
	if (line->ends[AXIS_MAIN]) {
		boot_format_time(text, AXIS_MAIN, line->ends[AXIS_MAIN]);
		fprintf(out->file, "%s ms from %s to the end of the last span. ", text,
			line->shifted ? "the earliest stamp" : "the counter's zero");
	}
	if (line->khz) {
		fprintf(out->file, "Counter: %u.%03u MHz, from: ", line->khz / 1000,
			line->khz % 1000);
		html_text(line->khz_from, out);
		fputc('.', out->file);
	} else if (boot->has_stamps) {
		fputs("The counter's frequency is unknown, so times are in ticks.", out->file);
	}
	fputs("</p>\n<p class=\"dim\">Solid bars are firmware's stamps, hatched ones other "
	      "sources, dashed ones doubtful. An arrow is the time that led up to an "
	      "event.</p>\n",
	      out->file);
}

static void put_stamp(const struct timeline *line, size_t i, const struct report_out *out)
{
	const struct timeline_row *row = &line->rows[i];
	enum timeline_axis axis = line->khz ? AXIS_MAIN : AXIS_TICKS;
	uint64_t at = line->khz ? (uint64_t)timeline_ns(line, row->at) : row->at;
	uint64_t before = i ? line->rows[i - 1].at : row->at;
	uint64_t step = row->at - before;
	char time[32], length[32], buf[16];

	if (line->khz)
		step = (uint64_t)timeline_ns(line, step);
	boot_format_time(time, axis, at);
	boot_format_time(length, axis, step);
	fprintf(out->file, "<tr><td class=\"n\">%" PRIu32 "</td><td>", row->id);
	html_text(timeline_row_label(line, row, buf), out);
	fprintf(out->file, "</td><td class=\"n\">%s</td><td class=\"n\">%s</td></tr>\n", time,
		length);
}

static void put_stamps(const struct timeline *line, const struct report_out *out)
{
	const char *unit = line->khz ? "ms" : "ticks";

	if (!line->boot->has_stamps)
		return;
	fprintf(out->file,
		"<section>\n<h2>Stamps</h2>\n<div class=\"scroll\"><table>\n<tr><th "
		"class=\"n\">ID</th><th>Event</th><th class=\"n\">Time (%s)</th><th "
		"class=\"n\">Step (%s)</th></tr>\n",
		unit, unit);
	for (size_t i = 0; i < line->row_count; i++)
		put_stamp(line, i, out);
	fputs("</table></div>\n</section>\n", out->file);
}

static void put_sources(const struct hadal_boot *boot, const struct report_out *out)
{
	if (!boot->source_count)
		return;
	fputs("<section>\n<h2>Sources</h2>\n<table>\n<tr><th>Source</th><th>Used</th>"
	      "<th>Why</th></tr>\n",
	      out->file);
	for (size_t i = 0; i < boot->source_count; i++) {
		const struct hadal_boot_source *source = &boot->sources[i];

		fprintf(out->file, "<tr><td>%s</td><td>%s</td><td>", source->name,
			source->used ? "yes" : "no");
		html_text(source->finding.reason, out);
		if (*source->finding.next) {
			fputs("<br>", out->file);
			html_text(source->finding.next, out);
		}
		fputs("</td></tr>\n", out->file);
	}
	fputs("</table>\n</section>\n", out->file);
}

static int write_html(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;
	char heading[224];

	html_begin("Where the boot went", out);
	put_summary(line, out);
	html_list("Damage", boot->damage.at, boot->damage.count, out);
	put_axis(line, AXIS_TICKS, "Firmware, in ticks", out);
	put_axis(line, AXIS_MAIN, "Time line", out);
	snprintf(heading, sizeof(heading), "From the kernel's own zero, since %s",
		 *boot->apart ? boot->apart : "the clocks cannot be related");
	put_axis(line, AXIS_KERNEL, heading, out);
	put_stamps(line, out);
	put_sources(boot, out);
	html_list("Notes", boot->notes.at, boot->notes.count, out);
	html_end(out);
	return 0;
}

const struct boot_writer boot_writer_html = {
	.name = "html",
	.plain = true,
	.write = write_html,
};
