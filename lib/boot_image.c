// SPDX-License-Identifier: MIT
/*
 * Reads dumps: a timestamp table, a coreboot table, a CBMEM area, an image of physical memory.
 * All are one thing, bytes with perhaps a known address, in which more or less can be found.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/cbmem.h"
#include "core/coreboot_table.h"
#include "core/timestamp_table.h"
#include "hadal/boot.h"

/*
 * struct image - the bytes and what was found in them so far
 * @bytes: all of them
 * @base: physical address of the first byte, if @has_base
 * @table_at: physical address of the coreboot table, if @has_table_at
 * @table: the coreboot table, if boot->has_table
 * @dir: CBMEM's directory, if @has_dir
 * @table_mhz, @companion_khz, @tsc_khz: the counter's frequency as the timestamp table, the
 *	companion entry and the coreboot table give it; 0 is unknown
 * @err: the first failure that is not the image's, -ENOMEM
 */
struct image {
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

/* Where firmware puts the first table on x86, each 4 KiB long. */
static const uint64_t search_areas[] = { 0, 0xf0000 };

#define SEARCH_BYTES 0x1000u
#define SEARCH_STEP 16u

/* Real tables are one forward away; a second one is already odd. */
#define FORWARD_LIMIT 2u

#define damage(image, ...)                                                                         \
	do {                                                                                       \
		if (hadal_lines_add(&(image)->boot->damage, __VA_ARGS__) < 0)                      \
			(image)->err = -ENOMEM;                                                    \
	} while (0)

#define note(image, ...)                                                                           \
	do {                                                                                       \
		if (hadal_lines_add(&(image)->boot->notes, __VA_ARGS__) < 0)                       \
			(image)->err = -ENOMEM;                                                    \
	} while (0)

/* The bytes at a physical address, at most @len of them; none if they are not in the image. */
static struct bytes at_address(const struct image *image, uint64_t address, uint64_t len)
{
	if (!image->has_base || address < image->base)
		return (struct bytes){ image->bytes.data, 0, false };
	return bytes_sub(&image->bytes, address - image->base, len);
}

/* --- the coreboot table ------------------------------------------------------------------ */

/* Opens a table; returns 0, or -ENOENT if there is none or only a damaged one, which is named. */
static int open_table(struct image *image, const struct bytes *b, uint64_t address)
{
	int ret = coreboot_table_open(&image->table, b);

	if (ret == -EBADMSG)
		damage(image,
		       "coreboot table at 0x%" PRIx64 ": header cut short or its checksum wrong",
		       address);
	return ret < 0 ? -ENOENT : 0;
}

static bool find_forward(struct image *image, uint64_t *address)
{
	struct coreboot_record record;
	size_t pos = 0;

	while (coreboot_table_next(&image->table, &pos, &record) > 0)
		if (record.tag == COREBOOT_TAG_FORWARD)
			return coreboot_record_address(&record, address) == 0;
	return false;
}

/* Follows forward records from the table that is open. */
static int follow_forwards(struct image *image)
{
	uint64_t address;
	struct bytes b;

	for (unsigned int hops = 0; find_forward(image, &address); hops++) {
		if (hops == FORWARD_LIMIT) {
			damage(image, "coreboot table: more than %u forwards, one after another",
			       FORWARD_LIMIT);
			return -ENOENT;
		}
		b = at_address(image, address, UINT64_MAX);
		if (open_table(image, &b, address) < 0) {
			damage(image,
			       "coreboot table: forward to 0x%" PRIx64 ", where there is none%s",
			       address, b.len ? "" : " in this file");
			return -ENOENT;
		}
	}
	return 0;
}

static int search_table(struct image *image)
{
	for (size_t area = 0; area < 2; area++) {
		for (uint64_t off = 0; off < SEARCH_BYTES; off += SEARCH_STEP) {
			struct bytes b = at_address(image, search_areas[area] + off, UINT64_MAX);

			if (open_table(image, &b, search_areas[area] + off) == 0)
				return follow_forwards(image);
		}
	}
	return -ENOENT;
}

/* Finds the coreboot table at the start, in the areas where firmware puts it, or in CBMEM. */
static int find_table(struct image *image)
{
	struct cbmem_item item;
	struct bytes b;

	if (image->has_table_at) {
		b = at_address(image, image->table_at, UINT64_MAX);
		return open_table(image, &b, image->table_at);
	}
	if (open_table(image, &image->bytes, image->has_base ? image->base : 0) == 0)
		return follow_forwards(image);
	if (image->has_base && search_table(image) == 0)
		return 0;
	if (image->has_dir && cbmem_directory_find(&image->dir, CBMEM_ID_CBTABLE, &item) == 0) {
		b = bytes_sub(&image->bytes, (uint64_t)item.offset, item.size);
		return open_table(image, &b, (uint64_t)item.offset);
	}
	return -ENOENT;
}

/* --- the directory ----------------------------------------------------------------------- */

static struct hadal_cbmem_entry *find_entry(const struct hadal_boot *boot, uint32_t id)
{
	for (size_t i = 0; i < boot->directory_count; i++)
		if (boot->directory[i].id == id)
			return &boot->directory[i];
	return NULL;
}

static void add_entry(struct image *image, const struct hadal_cbmem_entry *entry)
{
	if (hadal_boot_add_entry(image->boot, entry) < 0)
		image->err = -ENOMEM;
}

static void read_cbmem_record(struct image *image, const struct coreboot_record *record)
{
	const struct bytes *b = &record->payload;
	struct hadal_cbmem_entry entry = { .has_address = true, .in_table = true };

	if (b->len < 16) {
		damage(image, "coreboot table: CBMEM record of %zu bytes", b->len + 8);
		return;
	}
	entry.address = bytes_u64(b, 0);
	entry.size = bytes_u32(b, 8);
	entry.id = bytes_u32(b, 12);
	add_entry(image, &entry);
}

static void read_tsc_record(struct image *image, const struct coreboot_record *record)
{
	if (record->payload.len >= 4)
		image->tsc_khz = bytes_u32(&record->payload, 0);
}

static void read_records(struct image *image)
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
		damage(image,
		       "coreboot table: record at 0x%zx has an impossible size; it and all "
		       "after it are lost",
		       pos + COREBOOT_TABLE_HEADER_BYTES);
	else if (image->table.records.len < image->table.claimed_bytes)
		damage(image, "coreboot table: cut short, %zu of %u bytes are here",
		       image->table.records.len, image->table.claimed_bytes);
	else if (!image->table.checksum_ok)
		damage(image, "coreboot table: the checksum of its records is wrong");
}

