// SPDX-License-Identifier: MIT
/* GPUs: device ids, variables from facts and topology, sets as a driver takes them, UUIDs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hadal/oa_load.h"

#define UUID "f1792f32-6db2-4b50-b4b2-557128f1688d"

/* --- device ids -------------------------------------------------------------------------- */

static void test_device_ids(void **state)
{
	/* clang-format off */
	static const struct {
		uint32_t id;
		const char *generation;
	} known[] = {
		{ 0x0412, "hsw" }, { 0x1616, "bdw" }, { 0x22b0, "chv" }, { 0x1912, "skl" }, { 0x1926, "skl" },
		{ 0x1932, "skl" }, { 0x5a84, "bxt" }, { 0x5a50, "cnl" }, { 0x3184, "glk" }, { 0x5912, "kbl" },
		{ 0x5926, "kbl" }, { 0x3e92, "cfl" }, { 0x3ea5, "cfl" }, { 0x9bc5, "cfl" }, { 0x8a52, "icl" },
		{ 0x4541, "ehl" }, { 0x4e61, "ehl" }, { 0x9a60, "tgl" }, { 0x9a49, "tgl" }, { 0x4c8a, "rkl" },
		{ 0x4905, "dg1" }, { 0x4680, "adl" }, { 0x46a6, "adl" }, { 0xa780, "adl" }, { 0xa7a0, "adl" },
		{ 0x56a5, "dg2" }, { 0x5690, "dg2" }, { 0x7d45, "mtl" }, { 0x7d55, "mtl" }, { 0x0bd5, "pvc" },
		{ 0x6420, "lnl" }, { 0x64a0, "lnl" }, { 0xe20b, "bmg" }, { 0xb080, "ptl" },
	};
	/* clang-format on */
	static const uint32_t unknown[] = { 0,	    0x0102, 0x0152, 0x0f31,  0x0401,	0x1900,
					    0x5a5d, 0xe224, 0xffff, 0x10412, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct oa_generation *generation = hadal_oa_generation_of(known[i].id);

		assert_non_null(generation);
		assert_string_equal(generation->name, known[i].generation);
	}
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
		assert_null(hadal_oa_generation_of(unknown[i]));
}

/* --- variables --------------------------------------------------------------------------- */

static struct hadal_oa_device device;

/* The value of a variable, or UINT64_MAX if it is not known. */
static uint64_t value(const char *name)
{
	const struct hadal_oa_value *found = &device.variables[hadal_oa_variable(name)];

	return found->kind == HADAL_OA_INTEGER ? found->integer : UINT64_MAX;
}

/* Takes the variables from sound facts. */
static void take(const struct hadal_oa_facts *facts, const char *generation)
{
	const struct oa_generation *of = generation ? oa_generation_find(generation) : NULL;

	assert_int_equal(hadal_oa_facts_variables(facts, of, &device), 0);
}

static void add_u16(struct hadal_oa_facts *facts, uint16_t number)
{
	memcpy(facts->topology + facts->topology_bytes, &number, sizeof(number));
	facts->topology_bytes += sizeof(number);
}

/* @slices of @subslices of @eus EUs, whose masks are @data. */
static struct hadal_oa_facts facts_of(uint16_t slices, uint16_t subslices, uint16_t eus,
				      const char *data, size_t length)
{
	const uint16_t per_subslice = (uint16_t)((eus + 7) / 8);
	const uint16_t per_slice = (uint16_t)((subslices + 7) / 8);
	const uint16_t head[] = {
		0,
		slices,
		subslices,
		eus,
		1,
		per_slice,
		(uint16_t)(1 + slices * per_slice),
		per_subslice,
	};
	struct hadal_oa_facts facts = { .revision = 3 };

	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++)
		add_u16(&facts, head[i]);
	memcpy(facts.topology + facts.topology_bytes, data, length);
	facts.topology_bytes += length;
	return facts;
}

/* Two slices, of which the second lacks a subslice, and one subslice lacks an EU. */
static struct hadal_oa_facts broadwell(void)
{
	return facts_of(2, 3, 8, "\x03\x07\x05\xff\xff\xff\xfe\x00\xff", 9);
}

