// SPDX-License-Identifier: MIT
/* Metric sets and verdicts as JSON. */
#include <errno.h>
#include <stdlib.h>

#include "report/oa.h"

static void add_count(struct json_object *obj, const char *key, uint64_t value)
{
	json_object_object_add(obj, key, json_object_new_int64((int64_t)value));
}

static struct json_object *json_range(const struct oa_range *range)
{
	struct json_object *obj;

	if (!range)
		return NULL;
	obj = json_object_new_object();
	report_json_add_hex(obj, "first", range->first);
	report_json_add_hex(obj, "last", range->last);
	return obj;
}

static struct json_object *json_refusal(const struct hadal_oa_refusal *refusal)
{
	const struct oa_refusal *why = &refusal->why;
	struct json_object *obj = json_object_new_object();
	bool of_set = why->reason == OA_REASON_EMPTY || why->reason == OA_REASON_UUID;
	bool of_register = why->reason == OA_REASON_ADDRESS || why->reason == OA_REASON_OTHER_CLASS;

	report_json_add_text(obj, "class", of_set ? NULL : report_oa_class(why->cls));
	json_object_object_add(obj, "index",
			       of_register ? json_object_new_int64(why->index) : NULL);
	json_object_object_add(obj, "address", NULL);
	if (of_register)
		report_json_add_hex(obj, "address", why->address);
	report_json_add_text(obj, "reason", report_oa_reason(why->reason));
	json_object_object_add(obj, "nearest", json_range(why->nearest));
	report_json_add_text(
		obj, "allowed_class",
		why->reason == OA_REASON_OTHER_CLASS ? report_oa_class(why->allowed_class) : NULL);
	add_count(obj, "line", refusal->line);
	return obj;
}

struct json_object *report_oa_set_json(const struct hadal_oa_set *set,
				       const struct hadal_oa_result *result)
{
	struct json_object *obj = json_object_new_object();
	struct json_object *counts = json_object_new_object();
	struct json_object *refusals = json_object_new_array();

	report_json_add_text(obj, "name", hadal_oa_set_name(set));
	report_json_add_text(obj, "uuid", set->hw_config_guid);
	add_count(obj, "line", set->line);
	report_json_add_text(obj, "chipset", set->chipset);
	report_json_add_text(obj, "gen", result->generation ? result->generation->name : NULL);
	report_json_add_text(obj, "driver", result->generation ? report_oa_driver(result) : NULL);
	report_json_add_text(obj, "verdict", report_oa_verdict(result->verdict));
	for (int cls = 0; cls < OA_CLASSES; cls++)
		add_count(counts, report_oa_class((enum oa_class)cls), result->counts[cls]);
	json_object_object_add(obj, "registers", counts);
	for (uint32_t i = 0; i < result->refusal_count; i++)
		json_object_array_add(refusals, json_refusal(&result->refusals[i]));
	json_object_object_add(obj, "refusals", refusals);
	return obj;
}

static struct json_object *json_problems(const struct hadal_oa_file *file)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < file->problem_count; i++) {
		const struct hadal_oa_problem *problem = &file->problems[i];
		struct json_object *obj = json_object_new_object();

		report_json_add_text(obj, "severity", problem->warning ? "warning" : "error");
		add_count(obj, "line", problem->line);
		report_json_add_text(obj, "set", problem->set);
		report_json_add_text(obj, "text", problem->text);
		json_object_array_add(list, obj);
	}
	return list;
}

static struct json_object *json_begin(const char *verb, const struct hadal_oa_question *question)
{
	struct json_object *doc = report_json_begin(verb, true);

	report_json_add_text(doc, "gen", question->generation ? question->generation->name : NULL);
	json_object_object_add(doc, "revision", NULL);
	if (question->has_revision)
		report_json_add_hex(doc, "revision", question->revision);
	json_object_object_add(doc, "slices", NULL);
	if (question->has_slices)
		report_json_add_hex(doc, "slices", question->slices);
	return doc;
}

static int finish(struct json_object *doc, const struct report_out *out)
{
	int ret = report_json_write(doc, out);

	json_object_put(doc);
	return ret;
}

int report_oa_check_json(const struct oa_report *report, const struct report_out *out)
{
	struct json_object *doc = json_begin("oa check", report->question);
	struct json_object *files = json_object_new_array();

	for (size_t i = 0; i < report->file_count; i++) {
		const struct oa_checked *checked = &report->files[i];
		struct json_object *obj = json_object_new_object();
		struct json_object *sets = json_object_new_array();

		report_json_add_text(obj, "path", checked->file->path);
		for (uint32_t s = 0; s < checked->file->set_count; s++)
			json_object_array_add(sets, report_oa_set_json(&checked->file->sets[s],
								       &checked->results[s]));
		json_object_object_add(obj, "sets", sets);
		json_object_object_add(obj, "problems", json_problems(checked->file));
		add_count(obj, "problem_count", checked->file->problem_total);
		json_object_array_add(files, obj);
	}
	json_object_object_add(doc, "files", files);
	return finish(doc, out);
}

/* --- show -------------------------------------------------------------------------------- */

