// SPDX-License-Identifier: MIT
/*
 * The firmware library on a machine with stages: the five cases of its requirement by name, then
 * what goes beyond them.
 */
#include <string.h>

#include "core/cbmem.h"
#include "core/error.h"
#include "core/timestamp.h"
#include "core/timestamp_table.h"
#include "tests/port/machine.h"
#include "tests/tap.h"

static struct timestamp_view table;
static struct timestamp_companion companion;

/* Reads an entry back the way another program would: out of the bytes of memory. */
static struct bytes read_entry(uint32_t id)
{
	const struct bytes memory = { machine_cbmem_memory(), MACHINE_CBMEM_BYTES, false };
	struct cbmem_directory dir;
	struct cbmem_item item;

	if (cbmem_directory_search(&dir, &memory) < 0 || cbmem_directory_find(&dir, id, &item) < 0)
		return (struct bytes){ NULL, 0, false };
	return bytes_sub(&memory, (uint64_t)item.offset, item.size);
}

static void read_back(void)
{
	struct bytes entry = read_entry(CBMEM_ID_TIMESTAMP);
	struct bytes extra = read_entry(CBMEM_ID_HADAL);

	memset(&table, 0xee, sizeof(table));
	memset(&companion, 0xee, sizeof(companion));
	CHECK_EQ(timestamp_view_open(&table, &entry), 0);
	CHECK_EQ(timestamp_companion_read(&extra, &companion), 0);
}

static void check_stamp(uint32_t index, uint32_t id, int64_t stamp)
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

static void add_at(uint32_t id, uint64_t time)
{
	port_world.clock = time;
	timestamp_add_now(id);
}

/* A whole boot in three stages with CBMEM made in the second; @offset is added to each time. */
static void boot_three_stages(uint64_t offset)
{
	machine_next_stage();
	timestamp_init(offset + 1000);
	add_at(TS_BOOTBLOCK_START, offset + 1100);
	machine_next_stage();
	if (!machine_region())
		timestamp_init(offset + 1000);
	add_at(TS_ROMSTAGE_START, offset + 2000);
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_ROMSTAGE_END, offset + 3000);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_RAMSTAGE_START, offset + 4000);
}

static void check_three_stages(uint64_t base)
{
	read_back();
	CHECK_EQ(table.base_time, base);
	CHECK_EQ(table.count, 4);
	check_stamp(0, TS_BOOTBLOCK_START, 100);
	check_stamp(1, TS_ROMSTAGE_START, 1000);
	check_stamp(2, TS_ROMSTAGE_END, 2000);
	check_stamp(3, TS_RAMSTAGE_START, 3000);
}

static void test_case_1_region_exists_fresh_boot(void)
{
	static const uint8_t seeds[] = { 0x00, 0x01, 0x5a, 0xff };

	for (size_t i = 0; i < sizeof(seeds); i++) {
		machine_power_on(seeds[i]);
		machine_add_region();
		boot_three_stages(0);
		check_three_stages(1000);
		CHECK_EQ(companion.generation, 1);
		CHECK_EQ(companion.boot_kind, TIMESTAMP_BOOT_FRESH);
		CHECK_EQ(companion.dropped, 0);
		CHECK_EQ(companion.refused, 0);
	}
}

static void test_case_1_region_exists_resume(void)
{
	machine_power_on(0x33);
	machine_add_region();
	boot_three_stages(0);
	add_at(TS_KERNEL_START, 9000);
	machine_resume();
	boot_three_stages(50000);
	check_three_stages(51000);
	CHECK_EQ(companion.generation, 2);
	CHECK_EQ(companion.boot_kind, TIMESTAMP_BOOT_RESUME);
}

/* In romstage: the stash holds what this stage saw, and has to be moved before it vanishes. */
static void test_case_2_no_region_fresh_boot_cbmem_after_init(void)
{
	machine_power_on(0x77);
	machine_next_stage();
	timestamp_init(500);
	add_at(TS_ROMSTAGE_START, 600);
	add_at(TS_INITRAM_START, 700);
	CHECK_EQ(read_entry(CBMEM_ID_TIMESTAMP).len, 0);
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_INITRAM_END, 900);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_RAMSTAGE_START, 1500);

	read_back();
	CHECK_EQ(table.base_time, 500);
	CHECK_EQ(table.max, PORT_TIMESTAMP_TABLE_ENTRIES);
	CHECK_EQ(table.mhz, 2000);
	CHECK_EQ(table.count, 4);
	check_stamp(0, TS_ROMSTAGE_START, 100);
	check_stamp(1, TS_INITRAM_START, 200);
	check_stamp(2, TS_INITRAM_END, 400);
	check_stamp(3, TS_RAMSTAGE_START, 1000);
}

