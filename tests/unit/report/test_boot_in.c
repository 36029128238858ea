// SPDX-License-Identifier: MIT
/* Pasted listings of every release, documents of our own, names files, and what is none of them. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/boot_in.h"
#include "report/boot_out.h"

static struct hadal_boot read_text(const char *text)
{
	struct hadal_boot boot = { 0 };

	assert_int_equal(boot_in_read(&boot, text, strlen(text), NULL), 0);
	return boot;
}

static void assert_stamp(const struct hadal_boot *boot, size_t i, uint32_t id, int64_t ticks)
{
	assert_true(i < boot->stamps.count);
	assert_int_equal(boot->stamps.at[i].id, id);
	assert_int_equal(boot->stamps.at[i].ticks, ticks);
}

static void test_listing(void **state)
{
	struct hadal_boot boot = read_text(
		"2 entries total:\n"
		"\n"
		"   0:1st timestamp                                     2,397 (0)\n"
		"  11:start of bootblock                                1,009,170 (1,006,772)\n"
		"  15:starting LZMA decompress (ignore for x86)         1,009,171 (1)\n"
		"\n"
		"Total Time: 1,006,773\n");

	(void)state;
	assert_true(boot.has_stamps);
	assert_int_equal(boot.base, 2397);
	assert_int_equal(boot.khz, 1000);
	assert_int_equal(boot.stamps.count, 2);
	assert_stamp(&boot, 0, 11, 1006773);
	assert_stamp(&boot, 1, 15, 1006774);
	assert_int_equal(boot.damage.count, 0);
	assert_null(hadal_boot_name(&boot, 15));
	hadal_boot_free(&boot);
}

/* The zero of such a listing is its earliest stamp; the base lies later. */
static void test_listing_with_stamps_before_the_base(void **state)
{
	struct hadal_boot boot =
		read_text(" 990:CSME ROM started execution                        0\n"
			  "   0:1st timestamp                                     90,000\n"
			  "  11:start of bootblock                                90,300 (300)\n");

	(void)state;
	assert_int_equal(boot.base, 0);
	assert_stamp(&boot, 0, 990, -90000);
	assert_stamp(&boot, 1, 11, 300);
	hadal_boot_free(&boot);
}

static void test_listing_quoted_with_carriage_returns_and_a_cut(void **state)
{
	struct hadal_boot boot =
		read_text("> On Monday somebody wrote:\r\n"
			  "> 3 entries total:\r\n"
			  ">\r\n"
			  ">    0:1st timestamp                                     0\r\n"
			  ">> 10:start of ramstage                                45,163\r\n"
			  "| 30:device enumeration                                45,482 (318)\r\n"
			  "[cut]\r\n");

	(void)state;
	assert_int_equal(boot.stamps.count, 2);
	assert_stamp(&boot, 1, 30, 45482);
	assert_true(boot.old_id_30);
	assert_null(hadal_boot_name(&boot, 30));
	hadal_boot_free(&boot);

	boot = read_text(
		"9 entries total:\n\n   0:1st timestamp     0\n  10:start of ramstage   7\n");
	assert_int_equal(boot.damage.count, 1);
	assert_non_null(strstr(boot.damage.at[0], "says 9 entries, 1 are here"));
	hadal_boot_free(&boot);
}

static void test_listing_before_july_2015(void **state)
{
	struct hadal_boot boot = read_text("   1:start of rom stage   1,000\n"
					   "   2:before ram initialization   1,500 (500)\n"
					   "   3:after ram initialization   400 (0)\n");

	(void)state;
	assert_int_equal(boot.base, 0);
	assert_int_equal(boot.stamps.count, 3);
	assert_stamp(&boot, 2, 3, 400);
	assert_null(hadal_boot_name(&boot, 1));
	assert_null(hadal_boot_name(&boot, 3));
	hadal_boot_free(&boot);
}

static void test_listing_of_u_root(void **state)
{
	struct hadal_boot boot = read_text("2 entries total:\n\n"
					   "0:1st timestamp  1,000 (0)\n"
					   "1500:my payload started  2,000 (1,000)\n");

	(void)state;
	assert_int_equal(boot.stamps.count, 1);
	assert_int_equal(boot.damage.count, 0);
	assert_string_equal(hadal_boot_name(&boot, 1500), "my payload started");
	hadal_boot_free(&boot);
}

