/* SPDX-License-Identifier: MIT */
/*
 * CBMEM: a small in-memory database at the top of memory, written by one firmware stage, found
 * again by the next and by the operating system. Compatible with coreboot's; cbmem_abi.h draws
 * the layout.
 *
 * The writing half trusts its own memory after cbmem_recover() has checked it; the reading half
 * takes bytes from anywhere, damaged or hostile, and never looks outside them.
 *
 * Functions that can fail return 0 or a negative enum core_error.
 */
#ifndef HADAL_CORE_CBMEM_H
#define HADAL_CORE_CBMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/cbmem_abi.h"
#include "core/load.h"

/* --- reading ----------------------------------------------------------------------------- */

/*
 * struct cbmem_directory - one root and its entries
 * @bytes: the memory that holds them, from any start up to the limit or beyond; its order is set
 * @root: offset of the root in @bytes
 * @limit: offset of the end of the root's block
 * @count: entries to visit, bounded by what fits in the block and in CBMEM_ROOT_BLOCK_MAX
 * @claimed: entries the root says it has
 * @max: entries the root says it can have
 * @lowest: the lowest offset from the root that it lets entries have, 0 for no limit
 * @locked: the root refuses new entries
 */
struct cbmem_directory {
	struct bytes bytes;
	size_t root;
	size_t limit;
	uint32_t count;
	uint32_t claimed;
	uint32_t max;
	int32_t lowest;
	bool locked;
};

/*
 * struct cbmem_item - one entry as found
 * @id: CBMEM ID
 * @size: bytes, as asked for when it was added
 * @offset: of its first byte in the directory's bytes; negative if it lies before them
 * @sound: its magic is right and all of it lies between the start of the bytes and the limit
 */
struct cbmem_item {
	uint32_t id;
	uint32_t size;
	int64_t offset;
	bool sound;
};

/*
 * Opens the directory whose block ends at offset @limit of @bytes, in either byte order.
 * -CORE_ENOENT: no root pointer there. -CORE_EBADMSG: a root pointer, but what it points to
 * cannot be a root.
 */
int cbmem_directory_open(struct cbmem_directory *dir, const struct bytes *bytes, size_t limit);

/*
 * Finds the highest large directory in @bytes: the first byte of @bytes must have an address that
 * is a multiple of 4096. -CORE_ENOENT: there is none.
 */
int cbmem_directory_search(struct cbmem_directory *dir, const struct bytes *bytes);

/* Reads entry @index, which is below dir->count, into @item. */
void cbmem_directory_item(const struct cbmem_directory *dir, uint32_t index,
			  struct cbmem_item *item);

/*
 * Opens the small directory inside @large. -CORE_ENOENT: it has none. -CORE_EBADMSG: it has one
 * that cannot be read.
 */
int cbmem_directory_small(const struct cbmem_directory *large, struct cbmem_directory *small);

/*
 * Finds the first sound entry @id in the directory or in the small one inside it.
 * -CORE_ENOENT: there is none.
 */
int cbmem_directory_find(const struct cbmem_directory *dir, uint32_t id, struct cbmem_item *item);

/* --- writing, for firmware --------------------------------------------------------------- */

/*
 * struct cbmem - a database in this stage's address space
 * @start: lowest address it may use
 * @limit: its top, a multiple of 4096; NULL while it is not up
 */
struct cbmem {
	uint8_t *start;
	uint8_t *limit;
};

/*
 * Makes an empty database at the top of the @bytes bytes at @start, then calls
 * port_cbmem_ready(). The memory stays the caller's and must live as long as @cbmem.
 * -CORE_ENOMEM: too little memory for the directories.
 */
int cbmem_create(struct cbmem *cbmem, void *start, size_t bytes);

/*
 * Finds the database again that an earlier stage made in the same memory, then calls
 * port_cbmem_ready(). -CORE_ENOENT or -CORE_EBADMSG: there is none, or it is damaged; nothing
 * was changed.
 */
int cbmem_recover(struct cbmem *cbmem, void *start, size_t bytes);

/*
 * The entry @id, or NULL. *@bytes becomes its size. Its alignment is that of its directory: 4096,
 * or 32 for a small one.
 */
void *cbmem_find(const struct cbmem *cbmem, uint32_t id, size_t *bytes);

/*
 * Adds an entry of @bytes bytes, all zero. An @id that exists is returned as it is. NULL if the
 * database is not up, is locked, or has no room.
 */
void *cbmem_add(const struct cbmem *cbmem, uint32_t id, size_t bytes);

#endif
