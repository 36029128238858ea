// SPDX-License-Identifier: MIT
/* Pasted listings, and the same bytes as a names file. */
#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hadal_boot boot = { 0 };

	boot_in_text(&boot, (const char *)data, size);
	boot_in_names(&boot, (const char *)data, size);
	fuzz_show(&boot);
	return 0;
}
