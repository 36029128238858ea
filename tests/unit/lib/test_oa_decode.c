// SPDX-License-Identifier: MIT
/* Decoding: every layout, wrapping counters, losses, times, reasons and contexts. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa_decode.h"
#include "tests/unit/lib/oa_made.h"

#define UUID "07b25942-d9fd-4fce-bd58-e29abd66b7de"
#define TIMER (1u << 19)
#define BITS_40 ((UINT64_C(1) << 40) - 1)

/* The recording of a test, and the bytes of its reports. */
static struct made made;
static uint32_t report_bytes;

/* A recording that is being decoded by a set with these counters. */
struct run {
	struct hadal_oa_file *file;
	struct hadal_oa_recording *recording;
	struct hadal_oa_decoder *decoder;
};

static struct hadal_oa_file *file_of(const char *counters)
{
	struct hadal_oa_file *file;
	char text[16384];

	snprintf(text, sizeof(text),
		 "<metrics><set symbol_name='S' chipset='SKL' hw_config_guid='" UUID
		 "'>%s</set></metrics>",
		 counters);
	assert_int_equal(hadal_oa_parse("m.xml", text, strlen(text), &file), 0);
	assert_int_equal(file->problem_total, 0);
	return file;
}

static void make(uint32_t format, const char *generation)
{
	const struct hadal_oa_source source = {
		.timestamp_hz = 1000000,
		.format = format,
		.set_name = "S",
		.set_uuid = UUID,
	};

	made.length = (size_t)hadal_oa_recording_head(&source, NULL, 0, made.bytes);
	report_bytes = hadal_oa_format_bytes(format, oa_generation_find(generation));
}

/* A timer report at @ticks. */
static uint8_t *report(uint32_t ticks)
{
	uint8_t *bytes = made_add(&made, HADAL_OA_RECORD_SAMPLE, report_bytes);

	store_le32(bytes, TIMER);
	store_le32(bytes + 4, ticks);
	return bytes;
}

static const struct hadal_oa_device nothing;

static struct run start(const char *counters, const char *generation)
{
	struct run run = { .file = file_of(counters) };
	const struct hadal_oa_decoding what = {
		.file = run.file,
		.set = run.file->sets,
		.generation = oa_generation_find(generation),
		.device = &nothing,
	};

	assert_int_equal(hadal_oa_recording_open_memory(made.bytes, made.length, &run.recording),
			 0);
	assert_int_equal(hadal_oa_decoder_open(run.recording, &what, &run.decoder), 0);
	return run;
}

static void stop(const struct run *run)
{
	hadal_oa_decoder_close(run->decoder);
	hadal_oa_recording_close(run->recording);
	hadal_oa_free(run->file);
}

/* --- layouts ----------------------------------------------------------------------------- */

/* Counters @first to @last of a group, as manuals and other tools have them: where, how wide. */
struct field {
	const char *group;
	uint32_t first;
	uint32_t last;
	uint32_t bits;
	uint32_t offset;
};

struct format {
	uint32_t number;
	const char *generation;
	uint32_t bytes;
	struct field fields[10];
};

/* clang-format off */
static const struct format formats[] = {
	{ 1, "hsw", 64, { { "A", 0, 12, 32, 12 } } },
	{ 2, "hsw", 128, { { "A", 0, 28, 32, 12 } } },
	{ 3, "hsw", 128, { { "A", 0, 12, 32, 12 }, { "B", 0, 7, 32, 64 }, { "C", 0, 7, 32, 96 } } },
	{ 4, "hsw", 64, { { "B", 0, 3, 32, 16 }, { "C", 0, 7, 32, 32 } } },
	{ 5, "hsw", 256, { { "A", 0, 44, 32, 12 }, { "B", 0, 7, 32, 192 }, { "C", 0, 7, 32, 224 } } },
	{ 6, "hsw", 128, { { "B", 0, 3, 32, 16 }, { "C", 0, 6, 32, 32 }, { "A", 29, 44, 32, 60 } } },
	{ 7, "hsw", 64, { { "C", 0, 2, 32, 16 }, { "B", 0, 7, 32, 28 } } },
	{ 7, "skl", 64, { { "GPU_CLOCK", 0, 0, 32, 12 }, { "C", 0, 3, 32, 16 }, { "B", 0, 7, 32, 32 } } },
	{ 8, "bdw", 64, { { "A", 7, 18, 32, 12 } } },
	{ 9, "icl", 128, { { "A", 7, 18, 32, 12 }, { "B", 0, 7, 32, 64 }, { "C", 0, 7, 32, 96 } } },
	{ 10, "tgl", 256, { { "GPU_CLOCK", 0, 0, 32, 12 }, { "A", 0, 31, 40, 16 },
			    { "A", 32, 35, 32, 144 }, { "B", 0, 7, 32, 192 }, { "C", 0, 7, 32, 224 } } },
	{ 11, "dg2", 256, { { "GPU_CLOCK", 0, 0, 32, 12 }, { "A", 0, 31, 40, 16 },
			    { "A", 32, 35, 32, 144 }, { "B", 0, 7, 32, 192 }, { "C", 0, 7, 32, 224 } } },
	{ 12, "mtl", 256, { { "GPU_CLOCK", 0, 0, 32, 12 }, { "A", 0, 3, 32, 16 },
			    { "A", 4, 23, 40, 32 }, { "A", 24, 27, 32, 112 }, { "A", 28, 31, 40, 128 },
			    { "A", 32, 36, 32, 144 }, { "A", 37, 37, 32, 184 },
			    { "B", 0, 7, 32, 192 }, { "C", 0, 7, 32, 224 } } },
	{ 13, "mtl", 192, { { "GPU_CLOCK", 0, 0, 64, 24 }, { "A", 0, 7, 64, 32 },
			    { "B", 0, 7, 32, 96 }, { "C", 0, 7, 32, 128 } } },
	{ 14, "mtl", 128, { { "GPU_CLOCK", 0, 0, 64, 24 }, { "A", 0, 7, 32, 32 },
			    { "B", 0, 7, 32, 64 }, { "C", 0, 7, 32, 96 } } },
};
/* clang-format on */

