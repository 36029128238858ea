// SPDX-License-Identifier: MIT
/* Reads back what hwlat_json.c wrote: a document, or the lines of --watch. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/hwlat_in.h"
#include "report/report.h"

static struct json_object *get(struct json_object *obj, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(obj, key, &value);
	return value;
}

static bool get_u64(struct json_object *obj, const char *key, uint64_t *value)
{
	struct json_object *number = get(obj, key);

	if (!json_object_is_type(number, json_type_int) || json_object_get_int64(number) < 0)
		return false;
	*value = json_object_get_uint64(number);
	return true;
}

/* null, and whatever is no number, is unknown. */
static uint64_t get_count(struct json_object *obj, const char *key)
{
	uint64_t value;

	return get_u64(obj, key, &value) ? value : HWLAT_UNKNOWN;
}

static const char *get_text(struct json_object *obj, const char *key)
{
	struct json_object *text = get(obj, key);

	return json_object_is_type(text, json_type_string) ? json_object_get_string(text) : "";
}

static size_t length(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

static int damaged(struct hwlat_in *in, const char *what, size_t i, const char *why)
{
	return hadal_lines_add(in->damage, "%s[%zu]: %s", what, i, why) < 0 ? -ENOMEM : 0;
}

/* A time of a run: from long before it to long after it, so that nothing overflows later. */
static bool get_start(struct json_object *obj, int64_t *start)
{
	struct json_object *number = get(obj, "start_ns");

	if (!json_object_is_type(number, json_type_int))
		return false;
	*start = json_object_get_int64(number);
	return *start > INT64_MIN / 4 && *start < INT64_MAX / 4;
}

static bool get_cpu(struct json_object *obj, uint32_t *cpu)
{
	uint64_t value;

	if (json_object_is_type(get(obj, "cpu"), json_type_null)) {
		*cpu = HWLAT_NO_CPU;
		return json_object_object_get_ex(obj, "cpu", NULL);
	}
	if (!get_u64(obj, "cpu", &value) || value >= CPUS_MAX)
		return false;
	*cpu = (uint32_t)value;
	return true;
}

static bool get_cause(struct json_object *obj, enum hwlat_cause *cause)
{
	const char *name = get_text(obj, "cause");

	for (unsigned int i = 0; i < HWLAT_CAUSES; i++) {
		if (strcmp(name, hwlat_cause_name((enum hwlat_cause)i)) == 0) {
			*cause = (enum hwlat_cause)i;
			return true;
		}
	}
	return false;
}

static int read_gap(struct hwlat_in *in, struct json_object *obj, const char *what, size_t i,
		    bool backward)
{
	struct hwlat_gap gap = { .backward = backward };

	if (!get_cpu(obj, &gap.cpu) || !get_start(obj, &gap.start_ns) ||
	    !get_u64(obj, "duration_ns", &gap.duration_ns) || gap.duration_ns > INT64_MAX / 4)
		return damaged(in, what, i, "no cpu, start_ns or duration_ns that can be");
	if (!backward && !get_cause(obj, &gap.cause))
		return damaged(in, what, i, "no cause that is known");
	gap.smi = get_count(obj, "smi");
	gap.nmi = get_count(obj, "nmi");
	gap.nmi_ns = get_count(obj, "nmi_ns");
	gap.inner_us = get_count(obj, "inner_us");
	gap.outer_us = get_count(obj, "outer_us");
	if (!get_u64(obj, "count", &gap.count) || !gap.count)
		gap.count = 1;
	return hwlat_in_gap(in, &gap);
}

static int read_window(struct hwlat_in *in, struct json_object *obj, const char *what, size_t i)
{
	struct hwlat_window window = { 0 };

	if (!get_cpu(obj, &window.cpu) || window.cpu == HWLAT_NO_CPU ||
	    !get_start(obj, &window.start_ns) ||
	    !get_u64(obj, "duration_ns", &window.duration_ns) ||
	    window.duration_ns > INT64_MAX / 4 || !get_u64(obj, "watched_ns", &window.watched_ns) ||
	    window.watched_ns > window.duration_ns)
		return damaged(in, what, i,
			       "no cpu, start_ns, duration_ns or watched_ns that can be");
	window.smi = get_count(obj, "smi");
	window.nmi = get_count(obj, "nmi");
	if (!get_u64(obj, "dropped", &window.dropped))
		window.dropped = 0;
	return hwlat_in_window(in, &window);
}

/* --- the run ------------------------------------------------------------------------------------ */

/* "2024-01-01T00:00:00.123456789Z" */
static int64_t read_wall_clock(const char *text)
{
	struct tm tm = { 0 };
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	char *end;
	unsigned long ns;
	time_t seconds;

	if (!rest || *rest != '.' || strlen(rest) != 11 || rest[10] != 'Z' ||
	    !isdigit((unsigned char)rest[1]))
		return 0;
	ns = strtoul(rest + 1, &end, 10);
	seconds = timegm(&tm);
	if (end != rest + 10 || seconds < 0 || seconds >= INT64_MAX / 1000000000)
		return 0;
	return (int64_t)seconds * 1000000000 + (int64_t)ns;
}

/* The names are static, since the facts only point to one. */
static const char *known_backend(const char *name)
{
	static const char *const names[] = { "module", "tracer", "user", "passive" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return names[i];
	return "unknown";
}

static uint64_t setting(struct json_object *run, const char *key)
{
	uint64_t value;

	return get_u64(run, key, &value) && value <= INT64_MAX / 1000 ? value : 0;
}

static void read_cpus(struct hwlat_in *in, struct json_object *array)
{
	for (size_t i = 0; i < length(array); i++) {
		struct json_object *cpu = json_object_array_get_idx(array, i);
		const int64_t number = json_object_get_int64(cpu);

		if (json_object_is_type(cpu, json_type_int) && number >= 0 && number < CPUS_MAX)
			cpus_add(&in->config.cpus, (unsigned int)number);
	}
}

static void read_run(struct hwlat_in *in, struct json_object *doc)
{
	struct json_object *run = get(doc, "run");
	struct hwlat_facts *facts = &in->facts;

	facts->backend = known_backend(get_text(run, "backend"));
	facts->passive = strcmp(facts->backend, "passive") == 0;
	facts->started_ns = read_wall_clock(get_text(doc, "origin"));
	facts->duration_ns = setting(run, "duration_ns");
	facts->floor_ns = get_count(run, "floor_ns");
	facts->cost_ns = get_count(run, "cost_ns");
	facts->hypervisor = json_object_get_boolean(get(run, "hypervisor"));
	facts->c_states_off = json_object_get_boolean(get(run, "c_states_off"));
	in->config.width_us = setting(run, "width_us");
	in->config.window_us = setting(run, "window_us");
	in->config.threshold_us = setting(run, "threshold_ns") / 1000;
	if (hwlat_mode_parse(get_text(run, "mode"), &in->config.mode))
		in->config.mode = HWLAT_ROUND_ROBIN;
	read_cpus(in, get(run, "cpus"));
}

/* --- totals ------------------------------------------------------------------------------------- */

/* The entry of that CPU, with nothing known yet if it is new; NULL for want of memory. */
static struct hwlat_cpu *total_of(struct hwlat_in *in, uint64_t cpu)
{
	struct hwlat_cpu *larger;

	for (size_t i = 0; i < in->cpu_count; i++)
		if (in->cpus[i].cpu == cpu)
			return &in->cpus[i];
	larger = reallocarray(in->cpus, in->cpu_count + 1, sizeof(*larger));
	if (!larger)
		return NULL;
	in->cpus = larger;
	larger += in->cpu_count++;
	*larger = (struct hwlat_cpu){
		.cpu = (unsigned int)cpu,
		.smi = HWLAT_UNKNOWN,
		.nmi = HWLAT_UNKNOWN,
	};
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		larger->counts[i] = HWLAT_UNKNOWN;
	return larger;
}

enum total { TOTAL_SMI, TOTAL_NMI, TOTAL_ALL };

static void take_total(struct hwlat_cpu *cpu, struct json_object *obj, enum total which)
{
	if (which != TOTAL_ALL) {
		*(which == TOTAL_NMI ? &cpu->nmi : &cpu->smi) = get_count(obj, "count");
		return;
	}
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		cpu->counts[i] = get_count(obj, hwlat_counter_name((enum hwlat_counter)i));
}

static int read_counts(struct hwlat_in *in, struct json_object *array, enum total which)
{
	for (size_t i = 0; i < length(array) && i < CPUS_MAX; i++) {
		struct json_object *obj = json_object_array_get_idx(array, i);
		struct hwlat_cpu *cpu;
		uint64_t number;

		if (!get_u64(obj, "cpu", &number) || number >= CPUS_MAX)
			continue;
		cpu = total_of(in, number);
		if (!cpu)
			return -ENOMEM;
		take_total(cpu, obj, which);
	}
	return 0;
}

static int read_totals(struct hwlat_in *in, struct json_object *totals)
{
	uint64_t lost, omitted;
	int err = read_counts(in, get(totals, "smi"), TOTAL_SMI);

	if (get_u64(totals, "omitted", &omitted))
		in->omitted = omitted;
	/* What windows dropped is in their records. */
	if (get_u64(totals, "dropped", &lost)) {
		for (size_t i = 0; i < in->window_count; i++)
			lost -= in->windows[i].dropped < lost ? in->windows[i].dropped : lost;
		in->facts.lost = lost;
	}
	if (!err)
		err = read_counts(in, get(totals, "nmi"), TOTAL_NMI);
	return err ? err : read_counts(in, get(totals, "counters"), TOTAL_ALL);
}

/* --- documents and lines ------------------------------------------------------------------------ */

static int read_gaps(struct hwlat_in *in, struct json_object *array, const char *what,
		     bool backward)
{
	int err = 0;

	for (size_t i = 0; i < length(array) && !err; i++)
		err = read_gap(in, json_object_array_get_idx(array, i), what, i, backward);
	return err;
}

/* Returns 1 if it is ours, 0 after saying why not, or -ENOMEM. */
static int check_head(struct hwlat_in *in, struct json_object *doc)
{
	const char *verb = get_text(doc, "verb");
	uint64_t format;
	int err;

	if (!get_u64(get(doc, "hadal"), "format", &format))
		err = hadal_lines_add(in->damage, "JSON: not a document of hadal");
	else if (strcmp(verb, "hwlat") != 0)
		err = hadal_lines_add(in->damage,
				      "JSON: a document of 'hadal %.32s', not of 'hadal hwlat'",
				      verb);
	else if (format != 1)
		err = hadal_lines_add(in->damage,
				      "JSON: another format than 1, which this hadal reads");
	else
		return 1;
	return err < 0 ? -ENOMEM : 0;
}

static int read_document(struct hwlat_in *in, struct json_object *doc)
{
	struct json_object *windows = get(doc, "windows");
	int err = check_head(in, doc);

	if (err != 1)
		return err;
	in->recognised = true;
	in->kind = "JSON document";
	in->incomplete = !json_object_get_boolean(get(doc, "complete"));
	read_run(in, doc);
	err = read_gaps(in, get(doc, "gaps"), "gaps", false);
	if (!err)
		err = read_gaps(in, get(doc, "backward_steps"), "backward_steps", true);
	for (size_t i = 0; i < length(windows) && !err; i++)
		err = read_window(in, json_object_array_get_idx(windows, i), "windows", i);
	return err ? err : read_totals(in, get(doc, "totals"));
}

/* One line of --watch. The last has the sums; without it the run was cut off. */
static int read_line(struct hwlat_in *in, struct json_object *line, const char *type, size_t i)
{
	int err;

	in->kind = "JSON lines";
	if (strcmp(type, "gap") == 0 || strcmp(type, "backward_step") == 0)
		return read_gap(in, line, "object ", i, *type == 'b');
	if (strcmp(type, "window") == 0)
		return read_window(in, line, "object ", i);
	if (strcmp(type, "run") != 0 && strcmp(type, "end") != 0)
		return 0;
	err = check_head(in, line);
	if (err != 1)
		return err;
	in->recognised = true;
	in->incomplete = !json_object_get_boolean(get(line, "complete"));
	read_run(in, line);
	return *type == 'e' ? read_totals(in, get(line, "totals")) : 0;
}

static int cut_off(struct hwlat_in *in, struct json_tokener *tokener, size_t at)
{
	const enum json_tokener_error error = json_tokener_get_error(tokener);

	return hadal_lines_add(in->damage, "JSON: %s, byte %zu",
			       error == json_tokener_continue ? "ends too early" :
								json_tokener_error_desc(error),
			       at + json_tokener_get_parse_end(tokener)) < 0 ?
		       -ENOMEM :
		       0;
}

/* Objects one after another, each of them whole or the end of what can be read. */
static int read_objects(struct hwlat_in *in, struct json_tokener *tokener, const char *text,
			size_t len)
{
	size_t at = 0, count = 0;
	int err = 0;

	while (!err) {
		struct json_object *obj;
		const char *type;

		while (at < len && isspace((unsigned char)text[at]))
			at++;
		if (at == len)
			break;
		json_tokener_reset(tokener);
		obj = json_tokener_parse_ex(tokener, text + at,
					    len - at > INT_MAX ? INT_MAX : (int)(len - at));
		if (!obj)
			return cut_off(in, tokener, at);
		at += json_tokener_get_parse_end(tokener);
		type = get_text(obj, "type");
		err = *type ? read_line(in, obj, type, count++) : read_document(in, obj);
		json_object_put(obj);
	}
	return err;
}

int hwlat_in_json(struct hwlat_in *in, const char *text, size_t len)
{
	struct json_tokener *tokener = json_tokener_new();
	int err;

	if (!tokener)
		return -ENOMEM;
	in->clock = HWLAT_IN_RUN;
	err = read_objects(in, tokener, text, len);
	json_tokener_free(tokener);
	return err;
}
