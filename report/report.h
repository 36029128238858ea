/* SPDX-License-Identifier: MIT */
/* What all writers share: where they write to, and the frame of every JSON document. */
#ifndef HADAL_REPORT_H
#define HADAL_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <json-c/json.h>

/*
 * struct report_out - where a writer writes to
 * @file: an open stream, owned by the caller; its error flag tells of failed writes
 * @width: columns to fill, 80 where there is no terminal
 * @color: escape sequences are welcome
 * @utf8: characters beyond ASCII are welcome
 */
struct report_out {
	FILE *file;
	unsigned int width;
	bool color;
	bool utf8;
};

/* What ends a noun that counts @n things: "1 gap", "2 gaps". */
static inline const char *report_plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/*
 * A JSON document with its common head: "hadal" {version, format}, "verb" and "complete".
 * Returns a new object, to be freed with json_object_put(), or NULL for want of memory.
 */
struct json_object *report_json_begin(const char *verb, bool complete);

/*
 * Adds the event that gives a process, or a thread of it, its name: @what is "process_name" or
 * "thread_name". For writers of trace events.
 */
void report_json_add_name(struct json_object *events, const char *what, int pid, int64_t tid,
			  const char *name);

/* Adds the 64-bit value as a hexadecimal string, since many readers' numbers end at 2^53. */
void report_json_add_hex(struct json_object *obj, const char *key, uint64_t value);

/* Adds a text, or null for NULL. */
void report_json_add_text(struct json_object *obj, const char *key, const char *text);

/* Writes the document and a line end to @out. Returns 0 or -ENOMEM. */
int report_json_write(struct json_object *doc, const struct report_out *out);

#endif
