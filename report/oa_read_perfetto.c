// SPDX-License-Identifier: MIT
/*
 * Decoded recordings as trace events in JSON, which Perfetto and Chrome's viewer open: a track for
 * each counter, and one for the contexts that ran.
 */
#include <stdlib.h>
#include <string.h>

#include "report/decimal.h"
#include "report/oa_read.h"

/* What is in front of a value: the counter's name and unit, up to the value's own place. */
static char *make_head(const struct hadal_oa_counter *counter, uint32_t i)
{
	struct json_object *name;
	char *text, *head = NULL;

	(void)i;
	if (asprintf(&text, "%s%s%s%s", oa_read_name(counter), counter->units ? " (" : "",
		     counter->units ? counter->units : "", counter->units ? ")" : "") < 0)
		return NULL;
	name = json_object_new_string(text);
	if (asprintf(&head, "{\"name\": %s, \"ph\": \"C\", \"pid\": 1, \"args\": {\"value\": ",
		     json_object_to_json_string_ext(name, JSON_C_TO_STRING_NOSLASHESCAPE)) < 0)
		head = NULL;
	json_object_put(name);
	free(text);
	return head;
}

static void begin(struct oa_read_state *state)
{
	struct json_object *name =
		json_object_new_string(state->read->decoder->recording->source.set_name);

	fprintf(state->out->file,
		"{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
		"{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": 1, \"args\": {\"name\": %s}},\n"
		"{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 1, "
		"\"args\": {\"name\": \"contexts\"}}",
		json_object_to_json_string_ext(name, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(name);
}

static char *put(char *at, const char *text)
{
	return decimal_text(at, text, strlen(text));
}

static char *put_context(const struct hadal_oa_interval *interval, char *at)
{
	at += sprintf(at,
		      ",\n{\"name\": \"context 0x%x\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, "
		      "\"ts\": ",
		      interval->context);
	at = decimal_us(at, interval->start_ns);
	at = decimal_us(put(at, ", \"dur\": "), interval->duration_ns);
	return put(at, "}");
}

static void write_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval)
{
	char *at = state->line;

	for (uint32_t i = 0; i < state->count; i++) {
		const struct oa_column *column = &state->columns[i];
		const struct hadal_oa_value *value = &interval->values[column->index];

		at = decimal_text(put(at, ",\n"), column->head, column->head_length);
		at = oa_read_value(at, value, "null");
		at = decimal_us(put(at, "}, \"ts\": "), interval->start_ns);
		*at++ = '}';
	}
	if (interval->has_context)
		at = put_context(interval, at);
	fwrite(state->line, 1, (size_t)(at - state->line), state->out->file);
}

static void end(struct oa_read_state *state)
{
	fputs("\n]}\n", state->out->file);
}

const struct oa_read_writer oa_read_perfetto = {
	.name = "perfetto",
	.plain = true,
	.head = make_head,
	.begin = begin,
	.interval = write_interval,
	.end = end,
};
