/* SPDX-License-Identifier: MIT */
/* What an OA report holds, and where. */
#ifndef HADAL_LIB_OA_REPORT_H
#define HADAL_LIB_OA_REPORT_H

#include "hadal/oa.h"

#define OA_REPORT_MAX_BYTES 256u

enum oa_width {
	OA_WIDTH_32,
	OA_WIDTH_40, /* the low 32 bits; the high byte of A counter n is at OA_HIGH_BYTES + n */
	OA_WIDTH_64,
};

/* Where the high bytes of 40-bit counters are. */
#define OA_HIGH_BYTES 160

/* @count counters of @group from @first on, one after the other from byte @offset on. */
struct oa_span {
	uint8_t width;
	uint8_t group;
	uint8_t first;
	uint8_t count;
	uint8_t offset;
};

/* Spans of one layout, at most. */
#define OA_SPANS 10

/*
 * struct oa_layout - one format
 * @format: its number in i915's interface
 * @haswell: of Haswell, else of all later GPUs
 * @wide: the head is of 64-bit words, not of 32-bit ones
 * @shift: timestamps count this power of two times the frequency
 * @spans: @span_count of them; no two for the same counter
 */
struct oa_layout {
	uint8_t format;
	bool haswell;
	bool wide;
	uint8_t shift;
	uint16_t bytes;
	uint8_t span_count;
	struct oa_span spans[OA_SPANS];
};

/* The layout of @format on a GPU of @generation (NULL: a recent one), or NULL. */
const struct oa_layout *oa_layout_find(uint32_t format, const struct oa_generation *generation);

/* True if reports of @layout hold raw value @index. */
bool oa_layout_has(const struct oa_layout *layout, uint32_t index);

/* Timestamp ticks from report @from to report @to, before the shift. */
uint64_t oa_report_ticks(const struct oa_layout *layout, const uint8_t *from, const uint8_t *to);

/* The low 32 bits of the timestamp, before the shift. */
uint32_t oa_report_timestamp(const struct oa_layout *layout, const uint8_t *report);

/*
 * Stores the differences between two reports in their places of @raw, and adds them to @sum; all
 * others, and GPU_TIME, stay as they are.
 */
void oa_report_difference(const struct oa_layout *layout, const uint8_t *from, const uint8_t *to,
			  uint64_t *raw, uint64_t *sum);

/*
 * struct oa_head - what the first words of reports mean on a GPU
 * @reasons: which bits the reason has, 0 where there is none
 * @context_valid: the bit of the first word that says that there is a context
 */
struct oa_head {
	uint32_t reasons;
	uint32_t context_valid;
	uint32_t context_offset;
};

/* The heads of @layout's reports on a GPU of @generation (NULL: a recent one). */
struct oa_head oa_head_of(const struct oa_layout *layout, const struct oa_generation *generation);

/* The reason bits of a report; 0 on Haswell. */
uint32_t oa_report_reason(const struct oa_head *head, const uint8_t *report);

/* Returns whether a context ran, and its id in @context. */
bool oa_report_context(const struct oa_head *head, const uint8_t *report, uint32_t *context);

#endif
