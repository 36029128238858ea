/* SPDX-License-Identifier: MIT */
/* A recording as the tests put it together, record by record. */
#ifndef HADAL_TESTS_OA_MADE_H
#define HADAL_TESTS_OA_MADE_H

#include <stdint.h>
#include <string.h>

#include "core/load.h"
#include "hadal/oa_recording.h"

struct made {
	uint8_t bytes[HADAL_OA_HEAD_BYTES + 65536];
	size_t length;
};

/* Adds a record of @body zero bytes behind its header. Returns its body. */
static inline uint8_t *made_add(struct made *made, uint32_t type, size_t body)
{
	uint8_t *record = made->bytes + made->length;

	memset(record, 0, 8 + body);
	store_le32(record, type);
	store_le16(record + 6, (uint16_t)(8 + body));
	made->length += 8 + body;
	return record + 8;
}

static inline void made_correlation(struct made *made, uint64_t cpu_ns, uint64_t gpu_ticks)
{
	const struct hadal_oa_correlation correlation = { cpu_ns, gpu_ticks };

	hadal_oa_recording_correlation(&correlation, made->bytes + made->length);
	made->length += HADAL_OA_CORRELATION_BYTES;
}

#endif
