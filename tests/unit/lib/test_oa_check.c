// SPDX-License-Identifier: MIT
/* Judging sets: which blocks are joined, what is refused, and checks across files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa.h"

#define UUID "f1792f32-6db2-4b50-b4b2-557128f1688d"
#define SET(chipset, uuid, inside)                                                                 \
	"<set chipset=\"" chipset "\" symbol_name=\"S\" hw_config_guid=\"" uuid "\">" inside       \
	"</set>\n"
#define BLOCK(type, rest, inside)                                                                  \
	"<register_config type=\"" type "\" " rest ">" inside "</register_config>\n"
#define REG(address) "<register address=\"" address "\" value=\"0x0\"/>\n"
#define FILE_OF(inside) "<metrics>" inside "</metrics>"

static struct hadal_oa_file *parse(const char *name, const char *text)
{
	struct hadal_oa_file *file;

	assert_int_equal(hadal_oa_parse(name, text, strlen(text), &file), 0);
	assert_int_equal(file->problem_total, 0);
	return file;
}

static struct hadal_oa_file *read_data(const char *path)
{
	struct hadal_oa_file *file;

	assert_int_equal(hadal_oa_read(path, &file), 0);
	return file;
}

static const struct hadal_oa_set *find_set(const struct hadal_oa_file *file, const char *symbol)
{
	for (uint32_t i = 0; i < file->set_count; i++)
		if (strcmp(file->sets[i].symbol_name, symbol) == 0)
			return &file->sets[i];
	fail_msg("no set %s in %s", symbol, file->path);
	return NULL;
}

static const struct hadal_oa_question anything;

/* The addresses of one class in the order they would be written. */
static uint32_t joined(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
		       const struct hadal_oa_question *question, uint32_t *order)
{
	struct hadal_oa_device device;

	hadal_oa_device_of(question, set->generation, &device);
	return hadal_oa_combine(file, set, OA_CLASS_MUX, &device, order);
}

static void test_blocks_are_joined_by_priority_then_place(void **state)
{
	struct hadal_oa_file *file = parse(
		"t",
		FILE_OF(SET(
			"BDW", UUID,
			BLOCK("NOA", "priority=\"2\"", REG("0x9888")) BLOCK("OA", "", REG("0x2744"))
				BLOCK("NOA", "priority=\"0\"", REG("0x9888")) BLOCK("NOA", "",
										    REG("0x9888"))
					BLOCK("NOA", "priority=\"10\"", REG("0x9888"))
						BLOCK("NOA", "priority=\"2\"", REG("0x9888")))));
	uint32_t order[6];

	(void)state;
	assert_int_equal(joined(file, file->sets, &anything, order), 5);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 3);
	assert_int_equal(order[2], 0);
	assert_int_equal(order[3], 5);
	assert_int_equal(order[4], 4);
	hadal_oa_free(file);
}

