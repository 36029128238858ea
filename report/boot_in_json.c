// SPDX-License-Identifier: MIT
/* Reads back what boot_json.c wrote. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/boot_in.h"
#include "report/report.h"

static struct json_object *get(struct json_object *obj, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(obj, key, &value);
	return value;
}

static bool get_u32(struct json_object *obj, const char *key, uint32_t *value)
{
	struct json_object *number = get(obj, key);
	int64_t v;

	if (!json_object_is_type(number, json_type_int))
		return false;
	v = json_object_get_int64(number);
	if (v < 0 || v > UINT32_MAX)
		return false;
	*value = (uint32_t)v;
	return true;
}

static bool get_hex(struct json_object *obj, const char *key, uint64_t *value)
{
	struct json_object *text = get(obj, key);
	const char *digits;
	char *end;

	if (!json_object_is_type(text, json_type_string))
		return false;
	digits = json_object_get_string(text);
	if (strncmp(digits, "0x", 2) != 0 || !digits[2] ||
	    strspn(digits + 2, "0123456789abcdefABCDEF") > 16)
		return false;
	*value = strtoull(digits + 2, &end, 16);
	return *end == '\0';
}

static bool get_bool(struct json_object *obj, const char *key)
{
	return json_object_get_boolean(get(obj, key));
}

static size_t length(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

/* A name that is not the ID's own label was the recording's or the user's. */
static int keep_name(struct hadal_boot *boot, uint32_t id, struct json_object *name)
{
	const char *text;

	if (!json_object_is_type(name, json_type_string))
		return 0;
	text = json_object_get_string(name);
	if (id == 30 && strcmp(text, HADAL_OLD_ID_30_LABEL) == 0)
		boot->old_id_30 = true;
	if (strncmp(text, "ID ", 3) == 0 || hadal_boot_label_known(id, text, strlen(text)))
		return 0;
	return hadal_boot_add_name(boot, id, text, strlen(text));
}

static int read_stamps(struct hadal_boot *boot, struct json_object *array, uint64_t base,
		       struct hadal_stamps *stamps, const char *what)
{
	struct json_object *stamp;
	uint64_t tick;
	uint32_t id;

