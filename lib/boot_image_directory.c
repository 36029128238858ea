// SPDX-License-Identifier: MIT
/* CBMEM's directory in an image, and the list of entries that it makes with the coreboot table. */
#include <errno.h>
#include <inttypes.h>

#include "lib/boot_image.h"

struct hadal_cbmem_entry *boot_image_find_entry(const struct hadal_boot *boot, uint32_t id)
{
	for (size_t i = 0; i < boot->directory_count; i++)
		if (boot->directory[i].id == id)
			return &boot->directory[i];
	return NULL;
}

void boot_image_add_entry(struct boot_image *image, const struct hadal_cbmem_entry *entry)
{
	if (hadal_boot_add_entry(image->boot, entry) < 0)
		image->err = -ENOMEM;
}

static uint64_t item_address(const struct boot_image *image, const struct cbmem_item *item)
{
	return image->base + (uint64_t)item->offset;
}

static void read_directory(struct boot_image *image, const struct cbmem_directory *dir)
{
	struct hadal_cbmem_entry entry = { .in_directory = true, .has_address = image->has_base };
	struct hadal_cbmem_entry *known;
	struct cbmem_item item;

	if (dir->claimed > dir->count)
		image_damage(image, "CBMEM directory: says it has %u entries, at most %u fit",
			     dir->claimed, dir->count);
	for (uint32_t i = 0; i < dir->count; i++) {
		cbmem_directory_item(dir, i, &item);
		if (!item.sound) {
			image_damage(
				image,
				"CBMEM directory: entry %u (0x%08x) is damaged or outside this "
				"file",
				i, item.id);
			continue;
		}
		known = boot_image_find_entry(image->boot, item.id);
		if (known && known->in_table && !known->in_directory) {
			known->in_directory = true;
			continue;
		}
		entry.id = item.id;
		entry.size = item.size;
		entry.address = item_address(image, &item);
		boot_image_add_entry(image, &entry);
	}
}

void boot_image_read_directories(struct boot_image *image)
{
	struct cbmem_directory small;
	int ret;

	read_directory(image, &image->dir);
	ret = cbmem_directory_small(&image->dir, &small);
	if (ret == 0)
		read_directory(image, &small);
	else if (ret == -EBADMSG)
		image_damage(image, "CBMEM directory: its part for small entries is damaged");
}

void boot_image_deduce_base(struct boot_image *image)
{
	struct coreboot_record record;
	struct cbmem_item item;
	uint64_t address;
	size_t pos = 0;
	uint32_t id;

	while (coreboot_table_next(&image->table, &pos, &record) > 0) {
		if (record.tag == COREBOOT_TAG_CBMEM_ENTRY && record.payload.len >= 16)
			id = bytes_u32(&record.payload, 12);
		else if (record.tag == COREBOOT_TAG_TIMESTAMPS)
			id = CBMEM_ID_TIMESTAMP;
		else
			continue;
		if (coreboot_record_address(&record, &address) < 0 ||
		    cbmem_directory_find(&image->dir, id, &item) < 0 ||
		    address < (uint64_t)item.offset)
			continue;
		image->base = address - (uint64_t)item.offset;
		image->has_base = true;
		return;
	}
}

/*
 * The bytes of CBMEM entry @id: where the coreboot table says it is, or else where CBMEM's own
 * directory does. Returns false if neither knows it, or if it lies outside this file.
 */
bool boot_image_find_bytes(struct boot_image *image, uint32_t id, struct bytes *b)
{
	const struct hadal_cbmem_entry *entry = boot_image_find_entry(image->boot, id);
	struct cbmem_item item;

	if (entry && entry->has_address) {
		*b = boot_image_at(image, entry->address, entry->size);
		if (b->len)
			return true;
	}
	if (!image->has_dir || cbmem_directory_find(&image->dir, id, &item) < 0)
		return false;
	*b = bytes_sub(&image->bytes, (uint64_t)item.offset, item.size);
	return true;
}
