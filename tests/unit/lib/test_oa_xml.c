// SPDX-License-Identifier: MIT
/* Reading metric files: what is taken, and what is said about files that are not as they should be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa.h"

#define UUID "f1792f32-6db2-4b50-b4b2-557128f1688d"
#define SET_START                                                                                  \
	"<set name=\"N\" chipset=\"SKLGT2\" symbol_name=\"S\" hw_config_guid=\"" UUID "\">\n"
#define COUNTER(rest) "<counter symbol_name=\"C\" data_type=\"uint64\" " rest "/>\n"
#define REGISTER(rest) "<register_config type=\"NOA\">\n<register " rest "/>\n</register_config>\n"
#define GOOD_REGISTER REGISTER("type=\"NOA\" address=\"0x00009888\" value=\"0x1\"")
#define FILE_OF(inside) "<metrics version=\"1\">\n" inside "</metrics>\n"
#define SET_OF(inside) FILE_OF(SET_START inside "</set>\n")

static struct hadal_oa_file *parse_bytes(const void *bytes, size_t length)
{
	struct hadal_oa_file *file;

	assert_int_equal(hadal_oa_parse("test.xml", bytes, length, &file), 0);
	return file;
}

static struct hadal_oa_file *parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static enum hadal_oa_verdict verdict(struct hadal_oa_file *file, uint32_t set)
{
	struct hadal_oa_question question = { 0 };
	enum hadal_oa_verdict verdict;
	struct hadal_oa_result result;

	assert_int_equal(hadal_oa_check(file, &file->sets[set], &question, &result), 0);
	verdict = result.verdict;
	hadal_oa_result_free(&result);
	return verdict;
}

static void test_reads_every_attribute(void **state)
{
	struct hadal_oa_file *file = parse(
		"<metrics version=\"7\" merge_md5=\"m\"><set name=\"a\" chipset=\"BDW\" symbol_name=\"b\""
		" underscore_name=\"c\" mdapi_supported_apis=\"d\" hw_config_guid=\"e\" oa_format=\"f\">"
		"<counter name=\"g\" symbol_name=\"h\" underscore_name=\"i\" description=\"j&lt;&amp;\""
		" data_type=\"float\" units=\"k\" semantic_type=\"l\" equation=\"1\" max_equation=\"2\""
		" availability=\"3\" low_watermark=\"m\" high_watermark=\"n\" mdapi_group=\"o\""
		" mdapi_usage_flags=\"p\" mdapi_supported_apis=\"\" mdapi_hw_unit_type=\"r\"/>"
		"<register_config type=\"FLEX\" priority=\"4\" availability=\"5\" id=\"6\">"
		"<register type=\"FLEX\" address=\"0xFFFFFFFF\" value=\"0Xabcdef09\"/>"
		"</register_config></set></metrics>");
	const struct hadal_oa_set *set = file->sets;
	const struct hadal_oa_counter *c = file->counters;
	const struct hadal_oa_block *block = file->blocks;

	(void)state;
	assert_int_equal(file->problem_total, 0);
	assert_string_equal(file->version, "7");
	assert_string_equal(file->merge_md5, "m");
	assert_string_equal(set->name, "a");
	assert_string_equal(set->generation->name, "bdw");
	assert_string_equal(set->symbol_name, "b");
	assert_string_equal(set->underscore_name, "c");
	assert_string_equal(set->mdapi_supported_apis, "d");
	assert_string_equal(set->hw_config_guid, "e");
	assert_string_equal(set->oa_format, "f");
	assert_string_equal(c->name, "g");
	assert_string_equal(c->symbol_name, "h");
	assert_string_equal(c->underscore_name, "i");
	assert_string_equal(c->description, "j<&");
	assert_int_equal(c->type, HADAL_OA_FLOAT);
	assert_string_equal(c->units, "k");
	assert_string_equal(c->semantic_type, "l");
	assert_string_equal(c->equation, "1");
	assert_string_equal(c->max_equation, "2");
	assert_string_equal(c->availability, "3");
	assert_string_equal(c->low_watermark, "m");
	assert_string_equal(c->high_watermark, "n");
	assert_string_equal(c->mdapi_group, "o");
	assert_string_equal(c->mdapi_usage_flags, "p");
	assert_string_equal(c->mdapi_supported_apis, "");
	assert_string_equal(c->mdapi_hw_unit_type, "r");
	assert_int_equal(c->value.count, 1);
	assert_int_equal(c->maximum.count, 1);
	assert_int_equal(c->available.count, 1);
	assert_int_equal(block->cls, OA_CLASS_FLEX);
	assert_int_equal(block->priority, 4);
	assert_string_equal(block->availability, "5");
	assert_string_equal(block->id, "6");
	assert_int_equal(file->registers[0].address, 0xffffffff);
	assert_int_equal(file->registers[0].value, 0xabcdef09);
	hadal_oa_free(file);
}

struct bad {
	const char *text;
	bool warning;
	uint32_t line;
	const char *problem;
	enum hadal_oa_verdict verdict;
};

#define REG(rest) SET_OF(GOOD_REGISTER REGISTER(rest))

/* One problem each; the verdict is the one on the first set. */
static const struct bad bads[] = {
	{ REG("type=\"NOA\" address=\"9888\" value=\"0x1\""), false, 7,
	  "register address '9888' does not begin with 0x", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"-0x1\" value=\"0x1\""), false, 7,
	  "register address '-0x1' does not begin with 0x", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"+0x1\" value=\"0x1\""), false, 7,
	  "register address '+0x1' does not begin with 0x", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"\" value=\"0x1\""), false, 7,
	  "register address '' does not begin with 0x", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x\" value=\"0x1\""), false, 7,
	  "register address '0x' does not begin with 0x", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x9888 \" value=\"0x1\""), false, 7,
	  "register address '0x9888 ' is not a hexadecimal number", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x98x8\" value=\"0x1\""), false, 7,
	  "register address '0x98x8' is not a hexadecimal number", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x100009888\" value=\"0x1\""), false, 7,
	  "register address '0x100009888' is above 32 bits", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x9888\" value=\"0x1ffffffff\""), false, 7,
	  "register value '0x1ffffffff' is above 32 bits", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" value=\"0x1\""), false, 7, "register without address",
	  HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x9888\""), false, 7, "register without value",
	  HADAL_OA_UNJUDGED },
	{ REG("type=\"XOA\" address=\"0x9888\" value=\"0x1\""), false, 7,
	  "register has type 'XOA', which is not NOA, OA or FLEX", HADAL_OA_UNJUDGED },
	{ REG("type=\"OA\" address=\"0x9888\" value=\"0x1\""), false, 7,
	  "register of type OA in a register_config of type NOA", HADAL_OA_UNJUDGED },
	{ REG("type=\"NOA\" address=\"0x9888\" value=\"0x1\" mask=\"3\""), true, 7,
	  "unknown attribute 'mask' of <register> ignored", HADAL_OA_ACCEPTED },
	{ SET_OF("<register_config type=\"MUX\"/>"), false, 3,
	  "register_config has type 'MUX', which is not NOA, OA or FLEX", HADAL_OA_UNJUDGED },
	{ SET_OF("<register_config/>"), false, 3,
	  "register_config has type '', which is not NOA, OA or FLEX", HADAL_OA_UNJUDGED },
	{ SET_OF("<register_config type=\"NOA\" priority=\"-1\"/>"), false, 3,
	  "priority '-1' is not a number below 1000000000", HADAL_OA_UNJUDGED },
	{ SET_OF("<register_config type=\"NOA\" priority=\"1000000000\"/>"), false, 3,
	  "priority '1000000000' is not a number below 1000000000", HADAL_OA_UNJUDGED },
	{ SET_OF("<register_config type=\"NOA\" availability=\"$X\"/>"), false, 3,
	  "availability of a register_config names '$X', which is no device variable and no counter "
	  "before this one",
	  HADAL_OA_UNJUDGED },
	{ SET_OF(COUNTER("equation=\"1 0 UDIV UDIV\"") GOOD_REGISTER), false, 3,
	  "equation of C has too few operands for UDIV", HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"GPU_TIME 0 READ 0 UDIV\"") GOOD_REGISTER), true, 3,
	  "equation of C divides by the number 0; the result is taken as 0", HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"16777216 0x0 FDIV\"") GOOD_REGISTER), true, 3,
	  "equation of C divides by the number 0; the result is taken as 0", HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"1\"") "<register_config type=\"NOA\" availability=\"$C\"/>"),
	  false, 4,
	  "availability of a register_config names '$C', which is no device variable and no counter "
	  "before this one",
	  HADAL_OA_UNJUDGED },
	{ SET_OF(COUNTER("equation=\"$C\"") GOOD_REGISTER), false, 3,
	  "equation of C names '$C', which is no device variable and no counter before this one",
	  HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"1\" max_equation=\"A\"") GOOD_REGISTER), false, 3,
	  "max_equation of C has group A without a number and READ", HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"1\" availability=\"x\"") GOOD_REGISTER), false, 3,
	  "availability of C has an unknown word 'x'", HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("") GOOD_REGISTER), false, 3, "counter C has no equation",
	  HADAL_OA_ACCEPTED },
	{ SET_OF("<counter symbol_name=\"C\" data_type=\"int\" equation=\"1\"/>" GOOD_REGISTER),
	  false, 3, "counter C has data_type 'int', which is neither uint64 nor float",
	  HADAL_OA_ACCEPTED },
	{ SET_OF(COUNTER("equation=\"1\" extra=\"1\"") GOOD_REGISTER), true, 3,
	  "unknown attribute 'extra' of <counter> ignored", HADAL_OA_ACCEPTED },
	{ SET_OF("<mystery><register/><deep/></mystery>" GOOD_REGISTER), true, 3,
	  "unexpected element <mystery> ignored", HADAL_OA_ACCEPTED },
	{ SET_OF(GOOD_REGISTER "<register address=\"0x1\" value=\"0x1\"/>"), true, 6,
	  "unexpected element <register> ignored", HADAL_OA_ACCEPTED },
	{ FILE_OF("<set chipset=\"GEN99\" symbol_name=\"S\" hw_config_guid=\"" UUID
		  "\">" GOOD_REGISTER "</set>"),
	  true, 2, "chipset 'GEN99' is not known", HADAL_OA_UNJUDGED },
	{ FILE_OF("<set symbol_name=\"S\" hw_config_guid=\"" UUID "\">" GOOD_REGISTER "</set>"),
	  true, 2, "chipset '' is not known", HADAL_OA_UNJUDGED },
	{ FILE_OF("<set chipset=\"SKL\" hw_config_guid=\"" UUID "\">" GOOD_REGISTER "</set>"), true,
	  2, "the set has no symbol_name", HADAL_OA_ACCEPTED },
	{ FILE_OF(SET_START GOOD_REGISTER "</sets>"), false, 6,
	  "not well-formed XML: mismatched tag", HADAL_OA_UNJUDGED },
	{ FILE_OF(SET_START GOOD_REGISTER "</set><!-- & --><set a='1' a='2'/>"), false, 6,
	  "not well-formed XML: duplicate attribute", HADAL_OA_ACCEPTED },
	{ FILE_OF(SET_START GOOD_REGISTER "</set>&nbsp;"), false, 6,
	  "not well-formed XML: undefined entity", HADAL_OA_ACCEPTED },
};

