// SPDX-License-Identifier: MIT
/* Clocks brought together or kept apart, and numbers that are not believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "hadal/boot_live.h"
#include "report/timeline.h"

#define SECOND INT64_C(1000000000)

static struct hadal_boot boot;
static struct hadal_counter counter;
static struct timeline line;

/* A TSC of 2 GHz; the kernel started 3 s after its zero. */
static int setup(void **state)
{
	(void)state;
	boot = (struct hadal_boot){ .source = "test", .khz = 2000000, .khz_from = "test" };
	counter = (struct hadal_counter){
		.khz = 2000000, .khz_from = "test", .has_zero = true, .zero_ns = 3 * SECOND
	};
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	timeline_free(&line);
	hadal_boot_free(&boot);
	return 0;
}

static void stamp(uint32_t id, int64_t ms)
{
	boot.has_stamps = true;
	assert_int_equal(hadal_stamps_add(&boot.stamps, id, ms * 2000000), 0);
}

static void span(const char *source, enum hadal_clock clock, const char *name, int64_t start,
		 int64_t duration)
{
	assert_int_equal(hadal_boot_add_span(&boot, source, clock, name, start, duration), 0);
}

static void relate(void)
{
	assert_int_equal(hadal_boot_relate(&boot, &counter), 0);
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
}

static const struct timeline_entry *entry(const char *name)
{
	for (size_t i = 0; i < line.entry_count; i++)
		if (strcmp(line.entries[i].name, name) == 0)
			return &line.entries[i];
	fail_msg("no span '%s'", name);
	return NULL;
}

static void assert_span(const char *name, int64_t start, int64_t length)
{
	assert_int_equal(entry(name)->axis, AXIS_MAIN);
	assert_int_equal(entry(name)->start, start);
	assert_int_equal(entry(name)->length, length);
	assert_null(entry(name)->doubtful);
}

static void test_one_line_from_reset_to_login(void **state)
{
	(void)state;
	boot.base = 1000000000; /* 500 ms */
	stamp(11, 100);
	stamp(99, 2000);
	span("systemd", HADAL_CLOCK_KERNEL, "kernel", 0, SECOND);
	span("systemd", HADAL_CLOCK_KERNEL, "user space", SECOND, 4 * SECOND);
	span("login", HADAL_CLOCK_KERNEL, "until the first login", 5 * SECOND, SECOND);
	relate();
	assert_true(boot.has_kernel_zero);
	assert_span("before the first stamp", 0, SECOND / 2);
	assert_span("from the last mark to the kernel", SECOND / 2 * 5, SECOND / 2);
	assert_span("kernel", 3 * SECOND, SECOND);
	assert_span("user space", 4 * SECOND, 4 * SECOND);
	assert_span("until the first login", 8 * SECOND, SECOND);
	assert_int_equal(line.ends[AXIS_MAIN], 9 * SECOND);
}

static void test_stamps_before_the_counters_zero_move_all(void **state)
{
	(void)state;
	boot.base = 200000000; /* 100 ms */
	stamp(945, -300);
	stamp(99, 1000);
	span("systemd", HADAL_CLOCK_KERNEL, "kernel", 0, SECOND);
	relate();
	assert_true(line.shifted);
	assert_int_equal(timeline_shift_ns(&line), SECOND / 5);
	assert_span("kernel", 3 * SECOND + SECOND / 5, SECOND);
	assert_span("from the last mark to the kernel", SECOND / 10 * 13, SECOND / 10 * 19);
}

static void test_stamps_before_the_base_but_after_zero_stay(void **state)
{
	(void)state;
	boot.base = 2000000000;
	stamp(945, -300);
	stamp(99, 1000);
	relate();
	assert_false(line.shifted);
	assert_span("before the first stamp", 0, SECOND / 10 * 7);
}

static void test_a_table_without_frequency_takes_the_kernels(void **state)
{
	(void)state;
	boot.khz = 0;
	stamp(99, 1000);
	relate();
	assert_int_equal(boot.khz, 2000000);
	assert_string_equal(boot.khz_from, "test");
	assert_span("from the last mark to the kernel", SECOND, 2 * SECOND);
}

static void test_nothing_known_but_the_kernels_start(void **state)
{
	(void)state;
	relate();
	assert_span("before the kernel", 0, 3 * SECOND);
}

