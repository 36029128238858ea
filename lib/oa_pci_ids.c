// SPDX-License-Identifier: MIT
/*
 * Which generation a PCI device id is of. The ranges hold the ids that Linux 6.12's i915 and xe list
 * for a generation and none of another.
 */
#include "hadal/oa_device.h"

static const struct {
	uint32_t first;
	uint32_t last;
	const char *generation;
} ranges[] = {
	{ 0x0402, 0x042e, "hsw" }, { 0x0a02, 0x0a2e, "hsw" }, { 0x0a84, 0x0a84, "bxt" },
	{ 0x0b69, 0x0b6e, "pvc" }, { 0x0bd0, 0x0bdb, "pvc" }, { 0x0c02, 0x0c2e, "hsw" },
	{ 0x0d02, 0x0d2e, "hsw" }, { 0x1602, 0x163e, "bdw" }, { 0x1902, 0x193d, "skl" },
	{ 0x1a84, 0x1a85, "bxt" }, { 0x22b0, 0x22b3, "chv" }, { 0x3184, 0x3185, "glk" },
	{ 0x3e90, 0x3ea9, "cfl" }, { 0x4541, 0x4571, "ehl" }, { 0x4626, 0x462a, "adl" },
	{ 0x4680, 0x46d4, "adl" }, { 0x4905, 0x4909, "dg1" }, { 0x4c80, 0x4c9a, "rkl" },
	{ 0x4e51, 0x4e71, "ehl" }, { 0x5690, 0x56c2, "dg2" }, { 0x5902, 0x593b, "kbl" },
	{ 0x5a40, 0x5a5c, "cnl" }, { 0x5a84, 0x5a85, "bxt" }, { 0x6420, 0x6420, "lnl" },
	{ 0x64a0, 0x64b0, "lnl" }, { 0x7d40, 0x7d67, "mtl" }, { 0x7dd1, 0x7dd5, "mtl" },
	{ 0x87c0, 0x87c0, "kbl" }, { 0x87ca, 0x87ca, "cfl" }, { 0x8a50, 0x8a71, "icl" },
	{ 0x9a40, 0x9a78, "tgl" }, { 0x9ac0, 0x9af8, "tgl" }, { 0x9b21, 0x9b41, "cfl" },
	{ 0x9ba2, 0x9bf6, "cfl" }, { 0xa720, 0xa721, "adl" }, { 0xa780, 0xa7ad, "adl" },
	{ 0xb080, 0xb0b0, "ptl" }, { 0xb640, 0xb640, "mtl" }, { 0xe202, 0xe223, "bmg" },
};

const struct oa_generation *hadal_oa_generation_of(uint32_t device_id)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (device_id >= ranges[i].first && device_id <= ranges[i].last)
			return oa_generation_find(ranges[i].generation);
	return NULL;
}
