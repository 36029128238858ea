/* SPDX-License-Identifier: MIT */
/* Pieces of firmware's memory, gathered one by one and then read as one image. */
#ifndef HADAL_LIB_BOOT_GATHER_H
#define HADAL_LIB_BOOT_GATHER_H

#include <stddef.h>
#include <stdint.h>

#include "hadal/boot.h"

/* A coreboot table, the entries that hadal reads, the directory's block, and some to spare. */
#define BOOT_GATHER_PIECES 8

/* CBMEM is a few MiB; pieces further apart than this are not of one area. */
#define BOOT_GATHER_SPREAD 0x4000000u

struct boot_gather_piece {
	uint64_t address;
	size_t len;
	uint8_t *bytes;
};

/*
 * struct boot_gather - the pieces so far
 * @table: address of the coreboot table
 * @stamps: address of the timestamp table, 0 if there is none
 * @low: where the area starts, if below the pieces; 0 if unknown
 */
struct boot_gather {
	struct boot_gather_piece pieces[BOOT_GATHER_PIECES];
	size_t count;
	uint64_t table;
	uint64_t stamps;
	uint64_t low;
};

/*
 * Takes a piece; @bytes, from malloc(), is then the gather's, also on failure. -ERANGE: too far
 * from the others. -ENOSPC: one piece too many.
 */
int boot_gather_add(struct boot_gather *gather, uint64_t address, size_t len, uint8_t *bytes);

/* Reads what was gathered. Errors as hadal_boot_read_memory(). */
int boot_gather_read(const struct boot_gather *gather, struct hadal_boot *boot);

void boot_gather_free(struct boot_gather *gather);

#endif