static void test_variables_of_slices(void **state)
{
	struct hadal_oa_facts facts = broadwell();

	(void)state;
	facts.timestamp_hz = 12500000;
	facts.min_mhz = 350;
	facts.max_mhz = 1100;
	take(&facts, "bdw");
	assert_int_equal(value("SliceMask"), 3);
	assert_int_equal(value("SubsliceMask"), 0x07 | 0x05 << 3);
	assert_int_equal(value("EuSlicesTotalCount"), 2);
	assert_int_equal(value("EuSubslicesTotalCount"), 5);
	assert_int_equal(value("EuCoresTotalCount"), 39);
	assert_int_equal(value("EuThreadsCount"), 7);
	assert_int_equal(value("SkuRevisionId"), 3);
	assert_int_equal(value("GpuTimestampFrequency"), 12500000);
	assert_int_equal(value("GpuMinFrequency"), 350000000);
	assert_int_equal(value("GpuMaxFrequency"), 1100000000);
	assert_int_equal(value("GtSlice1"), 1);
	assert_int_equal(value("GtSlice2"), 0);
	assert_true(value("QueryMode") == UINT64_MAX);
}

static void test_subslice_bits_by_generation(void **state)
{
	struct hadal_oa_facts facts = broadwell();

	(void)state;
	take(&facts, "icl");
	assert_int_equal(value("SubsliceMask"), 0x07 | 0x05 << 8);
	assert_int_equal(value("GtSlice1DualSubslice1"), 0);
	assert_int_equal(value("GtSlice1DualSubslice2"), 1);
	take(&facts, "bxt");
	assert_int_equal(value("EuThreadsCount"), 6);
	take(&facts, NULL);
	assert_int_equal(value("SliceMask"), 3);
	assert_true(value("EuThreadsCount") == UINT64_MAX);
}

/* From graphics 12.50 on the kernel tells all cores as those of one slice, four to each. */
static void test_cores_told_as_one_slice(void **state)
{
	char data[1 + 4 + 32 * 2];
	struct hadal_oa_facts facts;

	(void)state;
	memset(data, 0xff, sizeof(data));
	memcpy(data, "\x01\xff\xf0\x01\x00", 5);
	facts = facts_of(1, 32, 16, data, sizeof(data));
	take(&facts, "dg2");
	assert_int_equal(value("XeCoreMask"), 0x1f0ff);
	assert_int_equal(value("XeCoreTotalCount"), 13);
	assert_int_equal(value("SliceMask"), 0x1b);
	assert_int_equal(value("SliceTotalCount"), 4);
	assert_int_equal(value("GtSlice0XeCore3"), 1);
	assert_int_equal(value("GtSlice2XeCore0"), 0);
	assert_int_equal(value("GtSlice4XeCore0"), 1);
	assert_int_equal(value("GtSlice4XeCore1"), 0);
	assert_int_equal(value("VectorEngineTotalCount"), 13 * 16);
	assert_int_equal(value("VectorEngineThreadsCount"), 8);
}

static void test_topology_cut_at_every_byte(void **state)
{
	struct hadal_oa_facts facts = broadwell();
	const size_t whole = facts.topology_bytes;

	(void)state;
	for (size_t length = 1; length < whole; length++) {
		facts.topology_bytes = length;
		assert_int_equal(hadal_oa_facts_variables(&facts, NULL, &device), -EINVAL);
		assert_true(value("SliceMask") == UINT64_MAX);
	}
	facts.topology_bytes = 0;
	take(&facts, NULL);
	assert_true(value("SliceMask") == UINT64_MAX);
	assert_int_equal(value("SkuRevisionId"), 3);
}

/* Each field of the header with what it should not be: refused, or read within bounds. */
static void test_topology_with_hostile_fields(void **state)
{
	static const uint16_t hostile[] = {
		1, 9, 255, 256, 4079, 4080, 4096, 0x7fff, 0x8000, 0xffff
	};
	const struct hadal_oa_facts good = broadwell();

	(void)state;
	for (size_t field = 0; field < 16; field += 2) {
		for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
			struct hadal_oa_facts facts = good;
			int ret;

			memcpy(facts.topology + field, &hostile[i], 2);
			ret = hadal_oa_facts_variables(&facts, oa_generation_find("dg2"), &device);
			assert_true(ret == 0 || ret == -EINVAL);
			assert_true(field != 0 || ret == -EINVAL);
			assert_true(hostile[i] < 256 || ret == -EINVAL);
		}
	}
}

static void test_largest_topology(void **state)
{
	struct hadal_oa_facts facts = broadwell();

	(void)state;
	memset(facts.topology + 16, 0xff, sizeof(facts.topology) - 16);
	facts.topology_bytes = sizeof(facts.topology);
	take(&facts, "bdw");
	facts.topology_bytes++;
	assert_int_equal(hadal_oa_facts_variables(&facts, oa_generation_find("bdw"), &device),
			 -EINVAL);
}

