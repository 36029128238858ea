// SPDX-License-Identifier: MIT
/* The coreboot table of an image: where it is, and what its records say. */
#include <errno.h>
#include <inttypes.h>

#include "lib/boot_image.h"

/* Where firmware puts the first table on x86, each 4 KiB long. */
static const uint64_t search_areas[] = { 0, 0xf0000 };

#define SEARCH_BYTES 0x1000u
#define SEARCH_STEP 16u

/* Real tables are one forward away; a second one is already odd. */
#define FORWARD_LIMIT 2u

/* Opens a table; returns 0, or -ENOENT if there is none or only a damaged one, which is named. */
static int open_table(struct boot_image *image, const struct bytes *b, uint64_t address)
{
	int ret = coreboot_table_open(&image->table, b);

	if (ret == -EBADMSG)
		image_damage(image,
			     "coreboot table at 0x%" PRIx64
			     ": header cut short or its checksum wrong",
			     address);
	return ret < 0 ? -ENOENT : 0;
}

static bool find_forward(struct boot_image *image, uint64_t *address)
{
	struct coreboot_record record;
	size_t pos = 0;

	while (coreboot_table_next(&image->table, &pos, &record) > 0)
		if (record.tag == COREBOOT_TAG_FORWARD)
			return coreboot_record_address(&record, address) == 0;
	return false;
}

/* Follows forward records from the table that is open. */
static int follow_forwards(struct boot_image *image)
{
	uint64_t address;
	struct bytes b;

	for (unsigned int hops = 0; find_forward(image, &address); hops++) {
		if (hops == FORWARD_LIMIT) {
			image_damage(image,
				     "coreboot table: more than %u forwards, one after another",
				     FORWARD_LIMIT);
			return -ENOENT;
		}
		b = boot_image_at(image, address, UINT64_MAX);
		if (open_table(image, &b, address) < 0) {
			image_damage(image,
				     "coreboot table: forward to 0x%" PRIx64
				     ", where there is none%s",
				     address, b.len ? "" : " in this file");
			return -ENOENT;
		}
	}
	return 0;
}

int boot_image_search_table(struct boot_image *image)
{
	for (size_t area = 0; area < 2; area++) {
		for (uint64_t off = 0; off < SEARCH_BYTES; off += SEARCH_STEP) {
			struct bytes b = boot_image_at(image, search_areas[area] + off, UINT64_MAX);

			if (open_table(image, &b, search_areas[area] + off) == 0)
				return follow_forwards(image);
		}
	}
	return -ENOENT;
}

int boot_image_find_table(struct boot_image *image)
{
	struct cbmem_item item;
	struct bytes b;

	if (image->has_table_at) {
		b = boot_image_at(image, image->table_at, UINT64_MAX);
		return open_table(image, &b, image->table_at);
	}
	if (open_table(image, &image->bytes, image->has_base ? image->base : 0) == 0)
		return follow_forwards(image);
	if (image->has_base && boot_image_search_table(image) == 0)
		return 0;
	if (image->has_dir && cbmem_directory_find(&image->dir, CBMEM_ID_CBTABLE, &item) == 0) {
		b = bytes_sub(&image->bytes, (uint64_t)item.offset, item.size);
		return open_table(image, &b, (uint64_t)item.offset);
	}
	return -ENOENT;
}

static void read_cbmem_record(struct boot_image *image, const struct coreboot_record *record)
{
	const struct bytes *b = &record->payload;
	struct hadal_cbmem_entry entry = { .has_address = true, .in_table = true };

	if (b->len < 16) {
		image_damage(image, "coreboot table: CBMEM record of %zu bytes", b->len + 8);
		return;
	}
	entry.address = bytes_u64(b, 0);
	entry.size = bytes_u32(b, 8);
	entry.id = bytes_u32(b, 12);
	boot_image_add_entry(image, &entry);
}

static void read_tsc_record(struct boot_image *image, const struct coreboot_record *record)
{
	if (record->payload.len >= 4)
		image->tsc_khz = bytes_u32(&record->payload, 0);
}

void boot_image_read_records(struct boot_image *image)
{
	struct coreboot_record record;
	size_t pos = 0;
	int ret;

	while ((ret = coreboot_table_next(&image->table, &pos, &record)) > 0) {
		if (record.tag == COREBOOT_TAG_CBMEM_ENTRY)
			read_cbmem_record(image, &record);
		else if (record.tag == COREBOOT_TAG_TSC_INFO)
			read_tsc_record(image, &record);
	}
	if (ret < 0)
		image_damage(image,
			     "coreboot table: record at 0x%zx has an impossible size; it and all "
			     "after it are lost",
			     pos + COREBOOT_TABLE_HEADER_BYTES);
	else if (image->table.records.len < image->table.claimed_bytes)
		image_damage(image, "coreboot table: cut short, %zu of %u bytes are here",
			     image->table.records.len, image->table.claimed_bytes);
	else if (!image->table.checksum_ok)
		image_damage(image, "coreboot table: the checksum of its records is wrong");
}
