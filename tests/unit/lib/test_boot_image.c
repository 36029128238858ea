// SPDX-License-Identifier: MIT
/*
 * Dumps that lie: each row of the list of inputs on which existing readers crash, hang, go astray
 * or fall silent. Images are exactly as long as they claim, so that a sanitizer sees any read
 * past them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/cbmem_abi.h"
#include "core/coreboot_table.h"
#include "hadal/boot.h"

#define IMAGE_BYTES 0x8000u
#define FORWARD_AT 0x500u
#define TABLE_AT 0x2000u
#define STAMPS_AT 0x3000u
#define STAMPS_BYTES (16 + 4 * 12)

/* struct builder - an image of memory with a coreboot table that grows record by record */
struct builder {
	uint8_t *image;
	size_t end;
	uint32_t records;
};

static void put(uint8_t *p, uint64_t v, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static void seal(uint8_t *table, uint32_t table_bytes, uint32_t records)
{
	memcpy(table, "LBIO", 4);
	put(table + 4, 24, 4);
	put(table + 8, 0, 4);
	put(table + 12, table_bytes, 4);
	put(table + 16, coreboot_checksum(table + 24, table_bytes), 4);
	put(table + 20, records, 4);
	put(table + 8, coreboot_checksum(table, 24), 4);
}

static void record(struct builder *b, uint32_t tag, uint32_t size, uint64_t a, uint64_t c)
{
	uint8_t *p = b->image + b->end;

	put(p, tag, 4);
	put(p + 4, size, 4);
	put(p + 8, a, 8);
	put(p + 16, c, 8);
	b->end += size;
	b->records++;
}

static void cbmem_record(struct builder *b, uint32_t id, uint64_t address, uint32_t size)
{
	record(b, COREBOOT_TAG_CBMEM_ENTRY, 24, address, (uint64_t)id << 32 | size);
}

static void forward(struct builder *b, uint64_t address, uint32_t size)
{
	struct builder f = { b->image, FORWARD_AT + 24, 0 };

	record(&f, COREBOOT_TAG_FORWARD, size, address, 0);
	seal(b->image + FORWARD_AT, size, 1);
}

static void stamps(uint8_t *p, uint16_t max, uint32_t count)
{
	put(p, 1000, 8);
	put(p + 8, max, 2);
	put(p + 10, 1, 2);
	put(p + 12, count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		put(p + 16 + 12 * i, 11 + i, 4);
		put(p + 20 + 12 * i, 100 * (i + 1), 8);
	}
}

/* An image with a forward, an empty table and a timestamp table of four. */
static struct builder start(void)
{
	struct builder b = { calloc(1, IMAGE_BYTES), TABLE_AT + 24, 0 };

	assert_non_null(b.image);
	forward(&b, TABLE_AT, 16);
	stamps(b.image + STAMPS_AT, 4, 4);
	return b;
}

static void finish(struct builder *b)
{
	seal(b->image + TABLE_AT, (uint32_t)(b->end - TABLE_AT - 24), b->records);
}

static void read_image(struct hadal_boot *boot, struct builder *b, size_t len)
{
	uint8_t *exact = malloc(len);

	assert_non_null(exact);
	memcpy(exact, b->image, len);
	memset(boot, 0, sizeof(*boot));
	assert_int_equal(hadal_boot_read_image(boot, exact, len, NULL), 0);
	free(exact);
	free(b->image);
}

static void assert_damage(const struct hadal_boot *boot, const char *words)
{
	for (size_t i = 0; i < boot->damage.count; i++)
		if (strstr(boot->damage.at[i], words))
			return;
	fail_msg("no damage says '%s' (%zu lines; first: %s)", words, boot->damage.count,
		 boot->damage.count ? boot->damage.at[0] : "none");
}

static void assert_all_stamps(const struct hadal_boot *boot)
{
	assert_true(boot->has_stamps);
	assert_int_equal(boot->base, 1000);
	assert_int_equal(boot->stamps.count, 4);
	for (uint32_t i = 0; i < 4; i++) {
		assert_int_equal(boot->stamps.at[i].id, 11 + i);
		assert_int_equal(boot->stamps.at[i].ticks, 100 * (i + 1));
	}
}

static void test_sound_image(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	record(&b, COREBOOT_TAG_TSC_INFO, 12, 1, 0);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	assert_int_equal(boot.damage.count, 0);
	hadal_boot_free(&boot);
}

static void test_count_larger_than_the_entry_can_hold(void **state)
{
	static const uint32_t counts[] = { 5, 1000, 0x40000000, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct builder b = start();
		struct hadal_boot boot;

		stamps(b.image + STAMPS_AT, 4, counts[i]);
		cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
		finish(&b);
		read_image(&boot, &b, IMAGE_BYTES);
		assert_all_stamps(&boot);
		assert_damage(&boot, "stamps in room for 4");
		hadal_boot_free(&boot);
	}
}

static void test_max_larger_than_the_entry(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	stamps(b.image + STAMPS_AT, 65535, 65535);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	assert_damage(&boot, "cut short, 4 of 65535");
	hadal_boot_free(&boot);
}

static void test_entry_size_larger_than_the_file(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, 0xffffffff);
	finish(&b);
	read_image(&boot, &b, STAMPS_AT + STAMPS_BYTES);
	assert_all_stamps(&boot);
	hadal_boot_free(&boot);
}

