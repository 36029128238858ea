// SPDX-License-Identifier: MIT
/*
 * Register ranges, twice: a table of boundaries typed by hand, and every address below 4 MiB
 * against a bitmap made from another writing of the same facts.
 */
#include <stdlib.h>
#include <string.h>

#include "core/oa_allowlist.h"
#include "tests/tap.h"

#define LIMIT (4u << 20)

/* Address and verdict at: first - 4, first, last, last + 4. */
struct boundary {
	const char *generations;
	enum oa_class cls;
	struct {
		uint32_t address;
		bool allowed;
	} points[4];
};

#define MUX OA_CLASS_MUX
#define BOOL OA_CLASS_BOOLEAN
#define FLEX OA_CLASS_FLEX
#define GEN8 "bdw skl bxt kbl glk cfl"
#define GEN11 "cnl icl ehl"
#define GEN12 "tgl rkl dg1 adl"
#define GEN7_TO_11 "hsw bdw chv skl bxt kbl glk cfl cnl icl ehl"
#define XE2 "lnl bmg ptl"
#define NO 0
#define OK 1

/* clang-format off */
static const struct boundary boundaries[] = {
	/* common7 */
	{ "hsw chv " GEN8, MUX, { { 0x91b4, NO }, { 0x91b8, OK }, { 0x91cc, OK }, { 0x91d0, NO } } },
	{ GEN11, MUX, { { 0x91b4, NO }, { 0x91b8, OK }, { 0x91cc, OK }, { 0x91d0, OK } } },
	{ GEN7_TO_11, MUX, { { 0x97fc, NO }, { 0x9800, OK }, { 0x9888, OK }, { 0x988c, NO } } },
	{ GEN7_TO_11, MUX, { { 0xe17c, NO }, { 0xe180, OK }, { 0xe180, OK }, { 0xe184, NO } } },
	/* hsw */
	{ "hsw", MUX, { { 0x9e7c, NO }, { 0x9e80, OK }, { 0x9ea4, OK }, { 0x9ea8, NO } } },
	{ "hsw", MUX, { { 0x9ebc, NO }, { 0x9ec0, OK }, { 0x9ec0, OK }, { 0x9ec4, NO } } },
	{ "hsw", MUX, { { 0x250fc, NO }, { 0x25100, OK }, { 0x2ff90, OK }, { 0x2ff94, NO } } },
	/* chv */
	{ "chv", MUX, { { 0x1822fc, NO }, { 0x182300, OK }, { 0x1823a4, OK }, { 0x1823a8, NO } } },
	/* gen8 */
	{ GEN8 " " GEN11, MUX, { { 0xcfc, NO }, { 0xd00, OK }, { 0xd2c, OK }, { 0xd30, NO } } },
	{ GEN8 " " GEN11, MUX, { { 0x20c8, NO }, { 0x20cc, OK }, { 0x20cc, OK }, { 0x20d0, NO } } },
	/* gen11 */
	{ GEN11, MUX, { { 0x91c4, OK }, { 0x91c8, OK }, { 0x91dc, OK }, { 0x91e0, NO } } },
	/* gen12 */
	{ GEN12 " dg2 pvc mtl", MUX, { { 0xcfc, NO }, { 0xd00, OK }, { 0xd04, OK }, { 0xd08, NO } } },
	{ GEN12 " dg2 pvc mtl", MUX, { { 0xd08, NO }, { 0xd0c, OK }, { 0xd2c, OK }, { 0xd30, NO } } },
	{ GEN12 " dg2 pvc mtl", MUX, { { 0x983c, NO }, { 0x9840, OK }, { 0x9840, OK }, { 0x9844, NO } } },
	{ GEN12 " dg2 pvc mtl", MUX, { { 0x9880, NO }, { 0x9884, OK }, { 0x9888, OK }, { 0x988c, NO } } },
	{ GEN12 " dg2 pvc", MUX, { { 0x20c8, NO }, { 0x20cc, OK }, { 0x20cc, OK }, { 0x20d0, NO } } },
	/* mtl */
	{ "mtl", MUX, { { 0x20c8, NO }, { 0x20cc, NO }, { 0x20cc, NO }, { 0x20d0, NO } } },
	{ "mtl", MUX, { { 0x38d0fc, NO }, { 0x38d100, OK }, { 0x38d114, OK }, { 0x38d118, NO } } },
	/* xe2 */
	{ XE2, MUX, { { 0x5190, NO }, { 0x5194, OK }, { 0x5194, OK }, { 0x5198, NO } } },
	{ XE2, MUX, { { 0x8700, NO }, { 0x8704, OK }, { 0x8704, OK }, { 0x8708, NO } } },
	{ XE2, MUX, { { 0xb018, NO }, { 0xb01c, OK }, { 0xb01c, OK }, { 0xb020, NO } } },
	{ XE2, MUX, { { 0xb1b8, NO }, { 0xb1bc, OK }, { 0xb1bc, OK }, { 0xb1c0, NO } } },
	{ XE2, MUX, { { 0xd0dc, NO }, { 0xd0e0, OK }, { 0xd0f4, OK }, { 0xd0f8, NO } } },
	{ XE2, MUX, { { 0xe188, NO }, { 0xe18c, OK }, { 0xe18c, OK }, { 0xe190, NO } } },
	{ XE2, MUX, { { 0xe58c, NO }, { 0xe590, OK }, { 0xe590, OK }, { 0xe594, NO } } },
	{ XE2, MUX, { { 0x12ffc, NO }, { 0x13000, OK }, { 0x137fc, OK }, { 0x13800, NO } } },
	{ XE2, MUX, { { 0x145190, NO }, { 0x145194, OK }, { 0x145194, OK }, { 0x145198, NO } } },
	{ XE2, MUX, { { 0x14533c, NO }, { 0x145340, OK }, { 0x14537c, OK }, { 0x145380, NO } } },
	/* boolean gen7 */
	{ GEN7_TO_11, BOOL, { { 0x270c, NO }, { 0x2710, OK }, { 0x272c, OK }, { 0x2730, NO } } },
	{ GEN7_TO_11, BOOL, { { 0x273c, NO }, { 0x2740, OK }, { 0x275c, OK }, { 0x2760, NO } } },
	{ GEN7_TO_11, BOOL, { { 0x276c, NO }, { 0x2770, OK }, { 0x27ac, OK }, { 0x27b0, NO } } },
	/* boolean gen12: the groups of four touch */
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0x2b28, NO }, { 0x2b2c, OK }, { 0x2b2c, OK }, { 0x2b30, NO } } },
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0xd8fc, NO }, { 0xd900, OK }, { 0xd91c, OK }, { 0xd920, OK } } },
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0xd91c, OK }, { 0xd920, OK }, { 0xd93c, OK }, { 0xd940, OK } } },
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0xd93c, OK }, { 0xd940, OK }, { 0xd97c, OK }, { 0xd980, NO } } },
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0xdbfc, NO }, { 0xdc00, OK }, { 0xdc3c, OK }, { 0xdc40, OK } } },
	{ GEN12 " dg2 mtl pvc " XE2, BOOL, { { 0xdc3c, OK }, { 0xdc40, OK }, { 0xdc40, OK }, { 0xdc44, OK } } },
	{ GEN12, BOOL, { { 0xdc40, OK }, { 0xdc44, OK }, { 0xdc44, OK }, { 0xdc48, NO } } },
	/* boolean xehp */
	{ "dg2 mtl pvc " XE2, BOOL, { { 0xdc40, OK }, { 0xdc44, OK }, { 0xdc44, OK }, { 0xdc48, OK } } },
	{ "dg2 mtl pvc " XE2, BOOL, { { 0xdc44, OK }, { 0xdc48, OK }, { 0xdc48, OK }, { 0xdc4c, NO } } },
	{ "dg2 mtl pvc " XE2, BOOL, { { 0xdcfc, NO }, { 0xdd00, OK }, { 0xdd48, OK }, { 0xdd4c, NO } } },
	{ GEN12, BOOL, { { 0xdcfc, NO }, { 0xdd00, NO }, { 0xdd48, NO }, { 0xdd4c, NO } } },
	/* boolean mtl_oam: pvc stands for xe's list, which has it for all */
	{ "mtl pvc " XE2, BOOL, { { 0x392ffc, NO }, { 0x393000, OK }, { 0x39301c, OK }, { 0x393020, OK } } },
	{ "mtl pvc " XE2, BOOL, { { 0x39301c, OK }, { 0x393020, OK }, { 0x39303c, OK }, { 0x393040, OK } } },
	{ "mtl pvc " XE2, BOOL, { { 0x39303c, OK }, { 0x393040, OK }, { 0x39307c, OK }, { 0x393080, NO } } },
	{ "mtl pvc " XE2, BOOL, { { 0x3931fc, NO }, { 0x393200, OK }, { 0x39323c, OK }, { 0x393240, NO } } },
	{ GEN12 " dg2", BOOL, { { 0x3931fc, NO }, { 0x393200, NO }, { 0x39323c, NO }, { 0x393240, NO } } },
	/* boolean xe2 */
	{ XE2, BOOL, { { 0x3941fc, NO }, { 0x394200, OK }, { 0x39423c, OK }, { 0x394240, NO } } },
	{ XE2, BOOL, { { 0x3949fc, NO }, { 0x394a00, OK }, { 0x394a3c, OK }, { 0x394a40, NO } } },
	{ "mtl pvc", BOOL, { { 0x3941fc, NO }, { 0x394200, NO }, { 0x39423c, NO }, { 0x394240, NO } } },
	/* flex: single registers, and e75c is not one */
	{ "hsw", FLEX, { { 0xe454, NO }, { 0xe458, NO }, { 0xe65c, NO }, { 0xe758, NO } } },