static void store(uint8_t *bytes, const struct field *field, uint32_t n, uint64_t value)
{
	uint8_t *at = bytes + field->offset + (n - field->first) * (field->bits == 64 ? 8 : 4);

	if (field->bits == 64)
		store_le64(at, value);
	else
		store_le32(at, (uint32_t)value);
	if (field->bits == 40)
		bytes[160 + n] = (uint8_t)(value >> 32);
}

/* A set with one counter for each raw value there is. */
static const char *every_value(void)
{
	static const struct {
		const char *name;
		int count;
	} groups[] = { { "GPU_CLOCK", 1 }, { "A", 64 }, { "B", 8 }, { "C", 8 } };
	static char text[16384];
	size_t used = 0;

	for (size_t g = 0; g < 4; g++)
		for (int n = 0; n < groups[g].count; n++)
			used += (size_t)snprintf(text + used, sizeof(text) - used,
						 "<counter symbol_name='%s%d' data_type='uint64' "
						 "equation='%s %d READ'/>",
						 groups[g].name, n, groups[g].name, n);
	return text;
}

/* A value that needs all of its bits, and wraps from the first report to the second. */
static uint64_t first_value(uint32_t n)
{
	return UINT64_MAX - 3 - n;
}

static uint64_t wanted(const struct field *field, uint32_t n)
{
	const uint64_t base = UINT64_C(0x1223344556677) * (n + 1);

	if (field->bits == 64)
		return base;
	return base & (field->bits == 40 ? BITS_40 : UINT32_MAX);
}

static const struct field *find_field(const struct format *format, const char *name, uint32_t *n)
{
	for (const struct field *field = format->fields; field->group; field++) {
		size_t length = strlen(field->group);

		if (strncmp(name, field->group, length) != 0 || name[length] < '0' ||
		    name[length] > '9')
			continue;
		*n = (uint32_t)strtoul(name + length, NULL, 10);
		if (*n >= field->first && *n <= field->last)
			return field;
	}
	return NULL;
}

static void fill(const struct format *format, uint8_t *from, uint8_t *to)
{
	for (const struct field *field = format->fields; field->group; field++) {
		for (uint32_t n = field->first; n <= field->last; n++) {
			store(from, field, n, first_value(n));
			store(to, field, n, first_value(n) + wanted(field, n));
		}
	}
}

static void check_format(const struct format *format, const char *counters)
{
	struct hadal_oa_interval interval;
	uint8_t *from, *to;
	struct run run;

	make(format->number, format->generation);
	assert_int_equal(report_bytes, format->bytes);
	from = report(0);
	to = report(0);
	fill(format, from, to);
	run = start(counters, format->generation);
	assert_int_equal(hadal_oa_decoder_next(run.decoder, &interval), 1);
	for (uint32_t i = 0; i < run.file->sets->counter_count; i++) {
		uint32_t n;
		const struct field *field =
			find_field(format, run.file->counters[i].symbol_name, &n);

		assert_int_equal(run.decoder->shown[i], field != NULL);
		if (field)
			assert_int_equal(interval.values[i].integer, wanted(field, n));
	}
	assert_int_equal(hadal_oa_decoder_next(run.decoder, &interval), 0);
	stop(&run);
}

