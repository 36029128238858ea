/* SPDX-License-Identifier: MIT */
/* The value of an EFI variable that holds a time. */
#ifndef HADAL_LIB_BOOT_EFI_H
#define HADAL_LIB_BOOT_EFI_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads an efivarfs file: 4 bytes of attributes, then decimal digits in UTF-16LE, then perhaps
 * a NUL. -EBADMSG: anything else. -ERANGE: more than 64 bits.
 */
int boot_efi_usec(const uint8_t *bytes, size_t len, uint64_t *usec);

#endif
