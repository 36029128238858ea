// SPDX-License-Identifier: MIT
/* A number out of an EFI variable. */
#include <errno.h>

#include "core/load.h"
#include "lib/boot_efi.h"

#define ATTRIBUTE_BYTES 4u

int boot_efi_usec(const uint8_t *bytes, size_t len, uint64_t *usec)
{
	size_t pos = ATTRIBUTE_BYTES;
	unsigned int digit, digits = 0;

	*usec = 0;
	for (; pos < len && len - pos >= 2; pos += 2, digits++) {
		digit = load_le16(bytes + pos) - (unsigned int)'0';
		if (digit > 9)
			break;
		if (__builtin_mul_overflow(*usec, 10, usec) ||
		    __builtin_add_overflow(*usec, digit, usec))
			return -ERANGE;
	}
	if (!digits || (pos < len && (len - pos < 2 || load_le16(bytes + pos))))
		return -EBADMSG;
	return 0;
}
