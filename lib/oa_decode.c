// SPDX-License-Identifier: MIT
/* Decodes the reports of a recording: pairs of them, their differences, the counters of a set. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa_decode.h"
#include "lib/oa_file.h"
#include "lib/oa_report.h"

#define NS_PER_S UINT64_C(1000000000)

/*
 * struct decoder - the public part, then what only the decoding needs
 * @hz: ticks of the reports' timestamps, 0 if not known
 * @last: the report before, if there is one to pair with
 * @ticks: since the first report
 * @counted_ticks: of all intervals
 * @correlation: the last one, if there was any
 */
struct decoder {
	struct hadal_oa_decoder pub;
	struct hadal_oa_recording *recording;
	const struct hadal_oa_device *device;
	const struct oa_layout *layout;
	struct oa_head head;
	uint64_t hz;
	bool has_last;
	bool has_correlation;
	uint64_t ticks;
	uint64_t counted_ticks;
	struct hadal_oa_correlation correlation;
	struct hadal_oa_value *values;
	uint64_t raw[HADAL_OA_RAW_VALUES];
	uint64_t sum[HADAL_OA_RAW_VALUES];
	uint8_t last[OA_REPORT_MAX_BYTES];
};

uint32_t hadal_oa_format_bytes(uint32_t format, const struct oa_generation *generation)
{
	const struct oa_layout *layout = oa_layout_find(format, generation);

	return layout ? layout->bytes : 0;
}

/* --- times ------------------------------------------------------------------------------- */

/*
 * The product of the remainder cannot wrap: @hz is at most twice what the reader of recordings lets
 * through, 10^10. That of the seconds does after 584 years, which no GPU has counted.
 */
static uint64_t to_ns(const struct decoder *d, uint64_t ticks)
{
	if (!d->hz)
		return 0;
	return ticks / d->hz * NS_PER_S + ticks % d->hz * NS_PER_S / d->hz;
}

/*
 * The moment of the last report in the other clock. Reports have the low half of a timestamp, so
 * the correlation is taken to be less than a quarter of its range away.
 */
static void find_origin(struct decoder *d)
{
	const struct hadal_oa_correlation *known = &d->correlation;
	uint32_t here = oa_report_timestamp(d->layout, d->last);
	uint32_t there = (uint32_t)(known->gpu_ticks << d->layout->shift);
	int32_t ahead = (int32_t)(here - there);
	uint64_t behind_ns = to_ns(d, d->ticks);
	uint64_t ahead_ns = to_ns(d, (uint64_t)(ahead < 0 ? -(int64_t)ahead : ahead));

	if (!d->hz)
		return;
	d->pub.has_origin = true;
	d->pub.origin_ns = known->cpu_ns + (ahead < 0 ? -ahead_ns : ahead_ns) - behind_ns;
}

static void take_correlation(struct decoder *d, const struct hadal_oa_correlation *correlation)
{
	d->correlation = *correlation;
	d->has_correlation = true;
	if (!d->pub.has_origin && d->has_last)
		find_origin(d);
}

/* --- reports ----------------------------------------------------------------------------- */

static bool is_usable(struct decoder *d, const struct hadal_oa_record *record)
{
	if (record->report_bytes != d->layout->bytes) {
		hadal_oa_recording_note(d->recording,
					"a report of %zu bytes where the format has %u, left out",
					record->report_bytes, d->layout->bytes);
		return false;
	}
	if (d->head.reasons && !oa_report_reason(&d->head, record->report)) {
		hadal_oa_recording_note(d->recording, "a report without a reason, left out");
		return false;
	}
	return true;
}

static void count_interval(struct decoder *d, const uint8_t *report,
			   struct hadal_oa_interval *interval)
{
	const uint64_t passed = oa_report_ticks(d->layout, d->last, report);

	interval->start_ns = to_ns(d, d->ticks);
	d->ticks += passed;
	d->counted_ticks += passed;
	interval->duration_ns = to_ns(d, d->ticks) - interval->start_ns;
	interval->reason = oa_report_reason(&d->head, report);
	interval->has_context = oa_report_context(&d->head, d->last, &interval->context);
	d->raw[HADAL_OA_GPU_TIME] = passed >> d->layout->shift;
	d->sum[HADAL_OA_GPU_TIME] = d->counted_ticks >> d->layout->shift;
	oa_report_difference(d->layout, d->last, report, d->raw, d->sum);
	hadal_oa_evaluate(d->pub.file, d->pub.set, d->device, d->raw, d->values);
	interval->values = d->values;
	d->pub.intervals++;
	d->pub.duration_ns = to_ns(d, d->counted_ticks);
}

