/* SPDX-License-Identifier: MIT */
/*
 * Bytes of the CBMEM directory, the "IMD" that coreboot has written since May 2015.
 *
 *	limit  --------------------------------  4096-aligned, top of CBMEM
 *	        root pointer, 8 bytes            magic, offset of the root from here
 *	        ... free room for entries ...
 *	        entry 0 (the root block itself)
 *	root   --------------------------------  limit - block size
 *	        entries, each below the last one
 *
 * Offsets are signed, 32 bits; an entry's start is relative to the root. All values are in the
 * byte order of the CPU that ran the firmware; the magic tells which.
 *
 * Source: coreboot's in-memory database as of 2015-2026, checked against dumps of real images.
 */
#ifndef HADAL_CORE_CBMEM_ABI_H
#define HADAL_CORE_CBMEM_ABI_H

#include <stddef.h>
#include <stdint.h>

#define CBMEM_POINTER_MAGIC 0xc0389481u
#define CBMEM_ENTRY_MAGIC 0x3fc76b7eu /* ~CBMEM_POINTER_MAGIC */

#define CBMEM_LIMIT_ALIGN 4096u
#define CBMEM_ROOT_BLOCK 4096u	    /* the large root */
#define CBMEM_ROOT_BLOCK_MAX 65536u /* a reader does not believe in larger ones */
#define CBMEM_ROOT_ALIGN 4096u
#define CBMEM_SMALL_BYTES 4096u /* the entry of the large root that holds the small one */
#define CBMEM_SMALL_BLOCK 1024u /* the small root */
#define CBMEM_SMALL_ALIGN 32u

#define CBMEM_FLAG_LOCKED 1u

#define CBMEM_ID_ROOT 0xff4017ffu
#define CBMEM_ID_SMALL 0x53a11439u
#define CBMEM_ID_TIMESTAMP 0x54494d45u		  /* "TIME" */
#define CBMEM_ID_TIMESTAMP_PRESUSPEND 0x54494d50u /* "TIMP", hadal's: the table before a resume */
#define CBMEM_ID_HADAL 0x4841444cu		  /* "HADL", hadal's: companion of the table */
#define CBMEM_ID_SMM 0x48534d4du /* "HSMM", hadal's: the board's SMM mailbox and log */
#define CBMEM_ID_CBTABLE 0x43425442u

struct cbmem_root_pointer {
	uint32_t magic;
	int32_t root_offset; /* from this pointer */
};

struct cbmem_root {
	uint32_t max_entries;
	uint32_t num_entries;
	uint32_t flags;
	uint32_t entry_align; /* a power of two */
	int32_t max_offset;   /* lowest start allowed; 0 is unlimited */
};

struct cbmem_entry {
	uint32_t magic;
	int32_t start_offset; /* from the root */
	uint32_t size;	      /* as asked for, not rounded up */
	uint32_t id;
};

_Static_assert(sizeof(struct cbmem_root_pointer) == 8, "IMD root pointer");
_Static_assert(sizeof(struct cbmem_root) == 20, "IMD root");
_Static_assert(offsetof(struct cbmem_root, num_entries) == 4, "IMD root");
_Static_assert(offsetof(struct cbmem_root, flags) == 8, "IMD root");
_Static_assert(offsetof(struct cbmem_root, entry_align) == 12, "IMD root");
_Static_assert(offsetof(struct cbmem_root, max_offset) == 16, "IMD root");
_Static_assert(sizeof(struct cbmem_entry) == 16, "IMD entry");
_Static_assert(offsetof(struct cbmem_entry, start_offset) == 4, "IMD entry");
_Static_assert(offsetof(struct cbmem_entry, size) == 8, "IMD entry");
_Static_assert(offsetof(struct cbmem_entry, id) == 12, "IMD entry");

/* Entries that fit between a root and its root pointer: 254 in the large block, 62 in the small. */
#define CBMEM_MAX_ENTRIES(block)                                                                   \
	(((block) - sizeof(struct cbmem_root_pointer) - sizeof(struct cbmem_root)) /               \
	 sizeof(struct cbmem_entry))

#endif
