// SPDX-License-Identifier: MIT
/* Equations: each operator, what is not known, and what does not compile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "lib/oa_file.h"

#define BIG UINT64_C(0xffffffffffffffff)

static struct oa_file *empty_file(void)
{
	struct hadal_oa_file *file;

	assert_int_equal(hadal_oa_parse("t", "<metrics/>", 10, &file), 0);
	return oa_file_of(file);
}

/* Value of @text with A n = n + 1, B 0 = 0, GPU_CLOCK = 1000, SliceMask 5, QueryMode 0. */
static struct hadal_oa_value value_of(const char *text)
{
	struct oa_file *file = empty_file();
	uint64_t raw[HADAL_OA_RAW_VALUES] = { 0 };
	struct hadal_oa_device device = { 0 };
	struct hadal_oa_program program;
	struct hadal_oa_value value;
	char why[160];

	for (uint32_t i = 0; i < 64; i++)
		raw[hadal_oa_raw_index(HADAL_OA_A, i)] = i + 1;
	raw[hadal_oa_raw_index(HADAL_OA_GPU_CLOCK, 0)] = 1000;
	raw[hadal_oa_raw_index(HADAL_OA_PERFCNT, 1)] = 77;
	device.variables[hadal_oa_variable("SliceMask")].kind = HADAL_OA_INTEGER;
	device.variables[hadal_oa_variable("SliceMask")].integer = 5;
	device.variables[hadal_oa_variable("QueryMode")].kind = HADAL_OA_INTEGER;
	program = oa_equation_compile(file, NULL, text, why, sizeof(why));
	if (!program.count)
		fail_msg("'%s' %s", text, why);
	value = hadal_oa_run(&file->pub, program, &device, raw, NULL);
	hadal_oa_free(&file->pub);
	return value;
}

static void check_integer(const char *text, uint64_t want)
{
	struct hadal_oa_value value = value_of(text);

	assert_int_equal(value.kind, HADAL_OA_INTEGER);
	assert_int_equal(value.integer, want);
}

static void check_real(const char *text, double want)
{
	struct hadal_oa_value value = value_of(text);

	assert_int_equal(value.kind, HADAL_OA_REAL);
	assert_memory_equal(&value.real, &want, sizeof(want));
}

static void test_integer_operators(void **state)
{
	(void)state;
	check_integer("7 3 UADD", 10);
	check_integer("7 3 USUB", 4);
	check_integer("7 3 UMUL", 21);
	check_integer("7 3 UDIV", 2);
	check_integer("7 3 UMIN", 3);
	check_integer("0xc 0xa AND", 8);
	check_integer("3 4 <<", 48);
	check_integer("48 4 >>", 3);
	check_integer("7 3 UGT", 1);
	check_integer("3 3 UGT", 0);
	check_integer("3 3 UGTE", 1);
	check_integer("2 3 UGTE", 0);
	check_integer("2 3 ULT", 1);
	check_integer("3 3 ULT", 0);
	check_integer("3 3 ULTE", 1);
	check_integer("4 3 ULTE", 0);
	check_integer("2 4 &&", 1);
	check_integer("2 0 &&", 0);
	check_integer("true", 1);
}

static void test_integers_wrap_and_division_by_zero_is_zero(void **state)
{
	(void)state;
	check_integer("0xffffffffffffffff 1 UADD", 0);
	check_integer("0 1 USUB", BIG);
	check_integer("0x8000000000000000 2 UMUL", 0);
	check_integer("7 0 UDIV", 0);
	check_integer("1 63 <<", UINT64_C(1) << 63);
	check_integer("1 64 <<", 0);
	check_integer("1 0xffffffffffffffff <<", 0);
	check_integer("0xffffffffffffffff 64 >>", 0);
}

