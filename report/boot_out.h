/* SPDX-License-Identifier: MIT */
/* Writers of `hadal boot`: one struct for each output format, and the table of them. */
#ifndef HADAL_REPORT_BOOT_OUT_H
#define HADAL_REPORT_BOOT_OUT_H

#include "report/report.h"
#include "report/timeline.h"

/*
 * struct boot_writer - an output format
 * @name: what --format= calls it
 * @plain: for machines, never coloured
 * @compatible: reproduces coreboot's tool
 * @needs_time: has no way to say ticks
 * @write: writes the boot; 0 or -ENOMEM. Failed writes show on the stream.
 * @list: writes the CBMEM directory, or NULL
 */
struct boot_writer {
	const char *name;
	bool plain;
	bool compatible;
	bool needs_time;
	int (*write)(const struct timeline *line, const struct report_out *out);
	int (*list)(const struct hadal_boot *boot, const struct report_out *out);
};

extern const struct boot_writer boot_writer_table;
extern const struct boot_writer boot_writer_cbmem;
extern const struct boot_writer boot_writer_parseable;
extern const struct boot_writer boot_writer_folded;
extern const struct boot_writer boot_writer_json;
extern const struct boot_writer boot_writer_perfetto;
extern const struct boot_writer boot_writer_openmetrics;
extern const struct boot_writer boot_writer_html;
extern const struct boot_writer boot_writer_svg;

/* For the graphic formats: milliseconds with three decimals, or ticks. */
void boot_format_time(char text[32], enum timeline_axis axis, uint64_t time);

/* For them as well: what an entry is called, with an arrow before an event, its source behind. */
void boot_format_name(char *name, size_t size, const struct timeline_entry *entry);

#endif
