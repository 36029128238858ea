// SPDX-License-Identifier: MIT
/*
 * The coreboot table: a header, then records of {tag, size, payload}. Layouts as of coreboot's
 * releases since 2015; core/coreboot_table.h reads them.
 */
#include "board/coreboot_tables.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/layout.h"
#include "board/memory.h"
#include "core/coreboot_table.h"
#include "core/timestamp_abi.h"

#define TAG_MEMORY 0x01
#define TAG_ACPI_RSDP 0x43
#define MEMORY_TABLES 16u /* what type of memory CBMEM is */

#define HEADER_BYTES_AT 4
#define HEADER_CHECKSUM_AT 8
#define TABLE_BYTES_AT 12
#define TABLE_CHECKSUM_AT 16
#define TABLE_ENTRIES_AT 20

/* A table that is being written, and how much room there is for it. */
struct writer {
	uint8_t *table;
	uint32_t bytes;
	uint32_t room;
	uint32_t records;
};

static void table_begin(struct writer *to, void *table, uint32_t room)
{
	*to = (struct writer){ table, COREBOOT_TABLE_HEADER_BYTES, room, 0 };
	memset(table, 0, COREBOOT_TABLE_HEADER_BYTES);
	memcpy(table, "LBIO", 4);
}

/* Adds a record with @bytes bytes of payload, a multiple of 4, all zero; returns the payload. */
static uint8_t *record(struct writer *to, uint32_t tag, uint32_t bytes)
{
	uint8_t *at = to->table + to->bytes;

	if (bytes + 8 > to->room - to->bytes)
		console_stop("the coreboot table is full");
	memset(at, 0, bytes + 8);
	store_le32(at, tag);
	store_le32(at + 4, bytes + 8);
	to->bytes += bytes + 8;
	to->records++;
	return at + 8;
}

static void record_u64(struct writer *to, uint32_t tag, uint64_t v)
{
	store_le64(record(to, tag, 8), v);
}

static void table_end(struct writer *to)
{
	uint32_t bytes = to->bytes - COREBOOT_TABLE_HEADER_BYTES;

	store_le32(to->table + HEADER_BYTES_AT, COREBOOT_TABLE_HEADER_BYTES);
	store_le32(to->table + TABLE_BYTES_AT, bytes);
	store_le32(to->table + TABLE_CHECKSUM_AT,
		   coreboot_checksum(to->table + COREBOOT_TABLE_HEADER_BYTES, bytes));
	store_le32(to->table + TABLE_ENTRIES_AT, to->records);
	store_le32(to->table + HEADER_CHECKSUM_AT,
		   coreboot_checksum(to->table, COREBOOT_TABLE_HEADER_BYTES));
}

static void memory_map(struct writer *to, const struct e820_map *map)
{
	const uint64_t cbmem = board_memory_top() - LAYOUT_CBMEM_BYTES;
	uint8_t *at = record(to, TAG_MEMORY, (uint32_t)(map->count * 20));

	for (size_t i = 0; i < map->count; i++, at += 20) {
		store_le64(at, map->entries[i].start);
		store_le64(at + 8, map->entries[i].bytes);
		store_le32(at + 16,
			   map->entries[i].start == cbmem ? MEMORY_TABLES : map->entries[i].type);
	}
}

/* Two strings, whose places come first. */
static void mainboard(struct writer *to)
{
	static const char vendor[] = "hadal", part[] = "board q35";
	uint8_t *at = record(to, COREBOOT_TAG_MAINBOARD, 20);

	at[0] = 0;
	at[1] = sizeof(vendor);
	memcpy(at + 2, vendor, sizeof(vendor));
	memcpy(at + 2 + sizeof(vendor), part, sizeof(part));
}

static void timestamps(struct writer *to)
{
	const struct timestamp_companion *companion;
	size_t bytes;
	void *table = cbmem_find(&board_cbmem, CBMEM_ID_TIMESTAMP, &bytes);

	if (table)
		record_u64(to, COREBOOT_TAG_TIMESTAMPS, (uint32_t)table);
	companion = cbmem_find(&board_cbmem, CBMEM_ID_HADAL, &bytes);
	if (companion && load_le32(&companion->khz))
		store_le32(record(to, COREBOOT_TAG_TSC_INFO, 4), load_le32(&companion->khz));
}

/* The entries of one directory, without those that hold directories. */
static void cbmem_entries(struct writer *to, const struct cbmem_directory *dir)
{
	struct cbmem_item item;
	uint8_t *at;

	for (uint32_t i = 0; i < dir->count; i++) {
		cbmem_directory_item(dir, i, &item);
		if (item.id == CBMEM_ID_ROOT || item.id == CBMEM_ID_SMALL)
			continue;
		at = record(to, COREBOOT_TAG_CBMEM_ENTRY, 16);
		store_le64(at, (uint32_t)dir->bytes.data + (uint64_t)item.offset);
		store_le32(at + 8, item.size);
		store_le32(at + 12, item.id);
	}
}

static void cbmem_all(struct writer *to)
{
	const struct bytes memory = { board_cbmem.start, LAYOUT_CBMEM_BYTES, false };
	struct cbmem_directory large, small;

	if (cbmem_directory_open(&large, &memory, memory.len) < 0 ||
	    cbmem_directory_small(&large, &small) < 0)
		console_stop("CBMEM is damaged");
	cbmem_entries(to, &large);
	cbmem_entries(to, &small);
}

uint32_t coreboot_tables_place(void)
{
	return (uint32_t)board_cbmem_add(CBMEM_ID_CBTABLE, COREBOOT_TABLES_BYTES);
}

void coreboot_tables_write(const struct e820_map *map, uint32_t rsdp)
{
	uint32_t table = coreboot_tables_place();
	struct writer to;

	table_begin(&to, (void *)table, COREBOOT_TABLES_BYTES);
	memory_map(&to, map);
	mainboard(&to);
	timestamps(&to);
	cbmem_all(&to);
	record_u64(&to, TAG_ACPI_RSDP, rsdp);
	table_end(&to);

	table_begin(&to, (void *)LAYOUT_FORWARD_TABLE, LAYOUT_PAGE0_END - LAYOUT_FORWARD_TABLE);
	record_u64(&to, COREBOOT_TAG_FORWARD, table);
	table_end(&to);
}
