// SPDX-License-Identifier: GPL-2.0-only
/* The GPUs that the device can play, as data. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "oa.h"

#define FORMATS_HSW GENMASK(7, 1)
#define FORMATS_GEN8 GENMASK(10, 7)
#define FORMATS_XEHP GENMASK(12, 11)

/* One slice each; where a GPU has several variants, the one whose metric files are at hand. */
/* clang-format off */
static const struct oa_platform platforms[] = {
	{ "hsw", 0x0412,  750, 12500000, 0, 2, 10, FORMATS_HSW },
	{ "bdw", 0x1616,  800, 12500000, 0, 3,  8, FORMATS_GEN8 },
	{ "chv", 0x22b0,  800, 12500000, 0, 2,  8, FORMATS_GEN8 },
	{ "skl", 0x1912,  900, 12000000, 0, 3,  8, FORMATS_GEN8 },
	{ "bxt", 0x5a84,  900, 19200000, 0, 3,  6, FORMATS_GEN8 },
	{ "kbl", 0x5912,  900, 12000000, 0, 3,  8, FORMATS_GEN8 },
	{ "glk", 0x3184,  900, 19200000, 0, 3,  6, FORMATS_GEN8 },
	{ "cfl", 0x3e92,  900, 12000000, 0, 3,  8, FORMATS_GEN8 },
	{ "icl", 0x8a52, 1100, 12000000, 0, 8,  8, FORMATS_GEN8 },
	{ "ehl", 0x4541, 1100, 19200000, 0, 4,  8, FORMATS_GEN8 },
	{ "tgl", 0x9a49, 1200, 19200000, 0, 6, 16, FORMATS_GEN8 },
	{ "rkl", 0x4c8a, 1200, 19200000, 0, 2, 16, FORMATS_GEN8 },
	{ "dg1", 0x4905, 1200, 19200000, 0, 6, 16, FORMATS_GEN8 },
	{ "adl", 0x4680, 1200, 19200000, 0, 2, 16, FORMATS_GEN8 },
	{ "dg2", 0x56a5, 1255, 12500000, 1, 8, 16, FORMATS_XEHP },
	{ "mtl", 0x7d45, 1270, 19200000, 1, 4, 16, FORMATS_XEHP },
};
/* clang-format on */

const struct oa_platform *oa_platform_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(platforms); i++)
		if (!strcmp(platforms[i].name, name))
			return &platforms[i];
	return NULL;
}

u32 oa_platform_eus(const struct oa_platform *platform)
{
	return platform->subslices * platform->eus;
}