	for (size_t i = 0; i < length(array); i++) {
		if (stamps->count == HADAL_BOOT_MAX_STAMPS)
			return hadal_lines_add(&boot->damage, "%s: more than %u", what,
					       HADAL_BOOT_MAX_STAMPS);
		stamp = json_object_array_get_idx(array, i);
		if (get_bool(stamp, "is_base"))
			continue;
		if (!get_u32(stamp, "id", &id) || !get_hex(stamp, "tick", &tick)) {
			if (hadal_lines_add(&boot->damage, "%s[%zu]: no ID or no tick", what, i) <
			    0)
				return -ENOMEM;
			continue;
		}
		if (keep_name(boot, id, get(stamp, "name")) < 0 ||
		    hadal_stamps_add(stamps, id, (int64_t)(tick - base)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int read_lines(struct hadal_lines *lines, struct json_object *array)
{
	for (size_t i = 0; i < length(array); i++) {
		struct json_object *line = json_object_array_get_idx(array, i);

		if (json_object_is_type(line, json_type_string) &&
		    hadal_lines_add(lines, "%s", json_object_get_string(line)) < 0)
			return -ENOMEM;
	}
	return 0;
}

static bool get_ns(struct json_object *obj, const char *key, int64_t *value)
{
	struct json_object *number = get(obj, key);

	if (!json_object_is_type(number, json_type_int))
		return false;
	*value = json_object_get_int64(number);
	return *value >= 0;
}

static const char *get_text(struct json_object *obj, const char *key)
{
	struct json_object *text = get(obj, key);

	return json_object_is_type(text, json_type_string) ? json_object_get_string(text) : NULL;
}

/* A span that is not made from the stamps, which make theirs again. */
static int read_span(struct hadal_boot *boot, struct json_object *span, int64_t zero)
{
	const char *name = get_text(span, "name"), *source = get_text(span, "source");
	const char *doubtful = get_text(span, "doubtful"), *clock = get_text(span, "clock");
	bool kernel = clock && strcmp(clock, "kernel") == 0;
	struct hadal_span *added;
	int64_t start, duration;
	uint32_t depth;

	if (!name || !source || !get_ns(span, "start_ns", &start) ||
	    !get_ns(span, "duration_ns", &duration))
		return hadal_lines_add(&boot->damage, "a span without name, source or times");
	if (!kernel)
		start -= start < zero ? start : zero;
	if (hadal_boot_add_span(boot, source, kernel ? HADAL_CLOCK_KERNEL : HADAL_CLOCK_COUNTER,
				name, start, duration) < 0)
		return -ENOMEM;
	added = &boot->spans[boot->span_count - 1];
	if (get_u32(span, "depth", &depth))
		added->depth = depth;
	return doubtful ? hadal_span_doubt(added, "%s", doubtful) : 0;
}

static int read_spans(struct hadal_boot *boot, struct json_object *doc)
{
	struct json_object *array = get(doc, "spans"), *span;
	int64_t zero;

	if (!get_ns(doc, "counter_zero_ns", &zero))
		zero = 0;
	for (size_t i = 0; i < length(array); i++) {
		span = json_object_array_get_idx(array, i);
		/* Documents from before other sources existed do not say. */
		if (!get(span, "of_stamps") || get_bool(span, "of_stamps"))
			continue;
		if (boot->span_count == HADAL_BOOT_MAX_STAMPS)
			return hadal_lines_add(&boot->damage, "spans: more than %u",
					       HADAL_BOOT_MAX_STAMPS);
		if (read_span(boot, span, zero) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void read_clocks(struct hadal_boot *boot, struct json_object *doc)
{
	const char *apart = get_text(doc, "apart");
	const char *doubtful = get_text(doc, "stamps_doubtful");

	boot->has_kernel_zero = get_ns(doc, "kernel_zero_ns", &boot->kernel_zero_ns);
	snprintf(boot->apart, sizeof(boot->apart), "%s", apart ? apart : "");
	snprintf(boot->stamps_doubtful, sizeof(boot->stamps_doubtful), "%s",
		 doubtful ? doubtful : "");
}

static void read_companion(struct hadal_boot *boot, struct json_object *doc)
{
	struct json_object *companion = get(doc, "companion");
	uint32_t counter = 0;

	if (!json_object_is_type(companion, json_type_object))
		return;
	boot->has_companion = get_u32(doc, "dropped", &boot->dropped) &&
			      get_u32(companion, "refused", &boot->refused) &&
			      get_u32(companion, "generation", &boot->generation);
	boot->resumed = get_bool(companion, "resumed");
	if (get_u32(companion, "counter", &counter))
		boot->counter = (uint8_t)counter;
}

static int check_head(struct hadal_boot *boot, struct json_object *doc)
{
	struct json_object *head = get(doc, "hadal");
	struct json_object *verb = get(doc, "verb");
	uint32_t format;

	if (!get_u32(head, "format", &format) || !json_object_is_type(verb, json_type_string))
		hadal_lines_add(&boot->damage, "JSON: not a document of hadal");
	else if (strcmp(json_object_get_string(verb), "boot") != 0)
		hadal_lines_add(&boot->damage,
				"JSON: a document of 'hadal %s', not of 'hadal boot'",
				json_object_get_string(verb));
	else if (format != 1)
		hadal_lines_add(&boot->damage, "JSON: format %u, this hadal reads format 1",
				format);
	else
		return 0;
	return -EBADMSG;
}

static int read_document(struct hadal_boot *boot, struct json_object *doc)
{
	int ret = check_head(boot, doc);

	if (ret < 0)
		return ret;
	if (!get_u32(doc, "tick_khz", &boot->khz))
		boot->khz = 0;
	boot->khz_from = boot->khz ? "recording" : "unknown";
	if (!get_hex(doc, "base_tick", &boot->base) &&
	    hadal_lines_add(&boot->damage, "base_tick is missing; 0 is used") < 0)
		return -ENOMEM;
	/* Even an empty table has its base; a boot without a table has an empty array. */
	boot->has_stamps = length(get(doc, "stamps")) > 0;
	read_clocks(boot, doc);
	read_companion(boot, doc);
	if (read_stamps(boot, get(doc, "stamps"), boot->base, &boot->stamps, "stamps") < 0 ||
	    read_stamps(boot, get(doc, "leftovers"), 0, &boot->leftovers, "leftovers") < 0 ||
	    read_stamps(boot, get(doc, "presuspend"), 0, &boot->presuspend, "presuspend") < 0 ||
	    read_spans(boot, doc) < 0 || read_lines(&boot->damage, get(doc, "damage")) < 0 ||
	    read_lines(&boot->notes, get(doc, "notes")) < 0)
		return -ENOMEM;
	return 0;
}

int boot_in_json(struct hadal_boot *boot, const char *text, size_t len)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *doc;
	int ret;

	if (!tokener)
		return -ENOMEM;
	boot->source = "JSON document";
	doc = json_tokener_parse_ex(tokener, text, len > INT_MAX ? INT_MAX : (int)len);
	if (doc) {
		ret = read_document(boot, doc);
	} else {
		hadal_lines_add(&boot->damage, "JSON: %s, byte %zu",
				json_tokener_get_error(tokener) == json_tokener_continue ?
					"ends too early" :
					json_tokener_error_desc(json_tokener_get_error(tokener)),
				json_tokener_get_parse_end(tokener));
		ret = -EBADMSG;
	}
	json_object_put(doc);
	json_tokener_free(tokener);
	return ret;
}