static void test_entry_smaller_than_the_header(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, 12);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.has_stamps);
	assert_damage(&boot, "less than its header");
	hadal_boot_free(&boot);
}

static void test_record_of_size_zero(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	put(b.image + b.end, 0x99, 4);
	b.end += 24;
	cbmem_record(&b, CBMEM_ID_CBTABLE, TABLE_AT, 0x1000);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	assert_int_equal(boot.directory_count, 1);
	assert_damage(&boot, "record at 0x30 has an impossible size");
	hadal_boot_free(&boot);
}

static void test_forward_to_itself(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	forward(&b, FORWARD_AT, 16);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.has_table);
	assert_damage(&boot, "forwards, one after another");
	hadal_boot_free(&boot);
}

static void test_forward_shorter_than_its_address(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	/* 12 bytes hold a 32-bit address, as early ones did. */
	forward(&b, TABLE_AT, 12);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	hadal_boot_free(&boot);

	b = start();
	forward(&b, TABLE_AT, 8);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.has_stamps);
	hadal_boot_free(&boot);
}

static void test_forward_out_of_the_file(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	forward(&b, 0xfffffffffffffff0, 16);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_damage(&boot, "where there is none in this file");
	hadal_boot_free(&boot);
}

static void test_table_bytes_below_the_header(void **state)
{
	static const uint32_t sizes[] = { 0, 7, 23 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct builder b = start();
		struct hadal_boot boot;

		cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
		seal(b.image + TABLE_AT, sizes[i], 1);
		read_image(&boot, &b, IMAGE_BYTES);
		assert_false(boot.has_stamps);
		assert_true(boot.has_table);
		assert_int_equal(boot.damage.count, sizes[i] != 0);
		hadal_boot_free(&boot);
	}
}

static void test_entry_record_last_in_the_table(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_CBTABLE, TABLE_AT, 0x1000);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_int_equal(boot.directory_count, 2);
	assert_all_stamps(&boot);
	hadal_boot_free(&boot);
}

static void test_reference_record_of_early_firmware(void **state)
{
	(void)state;
	for (uint32_t size = 12; size <= 16; size += 4) {
		struct builder b = start();
		struct hadal_boot boot;

		record(&b, COREBOOT_TAG_TIMESTAMPS, size, STAMPS_AT, 0);
		finish(&b);
		read_image(&boot, &b, IMAGE_BYTES);
		assert_all_stamps(&boot);
		hadal_boot_free(&boot);
	}
}

static void test_wrong_checksums(void **state)
{
	struct builder b;
	struct hadal_boot boot;

	(void)state;
	b = start();
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	record(&b, 0x99, 24, 0, 0);
	finish(&b);
	b.image[b.end - 1] ^= 0x80;
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	assert_damage(&boot, "checksum of its records is wrong");
	hadal_boot_free(&boot);

	b = start();
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	b.image[TABLE_AT + 9] ^= 0x80;
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.has_stamps);
	assert_damage(&boot, "header cut short or its checksum wrong");
	hadal_boot_free(&boot);
}

static void test_addresses_that_wrap(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&b, CBMEM_ID_HADAL, UINT64_MAX - 4, 0xffffffff);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, 0xffffffff00003000, 0xffffffff);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.has_stamps);
	assert_int_equal(boot.notes.count, 1);
	assert_non_null(strstr(boot.notes.at[0], "0xffffffff00003000"));
	hadal_boot_free(&boot);
}

static void test_unknown_frequency_and_dropped_stamps(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;
	uint8_t *extra = b.image + 0x4000;
	uint32_t sum = 0;

	(void)state;
	put(b.image + STAMPS_AT + 10, 0, 2);
	put(extra, 1, 2);
	put(extra + 2, 32, 2);
	put(extra + 4, 77, 4);
	put(extra + 16, 1, 4);
	for (size_t i = 0; i < 28; i += 4)
		sum += load_le32(extra + i);
	put(extra + 28, ~sum, 4);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	cbmem_record(&b, CBMEM_ID_HADAL, 0x4000, 32);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_all_stamps(&boot);
	assert_int_equal(boot.khz, 0);
	assert_true(boot.has_companion);
	assert_int_equal(boot.dropped, 77);
	hadal_boot_free(&boot);
}

