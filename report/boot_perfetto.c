// SPDX-License-Identifier: MIT
/*
 * The boot as trace events in JSON, which Perfetto and Chrome's viewer open. Sources are threads,
 * since spans of different ones may overlap and those of one nest.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
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

/* struct thread - a source on one clock, in a search tree */
struct thread {
	int pid;
	const char *source;
	int tid;
};

/* struct threads - those that have a number so far */
struct threads {
	void *tree;
	int count;
};

static int compare_threads(const void *pa, const void *pb)
{
	const struct thread *a = pa, *b = pb;

	return a->pid != b->pid ? (a->pid < b->pid ? -1 : 1) : strcmp(a->source, b->source);
}

/* The entry's thread, which gets the next number and its name where it is new. 0: no memory. */
static int tid_of(struct json_object *events, struct threads *threads,
		  const struct timeline_entry *entry)
{
	const struct thread key = { pid_of(entry), source_of(entry), threads->count + 1 };
	struct thread *thread = malloc(sizeof(*thread)), **node = NULL;

	if (thread) {
		*thread = key;
		node = tsearch(thread, &threads->tree, compare_threads);
	}
	if (node && *node == thread) {
		threads->count++;
		report_json_add_name(events, "thread_name", key.pid, key.tid, key.source);
	} else {
		free(thread);
	}
	return node ? (*node)->tid : 0;
}

static void add_entry(struct json_object *events, int tid, const struct timeline_entry *entry)
{
	struct json_object *event = json_object_new_object();
	struct json_object *args;

	add(event, "name", json_object_new_string(entry->name));
	add(event, "cat", json_object_new_string(source_of(entry)));
	add(event, "ph", json_object_new_string("X"));
	add(event, "ts", usec(entry->start));
	add(event, "dur", usec(entry->length));
	add(event, "pid", json_object_new_int(pid_of(entry)));
	add(event, "tid", json_object_new_int(tid));
	if (entry->doubtful) {
		args = json_object_new_object();
		add(args, "doubtful", json_object_new_string(entry->doubtful));
		add(event, "args", args);
	}
	json_object_array_add(events, event);
}

/* Ticks of unknown length have no place in a format of times. */
static int add_entries(struct json_object *events, const struct timeline *line)
{
	struct threads threads = { NULL, 0 };
	int ret = 0, tid;

	for (size_t i = 0; ret == 0 && i < line->entry_count; i++) {
		if (line->entries[i].axis == AXIS_TICKS)
			continue;
		tid = tid_of(events, &threads, &line->entries[i]);
		if (!tid)
			ret = -ENOMEM;
		add_entry(events, tid, &line->entries[i]);
	}
	tdestroy(threads.tree, free);
	return ret;
}

static int write_perfetto(const struct timeline *line, const struct report_out *out)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *events = json_object_new_array();
	int ret;

	report_json_add_name(events, "process_name", PID_BOOT, 0,
			     line->shifted ? "boot, from the earliest stamp" :
					     "boot, from the counter's zero");
	if (line->ends[AXIS_KERNEL])
		report_json_add_name(events, "process_name", PID_KERNEL, 0,
				     "boot, from the kernel's zero");
	ret = add_entries(events, line);
	add(doc, "displayTimeUnit", json_object_new_string("ns"));
	add(doc, "traceEvents", events);
	if (ret == 0)
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
