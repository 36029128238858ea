// SPDX-License-Identifier: MIT
/* What the analysis of a hwlat run came to, as JSON. */
#include <stdio.h>

#include "report/hwlat_out.h"
#include "report/hwlat_words.h"

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

/* So many digits as mean something; negative is unknown. */
static struct json_object *fraction(double value, const char *format)
{
	char text[32];

	if (value < 0)
		return NULL;
	snprintf(text, sizeof(text), format, value);
	return json_object_new_double_s(value, text);
}

static struct json_object *cpu_numbers(const struct cpus *cpus)
{
	struct json_object *array = json_object_new_array();

	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu))
		json_object_array_add(array, json_object_new_int(cpu));
	return array;
}

static struct json_object *period_object(const struct hwlat_period *period)
{
	struct json_object *obj = json_object_new_object();

	add(obj, "period_ns", hwlat_json_number(period->period_ns));
	add(obj, "error_ns", hwlat_json_number(period->error_ns));
	add(obj, "jitter_ns", hwlat_json_number(period->jitter_ns));
	add(obj, "duration_ns", hwlat_json_number(period->duration_ns));
	add(obj, "seen", hwlat_json_number(period->seen));
	add(obj, "missing", hwlat_json_number(period->missing));
	add(obj, "of", hwlat_json_number(period->of));
	add(obj, "confidence", fraction(period->confidence, "%.3f"));
	add(obj, "chance", fraction(period->chance, "%.1e"));
	add(obj, "cpus", cpu_numbers(&period->cpus));
	add(obj, "cause", json_object_new_string(hwlat_cause_name(period->cause)));
	return obj;
}

struct json_object *hwlat_json_periods(const struct hwlat_analysis *analysis)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < analysis->period_count; i++)
		json_object_array_add(array, period_object(&analysis->periods[i]));
	return array;
}

static struct json_object *rate(const struct hwlat_analysis *analysis)
{
	struct json_object *obj = json_object_new_object();
	const bool known = analysis->per_hour >= 0;

	add(obj, "per_hour", fraction(analysis->per_hour, "%.6g"));
	add(obj, "least_per_hour", fraction(known ? analysis->least_per_hour : -1, "%.6g"));
	add(obj, "most_per_hour", fraction(known ? analysis->most_per_hour : -1, "%.6g"));
	return obj;
}

struct json_object *hwlat_json_analysis(const struct hwlat_analysis *analysis)
{
	struct json_object *obj = json_object_new_object();
	const bool any = analysis->longest != NULL;

	add(obj, "events", hwlat_json_number(analysis->events));
	add(obj, "joint", hwlat_json_number(analysis->joint));
	add(obj, "most_cpus", hwlat_json_number(analysis->widest));
	add(obj, "watched_ns", hwlat_json_number(analysis->watched_ns));
	add(obj, "lost_ns", hwlat_json_number(analysis->lost_ns));
	add(obj, "median_ns", any ? hwlat_json_number(analysis->median_ns) : NULL);
	add(obj, "p90_ns", any ? hwlat_json_number(analysis->p90_ns) : NULL);
	add(obj, "p99_ns", any ? hwlat_json_number(analysis->p99_ns) : NULL);
	add(obj, "rate", rate(analysis));
	return obj;
}

struct json_object *hwlat_json_hints(const struct hwlat_advice *advice)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < advice->hint_count; i++)
		json_object_array_add(array, json_object_new_string(advice->hints[i]));
	return array;
}
