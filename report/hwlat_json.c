// SPDX-License-Identifier: MIT
/* A hwlat run as JSON; docs/schema/hwlat.json describes it. */
#include <errno.h>
#include <time.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

static struct json_object *text(const char *s)
{
	return json_object_new_string(s);
}

static struct json_object *boolean(bool value)
{
	return json_object_new_boolean(value);
}

struct json_object *hwlat_json_number(uint64_t value)
{
	return value == HWLAT_UNKNOWN ? NULL : json_object_new_uint64(value);
}

/* 0 is null: a recording may not say. */
static struct json_object *wall_clock(int64_t realtime_ns)
{
	const time_t seconds = (time_t)(realtime_ns / 1000000000);
	char date[32], whole[48];
	struct tm tm;

	if (!realtime_ns)
		return NULL;
	gmtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(whole, sizeof(whole), "%s.%09dZ", date, (int)(realtime_ns % 1000000000));
	return text(whole);
}

static struct json_object *cpu_numbers(const struct hwlat_result *result)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->cpu_count; i++)
		json_object_array_add(array, json_object_new_int64(result->cpus[i].cpu));
	return array;
}

/* A recording may not say; nothing of the kind can be 0. */
static struct json_object *setting(uint64_t value)
{
	return value ? hwlat_json_number(value) : NULL;
}

/* Nothing is sampled by the passive back end. */
static void add_sampling(struct json_object *run, const struct hwlat_result *result, bool passive)
{
	const struct hwlat_config *config = &result->config;

	add(run, "width_us", passive ? NULL : setting(config->width_us));
	add(run, "window_us", passive ? NULL : setting(config->window_us));
	add(run, "threshold_ns", passive ? NULL : setting(config->threshold_us * 1000));
	add(run, "mode", passive ? NULL : text(hwlat_mode_name(config->mode)));
}

struct json_object *hwlat_json_run(const struct hwlat_result *result,
				   const struct hwlat_facts *facts)
{
	struct json_object *run = json_object_new_object();

	add(run, "backend", text(facts->backend));
	add(run, "source", result->source ? text(result->source) : NULL);
	add_sampling(run, result, facts->passive);
	add(run, "limit_ns", hwlat_json_number(result->limit_ns));
	add(run, "cpus", cpu_numbers(result));
	add(run, "started", wall_clock(facts->started_ns));
	add(run, "hypervisor", boolean(facts->hypervisor));
	add(run, "c_states_off", boolean(facts->c_states_off));
	return run;
}

static void add_end_of_run(struct json_object *run, const struct hwlat_result *result)
{
	add(run, "duration_ns", hwlat_json_number(result->facts.duration_ns));
	add(run, "watched_ns", hwlat_json_number(result->watched_ns));
	add(run, "floor_ns", hwlat_json_number(result->facts.floor_ns));
	add(run, "cost_ns", hwlat_json_number(result->facts.cost_ns));
	add(run, "realtime", boolean(result->facts.realtime));
	add(run, "locked", boolean(result->facts.locked));
	add(run, "os_clock", boolean(result->facts.os_clock));
}

/* When it was, and on which CPU. */
static struct json_object *interval(uint32_t cpu, int64_t start_ns, uint64_t duration_ns)
{
	struct json_object *obj = json_object_new_object();

	add(obj, "cpu", cpu == HWLAT_NO_CPU ? NULL : json_object_new_int64(cpu));
	add(obj, "start_ns", json_object_new_int64(start_ns));
	add(obj, "duration_ns", hwlat_json_number(duration_ns));
	return obj;
}

struct json_object *hwlat_json_gap(const struct hwlat_gap *gap)
{
	struct json_object *obj = interval(gap->cpu, gap->start_ns, gap->duration_ns);

	add(obj, "cause", gap->backward ? NULL : text(hwlat_cause_name(gap->cause)));
	add(obj, "smi", hwlat_json_number(gap->smi));
	add(obj, "nmi", hwlat_json_number(gap->nmi));
	add(obj, "nmi_ns", hwlat_json_number(gap->nmi_ns));
	add(obj, "inner_us", hwlat_json_number(gap->inner_us));
	add(obj, "outer_us", hwlat_json_number(gap->outer_us));
	add(obj, "count", hwlat_json_number(gap->count));
	return obj;
}

struct json_object *hwlat_json_window(const struct hwlat_window *window)
{
	struct json_object *obj = interval(window->cpu, window->start_ns, window->duration_ns);

