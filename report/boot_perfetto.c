// SPDX-License-Identifier: MIT
/*
 * The boot as trace events in JSON, which Perfetto and Chrome's viewer open. Sources are threads,
 * since spans of different ones may overlap and those of one nest.
 */
#include <string.h>

#include "report/boot_out.h"

/* One process for each clock: times of the kernel's own zero must not look related to the rest. */
enum { PID_BOOT = 1, PID_KERNEL = 2 };

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

/* Microseconds with the nanoseconds behind the point. */
static struct json_object *usec(uint64_t ns)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu.%03llu", (unsigned long long)ns / 1000,
		 (unsigned long long)ns % 1000);
	return json_object_new_double_s((double)ns / 1000, text);
}

static const char *source_of(const struct timeline_entry *entry)
{
	return entry->of_stamps ? "firmware" : entry->source;
}

static int pid_of(const struct timeline_entry *entry)
{
	return entry->axis == AXIS_KERNEL ? PID_KERNEL : PID_BOOT;
}

/* The index of the first entry of the same source, from 1 on: a thread number that stays. */
static size_t tid_of(const struct timeline *line, const struct timeline_entry *entry)
{
	size_t i = 0;

	while (strcmp(source_of(&line->entries[i]), source_of(entry)) != 0)
		i++;
	return i + 1;
}

static void add_name(struct json_object *events, const char *what, int pid, size_t tid,
		     const char *name)
{
	struct json_object *event = json_object_new_object();
	struct json_object *args = json_object_new_object();

	add(args, "name", json_object_new_string(name));
	add(event, "name", json_object_new_string(what));
	add(event, "ph", json_object_new_string("M"));
	add(event, "pid", json_object_new_int(pid));
	add(event, "tid", json_object_new_int64((int64_t)tid));
	add(event, "args", args);
	json_object_array_add(events, event);
}

static void add_entry(struct json_object *events, const struct timeline *line,
		      const struct timeline_entry *entry)
{
	struct json_object *event = json_object_new_object();
	struct json_object *args;

	add(event, "name", json_object_new_string(entry->name));
	add(event, "cat", json_object_new_string(source_of(entry)));
	add(event, "ph", json_object_new_string("X"));
	add(event, "ts", usec(entry->start));
	add(event, "dur", usec(entry->length));
	add(event, "pid", json_object_new_int(pid_of(entry)));
	add(event, "tid", json_object_new_int64((int64_t)tid_of(line, entry)));
	if (entry->doubtful) {
		args = json_object_new_object();
		add(args, "doubtful", json_object_new_string(entry->doubtful));
		add(event, "args", args);
	}
	json_object_array_add(events, event);
}

/* Ticks of unknown length have no place in a format of times. */
static void add_entries(struct json_object *events, const struct timeline *line)
{
	for (size_t i = 0; i < line->entry_count; i++) {
		const struct timeline_entry *entry = &line->entries[i];

		if (entry->axis == AXIS_TICKS)
			continue;
		if (tid_of(line, entry) == i + 1)
			add_name(events, "thread_name", pid_of(entry), i + 1, source_of(entry));
		add_entry(events, line, entry);
	}
}

static int write_perfetto(const struct timeline *line, const struct report_out *out)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *events = json_object_new_array();
	int ret;

	add_name(events, "process_name", PID_BOOT, 0,
		 line->shifted ? "boot, from the earliest stamp" : "boot, from the counter's zero");
	if (line->ends[AXIS_KERNEL])
		add_name(events, "process_name", PID_KERNEL, 0, "boot, from the kernel's zero");
	add_entries(events, line);
	add(doc, "displayTimeUnit", json_object_new_string("ns"));
	add(doc, "traceEvents", events);
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}

const struct boot_writer boot_writer_perfetto = {
	.name = "perfetto",
	.plain = true,
	.needs_time = true,
	.write = write_perfetto,
};