static void test_case_3_no_region_fresh_boot_cbmem_before_init(void)
{
	machine_power_on(0x18);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_INITRAM_END, 450);
	timestamp_init(400);
	add_at(TS_ROMSTAGE_END, 600);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	timestamp_init(123456);
	add_at(TS_RAMSTAGE_START, 800);

	read_back();
	CHECK_EQ(table.base_time, 400);
	CHECK_EQ(table.count, 3);
	check_stamp(0, TS_INITRAM_END, 50);
	check_stamp(1, TS_ROMSTAGE_END, 200);
	check_stamp(2, TS_RAMSTAGE_START, 400);
	CHECK_EQ(companion.generation, 1);
}

static void first_boot_without_region(void)
{
	machine_power_on(0xc4);
	machine_next_stage();
	timestamp_init(10);
	add_at(TS_ROMSTAGE_START, 20);
	machine_cbmem_up();
	for (uint32_t i = 0; i < 10; i++)
		add_at(TS_WRITE_TABLES, 30 + i);
	port_world.clock = 777;
	machine_resume();
}

static void check_resumed_table(void)
{
	uint32_t id;
	int64_t stamp;

	read_back();
	CHECK_EQ(table.base_time, 5000);
	CHECK_EQ(table.count, 3);
	check_stamp(0, TS_ROMSTAGE_START, 100);
	check_stamp(1, TS_RAMSTAGE_START, 300);
	check_stamp(2, TS_ACPI_WAKE_JUMP, 400);
	CHECK_EQ(companion.generation, 2);
	CHECK_EQ(companion.boot_kind, TIMESTAMP_BOOT_RESUME);
	for (uint32_t i = table.count; i < table.room; i++) {
		timestamp_view_entry(&table, i, &id, &stamp);
		CHECK(id == 0 && stamp == 0);
	}
}

static void resumed_ramstage(void)
{
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	add_at(TS_RAMSTAGE_START, 5300);
	timestamp_init(99);
	add_at(TS_ACPI_WAKE_JUMP, 5400);
}

static void test_case_4_no_region_resume_cbmem_after_init(void)
{
	first_boot_without_region();
	machine_next_stage();
	timestamp_init(5000);
	add_at(TS_ROMSTAGE_START, 5100);
	CHECK_EQ(machine_cbmem_up(), 0);
	resumed_ramstage();
	check_resumed_table();
	CHECK_EQ(read_entry(CBMEM_ID_TIMESTAMP_PRESUSPEND).len, 0);
	CHECK_EQ(companion.kept_id, 0);
}

static void test_case_5_no_region_resume_cbmem_before_init(void)
{
	first_boot_without_region();
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	timestamp_init(5000);
	add_at(TS_ROMSTAGE_START, 5100);
	resumed_ramstage();
	check_resumed_table();
}

static void test_presuspend_table_is_kept_when_asked(void)
{
	struct timestamp_view kept;
	struct bytes entry;

	first_boot_without_region();
	port_world.keep_presuspend = 1;
	machine_next_stage();
	timestamp_init(5000);
	add_at(TS_ROMSTAGE_START, 5100);
	CHECK_EQ(machine_cbmem_up(), 0);
	resumed_ramstage();
	check_resumed_table();
	CHECK_EQ(companion.kept_id, CBMEM_ID_TIMESTAMP_PRESUSPEND);

	entry = read_entry(CBMEM_ID_TIMESTAMP_PRESUSPEND);
	REQUIRE(timestamp_view_open(&kept, &entry) == 0);
	CHECK_EQ(kept.base_time, 10);
	CHECK_EQ(kept.count, 11);

	/* A second resume keeps the first one's table, in the same place. */
	machine_resume();
	machine_next_stage();
	timestamp_init(7000);
	CHECK_EQ(machine_cbmem_up(), 0);
	entry = read_entry(CBMEM_ID_TIMESTAMP_PRESUSPEND);
	REQUIRE(timestamp_view_open(&kept, &entry) == 0);
	CHECK_EQ(kept.base_time, 5000);
	CHECK_EQ(kept.count, 3);
	read_back();
	CHECK_EQ(companion.generation, 3);
}

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