/* --- UUIDs ------------------------------------------------------------------------------- */

static void test_uuid_forms(void **state)
{
	static const char *const good[] = { UUID, "F1792F32-6DB2-4B50-B4B2-557128F1688D",
					    "{" UUID "}",
					    "{f1792F32-6db2-4b50-B4B2-557128f1688d}" };
	static const char *const bad[] = { "",
					   "{}",
					   "{" UUID,
					   UUID "}",
					   UUID "0",
					   " " UUID,
					   "(" UUID ")",
					   "{" UUID "} ",
					   "f1792f32-6db2-4b50-b4b2-557128f1688",
					   "f1792f326db24b50b4b2557128f1688d",
					   "g1792f32-6db2-4b50-b4b2-557128f1688d" };
	char uuid[UUID_TEXT_LENGTH + 1] = "untouched";

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(hadal_oa_normal_uuid(bad[i], uuid), -EINVAL);
		assert_string_equal(uuid, "untouched");
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(hadal_oa_normal_uuid(good[i], uuid), 0);
		assert_string_equal(uuid, UUID);
	}
}

static void test_sets_by_name(void **state)
{
	const struct hadal_oa_set braced = {
		.symbol_name = "Render",
		.hw_config_guid = "{F1792F32-6DB2-4B50-B4B2-557128F1688D}",
	};
	const struct hadal_oa_set odd = { .hw_config_guid = "Not-a-UUID" };
	const struct hadal_oa_set nameless = { .symbol_name = NULL };

	(void)state;
	assert_true(hadal_oa_set_is_called(&braced, "Render"));
	assert_false(hadal_oa_set_is_called(&braced, "render"));
	assert_true(hadal_oa_set_is_called(&braced, UUID));
	assert_true(hadal_oa_set_is_called(&braced, "{" UUID "}"));
	assert_true(hadal_oa_set_is_called(&braced, braced.hw_config_guid));
	assert_false(hadal_oa_set_is_called(&braced, "{" UUID));
	assert_false(hadal_oa_set_is_called(&braced, "f1792f32-6db2-4b50-b4b2-557128f1688e"));
	assert_true(hadal_oa_set_is_called(&odd, "not-a-uuid"));
	assert_false(hadal_oa_set_is_called(&odd, UUID));
	assert_false(hadal_oa_set_is_called(&nameless, ""));
}

/* --- images ------------------------------------------------------------------------------ */

#define SETS                                                                                        \
	"<metrics><set chipset=\"BDW\" symbol_name=\"S\" hw_config_guid=\"{" UUID "}\">"            \
	"<register_config type=\"FLEX\"><register address=\"0xe458\" value=\"0x7\"/>"               \
	"</register_config>"                                                                        \
	"<register_config type=\"NOA\" priority=\"1\" availability=\"$SliceMask 0x01 AND\">"        \
	"<register address=\"0x9888\" value=\"0x2\"/>"                                              \
	"<register address=\"0xe180\" value=\"0x20002001\"/></register_config>"                     \
	"<register_config type=\"NOA\" availability=\"$SliceMask 0x02 AND\">"                       \
	"<register address=\"0x9888\" value=\"0x3\"/></register_config>"                            \
	"<register_config type=\"NOA\" priority=\"0\"><register address=\"0x9888\" value=\"0x1\"/>" \
	"</register_config></set></metrics>"

static struct hadal_oa_image build(uint16_t slices)
{
	struct hadal_oa_facts facts = facts_of(slices, 3, 8, "\x01\x07\xff\xff\xff", 5);
	struct hadal_oa_file *file;
	struct hadal_oa_image image;

	assert_int_equal(hadal_oa_parse("t", SETS, strlen(SETS), &file), 0);
	take(&facts, "bdw");
	assert_int_equal(hadal_oa_image_build(file, &file->sets[0], &device, &image), 0);
	hadal_oa_free(file);
	return image;
}

static void test_image_has_what_applies_in_order(void **state)
{
	static const struct oa_register want[] = {
		{ 0x9888, 1 }, { 0x9888, 2 }, { 0xe180, 0x20002001 }, { 0xe458, 7 }
	};
	struct hadal_oa_image image = build(1);

	(void)state;
	assert_string_equal(image.uuid, UUID);
	assert_int_equal(image.counts[OA_CLASS_MUX], 3);
	assert_int_equal(image.counts[OA_CLASS_BOOLEAN], 0);
	assert_int_equal(image.counts[OA_CLASS_FLEX], 1);
	assert_memory_equal(image.registers, want, sizeof(want));
	hadal_oa_image_free(&image);
	assert_null(image.registers);
}