static struct json_object *json_block(const struct hadal_oa_file *file,
				      const struct hadal_oa_block *block,
				      const struct hadal_oa_result *result)
{
	struct json_object *obj = json_object_new_object();
	struct json_object *registers = json_object_new_array();
	bool masked = result->rules && !result->rules->one_array;

	report_json_add_text(obj, "class", report_oa_class(block->cls));
	report_json_add_text(obj, "id", block->id);
	add_count(obj, "priority", block->priority);
	report_json_add_text(obj, "availability", block->availability);
	for (uint32_t i = 0; i < block->register_count; i++) {
		const struct hadal_oa_register *reg = &file->registers[block->first_register + i];
		struct json_object *pair = json_object_new_object();

		report_json_add_hex(pair, "address", reg->address);
		report_json_add_hex(pair, "value", reg->value);
		report_json_add_hex(pair, "written",
				    masked ? oa_config_mask(reg->address, reg->value) : reg->value);
		json_object_array_add(registers, pair);
	}
	json_object_object_add(obj, "registers", registers);
	return obj;
}

/* The blocks that apply, in the order in which they are joined; NULL for want of memory. */
static struct json_object *json_blocks(const struct oa_report *report,
				       const struct hadal_oa_file *file,
				       const struct hadal_oa_set *set,
				       const struct hadal_oa_result *result)
{
	uint32_t *order = calloc(set->block_count + 1, sizeof(*order));
	struct json_object *list;
	struct hadal_oa_device device;

	if (!order)
		return NULL;
	list = json_object_new_array();
	hadal_oa_device_of(report->question, result->generation, &device);
	for (int cls = 0; cls < OA_CLASSES; cls++) {
		uint32_t count = hadal_oa_combine(file, set, (enum oa_class)cls, &device, order);

		for (uint32_t i = 0; i < count; i++)
			json_object_array_add(list,
					      json_block(file, &file->blocks[order[i]], result));
	}
	free(order);
	return list;
}

static struct json_object *json_counter(const struct hadal_oa_counter *counter)
{
	struct json_object *obj = json_object_new_object();

	report_json_add_text(obj, "symbol_name", counter->symbol_name);
	report_json_add_text(obj, "name", counter->name);
	report_json_add_text(obj, "underscore_name", counter->underscore_name);
	report_json_add_text(obj, "description", counter->description);
	report_json_add_text(obj, "data_type", counter->data_type);
	report_json_add_text(obj, "units", counter->units);
	report_json_add_text(obj, "semantic_type", counter->semantic_type);
	report_json_add_text(obj, "equation", counter->equation);
	json_object_object_add(obj, "usable", json_object_new_boolean(counter->value.count != 0));
	report_json_add_text(obj, "max_equation", counter->max_equation);
	report_json_add_text(obj, "availability", counter->availability);
	report_json_add_text(obj, "low_watermark", counter->low_watermark);
	report_json_add_text(obj, "high_watermark", counter->high_watermark);
	report_json_add_text(obj, "mdapi_group", counter->mdapi_group);
	report_json_add_text(obj, "mdapi_usage_flags", counter->mdapi_usage_flags);
	report_json_add_text(obj, "mdapi_supported_apis", counter->mdapi_supported_apis);
	report_json_add_text(obj, "mdapi_hw_unit_type", counter->mdapi_hw_unit_type);
	return obj;
}

/* NULL for want of memory. */
static struct json_object *json_shown(const struct oa_report *report, const struct oa_shown *shown)
{
	const struct hadal_oa_file *file = shown->checked->file;
	const struct hadal_oa_set *set = &file->sets[shown->set];
	const struct hadal_oa_result *result = &shown->checked->results[shown->set];
	struct json_object *blocks = json_blocks(report, file, set, result);
	struct json_object *counters;
	struct json_object *obj;

	if (!blocks)
		return NULL;
	obj = report_oa_set_json(set, result);
	counters = json_object_new_array();
	report_json_add_text(obj, "path", file->path);
	report_json_add_text(obj, "title", set->name);
	report_json_add_text(obj, "underscore_name", set->underscore_name);
	report_json_add_text(obj, "mdapi_supported_apis", set->mdapi_supported_apis);
	report_json_add_text(obj, "oa_format", set->oa_format);
	json_object_object_add(obj, "blocks", blocks);
	for (uint32_t i = 0; i < set->counter_count; i++)
		json_object_array_add(counters,
				      json_counter(&file->counters[set->first_counter + i]));
	json_object_object_add(obj, "counters", counters);
	return obj;
}

int report_oa_show_json(const struct oa_report *report, const struct oa_shown *sets, size_t count,
			const struct report_out *out)
{
	struct json_object *doc = json_begin("oa show", report->question);
	struct json_object *list = json_object_new_array();

	json_object_object_add(doc, "sets", list);
	for (size_t i = 0; i < count; i++) {
		struct json_object *shown = json_shown(report, &sets[i]);

		if (!shown) {
			json_object_put(doc);
			return -ENOMEM;
		}
		json_object_array_add(list, shown);
	}
	return finish(doc, out);
}