static void test_refusal_index_counts_through_joined_blocks(void **state)
{
	struct hadal_oa_file *file =
		parse("t", FILE_OF(SET("BDW", UUID,
				       BLOCK("NOA", "priority=\"1\"", REG("0x9888") REG("0x1000"))
					       BLOCK("NOA", "priority=\"0\"",
						     REG("0x9888") REG("0x9888") REG("0x2000")))));
	struct hadal_oa_result result;

	(void)state;
	assert_int_equal(hadal_oa_check(file, file->sets, &anything, &result), 0);
	assert_int_equal(result.verdict, HADAL_OA_REFUSED);
	assert_int_equal(result.counts[OA_CLASS_MUX], 5);
	assert_int_equal(result.refusal_count, 2);
	assert_int_equal(result.refusals[0].why.index, 2);
	assert_int_equal(result.refusals[0].why.address, 0x2000);
	assert_int_equal(result.refusals[0].line, 6);
	assert_int_equal(result.refusals[1].why.index, 4);
	assert_int_equal(result.refusals[1].why.address, 0x1000);
	assert_int_equal(result.refusals[1].line, 2);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

static void test_xe_counts_all_classes_in_one_array(void **state)
{
	struct hadal_oa_file *file =
		parse("t", FILE_OF(SET("PVC", UUID,
				       BLOCK("FLEX", "", REG("0xe45c") REG("0x1234"))
					       BLOCK("OA", "", REG("0x9888") REG("0xe458"))
						       BLOCK("NOA", "", REG("0xd900")))));
	struct hadal_oa_result result;

	(void)state;
	assert_int_equal(hadal_oa_check(file, file->sets, &anything, &result), 0);
	assert_ptr_equal(result.rules, result.generation->xe);
	assert_int_equal(result.refusal_count, 1);
	assert_int_equal(result.refusals[0].why.cls, OA_CLASS_FLEX);
	assert_int_equal(result.refusals[0].why.index, 4);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

static void check_only(const char *text, enum oa_reason reason, uint32_t index)
{
	struct hadal_oa_file *file = parse("t", text);
	struct hadal_oa_result result;

	assert_int_equal(hadal_oa_check(file, file->sets, &anything, &result), 0);
	assert_int_equal(result.verdict, HADAL_OA_REFUSED);
	assert_int_equal(result.refusal_count, 1);
	assert_int_equal(result.refusals[0].why.reason, reason);
	assert_int_equal(result.refusals[0].why.index, index);
	assert_int_equal(result.refusals[0].line, 1);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

static void test_refusals_of_the_whole_set(void **state)
{
	(void)state;
	check_only(FILE_OF(SET("BDW", "f1792f32", BLOCK("NOA", "", REG("0x9888")))), OA_REASON_UUID,
		   8);
	check_only(FILE_OF(SET("BDW", "", BLOCK("NOA", "", REG("0x9888")))), OA_REASON_UUID, 0);
	check_only(FILE_OF("<set chipset=\"BDW\" symbol_name=\"S\">" BLOCK("NOA", "",
									   REG("0x9888")) "</set>"),
		   OA_REASON_UUID, 0);
	check_only(FILE_OF(SET("BDW", UUID, "")), OA_REASON_EMPTY, 0);
	check_only(FILE_OF(SET("BDW", "x", BLOCK("NOA", "", ""))), OA_REASON_EMPTY, 0);
	check_only(FILE_OF(SET("HSW", UUID, BLOCK("FLEX", "", REG("0xe458")))), OA_REASON_NO_CLASS,
		   0);
}

static void test_too_many_registers(void **state)
{
	static const char reg[] = "<register address=\"0x9888\" value=\"0x0\"/>";
	size_t count = OA_CONFIG_MAX_REGISTERS + 1;
	char *text = malloc(count * strlen(reg) + 1000);
	char *at =
		text + sprintf(text, "<metrics><set chipset=\"BDW\" symbol_name=\"S\" "
				     "hw_config_guid=\"" UUID "\"><register_config type=\"NOA\">");

	(void)state;
	for (size_t i = 0; i < count; i++) {
		memcpy(at, reg, sizeof(reg));
		at += strlen(reg);
	}
	sprintf(at, "</register_config></set></metrics>");
	check_only(text, OA_REASON_TOO_MANY, OA_CONFIG_MAX_REGISTERS);
	free(text);
}

static uint32_t count_joined(const struct hadal_oa_file *file, const char *symbol, int revision,
			     int slices)
{
	struct hadal_oa_question question = {
		.revision = (uint64_t)revision,
		.has_revision = revision >= 0,
		.slices = (uint64_t)slices,
		.has_slices = slices >= 0,
	};
	uint32_t order[16];

	return joined(file, find_set(file, symbol), &question, order);
}

/* BDW's RenderBasic: a block if slice 0, one if slice 1. ComputeExtended: one per subslice. */
static void test_slices_choose_blocks(void **state)
{
	struct hadal_oa_file *file = read_data(OA_DATA "/oa-bdw.xml");

	(void)state;
	assert_int_equal(count_joined(file, "RenderBasic", -1, -1), 2);
	assert_int_equal(count_joined(file, "RenderBasic", -1, 0x1), 1);
	assert_int_equal(count_joined(file, "RenderBasic", -1, 0x2), 1);
	assert_int_equal(count_joined(file, "RenderBasic", -1, 0x3), 2);
	assert_int_equal(count_joined(file, "RenderBasic", -1, 0x4), 0);
	assert_int_equal(count_joined(file, "ComputeExtended", -1, -1), 6);
	assert_int_equal(count_joined(file, "ComputeExtended", -1, 0x1), 3);
	assert_int_equal(count_joined(file, "ComputeExtended", -1, 0x3), 6);
	hadal_oa_free(file);
}

static void test_compute_extended_is_joined_in_priority_order(void **state)
{
	struct hadal_oa_file *file = read_data(OA_DATA "/oa-bdw.xml");
	const struct hadal_oa_set *set = find_set(file, "ComputeExtended");
	uint32_t order[16];
	uint32_t registers = 0;
	uint32_t count = joined(file, set, &anything, order);

	(void)state;
	assert_int_equal(count, 6);
	for (uint32_t i = 0; i < count; i++) {
		assert_int_equal(file->blocks[order[i]].priority, i);
		registers += file->blocks[order[i]].register_count;
	}
	assert_int_equal(registers, 648);
	hadal_oa_free(file);
}

/* SKLGT2's RenderBasic: one block, for revision 2 and later. ComputeBasic: one before, one since. */
static void test_revision_chooses_blocks(void **state)
{
	struct hadal_oa_file *file = read_data(OA_DATA "/oa-sklgt2.xml");

	(void)state;
	assert_int_equal(count_joined(file, "RenderBasic", 0, 1), 0);
	assert_int_equal(count_joined(file, "RenderBasic", 2, 1), 1);
	assert_int_equal(count_joined(file, "RenderBasic", -1, -1), 1);
	assert_int_equal(count_joined(file, "ComputeBasic", -1, -1), 2);
	assert_int_equal(count_joined(file, "ComputeBasic", 1, -1), 1);
	assert_int_equal(count_joined(file, "ComputeBasic", 2, -1), 1);
	assert_int_equal(count_joined(file, "ComputeBasic", 1, 2), 0);
	hadal_oa_free(file);
}

static void test_set_without_applicable_mux_still_has_the_rest(void **state)
{
	struct hadal_oa_file *file = read_data(OA_DATA "/oa-sklgt2.xml");
	struct hadal_oa_question question = {
		.has_revision = true, .revision = 0, .has_slices = true, .slices = 1
	};
	struct hadal_oa_result result;

	(void)state;
	assert_int_equal(hadal_oa_check(file, find_set(file, "RenderBasic"), &question, &result),
			 0);
	assert_int_equal(result.verdict, HADAL_OA_ACCEPTED);
	assert_int_equal(result.counts[OA_CLASS_MUX], 0);
	assert_int_not_equal(result.counts[OA_CLASS_BOOLEAN], 0);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

static void test_subslices_follow_slices(void **state)
{
	struct hadal_oa_question question = { .has_slices = true, .slices = 0x5 };
	int index = hadal_oa_variable("SubsliceMask");
	struct hadal_oa_device device;

	(void)state;
	hadal_oa_device_of(&question, oa_generation_find("skl"), &device);
	assert_int_equal(device.variables[index].integer, 0x1c7);
	hadal_oa_device_of(&question, oa_generation_find("icl"), &device);
	assert_int_equal(device.variables[index].integer, 0xff00ff);
	assert_int_equal(device.variables[hadal_oa_variable("GtSlice2")].integer, 1);
	assert_int_equal(device.variables[hadal_oa_variable("GtSlice1")].integer, 0);
	assert_int_equal(device.variables[hadal_oa_variable("GtSlice1")].kind, HADAL_OA_INTEGER);
	hadal_oa_device_of(&question, NULL, &device);
	assert_int_equal(device.variables[index].kind, HADAL_OA_UNKNOWN);
	question.slices = 0xff;
	hadal_oa_device_of(&question, oa_generation_find("icl"), &device);
	assert_true(device.variables[index].integer == UINT64_MAX);
}

/* Read off the files: HSW's RenderBasic has 0x253a4 as second mux register, on line 974. */
static void test_spot_checks_against_other_generations(void **state)
{
	struct hadal_oa_file *file = read_data(OA_DATA "/oa-hsw.xml");
	struct hadal_oa_question question = { .generation = oa_generation_find("tgl") };
	struct hadal_oa_result result;

	(void)state;
	assert_int_equal(hadal_oa_check(file, find_set(file, "RenderBasic"), &question, &result),
			 0);
	assert_int_equal(result.verdict, HADAL_OA_REFUSED);
	assert_int_equal(result.refusals[0].why.cls, OA_CLASS_MUX);
	assert_int_equal(result.refusals[0].why.index, 1);
	assert_int_equal(result.refusals[0].why.address, 0x253a4);
	assert_int_equal(result.refusals[0].why.reason, OA_REASON_ADDRESS);
	assert_int_equal(result.refusals[0].why.nearest->last, 0x9888);
	assert_int_equal(result.refusals[0].line, 974);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);

	file = read_data(OA_DATA "/oa-sklgt2.xml");
	question.generation = oa_generation_find("hsw");
	assert_int_equal(hadal_oa_check(file, find_set(file, "ComputeBasic"), &question, &result),
			 0);
	assert_int_equal(result.refusals[result.refusal_count - 1].why.reason, OA_REASON_NO_CLASS);
	assert_int_equal(result.refusals[result.refusal_count - 1].why.cls, OA_CLASS_FLEX);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

#define ONE(name, uuid)                                                                            \
	"<set chipset=\"BDW\" symbol_name=\"" name "\" hw_config_guid=\"" uuid                     \
	"\">" BLOCK("NOA", "", REG("0x9888")) "</set>\n"

static void test_duplicates_within_and_across_files(void **state)
{
	struct hadal_oa_file *files[2] = {
		parse("one.xml",
		      FILE_OF(ONE("A", UUID) ONE("B", "F1792F32-6DB2-4B50-B4B2-557128F1688D")
				      ONE("C", UUID))),
		parse("two.xml",
		      FILE_OF(ONE("D", "00000000-0000-0000-0000-000000000000") ONE("E", UUID))),
	};

	(void)state;
	assert_int_equal(hadal_oa_find_duplicates(files, 2), 0);
	assert_int_equal(files[0]->error_total, 1);
	assert_string_equal(files[0]->problems[0].set, "C");
	assert_int_equal(files[0]->problems[0].line, 7);
	assert_string_equal(files[0]->problems[0].text,
			    "UUID " UUID " is that of A at one.xml:1 too");
	assert_int_equal(files[1]->error_total, 1);
	assert_string_equal(files[1]->problems[0].set, "E");
	assert_string_equal(files[1]->problems[0].text,
			    "UUID " UUID " is that of A at one.xml:1 too");
	hadal_oa_free(files[0]);
	hadal_oa_free(files[1]);
}

static void test_hash_of_a_set_with_ids_priorities_and_availability(void **state)
{
	/* md5sum of "3,1,$SliceMask 1 AND,39048,0\n0,0,,57688,4294967295\n" */
	static const char good[] = "<guids><guid id=\"" UUID "\" config_hash=\"HASH\"/></guids>";
	struct hadal_oa_file *files[2];
	char text[256];

	(void)state;
	for (int wrong = 0; wrong < 2; wrong++) {
		char *hash;

		memcpy(text, good, sizeof(good));
		hash = strstr(text, "HASH");
		assert_non_null(hash);
		sprintf(hash, "%s\"/></guids>",
			wrong ? "6b2f7c2d1f3e4a5b6c7d8e9f00112233" :
				"33dc330ff3964e54677a9a3959fc87af");
		files[0] = parse("guids.xml", text);
		files[1] = parse(
			"t",
			FILE_OF(SET(
				"BDW", UUID,
				BLOCK("NOA",
				      "id=\"3\" priority=\"1\" availability=\"$SliceMask 1 AND\"",
				      REG("0x9888"))
					BLOCK("NOA", "",
					      "<register address=\"0xe158\" value=\"0xffffffff\"/>"))));
		assert_int_equal(hadal_oa_check_hashes(files, 2), 0);
		assert_int_equal(files[1]->problem_total, wrong);
		assert_int_equal(files[1]->error_total, 0);
		hadal_oa_free(files[0]);
		hadal_oa_free(files[1]);
	}
}

/* A mux register among the boolean ones: i915 refuses it, xe takes any class anywhere. */
static void test_rules_of_the_driver_that_has_the_gpu(void **state)
{
	struct hadal_oa_file *file =
		parse("t", FILE_OF(SET("TGL", UUID, BLOCK("OA", "", REG("0x9888")))));
	struct hadal_oa_question question = { .by_xe = true };
	struct hadal_oa_result result;

	(void)state;
	assert_int_equal(hadal_oa_check(file, &file->sets[0], &question, &result), 0);
	assert_int_equal(result.verdict, HADAL_OA_ACCEPTED);
	assert_ptr_equal(result.rules, oa_generation_find("tgl")->xe);
	hadal_oa_result_free(&result);
	question.by_xe = false;
	assert_int_equal(hadal_oa_check(file, &file->sets[0], &question, &result), 0);
	assert_int_equal(result.verdict, HADAL_OA_REFUSED);
	hadal_oa_result_free(&result);
	question = (struct hadal_oa_question){ .generation = oa_generation_find("skl"),
					       .by_xe = true };
	assert_int_equal(hadal_oa_check(file, &file->sets[0], &question, &result), 0);
	assert_ptr_equal(result.rules, oa_generation_find("skl")->i915);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

/* What is known of a GPU decides which blocks apply, whatever revision and slices say. */
static void test_device_in_place_of_revision_and_slices(void **state)
{
	struct hadal_oa_file *file =
		parse("t", FILE_OF(SET("BDW", UUID,
				       BLOCK("NOA", "availability=\"$SliceMask 0x02 AND\"",
					     REG("0x9888")) BLOCK("OA", "", REG("0x2744")))));
	struct hadal_oa_device known = { 0 };
	const struct hadal_oa_question question = {
		.device = &known,
		.slices = 2,
		.has_slices = true,
	};
	struct hadal_oa_result result;

	(void)state;
	known.variables[hadal_oa_variable("SliceMask")] =
		(struct hadal_oa_value){ .kind = HADAL_OA_INTEGER, .integer = 1 };
	assert_int_equal(hadal_oa_check(file, &file->sets[0], &question, &result), 0);
	assert_int_equal(result.counts[OA_CLASS_MUX], 0);
	assert_int_equal(result.counts[OA_CLASS_BOOLEAN], 1);
	hadal_oa_result_free(&result);
	hadal_oa_free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_blocks_are_joined_by_priority_then_place),
		cmocka_unit_test(test_refusal_index_counts_through_joined_blocks),
		cmocka_unit_test(test_xe_counts_all_classes_in_one_array),
		cmocka_unit_test(test_refusals_of_the_whole_set),
		cmocka_unit_test(test_too_many_registers),
		cmocka_unit_test(test_slices_choose_blocks),
		cmocka_unit_test(test_compute_extended_is_joined_in_priority_order),
		cmocka_unit_test(test_revision_chooses_blocks),
		cmocka_unit_test(test_set_without_applicable_mux_still_has_the_rest),
		cmocka_unit_test(test_subslices_follow_slices),
		cmocka_unit_test(test_spot_checks_against_other_generations),
		cmocka_unit_test(test_duplicates_within_and_across_files),
		cmocka_unit_test(test_hash_of_a_set_with_ids_priorities_and_availability),
		cmocka_unit_test(test_rules_of_the_driver_that_has_the_gpu),
		cmocka_unit_test(test_device_in_place_of_revision_and_slices),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("oa check", tests, NULL, NULL);
}
