// SPDX-License-Identifier: MIT
/*
 * The layouts of OA reports, as data, and differences between reports. Sources: the formats of
 * i915's interface and the GPUs' public manuals on OA.
 */
#include "core/load.h"
#include "lib/oa_report.h"

/* The places of the groups among the raw values; hadal_oa_raw_index() has them too. */
enum { RAW_TIME = 0, RAW_CLOCK = 1, RAW_A = 2, RAW_B = 66, RAW_C = 74 };

#define REASON_SHIFT 19
#define CONTEXT_VALID_GEN8 (1u << 25)
#define CONTEXT_VALID (1u << 16)

#define U32(group, first, count, dword)                                                            \
	{                                                                                          \
		OA_WIDTH_32, HADAL_OA_##group, first, count, (dword)*4                             \
	}
#define U40(first, count, dword)                                                                   \
	{                                                                                          \
		OA_WIDTH_40, HADAL_OA_A, first, count, (dword)*4                                   \
	}
#define U64(group, first, count, dword)                                                            \
	{                                                                                          \
		OA_WIDTH_64, HADAL_OA_##group, first, count, (dword)*4                             \
	}
#define CLOCK U32(GPU_CLOCK, 0, 1, 3)
#define B_AND_C(b, c) U32(B, 0, 8, b), U32(C, 0, 8, c)

/* clang-format off */
static const struct oa_layout layouts[] = {
	{ 1, true, false, 0, 64, 1, { U32(A, 0, 13, 3) } },
	{ 2, true, false, 0, 128, 1, { U32(A, 0, 29, 3) } },
	{ 3, true, false, 0, 128, 3, { U32(A, 0, 13, 3), B_AND_C(16, 24) } },
	{ 4, true, false, 0, 64, 2, { U32(B, 0, 4, 4), U32(C, 0, 8, 8) } },
	{ 5, true, false, 0, 256, 3, { U32(A, 0, 45, 3), B_AND_C(48, 56) } },
	{ 6, true, false, 0, 128, 3, { U32(B, 0, 4, 4), U32(C, 0, 7, 8), U32(A, 29, 16, 15) } },
	{ 7, true, false, 0, 64, 2, { U32(C, 0, 3, 4), U32(B, 0, 8, 7) } },
	{ 7, false, false, 0, 64, 3, { CLOCK, U32(C, 0, 4, 4), U32(B, 0, 8, 8) } },
	{ 8, false, false, 0, 64, 1, { U32(A, 7, 12, 3) } },
	{ 9, false, false, 0, 128, 3, { U32(A, 7, 12, 3), B_AND_C(16, 24) } },
	{ 10, false, false, 0, 256, 5,
	  { CLOCK, U40(0, 32, 4), U32(A, 32, 4, 36), B_AND_C(48, 56) } },
	{ 11, false, false, 1, 256, 5,
	  { CLOCK, U40(0, 32, 4), U32(A, 32, 4, 36), B_AND_C(48, 56) } },
	{ 12, false, false, 1, 256, 10,
	  { CLOCK, U32(A, 0, 4, 4), U40(4, 20, 8), U32(A, 24, 4, 28), U40(28, 4, 32),
	    U32(A, 32, 5, 36), U32(A, 37, 1, 46), B_AND_C(48, 56) } },
	{ 13, false, true, 1, 192, 4,
	  { U64(GPU_CLOCK, 0, 1, 6), U64(A, 0, 8, 8), B_AND_C(24, 32) } },
	{ 14, false, true, 1, 128, 4,
	  { U64(GPU_CLOCK, 0, 1, 6), U32(A, 0, 8, 8), B_AND_C(16, 24) } },
};
/* clang-format on */

static const uint8_t bases[HADAL_OA_GROUPS] = {
	[HADAL_OA_GPU_TIME] = RAW_TIME, [HADAL_OA_GPU_CLOCK] = RAW_CLOCK,
	[HADAL_OA_A] = RAW_A,		[HADAL_OA_B] = RAW_B,
	[HADAL_OA_C] = RAW_C,
};

static bool is_before(const struct oa_generation *generation, const char *name)
{
	return generation && generation < oa_generation_find(name);
}

const struct oa_layout *oa_layout_find(uint32_t format, const struct oa_generation *generation)
{
	const bool haswell = is_before(generation, "bdw");

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].format == format && layouts[i].haswell == haswell)
			return &layouts[i];
	return NULL;
}

bool oa_layout_has(const struct oa_layout *layout, uint32_t index)
{
	for (uint32_t i = 0; i < layout->span_count; i++) {
		const struct oa_span *span = &layout->spans[i];
		uint32_t first = (uint32_t)bases[span->group] + span->first;

		if (index >= first && index - first < span->count)
			return true;
	}
	return index == RAW_TIME;
}

uint32_t oa_report_timestamp(const struct oa_layout *layout, const uint8_t *report)
{
	return load_le32(report + (layout->wide ? 8 : 4));
}

uint64_t oa_report_ticks(const struct oa_layout *layout, const uint8_t *from, const uint8_t *to)
{
	if (layout->wide)
		return load_le64(to + 8) - load_le64(from + 8);
	return load_le32(to + 4) - load_le32(from + 4);
}

/* Counter @n with its low bits at @offset. */
static uint64_t load_40(const uint8_t *report, uint32_t offset, uint32_t n)
{
	return load_le32(report + offset) | (uint64_t)report[OA_HIGH_BYTES + n] << 32;
}

static uint64_t difference(enum oa_width width, const uint8_t *from, const uint8_t *to,
			   uint32_t offset, uint32_t n)
{
	const uint64_t mask40 = (UINT64_C(1) << 40) - 1;

	if (width == OA_WIDTH_32)
		return load_le32(to + offset) - load_le32(from + offset);
	if (width == OA_WIDTH_40)
		return (load_40(to, offset, n) - load_40(from, offset, n)) & mask40;
	return load_le64(to + offset) - load_le64(from + offset);
}

void oa_report_difference(const struct oa_layout *layout, const uint8_t *from, const uint8_t *to,
			  uint64_t *raw, uint64_t *sum)
{
	for (uint32_t i = 0; i < layout->span_count; i++) {
		const struct oa_span *span = &layout->spans[i];
		uint32_t index = (uint32_t)bases[span->group] + span->first;
		uint32_t offset = span->offset;

		for (uint32_t n = span->first; n < (uint32_t)span->first + span->count; n++) {
			raw[index] = difference(span->width, from, to, offset, n);
			sum[index] += raw[index];
			index++;
			offset += span->width == OA_WIDTH_64 ? 8 : 4;
		}
	}
}

struct oa_head oa_head_of(const struct oa_layout *layout, const struct oa_generation *generation)
{
	if (layout->haswell)
		return (struct oa_head){ 0 };
	return (struct oa_head){
		.reasons = is_before(generation, "tgl") ? 0x3f : 0x7f,
		.context_valid = is_before(generation, "skl") ? CONTEXT_VALID_GEN8 : CONTEXT_VALID,
		.context_offset = layout->wide ? 16 : 8,
	};
}

uint32_t oa_report_reason(const struct oa_head *head, const uint8_t *report)
{
	return load_le32(report) >> REASON_SHIFT & head->reasons;
}

bool oa_report_context(const struct oa_head *head, const uint8_t *report, uint32_t *context)
{
	*context = load_le32(report + head->context_offset);
	return load_le32(report) & head->context_valid && *context != UINT32_MAX;
}