static void test_sync_is_idempotent_and_says_what_it_moved(void)
{
	machine_power_on(5);
	machine_next_stage();
	CHECK_EQ(timestamp_sync(), -CORE_ENODEV);
	timestamp_init(10);
	add_at(1, 11);
	CHECK_EQ(timestamp_sync(), -CORE_ENODEV);
	add_at(2, 12);
	CHECK_EQ(machine_cbmem_up(), 0);
	CHECK_EQ(timestamp_sync(), 0);
	CHECK_EQ(timestamp_sync(), 0);
	read_back();
	CHECK_EQ(table.count, 2);

	machine_next_stage();
	add_at(3, 13);
	add_at(4, 14);
	add_at(5, 15);
	/* Without the hook, so that the count is seen. */
	CHECK_EQ(cbmem_recover(port_world.cbmem, machine_cbmem_memory(), MACHINE_CBMEM_BYTES), 0);
	read_back();
	CHECK_EQ(table.count, 5);
	check_stamp(4, 5, 5);
}

static void test_sync_returns_the_number_of_moved_stamps(void)
{
	struct cbmem up;

	machine_power_on(5);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	up = *port_world.cbmem;
	machine_next_stage();
	timestamp_init(10);
	add_at(1, 11);
	add_at(2, 12);
	*port_world.cbmem = up;
	CHECK_EQ(timestamp_sync(), 2);
	CHECK_EQ(timestamp_sync(), 0);
}

static void test_second_init_after_sync_changes_nothing(void)
{
	machine_power_on(6);
	machine_add_region();
	boot_three_stages(0);
	timestamp_init(424242);
	check_three_stages(1000);
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	timestamp_init(424242);
	check_three_stages(1000);
}

static void test_add_before_init_is_kept_in_a_stash(void)
{
	machine_power_on(7);
	machine_next_stage();
	add_at(TS_BOOTBLOCK_START, 50);
	timestamp_init(100);
	add_at(TS_BOOTBLOCK_END, 150);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.base_time, 100);
	check_stamp(0, TS_BOOTBLOCK_START, -50);
	check_stamp(1, TS_BOOTBLOCK_END, 50);
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

static void test_cache_states(void)
{
	const struct timestamp_stash *stash;

	machine_power_on(10);
	machine_add_region();
	machine_next_stage();
	stash = machine_region();
	add_at(1, 1);
	CHECK_EQ(load_le16(&stash->cache.cache_state), TIMESTAMP_CACHE_UNINITIALIZED);
	timestamp_init(1);
	CHECK_EQ(load_le16(&stash->cache.cache_state), TIMESTAMP_CACHE_INITIALIZED);
	CHECK_EQ(load_le32(&stash->cache.table.num_entries), 0);
	add_at(1, 2);
	CHECK_EQ(load_le32(&stash->cache.table.num_entries), 1);
	CHECK_EQ(machine_cbmem_up(), 0);
	CHECK_EQ(load_le16(&stash->cache.cache_state), TIMESTAMP_CACHE_NOT_NEEDED);
	add_at(1, 3);
	CHECK_EQ(load_le32(&stash->cache.table.num_entries), 0);
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

static void test_bytes_on_the_wire(void)
{
	static const uint8_t header[] = { 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,
					  30,	0,    0xd0, 0x07, 1,	0,    0,    0 };
	static const uint8_t entry[] = { 0x4d, 0x04, 0, 0, 0x05, 0, 0, 0, 0, 0, 0, 0 };
	static const uint8_t extra[] = { 1,    0, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x84,
					 0x1e, 0, 1,  0, 0, 0, 1, 0, 0, 0, 0, 0, 0,    0 };
	struct bytes b;

	machine_power_on(12);
	machine_next_stage();
	timestamp_init(0x0102030405060708);
	timestamp_add(TS_KERNEL_START, 0x010203040506070d);
	CHECK_EQ(machine_cbmem_up(), 0);
	b = read_entry(CBMEM_ID_TIMESTAMP);
	REQUIRE(b.len == 376);
	CHECK(memcmp(b.data, header, sizeof(header)) == 0);
	CHECK(memcmp(b.data + 16, entry, sizeof(entry)) == 0);
	b = read_entry(CBMEM_ID_HADAL);
	REQUIRE(b.len == 32);
	CHECK(memcmp(b.data, extra, sizeof(extra)) == 0);
}

static void test_rescale_divides_first_and_rounds_towards_zero(void)
{
	machine_power_on(13);
	machine_next_stage();
	timestamp_init(1003);
	timestamp_add(1, 1003 + 11);
	timestamp_add(2, 1003 - 7);
	timestamp_rescale(3, 0);
	timestamp_rescale(0, 3);
	timestamp_rescale(3, 4);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.base_time, 750);
	check_stamp(0, 1, 6);
	check_stamp(1, 2, -3);
	timestamp_rescale(2, 1);
	read_back();
	CHECK_EQ(table.base_time, 1500);
	check_stamp(1, 2, -6);
}