static uint64_t item_address(const struct image *image, const struct cbmem_item *item)
{
	return image->base + (uint64_t)item->offset;
}

static void read_directory(struct image *image, const struct cbmem_directory *dir)
{
	struct hadal_cbmem_entry entry = { .in_directory = true, .has_address = image->has_base };
	struct hadal_cbmem_entry *known;
	struct cbmem_item item;

	if (dir->claimed > dir->count)
		damage(image, "CBMEM directory: says it has %u entries, at most %u fit",
		       dir->claimed, dir->count);
	for (uint32_t i = 0; i < dir->count; i++) {
		cbmem_directory_item(dir, i, &item);
		if (!item.sound) {
			damage(image,
			       "CBMEM directory: entry %u (0x%08x) is damaged or outside this "
			       "file",
			       i, item.id);
			continue;
		}
		known = find_entry(image->boot, item.id);
		if (known && known->in_table && !known->in_directory) {
			known->in_directory = true;
			continue;
		}
		entry.id = item.id;
		entry.size = item.size;
		entry.address = item_address(image, &item);
		add_entry(image, &entry);
	}
}

static void read_directories(struct image *image)
{
	struct cbmem_directory small;
	int ret;

	read_directory(image, &image->dir);
	ret = cbmem_directory_small(&image->dir, &small);
	if (ret == 0)
		read_directory(image, &small);
	else if (ret == -EBADMSG)
		damage(image, "CBMEM directory: its part for small entries is damaged");
}

/*
 * A CBMEM area whose address nobody told: the coreboot table inside it names addresses, the
 * directory offsets of the same entries.
 */
static void deduce_base(struct image *image)
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

/* --- the timestamps ---------------------------------------------------------------------- */