	add(obj, "watched_ns", hwlat_json_number(window->watched_ns));
	add(obj, "smi", hwlat_json_number(window->smi));
	add(obj, "nmi", hwlat_json_number(window->nmi));
	add(obj, "dropped", hwlat_json_number(window->dropped));
	return obj;
}

static struct json_object *gaps(const struct hwlat_result *result, bool backward)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->record_count; i++)
		if (result->records[i].backward == backward)
			json_object_array_add(array, hwlat_json_gap(&result->records[i]));
	return array;
}

static struct json_object *counts(const struct hwlat_result *result, bool nmi)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct hwlat_cpu *cpu = &result->cpus[i];
		struct json_object *obj = json_object_new_object();

		add(obj, "cpu", json_object_new_int64(cpu->cpu));
		add(obj, "count", hwlat_json_number(nmi ? cpu->nmi : cpu->smi));
		add(obj, "in_gaps", hwlat_json_number(nmi ? cpu->seen_nmi : cpu->seen_smi));
		json_object_array_add(array, obj);
	}
	return array;
}

static struct json_object *causes(const struct hwlat_result *result)
{
	struct json_object *obj = json_object_new_object();

	for (unsigned int i = 0; i < HWLAT_CAUSES; i++)
		add(obj, hwlat_cause_name((enum hwlat_cause)i),
		    hwlat_json_number(result->causes[i]));
	return obj;
}

static struct json_object *watched(const struct hwlat_result *result)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->cpu_count; i++) {
		struct json_object *obj = json_object_new_object();

		add(obj, "cpu", json_object_new_int64(result->cpus[i].cpu));
		add(obj, "watched_ns", hwlat_json_number(result->cpus[i].watched_ns));
		add(obj, "gaps", hwlat_json_number(result->cpus[i].gaps));
		json_object_array_add(array, obj);
	}
	return array;
}

/* null where interrupts were off or nothing was watched. */
static struct json_object *kernel(const struct hwlat_kernel *kernel)
{
	struct json_object *obj;

	if (kernel->told == HWLAT_TOLD_OFF)
		return NULL;
	obj = json_object_new_object();
	add(obj, "told_by", text(kernel->told == HWLAT_TOLD_MARKER ? "marker" : "counters"));
	add(obj, "shared", boolean(kernel->shared));
	add(obj, "gaps", hwlat_json_number(kernel->gaps));
	add(obj, "ns", hwlat_json_number(kernel->ns));
	add(obj, "max_ns", hwlat_json_number(kernel->max_ns));
	add(obj, "alone_max_ns", hwlat_json_number(kernel->alone_max_ns));
	add(obj, "throttled_ns", hwlat_json_number(kernel->throttled_ns));
	return obj;
}

static void add_counters(struct json_object *obj, const uint64_t n[HWLAT_COUNTERS])
{
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		add(obj, hwlat_counter_name((enum hwlat_counter)i), hwlat_json_number(n[i]));
}

static struct json_object *counters(const struct hwlat_result *result)
{
	struct json_object *array;

	if (!result->facts.passive)
		return NULL;
	array = json_object_new_array();
	for (size_t i = 0; i < result->cpu_count; i++) {
		struct json_object *obj = json_object_new_object();

		add(obj, "cpu", json_object_new_int64(result->cpus[i].cpu));
		add_counters(obj, result->cpus[i].counts);
		json_object_array_add(array, obj);
	}
	return array;
}

struct json_object *hwlat_json_counts(const struct hwlat_counts *counts)
{
	struct json_object *obj = interval(counts->cpu, counts->start_ns, counts->duration_ns);

	add_counters(obj, counts->n);
	return obj;
}

static struct json_object *changes(const struct hwlat_result *result)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->change_count; i++)
		json_object_array_add(array, hwlat_json_counts(&result->changes[i]));
	return array;
}

struct json_object *hwlat_json_totals(const struct hwlat_result *result)
{
	struct json_object *totals = json_object_new_object();

	add(totals, "gaps", hwlat_json_number(result->gaps));
	add(totals, "max_ns", hwlat_json_number(result->max_ns));
	add(totals, "dropped", hwlat_json_number(result->dropped + result->facts.lost));
	add(totals, "omitted", hwlat_json_number(result->omitted));
	add(totals, "backward_steps", hwlat_json_number(result->backward));
	add(totals, "causes", causes(result));
	add(totals, "cpus", watched(result));
	add(totals, "smi", counts(result, false));
	add(totals, "nmi", counts(result, true));
	add(totals, "kernel", kernel(&result->facts.kernel));
	add(totals, "counters", counters(result));
	return totals;
}

