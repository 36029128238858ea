// SPDX-License-Identifier: MIT
/* Metric sets that were, or would be, added: as text and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "report/oa_add.h"

/* What became of a set, in the order of the sum. */
enum outcome {
	ADDED,
	REPLACED,
	WOULD_ADD,
	WOULD_REPLACE,
	PRESENT,
	OTHER_GPU,
	DIFFERENT,
	UNCOMPARED,
	REFUSED,
	UNUSABLE,
	FAILED,
	TAKEN_BACK,
	LEFT,
	UNTRIED,
	OUTCOMES
};

static const char *const words[OUTCOMES] = {
	[ADDED] = "added",	   [REPLACED] = "replaced",
	[WOULD_ADD] = "would-add", [WOULD_REPLACE] = "would-replace",
	[PRESENT] = "present",	   [OTHER_GPU] = "other-gpu",
	[DIFFERENT] = "different", [UNCOMPARED] = "uncompared",
	[REFUSED] = "refused",	   [UNUSABLE] = "unusable",
	[FAILED] = "failed",	   [TAKEN_BACK] = "taken-back",
	[LEFT] = "left",	   [UNTRIED] = "untried",
};

static enum outcome outcome_of(const struct oa_add_report *report, const struct oa_addition *a)
{
	static const enum outcome plans[] = {
		[OA_PLAN_ADD] = UNTRIED,	   [OA_PLAN_REPLACE] = UNTRIED,
		[OA_PLAN_PRESENT] = PRESENT,	   [OA_PLAN_DIFFERENT] = DIFFERENT,
		[OA_PLAN_UNCOMPARED] = UNCOMPARED, [OA_PLAN_REFUSED] = REFUSED,
		[OA_PLAN_UNUSABLE] = UNUSABLE,	   [OA_PLAN_OTHER_GPU] = OTHER_GPU,
	};
	static const enum outcome changes[] = {
		[HADAL_OA_UNTRIED] = UNTRIED,	    [HADAL_OA_ADDED] = ADDED,
		[HADAL_OA_REPLACED] = REPLACED,	    [HADAL_OA_FAILED] = FAILED,
		[HADAL_OA_TAKEN_BACK] = TAKEN_BACK, [HADAL_OA_LEFT] = LEFT,
	};

	if (a->change)
		return changes[a->change->outcome];
	if (report->dry && a->plan == OA_PLAN_ADD)
		return WOULD_ADD;
	if (report->dry && a->plan == OA_PLAN_REPLACE)
		return WOULD_REPLACE;
	return plans[a->plan];
}

/* The id of what is there now under this UUID; 0 if nothing is. */
static uint64_t id_of(const struct oa_addition *a)
{
	if (a->change &&
	    (a->change->outcome == HADAL_OA_ADDED || a->change->outcome == HADAL_OA_REPLACED))
		return a->change->id;
	if (a->change && a->change->replaces && a->change->outcome == HADAL_OA_TAKEN_BACK)
		return a->change->old_id;
	return a->loaded.uuid[0] ? a->loaded.id : 0;
}

static const struct hadal_oa_set *set_of(const struct oa_addition *a)
{
	return &a->checked->file->sets[a->set];
}

static const struct hadal_oa_result *result_of(const struct oa_addition *a)
{
	return &a->checked->results[a->set];
}

static const char *chipset_of(const struct oa_addition *a)
{
	return set_of(a)->chipset ? set_of(a)->chipset : "another GPU";
}

/* --- text -------------------------------------------------------------------------------- */

static void write_details(const struct oa_add_report *report, const struct oa_addition *a, FILE *f)
{
	switch (a->plan) {
	case OA_PLAN_DIFFERENT:
		fprintf(f, "    id %" PRIu64 " has this UUID and other registers\n", a->loaded.id);
		break;
	case OA_PLAN_UNCOMPARED:
		fprintf(f,
			"    id %" PRIu64 " has this UUID; its registers cannot be read back to "
			"compare\n",
			a->loaded.id);
		break;
	case OA_PLAN_REFUSED:
		report_oa_write_refusals(result_of(a), set_of(a), report->all_refusals, f);
		break;
	case OA_PLAN_OTHER_GPU:
		fprintf(f, "    made for %s\n", chipset_of(a));
		break;
	default:
		break;
	}
	if (a->twin.uuid[0])
		fprintf(f, "    id %" PRIu64 " has it in another case: %s\n", a->twin.id,
			a->twin.uuid);
}

