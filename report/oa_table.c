// SPDX-License-Identifier: MIT
/* Metric sets and verdicts as text. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "report/oa.h"

/* Refusals shown per set unless all are asked for. */
#define SHORT_LIST 3

const char *report_oa_class(enum oa_class cls)
{
	static const char *const names[OA_CLASSES] = { "mux", "boolean", "flex" };

	return names[cls];
}

const char *report_oa_reason(enum oa_reason reason)
{
	switch (reason) {
	case OA_REASON_EMPTY:
		return "empty";
	case OA_REASON_UUID:
		return "uuid";
	case OA_REASON_NO_ARRAY:
		return "no_array";
	case OA_REASON_TOO_MANY:
		return "too_many";
	case OA_REASON_NO_CLASS:
		return "no_class";
	case OA_REASON_OTHER_CLASS:
		return "other_class";
	case OA_REASON_ADDRESS:
		return "address";
	default:
		return "accepted";
	}
}

const char *report_oa_verdict(enum hadal_oa_verdict verdict)
{
	switch (verdict) {
	case HADAL_OA_ACCEPTED:
		return "accepted";
	case HADAL_OA_REFUSED:
		return "refused";
	default:
		return "unjudged";
	}
}

const char *report_oa_driver(const struct hadal_oa_result *result)
{
	if (!result->rules)
		return "";
	return result->rules == result->generation->i915 ? "i915" : "xe";
}

static const char *verdict_color(enum hadal_oa_verdict verdict, const struct report_out *out)
{
	static const char *const colors[] = { "\033[32m", "\033[31m", "\033[33m" };

	return out->color ? colors[verdict] : "";
}

static const char *color_end(const struct report_out *out)
{
	return out->color ? "\033[0m" : "";
}

static void write_range(FILE *f, const struct oa_range *range)
{
	fprintf(f, "0x%08" PRIx32, range->first);
	if (range->last != range->first)
		fprintf(f, "-0x%08" PRIx32, range->last);
}

static void write_reason(FILE *f, const struct oa_refusal *why, const struct hadal_oa_set *set)
{
	const char *cls = report_oa_class(why->cls);

	switch (why->reason) {
	case OA_REASON_EMPTY:
		fputs("no registers apply: there is nothing to add", f);
		break;
	case OA_REASON_UUID:
		if (set->hw_config_guid)
			fprintf(f, "UUID is malformed from character %" PRIu32 " on",
				why->index + 1);
		else
			fputs("no hw_config_guid: a set without a UUID cannot be added", f);
		break;
	case OA_REASON_TOO_MANY:
		fprintf(f, "more than %u %s registers", OA_CONFIG_MAX_REGISTERS, cls);
		break;
	case OA_REASON_NO_CLASS:
		fprintf(f, "this GPU has no %s registers", cls);
		break;
	case OA_REASON_OTHER_CLASS:
		fprintf(f, "%s[%" PRIu32 "] 0x%08" PRIx32 ": belongs to %s", cls, why->index,
			why->address, report_oa_class(why->allowed_class));
		break;
	default:
		fprintf(f, "%s[%" PRIu32 "] 0x%08" PRIx32 ": not allowed", cls, why->index,
			why->address);
		break;
	}
	if (why->nearest) {
		fputs("; nearest ", f);
		write_range(f, why->nearest);
	}
}

void report_oa_write_refusals(const struct hadal_oa_result *result, const struct hadal_oa_set *set,
			      bool all, FILE *f)
{
	uint32_t shown = result->refusal_count;

	if (!all && shown > SHORT_LIST)
		shown = SHORT_LIST;
	for (uint32_t i = 0; i < shown; i++) {
		fprintf(f, "         line %" PRIu32 ": ", result->refusals[i].line);
		write_reason(f, &result->refusals[i].why, set);
		fputc('\n', f);
	}
	if (shown < result->refusal_count)
		fprintf(f, "         and %" PRIu32 " more (-v shows all)\n",
			result->refusal_count - shown);
}

