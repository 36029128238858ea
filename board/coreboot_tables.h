/* SPDX-License-Identifier: MIT */
/* The coreboot table: how an operating system finds what is in CBMEM. */
#ifndef HADAL_BOARD_COREBOOT_TABLES_H
#define HADAL_BOARD_COREBOOT_TABLES_H

#include <stdint.h>

#include "board/e820.h"

#define COREBOOT_TABLES_BYTES 0x8000u

/* Makes room for the table in CBMEM and returns its address. */
uint32_t coreboot_tables_place(void);

/*
 * Writes the table: after everything else is in CBMEM, whose entries it lists. A second one in
 * page 0 points to it.
 */
void coreboot_tables_write(const struct e820_map *map, uint32_t rsdp);

#endif