#define FROM_GEN8 "chv " GEN8 " " GEN11 " " GEN12 " dg2 mtl pvc " XE2
	{ FROM_GEN8, FLEX, { { 0xe454, NO }, { 0xe458, OK }, { 0xe458, OK }, { 0xe45c, OK } } },
	{ FROM_GEN8, FLEX, { { 0xe458, OK }, { 0xe45c, OK }, { 0xe45c, OK }, { 0xe460, NO } } },
	{ FROM_GEN8, FLEX, { { 0xe554, NO }, { 0xe558, OK }, { 0xe558, OK }, { 0xe55c, OK } } },
	{ FROM_GEN8, FLEX, { { 0xe558, OK }, { 0xe55c, OK }, { 0xe55c, OK }, { 0xe560, NO } } },
	{ FROM_GEN8, FLEX, { { 0xe654, NO }, { 0xe658, OK }, { 0xe658, OK }, { 0xe65c, OK } } },
	{ FROM_GEN8, FLEX, { { 0xe658, OK }, { 0xe65c, OK }, { 0xe65c, OK }, { 0xe660, NO } } },
	{ FROM_GEN8, FLEX, { { 0xe754, NO }, { 0xe758, OK }, { 0xe758, OK }, { 0xe75c, NO } } },
};

/*
 * The second writing: the drivers' own separate tables and who uses them. Each generation is
 * i915's view if i915 knows it; "xe-" names xe's.
 */