static void test_layouts(void **state)
{
	const char *counters = every_value();

	(void)state;
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		check_format(&formats[i], counters);
}

static void test_no_layout(void **state)
{
	const struct oa_generation *hsw = oa_generation_find("hsw");

	(void)state;
	assert_int_equal(hadal_oa_format_bytes(0, NULL), 0);
	assert_int_equal(hadal_oa_format_bytes(15, NULL), 0);
	assert_int_equal(hadal_oa_format_bytes(UINT32_MAX, NULL), 0);
	assert_int_equal(hadal_oa_format_bytes(10, NULL), 256);
	assert_int_equal(hadal_oa_format_bytes(10, hsw), 0);
	assert_int_equal(hadal_oa_format_bytes(5, NULL), 0);
}

/* --- intervals --------------------------------------------------------------------------- */

static const char time_counter[] =
	"<counter symbol_name='Time' data_type='uint64' equation='GPU_TIME 0 READ'/>"
	"<counter symbol_name='A0' data_type='uint64' equation='A 0 READ'/>";

/* Expects the next interval to be like this. */
static void expect(struct hadal_oa_decoder *decoder, uint64_t start_ns, uint64_t duration_ns,
		   uint64_t ticks)
{
	struct hadal_oa_interval interval;

	assert_int_equal(hadal_oa_decoder_next(decoder, &interval), 1);
	assert_int_equal(interval.start_ns, start_ns);
	assert_int_equal(interval.duration_ns, duration_ns);
	assert_int_equal(interval.values[0].integer, ticks);
}

static void expect_end(struct hadal_oa_decoder *decoder, uint64_t ticks)
{
	struct hadal_oa_value total[2];
	struct hadal_oa_interval interval;

	assert_int_equal(hadal_oa_decoder_next(decoder, &interval), 0);
	hadal_oa_decoder_total(decoder, total);
	assert_int_equal(total[0].integer, ticks);
}

static void test_losses(void **state)
{
	struct run run;

	(void)state;
	make(10, "skl");
	report(UINT32_MAX - 9);
	report(90);
	made_add(&made, HADAL_OA_RECORD_REPORT_LOST, 0);
	report(1090);
	report(1190);
	made_add(&made, HADAL_OA_RECORD_BUFFER_LOST, 0);
	made_add(&made, HADAL_OA_RECORD_REPORT_LOST, 0);
	report(2190);
	report(2390);
	run = start(time_counter, "skl");
	expect(run.decoder, 0, 100000, 100);
	expect(run.decoder, 1100000, 100000, 100);
	expect(run.decoder, 2200000, 200000, 200);
	expect_end(run.decoder, 400);
	assert_int_equal(run.decoder->reports, 6);
	assert_int_equal(run.decoder->intervals, 3);
	assert_int_equal(run.decoder->report_losses, 2);
	assert_int_equal(run.decoder->buffer_losses, 1);
	assert_int_equal(run.decoder->duration_ns, 400000);
	assert_int_equal(run.recording->damage_total, 0);
	stop(&run);
}

/* Timestamps count twice as fast as the frequency there. */
static void test_shift(void **state)
{
	struct run run;

	(void)state;
	make(12, "dg2");
	report(0);
	report(101);
	report(202);
	run = start(time_counter, "dg2");
	expect(run.decoder, 0, 50500, 50);
	expect(run.decoder, 50500, 50500, 50);
	expect_end(run.decoder, 101);
	stop(&run);
}

/* The first report is at 8 s of the CPU's clock, wherever the clocks were compared. */
static void check_origin(bool before, bool after)
{
	struct hadal_oa_interval interval;
	struct run run;

	make(10, "skl");
	if (before)
		made_correlation(&made, 7999000000, 0x5fffffc18);
	report(0);
	report(500);
	if (after)
		made_correlation(&made, 8001000000, 0x6000003e8);
	run = start(time_counter, "skl");
	while (hadal_oa_decoder_next(run.decoder, &interval) > 0)
		;
	assert_int_equal(run.decoder->has_origin, before || after);
	if (before || after)
		assert_int_equal(run.decoder->origin_ns, 8000000000);
	stop(&run);
}

static void test_origin(void **state)
{
	(void)state;
	check_origin(true, false);
	check_origin(false, true);
	check_origin(true, true);
	check_origin(false, false);
}

