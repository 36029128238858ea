// SPDX-License-Identifier: MIT
/*
 * Any text as an availability expression. Whatever is said of a device that is known in part has
 * to hold for the same device known in full.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/oa_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same(struct hadal_oa_value a, struct hadal_oa_value b)
{
	/* Bits, not numbers: a real may be no number at all. */
	return a.kind == b.kind && memcmp(&a.integer, &b.integer, sizeof(a.integer)) == 0;
}

static void fill(struct hadal_oa_device *device, uint64_t value)
{
	for (int i = 0; i < HADAL_OA_VARIABLES; i++) {
		device->variables[i].kind = HADAL_OA_INTEGER;
		device->variables[i].integer = value;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t raw[HADAL_OA_RAW_VALUES];
	static struct hadal_oa_device device;
	struct hadal_oa_value partly, fully;
	struct hadal_oa_program program;
	struct hadal_oa_file *pub;
	char why[160];
	char *text;

	if (hadal_oa_parse("e", "<metrics/>", 10, &pub) != 0)
		abort();
	text = oa_file_text(oa_file_of(pub), (const char *)data, size);
	program = oa_equation_compile(oa_file_of(pub), NULL, text, why, sizeof(why));
	for (uint64_t value = 0; program.count && value < 4; value++) {
		fill(&device, value);
		fully = hadal_oa_run(pub, program, &device, raw, NULL);
		for (int i = 0; i < HADAL_OA_VARIABLES; i += 2)
			device.variables[i].kind = HADAL_OA_UNKNOWN;
		partly = hadal_oa_run(pub, program, &device, raw, NULL);
		if (fully.kind == HADAL_OA_UNKNOWN)
			abort();
		if (partly.kind != HADAL_OA_UNKNOWN && !same(partly, fully))
			abort();
	}
	hadal_oa_free(pub);
	return 0;
}
