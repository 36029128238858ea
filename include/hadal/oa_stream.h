/* SPDX-License-Identifier: MIT */
/*
 * libhadal, streams of OA reports from i915 (or the virtual device, which speaks its interface).
 *
 * What read() gives on a stream are records as they stand in recordings (hadal/oa_recording.h).
 * Functions return 0 (or what they say) or a negative errno. Nothing here prints.
 */
#ifndef HADAL_OA_STREAM_H
#define HADAL_OA_STREAM_H

#include "hadal/oa_device.h"
#include "hadal/oa_recording.h"

/* Largest exponent of a report timer. */
#define HADAL_OA_MAX_EXPONENT 31u

/*
 * The exponent whose period, 2^(exponent + 1) ticks of @timestamp_hz, is nearest to @period_ns;
 * @timestamp_hz is not 0.
 */
uint32_t hadal_oa_exponent(uint64_t timestamp_hz, uint64_t period_ns);

/* The period of an exponent up to HADAL_OA_MAX_EXPONENT, in ns, rounded down. */
uint64_t hadal_oa_period_ns(uint64_t timestamp_hz, uint32_t exponent);

/*
 * Describes what a stream by @set on this GPU gives: the format that the set is made for, the
 * engine that it counts, and what the GPU is like. @uuid: the set's, as it is loaded.
 */
void hadal_oa_source_of(const struct hadal_oa_facts *facts, const struct oa_generation *generation,
			const struct hadal_oa_set *set, const char *uuid,
			struct hadal_oa_source *source);

/*
 * Opens a stream: a report each 2^(exponent + 1) ticks, counted by the set with the id @set_id,
 * non-blocking. @perf_revision: of the driver. Returns a descriptor to be closed by the caller.
 * Errors: of the driver, see hadal_oa_explain().
 */
int hadal_oa_stream_open(int fd, const struct hadal_oa_source *source, uint64_t set_id,
			 uint32_t exponent, uint32_t perf_revision);

/* Reads both clocks at one moment, as near as three attempts get. Errors: of the driver. */
int hadal_oa_correlate(int fd, struct hadal_oa_correlation *correlation);

#endif
