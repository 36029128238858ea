// SPDX-License-Identifier: MIT
/* Numbers as text, against printf. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/decimal.h"

static void check_u64(uint64_t value)
{
	char have[DECIMAL_ROOM], want[DECIMAL_ROOM];

	*decimal_u64(have, value) = '\0';
	snprintf(want, sizeof(want), "%" PRIu64, value);
	assert_string_equal(have, want);
}

static void check_real(double value)
{
	char have[DECIMAL_ROOM], want[DECIMAL_ROOM];

	*decimal_real(have, value) = '\0';
	snprintf(want, sizeof(want), "%.6f", value);
	assert_string_equal(have, want);
}

static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void test_whole(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (uint64_t power = 1; power < UINT64_MAX / 10; power *= 10) {
		check_u64(power - 1);
		check_u64(power);
	}
	check_u64(UINT64_MAX);
	for (int i = 0; i < 100000; i++)
		check_u64(next(&seed) >> next(&seed) % 64);
}

static void test_real_edges(void **state)
{
	static const double edges[] = {
		0.0,	   -0.0,     5e-324,	1e-300,	    0.0000005, 0.00000049999999999,
		0.0000015, 0.5,	     0.9999995, 0.99999949, 1,	       100.0 / 3,
		8e12,	   9e12 - 1, 9e12,	1e13,	    0x1p52,    0x1p53,
		0x1p63,	   0x1p64,   1.7e308,	-1.5,	    0.0078125, 0.00390625,
		1e-6,	   1.5e-6,   2.5e-6,	12345.6789,
	};

	(void)state;
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++)
		check_real(edges[i]);
}

/* Bits of every kind, halves that are rounded to even among them. */
static void test_real_many(void **state)
{
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t bits = next(&seed);
		double value;

		memcpy(&value, &bits, sizeof(value));
		if (isfinite(value))
			check_real(value);
		check_real((double)(next(&seed) >> 20) / (double)(1u << next(&seed) % 30));
	}
}

static void test_others(void **state)
{
	char text[DECIMAL_ROOM];

	(void)state;
	assert_ptr_equal(decimal_real(text, INFINITY), text);
	assert_ptr_equal(decimal_real(text, NAN), text);
	*decimal_us(text, 1365333) = '\0';
	assert_string_equal(text, "1365.333");
	*decimal_us(text, 7) = '\0';
	assert_string_equal(text, "0.007");
	*decimal_us(text, UINT64_MAX) = '\0';
	assert_string_equal(text, "18446744073709551.615");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_real_edges),
		cmocka_unit_test(test_real_many),
		cmocka_unit_test(test_others),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
