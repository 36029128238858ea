/* SPDX-License-Identifier: MIT */
/*
 * libhadal, decoding: from the reports of a recording to the counters of a metric set.
 *
 *	struct hadal_oa_decoder *decoder;
 *	struct hadal_oa_interval interval;
 *
 *	if (hadal_oa_decoder_open(recording, &what, &decoder) == 0) {
 *		while (hadal_oa_decoder_next(decoder, &interval) > 0)
 *			...
 *		hadal_oa_decoder_close(decoder);
 *	}
 *
 * A report holds the GPU's counters as they stand; what is decoded is an interval, from one report
 * to the next. Where reports were lost none is made: 32-bit counters may have wrapped unseen.
 *
 * Functions return 0 (or what they say) or a negative errno. Nothing here prints.
 */
#ifndef HADAL_OA_DECODE_H
#define HADAL_OA_DECODE_H

#include "hadal/oa.h"
#include "hadal/oa_recording.h"

/* Why a report was made: bits, of which a report has one or more. */
#define HADAL_OA_REASON_TIMER 1u
#define HADAL_OA_REASON_TRIGGER1 2u
#define HADAL_OA_REASON_TRIGGER2 4u
#define HADAL_OA_REASON_CONTEXT_SWITCH 8u
#define HADAL_OA_REASON_GO_TRANSITION 16u
#define HADAL_OA_REASON_CLOCK_RATIO 32u
#define HADAL_OA_REASON_MMIO_TRIGGER 64u

/*
 * struct hadal_oa_decoding - what to decode by
 * @file, @set: the metric set; both must stay until the end
 * @generation: of the GPU that made the reports, NULL if it is not known: then its layouts are
 *	taken to be those of graphics version 12
 * @device: the device variables; must stay until the end
 */
struct hadal_oa_decoding {
	const struct hadal_oa_file *file;
	const struct hadal_oa_set *set;
	const struct oa_generation *generation;
	const struct hadal_oa_device *device;
};

/*
 * struct hadal_oa_interval - from one report to the next
 * @start_ns: since the first report
 * @duration_ns: both are 0 if the recording has no frequency
 * @reason: of the report at its end, bits; 0 on Haswell, which has none
 * @has_context, @context: of the report at its start: who ran, if anybody
 * @values: one for each counter of the set; UNKNOWN ones among them
 */
struct hadal_oa_interval {
	uint64_t start_ns;
	uint64_t duration_ns;
	uint32_t reason;
	bool has_context;
	uint32_t context;
	const struct hadal_oa_value *values;
};

/*
 * struct hadal_oa_decoder - the state of decoding; allocated and freed by the library
 * @shown: for each counter of the set, whether it means anything here: it is available on this
 *	GPU, and the reports hold all that its equation reads
 * @reports, @intervals: so far
 * @report_losses, @buffer_losses: how often the kernel said that reports were lost, one at least
 *	or all that were in its buffer
 * @duration_ns: sum of all intervals
 * @has_origin, @origin_ns: CLOCK_MONOTONIC at the first report, if the recording tells
 */
struct hadal_oa_decoder {
	const struct hadal_oa_recording *recording;
	const struct hadal_oa_file *file;
	const struct hadal_oa_set *set;
	bool *shown;
	uint64_t reports;
	uint64_t intervals;
	uint64_t report_losses;
	uint64_t buffer_losses;
	uint64_t duration_ns;
	bool has_origin;
	uint64_t origin_ns;
};

/*
 * What a recording says about the GPU that made it, as device variables of equations.
 * @generation: of that GPU, may be NULL. Returns 0, or -EINVAL with all but the topology's
 * variables set: what was recorded as the topology is none.
 */
int hadal_oa_recording_variables(const struct hadal_oa_recording *recording,
				 const struct oa_generation *generation,
				 struct hadal_oa_device *device);

/* Bytes of a report of @format on @generation (NULL as above), or 0 for a format it has not. */
uint32_t hadal_oa_format_bytes(uint32_t format, const struct oa_generation *generation);

/*
 * Begins to decode @recording, which must have a source and stay until the end.
 * Errors: -EOPNOTSUPP its format is not known for this GPU; -ENOMEM.
 */
int hadal_oa_decoder_open(struct hadal_oa_recording *recording,
			  const struct hadal_oa_decoding *what, struct hadal_oa_decoder **decoder);

/*
 * Decodes the next interval; its values stay until the next call. Reports that cannot be used are
 * left out and noted in the recording. Returns 1, 0 at the end, or what reading gave.
 */
int hadal_oa_decoder_next(struct hadal_oa_decoder *decoder, struct hadal_oa_interval *interval);

/* Computes the counters over all intervals so far into @values (as many as the set's counters). */
void hadal_oa_decoder_total(const struct hadal_oa_decoder *decoder, struct hadal_oa_value *values);

/* Frees it, not the recording; NULL is fine. */
void hadal_oa_decoder_close(struct hadal_oa_decoder *decoder);

#endif
