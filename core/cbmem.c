// SPDX-License-Identifier: MIT
/* Reading CBMEM's directories out of bytes that nobody has checked. */
#include "core/cbmem.h"

#include "core/error.h"

#define POINTER_BYTES sizeof(struct cbmem_root_pointer)
#define ROOT_BYTES sizeof(struct cbmem_root)
#define ENTRY_BYTES sizeof(struct cbmem_entry)

static bool is_power_of_two(uint32_t v)
{
	return v && !(v & (v - 1));
}

static int read_root(struct cbmem_directory *dir)
{
	const struct bytes *b = &dir->bytes;
	uint32_t lowest = bytes_u32(b, dir->root + offsetof(struct cbmem_root, max_offset));
	uint32_t flags = bytes_u32(b, dir->root + offsetof(struct cbmem_root, flags));
	uint32_t align = bytes_u32(b, dir->root + offsetof(struct cbmem_root, entry_align));
	size_t block = dir->limit - dir->root;
	size_t room;

	if (block > CBMEM_ROOT_BLOCK_MAX)
		block = CBMEM_ROOT_BLOCK_MAX;
	room = CBMEM_MAX_ENTRIES(block);
	dir->max = bytes_u32(b, dir->root + offsetof(struct cbmem_root, max_entries));
	if (!dir->max || !is_power_of_two(align))
		return -CORE_EBADMSG;
	dir->claimed = bytes_u32(b, dir->root + offsetof(struct cbmem_root, num_entries));
	dir->count = dir->claimed < dir->max ? dir->claimed : dir->max;
	if (dir->count > room)
		dir->count = (uint32_t)room;
	dir->lowest = (int32_t)lowest;
	dir->locked = flags & CBMEM_FLAG_LOCKED;
	return 0;
}

int cbmem_directory_open(struct cbmem_directory *dir, const struct bytes *bytes, size_t limit)
{
	uint32_t back;

	if (limit > bytes->len || limit < POINTER_BYTES + ROOT_BYTES)
		return -CORE_ENOENT;
	*dir = (struct cbmem_directory){ .bytes = *bytes, .limit = limit };
	dir->bytes.big = load_u32(bytes->data + limit - POINTER_BYTES, true) == CBMEM_POINTER_MAGIC;
	if (bytes_u32(&dir->bytes, limit - POINTER_BYTES) != CBMEM_POINTER_MAGIC)
		return -CORE_ENOENT;

	/* The root lies @back bytes below its pointer. */
	back = 0 - bytes_u32(&dir->bytes, limit - POINTER_BYTES + 4);
	if (back < ROOT_BYTES || back > limit - POINTER_BYTES)
		return -CORE_EBADMSG;
	dir->root = limit - POINTER_BYTES - back;
	return read_root(dir);
}

int cbmem_directory_search(struct cbmem_directory *dir, const struct bytes *bytes)
{
	size_t limit = bytes->len & ~(size_t)(CBMEM_LIMIT_ALIGN - 1);

	for (; limit >= CBMEM_ROOT_BLOCK; limit -= CBMEM_LIMIT_ALIGN) {
		if (cbmem_directory_open(dir, bytes, limit) == 0 &&
		    dir->limit - dir->root >= CBMEM_ROOT_BLOCK)
			return 0;
	}
	return -CORE_ENOENT;
}

void cbmem_directory_item(const struct cbmem_directory *dir, uint32_t index,
			  struct cbmem_item *item)
{
	size_t at = dir->root + ROOT_BYTES + index * ENTRY_BYTES;
	uint32_t magic = bytes_u32(&dir->bytes, at);
	int32_t start = (int32_t)bytes_u32(&dir->bytes, at + 4);

	item->size = bytes_u32(&dir->bytes, at + 8);
	item->id = bytes_u32(&dir->bytes, at + 12);
	item->offset = (int64_t)dir->root + start;
	item->sound = magic == CBMEM_ENTRY_MAGIC && item->offset >= 0 &&
		      item->offset <= (int64_t)dir->limit &&
		      item->size <= dir->limit - (size_t)item->offset;
}

static int find_in_one(const struct cbmem_directory *dir, uint32_t id, struct cbmem_item *item)
{
	for (uint32_t i = 0; i < dir->count; i++) {
		cbmem_directory_item(dir, i, item);
		if (item->sound && item->id == id)
			return 0;
	}
	return -CORE_ENOENT;
}

int cbmem_directory_small(const struct cbmem_directory *large, struct cbmem_directory *small)
{
	struct cbmem_item item;

	if (find_in_one(large, CBMEM_ID_SMALL, &item) < 0)
		return -CORE_ENOENT;
	if (cbmem_directory_open(small, &large->bytes, (size_t)item.offset + item.size) < 0 ||
	    (int64_t)small->root < item.offset)
		return -CORE_EBADMSG;
	return 0;
}

int cbmem_directory_find(const struct cbmem_directory *dir, uint32_t id, struct cbmem_item *item)
{
	struct cbmem_directory small;

	if (find_in_one(dir, id, item) == 0)
		return 0;
	if (cbmem_directory_small(dir, &small) < 0)
		return -CORE_ENOENT;
	return find_in_one(&small, id, item);
}
