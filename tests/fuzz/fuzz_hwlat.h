/* SPDX-License-Identifier: MIT */
/* What the hwlat targets share: whatever was read, it is analysed, and every writer can write it. */
#ifndef HADAL_TESTS_FUZZ_HWLAT_H
#define HADAL_TESTS_FUZZ_HWLAT_H

#include <stdio.h>
#include <stdlib.h>

#include "report/hwlat_in.h"
#include "report/hwlat_out.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads, understands, and writes in every format into nothing. */
static inline void fuzz_hwlat(const uint8_t *data, size_t size)
{
	static const struct hwlat_in_options options = { .max_records = 1000, .limit_ns = 1000 };
	static struct report_out out = { .width = 80, .color = true, .utf8 = true };
	static struct hwlat_result result;
	const struct hwlatdetect detect = { .smi_counts = true };
	struct hadal_lines damage = { 0 };

	if (!out.file)
		out.file = fopen("/dev/null", "w");
	if (hwlat_in_read(&result, &options, data, size, &damage) == 0) {
		if (hwlat_result_analyse(&result))
			abort();
		hwlat_write_table(&result, &out, true);
		hwlat_write_json(&result, &out);
		hwlat_write_hist(&result, &out);
		hwlat_write_perfetto(&result, &out);
		hwlat_write_openmetrics(&result, &out);
		hwlat_write_html(&result, &out);
		hwlatdetect_head(&detect, &result, &out);
		hwlatdetect_tail(&detect, &result, &out, true);
	}
	hwlat_result_free(&result);
	for (size_t i = 0; i < damage.count; i++)
		free(damage.at[i]);
	free(damage.at);
}

#endif