static void test_us_since_boot(void)
{
	machine_power_on(14);
	machine_next_stage();
	timestamp_init(1000);
	port_world.clock = 1000 + 2000 * 123;
	CHECK_EQ(timestamp_us_since_boot(), 0);
	CHECK_EQ(machine_cbmem_up(), 0);
	CHECK_EQ(timestamp_us_since_boot(), 123);
	port_world.clock = 1000 + (0x100000000u + 5) * 2000;
	CHECK_EQ(timestamp_us_since_boot(), 5);
	machine_power_on(14);
	port_world.clock_khz = 0;
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	CHECK_EQ(timestamp_us_since_boot(), 0);
}

static void test_frequency_becomes_known_in_a_later_stage(void)
{
	machine_power_on(15);
	port_world.clock_khz = 0;
	machine_next_stage();
	timestamp_init(1);
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.mhz, 0);
	port_world.clock_khz = 2594507;
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.mhz, 2594);
	CHECK_EQ(companion.khz, 2594507);
	port_world.clock_khz = 0;
	machine_next_stage();
	CHECK_EQ(machine_cbmem_up(), 0);
	read_back();
	CHECK_EQ(table.mhz, 2594);
	CHECK_EQ(companion.khz, 2594507);
}

int main(void)
{
	TAP_RUN(test_case_1_region_exists_fresh_boot);
	TAP_RUN(test_case_1_region_exists_resume);
	TAP_RUN(test_case_2_no_region_fresh_boot_cbmem_after_init);
	TAP_RUN(test_case_3_no_region_fresh_boot_cbmem_before_init);
	TAP_RUN(test_case_4_no_region_resume_cbmem_after_init);
	TAP_RUN(test_case_5_no_region_resume_cbmem_before_init);
	TAP_RUN(test_presuspend_table_is_kept_when_asked);
	TAP_RUN(test_full_cache_counts_what_it_drops);
	TAP_RUN(test_full_table_counts_what_it_drops);
	TAP_RUN(test_sync_moves_no_more_than_the_table_has_room_for);
	TAP_RUN(test_other_cpu_is_a_counted_no_op);
	TAP_RUN(test_sync_is_idempotent_and_says_what_it_moved);
	TAP_RUN(test_sync_returns_the_number_of_moved_stamps);
	TAP_RUN(test_second_init_after_sync_changes_nothing);
	TAP_RUN(test_add_before_init_is_kept_in_a_stash);
	TAP_RUN(test_garbage_in_a_region_is_recognised);
	TAP_RUN(test_init_resets_a_region_left_by_an_earlier_boot);
	TAP_RUN(test_cache_states);
	TAP_RUN(test_foreign_table_is_adopted_and_a_false_one_reset);
	TAP_RUN(test_bytes_on_the_wire);
	TAP_RUN(test_rescale_divides_first_and_rounds_towards_zero);
	TAP_RUN(test_us_since_boot);
	TAP_RUN(test_frequency_becomes_known_in_a_later_stage);
	return tap_done();
}
