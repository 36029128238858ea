/* SPDX-License-Identifier: MIT */
/* The memory map that the operating system gets. ACPI specification 6.4, chapter 15. */
#ifndef HADAL_BOARD_E820_H
#define HADAL_BOARD_E820_H

#include <stddef.h>
#include <stdint.h>

#define E820_RAM 1u
#define E820_RESERVED 2u
#define E820_MAX 32

struct __attribute__((__packed__)) e820_entry {
	uint64_t start;
	uint64_t bytes;
	uint32_t type;
};

/* struct e820_map - the map, in ascending order as far as QEMU's list is */
struct e820_map {
	size_t count;
	struct e820_entry entries[E820_MAX];
};

/* Takes QEMU's list of memory, cuts out what is the firmware's, and adds that as reserved. */
void e820_build(struct e820_map *map);

#endif