static void test_each_fault_has_its_line_and_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bads) / sizeof(bads[0]); i++) {
		struct hadal_oa_file *file = parse(bads[i].text);

		if (file->problem_total != 1 ||
		    strcmp(file->problems[0].text, bads[i].problem) != 0)
			fail_msg("%zu: %u problems, '%s' instead of '%s'", i, file->problem_total,
				 file->problem_total ? file->problems[0].text : "",
				 bads[i].problem);
		assert_int_equal(file->problems[0].warning, bads[i].warning);
		assert_int_equal(file->problems[0].line, bads[i].line);
		assert_int_equal(file->error_total, !bads[i].warning);
		assert_int_equal(verdict(file, 0), bads[i].verdict);
		hadal_oa_free(file);
	}
}

static void check_no_sets(const char *bytes, size_t length, const char *problem, const char *hint)
{
	struct hadal_oa_file *file = parse_bytes(bytes, length);

	assert_int_equal(file->set_count, 0);
	assert_int_equal(file->problem_total, 1);
	assert_int_equal(file->error_total, 1);
	assert_string_equal(file->problems[0].text, problem);
	if (hint)
		assert_string_equal(file->problems[0].hint, hint);
	hadal_oa_free(file);
}

static void check_nothing(const char *text, const char *problem, const char *hint)
{
	check_no_sets(text, strlen(text), problem, hint);
}

