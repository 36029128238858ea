// SPDX-License-Identifier: MIT
/* A boot loader's EFI variable; the input is the file. */
#include <stdlib.h>

#include "lib/boot_efi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t usec;

	/* A number has at least a digit behind the attributes. */
	if (boot_efi_usec(data, size, &usec) == 0 && size < 6)
		abort();
	return 0;
}
