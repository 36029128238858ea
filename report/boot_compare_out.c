// SPDX-License-Identifier: MIT
/* A comparison for people and for programs. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "report/boot_compare.h"

/* Rounded to the nearest microsecond, with a sign where it is a change. */
static void put_ms(int64_t ns, bool sign, FILE *file)
{
	uint64_t us = ((uint64_t)llabs(ns) + 500) / 1000;
	char text[32];

	snprintf(text, sizeof(text), "%s%" PRIu64 ".%03" PRIu64,
		 ns < 0 && us ? "-" :
		 sign && us   ? "+" :
				"",
		 us / 1000, us % 1000);
	fprintf(file, " %11s", text);
}

static void put_percent(const struct compare_row *row, FILE *file)
{
	if (row->ns[0] > 0)
		fprintf(file, " %+7.1f", (double)row->change * 100 / (double)row->ns[0]);
	else
		fprintf(file, " %7s", "");
}

static void put_row(const struct compare *cmp, const struct compare_row *row,
		    const struct report_out *out)
{
	const char *color = row->change > 0 ? "\033[31m" : "\033[32m";

	if (cmp->count == 2) {
		put_ms(row->ns[0], false, out->file);
		put_ms(row->ns[1], false, out->file);
	} else {
		put_ms(row->min, false, out->file);
		put_ms(row->mean, false, out->file);
		put_ms(row->max, false, out->file);
		put_ms(row->deviation, false, out->file);
	}
	if (out->color && row->change)
		fputs(color, out->file);
	put_ms(row->change, true, out->file);
	put_percent(row, out->file);
	if (out->color && row->change)
		fputs("\033[0m", out->file);
	fprintf(out->file, "  %s", row->name);
	if (row->entry && !row->entry->of_stamps)
		fprintf(out->file, " (%s)", row->source);
	fputc('\n', out->file);
}

static void put_head(const struct compare *cmp, const struct report_out *out)
{
	for (size_t i = 0; i < cmp->count; i++)
		fprintf(out->file, "%c  %s\n", i < 26 ? 'A' + (char)i : '+', cmp->names[i]);
	if (cmp->count == 2)
		fprintf(out->file, "\n %11s %11s", "A ms", "B ms");
	else
		fprintf(out->file, "\n %11s %11s %11s %11s", "MIN ms", "MEAN ms", "MAX ms",
			"DEVIATION");
	fprintf(out->file, " %11s %7s  WHAT\n", "CHANGE ms", "%");
}

/* Spans that only some of the boots have. */
static void put_partial(const struct compare *cmp, const struct report_out *out)
{
	bool first = true;

	for (size_t i = 0; i < cmp->row_count; i++) {
		const struct compare_row *row = cmp->rows[i];

		if (row->complete)
			continue;
		if (first)
			fputs("\nNot in all of them:\n", out->file);
		first = false;
		for (size_t boot = 0; boot < cmp->count; boot++) {
			if (row->ns[boot] == COMPARE_MISSING)
				continue;
			put_ms(row->ns[boot], false, out->file);
			fprintf(out->file, " in %c  %s\n", boot < 26 ? 'A' + (char)boot : '+',
				row->name);
		}
	}
}

static int write_table(const struct compare *cmp, const bool *exceeded,
		       const struct report_out *out)
{
	put_head(cmp, out);
	for (size_t i = 0; i < cmp->row_count; i++)
		if (cmp->rows[i]->complete && cmp->rows[i]->max)
			put_row(cmp, cmp->rows[i], out);
	fputc('\n', out->file);
	put_row(cmp, cmp->total, out);
	put_partial(cmp, out);
	if (cmp->left_out)
		fprintf(out->file, "\n%zu span%s left out: doubtful, or before a resume.\n",
			cmp->left_out, report_plural(cmp->left_out));
	if (exceeded)
		fprintf(out->file, "\nThe limit is %s.\n", *exceeded ? "exceeded" : "kept");
	return 0;
}

static void add(struct json_object *obj, const char *key, struct json_object *value)
{
	json_object_object_add(obj, key, value);
}

static struct json_object *row_object(const struct compare *cmp, const struct compare_row *row)
{
	struct json_object *obj = json_object_new_object();
	struct json_object *values = json_object_new_array();
	bool known = row->complete;

	for (size_t i = 0; i < cmp->count; i++)
		json_object_array_add(values, row->ns[i] == COMPARE_MISSING ?
						      NULL :
						      json_object_new_int64(row->ns[i]));
	add(obj, "name", json_object_new_string(row->name));
	add(obj, "source", row->source ? json_object_new_string(row->source) : NULL);
	add(obj, "duration_ns", values);
	add(obj, "change_ns", known ? json_object_new_int64(row->change) : NULL);
	add(obj, "min_ns", known ? json_object_new_int64(row->min) : NULL);
	add(obj, "mean_ns", known ? json_object_new_int64(row->mean) : NULL);
	add(obj, "max_ns", known ? json_object_new_int64(row->max) : NULL);
	add(obj, "deviation_ns", known ? json_object_new_int64(row->deviation) : NULL);
	return obj;
}

static int write_json(const struct compare *cmp, const bool *exceeded, const struct report_out *out)
{
	struct json_object *doc = report_json_begin("boot compare", true);
	struct json_object *boots = json_object_new_array();
	struct json_object *spans = json_object_new_array();
	int ret;

	for (size_t i = 0; i < cmp->count; i++)
		json_object_array_add(boots, json_object_new_string(cmp->names[i]));
	for (size_t i = 0; i < cmp->row_count; i++)
		json_object_array_add(spans, row_object(cmp, cmp->rows[i]));
	add(doc, "boots", boots);
	add(doc, "total", row_object(cmp, cmp->total));
	add(doc, "spans", spans);
	add(doc, "left_out", json_object_new_int64((int64_t)cmp->left_out));
	add(doc, "exceeded", exceeded ? json_object_new_boolean(*exceeded) : NULL);
	ret = report_json_write(doc, out);
	json_object_put(doc);
	return ret;
}

const struct compare_writer compare_writer_table = {
	.name = "table",
	.write = write_table,
};

const struct compare_writer compare_writer_json = {
	.name = "json",
	.plain = true,
	.write = write_json,
};
