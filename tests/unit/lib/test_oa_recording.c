// SPDX-License-Identifier: MIT
/* Recordings: what is written is read back, and every kind of damage is named, the rest read. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/lib/oa_made.h"

#define UUID "07b25942-d9fd-4fce-bd58-e29abd66b7de"
#define REPORT 256

static const struct hadal_oa_source source = {
	.timestamp_hz = 12000000,
	.device_id = 0x1912,
	.revision = 6,
	.min_hz = 350000000,
	.max_hz = 1100000000,
	.format = 10,
	.set_name = "RenderBasic",
	.set_uuid = UUID,
};

static const uint8_t topology[30] = { 0, 0, 1, 0, 3, 0, 8, 0, 1, 0, 1, 0, 2, 0, 1, 0, 1, 7 };

static void make(struct made *made)
{
	int head = hadal_oa_recording_head(&source, topology, sizeof(topology), made->bytes);

	assert_int_equal(head, 16 + 344 + 8 + 32);
	made->length = (size_t)head;
}

static struct hadal_oa_recording *open_made(const struct made *made)
{
	struct hadal_oa_recording *recording;

	assert_int_equal(hadal_oa_recording_open_memory(made->bytes, made->length, &recording), 0);
	return recording;
}

static uint32_t count(struct hadal_oa_recording *recording)
{
	struct hadal_oa_record record;
	uint32_t records = 0;

	while (hadal_oa_recording_next(recording, &record) > 0)
		records++;
	return records;
}

/* One damage, with this text, at this place; and @records are read all the same. */
static void expect_damage(const struct made *made, uint32_t records, uint64_t offset,
			  const char *text)
{
	struct hadal_oa_recording *recording = open_made(made);

	assert_int_equal(count(recording), records);
	assert_int_equal(recording->damage_total, 1);
	assert_string_equal(recording->damage[0].text, text);
	assert_int_equal(recording->damage[0].offset, offset);
	hadal_oa_recording_close(recording);
}

static void test_round(void **state)
{
	static struct made made;
	struct hadal_oa_recording *recording;
	struct hadal_oa_record record;

	(void)state;
	make(&made);
	made_correlation(&made, 5000, 600);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT)[0] = 42;
	made_add(&made, HADAL_OA_RECORD_REPORT_LOST, 0);
	recording = open_made(&made);
	assert_true(recording->has_source);
	assert_memory_equal(&recording->source, &source, sizeof(source));
	assert_int_equal(recording->topology_bytes, 32);
	assert_memory_equal(recording->topology, topology, sizeof(topology));
	assert_int_equal(hadal_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.type, HADAL_OA_RECORD_CORRELATION);
	assert_int_equal(record.correlation.cpu_ns, 5000);
	assert_int_equal(record.correlation.gpu_ticks, 600);
	assert_int_equal(hadal_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.type, HADAL_OA_RECORD_SAMPLE);
	assert_int_equal(record.report_bytes, REPORT);
	assert_int_equal(record.report[0], 42);
	assert_int_equal(hadal_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.type, HADAL_OA_RECORD_REPORT_LOST);
	assert_int_equal(hadal_oa_recording_next(recording, &record), 0);
	assert_int_equal(recording->damage_total, 0);
	hadal_oa_recording_close(recording);
}

static void test_unknown_types(void **state)
{
	static struct made made;
	struct hadal_oa_recording *recording;

	(void)state;
	make(&made);
	made_add(&made, 4, 16);
	made_add(&made, UINT32_MAX, 0);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	made_add(&made, 65540, 24);
	recording = open_made(&made);
	assert_int_equal(count(recording), 1);
	assert_int_equal(recording->unknown, 3);
	assert_int_equal(recording->damage_total, 0);
	hadal_oa_recording_close(recording);
}

/* Wherever it ends: what is whole is read, and only an end between two records is no damage. */
static void test_truncated(void **state)
{
	static struct made made, cut;
	size_t ends[] = { 16, 360, 400, 424, 688, 952 };

	(void)state;
	make(&made);
	made_correlation(&made, 5000, 600);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	assert_int_equal(made.length, 952);
	cut = made;
	for (cut.length = 0; cut.length <= made.length; cut.length++) {
		struct hadal_oa_recording *recording = open_made(&cut);
		uint32_t records = count(recording), whole = 0;
		bool between = false;

		for (size_t i = 0; i < 6; i++) {
			whole += i >= 3 && cut.length >= ends[i];
			between |= cut.length == ends[i];
		}
		assert_int_equal(records, whole);
		assert_int_equal(recording->has_source, cut.length >= 360);
		assert_int_equal(recording->damage_total, !between);
		hadal_oa_recording_close(recording);
	}
}

static void test_sizes(void **state)
{
	static struct made made;
	const size_t start = 400;

	(void)state;
	for (uint32_t size = 0; size < 8; size++) {
		char text[80];

		make(&made);
		made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
		store_le16(made.bytes + start + 6, (uint16_t)size);
		snprintf(text, sizeof(text), "a record of %u bytes: the rest cannot be read", size);
		expect_damage(&made, 0, start, text);
	}
	make(&made);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	store_le16(made.bytes + start + 6, 0xffff);
	expect_damage(&made, 0, start, "ends within a record");
}

