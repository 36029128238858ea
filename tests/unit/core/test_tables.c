// SPDX-License-Identifier: MIT
/* The readers of the coreboot table, the timestamp table and its companion, on bytes of any kind. */
#include <stdlib.h>
#include <string.h>

#include "core/coreboot_table.h"
#include "core/error.h"
#include "core/timestamp_table.h"
#include "tests/tap.h"

static uint8_t lbio[24 + 40];

static void put32(uint8_t *p, uint32_t v, bool big)
{
	v = load_swap32(v, big != LOAD_HOST_BIG_ENDIAN);
	memcpy(p, &v, 4);
}

/* A table of two records: a forward to 0x7f00001000, and an unknown one of 24 bytes. */
static void make_lbio(bool big)
{
	uint8_t *r = lbio + 24;

	memset(lbio, 0, sizeof(lbio));
	memcpy(lbio, "LBIO", 4);
	put32(r, 0x11, big);
	put32(r + 4, 16, big);
	put32(r + 8, big ? 0x7f : 0x1000, big);
	put32(r + 12, big ? 0x1000 : 0x7f, big);
	put32(r + 16, 0x99, big);
	put32(r + 20, 24, big);
	put32(lbio + 4, 24, big);
	put32(lbio + 12, 40, big);
	put32(lbio + 16, load_swap16(coreboot_checksum(r, 40), big), big);
	put32(lbio + 20, 2, big);
	put32(lbio + 8, load_swap16(coreboot_checksum(lbio, 24), big), big);
}

static void check_lbio(bool big)
{
	const struct bytes b = { lbio, sizeof(lbio), false };
	struct coreboot_record record;
	struct coreboot_table table;
	uint64_t address = 0;
	size_t pos = 0;

	make_lbio(big);
	REQUIRE(coreboot_table_open(&table, &b) == 0);
	CHECK(table.checksum_ok);
	CHECK_EQ(table.records.big, big);
	CHECK_EQ(table.claimed_records, 2);
	REQUIRE(coreboot_table_next(&table, &pos, &record) == 1);
	CHECK_EQ(record.tag, COREBOOT_TAG_FORWARD);
	CHECK_EQ(coreboot_record_address(&record, &address), 0);
	CHECK_EQ(address, 0x7f00001000);
	REQUIRE(coreboot_table_next(&table, &pos, &record) == 1);
	CHECK_EQ(record.tag, 0x99);
	CHECK_EQ(record.payload.len, 16);
	CHECK_EQ(coreboot_table_next(&table, &pos, &record), 0);
}

static void test_coreboot_table_in_both_orders(void)
{
	check_lbio(false);
	check_lbio(true);
}

static void test_coreboot_checksum_by_hand(void)
{
	static const uint8_t words[] = { 0x01, 0x00, 0xff, 0xff, 0x10 };

	/* 0x0001 + 0xffff + 0x0010 = 0x10010 -> 0x0011 -> ~ */
	CHECK_EQ(coreboot_checksum(words, 5), 0xffee);
	CHECK_EQ(coreboot_checksum(words, 0), 0xffff);
}

static void test_coreboot_table_damaged(void)
{
	struct bytes b = { lbio, sizeof(lbio), false };
	struct coreboot_record record;
	struct coreboot_table table;
	uint64_t address;
	size_t pos;

	make_lbio(false);
	lbio[0] = 'l';
	CHECK_EQ(coreboot_table_open(&table, &b), -CORE_ENOENT);
	make_lbio(false);
	lbio[9]++;
	CHECK_EQ(coreboot_table_open(&table, &b), -CORE_EBADMSG);
	make_lbio(false);
	lbio[60]++;
	CHECK_EQ(coreboot_table_open(&table, &b), 0);
	CHECK(!table.checksum_ok);

	/* Record sizes that would loop, or run past the end. */
	static const uint32_t sizes[] = { 0, 7, 41, 0xfffffff8, 0xffffffff };
	for (size_t i = 0; i < 5; i++) {
		make_lbio(false);
		put32(lbio + 28, sizes[i], false);
		pos = 0;
		CHECK_EQ(coreboot_table_open(&table, &b), 0);
		CHECK_EQ(coreboot_table_next(&table, &pos, &record), -CORE_EBADMSG);
	}

	/* References of 32 bits, and of none. */
	make_lbio(false);
	put32(lbio + 28, 12, false);
	pos = 0;
	coreboot_table_open(&table, &b);
	CHECK_EQ(coreboot_table_next(&table, &pos, &record), 1);
	CHECK_EQ(coreboot_record_address(&record, &address), 0);
	CHECK_EQ(address, 0x1000);
	put32(lbio + 28, 8, false);
	pos = 0;
	CHECK_EQ(coreboot_table_next(&table, &pos, &record), 1);
	CHECK_EQ(coreboot_record_address(&record, &address), -CORE_EBADMSG);
}

static void test_coreboot_table_cut_short_anywhere(void)
{
	struct coreboot_record record;
	struct coreboot_table table;

	make_lbio(false);
	for (size_t len = 0; len < sizeof(lbio); len++) {
		uint8_t *copy = malloc(len + !len);
		struct bytes b = { copy, len, false };
		size_t pos = 0;
		int ret;

		REQUIRE(copy);
		memcpy(copy, lbio, len);
		ret = coreboot_table_open(&table, &b);
		CHECK_EQ(ret, len < 4 ? -CORE_ENOENT : len < 24 ? -CORE_EBADMSG : 0);
		while (ret == 0 && coreboot_table_next(&table, &pos, &record) > 0)
			;
		CHECK(ret < 0 || !table.checksum_ok);
		free(copy);
	}
}

