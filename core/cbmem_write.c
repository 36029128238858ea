// SPDX-License-Identifier: MIT
/* CBMEM in firmware: made by one stage, found again by the next, added to by both. */
#include "core/cbmem.h"

#include "core/error.h"
#include "core/port.h"

static struct cbmem_root *root_at(uint8_t *limit)
{
	uint8_t *at = limit - sizeof(struct cbmem_root_pointer);
	const struct cbmem_root_pointer *pointer = (void *)at;

	return (struct cbmem_root *)(void *)(at + pointer->root_offset);
}

static struct cbmem_entry *entries_of(struct cbmem_root *root)
{
	return (struct cbmem_entry *)(root + 1);
}

/* An empty root in the @block bytes below @limit; its entries may go down to @lowest. */
static void root_create(uint8_t *limit, size_t block, uint32_t align, const uint8_t *lowest)
{
	struct cbmem_root_pointer *pointer = (void *)(limit - sizeof(*pointer));
	struct cbmem_root *root = (void *)(limit - block);

	__builtin_memset(root, 0, block);
	pointer->magic = CBMEM_POINTER_MAGIC;
	pointer->root_offset = -(int32_t)(block - sizeof(*pointer));
	root->max_entries = (uint32_t)CBMEM_MAX_ENTRIES(block);
	root->num_entries = 1;
	root->entry_align = align;
	root->max_offset = lowest ? (int32_t)(lowest - (uint8_t *)root) : 0;
	*entries_of(root) = (struct cbmem_entry){
		.magic = CBMEM_ENTRY_MAGIC,
		.size = (uint32_t)block,
		.id = CBMEM_ID_ROOT,
	};
}

static struct cbmem_entry *entry_find(struct cbmem_root *root, uint32_t id)
{
	struct cbmem_entry *entry = entries_of(root);

	for (uint32_t i = 0; i < root->num_entries; i++, entry++)
		if (entry->id == id)
			return entry;
	return NULL;
}

/* Bytes between the lowest entry of @root and the lowest address it may use. */
static size_t root_room(struct cbmem_root *root, const uint8_t *start)
{
	const struct cbmem_entry *last = entries_of(root) + root->num_entries - 1;
	const uint8_t *lowest = root->max_offset ? (uint8_t *)root + root->max_offset : start;

	return (size_t)((uint8_t *)root + last->start_offset - lowest);
}

static struct cbmem_entry *entry_add(struct cbmem_root *root, const uint8_t *start, uint32_t id,
				     size_t bytes)
{
	struct cbmem_entry *entry = entries_of(root) + root->num_entries;
	size_t room = root_room(root, start);
	size_t taken = (bytes + root->entry_align - 1) & ~(size_t)(root->entry_align - 1);

	if (root->flags & CBMEM_FLAG_LOCKED || root->num_entries >= root->max_entries ||
	    taken < bytes || taken > room)
		return NULL;
	*entry = (struct cbmem_entry){
		.magic = CBMEM_ENTRY_MAGIC,
		.start_offset = entry[-1].start_offset - (int32_t)taken,
		.size = (uint32_t)bytes,
		.id = id,
	};
	root->num_entries++;
	__builtin_memset((uint8_t *)root + entry->start_offset, 0, taken);
	return entry;
}

/* The small root inside @large, or NULL. Its entries may go down to *@start. */
static struct cbmem_root *small_root(struct cbmem_root *large, uint8_t **start)
{
	const struct cbmem_entry *small = entry_find(large, CBMEM_ID_SMALL);

	if (!small)
		return NULL;
	*start = (uint8_t *)large + small->start_offset;
	return root_at(*start + small->size);
}

static void set_memory(struct cbmem *cbmem, void *start, size_t bytes)
{
	uintptr_t limit = ((uintptr_t)start + bytes) & ~(uintptr_t)(CBMEM_LIMIT_ALIGN - 1);

	cbmem->start = start;
	cbmem->limit = (uint8_t *)limit;
}

