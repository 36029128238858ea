/* SPDX-License-Identifier: MIT */
/* An image of memory, or a piece of one, while it is read: what its readers share. */
#ifndef HADAL_LIB_BOOT_IMAGE_H
#define HADAL_LIB_BOOT_IMAGE_H

#include "core/cbmem.h"
#include "core/coreboot_table.h"
#include "hadal/boot.h"

/*
 * struct boot_image - the bytes and what was found in them so far
 * @bytes: all of them
 * @base: physical address of the first byte, if @has_base
 * @table_at: physical address of the coreboot table, if @has_table_at
 * @table: the coreboot table, if boot->has_table
 * @dir: CBMEM's directory, if @has_dir
 * @table_mhz, @companion_khz, @tsc_khz: the counter's frequency as the timestamp table, the
 *	companion entry and the coreboot table give it; 0 is unknown
 * @err: the first failure that is not the image's, -ENOMEM
 */
struct boot_image {
	struct hadal_boot *boot;
	struct bytes bytes;
	uint64_t base;
	bool has_base;
	uint64_t table_at;
	bool has_table_at;
	struct coreboot_table table;
	struct cbmem_directory dir;
	bool has_dir;
	uint32_t table_mhz;
	uint32_t companion_khz;
	uint32_t tsc_khz;
	int err;
};

/* Names what is damaged, and what is odd. */
#define image_damage(image, ...)                                                                   \
	do {                                                                                       \
		if (hadal_lines_add(&(image)->boot->damage, __VA_ARGS__) < 0)                      \
			(image)->err = -ENOMEM;                                                    \
	} while (0)

#define image_note(image, ...)                                                                     \
	do {                                                                                       \
		if (hadal_lines_add(&(image)->boot->notes, __VA_ARGS__) < 0)                       \
			(image)->err = -ENOMEM;                                                    \
	} while (0)

/* The bytes at a physical address, at most @len of them; none if they are not in the image. */
struct bytes boot_image_at(const struct boot_image *image, uint64_t address, uint64_t len);

/* The entry of CBMEM with that id, the first of several, or NULL; adds one, copied. */
struct hadal_cbmem_entry *boot_image_find_entry(const struct hadal_boot *boot, uint32_t id);
void boot_image_add_entry(struct boot_image *image, const struct hadal_cbmem_entry *entry);

/* The bytes of the entry with that id; false if there is none of them in the image. */
bool boot_image_find_bytes(struct boot_image *image, uint32_t id, struct bytes *b);

/* Finds the coreboot table at the start, in the areas where firmware puts it, or in CBMEM. 0 or -ENOENT. */
int boot_image_find_table(struct boot_image *image);

/* Looks for it in the areas where firmware puts it, of an image of all memory. 0 or -ENOENT. */
int boot_image_search_table(struct boot_image *image);

/* Takes over what the coreboot table says of CBMEM and of the counter. */
void boot_image_read_records(struct boot_image *image);

/* Takes over what CBMEM's own directory holds. */
void boot_image_read_directories(struct boot_image *image);

/*
 * A CBMEM area whose address nobody told: the coreboot table inside it names addresses, the
 * directory offsets of the same entries.
 */
void boot_image_deduce_base(struct boot_image *image);

/* Reads the timestamp table in these bytes. */
void boot_image_read_timestamps(struct boot_image *image, const struct bytes *b);

/* Finds all stamps of the image: the boot's, the companion entry, those from before a suspend. */
void boot_image_read_all_stamps(struct boot_image *image);

/* Once all is read: the counter's frequency, and what stamp 30 means. */
void boot_image_conclude(struct boot_image *image);

#endif
