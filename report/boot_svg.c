// SPDX-License-Identifier: MIT
/* The boot as a picture: a row for each span, one time line below the other for clocks apart. */
#include <inttypes.h>

#include "report/boot_out.h"
#include "report/html.h"

/* In the picture's own units: where names, bars and times are, and how high a row is. */
enum { WIDTH = 1200, MARGIN = 12, INDENT = 12, BARS = 380, BARS_WIDTH = 560, ROW = 20, HEAD = 44 };

static const char style[] =
	"text{font:13px system-ui,sans-serif;fill:#1c2430}.head{font-weight:bold}"
	".time{text-anchor:end}.stamps{fill:#2f6fb2}.other{fill:#8a5a00}.bad{fill:none;"
	"stroke:#b3261e;stroke-dasharray:4 2}.page{fill:#fff}"
	"@media (prefers-color-scheme:dark){text{fill:#e4e8ee}.stamps{fill:#6aa5e8}"
	".other{fill:#e0ab52}.bad{stroke:#ff8a80}.page{fill:#12161c}}";

static const char *const headings[AXES] = {
	[AXIS_MAIN] = "Where the boot went, in milliseconds",
	[AXIS_KERNEL] = "From the kernel's own zero, in milliseconds",
	[AXIS_TICKS] = "Firmware, in ticks",
};

static size_t count_rows(const struct timeline *line, enum timeline_axis axis)
{
	size_t count = 0;

	for (size_t i = 0; i < line->entry_count; i++)
		count += line->entries[i].axis == axis;
	return count;
}

/* A part of the bars' width in thousandths; what is longer than the line is cut off. */
static unsigned int scaled(uint64_t part, uint64_t whole)
{
	if (part > whole)
		part = whole;
	return whole ? (unsigned int)((unsigned __int128)part * BARS_WIDTH * 1000 / whole) : 0;
}

static void put_bar(const struct timeline_entry *entry, uint64_t whole, size_t y,
		    const struct report_out *out)
{
	unsigned int start = scaled(entry->start, whole);
	unsigned int end = scaled(entry->start + entry->length, whole);
	unsigned int width = end - start > 1000 ? end - start : 1000;

	fprintf(out->file,
		"<rect class=\"%s\" x=\"%u.%03u\" y=\"%zu\" width=\"%u.%03u\" height=\"12\"/>\n",
		entry->doubtful	 ? "bad" :
		entry->of_stamps ? "stamps" :
				   "other",
		BARS + start / 1000, start % 1000, y + 4, width / 1000, width % 1000);
}

static void put_row(const struct timeline_entry *entry, uint64_t whole, size_t y,
		    const struct report_out *out)
{
	char start[32], length[32], name[256];

	boot_format_time(start, entry->axis, entry->start);
	boot_format_time(length, entry->axis, entry->length);
	boot_format_name(name, sizeof(name), entry);
	fputs("<g><title>", out->file);
	html_text(name, out);
	fprintf(out->file, ": %s at %s", length, start);
	if (entry->doubtful) {
		fputs(", doubtful: ", out->file);
		html_text(entry->doubtful, out);
	}
	fprintf(out->file, "</title>\n<text x=\"%u\" y=\"%zu\" clip-path=\"url(#names)\">",
		MARGIN + INDENT * (entry->depth < 10 ? entry->depth : 10), y + 14);
	html_text(name, out);
	fputs("</text>\n", out->file);
	put_bar(entry, whole, y, out);
	fprintf(out->file, "<text class=\"time\" x=\"%d\" y=\"%zu\">%s at %s</text></g>\n",
		WIDTH - MARGIN, y + 14, length, start);
}

/* Returns where the next one goes. */
static size_t put_axis(const struct timeline *line, enum timeline_axis axis, size_t y,
		       const struct report_out *out)
{
	if (!count_rows(line, axis))
		return y;
	fprintf(out->file, "<text class=\"head\" x=\"%d\" y=\"%zu\">%s</text>\n", MARGIN,
		y + HEAD - ROW, headings[axis]);
	y += HEAD;
	for (size_t i = 0; i < line->entry_count; i++) {
		if (line->entries[i].axis != axis)
			continue;
		put_row(&line->entries[i], line->ends[axis], y, out);
		y += ROW;
	}
	return y;
}

static int write_svg(const struct timeline *line, const struct report_out *out)
{
	size_t height = MARGIN, y = 0;

	for (unsigned int axis = 0; axis < AXES; axis++)
		if (count_rows(line, axis))
			height += HEAD + ROW * count_rows(line, axis);
	fprintf(out->file,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %zu\" width=\"%d\" "
		"height=\"%zu\">\n<title>Where the boot went</title>\n<style>%s</style>\n"
		"<clipPath id=\"names\"><rect width=\"%d\" height=\"%zu\"/></clipPath>\n"
		"<rect class=\"page\" width=\"%d\" height=\"%zu\"/>\n",
		WIDTH, height, WIDTH, height, style, BARS - MARGIN, height, WIDTH, height);
	y = put_axis(line, AXIS_TICKS, y, out);
	y = put_axis(line, AXIS_MAIN, y, out);
	put_axis(line, AXIS_KERNEL, y, out);
	fputs("</svg>\n", out->file);
	return 0;
}

const struct boot_writer boot_writer_svg = {
	.name = "svg",
	.plain = true,
	.write = write_svg,
};
