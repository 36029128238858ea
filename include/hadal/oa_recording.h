/* SPDX-License-Identifier: MIT */
/*
 * libhadal, recordings of OA streams: the file that i915-perf-recorder writes, and ours alike.
 *
 *	struct hadal_oa_recording *recording;
 *	struct hadal_oa_record record;
 *
 *	if (hadal_oa_recording_open(fd, &recording) == 0) {
 *		while (hadal_oa_recording_next(recording, &record) > 0)
 *			...
 *		hadal_oa_recording_close(recording);
 *	}
 *
 * A recording is a row of records: u32 type, u16 unused, u16 size with these 8 bytes; all
 * little-endian, as Intel's GPUs are. The records of the kernel's stream (types 1 to 3) stand
 * between those that say where they come from (types from 65536 on). It is read from front to back
 * in bounded memory, so it may be a pipe, and one without end.
 *
 * Functions return 0 (or what they say) or a negative errno. Nothing here prints. What is wrong in
 * a recording is no error of the call: it is listed, with its place.
 */
#ifndef HADAL_OA_RECORDING_H
#define HADAL_OA_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/uuid.h"

#define HADAL_OA_RECORD_HEADER_BYTES 8u
#define HADAL_OA_RECORD_MAX_BYTES 65535u

/* Types of records. Others are passed over. */
enum hadal_oa_record_type {
	HADAL_OA_RECORD_SAMPLE = 1,
	HADAL_OA_RECORD_REPORT_LOST = 2,
	HADAL_OA_RECORD_BUFFER_LOST = 3,
	HADAL_OA_RECORD_VERSION = 65536,
	HADAL_OA_RECORD_DEVICE = 65537,
	HADAL_OA_RECORD_TOPOLOGY = 65538,
	HADAL_OA_RECORD_CORRELATION = 65539,
};

/* Room for a set's name and its terminator. */
#define HADAL_OA_SET_NAME_BYTES 256

/*
 * struct hadal_oa_source - where reports come from: what the device record says
 * @timestamp_hz: of the reports' timestamps
 * @min_hz, @max_hz: of the GPU's clock
 * @format: of the reports, a number of i915's enum drm_i915_oa_format
 * @set_name, @set_uuid: of the metric set that was counted by, printable ASCII
 */
struct hadal_oa_source {
	uint64_t timestamp_hz;
	uint32_t device_id;
	uint32_t revision;
	uint32_t min_hz;
	uint32_t max_hz;
	uint32_t engine_class;
	uint32_t engine_instance;
	uint32_t format;
	char set_name[HADAL_OA_SET_NAME_BYTES];
	char set_uuid[UUID_TEXT_LENGTH + 1];
};

/* One moment in both clocks: CLOCK_MONOTONIC and the GPU's timestamp, of which 36 bits count. */
struct hadal_oa_correlation {
	uint64_t cpu_ns;
	uint64_t gpu_ticks;
};

/*
 * struct hadal_oa_record - one record
 * @type: SAMPLE, REPORT_LOST, BUFFER_LOST or CORRELATION
 * @report: for SAMPLE the report, valid until the next record is read
 * @report_bytes: its length
 * @correlation: for CORRELATION
 */
struct hadal_oa_record {
	enum hadal_oa_record_type type;
	const uint8_t *report;
	size_t report_bytes;
	struct hadal_oa_correlation correlation;
};

/* Problems listed per recording; more are only counted. */
#define HADAL_OA_MAX_DAMAGE 20u

/* Something wrong in a recording: @offset counts its bytes. */
struct hadal_oa_damage {
	uint64_t offset;
	char text[120];
};

/*
 * struct hadal_oa_recording - one being read; allocated and freed by the library
 * @has_source, @source: the device record
 * @topology, @topology_bytes: struct drm_i915_query_topology_info and its masks, as recorded and
 *	not checked; 0 bytes if there is none
 * @unknown: records of other types, passed over
 * @damage, @damage_count: what is wrong, in the order of the file
 * @damage_total: how much is, listed or not
 */
struct hadal_oa_recording {
	bool has_source;
	struct hadal_oa_source source;
	const uint8_t *topology;
	size_t topology_bytes;
	uint64_t unknown;
	uint32_t damage_count;
	uint64_t damage_total;
	struct hadal_oa_damage damage[HADAL_OA_MAX_DAMAGE];
};

/*
 * Begins to read the open file or pipe @fd, which stays the caller's: all up to the first record
 * of the stream, so that source and topology are known afterwards, if the recording has them.
 * Errors: -ENOMEM; what read() said.
 */
int hadal_oa_recording_open(int fd, struct hadal_oa_recording **recording);

/* The same for @length bytes in memory, which must stay until the end. */
int hadal_oa_recording_open_memory(const void *bytes, size_t length,
				   struct hadal_oa_recording **recording);

/*
 * Reads on to the next sound record of the stream or correlation. Returns 1, or 0 at the end (of
 * what can be read), or what read() said.
 */
int hadal_oa_recording_next(struct hadal_oa_recording *recording, struct hadal_oa_record *record);

/* Notes that something is wrong with the record read last: a phrase in the manner of printf. */
void hadal_oa_recording_note(struct hadal_oa_recording *recording, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Frees it; NULL is fine. */
void hadal_oa_recording_close(struct hadal_oa_recording *recording);

/* --- writing ----------------------------------------------------------------------------- */

/* Room for what stands in front of the stream. */
#define HADAL_OA_HEAD_BYTES (16u + 344u + HADAL_OA_RECORD_MAX_BYTES)

/* Bytes of a correlation record. */
#define HADAL_OA_CORRELATION_BYTES 24u

/*
 * Makes the records in front of a stream: version, device, topology. @head has room for
 * HADAL_OA_HEAD_BYTES. Returns how many bytes were made, or -EINVAL if the topology does not fit
 * a record.
 */
int hadal_oa_recording_head(const struct hadal_oa_source *source, const void *topology,
			    size_t topology_bytes, uint8_t *head);

/* Makes a correlation record of HADAL_OA_CORRELATION_BYTES. */
void hadal_oa_recording_correlation(const struct hadal_oa_correlation *correlation,
				    uint8_t *record);

#endif
