// SPDX-License-Identifier: MIT
/* Documents of our own, and of others. */
#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hadal_boot boot = { 0 };

	boot_in_json(&boot, (const char *)data, size);
	fuzz_show(&boot);
	return 0;
}
