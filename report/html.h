/* SPDX-License-Identifier: MIT */
/*
 * One self-contained page: no network, no fonts, nothing but itself. The frame, the style, the
 * time line's zoom and the escaping are here; a report writes what is between.
 */
#ifndef HADAL_REPORT_HTML_H
#define HADAL_REPORT_HTML_H

#include "report/report.h"

/* Starts the page; its heading is the title. */
void html_begin(const char *title, const struct report_out *out);
void html_end(const struct report_out *out);

/* Writes text that others chose, escaped; what HTML forbids is left out. */
void html_text(const char *text, const struct report_out *out);

/*
 * A time line of @whole units, to be filled with bars. @unit is what a unit is called in the axis
 * above it, @per_unit how many make one of those: "ms", 1000000 for nanoseconds.
 */
void html_timeline_begin(const char *heading, uint64_t whole, const char *unit,
			 unsigned int per_unit, const struct report_out *out);
void html_timeline_end(const struct report_out *out);

/*
 * A bar: @name, @depth bars around it, of a @group that has a colour and a legend of its own. @text
 * says its times; @remark, or NULL, is shown with it and marks the bar.
 */
void html_bar(const char *name, unsigned int depth, const char *group, uint64_t start,
	      uint64_t length, const char *text, const char *remark, const struct report_out *out);

/* A list under a heading; nothing if there are no lines. */
void html_list(const char *heading, char *const *lines, size_t count, const struct report_out *out);

#endif
