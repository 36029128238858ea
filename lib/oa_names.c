// SPDX-License-Identifier: MIT
/* Names in equations: device variables and groups of raw values. */
#include <errno.h>
#include <string.h>

#include "lib/oa_file.h"

static const char *const plain[] = {
	"EuCoresTotalCount",
	"EuSlicesTotalCount",
	"EuSubslicesTotalCount",
	"EuThreadsCount",
	"SliceMask",
	"SubsliceMask",
	"DualSubsliceMask",
	"GpuTimestampFrequency",
	"GpuMinFrequency",
	"GpuMaxFrequency",
	"SkuRevisionId",
	"QueryMode",
	"XeCoreMask",
	"XeCoreTotalCount",
	"VectorEngineTotalCount",
	"VectorEngineThreadsCount",
	"SliceTotalCount",
	"ComputeEngineTotalCount",
	"CopyEngineTotalCount",
	"SqidiTotalCount",
	"L3BankTotalCount",
	"L3NodeTotalCount",
	"DepthPipeTotalCount",
	"GeometryPipeTotalCount",
	"ColorPipeTotalCount",
};

#define PLAIN_COUNT ((int)(sizeof(plain) / sizeof(plain[0])))

/* Families of names with one number, or with two: GtSlice3, GtSlice3XeCore15. */
static const struct family {
	const char *head;
	const char *middle;
	int first_count;
	int second_count;
} families[] = {
	{ "GtSlice", "XeCore", 8, 16 },
	{ "GtSlice", "DualSubslice", 8, 16 },
	{ "GtSlice", NULL, 8, 1 },
	{ "GtXeCore", NULL, 64, 1 },
};

_Static_assert(sizeof(plain) / sizeof(plain[0]) + 8 * 16 * 2 + 8 + 64 <= HADAL_OA_VARIABLES,
	       "every name needs its variable");

/* Takes @word from the front of the name; false if it is not there. */
static bool take_word(const char **name, const char *end, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(end - *name) < length || memcmp(*name, word, length) != 0)
		return false;
	*name += length;
	return true;
}

/* Takes a number below @limit, without leading zeros; -1 if there is none. */
static int take_number(const char **name, const char *end, int limit)
{
	const char *start = *name;
	int value = 0;

	while (*name < end && **name >= '0' && **name <= '9' && value < limit)
		value = value * 10 + *(*name)++ - '0';
	if (*name == start || value >= limit || (*start == '0' && *name - start > 1))
		return -1;
	return value;
}

/* Place of the name within @family, or -1. */
static int find_in_family(const struct family *family, const char *name, const char *end)
{
	int first, second = 0;

	if (!take_word(&name, end, family->head))
		return -1;
	first = take_number(&name, end, family->first_count);
	if (first < 0)
		return -1;
	if (family->middle) {
		if (!take_word(&name, end, family->middle))
			return -1;
		second = take_number(&name, end, family->second_count);
		if (second < 0)
			return -1;
	}
	return name == end ? first * family->second_count + second : -1;
}

int oa_variable_find(const char *name, size_t length)
{
	int base = PLAIN_COUNT;

	for (int i = 0; i < PLAIN_COUNT; i++)
		if (strncmp(name, plain[i], length) == 0 && !plain[i][length])
			return i;
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		int place = find_in_family(&families[i], name, name + length);

		if (place >= 0)
			return base + place;
		base += families[i].first_count * families[i].second_count;
	}
	return -ENOENT;
}

int hadal_oa_variable(const char *name)
{
	return oa_variable_find(name, strlen(name));
}

static const struct {
	const char *name;
	uint32_t count;
} groups[HADAL_OA_GROUPS] = {
	[HADAL_OA_GPU_TIME] = { "GPU_TIME", 1 },
	[HADAL_OA_GPU_CLOCK] = { "GPU_CLOCK", 1 },
	[HADAL_OA_A] = { "A", 64 },
	[HADAL_OA_B] = { "B", 8 },
	[HADAL_OA_C] = { "C", 8 },
	[HADAL_OA_PERFCNT] = { "PERFCNT", 2 },
	[HADAL_OA_PEC] = { "PEC", 64 },
};

_Static_assert(1 + 1 + 64 + 8 + 8 + 2 + 64 == HADAL_OA_RAW_VALUES, "groups fill the raw values");

enum hadal_oa_group oa_group_find(const char *name, size_t length)
{
	int i;

	for (i = 0; i < HADAL_OA_GROUPS; i++)
		if (strlen(groups[i].name) == length && memcmp(groups[i].name, name, length) == 0)
			break;
	return (enum hadal_oa_group)i;
}

int hadal_oa_raw_index(enum hadal_oa_group group, uint32_t n)
{
	uint32_t base = 0;

	if (group >= HADAL_OA_GROUPS || n >= groups[group].count)
		return -ERANGE;
	for (int i = 0; i < (int)group; i++)
		base += groups[i].count;
	return (int)(base + n);
}
