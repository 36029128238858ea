// SPDX-License-Identifier: GPL-2.0-only
/* What a report holds. docs/oa-device.md tells it in words; both must agree. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/ktime.h>

#include "oa.h"

#define INVALID_CONTEXT 0xffffffffu
#define CLOCK_DWORD 3
#define HIGH_BYTES 160
#define DWORDS_MAX (OA_REPORT_BYTES_MAX / 4)

#define REASON_TIMER (1u << 19)
#define SLICE_RATIO_LOW_SHIFT 25
#define SLICE_RATIO_HIGH_SHIFT 9

/* A counters 7 to 20 count on all EUs together. */
#define FIRST_EU_COUNTER 7
#define LAST_EU_COUNTER 20

/* Haswell's reports have no clock; tools take C2 for it. */
#define HSW_CLOCK_COUNTER 2

enum group { A, A40, B, C };

/* @count counters of a group from @first on, one after the other from @dword on. */
struct span {
	u8 group;
	u8 first;
	u8 count;
	u8 dword;
};

struct oa_format {
	u8 id;
	u16 graphics_min;
	u16 graphics_max;
	u16 bytes;
	struct span spans[9];
};

/* Where two spans meet, the later one wins: so tools read it. */
/* clang-format off */
static const struct oa_format formats[] = {
	{ 1, 750, 799, 64, { { A, 0, 13, 3 } } },
	{ 2, 750, 799, 128, { { A, 0, 29, 3 } } },
	{ 3, 750, 799, 128, { { A, 0, 13, 3 }, { B, 0, 8, 16 }, { C, 0, 8, 24 } } },
	{ 4, 750, 799, 64, { { B, 0, 4, 4 }, { C, 0, 8, 8 } } },
	{ 5, 750, 799, 256, { { A, 0, 45, 3 }, { B, 0, 8, 48 }, { C, 0, 8, 56 } } },
	{ 6, 750, 799, 128, { { B, 0, 4, 4 }, { C, 0, 8, 8 }, { A, 29, 16, 15 } } },
	{ 7, 750, 799, 64, { { C, 0, 4, 4 }, { B, 0, 8, 7 } } },
	{ 7, 800, 1299, 64, { { C, 0, 4, 4 }, { B, 0, 8, 8 } } },
	{ 8, 800, 1299, 64, { { A, 7, 12, 3 } } },
	{ 9, 800, 1299, 128, { { A, 7, 12, 3 }, { B, 0, 8, 16 }, { C, 0, 8, 24 } } },
	{ 10, 800, 1299, 256,
	  { { A40, 0, 32, 4 }, { A, 32, 4, 36 }, { B, 0, 8, 48 }, { C, 0, 8, 56 } } },
	{ 11, 1250, 1299, 256,
	  { { A40, 0, 32, 4 }, { A, 32, 4, 36 }, { B, 0, 8, 48 }, { C, 0, 8, 56 } } },
	{ 12, 1250, 1299, 256,
	  { { A, 0, 4, 4 }, { A40, 4, 20, 8 }, { A, 24, 4, 28 }, { A40, 28, 4, 32 },
	    { A, 32, 5, 36 }, { A, 37, 1, 46 }, { B, 0, 8, 48 }, { C, 0, 8, 56 } } },
};
/* clang-format on */

/* B counters count these parts of all clocks. */
static const struct {
	u8 numerator;
	u8 denominator;
} b_parts[] = { { 0, 1 }, { 1, 1 }, { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 3 }, { 1, 6 }, { 2, 3 } };

/* The layout of format @id on the GPU that is played, or NULL. */
const struct oa_format *oa_format_find(u32 id)
{
	u16 graphics = oa_settings.platform->graphics;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i].id == id && graphics >= formats[i].graphics_min &&
		    graphics <= formats[i].graphics_max)
			return &formats[i];
	return NULL;
}

u32 oa_format_bytes(const struct oa_format *format)
{
	return format->bytes;
}

static u64 ticks_hz(const struct oa_platform *platform)
{
	return (u64)platform->timestamp_hz << platform->timestamp_shift;
}

/* The time now, in ticks of report timestamps since the kernel started. */
u64 oa_ticks(const struct oa_platform *platform)
{
	return mul_u64_u64_div_u64(ktime_get_ns(), ticks_hz(platform), NSEC_PER_SEC);
}

static u64 clocks(const struct oa_platform *platform, u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, OA_CLOCK_HZ, ticks_hz(platform));
}

/* 16 bits that depend on all bits of the hash and on @n (the finalizer of splitmix64). */
static u32 weight(u64 hash, u32 n)
{
	u64 x = hash + (n + 1) * 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return (x ^ x >> 31) >> 48;
}

/* Counter @n, the A counters first, then the C counters, before its offset. */
static u64 weighted(const struct oa_law *law, u32 n, u64 clock)
{
	if (n >= FIRST_EU_COUNTER && n <= LAST_EU_COUNTER)
		clock *= oa_platform_eus(law->platform);
	return mul_u64_u32_shr(clock, weight(law->hash, n), 16);
}

static u64 counter(const struct oa_law *law, u8 group, u32 i, u64 clock)
{
	u32 n = group == C ? OA_A_COUNTERS + i : i;

	if (group == B)
		return div_u64(clock * b_parts[i].numerator, b_parts[i].denominator);
	if (group == C && i == HSW_CLOCK_COUNTER && law->platform->graphics < 800)
		return clock;
	return weighted(law, n, clock) + law->offset[n];
}

/* From now on other registers count. Counters go on from where they are. */
void oa_law_change(struct oa_law *law, u64 hash, u64 ticks)
{
	u64 clock = clocks(law->platform, ticks);
	u32 n;

	for (n = 0; n < ARRAY_SIZE(law->offset); n++)
		law->offset[n] += weighted(law, n, clock);
	law->hash = hash;
	for (n = 0; n < ARRAY_SIZE(law->offset); n++)
		law->offset[n] -= weighted(law, n, clock);
}

static u32 first_dword(const struct oa_platform *platform)
{
	u32 ratios = OA_CLOCK_RATIO | OA_CLOCK_RATIO >> 7 << SLICE_RATIO_HIGH_SHIFT |
		     OA_CLOCK_RATIO << SLICE_RATIO_LOW_SHIFT;

	return platform->graphics >= 900 ? REASON_TIMER | ratios : REASON_TIMER;
}

static void fill_span(const struct oa_law *law, const struct span *span, u64 clock, u32 *report)
{
	u32 i;

	for (i = 0; i < span->count; i++) {
		u32 number = span->first + i;
		u64 value = counter(law, span->group, number, clock);

		report[span->dword + i] = value;
		if (span->group == A40)
			((u8 *)report)[HIGH_BYTES + number] = value >> 32;
	}
}

/* Fills the report that the timer makes at @ticks. */
void oa_report_fill(const struct oa_law *law, u64 ticks, u32 *report)
{
	u64 clock = clocks(law->platform, ticks);
	const struct span *span;

	memset(report, 0, law->format->bytes);
	report[0] = first_dword(law->platform);
	report[1] = ticks;
	report[2] = INVALID_CONTEXT;
	if (law->platform->graphics >= 800)
		report[CLOCK_DWORD] = clock;
	for (span = law->format->spans; span->count; span++)
		fill_span(law, span, clock, report);
}