/* Returns true if @report ends an interval. */
static bool take_report(struct decoder *d, const uint8_t *report,
			struct hadal_oa_interval *interval)
{
	const bool paired = d->has_last;

	if (paired)
		count_interval(d, report, interval);
	else if (d->pub.reports)
		d->ticks += oa_report_ticks(d->layout, d->last, report);
	memcpy(d->last, report, d->layout->bytes);
	d->has_last = true;
	d->pub.reports++;
	if (!d->pub.has_origin && d->has_correlation)
		find_origin(d);
	return paired;
}

int hadal_oa_decoder_next(struct hadal_oa_decoder *decoder, struct hadal_oa_interval *interval)
{
	struct decoder *d = (struct decoder *)decoder;
	struct hadal_oa_record record;
	int ret;

	while ((ret = hadal_oa_recording_next(d->recording, &record)) > 0) {
		switch (record.type) {
		case HADAL_OA_RECORD_CORRELATION:
			take_correlation(d, &record.correlation);
			break;
		case HADAL_OA_RECORD_SAMPLE:
			if (is_usable(d, &record) && take_report(d, record.report, interval))
				return 1;
			break;
		case HADAL_OA_RECORD_BUFFER_LOST:
			d->pub.buffer_losses++;
			d->has_last = false;
			break;
		default:
			d->pub.report_losses++;
			d->has_last = false;
			break;
		}
	}
	return ret;
}

void hadal_oa_decoder_total(const struct hadal_oa_decoder *decoder, struct hadal_oa_value *values)
{
	const struct decoder *d = (const struct decoder *)decoder;

	hadal_oa_evaluate(d->pub.file, d->pub.set, d->device, d->sum, values);
}

/* --- which counters mean something ------------------------------------------------------- */

/* True if reports hold all that @counter reads, itself or through others; @shown tells of these. */
static bool is_readable(const struct decoder *d, const struct hadal_oa_counter *counter,
			const bool *readable)
{
	const uint32_t *word = d->pub.file->words + counter->value.first;
	const uint32_t *end = word + counter->value.count;

	while (word < end) {
		enum oa_operation op = *word & 0xff;
		uint32_t argument = *word >> 8;

		if (op == OA_READ && !oa_layout_has(d->layout, argument))
			return false;
		if (op == OA_COUNTER && !readable[argument])
			return false;
		word += op == OA_PUSH_WIDE ? 3 : 1;
	}
	return counter->value.count != 0;
}

static bool is_available(const struct decoder *d, const struct hadal_oa_counter *counter)
{
	struct hadal_oa_value value;

	if (!counter->available.count)
		return true;
	value = hadal_oa_run(d->pub.file, counter->available, d->device, d->raw, d->values);
	return value.kind == HADAL_OA_UNKNOWN ||
	       (value.kind == HADAL_OA_REAL ? value.real != 0 : value.integer != 0);
}

static void choose_shown(struct decoder *d)
{
	const struct hadal_oa_counter *counters = d->pub.file->counters + d->pub.set->first_counter;
	const uint32_t count = d->pub.set->counter_count;

	for (uint32_t i = 0; i < count; i++)
		d->pub.shown[i] = is_readable(d, &counters[i], d->pub.shown);
	for (uint32_t i = 0; i < count; i++)
		d->pub.shown[i] &= is_available(d, &counters[i]);
}

/* --- opening and closing ----------------------------------------------------------------- */

static struct decoder *create(const struct hadal_oa_decoding *what)
{
	struct decoder *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->pub.file = what->file;
	d->pub.set = what->set;
	d->device = what->device;
	d->pub.shown = calloc(what->set->counter_count + 1, sizeof(*d->pub.shown));
	d->values = calloc(what->set->counter_count + 1, sizeof(*d->values));
	if (d->pub.shown && d->values)
		return d;
	hadal_oa_decoder_close(&d->pub);
	return NULL;
}

int hadal_oa_decoder_open(struct hadal_oa_recording *recording,
			  const struct hadal_oa_decoding *what, struct hadal_oa_decoder **decoder)
{
	const struct oa_layout *layout = oa_layout_find(recording->source.format, what->generation);
	struct decoder *d;

	if (!layout)
		return -EOPNOTSUPP;
	d = create(what);
	if (!d)
		return -ENOMEM;
	d->recording = recording;
	d->pub.recording = recording;
	d->layout = layout;
	d->head = oa_head_of(layout, what->generation);
	d->hz = recording->source.timestamp_hz << layout->shift;
	choose_shown(d);
	*decoder = &d->pub;
	return 0;
}

void hadal_oa_decoder_close(struct hadal_oa_decoder *decoder)
{
	struct decoder *d = (struct decoder *)decoder;

	if (!d)
		return;
	free(d->pub.shown);
	free(d->values);
	free(d);
}
