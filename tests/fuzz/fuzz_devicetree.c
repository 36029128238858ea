// SPDX-License-Identifier: MIT
/* The coreboot node's property; the input is its bytes. */
#include <stdlib.h>

#include "lib/boot_table_find.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t address;

	/* What it finds is an address that memory can have. */
	if (boot_devicetree_table(data, size, &address) == 0 &&
	    (!address || address % 4 || address >> 52))
		abort();
	return 0;
}
