// SPDX-License-Identifier: MIT
/* Metric sets that were removed, as text and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "report/oa_remove.h"

static const char *const words[] = {
	[OA_REMOVED] = "removed",
	[OA_REMOVAL_FAILED] = "failed",
	[OA_REMOVAL_UNTRIED] = "untried",
	[OA_STAYS] = "stays",
};

static size_t count_outcome(const struct oa_removal *removals, size_t count,
			    enum oa_removal_outcome outcome)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += removals[i].outcome == outcome;
	return found;
}

void report_oa_remove_table(const struct oa_removal *removals, size_t count,
			    const struct report_out *out)
{
	const size_t removed = count_outcome(removals, count, OA_REMOVED);

	for (size_t i = 0; i < count; i++)
		fprintf(out->file, "%-8s %6" PRIu64 "  %s%s\n", words[removals[i].outcome],
			removals[i].set->id, removals[i].set->uuid,
			removals[i].outcome == OA_STAYS ? "  built in" : "");
	fprintf(out->file, "%zu set%s removed", removed, report_plural(removed));
	if (removed < count)
		fprintf(out->file, ", %zu not", count - removed);
	fputc('\n', out->file);
}

static struct json_object *json_removal(const struct oa_removal *removal)
{
	struct json_object *obj = json_object_new_object();

	json_object_object_add(obj, "id", json_object_new_int64((int64_t)removal->set->id));
	json_object_object_add(obj, "uuid", json_object_new_string(removal->set->uuid));
	json_object_object_add(obj, "outcome", json_object_new_string(words[removal->outcome]));
	json_object_object_add(obj, "error",
			       removal->error ? json_object_new_string(strerror(removal->error)) :
						NULL);
	return obj;
}

int report_oa_remove_json(const struct hadal_oa_gpu *gpu, const struct oa_removal *removals,
			  size_t count, const struct report_out *out)
{
	const bool whole = count_outcome(removals, count, OA_REMOVAL_UNTRIED) == 0;
	struct json_object *doc = report_json_begin("oa remove", whole);
	struct json_object *list = json_object_new_array();
	int ret;

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, json_removal(&removals[i]));
	json_object_object_add(doc, "gpu", report_oa_gpu_json(gpu));
	json_object_object_add(doc, "sets", list);
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}