static void test_real_operators(void **state)
{
	(void)state;
	check_real("7 2 FADD", 9);
	check_real("2 7 FSUB", -5);
	check_real("7 2 FMUL", 14);
	check_real("7 2 FDIV", 3.5);
	check_real("7 0 FDIV", 0);
	check_real("0 0 FDIV", 0);
	check_real("7 2 FMAX", 7);
	check_real("2 7 FMAX", 7);
}

static void test_reals_become_integers_truncated_and_held_at_the_ends(void **state)
{
	(void)state;
	check_integer("7 2 FDIV 1 UMUL", 3);
	check_integer("2 7 FSUB 1 UMUL", 0);
	check_integer("0xffffffffffffffff 4 FMUL 1 UMUL", BIG);
	check_integer("0xffffffffffffffff 0 FADD 1 UMUL", BIG);
}

static void test_numbers(void **state)
{
	(void)state;
	check_integer("0", 0);
	check_integer("16777215", 16777215);
	check_integer("16777216", 16777216);
	check_integer("18446744073709551615", BIG);
	check_integer("0XFFFFFFFFFFFFFFFF", BIG);
	check_integer("0x0000000000000000000001", 1);
}

static void test_reads(void **state)
{
	(void)state;
	check_integer("A 0 READ", 1);
	check_integer("A 63 READ", 64);
	check_integer("A 0x10 READ", 17);
	check_integer("GPU_CLOCK 0 READ", 1000);
	check_integer("PERFCNT 1 READ", 77);
	check_integer("PERFCNT2 0x91b8 READ_REG", 77);
	check_integer("\t A \n 2  READ\r", 3);
}

static void test_variables(void **state)
{
	(void)state;
	check_integer("$SliceMask", 5);
	check_integer("$SliceMask 3 0 2 UMUL << AND", 1);
	check_integer("true $QueryMode &&", 0);
	assert_int_equal(value_of("$SubsliceMask").kind, HADAL_OA_UNKNOWN);
	assert_int_equal(value_of("$SubsliceMask 1 UADD").kind, HADAL_OA_UNKNOWN);
	assert_int_equal(value_of("1 $GtSlice0XeCore3 FADD").kind, HADAL_OA_UNKNOWN);
	assert_int_equal(value_of("$SubsliceMask $SliceMask AND").kind, HADAL_OA_UNKNOWN);
	assert_int_equal(value_of("$SubsliceMask 0 UMUL").kind, HADAL_OA_UNKNOWN);
	check_integer("$SubsliceMask 0 AND", 0);
	check_integer("0 $SubsliceMask AND", 0);
	check_integer("$QueryMode $SubsliceMask &&", 0);
	check_integer("$SubsliceMask $QueryMode &&", 0);
}

static void test_variable_names(void **state)
{
	static const char *const good[] = {
		"EuCoresTotalCount",
		"SkuRevisionId",
		"ColorPipeTotalCount",
		"GtSlice0",
		"GtSlice7",
		"GtSlice0XeCore0",
		"GtSlice7XeCore15",
		"GtSlice3DualSubslice5",
		"GtXeCore0",
		"GtXeCore63",
	};
	static const char *const bad[] = {
		"",
		"Eu",
		"EuCoresTotalCounts",
		"slicemask",
		"GtSlice",
		"GtSlice8",
		"GtSlice00",
		"GtSlice0XeCore",
		"GtSlice0XeCore16",
		"GtSlice0XeCore01",
		"GtXeCore64",
		"GtSlice0XeCore1 ",
		"GtSlice99999999999999999999",
		"GtXeCore-1",
	};
	bool used[HADAL_OA_VARIABLES] = { false };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		int index = hadal_oa_variable(good[i]);

		assert_in_range(index, 0, HADAL_OA_VARIABLES - 1);
		assert_false(used[index]);
		used[index] = true;
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_true(hadal_oa_variable(bad[i]) < 0);
}

