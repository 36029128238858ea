// SPDX-License-Identifier: MIT
/* Decoded recordings for people: each counter over the whole recording, and its extremes. */
#include <inttypes.h>
#include <string.h>

#include "report/decimal.h"
#include "report/oa_read.h"

#define NS_PER_MS 1000000

static void begin(struct oa_read_state *state)
{
	(void)state;
}

static bool is_less(const struct hadal_oa_value *a, const struct hadal_oa_value *b)
{
	return a->kind == HADAL_OA_REAL ? a->real < b->real : a->integer < b->integer;
}

static void write_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval)
{
	const bool first = state->read->decoder->intervals == 1;

	for (uint32_t i = 0; i < state->count; i++) {
		const struct hadal_oa_value *value = &interval->values[state->columns[i].index];

		if (first || is_less(value, &state->least[i]))
			state->least[i] = *value;
		if (first || is_less(&state->most[i], value))
			state->most[i] = *value;
	}
}

/* --- the end: the whole table ------------------------------------------------------------ */

static void write_ms(uint64_t ns, FILE *f)
{
	fprintf(f, "%" PRIu64 ".%03" PRIu64 " ms", ns / NS_PER_MS, ns % NS_PER_MS / 1000);
}

static void write_losses(const struct hadal_oa_decoder *decoder, FILE *f)
{
	if (!decoder->report_losses && !decoder->buffer_losses) {
		fputs("; none lost\n", f);
		return;
	}
	fprintf(f,
		"\nreports were lost %" PRIu64 " time%s, the kernel's whole buffer %" PRIu64
		" time%s; nothing is counted there\n",
		decoder->report_losses, report_plural(decoder->report_losses),
		decoder->buffer_losses, report_plural(decoder->buffer_losses));
}

static void write_heading(const struct oa_read *read, FILE *f)
{
	const struct hadal_oa_decoder *decoder = read->decoder;
	const struct hadal_oa_source *source = &decoder->recording->source;

	fprintf(f, "%s: GPU 0x%04" PRIx32 " (%s), revision %" PRIu32 ", set %s %s\n", read->path,
		source->device_id, read->generation ? read->generation->name : "not known",
		source->revision, source->set_name, source->set_uuid);
	fprintf(f, "%" PRIu64 " report%s", decoder->reports, report_plural(decoder->reports));
	if (decoder->intervals && source->timestamp_hz) {
		fputs(" in ", f);
		write_ms(decoder->duration_ns, f);
		fputs(", one each ", f);
		write_ms(decoder->duration_ns / decoder->intervals, f);
	}
	write_losses(decoder, f);
}

static int value_text(const struct hadal_oa_value *value, char text[DECIMAL_ROOM])
{
	char *end = oa_read_value(text, value, "-");

	*end = '\0';
	return (int)(end - text);
}

/* Columns as wide as their widest value. */
struct widths {
	int name;
	int value[3];
};

static const struct hadal_oa_value *value_of(const struct oa_read_state *state, uint32_t i,
					     int which)
{
	if (which == 0)
		return &state->total[state->columns[i].index];
	return which == 1 ? &state->least[i] : &state->most[i];
}

static void measure(const struct oa_read_state *state, struct widths *widths)
{
	char text[DECIMAL_ROOM];

	*widths = (struct widths){ 7, { 5, 5, 5 } };
	for (uint32_t i = 0; i < state->count; i++) {
		int length = (int)strlen(oa_read_name(state->columns[i].counter));

		if (length > widths->name)
			widths->name = length;
		for (int which = 0; which < 3; which++) {
			length = value_text(value_of(state, i, which), text);
			if (length > widths->value[which])
				widths->value[which] = length;
		}
	}
}

static void write_counter(const struct oa_read_state *state, uint32_t i,
			  const struct widths *widths, FILE *f)
{
	const struct hadal_oa_counter *counter = state->columns[i].counter;
	char text[DECIMAL_ROOM];

	fprintf(f, "%-*s", widths->name, oa_read_name(counter));
	for (int which = 0; which < 3; which++) {
		value_text(value_of(state, i, which), text);
		fprintf(f, "  %*s", widths->value[which], text);
	}
	fprintf(f, "  %s\n", counter->units ? counter->units : "");
}

static void end(struct oa_read_state *state)
{
	FILE *f = state->out->file;
	struct widths widths;

	write_heading(state->read, f);
	if (!state->read->decoder->intervals)
		return;
	measure(state, &widths);
	fprintf(f, "\n%-*s  %*s  %*s  %*s  UNITS\n", widths.name, "COUNTER", widths.value[0],
		"WHOLE", widths.value[1], "LEAST", widths.value[2], "MOST");
	for (uint32_t i = 0; i < state->count; i++)
		write_counter(state, i, &widths, f);
}

const struct oa_read_writer oa_read_table = {
	.name = "table",
	.begin = begin,
	.interval = write_interval,
	.end = end,
};
