// SPDX-License-Identifier: MIT
/* UUID syntax: what the driver takes and what it refuses. */
#include <string.h>

#include "core/uuid.h"
#include "tests/tap.h"

static const char good[] = "f1792f32-6db2-4b50-b4b2-557128f1688d";

static void test_uuid_accepts_both_cases_and_any_version(void)
{
	CHECK(uuid_valid(good));
	CHECK(uuid_valid("F1792F32-6DB2-4B50-B4B2-557128F1688D"));
	CHECK(uuid_valid("f1792F32-6db2-4B50-b4b2-557128f1688D"));
	CHECK(uuid_valid("00000000-0000-0000-0000-000000000000"));
	CHECK(uuid_valid("ffffffff-ffff-ffff-ffff-ffffffffffff"));
}

static void test_uuid_reads_nothing_after_the_36th(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%s and more", good);
	CHECK_EQ(uuid_check(text, strlen(text)), 36);
}

static void test_uuid_short_text_stops_at_its_end(void)
{
	for (size_t length = 0; length < 36; length++)
		CHECK_EQ(uuid_check(good, length), length);
}

static void test_uuid_each_wrong_character_is_found(void)
{
	static const char wrong[] = {
		'g', 'G', '/', ':', '@', '`', ' ', '\0', '{', '\n', (char)0xe4
	};

	for (size_t at = 0; at < 36; at++) {
		for (size_t i = 0; i < sizeof(wrong); i++) {
			char text[37];

			memcpy(text, good, sizeof(text));
			text[at] = wrong[i];
			CHECK_EQ(uuid_check(text, 36), at);
		}
	}
}

static void test_uuid_hyphens_only_at_their_places(void)
{
	for (size_t at = 0; at < 36; at++) {
		bool place = at == 8 || at == 13 || at == 18 || at == 23;
		char text[37];

		memcpy(text, good, sizeof(text));
		text[at] = place ? '0' : '-';
		CHECK_EQ(uuid_check(text, 36), at);
	}
}

static void test_uuid_other_spellings_are_refused(void)
{
	CHECK_EQ(uuid_check("{f1792f32-6db2-4b50-b4b2-557128f1688d}", 38), 0);
	CHECK_EQ(uuid_check("f1792f326db24b50b4b2557128f1688d....", 36), 8);
}

int main(void)
{
	TAP_RUN(test_uuid_accepts_both_cases_and_any_version);
	TAP_RUN(test_uuid_reads_nothing_after_the_36th);
	TAP_RUN(test_uuid_short_text_stops_at_its_end);
	TAP_RUN(test_uuid_each_wrong_character_is_found);
	TAP_RUN(test_uuid_hyphens_only_at_their_places);
	TAP_RUN(test_uuid_other_spellings_are_refused);
	return tap_done();
}