static void write_rules(const struct hadal_oa_result *result, FILE *f)
{
	if (result->generation)
		fprintf(f, "rules of %s (%s)", result->generation->name, report_oa_driver(result));
	else
		fputs("GPU not known", f);
}

static void write_heading(const struct oa_report *report, const struct oa_checked *checked,
			  const struct hadal_oa_result *result, FILE *f)
{
	const struct hadal_oa_question *question = report->question;

	fprintf(f, "%s, ", checked->file->path);
	write_rules(result, f);
	if (question->has_revision)
		fprintf(f, ", revision 0x%" PRIx64, question->revision);
	if (question->has_slices)
		fprintf(f, ", slices 0x%" PRIx64, question->slices);
	fputs("\n", f);
	fprintf(f, "%-8s %-36s %-9s SET\n", "VERDICT", "UUID", "REGISTERS");
}

static void write_set(const struct oa_report *report, const struct hadal_oa_set *set,
		      const struct hadal_oa_result *result, const struct report_out *out)
{
	char counts[40];

	snprintf(counts, sizeof(counts), "%" PRIu32 "/%" PRIu32 "/%" PRIu32,
		 result->counts[OA_CLASS_MUX], result->counts[OA_CLASS_BOOLEAN],
		 result->counts[OA_CLASS_FLEX]);
	fprintf(out->file, "%s%-8s%s %-36s %-9s %s\n", verdict_color(result->verdict, out),
		report_oa_verdict(result->verdict), color_end(out),
		set->hw_config_guid ? set->hw_config_guid : "-", counts, hadal_oa_set_name(set));
	report_oa_write_refusals(result, set, report->all_refusals, out->file);
}

void report_oa_check_table(const struct oa_report *report, const struct report_out *out)
{
	uint32_t totals[3] = { 0, 0, 0 };
	uint32_t sets;

	for (size_t i = 0; i < report->file_count; i++) {
		const struct oa_checked *checked = &report->files[i];

		for (uint32_t s = 0; s < checked->file->set_count; s++) {
			const struct hadal_oa_result *result = &checked->results[s];

			if (s == 0 || result->generation != checked->results[s - 1].generation)
				write_heading(report, checked, result, out->file);
			write_set(report, &checked->file->sets[s], result, out);
			totals[result->verdict]++;
		}
		if (checked->file->set_count)
			fputc('\n', out->file);
	}
	sets = totals[0] + totals[1] + totals[2];
	fprintf(out->file,
		"%" PRIu32 " set%s: %" PRIu32 " accepted, %" PRIu32 " refused, %" PRIu32
		" not judged\n",
		sets, report_plural(sets), totals[HADAL_OA_ACCEPTED], totals[HADAL_OA_REFUSED],
		totals[HADAL_OA_UNJUDGED]);
}

/* --- show -------------------------------------------------------------------------------- */

static void write_field(FILE *f, const char *name, const char *text)
{
	if (text)
		fprintf(f, "  %-10s %s\n", name, text);
}

static void write_set_fields(const struct oa_checked *checked, const struct hadal_oa_set *set,
			     const struct hadal_oa_result *result, FILE *f)
{
	fprintf(f, "%s\n", hadal_oa_set_name(set));
	write_field(f, "name", set->name);
	write_field(f, "underscore", set->underscore_name);
	fprintf(f, "  %-10s %s:%" PRIu32 "\n", "file", checked->file->path, set->line);
	write_field(f, "chipset", set->chipset);
	write_field(f, "uuid", set->hw_config_guid);
	write_field(f, "oa_format", set->oa_format);
	write_field(f, "apis", set->mdapi_supported_apis);
	fprintf(f, "  %-10s %s, ", "verdict", report_oa_verdict(result->verdict));
	write_rules(result, f);
	fputc('\n', f);
	report_oa_write_refusals(result, set, true, f);
}