struct json_object *hwlat_json_verdict(const struct hwlat_result *result)
{
	static const char *const words[] = {
		[HWLAT_WITHIN] = "within",
		[HWLAT_EXCEEDED] = "exceeded",
		[HWLAT_EXCEEDED_INSEPARABLE] = "inseparable",
	};
	const enum hwlat_verdict verdict = hwlat_result_verdict(result);

	if (result->facts.passive)
		return NULL;
	if (verdict != HWLAT_NO_LIMIT)
		return text(words[verdict]);
	return text(result->analysis.events ? "gaps" : "quiet");
}

/* What the document and the last line of --watch say at their end. Who did not watch saw no gap. */
static void add_analysis(struct json_object *doc, const struct hwlat_result *result)
{
	const struct hwlat_analysis *analysis = &result->analysis;
	const bool watched = !result->facts.passive;
	struct hwlat_advice advice;

	hwlat_advise(result, &advice);
	add(doc, "analysis", watched ? hwlat_json_analysis(analysis) : NULL);
	add(doc, "periods", watched ? hwlat_json_periods(analysis) : NULL);
	add(doc, "verdict", hwlat_json_verdict(result));
	add(doc, "sentence", text(advice.sentence));
	add(doc, "hints", hwlat_json_hints(&advice));
}

static struct json_object *windows(const struct hwlat_result *result)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < result->window_count; i++)
		json_object_array_add(array, hwlat_json_window(&result->windows[i]));
	return array;
}

int hwlat_write_json(const struct hwlat_result *result, const struct report_out *out)
{
	struct json_object *doc = report_json_begin("hwlat", result->complete);
	struct json_object *run;
	int err;

	if (!doc)
		return -ENOMEM;
	add(doc, "origin", wall_clock(result->facts.started_ns));
	run = hwlat_json_run(result, &result->facts);
	add_end_of_run(run, result);
	add(doc, "run", run);
	add(doc, "gaps", gaps(result, false));
	add(doc, "backward_steps", gaps(result, true));
	add(doc, "counts", changes(result));
	add(doc, "totals", hwlat_json_totals(result));
	add(doc, "windows", windows(result));
	add_analysis(doc, result);
	err = report_json_write(doc, out);
	json_object_put(doc);
	return err;
}

static void write_line(struct json_object *obj, const struct report_out *out)
{
	const char *line = json_object_to_json_string_ext(
		obj, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);

	if (line)
		fprintf(out->file, "%s\n", line);
	fflush(out->file);
	json_object_put(obj);
}

void hwlat_watch_start(const struct hwlat_result *result, const struct hwlat_facts *facts,
		       const struct report_out *out)
{
	struct json_object *line = report_json_begin("hwlat", false);

	add(line, "type", text("run"));
	add(line, "origin", wall_clock(facts->started_ns));
	add(line, "run", hwlat_json_run(result, facts));
	write_line(line, out);
}

void hwlat_watch_gap(void *context, const struct hwlat_gap *gap)
{
	struct json_object *line = hwlat_json_gap(gap);

	add(line, "type", text(gap->backward ? "backward_step" : "gap"));
	write_line(line, context);
}

void hwlat_watch_window(void *context, const struct hwlat_window *window)
{
	struct json_object *line = hwlat_json_window(window);

	add(line, "type", text("window"));
	write_line(line, context);
}

void hwlat_watch_counts(void *context, const struct hwlat_counts *counts)
{
	struct json_object *line = hwlat_json_counts(counts);

	add(line, "type", text("counts"));
	write_line(line, context);
}

void hwlat_watch_end(const struct hwlat_result *result, const struct report_out *out)
{
	struct json_object *line = report_json_begin("hwlat", result->complete);
	struct json_object *run = hwlat_json_run(result, &result->facts);

	add_end_of_run(run, result);
	add(line, "type", text("end"));
	add(line, "origin", wall_clock(result->facts.started_ns));
	add(line, "run", run);
	add(line, "totals", hwlat_json_totals(result));
	add_analysis(line, result);
	write_line(line, out);
}
