// SPDX-License-Identifier: MIT
/* The boot as JSON; docs/schema/boot.json describes it, boot_in_json.c reads it back. */
#include "report/boot_out.h"

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

static struct json_object *text(const char *s)
{
	return s ? json_object_new_string(s) : NULL;
}

/* Nanoseconds, or null while the frequency is unknown. */
static struct json_object *time_of(const struct timeline *line, uint64_t ticks)
{
	return line->khz ? json_object_new_int64(timeline_ns(line, ticks)) : NULL;
}

static struct json_object *lines(const struct hadal_lines *from)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < from->count; i++)
		json_object_array_add(array, text(from->at[i]));
	return array;
}

static struct json_object *source(const char *name, bool used, const char *why, const char *next)
{
	struct json_object *obj = json_object_new_object();

	add(obj, "name", text(name));
	add(obj, "used", json_object_new_boolean(used));
	add(obj, "why", text(why));
	add(obj, "next", next && *next ? text(next) : NULL);
	return obj;
}

static struct json_object *sources(const struct hadal_boot *boot)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < boot->source_count; i++) {
		const struct hadal_boot_source *at = &boot->sources[i];

		json_object_array_add(array, source(at->name, at->used, at->finding.reason,
						    at->finding.next));
	}
	if (!boot->source_count)
		json_object_array_add(array, source(boot->source, boot->has_stamps,
						    boot->has_stamps ? "given with -i" :
								       "holds no timestamps",
						    NULL));
	return array;
}

/* The counter's value at a row: what was stored, put back on the stored base. */
static uint64_t tick_of(const struct timeline *line, const struct timeline_row *row)
{
	return row->at - line->base + line->boot->base;
}

static struct json_object *stamps(const struct timeline *line)
{
	struct json_object *array = json_object_new_array();
	char buf[16];

	for (size_t i = 0; i < line->row_count; i++) {
		const struct timeline_row *row = &line->rows[i];
		struct json_object *stamp = json_object_new_object();

		add(stamp, "id", json_object_new_int64(row->id));
		add(stamp, "name", text(timeline_row_label(line, row, buf)));
		add(stamp, "time_ns", time_of(line, row->at));
		report_json_add_hex(stamp, "tick", tick_of(line, row));
		add(stamp, "source", text(line->boot->source));
		add(stamp, "is_base", json_object_new_boolean(row->is_base));
		json_object_array_add(array, stamp);
	}
	return array;
}

static struct json_object *span_object(const struct timeline_entry *entry)
{
	struct json_object *span = json_object_new_object();
	bool known = entry->axis != AXIS_TICKS;

	add(span, "name", text(entry->name));
	add(span, "start_ns", known ? json_object_new_int64((int64_t)entry->start) : NULL);
	add(span, "duration_ns", known ? json_object_new_int64((int64_t)entry->length) : NULL);
	add(span, "source", text(entry->source));
	add(span, "doubtful", text(entry->doubtful));
	add(span, "depth", json_object_new_int64(entry->depth));
	add(span, "of_stamps", json_object_new_boolean(entry->of_stamps));
	add(span, "clock", text(entry->axis == AXIS_KERNEL ? "kernel" : "counter"));
	return span;
}

static struct json_object *spans(const struct timeline *line)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < line->entry_count; i++)
		json_object_array_add(array, span_object(&line->entries[i]));
	return array;
}

/* Stamps of another boot: ticks since that boot's base, with their sign. */
static struct json_object *other_stamps(const struct hadal_stamps *from)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < from->count; i++) {
		struct json_object *stamp = json_object_new_object();

		add(stamp, "id", json_object_new_int64(from->at[i].id));
		report_json_add_hex(stamp, "tick", (uint64_t)from->at[i].ticks);
		json_object_array_add(array, stamp);
	}
	return array;
}

static struct json_object *companion(const struct hadal_boot *boot)
{
	struct json_object *obj;

	if (!boot->has_companion)
		return NULL;
	obj = json_object_new_object();
	add(obj, "generation", json_object_new_int64(boot->generation));
	add(obj, "resumed", json_object_new_boolean(boot->resumed));
	add(obj, "counter", json_object_new_int64(boot->counter));
	add(obj, "refused", json_object_new_int64(boot->refused));
	return obj;
}

static int write_json(const struct timeline *line, const struct report_out *out)
{
	const struct hadal_boot *boot = line->boot;
	struct json_object *doc = report_json_begin("boot", true);
	int ret;

	add(doc, "origin", text(line->shifted ? "earliest stamp" : "counter zero"));
	add(doc, "tick_khz", line->khz ? json_object_new_int64(line->khz) : NULL);
	add(doc, "tick_khz_from", text(line->khz_from));
	report_json_add_hex(doc, "base_tick", boot->base);
	add(doc, "counter_zero_ns", json_object_new_int64(timeline_shift_ns(line)));
	add(doc, "kernel_zero_ns",
	    boot->has_kernel_zero ? json_object_new_int64(boot->kernel_zero_ns) : NULL);
	add(doc, "apart", *boot->apart ? text(boot->apart) : NULL);
	add(doc, "stamps_doubtful", *boot->stamps_doubtful ? text(boot->stamps_doubtful) : NULL);
	add(doc, "sources", sources(boot));
	add(doc, "stamps", boot->has_stamps ? stamps(line) : json_object_new_array());
	add(doc, "spans", spans(line));
	add(doc, "dropped", boot->has_companion ? json_object_new_int64(boot->dropped) : NULL);
	add(doc, "companion", companion(boot));
	add(doc, "leftovers", other_stamps(&boot->leftovers));
	add(doc, "presuspend", other_stamps(&boot->presuspend));
	add(doc, "damage", lines(&boot->damage));
	add(doc, "notes", lines(&boot->notes));
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}

static int list_json(const struct hadal_boot *boot, const struct report_out *out)
{
	struct json_object *doc = report_json_begin("boot list", true);
	struct json_object *array = json_object_new_array();
	char buf[24];
	int ret;

	for (size_t i = 0; i < boot->directory_count; i++) {
		const struct hadal_cbmem_entry *entry = &boot->directory[i];
		struct json_object *obj = json_object_new_object();

		add(obj, "name", text(hadal_cbmem_label(entry->id, buf)));
		report_json_add_hex(obj, "id", entry->id);
		if (entry->has_address)
			report_json_add_hex(obj, "address", entry->address);
		else
			add(obj, "address", NULL);
		add(obj, "bytes", json_object_new_int64(entry->size));
		add(obj, "in_table", json_object_new_boolean(entry->in_table));
		add(obj, "in_directory", json_object_new_boolean(entry->in_directory));
		json_object_array_add(array, obj);
	}
	add(doc, "entries", array);
	add(doc, "damage", lines(&boot->damage));
	add(doc, "notes", lines(&boot->notes));
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}

const struct boot_writer boot_writer_json = {
	.name = "json",
	.plain = true,
	.write = write_json,
	.list = list_json,
};