static void test_raw_index_stays_inside(void **state)
{
	static const uint32_t counts[HADAL_OA_GROUPS] = { 1, 1, 64, 8, 8, 2, 64 };
	int next = 0;

	(void)state;
	for (int g = 0; g < HADAL_OA_GROUPS; g++) {
		for (uint32_t n = 0; n < counts[g]; n++)
			assert_int_equal(hadal_oa_raw_index((enum hadal_oa_group)g, n), next++);
		assert_true(hadal_oa_raw_index((enum hadal_oa_group)g, counts[g]) < 0);
	}
	assert_int_equal(next, HADAL_OA_RAW_VALUES);
	assert_true(hadal_oa_raw_index(HADAL_OA_GROUPS, 0) < 0);
}

static void check_why(const char *text, const char *want)
{
	struct oa_file *file = empty_file();
	char why[160];

	assert_int_equal(oa_equation_compile(file, NULL, text, why, sizeof(why)).count, 0);
	assert_string_equal(why, want);
	hadal_oa_free(&file->pub);
}

static void test_what_does_not_compile(void **state)
{
	(void)state;
	check_why("", "is empty");
	check_why("  \t", "is empty");
	check_why("1 2", "leaves 2 values instead of one");
	check_why("UADD", "has too few operands for UADD");
	check_why("1 UADD", "has too few operands for UADD");
	check_why("1 2 XADD", "has an unknown word 'XADD'");
	check_why("1 2 uadd", "has an unknown word 'uadd'");
	check_why("-1", "has an unknown word '-1'");
	check_why("12z", "has a malformed number '12z'");
	check_why("0x", "has a malformed number '0x'");
	check_why("0xg", "has a malformed number '0xg'");
	check_why("1.5", "has a malformed number '1.5'");
	check_why("18446744073709551616", "has a number above 64 bits: '18446744073709551616'");
	check_why("0x10000000000000000", "has a number above 64 bits: '0x10000000000000000'");
	check_why("A", "has group A without a number and READ");
	check_why("A 1", "has group A without a number and READ");
	check_why("A 1 UADD", "has group A without a number and READ");
	check_why("A x READ", "has a malformed number 'x'");
	check_why("A 64 READ", "reads value 64 of group A, which has fewer");
	check_why("B 8 READ", "reads value 8 of group B, which has fewer");
	check_why("GPU_TIME 4294967296 READ",
		  "reads value 4294967296 of group GPU_TIME, which has fewer");
	check_why("PERFCNT1 x READ", "has PERFCNT1 without a register and READ_REG");
	check_why("$", "names '$', which is no device variable and no counter before this one");
	check_why("$Nope",
		  "names '$Nope', which is no device variable and no counter before this one");
}

static void test_stack_and_length_have_limits(void **state)
{
	char text[2 * OA_EQUATION_WORDS * 2 + 8];
	char *at = text;

	(void)state;
	for (int i = 0; i < HADAL_OA_STACK; i++)
		at += sprintf(at, "1 ");
	for (int i = 1; i < HADAL_OA_STACK; i++)
		at += sprintf(at, "UADD ");
	check_integer(text, HADAL_OA_STACK);
	at = text;
	for (int i = 0; i <= HADAL_OA_STACK; i++)
		at += sprintf(at, "1 ");
	check_why(text, "holds more than 32 values at once");
	at = text + sprintf(text, "1");
	for (int i = 0; i < OA_EQUATION_WORDS / 2; i++)
		at += sprintf(at, " 1 <<");
	check_why(text, "is longer than 1024 words");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integer_operators),
		cmocka_unit_test(test_integers_wrap_and_division_by_zero_is_zero),
		cmocka_unit_test(test_real_operators),
		cmocka_unit_test(test_reals_become_integers_truncated_and_held_at_the_ends),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_variable_names),
		cmocka_unit_test(test_raw_index_stays_inside),
		cmocka_unit_test(test_what_does_not_compile),
		cmocka_unit_test(test_stack_and_length_have_limits),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("oa equation", tests, NULL, NULL);
}