static void test_beginning(void **state)
{
	static struct made made;

	(void)state;
	made.length = 0;
	expect_damage(&made, 0, 0, "is empty");
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	expect_damage(&made, 0, 0, "does not begin as a recording of OA reports does");
	make(&made);
	store_le32(made.bytes + 8, 2);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	expect_damage(&made, 0, 0, "version 2 of the format, not 1");
	made.length = 0;
	made_add(&made, HADAL_OA_RECORD_VERSION, 4);
	expect_damage(&made, 0, 0, "a version record without a version");
}

/* Offsets of the device record's fields in the file. */
enum { DEVICE = 16, HZ = 24, NAME = 60, SET_UUID = 316 };

static void test_device(void **state)
{
	static struct made made;
	struct hadal_oa_recording *recording;

	(void)state;
	make(&made);
	store_le64(made.bytes + HZ, 0);
	expect_damage(&made, 0, DEVICE, "timestamps of 0 Hz: times are unknown");
	make(&made);
	store_le64(made.bytes + HZ, UINT64_MAX);
	expect_damage(&made, 0, DEVICE, "timestamps of 18446744073709551615 Hz: times are unknown");
	make(&made);
	store_le64(made.bytes + HZ, 5000000001);
	expect_damage(&made, 0, DEVICE, "timestamps of 5000000001 Hz: times are unknown");
	make(&made);
	memset(made.bytes + NAME, 'x', 256);
	expect_damage(&made, 0, DEVICE, "the set's name is no text");
	make(&made);
	memcpy(made.bytes + NAME, "\033[2J\200", 5);
	recording = open_made(&made);
	assert_string_equal(recording->source.set_name, "?[2J?rBasic");
	assert_int_equal(recording->damage_total, 1);
	hadal_oa_recording_close(recording);
	make(&made);
	memset(made.bytes + SET_UUID, 'a', 44);
	expect_damage(&made, 0, DEVICE, "the set's UUID is no text");
}

static void test_odd_records(void **state)
{
	static struct made made;
	size_t at;

	(void)state;
	make(&made);
	at = made.length;
	made_add(&made, HADAL_OA_RECORD_CORRELATION, 15);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	expect_damage(&made, 1, at, "a correlation record of 15 bytes");
	make(&made);
	made_add(&made, HADAL_OA_RECORD_TOPOLOGY, 16);
	expect_damage(&made, 0, at, "a second topology record, not used");
	make(&made);
	made_add(&made, HADAL_OA_RECORD_DEVICE, 336);
	expect_damage(&made, 0, at, "a second device record, not used");
	make(&made);
	made_add(&made, HADAL_OA_RECORD_DEVICE, 335);
	expect_damage(&made, 0, at, "a device record of 335 bytes instead of 336");
}

/* Damage without end is counted, not kept. */
static void test_much_damage(void **state)
{
	static struct made made;
	struct hadal_oa_recording *recording;

	(void)state;
	make(&made);
	for (int i = 0; i < 100; i++)
		made_add(&made, HADAL_OA_RECORD_CORRELATION, 0);
	recording = open_made(&made);
	assert_int_equal(count(recording), 0);
	assert_int_equal(recording->damage_count, HADAL_OA_MAX_DAMAGE);
	assert_int_equal(recording->damage_total, 100);
	hadal_oa_recording_close(recording);
}

/* Through a pipe, a few bytes at a time, it is the same. */
static void test_pipe(void **state)
{
	static struct made made;
	struct hadal_oa_recording *recording;
	int ends[2];

	(void)state;
	make(&made);
	for (int i = 0; i < 100; i++)
		made_add(&made, HADAL_OA_RECORD_SAMPLE, REPORT);
	assert_int_equal(pipe(ends), 0);
	if (fork() == 0) {
		for (size_t at = 0; at < made.length; at += 100)
			if (write(ends[1], made.bytes + at,
				  made.length - at < 100 ? made.length - at : 100) < 0)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(hadal_oa_recording_open(ends[0], &recording), 0);
	assert_int_equal(count(recording), 100);
	assert_int_equal(recording->damage_total, 0);
	hadal_oa_recording_close(recording);
	close(ends[0]);
	assert_int_equal(hadal_oa_recording_open(-2, &recording), -EBADF);
}

static void test_large_topology(void **state)
{
	static uint8_t head[HADAL_OA_HEAD_BYTES];
	static uint8_t large[65536];

	(void)state;
	assert_int_equal(hadal_oa_recording_head(&source, large, 65520, head), 360 + 8 + 65520);
	assert_int_equal(hadal_oa_recording_head(&source, large, 65521, head), -EINVAL);
	assert_int_equal(hadal_oa_recording_head(&source, NULL, 0, head), 360);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round),	    cmocka_unit_test(test_unknown_types),
		cmocka_unit_test(test_truncated),   cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_beginning),   cmocka_unit_test(test_device),
		cmocka_unit_test(test_odd_records), cmocka_unit_test(test_much_damage),
		cmocka_unit_test(test_pipe),	    cmocka_unit_test(test_large_topology),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