static const uint8_t stamps[] = {
	0x88, 0x13, 0,	  0,	0,  0, 0, 0, 3, 0, 0x34, 0x08, 2, 0, 0,	   0,	 11,   0,
	0,    0,    0x64, 0,	0,  0, 0, 0, 0, 0, 12,	 0,    0, 0, 0xff, 0xff, 0xff, 0xff,
	0xff, 0xff, 0xff, 0xff, 99, 0, 0, 0, 7, 0, 0,	 0,    0, 0, 0,	   0,
};

static void test_timestamp_table(void)
{
	const struct bytes b = { stamps, sizeof(stamps), false };
	struct timestamp_view view;
	int64_t stamp;
	uint32_t id;

	REQUIRE(timestamp_view_open(&view, &b) == 0);
	CHECK_EQ(view.base_time, 5000);
	CHECK_EQ(view.max, 3);
	CHECK_EQ(view.mhz, 2100);
	CHECK_EQ(view.claimed, 2);
	CHECK_EQ(view.count, 2);
	CHECK_EQ(view.room, 3);
	timestamp_view_entry(&view, 1, &id, &stamp);
	CHECK_EQ(id, 12);
	CHECK_EQ(stamp, -1);
	timestamp_view_entry(&view, 2, &id, &stamp);
	CHECK_EQ(id, 99);
}

static void test_timestamp_table_swapped(void)
{
	static const uint8_t big[] = { 0, 0, 0, 0, 0, 0,  0x13, 0x88, 0, 3, 0x08, 0x34, 0, 0,
				       0, 1, 0, 0, 0, 11, 0,	0,    0, 0, 0,	  0,	0, 0x64 };
	const struct bytes b = { big, sizeof(big), false };
	struct timestamp_view view;
	int64_t stamp;
	uint32_t id;

	REQUIRE(timestamp_view_open(&view, &b) == 0);
	CHECK(view.bytes.big);
	CHECK_EQ(view.base_time, 5000);
	CHECK_EQ(view.mhz, 2100);
	CHECK_EQ(view.count, 1);
	timestamp_view_entry(&view, 0, &id, &stamp);
	CHECK_EQ(id, 11);
	CHECK_EQ(stamp, 100);
}

static void test_timestamp_table_lying_or_cut_short(void)
{
	uint8_t copy[sizeof(stamps)];
	struct timestamp_view view;

	for (size_t len = 0; len < sizeof(stamps); len++) {
		struct bytes b = { copy, len, false };

		memcpy(copy, stamps, len);
		CHECK_EQ(timestamp_view_open(&view, &b), len < 16 ? -CORE_EBADMSG : 0);
		if (len >= 16)
			CHECK_EQ(view.count, len < 28 ? 0 : len < 40 ? 1 : 2);
	}
	memcpy(copy, stamps, sizeof(copy));
	put32(copy + 12, 0x40000000, false);
	CHECK_EQ(timestamp_view_open(&view, &(struct bytes){ copy, sizeof(copy), false }), 0);
	CHECK(!timestamp_view_plausible(&view));
	CHECK_EQ(view.claimed, 0x40000000);
	CHECK_EQ(view.count, 3);
	memset(copy + 8, 0, 2);
	CHECK_EQ(timestamp_view_open(&view, &(struct bytes){ copy, sizeof(copy), false }), 0);
	CHECK_EQ(view.count, 0);
}

static void test_companion(void)
{
	uint8_t good[32] = { 1, 0, 32, 0, 5, 0, 0, 0, 6, 0, 0,	  0,	7,    0,
			     0, 0, 8,  0, 0, 0, 1, 1, 0, 0, 0x50, 0x4d, 0x49, 0x54 };
	struct timestamp_companion companion;
	struct bytes b = { good, sizeof(good), false };
	uint32_t sum = 0;

	for (size_t i = 0; i < 28; i += 4)
		sum += load_le32(good + i);
	store_le32(good + 28, ~sum);
	REQUIRE(timestamp_companion_read(&b, &companion) == 0);
	CHECK_EQ(companion.dropped, 5);
	CHECK_EQ(companion.refused, 6);
	CHECK_EQ(companion.khz, 7);
	CHECK_EQ(companion.generation, 8);
	CHECK_EQ(companion.counter, TIMESTAMP_COUNTER_TSC);
	CHECK_EQ(companion.boot_kind, TIMESTAMP_BOOT_RESUME);
	CHECK_EQ(companion.kept_id, 0x54494d50);
	for (size_t i = 0; i < sizeof(good); i++) {
		good[i] ^= 0x10;
		CHECK_EQ(timestamp_companion_read(&b, &companion), -CORE_EBADMSG);
		good[i] ^= 0x10;
	}
	for (b.len = 0; b.len < sizeof(good); b.len++)
		CHECK_EQ(timestamp_companion_read(&b, &companion), -CORE_EBADMSG);
}

int main(void)
{
	TAP_RUN(test_coreboot_table_in_both_orders);
	TAP_RUN(test_coreboot_checksum_by_hand);
	TAP_RUN(test_coreboot_table_damaged);
	TAP_RUN(test_coreboot_table_cut_short_anywhere);
	TAP_RUN(test_timestamp_table);
	TAP_RUN(test_timestamp_table_swapped);
	TAP_RUN(test_timestamp_table_lying_or_cut_short);
	TAP_RUN(test_companion);
	return tap_done();
}
