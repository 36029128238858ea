// SPDX-License-Identifier: MIT
/*
 * Decoded recordings as JSON, written as it comes: what is known from the start, then one interval
 * a line, then sums and damage.
 */
#include <string.h>

#include "report/decimal.h"
#include "report/oa_read.h"

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

/* A number of 64 bits. */
static struct json_object *number(uint64_t value)
{
	return json_object_new_uint64(value);
}

static void add_known(struct json_object *obj, const char *key, uint64_t value)
{
	add(obj, key, value ? number(value) : NULL);
}

static char *make_head(const struct hadal_oa_counter *counter, uint32_t i)
{
	struct json_object *name = json_object_new_string(oa_read_name(counter));
	const char *text = json_object_to_json_string_ext(name, JSON_C_TO_STRING_NOSLASHESCAPE);
	char *head = NULL;

	if (!text || asprintf(&head, "%s%s: ", i ? ", " : "", text) < 0)
		head = NULL;
	json_object_put(name);
	return head;
}

static struct json_object *json_device(const struct oa_read *read)
{
	const struct hadal_oa_source *source = &read->decoder->recording->source;
	struct json_object *obj = json_object_new_object();

	report_json_add_hex(obj, "id", source->device_id);
	add(obj, "revision", number(source->revision));
	report_json_add_text(obj, "gen", read->generation ? read->generation->name : NULL);
	add_known(obj, "timestamp_hz", source->timestamp_hz);
	add_known(obj, "min_hz", source->min_hz);
	add_known(obj, "max_hz", source->max_hz);
	return obj;
}

static struct json_object *json_set(const struct oa_read *read)
{
	const struct hadal_oa_source *source = &read->decoder->recording->source;
	struct json_object *obj = json_object_new_object();

	report_json_add_text(obj, "name", source->set_name);
	report_json_add_text(obj, "uuid", source->set_uuid);
	report_json_add_text(obj, "title", read->decoder->set->name);
	add(obj, "format", number(source->format));
	return obj;
}

static struct json_object *json_counters(const struct oa_read_state *state)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < state->count; i++) {
		const struct hadal_oa_counter *counter = state->columns[i].counter;
		struct json_object *obj = json_object_new_object();

		report_json_add_text(obj, "name", oa_read_name(counter));
		report_json_add_text(obj, "title", counter->name);
		report_json_add_text(obj, "units", counter->units);
		report_json_add_text(obj, "data_type", counter->data_type);
		json_object_array_add(list, obj);
	}
	return list;
}

/* Writes the keys of @obj and drops it. @from, @cut: bytes to leave out in front and behind. */
static void write_keys(struct json_object *obj, size_t from, size_t cut, FILE *f)
{
	const char *text = json_object_to_json_string_ext(
		obj,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (text)
		fwrite(text + from, 1, strlen(text) - from - cut, f);
	json_object_put(obj);
}

static void begin(struct oa_read_state *state)
{
	struct json_object *doc = report_json_begin("oa read", true);

	/* Known only at the end, and written there. */
	json_object_object_del(doc, "complete");
	report_json_add_text(doc, "path", state->read->path);
	add(doc, "device", json_device(state->read));
	add(doc, "set", json_set(state->read));
	add(doc, "counters", json_counters(state));
	write_keys(doc, 0, strlen("\n}"), state->out->file);
	fputs(",\n  \"intervals\": [\n", state->out->file);
}

static char *put(char *at, const char *text)
{
	return decimal_text(at, text, strlen(text));
}

static char *put_values(const struct oa_read_state *state, const struct hadal_oa_value *values,
			char *at)
{
	*at++ = '{';
	for (uint32_t i = 0; i < state->count; i++) {
		const struct oa_column *column = &state->columns[i];

		at = decimal_text(at, column->head, column->head_length);
		at = oa_read_value(at, &values[column->index], "null");
	}
	*at++ = '}';
	return at;
}

static char *put_times(const struct oa_read_state *state, const struct hadal_oa_interval *interval,
		       char *at)
{
	if (!state->read->decoder->recording->source.timestamp_hz)
		return put(at, "{\"start_ns\": null, \"duration_ns\": null");
	at = decimal_u64(put(at, "{\"start_ns\": "), interval->start_ns);
	return decimal_u64(put(at, ", \"duration_ns\": "), interval->duration_ns);
}

static void write_interval(struct oa_read_state *state, const struct hadal_oa_interval *interval)
{
	char *at = put_times(state, interval, put(state->line, state->separator));

	at = put(at, ", \"reason\": \"");
	at += oa_read_reason(interval->reason, at);
	at = put(at, "\", \"context\": ");
	if (interval->has_context)
		at += sprintf(at, "\"0x%x\"", interval->context);
	else
		at = put(at, "null");
	at = put_values(state, interval->values, put(at, ", \"values\": "));
	*at++ = '}';
	fwrite(state->line, 1, (size_t)(at - state->line), state->out->file);
	state->separator = ",\n";
}

static struct json_object *json_damage(const struct hadal_oa_recording *recording)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < recording->damage_count; i++) {
		struct json_object *obj = json_object_new_object();

		add(obj, "offset", number(recording->damage[i].offset));
		report_json_add_text(obj, "text", recording->damage[i].text);
		json_object_array_add(list, obj);
	}
	return list;
}

static void end(struct oa_read_state *state)
{
	const struct hadal_oa_decoder *decoder = state->read->decoder;
	struct json_object *doc = json_object_new_object();
	FILE *f = state->out->file;
	char *at;

	fputs("\n  ],\n  \"whole\": ", f);
	at = put_values(state, state->total, state->line);
	fwrite(state->line, 1, (size_t)(at - state->line), f);
	fputc(',', f);
	add(doc, "origin_ns", decoder->has_origin ? number(decoder->origin_ns) : NULL);
	add(doc, "duration_ns",
	    decoder->recording->source.timestamp_hz ? number(decoder->duration_ns) : NULL);
	add(doc, "reports", number(decoder->reports));
	add(doc, "report_losses", number(decoder->report_losses));
	add(doc, "buffer_losses", number(decoder->buffer_losses));
	add(doc, "unknown_records", number(decoder->recording->unknown));
	add(doc, "damage", json_damage(decoder->recording));
	add(doc, "damage_count", number(decoder->recording->damage_total));
	add(doc, "complete", json_object_new_boolean(state->read->complete));
	write_keys(doc, 1, 0, f);
	fputc('\n', f);
}

const struct oa_read_writer oa_read_json = {
	.name = "json",
	.plain = true,
	.head = make_head,
	.begin = begin,
	.interval = write_interval,
	.end = end,
};
