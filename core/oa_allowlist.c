// SPDX-License-Identifier: MIT
/*
 * Register ranges of Linux's i915 (6.1; DG2 and Meteor Lake as of 6.4) and xe drivers.
 *
 * Several tables of the drivers may serve one GPU; here each family has one table, merged and
 * sorted. Neighbours such as d900-d91c and d920-d93c stay apart: d91d is in neither.
 */
#include "core/oa_allowlist.h"

/* One range a line, as laid out by hand. */
/* clang-format off */
#define TABLE(name) { name, sizeof(name) / sizeof((name)[0]) }
#define NONE { NULL, 0 }

static const struct oa_range mux_hsw[] = {
	{ 0x91b8, 0x91cc },
	{ 0x9800, 0x9888 },
	{ 0x9e80, 0x9ea4 },	/* not in Linux 4.14 */
	{ 0x9ec0, 0x9ec0 },
	{ 0xe180, 0xe180 },
	{ 0x25100, 0x2ff90 },
};

static const struct oa_range mux_chv[] = {
	{ 0x91b8, 0x91cc },
	{ 0x9800, 0x9888 },
	{ 0xe180, 0xe180 },
	{ 0x182300, 0x1823a4 },
};

static const struct oa_range mux_gen8[] = {
	{ 0x0d00, 0x0d2c },
	{ 0x20cc, 0x20cc },
	{ 0x91b8, 0x91cc },
	{ 0x9800, 0x9888 },
	{ 0xe180, 0xe180 },
};

static const struct oa_range mux_gen11[] = {
	{ 0x0d00, 0x0d2c },
	{ 0x20cc, 0x20cc },
	{ 0x91b8, 0x91dc },	/* 91b8-91cc and 91c8-91dc overlap */
	{ 0x9800, 0x9888 },
	{ 0xe180, 0xe180 },
};

static const struct oa_range mux_gen12[] = {
	{ 0x0d00, 0x0d04 },
	{ 0x0d0c, 0x0d2c },
	{ 0x20cc, 0x20cc },
	{ 0x9840, 0x9840 },
	{ 0x9884, 0x9888 },
};

static const struct oa_range mux_mtl[] = {
	{ 0x0d00, 0x0d04 },
	{ 0x0d0c, 0x0d2c },
	{ 0x9840, 0x9840 },
	{ 0x9884, 0x9888 },
	{ 0x38d100, 0x38d114 },
};

static const struct oa_range mux_xe2[] = {
	{ 0x5194, 0x5194 },
	{ 0x8704, 0x8704 },
	{ 0xb01c, 0xb01c },
	{ 0xb1bc, 0xb1bc },
	{ 0xd0e0, 0xd0f4 },
	{ 0xe18c, 0xe18c },
	{ 0xe590, 0xe590 },
	{ 0x13000, 0x137fc },
	{ 0x145194, 0x145194 },
	{ 0x145340, 0x14537c },
};

static const struct oa_range boolean_gen7[] = {
	{ 0x2710, 0x272c },
	{ 0x2740, 0x275c },
	{ 0x2770, 0x27ac },
};

#define BOOLEAN_GEN12 \
	{ 0x2b2c, 0x2b2c }, { 0xd900, 0xd91c }, { 0xd920, 0xd93c }, { 0xd940, 0xd97c }, \
	{ 0xdc00, 0xdc3c }, { 0xdc40, 0xdc40 }, { 0xdc44, 0xdc44 }
#define BOOLEAN_XEHP { 0xdc48, 0xdc48 }, { 0xdd00, 0xdd48 }
#define BOOLEAN_OAM \
	{ 0x393000, 0x39301c }, { 0x393020, 0x39303c }, { 0x393040, 0x39307c }, \
	{ 0x393200, 0x39323c }

static const struct oa_range boolean_gen12[] = { BOOLEAN_GEN12 };
static const struct oa_range boolean_dg2[] = { BOOLEAN_GEN12, BOOLEAN_XEHP };
static const struct oa_range boolean_mtl[] = { BOOLEAN_GEN12, BOOLEAN_XEHP, BOOLEAN_OAM };
static const struct oa_range boolean_xe2[] = {
	BOOLEAN_GEN12,
	BOOLEAN_XEHP,
	BOOLEAN_OAM,
	{ 0x394200, 0x39423c },
	{ 0x394a00, 0x394a3c },
};

static const struct oa_range flex_gen8[] = {
	{ 0xe458, 0xe458 }, { 0xe45c, 0xe45c }, { 0xe558, 0xe558 }, { 0xe55c, 0xe55c },
	{ 0xe658, 0xe658 }, { 0xe65c, 0xe65c }, { 0xe758, 0xe758 },
};

