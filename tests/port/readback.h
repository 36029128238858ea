/* SPDX-License-Identifier: MIT */
/* What a test of the firmware library finds in the machine's CBMEM afterwards. */
#ifndef HADAL_TESTS_READBACK_H
#define HADAL_TESTS_READBACK_H

#include <string.h>

#include "core/cbmem.h"
#include "core/timestamp.h"
#include "core/timestamp_table.h"
#include "tests/port/machine.h"
#include "tests/tap.h"

/* What read_back() found. */
static struct timestamp_view table;
static struct timestamp_companion companion;

/* Reads an entry back the way another program would: out of the bytes of memory. */
static inline struct bytes read_entry(uint32_t id)
{
	const struct bytes memory = { machine_cbmem_memory(), MACHINE_CBMEM_BYTES, false };
	struct cbmem_directory dir;
	struct cbmem_item item;

	if (cbmem_directory_search(&dir, &memory) < 0 || cbmem_directory_find(&dir, id, &item) < 0)
		return (struct bytes){ NULL, 0, false };
	return bytes_sub(&memory, (uint64_t)item.offset, item.size);
}

static inline void read_back(void)
{
	struct bytes entry = read_entry(CBMEM_ID_TIMESTAMP);
	struct bytes extra = read_entry(CBMEM_ID_HADAL);

	memset(&table, 0xee, sizeof(table));
	memset(&companion, 0xee, sizeof(companion));
	CHECK_EQ(timestamp_view_open(&table, &entry), 0);
	CHECK_EQ(timestamp_companion_read(&extra, &companion), 0);
}

static inline void check_stamp(uint32_t index, uint32_t id, int64_t stamp)
{
	uint32_t have_id;
	int64_t have_stamp;

	CHECK(index < table.count);
	if (index >= table.count)
		return;
	timestamp_view_entry(&table, index, &have_id, &have_stamp);
	CHECK_EQ(have_id, id);
	CHECK_EQ(have_stamp, stamp);
}

static inline void add_at(uint32_t id, uint64_t time)
{
	port_world.clock = time;
	timestamp_add_now(id);
}

#endif
