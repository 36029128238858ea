// SPDX-License-Identifier: MIT
/*
 * The firmware library where its memory is full, damaged, left over or written by others, and on a
 * CPU that may not write.
 */
#include <string.h>

#include "core/error.h"
#include "core/timestamp.h"
#include "tests/port/readback.h"

static void test_full_cache_counts_what_it_drops(void)
{
	machine_power_on(1);
	machine_add_region();
	machine_next_stage();
	timestamp_init(1);
	for (uint32_t i = 0; i < PORT_TIMESTAMP_CACHE_ENTRIES + 3; i++)
		add_at(100 + i, 2 + i);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.count, PORT_TIMESTAMP_CACHE_ENTRIES);
	check_stamp(0, 100, 1);
	check_stamp(15, 115, 16);
	CHECK_EQ(companion.dropped, 3);
}

static void test_full_table_counts_what_it_drops(void)
{
	machine_power_on(2);
	machine_next_stage();
	timestamp_init(1);
	CHECK_EQ(machine_cbmem_up(), 0);
	for (uint32_t i = 0; i < PORT_TIMESTAMP_TABLE_ENTRIES + 5; i++)
		add_at(i, 2 + i);
	machine_next_stage();
	add_at(900, 5000);
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(901, 5001);
	read_back();
	CHECK_EQ(table.count, PORT_TIMESTAMP_TABLE_ENTRIES);
	check_stamp(29, 29, 30);
	CHECK_EQ(companion.dropped, 5 + 2);
}

static void test_sync_moves_no_more_than_the_table_has_room_for(void)
{
	machine_power_on(3);
	machine_next_stage();
	timestamp_init(1);
	CHECK_EQ(machine_cbmem_up(), 0);
	for (uint32_t i = 0; i < PORT_TIMESTAMP_TABLE_ENTRIES - 4; i++)
		add_at(i, 2 + i);
	machine_next_stage();
	for (uint32_t i = 0; i < 10; i++)
		add_at(500 + i, 3000 + i);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.count, PORT_TIMESTAMP_TABLE_ENTRIES);
	check_stamp(29, 503, 3002);
	CHECK_EQ(companion.dropped, 6);
}

static void test_other_cpu_is_a_counted_no_op(void)
{
	machine_power_on(4);
	machine_next_stage();
	timestamp_init(10);
	add_at(TS_ROMSTAGE_START, 20);
	port_world.boot_cpu = false;
	add_at(TS_ROMSTAGE_END, 30);
	timestamp_init(99);
	CHECK_EQ(timestamp_sync(), -CORE_EPERM);
	port_world.boot_cpu = true;
	CHECK_EQ(machine_cbmem_up(), 0);
	port_world.boot_cpu = false;
	add_at(TS_ROMSTAGE_END, 40);
	CHECK_EQ(timestamp_sync(), -CORE_EPERM);
	port_world.boot_cpu = true;
	read_back();
	CHECK_EQ(table.base_time, 10);
	CHECK_EQ(table.count, 1);
	check_stamp(0, TS_ROMSTAGE_START, 10);
	CHECK_EQ(companion.refused, 5);
	CHECK_EQ(companion.dropped, 0);
}

static void spoil_region(size_t offset, uint8_t value)
{
	memset((uint8_t *)machine_region() + offset, value, 2);
}

static void test_garbage_in_a_region_is_recognised(void)
{
	/* state, max_entries and num_entries of the cache in turn hold what cannot be true */
	static const size_t offsets[] = { 0, 2 + 8, 2 + 12 };

	for (size_t i = 0; i < 3; i++) {
		machine_power_on(8);
		machine_add_region();
		machine_next_stage();
		timestamp_init(1000);
		add_at(TS_BOOTBLOCK_START, 1100);
		spoil_region(offsets[i], 0x7f);
		machine_next_stage();
		add_at(TS_ROMSTAGE_START, 2000);
		CHECK_EQ(machine_cbmem_up(), 0);
		read_back();
		CHECK_EQ(table.base_time, 0);
		CHECK_EQ(table.count, 1);
		check_stamp(0, TS_ROMSTAGE_START, 2000);
	}
}

static void test_init_resets_a_region_left_by_an_earlier_boot(void)
{
	machine_power_on(9);
	machine_add_region();
	machine_next_stage();
	timestamp_init(1000);
	add_at(TS_BOOTBLOCK_START, 1100);
	/* The watchdog bites; the region keeps its contents. */
	machine_next_stage();
	timestamp_init(30);
	add_at(TS_BOOTBLOCK_START, 40);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.base_time, 30);
	CHECK_EQ(table.count, 1);
	check_stamp(0, TS_BOOTBLOCK_START, 10);
}

static void test_foreign_table_is_adopted_and_a_false_one_reset(void)
{
	struct timestamp_table *foreign;
	size_t bytes;

	machine_power_on(11);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	foreign = cbmem_find(port_world.cbmem, CBMEM_ID_TIMESTAMP, &bytes);
	REQUIRE(foreign);
	CHECK_EQ(bytes, 376);
	store_le64(&foreign->base_time, 40);
	add_at(7, 50);

	/* Fresh boot: this boot's own, whoever wrote it. */
	machine_next_stage();
	timestamp_init(45);
	add_at(8, 60);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.base_time, 40);
	CHECK_EQ(table.count, 2);
	check_stamp(0, 7, 10);
	check_stamp(1, 8, 20);

	store_le32(&foreign->num_entries, 31);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(9, 70);
	read_back();
	CHECK_EQ(table.max, 30);
	CHECK_EQ(table.count, 1);
	check_stamp(0, 9, 70);
}

int main(void)
{
	TAP_RUN(test_full_cache_counts_what_it_drops);
	TAP_RUN(test_full_table_counts_what_it_drops);
	TAP_RUN(test_sync_moves_no_more_than_the_table_has_room_for);
	TAP_RUN(test_other_cpu_is_a_counted_no_op);
	TAP_RUN(test_garbage_in_a_region_is_recognised);
	TAP_RUN(test_init_resets_a_region_left_by_an_earlier_boot);
	TAP_RUN(test_foreign_table_is_adopted_and_a_false_one_reset);
	return tap_done();
}