static void read_stamps(struct image *image, const struct timestamp_view *view, uint32_t from,
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

static void name_table_damage(struct image *image, const struct timestamp_view *view)
{
	if (view->bytes.big)
		note(image, "timestamp table: big-endian, written by another kind of CPU");
	if (!view->max)
		damage(image, "timestamp table: its header cannot be one (room for no entry)");
	else if (view->claimed > view->max)
		damage(image, "timestamp table: says it holds %u stamps in room for %u",
		       view->claimed, view->max);
	else if (view->claimed > view->count)
		damage(image, "timestamp table: cut short, %u of %u stamps are here", view->count,
		       view->claimed);
}

static void read_timestamps(struct image *image, const struct bytes *b)
{
	struct hadal_boot *boot = image->boot;
	struct timestamp_view view;

	if (timestamp_view_open(&view, b) < 0) {
		damage(image, "timestamp table: cut short, %zu bytes are less than its header",
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

static void read_presuspend(struct image *image, const struct bytes *b)
{
	struct timestamp_view view;

	if (timestamp_view_open(&view, b) < 0)
		return;
	image->boot->presuspend_base = view.base_time;
	read_stamps(image, &view, 0, view.count, &image->boot->presuspend);
}

static void read_companion(struct image *image, const struct bytes *b)
{
	struct hadal_boot *boot = image->boot;
	struct timestamp_companion companion;

	if (timestamp_companion_read(b, &companion) < 0) {
		damage(image, "companion entry: cut short, unknown or its check is wrong");
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
static bool find_reference(const struct image *image, uint64_t *address)
{
	struct coreboot_record record;
	size_t pos = 0;

	while (image->boot->has_table && coreboot_table_next(&image->table, &pos, &record) > 0)
		if (record.tag == COREBOOT_TAG_TIMESTAMPS)
			return coreboot_record_address(&record, address) == 0;
	return false;
}

/*
 * The bytes of CBMEM entry @id: where the coreboot table says it is, or else where CBMEM's own
 * directory does. Returns false if neither knows it, or if it lies outside this file.
 */
static bool find_bytes(struct image *image, uint32_t id, struct bytes *b)
{
	const struct hadal_cbmem_entry *entry = find_entry(image->boot, id);
	struct cbmem_item item;

	if (entry && entry->has_address) {
		*b = at_address(image, entry->address, entry->size);
		if (b->len)
			return true;
	}
	if (!image->has_dir || cbmem_directory_find(&image->dir, id, &item) < 0)
		return false;
	*b = bytes_sub(&image->bytes, (uint64_t)item.offset, item.size);
	return true;
}

static void find_timestamps(struct image *image)
{
	const struct hadal_cbmem_entry *entry = find_entry(image->boot, CBMEM_ID_TIMESTAMP);
	uint64_t address = 0;
	struct bytes b;

	if (find_bytes(image, CBMEM_ID_TIMESTAMP, &b)) {
		read_timestamps(image, &b);
		return;
	}
	if (entry && entry->has_address)
		address = entry->address;
	else if (!find_reference(image, &address))
		return;
	b = at_address(image, address, UINT64_MAX);
	if (b.len)
		read_timestamps(image, &b);
	else
		note(image, "the timestamps are at 0x%" PRIx64 ", which is not in this file",
		     address);
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
static bool take_frequency(struct image *image, uint32_t khz, const char *from)
{
	if (!khz)
		return false;
	if (image->table_mhz && khz / 1000 != image->table_mhz) {
		note(image,
		     "the %s says the counter runs at %u kHz, the timestamp table %u MHz; the "
		     "table's is used",
		     from, khz, image->table_mhz);
		return false;
	}
	image->boot->khz = khz;
	image->boot->khz_from = from;
	return true;
}

static void choose_frequency(struct image *image)
{
	if (take_frequency(image, image->companion_khz, "companion entry") ||
	    take_frequency(image, image->tsc_khz, "coreboot table"))
		return;
	image->boot->khz = image->table_mhz * 1000;
	image->boot->khz_from = image->table_mhz ? "timestamp table" : "unknown";
}

static void find_everything(struct image *image)
{
	struct bytes b;

	if (image->boot->has_table) {
		if (image->has_dir && !image->has_base)
			deduce_base(image);
		read_records(image);
	}
	if (image->has_dir)
		read_directories(image);
	find_timestamps(image);
	if (find_bytes(image, CBMEM_ID_HADAL, &b))
		read_companion(image, &b);
	if (find_bytes(image, CBMEM_ID_TIMESTAMP_PRESUSPEND, &b))
		read_presuspend(image, &b);
}

/* A file that holds nothing but a timestamp table. */
static int read_single_table(struct image *image)
{
	struct timestamp_view view;

	if (timestamp_view_open(&view, &image->bytes) < 0 || !view.max)
		return -EBADMSG;
	image->boot->source = "timestamp table";
	read_timestamps(image, &image->bytes);
	return 0;
}

static int read_image(struct image *image)
{
	struct hadal_boot *boot = image->boot;
	int ret = 0;

	image->has_dir = cbmem_directory_search(&image->dir, &image->bytes) == 0;
	boot->has_table = find_table(image) == 0;
	if (!boot->has_table && !image->has_base && !image->has_dir && !boot->damage.count) {
		/* An image of all memory starts at address 0. */
		image->has_base = true;
		boot->has_table = search_table(image) == 0;
	}
	if (boot->has_table || image->has_dir || boot->damage.count) {
		boot->source = image->has_dir ? "CBMEM area" : "coreboot table";
		find_everything(image);
	} else {
		ret = read_single_table(image);
	}
	choose_frequency(image);
	boot->old_id_30 = means_old_id_30(&boot->stamps);
	return image->err ? image->err : ret;
}

int hadal_boot_read_image(struct hadal_boot *boot, const void *bytes, size_t len,
			  const uint64_t *base)
{
	struct image image = { .boot = boot, .bytes = { bytes, len, false } };

	if (base) {
		image.base = *base;
		image.has_base = true;
	}
	return read_image(&image);
}

int hadal_boot_read_memory(struct hadal_boot *boot, const void *bytes, size_t len, uint64_t base,
			   uint64_t table)
{
	struct image image = { .boot = boot,
			       .bytes = { bytes, len, false },
			       .base = base,
			       .has_base = true,
			       .table_at = table,
			       .has_table_at = true };

	return read_image(&image);
}
