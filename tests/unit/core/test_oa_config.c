// SPDX-License-Identifier: MIT
/* The order and the results of ADD_CONFIG's checks. */
#include "core/oa_config.h"
#include "tests/tap.h"

#define UUID "f1792f32-6db2-4b50-b4b2-557128f1688d"

static const struct oa_register good_mux[] = { { 0x9888, 1 }, { 0x9888, 2 }, { 0x9888, 1 } };
static const struct oa_register good_boolean[] = { { 0x2744, 0x800000 } };
static const struct oa_register good_flex[] = { { 0xe458, 0x5004 } };
static const struct oa_register bad[] = { { 0x9888, 0 }, { 0x1000, 0 } };

static struct oa_config good_config(void)
{
	return (struct oa_config){
		.uuid = UUID,
		.uuid_length = 36,
		.registers = { good_mux, good_boolean, good_flex },
		.counts = { 3, 1, 1 },
	};
}

static const struct oa_rules *rules_of(const char *name)
{
	return oa_generation_rules(oa_generation_find(name));
}

static void test_check_accepts_repetition_and_any_order(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_ACCEPTED);
}

static void test_check_empty_wins_over_bad_uuid(void)
{
	struct oa_config config = { .uuid = "x", .uuid_length = 1 };
	struct oa_refusal refusal;

	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_EMPTY);
	CHECK_EQ(refusal.reason, OA_REASON_EMPTY);
}

static void test_check_array_without_count_is_empty(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.counts[0] = config.counts[1] = config.counts[2] = 0;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_EMPTY);
}

static void test_check_uuid_wins_over_registers(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.uuid = "f1792f32-6db2-4b50-b4b2+557128f1688d";
	config.registers[OA_CLASS_MUX] = bad;
	config.counts[OA_CLASS_MUX] = 2;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_UUID);
	CHECK_EQ(refusal.index, 23);
}

static void test_check_classes_in_driver_order(void)
{
	for (int first = 0; first < OA_CLASSES; first++) {
		struct oa_config config = good_config();
		struct oa_refusal refusal;

		for (int cls = first; cls < OA_CLASSES; cls++) {
			config.registers[cls] = bad + 1;
			config.counts[cls] = 1;
		}
		CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_ADDRESS);
		CHECK_EQ(refusal.cls, first);
		CHECK_EQ(refusal.index, 0);
		CHECK_EQ(refusal.address, 0x1000);
	}
}

static void test_check_refusal_carries_index_address_and_nearest(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.registers[OA_CLASS_MUX] = bad;
	config.counts[OA_CLASS_MUX] = 2;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_ADDRESS);
	CHECK_EQ(refusal.cls, OA_CLASS_MUX);
	CHECK_EQ(refusal.index, 1);
	CHECK_EQ(refusal.address, 0x1000);
	REQUIRE(refusal.nearest);
	CHECK_EQ(refusal.nearest->first, 0xd00);
	CHECK_EQ(refusal.nearest->last, 0xd2c);
}

static void test_check_names_the_class_a_register_belongs_to(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.registers[OA_CLASS_MUX] = good_boolean;
	config.counts[OA_CLASS_MUX] = 1;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_OTHER_CLASS);
	CHECK_EQ(refusal.cls, OA_CLASS_MUX);
	CHECK_EQ(refusal.allowed_class, OA_CLASS_BOOLEAN);
	CHECK_EQ(refusal.nearest->first, 0x20cc);
}

static void test_check_haswell_has_no_flex(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	CHECK_EQ(oa_config_check(rules_of("hsw"), &config, &refusal), OA_REASON_NO_CLASS);
	CHECK_EQ(refusal.cls, OA_CLASS_FLEX);
	config.counts[OA_CLASS_FLEX] = 0;
	CHECK_EQ(oa_config_check(rules_of("hsw"), &config, &refusal), OA_ACCEPTED);
}

static void test_check_has_no_alignment_rule(void)
{
	static const struct oa_register odd[] = { { 0x9885, 0 } };
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.registers[OA_CLASS_MUX] = odd;
	config.counts[OA_CLASS_MUX] = 1;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_ACCEPTED);
}

