// SPDX-License-Identifier: MIT
/* CBMEM's directory and all that is found through it; the input is the top of a CBMEM area. */
#include <string.h>

#include "core/cbmem_abi.h"
#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hadal_boot boot = { 0 };
	size_t len = (size + CBMEM_ROOT_BLOCK - 1) & ~(size_t)(CBMEM_ROOT_BLOCK - 1);
	uint8_t *area = calloc(1, len + !len);

	if (!area)
		return 0;
	memcpy(area + len - size, data, size);
	hadal_boot_read_image(&boot, area, len, NULL);
	free(area);
	fuzz_show(&boot);
	return 0;
}
