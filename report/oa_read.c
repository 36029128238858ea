// SPDX-License-Identifier: MIT
/* What the writers of decoded recordings share. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/decimal.h"
#include "report/oa_read.h"

/* Of a line, beside its values. */
#define LINE_ROOM 256

const char *oa_read_name(const struct hadal_oa_counter *counter)
{
	if (counter->symbol_name)
		return counter->symbol_name;
	return counter->name ? counter->name : "(no name)";
}

size_t oa_read_reason(uint32_t reason, char *text)
{
	static const char *const words[] = {
		"timer",	 "trigger1",	"trigger2",	"context-switch",
		"go-transition", "clock-ratio", "mmio-trigger",
	};
	char *at = text;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!(reason >> i & 1))
			continue;
		if (at > text)
			*at++ = '+';
		at = decimal_text(at, words[i], strlen(words[i]));
	}
	*at = '\0';
	return (size_t)(at - text);
}

char *oa_read_value(char *at, const struct hadal_oa_value *value, const char *unknown)
{
	if (value->kind == HADAL_OA_INTEGER)
		return decimal_u64(at, value->integer);
	if (value->kind == HADAL_OA_REAL && isfinite(value->real))
		return decimal_real(at, value->real);
	return decimal_text(at, unknown, strlen(unknown));
}

static int add_column(struct oa_read_state *state, uint32_t index)
{
	const struct hadal_oa_decoder *decoder = state->read->decoder;
	struct oa_column *column = &state->columns[state->count];

	column->index = index;
	column->counter = &decoder->file->counters[decoder->set->first_counter + index];
	if (state->writer->head) {
		column->head = state->writer->head(column->counter, state->count);
		if (!column->head)
			return -ENOMEM;
		column->head_length = strlen(column->head);
	}
	state->count++;
	return 0;
}

static int add_columns(struct oa_read_state *state)
{
	const struct hadal_oa_decoder *decoder = state->read->decoder;

	for (uint32_t i = 0; i < decoder->set->counter_count; i++)
		if (decoder->shown[i] && add_column(state, i) < 0)
			return -ENOMEM;
	return 0;
}

static size_t line_room(const struct oa_read_state *state)
{
	size_t room = LINE_ROOM;

	for (uint32_t i = 0; i < state->count; i++)
		room += state->columns[i].head_length + DECIMAL_ROOM + LINE_ROOM;
	return room;
}

static int allocate(struct oa_read_state *state)
{
	const size_t count = state->read->decoder->set->counter_count + 1;

	state->columns = calloc(count, sizeof(*state->columns));
	state->total = calloc(count, sizeof(*state->total));
	state->least = calloc(count, sizeof(*state->least));
	state->most = calloc(count, sizeof(*state->most));
	if (!state->columns || !state->total || !state->least || !state->most ||
	    add_columns(state) < 0)
		return -ENOMEM;
	state->line = malloc(line_room(state));
	return state->line ? 0 : -ENOMEM;
}

int oa_read_begin(struct oa_read_state *state, const struct oa_read_writer *writer,
		  const struct oa_read *read, const struct report_out *out)
{
	*state = (struct oa_read_state){
		.read = read,
		.out = out,
		.writer = writer,
		.separator = "",
	};
	if (allocate(state) < 0)
		return -ENOMEM;
	writer->begin(state);
	return 0;
}

void oa_read_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval)
{
	state->writer->interval(state, interval);
}

void oa_read_end(struct oa_read_state *state)
{
	hadal_oa_decoder_total(state->read->decoder, state->total);
	state->writer->end(state);
}

void oa_read_free(struct oa_read_state *state)
{
	for (uint32_t i = 0; i < state->count; i++)
		free(state->columns[i].head);
	free(state->columns);
	free(state->line);
	free(state->total);
	free(state->least);
	free(state->most);
}