static const struct {
	const char *name;
	const char *ranges;
} sources[] = {
	{ "common7", "91b8-91cc 9800-9888 e180" },
	{ "hsw", "9e80-9ea4 9ec0 25100-2ff90" },
	{ "chv", "182300-1823a4" },
	{ "gen8", "0d00-0d2c 20cc" },
	{ "gen11", "91c8-91dc" },
	{ "gen12", "0d00-0d04 0d0c-0d2c 9840 9884-9888 20cc" },
	{ "mtl", "0d00-0d04 0d0c-0d2c 9840 9884-9888 38d100-38d114" },
	{ "xe2", "5194 8704 b01c b1bc d0e0-d0f4 e18c e590 13000-137fc 145194 145340-14537c" },
	{ "b-gen7", "2710-272c 2740-275c 2770-27ac" },
	{ "b-gen12", "2b2c d900-d91c d920-d93c d940-d97c dc00-dc3c dc40 dc44" },
	{ "b-xehp", "dc48 dd00-dd48" },
	{ "b-oam", "393000-39301c 393020-39303c 393040-39307c 393200-39323c" },
	{ "b-xe2", "393200-39323c 394200-39423c 394a00-394a3c" },
	{ "eu", "e458 e558 e658 e758 e45c e55c e65c" },
};