static void test_bad_reports(void **state)
{
	struct run run;

	(void)state;
	make(10, "skl");
	report(0);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, 255);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, 0);
	made_add(&made, HADAL_OA_RECORD_SAMPLE, 257);
	store_le32(report(50), 0);
	report(100);
	run = start(time_counter, "skl");
	expect(run.decoder, 0, 100000, 100);
	expect_end(run.decoder, 100);
	assert_int_equal(run.recording->damage_total, 4);
	assert_string_equal(run.recording->damage[0].text,
			    "a report of 255 bytes where the format has 256, left out");
	assert_string_equal(run.recording->damage[3].text, "a report without a reason, left out");
	stop(&run);
}

/* --- reasons and contexts ---------------------------------------------------------------- */

static void check_head(const char *generation, uint32_t head, uint32_t reason, bool has_context)
{
	const uint32_t format = strcmp(generation, "hsw") == 0 ? 5 : 10;
	struct hadal_oa_interval interval;
	struct run run;
	uint8_t *bytes;

	make(format, generation);
	bytes = report(0);
	store_le32(bytes, head);
	store_le32(bytes + 8, 77);
	store_le32(report(1), head);
	run = start(time_counter, generation);
	assert_int_equal(hadal_oa_decoder_next(run.decoder, &interval), 1);
	assert_int_equal(interval.reason, reason);
	assert_int_equal(interval.has_context, has_context);
	if (has_context)
		assert_int_equal(interval.context, 77);
	stop(&run);
}

static void test_heads(void **state)
{
	const uint32_t valid8 = 1u << 25, valid = 1u << 16;

	(void)state;
	check_head("hsw", TIMER | valid8 | valid, 0, false);
	check_head("bdw", TIMER | valid8, HADAL_OA_REASON_TIMER, true);
	check_head("bdw", TIMER | valid, HADAL_OA_REASON_TIMER, false);
	check_head("skl", TIMER | valid8, HADAL_OA_REASON_TIMER, false);
	check_head("skl", 8u << 19 | valid, HADAL_OA_REASON_CONTEXT_SWITCH, true);
	check_head("icl", 32u << 19 | valid, HADAL_OA_REASON_CLOCK_RATIO, true);
	check_head("icl", TIMER | 64u << 19, HADAL_OA_REASON_TIMER, false);
	check_head("tgl", 64u << 19 | valid, HADAL_OA_REASON_MMIO_TRIGGER, true);
	check_head("adl", 0x7fu << 19, 0x7f, false);
}

/* --- counters that mean nothing here ----------------------------------------------------- */

static void test_shown(void **state)
{
	static const char counters[] =
		"<counter symbol_name='Clock' data_type='uint64' equation='GPU_CLOCK 0 READ'/>"
		"<counter symbol_name='B0' data_type='uint64' equation='B 0 READ'/>"
		"<counter symbol_name='Half' data_type='uint64' equation='$B0 2 UDIV'/>"
		"<counter symbol_name='Wide' data_type='uint64' "
		"equation='$Clock 0x100000000000 UADD'/>"
		"<counter symbol_name='Not' data_type='uint64' equation='A 7 READ' "
		"availability='0 1 AND'/>"
		"<counter symbol_name='Perhaps' data_type='uint64' equation='A 7 READ' "
		"availability='$SliceMask 1 AND'/>"
		"<counter symbol_name='Pec' data_type='uint64' equation='PEC 0 READ'/>";
	static const bool want[] = { false, false, false, false, false, true, false };
	struct run run;

	(void)state;
	make(8, "skl");
	run = start(counters, "skl");
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(run.decoder->shown[i], want[i]);
	stop(&run);
	make(10, "skl");
	run = start(counters, "skl");
	for (uint32_t i = 0; i < 7; i++)
		assert_int_equal(run.decoder->shown[i], i != 4 && i != 6);
	stop(&run);
}

static void test_open_errors(void **state)
{
	struct hadal_oa_file *file = file_of(time_counter);
	const struct hadal_oa_decoding what = { file, file->sets, NULL, &nothing };
	struct hadal_oa_recording *recording;
	struct hadal_oa_decoder *decoder;

	(void)state;
	make(99, "skl");
	assert_int_equal(hadal_oa_recording_open_memory(made.bytes, made.length, &recording), 0);
	assert_int_equal(hadal_oa_decoder_open(recording, &what, &decoder), -EOPNOTSUPP);
	hadal_oa_recording_close(recording);
	hadal_oa_free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),	    cmocka_unit_test(test_no_layout),
		cmocka_unit_test(test_losses),	    cmocka_unit_test(test_shift),
		cmocka_unit_test(test_origin),	    cmocka_unit_test(test_bad_reports),
		cmocka_unit_test(test_heads),	    cmocka_unit_test(test_shown),
		cmocka_unit_test(test_open_errors),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
