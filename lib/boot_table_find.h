/* SPDX-License-Identifier: MIT */
/* Finds firmware's tables in physical memory, and gathers the few pieces that are read. */
#ifndef HADAL_LIB_BOOT_TABLE_FIND_H
#define HADAL_LIB_BOOT_TABLE_FIND_H

#include "lib/boot_gather.h"
#include "lib/boot_memory.h"

/*
 * Gathers the coreboot table at @address, through forward records, and the entries it names.
 * Returns 0, or -errno after setting @finding: -ENOENT if no table is there.
 */
int boot_table_gather(const struct boot_memory *mem, uint64_t address, struct boot_gather *gather,
		      struct finding *finding);

/*
 * The address of a coreboot table: where x86 firmware puts its first, or else where the kernel has
 * coreboot's ACPI device. -ENOENT or -errno after setting @finding.
 */
int boot_table_search(const struct boot_memory *mem, uint64_t *address, struct finding *finding);

/* Reads the gathered table into @boot, for a source's read(): 1, 0 or -ENOMEM. */
int boot_table_read(const struct boot_gather *gather, struct hadal_boot *boot,
		    struct finding *finding);

/*
 * The table's address in a device tree's `reg` property, which holds the ranges of the table and
 * of CBMEM. Firmware wrote it with cells of its own that the tree does not tell, so sizes mean
 * nothing; the address is right in every reading that makes sense. -EBADMSG: none does.
 */
int boot_devicetree_table(const uint8_t *reg, size_t len, uint64_t *address);

#endif