static void test_same_is_what_the_driver_makes_of_it(void **state)
{
	struct hadal_oa_image wanted = build(1), there = build(1);

	(void)state;
	assert_false(hadal_oa_image_same(&wanted, &there));
	there.registers[2].value = 1; /* as the driver masks 0xe180 */
	assert_true(hadal_oa_image_same(&wanted, &there));
	for (int i = 0; i < 4; i++) {
		there.registers[i].value ^= 0x100;
		assert_false(hadal_oa_image_same(&wanted, &there));
		there.registers[i].value ^= 0x100;
		there.registers[i].address ^= 4;
		assert_false(hadal_oa_image_same(&wanted, &there));
		there.registers[i].address ^= 4;
	}
	there.counts[OA_CLASS_MUX]--;
	there.counts[OA_CLASS_BOOLEAN]++;
	assert_false(hadal_oa_image_same(&wanted, &there));
	hadal_oa_image_free(&wanted);
	hadal_oa_image_free(&there);
}

static void test_normalise_says_what_it_changes(void **state)
{
	struct hadal_oa_file *file;

	(void)state;
	assert_int_equal(hadal_oa_parse("t", SETS, strlen(SETS), &file), 0);
	assert_int_equal(hadal_oa_normalise(file), 0);
	assert_string_equal(file->sets[0].hw_config_guid, UUID);
	assert_int_equal(file->problem_total, 1);
	assert_int_equal(file->error_total, 0);
	assert_int_equal(hadal_oa_normalise(file), 0);
	assert_int_equal(file->problem_total, 1);
	hadal_oa_free(file);
}

/* --- errors ------------------------------------------------------------------------------ */

static void test_every_error_has_words(void **state)
{
	struct hadal_oa_gpu gpu = { .card = "card0", .node = "/dev/dri/renderD128" };
	struct finding finding;

	(void)state;
	for (int driver = HADAL_OA_I915; driver <= HADAL_OA_VIRTUAL; driver++) {
		for (int call = HADAL_OA_CALL_OPEN; call <= HADAL_OA_CALL_QUERY; call++) {
			for (int error = 1; error <= 524; error++) {
				gpu.driver = (enum hadal_oa_driver)driver;
				gpu.has_sets = error & 1;
				hadal_oa_explain(&gpu, (enum hadal_oa_call)call, error, &finding);
				assert_int_not_equal(finding.state, FINDING_READY);
				assert_true(strlen(finding.reason) > 8);
				/* Cut off, if it fills the room. */
				assert_true(strlen(finding.reason) < sizeof(finding.reason) - 1);
				assert_true(strlen(finding.next) < sizeof(finding.next) - 1);
			}
		}
	}
}

static void test_xe_names_its_own_file(void **state)
{
	struct hadal_oa_gpu gpu = { .driver = HADAL_OA_XE,
				    .has_sets = true,
				    .root = "/nonexistent" };
	struct finding finding;

	(void)state;
	hadal_oa_explain(&gpu, HADAL_OA_CALL_ADD, EACCES, &finding);
	assert_non_null(
		strstr(finding.reason, "/proc/sys/dev/xe/observation_paranoid is unreadable"));
	assert_non_null(strstr(finding.next, "sudo sysctl dev.xe.observation_paranoid=0"));
	hadal_oa_explain(&gpu, HADAL_OA_CALL_ADD, ENODEV, &finding);
	assert_non_null(strstr(finding.reason, "gone"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_ids),
		cmocka_unit_test(test_variables_of_slices),
		cmocka_unit_test(test_subslice_bits_by_generation),
		cmocka_unit_test(test_cores_told_as_one_slice),
		cmocka_unit_test(test_topology_cut_at_every_byte),
		cmocka_unit_test(test_topology_with_hostile_fields),
		cmocka_unit_test(test_largest_topology),
		cmocka_unit_test(test_uuid_forms),
		cmocka_unit_test(test_sets_by_name),
		cmocka_unit_test(test_image_has_what_applies_in_order),
		cmocka_unit_test(test_same_is_what_the_driver_makes_of_it),
		cmocka_unit_test(test_normalise_says_what_it_changes),
		cmocka_unit_test(test_every_error_has_words),
		cmocka_unit_test(test_xe_names_its_own_file),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
