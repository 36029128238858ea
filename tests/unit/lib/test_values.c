// SPDX-License-Identifier: MIT
/* CPU lists and masks, durations: what is taken, what is refused, how it is spelled. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hadal/cpus.h"
#include "hadal/duration.h"

static void check_list(const char *text, const char *list, const char *mask, unsigned int count)
{
	char buf[CPUS_LIST_BYTES];
	struct cpus set;

	assert_int_equal(cpus_parse(&set, text), 0);
	assert_string_equal(cpus_list(&set, buf), list);
	assert_string_equal(cpus_mask(&set, buf), mask);
	assert_int_equal(cpus_count(&set), count);
}

static void test_lists(void **state)
{
	(void)state;
	check_list("", "", "0", 0);
	check_list("0", "0", "1", 1);
	check_list("0-3,8\n", "0-3,8", "10f", 5);
	check_list("8,0-3", "0-3,8", "10f", 5);
	check_list("0,1,2", "0-2", "7", 3);
	check_list("31", "31", "80000000", 1);
	check_list("32", "32", "1,00000000", 1);
	check_list("63-64", "63-64", "1,80000000,00000000", 2);
	check_list("007", "7", "80", 1);
}

static void test_whole_set(void **state)
{
	char mask[CPUS_MASK_BYTES], list[CPUS_LIST_BYTES];
	struct cpus set;

	(void)state;
	assert_int_equal(cpus_parse(&set, "0-8191"), 0);
	assert_string_equal(cpus_list(&set, list), "0-8191");
	assert_int_equal(strlen(cpus_mask(&set, mask)), 8192 / 4 + 8192 / 32 - 1);
	assert_int_equal(cpus_next(&set, 8191), -1);
}

/* Every other CPU is the longest list there is: it must fit. */
static void test_longest_list(void **state)
{
	char list[CPUS_LIST_BYTES];
	struct cpus set = { { 0 } }, again;

	(void)state;
	for (unsigned int cpu = 0; cpu < CPUS_MAX; cpu += 2)
		cpus_add(&set, cpu);
	assert_int_equal(cpus_parse(&again, cpus_list(&set, list)), 0);
	assert_memory_equal(&set, &again, sizeof(set));
}

static void test_bad_lists(void **state)
{
	static const char *const bad[] = {
		" ",   "-", ",",   "0,",  ",0",	   "0-",   "-3", "3-1",	  "0--2",
		"0 1", "a", "0x1", "1.5", "0\n\n", "0,\n", "+1", "0-3;8",
	};
	struct cpus set = { { 42 } };

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(cpus_parse(&set, bad[i]), -EINVAL);
	assert_int_equal(cpus_parse(&set, "8192"), -ERANGE);
	assert_int_equal(cpus_parse(&set, "0-99999999999999999999"), -ERANGE);
	assert_int_equal(set.bits[0], 42);
}

static void test_set_operations(void **state)
{
	struct cpus set, other;
	char buf[CPUS_LIST_BYTES];

	(void)state;
	assert_int_equal(cpus_parse(&set, "0-5"), 0);
	assert_int_equal(cpus_parse(&other, "2,4-9"), 0);
	cpus_remove(&set, &other);
	assert_string_equal(cpus_list(&set, buf), "0-1,3");
	cpus_intersect(&set, &other);
	assert_true(cpus_empty(&set));
	assert_false(cpus_has(&other, CPUS_MAX));
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0", 0 },
		{ "5", 5000 },
		{ "7ns", 7 },
		{ "5us", 5000 },
		{ "5ms", 5000000 },
		{ "60s", 60000000000 },
		{ "2m", 120000000000 },
		{ "1h", 3600000000000 },
		{ "010", 10000 },
		{ "18446744073709551615ns", UINT64_MAX },
		{ "5124095h", 5124095 * 3600000000000ULL },
	};
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(duration_parse(good[i].text, &ns), 0);
		assert_int_equal(ns, good[i].ns);
	}
}

static void test_bad_durations(void **state)
{
	static const char *const bad[] = {
		"",	" ",   "s",    "-1", "+1", " 1",   "1 ",  "1 s",
		"1.5s", "1e6", "0x10", "1d", "1S", "1sec", "1ss", "99999999999999999999x",
	};
	static const char *const large[] = {
		"18446744073709551616ns",
		"18446744073709552",
		"5124096h",
		"99999999999999999999",
	};
	uint64_t ns = 42;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(duration_parse(bad[i], &ns), -EINVAL);
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++)
		assert_int_equal(duration_parse(large[i], &ns), -ERANGE);
	assert_int_equal(ns, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),	       cmocka_unit_test(test_whole_set),
		cmocka_unit_test(test_longest_list),   cmocka_unit_test(test_bad_lists),
		cmocka_unit_test(test_set_operations), cmocka_unit_test(test_durations),
		cmocka_unit_test(test_bad_durations),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