static void apart(const char *why)
{
	assert_int_equal(hadal_boot_relate(&boot, &counter), 0);
	assert_int_equal(timeline_init(&line, &boot, 0, false), 0);
	assert_false(boot.has_kernel_zero);
	assert_non_null(strstr(boot.apart, why));
	assert_int_equal(entry("kernel")->axis, AXIS_KERNEL);
	assert_int_equal(entry("kernel")->start, 0);
}

static void test_a_resumes_stamps_are_apart(void **state)
{
	(void)state;
	stamp(11, 1);
	stamp(98, 100);
	span("systemd", HADAL_CLOCK_KERNEL, "kernel", 0, SECOND);
	apart("of a resume");
}

static void test_a_marked_resume_is_apart(void **state)
{
	(void)state;
	boot.resumed = true;
	stamp(11, 1);
	span("systemd", HADAL_CLOCK_KERNEL, "kernel", 0, SECOND);
	apart("of a resume");
}

static void test_a_counter_without_zero_is_apart(void **state)
{
	(void)state;
	counter.has_zero = false;
	strcpy(counter.why, "the machine was suspended");
	span("systemd", HADAL_CLOCK_KERNEL, "kernel", 0, SECOND);
	apart("the machine was suspended");
}

static void test_wrong_frequency_is_doubtful(void **state)
{
	(void)state;
	boot.khz = 2100000;
	stamp(99, 1000);
	relate();
	assert_non_null(strstr(boot.stamps_doubtful, "2100000 kHz by firmware, at 2000000"));
	assert_non_null(entry("selfboot jump")->doubtful);
	/* What is doubtful is no mark to measure from. */
	assert_span("before the kernel", 0, 3 * SECOND);
}

static void test_a_frequency_within_a_percent_is_believed(void **state)
{
	(void)state;
	boot.khz = 2019000;
	stamp(99, 1000);
	relate();
	assert_string_equal(boot.stamps_doubtful, "");
}

static void test_stamps_after_the_kernels_start_are_doubtful(void **state)
{
	(void)state;
	stamp(99, 3500);
	relate();
	assert_non_null(strstr(boot.stamps_doubtful, "500 ms after the kernel's start"));
}

static void test_ticks_taken_for_nanoseconds(void **state)
{
	(void)state;
	/* 2.5 s at 2 GHz, given as if they were nanoseconds. */
	span("fpdt", HADAL_CLOCK_COUNTER, "firmware", 0, 5 * SECOND);
	span("fpdt", HADAL_CLOCK_COUNTER, "boot loader", 5 * SECOND, 20 * SECOND);
	relate();
	assert_non_null(strstr(entry("firmware")->doubtful, "ticks taken for nanoseconds"));
	assert_non_null(strstr(entry("boot loader")->doubtful, "another counter"));
}

static void test_a_counter_that_was_not_reset(void **state)
{
	(void)state;
	boot.base = UINT64_C(2000000) * 1000 * 1380;
	counter.zero_ns = 1390 * SECOND;
	stamp(11, 0);
	stamp(99, 1000);
	relate();
	assert_string_equal(entry("before the first stamp")->doubtful, HADAL_LATE_START);
	assert_null(entry("selfboot jump")->doubtful);
	assert_span("from the last mark to the kernel", 1381 * SECOND, 9 * SECOND);
}

static void test_a_virtual_machine_on_its_hosts_counter(void **state)
{
	(void)state;
	counter.zero_ns = 847545 * SECOND;
	relate();
	assert_non_null(strstr(entry("before the kernel")->doubtful, "virtual machine"));
}

static void test_this_machines_counter(void **state)
{
	struct hadal_counter here;

	(void)state;
	hadal_counter_read(&here);
	assert_true(here.has_zero == !*here.why);
	if (here.has_zero)
		assert_true(here.zero_ns >= 0 && here.khz);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_one_line_from_reset_to_login),
		TEST(test_stamps_before_the_counters_zero_move_all),
		TEST(test_stamps_before_the_base_but_after_zero_stay),
		TEST(test_a_table_without_frequency_takes_the_kernels),
		TEST(test_nothing_known_but_the_kernels_start),
		TEST(test_a_resumes_stamps_are_apart),
		TEST(test_a_marked_resume_is_apart),
		TEST(test_a_counter_without_zero_is_apart),
		TEST(test_wrong_frequency_is_doubtful),
		TEST(test_a_frequency_within_a_percent_is_believed),
		TEST(test_stamps_after_the_kernels_start_are_doubtful),
		TEST(test_ticks_taken_for_nanoseconds),
		TEST(test_a_counter_that_was_not_reset),
		TEST(test_a_virtual_machine_on_its_hosts_counter),
		TEST(test_this_machines_counter),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
