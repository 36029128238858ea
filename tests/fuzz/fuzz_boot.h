/* SPDX-License-Identifier: MIT */
/* What the boot targets share: whatever was read, every writer must be able to write. */
#ifndef HADAL_TESTS_FUZZ_BOOT_H
#define HADAL_TESTS_FUZZ_BOOT_H

#include <stdio.h>
#include <stdlib.h>

#include "report/boot_in.h"
#include "report/boot_out.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Writes @boot in every format into nothing, and frees it. */
static inline void fuzz_show(struct hadal_boot *boot)
{
	static const struct boot_writer *const writers[] = {
		&boot_writer_table,	  &boot_writer_cbmem, &boot_writer_parseable,
		&boot_writer_folded,	  &boot_writer_json,  &boot_writer_perfetto,
		&boot_writer_openmetrics, &boot_writer_html,  &boot_writer_svg,
	};
	static struct report_out out = { .width = 80, .color = true, .utf8 = true };
	struct timeline line;

	if (!out.file)
		out.file = fopen("/dev/null", "w");
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		if (timeline_init(&line, boot, 0, writers[i]->compatible) < 0)
			abort();
		if (boot->source)
			writers[i]->write(&line, &out);
		timeline_free(&line);
		if (writers[i]->list)
			writers[i]->list(boot, &out);
	}
	hadal_boot_free(boot);
}

#endif