static const struct {
	const char *generations;
	const char *tables[OA_CLASSES];
} users[] = {
	{ "hsw", { "common7 hsw", "b-gen7", "" } },
	{ "chv", { "common7 chv", "b-gen7", "eu" } },
	{ "bdw skl bxt kbl glk cfl cml", { "common7 gen8", "b-gen7", "eu" } },
	{ "icl ehl jsl cnl", { "common7 gen8 gen11", "b-gen7", "eu" } },
	{ "tgl rkl dg1 adl rpl", { "gen12", "b-gen12", "eu" } },
	{ "dg2", { "gen12", "b-gen12 b-xehp", "eu" } },
	{ "mtl arl", { "mtl", "b-gen12 b-xehp b-oam", "eu" } },
	{ "xe-tgl xe-rkl xe-dg1 xe-adl xe-dg2 pvc", { "gen12", "b-gen12 b-xehp b-oam", "eu" } },
	{ "xe-mtl", { "mtl", "b-gen12 b-xehp b-oam", "eu" } },
	{ "lnl bmg ptl", { "xe2", "b-gen12 b-xehp b-oam b-xe2", "eu" } },
};
/* clang-format on */

/* The next blank-separated word of *@list into @word. False at the end. */
static bool next_word(const char **list, char word[32])
{
	int used = 0;

	if (sscanf(*list, "%31s%n", word, &used) != 1)
		return false;
	*list += used;
	return true;
}

static const struct oa_rules *rules_of(const char *name)
{
	bool xe = strncmp(name, "xe-", 3) == 0;
	const struct oa_generation *gen = oa_generation_find(xe ? name + 3 : name);

	if (!gen)
		return NULL;
	return xe ? gen->xe : oa_generation_rules(gen);
}

static void test_boundaries_typed_by_hand(void)
{
	for (size_t i = 0; i < sizeof(boundaries) / sizeof(boundaries[0]); i++) {
		const struct boundary *row = &boundaries[i];
		const char *list = row->generations;
		char name[32];

		while (next_word(&list, name)) {
			const struct oa_rules *rules = rules_of(name);

			REQUIRE(rules);
			for (int p = 0; p < 4; p++) {
				bool have = oa_table_has(&rules->allowed[row->cls],
							 row->points[p].address);

				if (have != row->points[p].allowed)
					printf("# %s class %d %x\n", name, (int)row->cls,
					       row->points[p].address);
				CHECK(have == row->points[p].allowed);
			}
		}
	}
}

static void mark(uint8_t *map, const char *source)
{
	const char *ranges = NULL;
	char word[32];

	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		if (strcmp(sources[i].name, source) == 0)
			ranges = sources[i].ranges;
	REQUIRE(ranges);
	while (next_word(&ranges, word)) {
		char *dash = strchr(word, '-');
		unsigned long first = strtoul(word, NULL, 16);
		unsigned long last = dash ? strtoul(dash + 1, NULL, 16) : first;

		REQUIRE(last < LIMIT);
		memset(map + first, 1, last - first + 1);
	}
}

/* Tables that were compared with the bitmap of a list of sources already. */
static struct {
	const struct oa_range *ranges;
	const char *sources;
} compared[32];
static size_t compared_count;

/* True if the pair was compared before; else remembers it. */
static bool is_compared(const struct oa_table *table, const char *list)
{
	for (size_t i = 0; i < compared_count; i++)
		if (compared[i].ranges == table->ranges && strcmp(compared[i].sources, list) == 0)
			return true;
	if (compared_count < sizeof(compared) / sizeof(compared[0])) {
		compared[compared_count].ranges = table->ranges;
		compared[compared_count++].sources = list;
	}
	return false;
}

static void compare(const char *name, enum oa_class cls, const char *list, uint8_t *map)
{
	const struct oa_rules *rules = rules_of(name);
	unsigned int wrong = 0;
	char word[32];

	REQUIRE(rules);
	if (is_compared(&rules->allowed[cls], list))
		return;
	memset(map, 0, LIMIT);
	while (next_word(&list, word))
		mark(map, word);
	for (uint32_t address = 0; address < LIMIT; address++)
		wrong += oa_table_has(&rules->allowed[cls], address) != (map[address] != 0);
	if (wrong)
		printf("# %s class %d: %u addresses differ\n", name, (int)cls, wrong);
	CHECK_EQ(wrong, 0);
}

static void test_all_addresses_below_4_mib_agree_with_second_writing(void)
{
	uint8_t *map = malloc(LIMIT);

	REQUIRE(map);
	for (size_t i = 0; i < sizeof(users) / sizeof(users[0]); i++) {
		for (int cls = 0; cls < OA_CLASSES; cls++) {
			const char *names = users[i].generations;
			char word[32];

			while (next_word(&names, word))
				compare(word, (enum oa_class)cls, users[i].tables[cls], map);
		}
	}
	free(map);
}

