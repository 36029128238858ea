// SPDX-License-Identifier: MIT
/* Makes the records that a recording has beside those of the stream. */
#include <errno.h>
#include <string.h>

#include "core/load.h"
#include "hadal/oa_recording.h"
#include "lib/oa_recording.h"

/* Starts a record of @body zero bytes behind its header. Returns its body. */
static uint8_t *start_record(uint8_t *record, enum hadal_oa_record_type type, size_t body)
{
	memset(record, 0, HADAL_OA_RECORD_HEADER_BYTES + body);
	store_le32(record, (uint32_t)type);
	store_le16(record + 6, (uint16_t)(HADAL_OA_RECORD_HEADER_BYTES + body));
	return record + HADAL_OA_RECORD_HEADER_BYTES;
}

static uint8_t *add_device(const struct hadal_oa_source *source, uint8_t *record)
{
	uint8_t *body = start_record(record, HADAL_OA_RECORD_DEVICE, OA_DEVICE_BODY);

	store_le64(body + OA_DEVICE_TIMESTAMP_HZ, source->timestamp_hz);
	store_le32(body + OA_DEVICE_ID, source->device_id);
	store_le32(body + OA_DEVICE_REVISION, source->revision);
	store_le32(body + OA_DEVICE_MIN_HZ, source->min_hz);
	store_le32(body + OA_DEVICE_MAX_HZ, source->max_hz);
	store_le32(body + OA_DEVICE_ENGINE_CLASS, source->engine_class);
	store_le32(body + OA_DEVICE_ENGINE_INSTANCE, source->engine_instance);
	store_le32(body + OA_DEVICE_FORMAT, source->format);
	memcpy(body + OA_DEVICE_SET_NAME, source->set_name, sizeof(source->set_name));
	memcpy(body + OA_DEVICE_SET_UUID, source->set_uuid, sizeof(source->set_uuid));
	return body + OA_DEVICE_BODY;
}

int hadal_oa_recording_head(const struct hadal_oa_source *source, const void *topology,
			    size_t topology_bytes, uint8_t *head)
{
	size_t padded = (topology_bytes + 7) & ~(size_t)7;
	uint8_t *body = start_record(head, HADAL_OA_RECORD_VERSION, OA_VERSION_BODY);
	uint8_t *end;

	if (padded > HADAL_OA_RECORD_MAX_BYTES - HADAL_OA_RECORD_HEADER_BYTES)
		return -EINVAL;
	store_le32(body, OA_RECORDING_VERSION);
	end = add_device(source, body + OA_VERSION_BODY);
	if (topology_bytes) {
		body = start_record(end, HADAL_OA_RECORD_TOPOLOGY, padded);
		memcpy(body, topology, topology_bytes);
		end = body + padded;
	}
	return (int)(end - head);
}

void hadal_oa_recording_correlation(const struct hadal_oa_correlation *correlation, uint8_t *record)
{
	uint8_t *body = start_record(record, HADAL_OA_RECORD_CORRELATION, OA_CORRELATION_BODY);

	store_le64(body, correlation->cpu_ns);
	store_le64(body + 8, correlation->gpu_ticks);
}