static void test_files_that_are_no_metric_files(void **state)
{
	static const char page[] = "an HTML page, not a metric file";
	static const char raw[] = "Get the raw file, not the page that shows it.";

	(void)state;
	check_nothing("", "the file is empty", NULL);
	check_nothing("<!DOCTYPE html>\n<html><head><meta charset=utf-8>", page, raw);
	check_nothing("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">", page, raw);
	check_nothing("<html><body><br></body></html>", page, raw);
	check_nothing("<HTML>", page, raw);
	check_nothing("<svg/>", "the outermost element is <svg>, not <metrics>", NULL);
	check_nothing("<metrics/>", "holds no metric set", NULL);
	check_nothing("<guids></guids>", "holds no metric set", NULL);
	check_nothing("hello", "not well-formed XML: syntax error", NULL);
	check_nothing("\n\n{\"json\": 1}", "not well-formed XML: not well-formed (invalid token)",
		      NULL);
	check_no_sets("\0\0\0\0", 4, "not well-formed XML: not well-formed (invalid token)", NULL);
	check_no_sets("\x7f"
		      "ELF\2\1\1\0",
		      8, "not well-formed XML: not well-formed (invalid token)", NULL);
}

static void test_entities_are_never_expanded(void **state)
{
	static const char bomb[] =
		"<?xml version=\"1.0\"?>\n<!DOCTYPE metrics [\n<!ENTITY a \"aaaaaaaaaaaaaaaaaaaaaaaa\">\n"
		"<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\n]>\n<metrics version=\"&b;\"/>\n";
	static const char outside[] =
		"<!DOCTYPE metrics [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><metrics>&a;</metrics>";

	(void)state;
	check_nothing(bomb, "has a document type declaration", NULL);
	check_nothing(outside, "has a document type declaration", NULL);
	check_nothing("<!DOCTYPE metrics SYSTEM \"x.dtd\"><metrics/>",
		      "has a document type declaration", NULL);
}

static void test_bom_crlf_and_other_encodings(void **state)
{
	static const char crlf[] = "\xef\xbb\xbf<metrics>\r\n<set chipset=\"SKL\" symbol_name=\"S\""
				   "\r\nhw_config_guid=\"" UUID "\">\r\n" GOOD_REGISTER
				   "<register_config type=\"x\"/></set></metrics>\r\n";
	static const char latin[] =
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><metrics version=\""
		"\xe4\"><set chipset=\"SKL\" symbol_name=\"S\"/></metrics>";
	char wide[4096];
	size_t length = 0;
	struct hadal_oa_file *file = parse(crlf);

	(void)state;
	assert_int_equal(file->set_count, 1);
	assert_int_equal(file->register_count, 1);
	assert_int_equal(file->sets[0].line, 2);
	assert_int_equal(file->problem_total, 1);
	assert_int_equal(file->problems[0].line, 7);
	hadal_oa_free(file);
	file = parse(latin);
	assert_string_equal(file->version, "\xc3\xa4");
	hadal_oa_free(file);
	wide[length++] = (char)0xff;
	wide[length++] = (char)0xfe;
	for (const char *c = SET_OF(GOOD_REGISTER); *c; c++) {
		wide[length++] = *c;
		wide[length++] = 0;
	}
	file = parse_bytes(wide, length);
	assert_int_equal(file->problem_total, 0);
	assert_int_equal(file->registers[0].address, 0x9888);
	assert_int_equal(file->sets[0].line, 2);
	hadal_oa_free(file);
}

static void test_truncated_at_every_byte(void **state)
{
	static const char whole[] = SET_OF(COUNTER("equation=\"GPU_CLOCK 0 READ\"") GOOD_REGISTER);
	size_t closed = (size_t)(strstr(whole, "</set>") - whole) + strlen("</set>");
	size_t last = strlen(whole) - strlen("\n");

	(void)state;
	for (size_t length = 0; length < last; length++) {
		struct hadal_oa_file *file = parse_bytes(whole, length);

		assert_int_equal(file->error_total, 1);
		assert_true(file->set_count <= 1);
		/* A set that was not closed is not judged. */
		if (file->set_count)
			assert_int_equal(verdict(file, 0),
					 length < closed ? HADAL_OA_UNJUDGED : HADAL_OA_ACCEPTED);
		hadal_oa_free(file);
	}
	for (size_t length = last; length <= strlen(whole); length++) {
		struct hadal_oa_file *file = parse_bytes(whole, length);

		assert_int_equal(file->problem_total, 0);
		assert_int_equal(verdict(file, 0), HADAL_OA_ACCEPTED);
		hadal_oa_free(file);
	}
}

static void test_sets_after_a_fault_are_still_there(void **state)
{
	struct hadal_oa_file *file = parse(FILE_OF(SET_START REGISTER(
		"address=\"1\" value=\"0x0\"") "</set>\n"
					       "<set chipset=\"SKL\" symbol_name=\"T\" hw_config_guid=\"00000000-0000-0000-0000-"
					       "000000000000\">" GOOD_REGISTER "</set>\n"));

	(void)state;
	assert_int_equal(file->set_count, 2);
	assert_string_equal(file->problems[0].set, "S");
	assert_int_equal(verdict(file, 0), HADAL_OA_UNJUDGED);
	assert_int_equal(verdict(file, 1), HADAL_OA_ACCEPTED);
	hadal_oa_free(file);
}

static void test_problems_are_counted_beyond_the_list(void **state)
{
	enum { FAULTS = 250 };
	size_t room = 200 + FAULTS * 60;
	char *text = malloc(room);
	char *at = text + sprintf(text, "<metrics>" SET_START "<register_config type=\"NOA\">");
	struct hadal_oa_file *file;

	(void)state;
	for (int i = 0; i < FAULTS; i++)
		at += sprintf(at, "<register address=\"%d\" value=\"0x0\"/>\n", i);
	sprintf(at, "</register_config></set></metrics>");
	file = parse(text);
	assert_int_equal(file->problem_total, FAULTS);
	assert_int_equal(file->error_total, FAULTS);
	assert_int_equal(file->problem_count, HADAL_OA_MAX_PROBLEMS);
	assert_int_equal(file->problems[99].line, 101);
	hadal_oa_free(file);
	free(text);
}

static void test_counters_per_set_have_a_limit(void **state)
{
	enum { COUNTERS = 1030 };
	char *text = malloc(200 + COUNTERS * 100);
	char *at = text + sprintf(text, "<metrics>" SET_START);
	struct hadal_oa_file *file;

	(void)state;
	for (int i = 0; i < COUNTERS; i++)
		at += sprintf(at, COUNTER("equation=\"%d\""), i);
	sprintf(at, GOOD_REGISTER "</set></metrics>");
	file = parse(text);
	assert_int_equal(file->counter_count, 1024);
	assert_int_equal(file->error_total, COUNTERS - 1024);
	assert_string_equal(file->problems[0].text,
			    "more than 1024 counters: this one is left out");
	assert_int_equal(verdict(file, 0), HADAL_OA_ACCEPTED);
	hadal_oa_free(file);
	free(text);
}

static void test_too_large_is_refused_before_it_is_read(void **state)
{
	struct hadal_oa_file *file = NULL;
	FILE *sparse = tmpfile();

	(void)state;
	assert_non_null(sparse);
	assert_int_equal(fseek(sparse, 100L << 20, SEEK_SET), 0);
	assert_int_not_equal(fputc('>', sparse), EOF);
	assert_int_equal(fflush(sparse), 0);
	rewind(sparse);
	assert_int_equal(hadal_oa_read_fd(fileno(sparse), "large", &file), -EFBIG);
	assert_int_equal(hadal_oa_parse("large", "", (size_t)HADAL_OA_MAX_FILE_BYTES + 1, &file),
			 -EFBIG);
	assert_null(file);
	fclose(sparse);
}

static void test_unreadable_files(void **state)
{
	struct hadal_oa_file *file = NULL;

	(void)state;
	assert_int_equal(hadal_oa_read("/nonexistent", &file), -ENOENT);
	assert_int_equal(hadal_oa_read("/", &file), -EISDIR);
	assert_int_equal(hadal_oa_read_fd(-1, "none", &file), -EBADF);
	assert_null(file);
	hadal_oa_free(NULL);
}

static void test_old_dialect(void **state)
{
	struct hadal_oa_file *file;

	(void)state;
	assert_int_equal(hadal_oa_read(OA_DATA "/old-dialect.xml", &file), 0);
	assert_int_equal(file->problem_total, 0);
	assert_int_equal(file->set_count, 2);
	assert_int_equal(file->counter_count, 3);
	assert_null(file->sets[0].hw_config_guid);
	assert_string_equal(file->counters[1].availability, "$SubsliceMask 0x12 AND");
	assert_int_not_equal(file->counters[1].available.count, 0);
	assert_int_not_equal(file->counters[2].value.count, 0);
	assert_int_equal(verdict(file, 1), HADAL_OA_ACCEPTED);
	hadal_oa_free(file);
}

static void test_public_file_has_all_its_parts(void **state)
{
	struct hadal_oa_file *file;

	(void)state;
	assert_int_equal(hadal_oa_read(OA_DATA "/oa-bdw.xml", &file), 0);
	assert_int_equal(file->problem_total, 0);
	assert_int_equal(file->set_count, 24);
	assert_int_equal(file->counter_count, 863);
	assert_int_equal(file->register_count, 3525);
	hadal_oa_free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reads_every_attribute),
		cmocka_unit_test(test_each_fault_has_its_line_and_reason),
		cmocka_unit_test(test_files_that_are_no_metric_files),
		cmocka_unit_test(test_entities_are_never_expanded),
		cmocka_unit_test(test_bom_crlf_and_other_encodings),
		cmocka_unit_test(test_truncated_at_every_byte),
		cmocka_unit_test(test_sets_after_a_fault_are_still_there),
		cmocka_unit_test(test_problems_are_counted_beyond_the_list),
		cmocka_unit_test(test_counters_per_set_have_a_limit),
		cmocka_unit_test(test_too_large_is_refused_before_it_is_read),
		cmocka_unit_test(test_unreadable_files),
		cmocka_unit_test(test_old_dialect),
		cmocka_unit_test(test_public_file_has_all_its_parts),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("oa xml", tests, NULL, NULL);
}
