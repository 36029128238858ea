/* SPDX-License-Identifier: MIT */
/* ACPI tables: QEMU's, put in place as it says, and one of our own. */
#ifndef HADAL_BOARD_ACPI_H
#define HADAL_BOARD_ACPI_H

#include <stddef.h>
#include <stdint.h>

/* CBMEM entries: the tables, and a u32 that says where the FACS is among them. */
#define CBMEM_ID_ACPI 0x41435049u
#define CBMEM_ID_RESUME 0x5245534du

/*
 * Loads QEMU's tables into CBMEM and the BIOS area (acpi_loader.c), adds the table that makes the
 * kernel look for the coreboot table in the @bytes bytes at @coreboot_table, and remembers where
 * the FACS is. Returns the address of the RSDP.
 */
uint32_t acpi_init(uint32_t coreboot_table, uint32_t bytes);

/* On a resume: where the boot before left the FACS, which holds the waking vector. 0: unknown. */
uint32_t acpi_facs(void);

/* Runs QEMU's table loader; returns the address of the RSDP. */
uint32_t acpi_load(void);

/* @bytes bytes for one more table, zero, in the same memory. */
void *acpi_take(uint32_t bytes, uint32_t align);

/* What makes all @bytes bytes at @from add up to 0, if its byte was 0. */
uint8_t acpi_checksum(const void *from, size_t bytes);

#endif