static void test_every_generation_is_in_the_second_writing(void)
{
	for (uint32_t i = 0; i < oa_generation_count; i++) {
		bool found = false;

		for (size_t u = 0; u < sizeof(users) / sizeof(users[0]); u++)
			found |= strstr(users[u].generations, oa_generations[i].name) != NULL;
		CHECK(found);
	}
}

static void test_nothing_above_4_mib(void)
{
	for (uint32_t i = 0; i < oa_generation_count; i++) {
		for (int cls = 0; cls < OA_CLASSES; cls++) {
			const struct oa_table *table =
				&oa_generation_rules(&oa_generations[i])->allowed[cls];

			CHECK(!table->count || table->ranges[table->count - 1].last < LIMIT);
			CHECK(!oa_table_has(table, LIMIT));
			CHECK(!oa_table_has(table, UINT32_MAX));
		}
	}
}

static void check_sorted(const struct oa_rules *rules)
{
	if (!rules)
		return;
	for (int cls = 0; cls < OA_CLASSES; cls++) {
		const struct oa_table *table = &rules->allowed[cls];

		for (uint32_t r = 0; r < table->count; r++) {
			CHECK(table->ranges[r].first <= table->ranges[r].last);
			CHECK(r == 0 || table->ranges[r - 1].last < table->ranges[r].first);
		}
	}
}

static void test_tables_are_sorted_and_do_not_overlap(void)
{
	for (uint32_t i = 0; i < oa_generation_count; i++) {
		check_sorted(oa_generations[i].i915);
		check_sorted(oa_generations[i].xe);
	}
}

static void test_nearest_range(void)
{
	const struct oa_table *table = &rules_of("skl")->allowed[OA_CLASS_MUX];
	const struct oa_table none = { NULL, 0 };

	CHECK_EQ(oa_table_nearest(table, 0)->first, 0xd00);
	CHECK_EQ(oa_table_nearest(table, 0xd10)->first, 0xd00);
	CHECK_EQ(oa_table_nearest(table, 0xd30)->first, 0xd00);
	CHECK_EQ(oa_table_nearest(table, 0x20c8)->first, 0x20cc);
	CHECK_EQ(oa_table_nearest(table, 0x988c)->first, 0x9800);
	CHECK_EQ(oa_table_nearest(table, UINT32_MAX)->first, 0xe180);
	/* 0x16fc is 0x9d0 from both sides: the lower one. */
	CHECK_EQ(oa_table_nearest(table, 0x16fc)->first, 0xd00);
	CHECK_EQ(oa_table_nearest(table, 0x16fd)->first, 0x20cc);
	CHECK(oa_table_nearest(&none, 0x9888) == NULL);
	CHECK(!oa_table_has(&none, 0));
}

static void test_generation_names(void)
{
	static const char *const good[][2] = {
		{ "skl", "skl" },    { "SKL", "skl" },	  { "SKLGT2", "skl" }, { "sklgt4", "skl" },
		{ "CFLGT3", "cfl" }, { "ACMGT1", "dg2" }, { "acm", "dg2" },    { "MTLGT3", "mtl" },
		{ "TGLGT1", "tgl" }, { "RPL", "adl" },	  { "JSL", "ehl" },    { "BMG", "bmg" },
		{ "cml", "cfl" },    { "ARL", "mtl" },	  { "PVC", "pvc" },
	};
	static const char *const bad[] = {
		"",	   "s",	   "sk",   "sklg", "sklgt",  "sklgt0",
		"sklgt22", "skly", " skl", "gen9", "xe-tgl",
	};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct oa_generation *gen = oa_generation_find(good[i][0]);

		REQUIRE(gen);
		CHECK(strcmp(gen->name, good[i][1]) == 0);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(oa_generation_find(bad[i]) == NULL);
}

int main(void)
{
	TAP_RUN(test_boundaries_typed_by_hand);
	TAP_RUN(test_all_addresses_below_4_mib_agree_with_second_writing);
	TAP_RUN(test_every_generation_is_in_the_second_writing);
	TAP_RUN(test_nothing_above_4_mib);
	TAP_RUN(test_tables_are_sorted_and_do_not_overlap);
	TAP_RUN(test_nearest_range);
	TAP_RUN(test_generation_names);
	return tap_done();
}
