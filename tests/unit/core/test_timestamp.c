// SPDX-License-Identifier: MIT
/*
 * The firmware library on a machine with stages: the five cases of its requirement by name, the
 * table that a resume keeps, and a second init.
 */
#include "core/timestamp.h"
#include "tests/port/readback.h"

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

int main(void)
{
	TAP_RUN(test_case_1_region_exists_fresh_boot);
	TAP_RUN(test_case_1_region_exists_resume);
	TAP_RUN(test_case_2_no_region_fresh_boot_cbmem_after_init);
	TAP_RUN(test_case_3_no_region_fresh_boot_cbmem_before_init);
	TAP_RUN(test_case_4_no_region_resume_cbmem_after_init);
	TAP_RUN(test_case_5_no_region_resume_cbmem_before_init);
	TAP_RUN(test_presuspend_table_is_kept_when_asked);
	TAP_RUN(test_second_init_after_sync_changes_nothing);
	return tap_done();
}
