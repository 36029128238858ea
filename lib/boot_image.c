// SPDX-License-Identifier: MIT
/*
 * Reads dumps: a timestamp table, a coreboot table, a CBMEM area, an image of physical memory.
 * All are one thing, bytes with perhaps a known address, in which more or less can be found.
 */
#include <errno.h>

#include "core/timestamp_table.h"
#include "lib/boot_image.h"

struct bytes boot_image_at(const struct boot_image *image, uint64_t address, uint64_t len)
{
	if (!image->has_base || address < image->base)
		return (struct bytes){ image->bytes.data, 0, false };
	return bytes_sub(&image->bytes, address - image->base, len);
}

static void find_everything(struct boot_image *image)
{
	if (image->boot->has_table) {
		if (image->has_dir && !image->has_base)
			boot_image_deduce_base(image);
		boot_image_read_records(image);
	}
	if (image->has_dir)
		boot_image_read_directories(image);
	boot_image_read_all_stamps(image);
}

/* A file that holds nothing but a timestamp table. */
static int read_single_table(struct boot_image *image)
{
	struct timestamp_view view;

	if (timestamp_view_open(&view, &image->bytes) < 0 || !view.max)
		return -EBADMSG;
	image->boot->source = "timestamp table";
	boot_image_read_timestamps(image, &image->bytes);
	return 0;
}

static int read_image(struct boot_image *image)
{
	struct hadal_boot *boot = image->boot;
	int ret = 0;

	image->has_dir = cbmem_directory_search(&image->dir, &image->bytes) == 0;
	boot->has_table = boot_image_find_table(image) == 0;
	if (!boot->has_table && !image->has_base && !image->has_dir && !boot->damage.count) {
		/* An image of all memory starts at address 0. */
		image->has_base = true;
		boot->has_table = boot_image_search_table(image) == 0;
	}
	if (boot->has_table || image->has_dir || boot->damage.count) {
		boot->source = image->has_dir ? "CBMEM area" : "coreboot table";
		find_everything(image);
	} else {
		ret = read_single_table(image);
	}
	boot_image_conclude(image);
	return image->err ? image->err : ret;
}

int hadal_boot_read_image(struct hadal_boot *boot, const void *bytes, size_t len,
			  const uint64_t *base)
{
	struct boot_image image = { .boot = boot, .bytes = { bytes, len, false } };

	if (base) {
		image.base = *base;
		image.has_base = true;
	}
	return read_image(&image);
}

int hadal_boot_read_memory(struct hadal_boot *boot, const void *bytes, size_t len, uint64_t base,
			   uint64_t table)
{
	struct boot_image image = { .boot = boot,
				    .bytes = { bytes, len, false },
				    .base = base,
				    .has_base = true,
				    .table_at = table,
				    .has_table_at = true };

	return read_image(&image);
}