static void test_check_count_without_array(void)
{
	struct oa_config config = good_config();
	struct oa_refusal refusal;

	config.registers[OA_CLASS_BOOLEAN] = NULL;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_NO_ARRAY);
	CHECK_EQ(refusal.cls, OA_CLASS_BOOLEAN);
	config.counts[OA_CLASS_MUX] = config.counts[OA_CLASS_FLEX] = 0;
	CHECK_EQ(oa_config_check(rules_of("skl"), &config, &refusal), OA_REASON_EMPTY);
}

static void test_check_class_limits_the_count(void)
{
	struct oa_refusal refusal;

	CHECK_EQ(oa_config_check_class(rules_of("skl"), OA_CLASS_MUX, 524288, &refusal),
		 OA_ACCEPTED);
	CHECK_EQ(oa_config_check_class(rules_of("skl"), OA_CLASS_MUX, 524289, &refusal),
		 OA_REASON_TOO_MANY);
	CHECK_EQ(oa_config_check_class(rules_of("skl"), OA_CLASS_MUX, UINT32_MAX, &refusal),
		 OA_REASON_TOO_MANY);
	CHECK_EQ(oa_config_check_class(rules_of("hsw"), OA_CLASS_FLEX, 0, &refusal), OA_ACCEPTED);
}

static void test_check_xe_takes_any_class_in_its_one_array(void)
{
	const struct oa_rules *xe = oa_generation_find("tgl")->xe;
	struct oa_refusal refusal;

	for (int cls = 0; cls < OA_CLASSES; cls++) {
		enum oa_class c = (enum oa_class)cls;

		CHECK_EQ(oa_config_check_address(xe, c, 0, 0x9888, &refusal), OA_ACCEPTED);
		CHECK_EQ(oa_config_check_address(xe, c, 0, 0xd900, &refusal), OA_ACCEPTED);
		CHECK_EQ(oa_config_check_address(xe, c, 0, 0xe458, &refusal), OA_ACCEPTED);
		/* i915 has these for DG2 and Meteor Lake only. */
		CHECK_EQ(oa_config_check_address(xe, c, 0, 0x393000, &refusal), OA_ACCEPTED);
		CHECK_EQ(oa_config_check_address(xe, c, 7, 0xe460, &refusal), OA_REASON_ADDRESS);
		CHECK_EQ(refusal.index, 7);
		CHECK_EQ(refusal.nearest->first, 0xe45c);
	}
}

static void test_presence_needs_array_and_count_in_one_class(void)
{
	for (unsigned int bits = 0; bits < 64; bits++) {
		bool present[3] = { bits & 1, bits & 2, bits & 4 };
		uint32_t counts[3] = { bits >> 3 & 1, bits >> 4 & 1, bits >> 5 & 1 };
		bool want = (bits & bits >> 3 & 7) != 0;

		CHECK(oa_config_check_presence(present, counts) == want);
	}
}

static void test_mask_clears_workaround_bits_of_two_registers(void)
{
	CHECK_EQ(oa_config_mask(0xe180, UINT32_MAX), 0xdfffdfff);
	CHECK_EQ(oa_config_mask(0x20cc, UINT32_MAX), 0xfffefffe);
	CHECK_EQ(oa_config_mask(0xe180, 0x20002000), 0);
	CHECK_EQ(oa_config_mask(0x20cc, 0x00010001), 0);
	CHECK_EQ(oa_config_mask(0x9888, UINT32_MAX), UINT32_MAX);
	CHECK_EQ(oa_config_mask(0xe184, UINT32_MAX), UINT32_MAX);
}

int main(void)
{
	TAP_RUN(test_check_accepts_repetition_and_any_order);
	TAP_RUN(test_check_empty_wins_over_bad_uuid);
	TAP_RUN(test_check_array_without_count_is_empty);
	TAP_RUN(test_check_uuid_wins_over_registers);
	TAP_RUN(test_check_classes_in_driver_order);
	TAP_RUN(test_check_refusal_carries_index_address_and_nearest);
	TAP_RUN(test_check_names_the_class_a_register_belongs_to);
	TAP_RUN(test_check_haswell_has_no_flex);
	TAP_RUN(test_check_has_no_alignment_rule);
	TAP_RUN(test_check_count_without_array);
	TAP_RUN(test_check_class_limits_the_count);
	TAP_RUN(test_check_xe_takes_any_class_in_its_one_array);
	TAP_RUN(test_presence_needs_array_and_count_in_one_class);
	TAP_RUN(test_mask_clears_workaround_bits_of_two_registers);
	return tap_done();
}
