// SPDX-License-Identifier: MIT
/* A timestamp table, or whatever else a short dump turns out to be. */
#include <string.h>

#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hadal_boot boot = { 0 };

	hadal_boot_read_image(&boot, data, size, NULL);
	fuzz_show(&boot);
	return 0;
}
