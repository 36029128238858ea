// SPDX-License-Identifier: MIT
/* Streams: periods, and what a recording says of its source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "hadal/oa_stream.h"

#define HZ 12000000
#define UUID "07b25942-d9fd-4fce-bd58-e29abd66b7de"

static void test_periods(void **state)
{
	(void)state;
	assert_int_equal(hadal_oa_period_ns(HZ, 0), 166);
	assert_int_equal(hadal_oa_period_ns(HZ, 13), 1365333);
	assert_int_equal(hadal_oa_period_ns(HZ, 31), 357913941333);
	assert_int_equal(hadal_oa_exponent(HZ, 1), 0);
	assert_int_equal(hadal_oa_exponent(HZ, 166), 0);
	assert_int_equal(hadal_oa_exponent(HZ, 249), 0);
	assert_int_equal(hadal_oa_exponent(HZ, 251), 1);
	assert_int_equal(hadal_oa_exponent(HZ, 1000000), 12);
	assert_int_equal(hadal_oa_exponent(HZ, 1024000), 13);
	assert_int_equal(hadal_oa_exponent(HZ, 1023998), 12);
	assert_int_equal(hadal_oa_exponent(HZ, 1365333), 13);
	assert_int_equal(hadal_oa_exponent(HZ, UINT64_MAX), 31);
	assert_int_equal(hadal_oa_exponent(1, UINT64_MAX), 31);
	assert_int_equal(hadal_oa_exponent(10000000000, 1), 3);
}

/* No period is nearer than that of the exponent that is chosen. */
static void test_nearest(void **state)
{
	(void)state;
	for (uint64_t ns = 1; ns < 1000000000000; ns += ns / 3 + 1) {
		const uint64_t have = hadal_oa_period_ns(HZ, hadal_oa_exponent(HZ, ns));
		const uint64_t error = have > ns ? have - ns : ns - have;

		for (uint32_t e = 0; e <= HADAL_OA_MAX_EXPONENT; e++) {
			const uint64_t other = hadal_oa_period_ns(HZ, e);

			assert_true(error <= (other > ns ? other - ns : ns - other));
		}
	}
}

static struct hadal_oa_source source_for(const char *generation, const char *format)
{
	const struct hadal_oa_facts facts = {
		.timestamp_hz = HZ,
		.device_id = 0x1912,
		.revision = 6,
		.min_mhz = 350,
		.max_mhz = 1100,
	};
	const struct hadal_oa_set set = { .symbol_name = "RenderBasic", .oa_format = format };
	struct hadal_oa_source source;

	hadal_oa_source_of(&facts, generation ? oa_generation_find(generation) : NULL, &set, UUID,
			   &source);
	return source;
}

static void test_source(void **state)
{
	struct hadal_oa_source source = source_for("skl", NULL);

	(void)state;
	assert_int_equal(source.timestamp_hz, HZ);
	assert_int_equal(source.device_id, 0x1912);
	assert_int_equal(source.revision, 6);
	assert_int_equal(source.min_hz, 350000000);
	assert_int_equal(source.max_hz, 1100000000);
	assert_int_equal(source.engine_class, 0);
	assert_int_equal(source.engine_instance, 0);
	assert_string_equal(source.set_name, "RenderBasic");
	assert_string_equal(source.set_uuid, UUID);
}

static void test_formats(void **state)
{
	static const struct {
		const char *generation;
		const char *set_format;
		uint32_t format;
		uint32_t engine_class;
	} wanted[] = {
		{ "hsw", NULL, 5, 0 },
		{ "bdw", NULL, 10, 0 },
		{ "adl", NULL, 10, 0 },
		{ "dg2", "256B_GENERIC_NOA16", 12, 0 },
		{ "mtl", "256B_GENERIC_NOA16", 12, 0 },
		{ "mtl", "128B_MPEC8_NOA16", 14, 2 },
		{ NULL, NULL, 12, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		struct hadal_oa_source source =
			source_for(wanted[i].generation, wanted[i].set_format);

		assert_int_equal(source.format, wanted[i].format);
		assert_int_equal(source.engine_class, wanted[i].engine_class);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_source),
		cmocka_unit_test(test_formats),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
