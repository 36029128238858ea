// SPDX-License-Identifier: MIT
/*
 * A hwlat run as trace events in JSON, which Perfetto and Chrome's viewer open: a thread for each CPU with
 * the gaps in it, and one beside it with the windows.
 */
#include <errno.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

#define PID 1

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

static struct json_object *text(const char *s)
{
	return json_object_new_string(s);
}

/* Microseconds with the nanoseconds behind the point. */
static struct json_object *usec(int64_t ns)
{
	const uint64_t size = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char digits[40];

	snprintf(digits, sizeof(digits), "%s%llu.%03llu", ns < 0 ? "-" : "",
		 (unsigned long long)size / 1000, (unsigned long long)size % 1000);
	return json_object_new_double_s((double)ns / 1000, digits);
}

/* Gaps of a CPU are an even thread, its windows the odd one after it; the last is for no CPU. */
static int64_t thread_of(uint32_t cpu)
{
	return 2 * ((int64_t)(cpu < CPUS_MAX ? cpu : CPUS_MAX) + 1);
}

static struct json_object *slice(const char *name, int64_t start, uint64_t length, int64_t tid)
{
	struct json_object *event = json_object_new_object();

	add(event, "name", text(name));
	add(event, "cat", text("hwlat"));
	add(event, "ph", text("X"));
	add(event, "ts", usec(start));
	add(event, "dur", usec((int64_t)length));
	add(event, "pid", json_object_new_int(PID));
	add(event, "tid", json_object_new_int64(tid));
	return event;
}

static void add_gap(struct json_object *events, const struct hwlat_gap *gap)
{
	struct json_object *event =
		slice(gap->backward ? "clock back" : hwlat_cause_name(gap->cause), gap->start_ns,
		      gap->backward ? 0 : gap->duration_ns, thread_of(gap->cpu));
	struct json_object *args = json_object_new_object();

	if (gap->smi != HWLAT_UNKNOWN)
		add(args, "smi", json_object_new_uint64(gap->smi));
	if (gap->nmi != HWLAT_UNKNOWN)
		add(args, "nmi", json_object_new_uint64(gap->nmi));
	if (gap->nmi_ns != HWLAT_UNKNOWN)
		add(args, "nmi_ns", json_object_new_uint64(gap->nmi_ns));
	add(args, "count", json_object_new_uint64(gap->count));
	add(event, "args", args);
	json_object_array_add(events, event);
}

static void add_window(struct json_object *events, const struct hwlat_window *window)
{
	struct json_object *event =
		slice("watched", window->start_ns, window->duration_ns, thread_of(window->cpu) + 1);
	struct json_object *args = json_object_new_object();

	add(args, "watched_ns", json_object_new_uint64(window->watched_ns));
	add(event, "args", args);
	json_object_array_add(events, event);
}

static void add_cpus(struct json_object *events, const struct hwlat_result *result)
{
	char name[32];

	for (size_t i = 0; i < result->cpu_count; i++) {
		snprintf(name, sizeof(name), "CPU %u", result->cpus[i].cpu);
		report_json_add_name(events, "thread_name", PID, thread_of(result->cpus[i].cpu),
				     name);
		if (!result->window_count)
			continue;
		snprintf(name, sizeof(name), "CPU %u, watched", result->cpus[i].cpu);
		report_json_add_name(events, "thread_name", PID, thread_of(result->cpus[i].cpu) + 1,
				     name);
	}
	for (size_t i = 0; i < result->record_count; i++) {
		if (result->records[i].cpu < CPUS_MAX)
			continue;
		report_json_add_name(events, "thread_name", PID, thread_of(HWLAT_NO_CPU),
				     "unknown CPU");
		return;
	}
}

int hwlat_write_perfetto(const struct hwlat_result *result, const struct report_out *out)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *events = json_object_new_array();
	int err;

	report_json_add_name(events, "process_name", PID, 0, "below the kernel");
	add_cpus(events, result);
	for (size_t i = 0; i < result->window_count; i++)
		add_window(events, &result->windows[i]);
	for (size_t i = 0; i < result->record_count; i++)
		add_gap(events, &result->records[i]);
	add(doc, "displayTimeUnit", text("ns"));
	add(doc, "traceEvents", events);
	err = report_json_write(doc, out);
	json_object_put(doc);
	return err;
}