static const struct oa_rules rules_hsw = { { TABLE(mux_hsw), TABLE(boolean_gen7), NONE }, false };
static const struct oa_rules rules_chv = {
	{ TABLE(mux_chv), TABLE(boolean_gen7), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_gen8 = {
	{ TABLE(mux_gen8), TABLE(boolean_gen7), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_gen11 = {
	{ TABLE(mux_gen11), TABLE(boolean_gen7), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_gen12 = {
	{ TABLE(mux_gen12), TABLE(boolean_gen12), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_dg2 = {
	{ TABLE(mux_gen12), TABLE(boolean_dg2), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_mtl = {
	{ TABLE(mux_mtl), TABLE(boolean_mtl), TABLE(flex_gen8) }, false
};
static const struct oa_rules rules_xe_gen12 = {
	{ TABLE(mux_gen12), TABLE(boolean_mtl), TABLE(flex_gen8) }, true
};
static const struct oa_rules rules_xe_mtl = {
	{ TABLE(mux_mtl), TABLE(boolean_mtl), TABLE(flex_gen8) }, true
};
static const struct oa_rules rules_xe2 = {
	{ TABLE(mux_xe2), TABLE(boolean_xe2), TABLE(flex_gen8) }, true
};

const struct oa_generation oa_generations[] = {
	{ "hsw", &rules_hsw, NULL, 3 },
	{ "bdw", &rules_gen8, NULL, 3 },
	{ "chv", &rules_chv, NULL, 3 },
	{ "skl", &rules_gen8, NULL, 3 },
	{ "bxt", &rules_gen8, NULL, 3 },
	{ "kbl", &rules_gen8, NULL, 3 },
	{ "glk", &rules_gen8, NULL, 3 },
	{ "cfl", &rules_gen8, NULL, 3 },
	{ "cnl", &rules_gen11, NULL, 3 },
	{ "icl", &rules_gen11, NULL, 8 },
	{ "ehl", &rules_gen11, NULL, 8 },
	{ "tgl", &rules_gen12, &rules_xe_gen12, 8 },
	{ "rkl", &rules_gen12, &rules_xe_gen12, 8 },
	{ "dg1", &rules_gen12, &rules_xe_gen12, 8 },
	{ "adl", &rules_gen12, &rules_xe_gen12, 8 },
	{ "dg2", &rules_dg2, &rules_xe_gen12, 8 },
	{ "mtl", &rules_mtl, &rules_xe_mtl, 8 },
	{ "pvc", NULL, &rules_xe_gen12, 8 },
	{ "lnl", NULL, &rules_xe2, 8 },
	{ "bmg", NULL, &rules_xe2, 8 },
	{ "ptl", NULL, &rules_xe2, 8 },
};

const uint32_t oa_generation_count = sizeof(oa_generations) / sizeof(oa_generations[0]);

/* GPUs that have another's rules, and the name that metric files give to DG2. */
static const struct {
	const char *name;
	const char *generation;
} siblings[] = {
	{ "cml", "cfl" }, { "jsl", "ehl" }, { "rpl", "adl" }, { "acm", "dg2" }, { "arl", "mtl" },
};
/* clang-format on */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True if @name is @word, alone or followed by a variant: "gt" and one digit. */
static bool names_word(const char *name, const char *word)
{
	while (*word)
		if (lower(*name++) != *word++)
			return false;
	if (!*name)
		return true;
	return lower(name[0]) == 'g' && lower(name[1]) == 't' && name[2] >= '1' && name[2] <= '9' &&
	       !name[3];
}

const struct oa_generation *oa_generation_find(const char *name)
{
	uint32_t i;

	for (i = 0; i < sizeof(siblings) / sizeof(siblings[0]); i++) {
		if (names_word(name, siblings[i].name)) {
			name = siblings[i].generation;
			break;
		}
	}
	for (i = 0; i < oa_generation_count; i++)
		if (names_word(name, oa_generations[i].name))
			return &oa_generations[i];
	return NULL;
}

const struct oa_rules *oa_generation_rules(const struct oa_generation *gen)
{
	return gen->i915 ? gen->i915 : gen->xe;
}

/* Index of the first range that does not end before @address, or the count. */
static uint32_t first_not_below(const struct oa_table *table, uint32_t address)
{
	uint32_t low = 0, high = table->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (table->ranges[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool oa_table_has(const struct oa_table *table, uint32_t address)
{
	uint32_t i = first_not_below(table, address);

	return i < table->count && table->ranges[i].first <= address;
}

const struct oa_range *oa_table_nearest(const struct oa_table *table, uint32_t address)
{
	uint32_t i = first_not_below(table, address);

	if (table->count == 0)
		return NULL;
	if (i == table->count)
		return &table->ranges[i - 1];
	if (i == 0 || table->ranges[i].first <= address)
		return &table->ranges[i];
	if (address - table->ranges[i - 1].last <= table->ranges[i].first - address)
		return &table->ranges[i - 1];
	return &table->ranges[i];
}
