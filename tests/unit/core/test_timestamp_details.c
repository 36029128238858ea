// SPDX-License-Identifier: MIT
/* What the firmware library's functions do one by one: states, bytes, units and frequencies. */
#include <string.h>

#include "core/error.h"
#include "core/timestamp.h"
#include "tests/port/readback.h"

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
	TAP_RUN(test_sync_is_idempotent_and_says_what_it_moved);
	TAP_RUN(test_sync_returns_the_number_of_moved_stamps);
	TAP_RUN(test_add_before_init_is_kept_in_a_stash);
	TAP_RUN(test_cache_states);
	TAP_RUN(test_bytes_on_the_wire);
	TAP_RUN(test_rescale_divides_first_and_rounds_towards_zero);
	TAP_RUN(test_us_since_boot);
	TAP_RUN(test_frequency_becomes_known_in_a_later_stage);
	return tap_done();
}