static void write_line(const struct oa_add_report *report, const struct oa_addition *a, FILE *f)
{
	const uint32_t *counts = result_of(a)->counts;
	char id[24] = "-", registers[40];

	if (id_of(a))
		snprintf(id, sizeof(id), "%" PRIu64, id_of(a));
	snprintf(registers, sizeof(registers), "%" PRIu32 "/%" PRIu32 "/%" PRIu32,
		 counts[OA_CLASS_MUX], counts[OA_CLASS_BOOLEAN], counts[OA_CLASS_FLEX]);
	fprintf(f, "%-13s %6s  %-36s  %-9s %s\n", words[outcome_of(report, a)], id,
		a->uuid[0] ? a->uuid : "-", registers, hadal_oa_set_name(set_of(a)));
	write_details(report, a, f);
}

/* Sets of another GPU get no line of their own, unless that is all there is to say. */
static bool is_shown(const struct oa_add_report *report, const struct oa_addition *a)
{
	return a->plan != OA_PLAN_OTHER_GPU || report->all_refusals || report->count == 1;
}

static void write_sum(const struct oa_add_report *report, FILE *f)
{
	size_t counts[OUTCOMES] = { 0 };
	const char *comma = ": ";

	for (size_t i = 0; i < report->count; i++)
		counts[outcome_of(report, &report->additions[i])]++;
	fprintf(f, "%zu set%s", report->count, report_plural(report->count));
	for (int i = 0; i < OUTCOMES; i++) {
		if (!counts[i])
			continue;
		fprintf(f, "%s%zu %s", comma, counts[i], words[i]);
		comma = ", ";
	}
	fputc('\n', f);
}

void report_oa_add_table(const struct oa_add_report *report, const struct report_out *out)
{
	report_oa_gpu_line(report->gpu, out);
	fprintf(out->file, "\n%-13s %6s  %-36s  %-9s SET\n", "OUTCOME", "ID", "UUID", "REGISTERS");
	for (size_t i = 0; i < report->count; i++)
		if (is_shown(report, &report->additions[i]))
			write_line(report, &report->additions[i], out->file);
	write_sum(report, out->file);
}

/* --- JSON -------------------------------------------------------------------------------- */

static void add_id(struct json_object *obj, const char *key, uint64_t id)
{
	json_object_object_add(obj, key, id ? json_object_new_int64((int64_t)id) : NULL);
}

static struct json_object *json_addition(const struct oa_add_report *report,
					 const struct oa_addition *a)
{
	struct json_object *obj = report_oa_set_json(set_of(a), result_of(a));
	const int error = a->change ? a->change->error : 0;

	report_json_add_text(obj, "path", a->checked->file->path);
	report_json_add_text(obj, "outcome", words[outcome_of(report, a)]);
	add_id(obj, "id", id_of(a));
	report_json_add_text(obj, "twin", a->twin.uuid[0] ? a->twin.uuid : NULL);
	report_json_add_text(obj, "error", error ? strerror(error) : NULL);
	return obj;
}

int report_oa_add_json(const struct oa_add_report *report, const struct report_out *out)
{
	struct json_object *doc = report_json_begin("oa add", report->complete);
	struct json_object *list = json_object_new_array();
	int ret;

	for (size_t i = 0; i < report->count; i++)
		json_object_array_add(list, json_addition(report, &report->additions[i]));
	json_object_object_add(doc, "gpu", report_oa_gpu_json(report->gpu));
	json_object_object_add(doc, "dry_run", json_object_new_boolean(report->dry));
	json_object_object_add(doc, "sets", list);
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}
