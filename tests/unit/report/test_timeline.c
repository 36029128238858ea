// SPDX-License-Identifier: MIT
/* Order and spans, beyond what the recorded runs of coreboot's tool show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/boot_out.h"

static struct hadal_boot boot;
static struct timeline line;

static int setup(void **state)
{
	(void)state;
	memset(&boot, 0, sizeof(boot));
	boot.source = "test";
	boot.has_stamps = true;
	boot.khz = 1000;
	boot.khz_from = "test";
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	timeline_free(&line);
	hadal_boot_free(&boot);
	return 0;
}

static void add(uint32_t id, int64_t ticks)
{
	assert_int_equal(hadal_stamps_add(&boot.stamps, id, ticks), 0);
}

static const char *span_label(size_t i, char buf[16])
{
	return timeline_span_label(&line, &line.spans[i], buf);
}

static void test_old_id_30_ranges_to_40(void **state)
{
	char buf[16];

	(void)state;
	add(30, 10);
	add(40, 30);
	boot.old_id_30 = true;
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_int_equal(line.span_count, 2);
	assert_true(line.spans[1].is_range);
	assert_string_equal(span_label(1, buf), "device enumeration");
	timeline_free(&line);

	/* coreboot's tool knows today's meaning only: no 31, so no range. */
	assert_int_equal(timeline_init(&line, &boot, 0, true), 0);
	assert_false(line.spans[1].is_range);
}

static void test_nested_deeper_than_twenty(void **state)
{
	static const uint32_t starts[] = { 1,	2,   5,	  8,   11,  13,	 15,  17,
					   19,	100, 110, 112, 114, 503, 505, 507,
					   511, 513, 515, 550, 553, 900, 902, 904 };
	const size_t n = sizeof(starts) / sizeof(starts[0]);

	(void)state;
	for (size_t i = 0; i < n; i++)
		add(starts[i], (int64_t)i + 1);
	for (size_t i = n; i; i--)
		add(hadal_boot_id_find(starts[i - 1])->end, (int64_t)(2 * n - i + 1));
	assert_int_equal(timeline_init(&line, &boot, 0, true), 0);
	assert_int_equal(line.span_count, n + 1);
	assert_int_equal(line.spans[n].depth, n - 1);
	assert_true(line.spans[n].is_range);
}

static void test_a_table_full_of_starts_is_no_square(void **state)
{
	(void)state;
	for (int64_t i = 0; i < HADAL_BOOT_MAX_STAMPS; i++)
		add(15, i);
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_int_equal(line.span_count, HADAL_BOOT_MAX_STAMPS + 1);
}

static void test_times_at_the_limits(void **state)
{
	(void)state;
	add(11, INT64_MAX);
	add(12, INT64_MIN);
	boot.base = UINT64_MAX;
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_true(line.shifted);
	assert_int_equal(line.rows[0].id, 12);
	assert_int_equal(line.rows[0].at, 0);
	assert_true(line.rows[2].at == UINT64_MAX);
	assert_true(timeline_ns(&line, UINT64_MAX) == INT64_MAX);
	assert_int_equal(timeline_ns(&line, 5), 5000);
}

/* An offset subtracted from a small counter wraps around; the times must not. */
static void test_base_before_the_counters_zero(void **state)
{
	(void)state;
	add(11, 100);
	add(12, 2000);
	boot.base = (uint64_t)-1000;
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_true(line.shifted);
	assert_int_equal(line.rows[0].at, 0);
	assert_int_equal(line.rows[1].at, 100);
	assert_int_equal(line.rows[2].at, 2000);
	timeline_free(&line);

	/* coreboot's tool adds modulo 2^64. */
	assert_int_equal(timeline_init(&line, &boot, 0, true), 0);
	assert_true(line.rows[0].at == (uint64_t)-1000);
	assert_int_equal(line.rows[2].at, 1000);
}

static void test_frequency_of_the_user_beats_the_recordings(void **state)
{
	(void)state;
	add(11, 3000);
	assert_int_equal(timeline_init(&line, &boot, 2594507, false), 0);
	assert_int_equal(line.khz, 2594507);
	assert_string_equal(line.khz_from, "--tick-khz");
	assert_int_equal(timeline_ns(&line, 2594507), 1000000);
	assert_int_equal(timeline_ns(&line, 1), 0);
}

static void test_labels(void **state)
{
	char buf[16];

	(void)state;
	add(11, 1);
	add(4242, 2);
	add(1500, 3);
	hadal_boot_add_name(&boot, 1500, "menu", 4);
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_string_equal(timeline_row_label(&line, &line.rows[1], buf), "start of bootblock");
	assert_string_equal(timeline_row_label(&line, &line.rows[2], buf), "ID 4242");
	assert_string_equal(timeline_row_label(&line, &line.rows[3], buf), "menu");
}

static void test_table_fits_its_width(void **state)
{
	struct report_out out = { .width = 80, .utf8 = true };
	char *text = NULL, *next;
	size_t len = 0, columns;

	(void)state;
	add(8, 10);
	add(15, 20);
	add(16, 5000);
	add(9, 6000);
	hadal_boot_add_name(&boot, 77,
			    "a name that is longer than any terminal is wide: "
			    "0123456789012345678901234567890123456789",
			    89);
	add(77, 7000);
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	out.file = open_memstream(&text, &len);
	assert_int_equal(boot_writer_table.write(&line, &out), 0);
	fclose(out.file);
	for (char *p = text; *p; p = next) {
		next = strchr(p, '\n') + 1;
		columns = 0;
		for (char *c = p; c < next - 1; c++)
			columns += ((unsigned char)*c & 0xc0) != 0x80;
		if (columns > 80 && !strstr(p, "timestamps from"))
			fail_msg("%zu columns: %.*s", columns, (int)(next - p), p);
	}
	free(text);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_old_id_30_ranges_to_40),
		TEST(test_nested_deeper_than_twenty),
		TEST(test_a_table_full_of_starts_is_no_square),
		TEST(test_times_at_the_limits),
		TEST(test_base_before_the_counters_zero),
		TEST(test_frequency_of_the_user_beats_the_recordings),
		TEST(test_labels),
		TEST(test_table_fits_its_width),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