static void write_register(const struct hadal_oa_register *reg, bool masked, FILE *f)
{
	uint32_t value = masked ? oa_config_mask(reg->address, reg->value) : reg->value;

	fprintf(f, "    0x%08" PRIx32 " 0x%08" PRIx32, reg->address, reg->value);
	if (value != reg->value)
		fprintf(f, " (written as 0x%08" PRIx32 ")", value);
	fputc('\n', f);
}

static void write_block(const struct hadal_oa_file *file, const struct hadal_oa_block *block,
			const struct hadal_oa_result *result, FILE *f)
{
	bool masked = result->rules && !result->rules->one_array;

	fprintf(f, "  %s, %" PRIu32 " register%s", report_oa_class(block->cls),
		block->register_count, report_plural(block->register_count));
	if (block->id)
		fprintf(f, ", id %s", block->id);
	if (block->priority_text)
		fprintf(f, ", priority %" PRIu32, block->priority);
	if (block->availability)
		fprintf(f, ", if %s", block->availability);
	fputc('\n', f);
	for (uint32_t i = 0; i < block->register_count; i++)
		write_register(&file->registers[block->first_register + i], masked, f);
}

/* The blocks that apply, class by class, in the order in which they are joined. */
static int write_blocks(const struct oa_report *report, const struct hadal_oa_file *file,
			const struct hadal_oa_set *set, const struct hadal_oa_result *result,
			FILE *f)
{
	uint32_t *order = calloc(set->block_count + 1, sizeof(*order));
	struct hadal_oa_device device;
	uint32_t applied = 0;

	if (!order)
		return -ENOMEM;
	hadal_oa_device_of(report->question, result->generation, &device);
	fputs("registers, in the order they are written\n", f);
	for (int cls = 0; cls < OA_CLASSES; cls++) {
		uint32_t count = hadal_oa_combine(file, set, (enum oa_class)cls, &device, order);

		for (uint32_t i = 0; i < count; i++)
			write_block(file, &file->blocks[order[i]], result, f);
		applied += count;
	}
	if (applied < set->block_count)
		fprintf(f,
			"  left out, for not applying to this GPU: %" PRIu32 " of %" PRIu32
			" blocks\n",
			set->block_count - applied, set->block_count);
	free(order);
	return 0;
}

static void write_counter(const struct hadal_oa_counter *counter, FILE *f)
{
	fprintf(f, "  %s: %s\n", counter->symbol_name ? counter->symbol_name : "-",
		counter->name ? counter->name : "-");
	fprintf(f, "    %s, %s, %s", counter->data_type ? counter->data_type : "-",
		counter->units ? counter->units : "-",
		counter->semantic_type ? counter->semantic_type : "-");
	if (counter->low_watermark || counter->high_watermark)
		fprintf(f, ", watermarks %s %s",
			counter->low_watermark ? counter->low_watermark : "-",
			counter->high_watermark ? counter->high_watermark : "-");
	fputc('\n', f);
	if (counter->description)
		fprintf(f, "    %s\n", counter->description);
	fprintf(f, "    value %s%s\n", counter->equation ? counter->equation : "-",
		counter->value.count ? "" : " (not usable)");
	if (counter->max_equation)
		fprintf(f, "    maximum %s\n", counter->max_equation);
	if (counter->availability)
		fprintf(f, "    available if %s\n", counter->availability);
}

int report_oa_show_table(const struct oa_report *report, const struct oa_shown *sets, size_t count,
			 const struct report_out *out)
{
	for (size_t i = 0; i < count; i++) {
		const struct oa_checked *checked = sets[i].checked;
		const struct hadal_oa_file *file = checked->file;
		const struct hadal_oa_set *set = &file->sets[sets[i].set];
		const struct hadal_oa_result *result = &checked->results[sets[i].set];

		if (i)
			fputc('\n', out->file);
		write_set_fields(checked, set, result, out->file);
		if (write_blocks(report, file, set, result, out->file) < 0)
			return -ENOMEM;
		fputs("counters\n", out->file);
		for (uint32_t c = 0; c < set->counter_count; c++)
			write_counter(&file->counters[set->first_counter + c], out->file);
	}
	return 0;
}
