// SPDX-License-Identifier: MIT
/* Any bytes as a metric file: read, compared with itself, judged as every generation, evaluated. */
#include <stdlib.h>

#include "hadal/oa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(struct hadal_oa_file *file, const struct hadal_oa_set *set)
{
	struct hadal_oa_question question = { .revision = 2, .slices = 1 };
	struct hadal_oa_result result;

	for (uint32_t i = 0; i <= oa_generation_count; i++) {
		question.generation = i < oa_generation_count ? &oa_generations[i] : NULL;
		question.has_revision = i & 1;
		question.has_slices = i & 2;
		if (hadal_oa_check(file, set, &question, &result) != 0)
			abort();
		if (result.verdict == HADAL_OA_ACCEPTED && result.refusal_count)
			abort();
		hadal_oa_result_free(&result);
	}
}

static void evaluate(const struct hadal_oa_file *file, const struct hadal_oa_set *set)
{
	static const struct hadal_oa_device device;
	static const uint64_t raw[HADAL_OA_RAW_VALUES];
	struct hadal_oa_value *values = calloc(set->counter_count + 1, sizeof(*values));

	if (!values)
		abort();
	hadal_oa_evaluate(file, set, &device, raw, values);
	for (uint32_t i = 0; i < set->counter_count; i++) {
		const struct hadal_oa_counter *counter = &file->counters[set->first_counter + i];

		hadal_oa_run(file, counter->maximum, &device, raw, values);
		hadal_oa_run(file, counter->available, &device, raw, values);
	}
	free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hadal_oa_file *files[2];

	if (hadal_oa_parse("a.xml", data, size, &files[0]) != 0 ||
	    hadal_oa_parse("b.xml", data, size, &files[1]) != 0)
		abort();
	if (files[0]->problem_count > files[0]->problem_total ||
	    files[0]->error_total > files[0]->problem_total)
		abort();
	if (hadal_oa_find_duplicates(files, 2) != 0 || hadal_oa_check_hashes(files, 2) != 0)
		abort();
	for (uint32_t i = 0; i < files[0]->set_count; i++) {
		judge(files[0], &files[0]->sets[i]);
		evaluate(files[0], &files[0]->sets[i]);
	}
	hadal_oa_free(files[0]);
	hadal_oa_free(files[1]);
	return 0;
}
