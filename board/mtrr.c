// SPDX-License-Identifier: MIT
/*
 * Which memory may be cached: everything, except what devices answer for. Intel SDM volume 3,
 * 12.11 (MTRRs); MSR numbers from volume 4.
 */
#include "board/mtrr.h"

#include <stddef.h>

#include "board/io.h"
#include "board/layout.h"

#define MTRR_UNCACHED 0u
#define MTRR_WRITE_PROTECT 5u
#define MTRR_WRITE_BACK 6u
#define MTRR_ALL_EIGHT(type) ((type)*0x0101010101010101ull)

#define MSR_MTRR_BASE(n) (0x200u + 2 * (n))
#define MSR_MTRR_MASK(n) (0x201u + 2 * (n))
#define MTRR_MASK_VALID 0x800u
#define MSR_MTRR_FIX64K_00000 0x250
#define MSR_MTRR_FIX16K_80000 0x258
#define MSR_MTRR_FIX16K_A0000 0x259
#define MSR_MTRR_FIX4K_C0000 0x268 /* eight of them, 32 KiB each */
#define MSR_MTRR_FIX4K_COUNT 8
#define MSR_MTRR_DEF_TYPE 0x2ff
#define MTRR_DEF_TYPE_ENABLE 0xc00u /* E and FE: variable and fixed ranges count */

/* From the lowest end of memory that this machine can have up to 4 GiB, in powers of two. */
static const struct {
	uint32_t base;
	uint32_t bytes;
} devices[] = {
	{ LAYOUT_MMCONFIG, LAYOUT_MMCONFIG_BYTES },
	{ 0xc0000000, 0x40000000 },
};

/* CPUID 0x80000008: how many bits an address has. */
static uint64_t address_mask(void)
{
	uint32_t a = 0x80000008, b, c, d;

	__asm__("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
	return (1ull << (a & 0xff)) - 1;
}

static void fixed_ranges(void)
{
	write_msr(MSR_MTRR_FIX64K_00000, MTRR_ALL_EIGHT(MTRR_WRITE_BACK));
	write_msr(MSR_MTRR_FIX16K_80000, MTRR_ALL_EIGHT(MTRR_WRITE_BACK));
	write_msr(MSR_MTRR_FIX16K_A0000, MTRR_ALL_EIGHT(MTRR_UNCACHED));
	for (uint32_t i = 0; i < MSR_MTRR_FIX4K_COUNT; i++)
		write_msr(MSR_MTRR_FIX4K_C0000 + i, MTRR_ALL_EIGHT(MTRR_WRITE_PROTECT));
}

void mtrr_init(void)
{
	uint64_t mask = address_mask();

	__asm__ volatile("wbinvd" : : : "memory");
	write_msr(MSR_MTRR_DEF_TYPE, 0);
	fixed_ranges();
	for (uint32_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		write_msr(MSR_MTRR_BASE(i), devices[i].base | MTRR_UNCACHED);
		write_msr(MSR_MTRR_MASK(i),
			  (mask & ~(uint64_t)(devices[i].bytes - 1)) | MTRR_MASK_VALID);
	}
	write_msr(MSR_MTRR_DEF_TYPE, MTRR_DEF_TYPE_ENABLE | MTRR_WRITE_BACK);
}