int cbmem_create(struct cbmem *cbmem, void *start, size_t bytes)
{
	struct cbmem made;
	struct cbmem_entry *small;
	struct cbmem_root *root;

	set_memory(&made, start, bytes);
	if (bytes < CBMEM_ROOT_BLOCK + CBMEM_SMALL_BYTES + CBMEM_LIMIT_ALIGN)
		return -CORE_ENOMEM;
	root_create(made.limit, CBMEM_ROOT_BLOCK, CBMEM_ROOT_ALIGN, NULL);
	root = root_at(made.limit);
	small = entry_add(root, made.start, CBMEM_ID_SMALL, CBMEM_SMALL_BYTES);
	if (!small)
		return -CORE_ENOMEM;
	root_create((uint8_t *)root + small->start_offset + small->size, CBMEM_SMALL_BLOCK,
		    CBMEM_SMALL_ALIGN, (uint8_t *)root + small->start_offset);
	*cbmem = made;
	port_cbmem_ready();
	return 0;
}

/*
 * True if the next stage can trust the directory, whose entries may go down to offset @start: all
 * of it aligned, inside, and each entry below the one before.
 */
static bool directory_is_sound(const struct cbmem_directory *dir, int64_t start)
{
	int64_t above = (int64_t)dir->limit;
	int64_t lowest = dir->lowest ? (int64_t)dir->root + dir->lowest : start;
	struct cbmem_item item;

	if (!dir->count || dir->count != dir->claimed || dir->root % 4 ||
	    dir->max > CBMEM_MAX_ENTRIES(dir->limit - dir->root) || lowest < start)
		return false;
	for (uint32_t i = 0; i < dir->count; i++) {
		cbmem_directory_item(dir, i, &item);
		if (!item.sound || item.offset % 4 || item.offset < lowest ||
		    item.offset + item.size > above)
			return false;
		above = item.offset;
	}
	return true;
}

int cbmem_recover(struct cbmem *cbmem, void *start, size_t bytes)
{
	struct bytes memory = { .data = start };
	struct cbmem_directory dir, small;
	struct cbmem_item item;
	struct cbmem found;
	int ret;

	set_memory(&found, start, bytes);
	if (found.limit < found.start)
		return -CORE_ENOENT;
	memory.len = (size_t)(found.limit - found.start);
	ret = cbmem_directory_open(&dir, &memory, memory.len);
	if (ret < 0)
		return ret;
	if (dir.bytes.big != LOAD_HOST_BIG_ENDIAN || !directory_is_sound(&dir, 0))
		return -CORE_EBADMSG;
	ret = cbmem_directory_small(&dir, &small);
	if (ret == 0) {
		cbmem_directory_find(&dir, CBMEM_ID_SMALL, &item);
		if (!directory_is_sound(&small, item.offset))
			ret = -CORE_EBADMSG;
	}
	if (ret == -CORE_EBADMSG)
		return ret;
	*cbmem = found;
	port_cbmem_ready();
	return 0;
}

void *cbmem_find(const struct cbmem *cbmem, uint32_t id, size_t *bytes)
{
	struct cbmem_root *root;
	struct cbmem_entry *entry;
	uint8_t *start;

	if (!cbmem->limit)
		return NULL;
	root = root_at(cbmem->limit);
	entry = entry_find(root, id);
	if (!entry) {
		root = small_root(root, &start);
		entry = root ? entry_find(root, id) : NULL;
	}
	if (!entry)
		return NULL;
	*bytes = entry->size;
	return (uint8_t *)root + entry->start_offset;
}

void *cbmem_add(const struct cbmem *cbmem, uint32_t id, size_t bytes)
{
	struct cbmem_root *large, *small;
	struct cbmem_entry *entry = NULL;
	uint8_t *small_start;
	size_t have = bytes;
	void *existing = cbmem_find(cbmem, id, &have);

	if (existing || !cbmem->limit || bytes > INT32_MAX)
		return existing;
	large = root_at(cbmem->limit);
	small = small_root(large, &small_start);
	/* coreboot's rule for what is small: a unit, or a quarter of what is left. */
	if (small && (bytes <= CBMEM_SMALL_ALIGN || bytes <= root_room(small, small_start) / 4))
		entry = entry_add(small, small_start, id, bytes);
	if (entry)
		return (uint8_t *)small + entry->start_offset;
	entry = entry_add(large, cbmem->start, id, bytes);
	return entry ? (uint8_t *)large + entry->start_offset : NULL;
}
