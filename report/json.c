// SPDX-License-Identifier: MIT
/* The frame that all JSON documents share. */
#include <errno.h>
#include <inttypes.h>

#include "report/report.h"

/* Rises only with an incompatible change; keys are only added. */
#define JSON_FORMAT 1

struct json_object *report_json_begin(const char *verb, bool complete)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *head = json_object_new_object();

	json_object_object_add(head, "version", json_object_new_string(HADAL_VERSION));
	json_object_object_add(head, "format", json_object_new_int(JSON_FORMAT));
	json_object_object_add(doc, "hadal", head);
	json_object_object_add(doc, "verb", json_object_new_string(verb));
	json_object_object_add(doc, "complete", json_object_new_boolean(complete));
	return doc;
}

void report_json_add_name(struct json_object *events, const char *what, int pid, int64_t tid,
			  const char *name)
{
	struct json_object *event = json_object_new_object();
	struct json_object *args = json_object_new_object();

	json_object_object_add(args, "name", json_object_new_string(name));
	json_object_object_add(event, "name", json_object_new_string(what));
	json_object_object_add(event, "ph", json_object_new_string("M"));
	json_object_object_add(event, "pid", json_object_new_int(pid));
	json_object_object_add(event, "tid", json_object_new_int64(tid));
	json_object_object_add(event, "args", args);
	json_object_array_add(events, event);
}

void report_json_add_hex(struct json_object *obj, const char *key, uint64_t value)
{
	char text[20];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	json_object_object_add(obj, key, json_object_new_string(text));
}

void report_json_add_text(struct json_object *obj, const char *key, const char *text)
{
	json_object_object_add(obj, key, text ? json_object_new_string(text) : NULL);
}

int report_json_write(struct json_object *doc, const struct report_out *out)
{
	const char *text = json_object_to_json_string_ext(
		doc,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (!text)
		return -ENOMEM;
	fprintf(out->file, "%s\n", text);
	return 0;
}