static void test_parseable_listing(void **state)
{
	struct hadal_boot boot = read_text("0\t100\t0\t1st timestamp\n"
					   "-1\t600\t100\t<unknown>\n"
					   "4294967294\t700\t100\tlate\n");

	(void)state;
	assert_int_equal(boot.base, 100);
	assert_stamp(&boot, 0, 0xffffffff, 500);
	assert_stamp(&boot, 1, 0xfffffffe, 600);
	assert_null(hadal_boot_name(&boot, 0xffffffff));
	assert_string_equal(hadal_boot_name(&boot, 0xfffffffe), "late");
	hadal_boot_free(&boot);
}

static void test_names_cannot_steer_a_terminal(void **state)
{
	struct hadal_boot boot = read_text("0\t0\t0\t1st timestamp\n"
					   "4242\t5\t5\tred \033[31m \302\233 \377 \342\202\254\n");

	(void)state;
	assert_string_equal(hadal_boot_name(&boot, 4242), "red ?[31m ?? ? \342\202\254");
	hadal_boot_free(&boot);
}

static void test_what_is_no_recording(void **state)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"hello\n",
		"<!DOCTYPE html>\n<html>3:00 pm</html>\n",
		"{",
		"{}",
		"[1]",
		"{\"hadal\": {\"format\": 1}, \"verb\": \"hwlat\"}",
		"{\"hadal\": {\"format\": 2}, \"verb\": \"boot\"}",
		"{\"hadal\": 1, \"verb\": [\"boot\"]}",
		"12:label 99999999999999999999\n",
		"99999999999:x 1\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct hadal_boot boot = { 0 };

		assert_int_equal(boot_in_read(&boot, texts[i], strlen(texts[i]), NULL), -EBADMSG);
		hadal_boot_free(&boot);
	}
}

/* Writes @boot as @writer does; the caller frees the text. */
static char *write_with(const struct boot_writer *writer, const struct hadal_boot *boot,
			size_t *len)
{
	struct report_out out = { .width = 80 };
	struct timeline line;
	char *text = NULL;

	assert_int_equal(timeline_init(&line, boot, 0, writer->compatible), 0);
	out.file = open_memstream(&text, len);
	assert_non_null(out.file);
	assert_int_equal(writer->write(&line, &out), 0);
	fclose(out.file);
	timeline_free(&line);
	return text;
}

static void test_json_reads_back_to_the_same(void **state)
{
	static const struct boot_writer *const writers[] = {
		&boot_writer_json,
		&boot_writer_cbmem,
		&boot_writer_parseable,
		&boot_writer_folded,
	};
	struct hadal_boot boot = { .source = "JSON document",
				   .has_stamps = true,
				   .base = 5000,
				   .khz = 2594507,
				   .khz_from = "recording" };
	struct hadal_boot again = { 0 };
	char *json, *first, *second;
	size_t len, first_len, second_len;

	(void)state;
	hadal_stamps_add(&boot.stamps, 11, 900);
	hadal_stamps_add(&boot.stamps, 990, -700);
	hadal_stamps_add(&boot.stamps, 4242, INT64_MAX);
	hadal_stamps_add(&boot.stamps, 12, INT64_MIN);
	hadal_stamps_add(&boot.stamps, 0, 3);
	hadal_stamps_add(&boot.leftovers, 99, -1);
	hadal_boot_add_name(&boot, 4242, "my \"stage\"", 10);
	hadal_lines_add(&boot.damage, "a thing");
	hadal_lines_add(&boot.notes, "another");
	boot.has_companion = true;
	boot.dropped = 7;
	boot.refused = 8;
	boot.generation = 9;
	boot.resumed = true;
	boot.counter = 1;

	json = write_with(&boot_writer_json, &boot, &len);
	assert_int_equal(boot_in_read(&again, json, len, NULL), 0);
	assert_int_equal(again.stamps.count, boot.stamps.count);
	for (size_t i = 0; i < 4; i++) {
		first = write_with(writers[i], &boot, &first_len);
		second = write_with(writers[i], &again, &second_len);
		assert_string_equal(first, second);
		free(first);
		free(second);
	}
	free(json);
	hadal_boot_free(&boot);
	hadal_boot_free(&again);
}

