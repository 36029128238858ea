// SPDX-License-Identifier: MIT
/* The timestamps of an image, and what they have to be read by. */
#include <errno.h>
#include <inttypes.h>

#include "core/timestamp_table.h"
#include "lib/boot_image.h"

static void read_stamps(struct boot_image *image, const struct timestamp_view *view, uint32_t from,
			uint32_t to, struct hadal_stamps *stamps)
{
	int64_t ticks;
	uint32_t id;

	for (uint32_t i = from; i < to; i++) {
		timestamp_view_entry(view, i, &id, &ticks);
		if (hadal_stamps_add(stamps, id, ticks) < 0)
			image->err = -ENOMEM;
	}
}

/* Slots past the counted ones that hold something, up to the last of them. */
static uint32_t leftover_end(const struct timestamp_view *view)
{
	uint32_t end = view->room;
	int64_t ticks;
	uint32_t id;

	for (; end > view->count; end--) {
		timestamp_view_entry(view, end - 1, &id, &ticks);
		if (id || ticks)
			break;
	}
	return end;
}

static void name_table_damage(struct boot_image *image, const struct timestamp_view *view)
{
	if (view->bytes.big)
		image_note(image, "timestamp table: big-endian, written by another kind of CPU");
	if (!view->max)
		image_damage(image,
			     "timestamp table: its header cannot be one (room for no entry)");
	else if (view->claimed > view->max)
		image_damage(image, "timestamp table: says it holds %u stamps in room for %u",
			     view->claimed, view->max);
	else if (view->claimed > view->count)
		image_damage(image, "timestamp table: cut short, %u of %u stamps are here",
			     view->count, view->claimed);
}

void boot_image_read_timestamps(struct boot_image *image, const struct bytes *b)
{
	struct hadal_boot *boot = image->boot;
	struct timestamp_view view;

	if (timestamp_view_open(&view, b) < 0) {
		image_damage(image,
			     "timestamp table: cut short, %zu bytes are less than its header",
			     b->len);
		return;
	}
	boot->has_stamps = true;
	boot->base = view.base_time;
	image->table_mhz = view.mhz;
	name_table_damage(image, &view);
	read_stamps(image, &view, 0, view.count, &boot->stamps);
	if (view.claimed == view.count)
		read_stamps(image, &view, view.count, leftover_end(&view), &boot->leftovers);
}

static void read_presuspend(struct boot_image *image, const struct bytes *b)
{
	struct timestamp_view view;

	if (timestamp_view_open(&view, b) < 0)
		return;
	image->boot->presuspend_base = view.base_time;
	read_stamps(image, &view, 0, view.count, &image->boot->presuspend);
}

static void read_companion(struct boot_image *image, const struct bytes *b)
{
	struct hadal_boot *boot = image->boot;
	struct timestamp_companion companion;

	if (timestamp_companion_read(b, &companion) < 0) {
		image_damage(image, "companion entry: cut short, unknown or its check is wrong");
		return;
	}
	boot->has_companion = true;
	image->companion_khz = companion.khz;
	boot->dropped = companion.dropped;
	boot->refused = companion.refused;
	boot->generation = companion.generation;
	boot->resumed = companion.boot_kind == TIMESTAMP_BOOT_RESUME;
	boot->counter = companion.counter;
}

/* The address of the table in a record of its own, from before entries had records. */
static bool find_reference(const struct boot_image *image, uint64_t *address)
{
	struct coreboot_record record;
	size_t pos = 0;

	while (image->boot->has_table && coreboot_table_next(&image->table, &pos, &record) > 0)
		if (record.tag == COREBOOT_TAG_TIMESTAMPS)
			return coreboot_record_address(&record, address) == 0;
	return false;
}

static void find_timestamps(struct boot_image *image)
{
	const struct hadal_cbmem_entry *entry =
		boot_image_find_entry(image->boot, CBMEM_ID_TIMESTAMP);
	uint64_t address = 0;
	struct bytes b;

	if (boot_image_find_bytes(image, CBMEM_ID_TIMESTAMP, &b)) {
		boot_image_read_timestamps(image, &b);
		return;
	}
	if (entry && entry->has_address)
		address = entry->address;
	else if (!find_reference(image, &address))
		return;
	b = boot_image_at(image, address, UINT64_MAX);
	if (b.len)
		boot_image_read_timestamps(image, &b);
	else
		image_note(image, "the timestamps are at 0x%" PRIx64 ", which is not in this file",
			   address);
}

void boot_image_read_all_stamps(struct boot_image *image)
{
	struct bytes b;

	find_timestamps(image);
	if (boot_image_find_bytes(image, CBMEM_ID_HADAL, &b))
		read_companion(image, &b);
	if (boot_image_find_bytes(image, CBMEM_ID_TIMESTAMP_PRESUSPEND, &b))
		read_presuspend(image, &b);
}

/* A table with 30 but without 31 comes from firmware that still called 31's event 30. */
static bool means_old_id_30(const struct hadal_stamps *stamps)
{
	bool has_30 = false;

	for (size_t i = 0; i < stamps->count; i++) {
		if (stamps->at[i].id == 31)
			return false;
		has_30 |= stamps->at[i].id == 30;
	}
	return has_30;
}

/*
 * The timestamp table knows whole MHz only. Where another entry agrees with it to the MHz, that
 * one is the frequency; where it does not, the table's is.
 */
static bool take_frequency(struct boot_image *image, uint32_t khz, const char *from)
{
	if (!khz)
		return false;
	if (image->table_mhz && khz / 1000 != image->table_mhz) {
		image_note(
			image,
			"the %s says the counter runs at %u kHz, the timestamp table %u MHz; the "
			"table's is used",
			from, khz, image->table_mhz);
		return false;
	}
	image->boot->khz = khz;
	image->boot->khz_from = from;
	return true;
}

static void choose_frequency(struct boot_image *image)
{
	if (take_frequency(image, image->companion_khz, "companion entry") ||
	    take_frequency(image, image->tsc_khz, "coreboot table"))
		return;
	image->boot->khz = image->table_mhz * 1000;
	image->boot->khz_from = image->table_mhz ? "timestamp table" : "unknown";
}

void boot_image_conclude(struct boot_image *image)
{
	choose_frequency(image);
	image->boot->old_id_30 = means_old_id_30(&image->boot->stamps);
}
