// SPDX-License-Identifier: MIT
/* GPUs and their loaded metric sets, as text and as JSON. */
#include <inttypes.h>

#include "report/oa_list.h"

const char *report_oa_origin(enum hadal_oa_origin origin)
{
	static const char *const words[] = {
		[HADAL_OA_BUILT_IN] = "built-in",
		[HADAL_OA_DYNAMIC] = "dynamic",
		[HADAL_OA_ORIGIN_UNKNOWN] = "unknown",
	};

	return words[origin];
}

void report_oa_gpu_line(const struct hadal_oa_gpu *gpu, const struct report_out *out)
{
	fprintf(out->file, "%s: %s, %s (0x%04" PRIx32 ", revision 0x%02" PRIx32 "), %s", gpu->card,
		hadal_oa_driver_name(gpu->driver),
		gpu->generation ? gpu->generation->name : "unknown generation", gpu->device_id,
		gpu->revision, gpu->node);
}

static void write_sets(const struct oa_listed *listed, bool named, const struct report_out *out)
{
	fprintf(out->file, "%6s  %-36s  %s\n", "ID", "UUID", named ? "ORIGIN    SET" : "ORIGIN");
	for (size_t i = 0; i < listed->count; i++) {
		const struct hadal_oa_loaded *set = &listed->sets[i];
		const char *name = listed->names[i] ? listed->names[i] : "-";

		fprintf(out->file, "%6" PRIu64 "  %-36s  ", set->id, set->uuid);
		if (named)
			fprintf(out->file, "%-8s  %s\n", report_oa_origin(set->origin), name);
		else
			fprintf(out->file, "%s\n", report_oa_origin(set->origin));
	}
}

void report_oa_list_table(const struct oa_listed *gpus, size_t count, bool named,
			  const struct report_out *out)
{
	size_t sets = 0;

	for (size_t i = 0; i < count; i++) {
		report_oa_gpu_line(&gpus[i].gpu, out);
		if (!gpus[i].gpu.has_sets)
			fputs(": no OA for it in this kernel\n", out->file);
		else
			fprintf(out->file, ": %zu set%s\n", gpus[i].count,
				report_plural(gpus[i].count));
		if (gpus[i].count)
			write_sets(&gpus[i], named, out);
		sets += gpus[i].count;
	}
	if (sets && !named)
		fputs("Names are in metric files: hadal oa list FILE...\n", out->file);
}

struct json_object *report_oa_gpu_json(const struct hadal_oa_gpu *gpu)
{
	struct json_object *obj = json_object_new_object();

	report_json_add_text(obj, "card", gpu->card);
	report_json_add_text(obj, "slot", gpu->slot);
	report_json_add_text(obj, "node", gpu->node);
	report_json_add_text(obj, "driver", hadal_oa_driver_name(gpu->driver));
	report_json_add_hex(obj, "vendor", gpu->vendor);
	report_json_add_hex(obj, "device", gpu->device_id);
	report_json_add_hex(obj, "revision", gpu->revision);
	report_json_add_text(obj, "gen", gpu->generation ? gpu->generation->name : NULL);
	json_object_object_add(obj, "supported", json_object_new_boolean(gpu->has_sets));
	return obj;
}

static struct json_object *json_sets(const struct oa_listed *listed)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < listed->count; i++) {
		const struct hadal_oa_loaded *set = &listed->sets[i];
		struct json_object *obj = json_object_new_object();

		json_object_object_add(obj, "id", json_object_new_int64((int64_t)set->id));
		report_json_add_text(obj, "uuid", set->uuid);
		report_json_add_text(obj, "origin",
				     set->origin == HADAL_OA_ORIGIN_UNKNOWN ?
					     NULL :
					     report_oa_origin(set->origin));
		report_json_add_text(obj, "name", listed->names[i]);
		json_object_array_add(list, obj);
	}
	return list;
}

int report_oa_list_json(const struct oa_listed *gpus, size_t count, const struct report_out *out)
{
	struct json_object *doc = report_json_begin("oa list", true);
	struct json_object *list = json_object_new_array();
	int ret;

	for (size_t i = 0; i < count; i++) {
		struct json_object *obj = report_oa_gpu_json(&gpus[i].gpu);

		json_object_object_add(obj, "sets", json_sets(&gpus[i]));
		json_object_array_add(list, obj);
	}
	json_object_object_add(doc, "gpus", list);
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}