static void test_json_cut_anywhere(void **state)
{
	struct hadal_boot boot =
		read_text("0\t0\t0\t1st timestamp\n11\t5\t5\tstart of bootblock\n");
	struct hadal_boot again;
	size_t len;
	char *json = write_with(&boot_writer_json, &boot, &len);

	(void)state;
	for (size_t cut = 1; cut + 2 < len; cut++) {
		memset(&again, 0, sizeof(again));
		assert_int_equal(boot_in_read(&again, json, cut, NULL), -EBADMSG);
		hadal_boot_free(&again);
	}
	free(json);
	hadal_boot_free(&boot);
}

static void test_json_with_wrong_stamps_keeps_the_rest(void **state)
{
	struct hadal_boot boot = read_text(
		"{\"hadal\": {\"version\": \"x\", \"format\": 1}, \"verb\": \"boot\", \"tick_khz\": -3,"
		" \"base_tick\": \"0x10\", \"stamps\": [{\"id\": 11, \"tick\": \"0x20\"}, 5,"
		" {\"id\": -1, \"tick\": \"0x1\"}, {\"id\": 12}, {\"id\": 12, \"tick\": \"0xzz\"},"
		" {\"id\": 12, \"tick\": \"0x11111111111111111\"}, {\"id\": 12, \"tick\": \"0x30\"}]}");

	(void)state;
	assert_int_equal(boot.khz, 0);
	assert_int_equal(boot.stamps.count, 2);
	assert_stamp(&boot, 0, 11, 16);
	assert_stamp(&boot, 1, 12, 32);
	assert_int_equal(boot.damage.count, 5);
	hadal_boot_free(&boot);
}

static void test_names_file(void **state)
{
	static const char names[] = "# payload\n\n 1500  boot menu \r\n1501\tkernel\n1500 menu\n"
				    "abc def\n99999999999 x\n7\n-1 x\n4294967295 last";
	struct hadal_boot boot = { 0 };

	(void)state;
	assert_int_equal(boot_in_names(&boot, names, strlen(names)), 0);
	assert_string_equal(hadal_boot_name(&boot, 1500), "menu");
	assert_string_equal(hadal_boot_name(&boot, 1501), "kernel");
	assert_string_equal(hadal_boot_name(&boot, 0xffffffff), "last");
	assert_int_equal(boot.damage.count, 4);
	assert_non_null(strstr(boot.damage.at[0], "line 6"));
	hadal_boot_free(&boot);
}

static void test_more_stamps_than_a_table_can_hold(void **state)
{
	struct hadal_boot boot = { 0 };
	size_t len = 0;
	char *text = NULL;
	FILE *file = open_memstream(&text, &len);

	(void)state;
	assert_non_null(file);
	for (unsigned int i = 0; i < 70000; i++)
		fprintf(file, "%u\t%u\t0\tname %u\n", i + 5000, i, i);
	fclose(file);
	assert_int_equal(boot_in_read(&boot, text, len, NULL), 0);
	assert_int_equal(boot.stamps.count, HADAL_BOOT_MAX_STAMPS);
	assert_int_equal(boot.damage.count, 1);
	assert_string_equal(hadal_boot_name(&boot, 5000 + 65534), "name 65534");
	hadal_boot_free(&boot);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listing),
		cmocka_unit_test(test_listing_with_stamps_before_the_base),
		cmocka_unit_test(test_listing_quoted_with_carriage_returns_and_a_cut),
		cmocka_unit_test(test_listing_before_july_2015),
		cmocka_unit_test(test_listing_of_u_root),
		cmocka_unit_test(test_parseable_listing),
		cmocka_unit_test(test_names_cannot_steer_a_terminal),
		cmocka_unit_test(test_what_is_no_recording),
		cmocka_unit_test(test_json_reads_back_to_the_same),
		cmocka_unit_test(test_json_cut_anywhere),
		cmocka_unit_test(test_json_with_wrong_stamps_keeps_the_rest),
		cmocka_unit_test(test_names_file),
		cmocka_unit_test(test_more_stamps_than_a_table_can_hold),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