static void test_frequency_sources(void **state)
{
	/* the table's MHz, the TSC record's kHz, what is taken */
	static const uint32_t cases[][3] = {
		{ 2594, 2594507, 2594507 },
		{ 2594, 2100000, 2594000 },
		{ 2594, 0, 2594000 },
		{ 0, 2100000, 2100000 },
		{ 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct builder b = start();
		struct hadal_boot boot;

		put(b.image + STAMPS_AT + 10, cases[i][0], 2);
		cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
		record(&b, COREBOOT_TAG_TSC_INFO, 12, cases[i][1], 0);
		finish(&b);
		read_image(&boot, &b, IMAGE_BYTES);
		assert_int_equal(boot.khz, cases[i][2]);
		assert_int_equal(boot.notes.count, i == 1);
		hadal_boot_free(&boot);
	}
}

static void test_old_id_30(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	put(b.image + STAMPS_AT + 16, 30, 4);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_true(boot.old_id_30);
	hadal_boot_free(&boot);

	b = start();
	put(b.image + STAMPS_AT + 16, 30, 4);
	put(b.image + STAMPS_AT + 28, 31, 4);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_false(boot.old_id_30);
	hadal_boot_free(&boot);
}

static void test_leftovers_are_kept_apart(void **state)
{
	struct builder b = start();
	struct hadal_boot boot;

	(void)state;
	stamps(b.image + STAMPS_AT, 4, 2);
	cbmem_record(&b, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&b);
	read_image(&boot, &b, IMAGE_BYTES);
	assert_int_equal(boot.stamps.count, 2);
	assert_int_equal(boot.leftovers.count, 2);
	assert_int_equal(boot.leftovers.at[0].id, 13);
	assert_int_equal(boot.damage.count, 0);
	hadal_boot_free(&boot);
}

/* Cut anywhere, with each byte of table and stamps in turn wrong: no crash, and no false claim. */
static void test_cut_and_spoilt_anywhere(void **state)
{
	struct builder whole = start();
	struct hadal_boot boot;

	(void)state;
	cbmem_record(&whole, CBMEM_ID_TIMESTAMP, STAMPS_AT, STAMPS_BYTES);
	finish(&whole);
	for (size_t len = 0; len <= STAMPS_AT + STAMPS_BYTES; len += len < TABLE_AT ? 64 : 1) {
		uint8_t *copy = malloc(len + !len);

		assert_non_null(copy);
		memcpy(copy, whole.image, len);
		memset(&boot, 0, sizeof(boot));
		if (hadal_boot_read_image(&boot, copy, len, NULL) == 0 && len < IMAGE_BYTES)
			assert_true(boot.damage.count || boot.notes.count ||
				    len >= STAMPS_AT + STAMPS_BYTES);
		hadal_boot_free(&boot);
		free(copy);
	}
	for (size_t at = FORWARD_AT; at < STAMPS_AT + STAMPS_BYTES; at++) {
		if (!whole.image[at] && at > TABLE_AT + 64 && at < STAMPS_AT)
			continue;
		whole.image[at] ^= 0xff;
		memset(&boot, 0, sizeof(boot));
		hadal_boot_read_image(&boot, whole.image, IMAGE_BYTES, NULL);
		hadal_boot_free(&boot);
		whole.image[at] ^= 0xff;
	}
	free(whole.image);
}

static void test_no_recording_at_all(void **state)
{
	static const uint8_t zeros[64];
	struct hadal_boot boot = { 0 };

	(void)state;
	assert_int_equal(hadal_boot_read_image(&boot, zeros, 0, NULL), -EBADMSG);
	assert_int_equal(hadal_boot_read_image(&boot, zeros, 15, NULL), -EBADMSG);
	assert_int_equal(hadal_boot_read_image(&boot, zeros, 64, NULL), -EBADMSG);
	hadal_boot_free(&boot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sound_image),
		cmocka_unit_test(test_count_larger_than_the_entry_can_hold),
		cmocka_unit_test(test_max_larger_than_the_entry),
		cmocka_unit_test(test_entry_size_larger_than_the_file),
		cmocka_unit_test(test_entry_smaller_than_the_header),
		cmocka_unit_test(test_record_of_size_zero),
		cmocka_unit_test(test_forward_to_itself),
		cmocka_unit_test(test_forward_shorter_than_its_address),
		cmocka_unit_test(test_forward_out_of_the_file),
		cmocka_unit_test(test_table_bytes_below_the_header),
		cmocka_unit_test(test_entry_record_last_in_the_table),
		cmocka_unit_test(test_reference_record_of_early_firmware),
		cmocka_unit_test(test_wrong_checksums),
		cmocka_unit_test(test_addresses_that_wrap),
		cmocka_unit_test(test_unknown_frequency_and_dropped_stamps),
		cmocka_unit_test(test_frequency_sources),
		cmocka_unit_test(test_old_id_30),
		cmocka_unit_test(test_leftovers_are_kept_apart),
		cmocka_unit_test(test_cut_and_spoilt_anywhere),
		cmocka_unit_test(test_no_recording_at_all),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
