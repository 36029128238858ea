// SPDX-License-Identifier: MIT
/* Judges metric sets: which blocks apply, and what the kernel would say to their registers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/oa_file.h"

static struct hadal_oa_value known(uint64_t value)
{
	return (struct hadal_oa_value){ .kind = HADAL_OA_INTEGER, .integer = value };
}

static void set_variable(struct hadal_oa_device *device, const char *name, uint64_t value)
{
	device->variables[hadal_oa_variable(name)] = known(value);
}

static uint64_t all_subslices(uint64_t slices, uint32_t per_slice)
{
	uint64_t mask = 0;

	for (uint32_t slice = 0; (slice + 1) * per_slice <= 64; slice++)
		if (slices >> slice & 1)
			mask |= ((UINT64_C(1) << per_slice) - 1) << slice * per_slice;
	return mask;
}

void hadal_oa_device_of(const struct hadal_oa_question *question,
			const struct oa_generation *generation, struct hadal_oa_device *device)
{
	char name[] = "GtSlice0";

	if (question->device) {
		*device = *question->device;
		return;
	}
	memset(device, 0, sizeof(*device));
	if (question->has_revision)
		set_variable(device, "SkuRevisionId", question->revision);
	if (!question->has_slices)
		return;
	set_variable(device, "SliceMask", question->slices);
	for (int i = 0; i < 8; i++) {
		name[7] = (char)('0' + i);
		set_variable(device, name, question->slices >> i & 1);
	}
	if (generation)
		set_variable(device, "SubsliceMask",
			     all_subslices(question->slices, generation->subslices_per_slice));
}

static bool may_apply(const struct hadal_oa_file *file, const struct hadal_oa_block *block,
		      const struct hadal_oa_device *device)
{
	static const uint64_t raw[HADAL_OA_RAW_VALUES];
	struct hadal_oa_value value;

	if (!block->available.count)
		return true;
	value = hadal_oa_run(file, block->available, device, raw, NULL);
	switch (value.kind) {
	case HADAL_OA_INTEGER:
		return value.integer != 0;
	case HADAL_OA_REAL:
		return value.real != 0;
	default:
		return true;
	}
}

static int compare_priority(const void *a, const void *b, void *blocks)
{
	const struct hadal_oa_block *list = blocks;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (list[x].priority != list[y].priority)
		return list[x].priority < list[y].priority ? -1 : 1;
	return x < y ? -1 : x > y;
}

uint32_t hadal_oa_combine(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
			  enum oa_class cls, const struct hadal_oa_device *device, uint32_t *order)
{
	uint32_t end = set->first_block + set->block_count;
	uint32_t count = 0;

	for (uint32_t b = set->first_block; b < end; b++)
		if (file->blocks[b].cls == cls && may_apply(file, &file->blocks[b], device))
			order[count++] = b;
	qsort_r(order, count, sizeof(*order), compare_priority, file->blocks);
	return count;
}

/*
 * struct judge - one set in judgement
 * @order: room for the blocks of one class
 * @base: registers of the classes before, which xe has in the same array
 */
struct judge {
	struct oa_file *file;
	const struct hadal_oa_set *set;
	struct hadal_oa_result *result;
	struct hadal_oa_device device;
	uint32_t *order;
	uint32_t room;
	uint32_t base;
};

static int add_refusal(struct judge *j, const struct oa_refusal *why, uint32_t line)
{
	struct hadal_oa_result *result = j->result;

	if (result->refusal_count == j->room) {
		uint32_t room = j->room ? j->room * 2 : 8;
		void *moved = reallocarray(result->refusals, room, sizeof(*result->refusals));

		if (!moved)
			return -ENOMEM;
		result->refusals = moved;
		j->room = room;
	}
	result->refusals[result->refusal_count++] = (struct hadal_oa_refusal){ *why, line };
	return 0;
}

static int judge_block(struct judge *j, const struct hadal_oa_block *block)
{
	const struct hadal_oa_register *reg = &j->file->pub.registers[block->first_register];
	uint32_t *count = &j->result->counts[block->cls];
	struct oa_refusal why;
	int ret = 0;

	for (uint32_t i = 0; ret == 0 && i < block->register_count; i++, reg++, (*count)++) {
		if (oa_config_check_address(j->result->rules, block->cls, j->base + *count,
					    reg->address, &why) != OA_ACCEPTED)
			ret = add_refusal(j, &why, oa_file_line(j->file, reg->offset));
	}
	return ret;
}

static uint32_t count_registers(const struct judge *j, uint32_t blocks)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < blocks; i++)
		count += j->file->pub.blocks[j->order[i]].register_count;
	return count;
}

static int judge_class(struct judge *j, enum oa_class cls)
{
	uint32_t blocks = hadal_oa_combine(&j->file->pub, j->set, cls, &j->device, j->order);
	uint32_t count = count_registers(j, blocks);
	struct oa_refusal why;
	int ret = 0;

	if (oa_config_check_class(j->result->rules, cls, count, &why) != OA_ACCEPTED) {
		j->result->counts[cls] = count;
		return add_refusal(j, &why, j->set->line);
	}
	for (uint32_t i = 0; ret == 0 && i < blocks; i++)
		ret = judge_block(j, &j->file->pub.blocks[j->order[i]]);
	if (j->result->rules->one_array)
		j->base += j->result->counts[cls];
	return ret;
}

static int judge_uuid(struct judge *j)
{
	const char *uuid = j->set->hw_config_guid ? j->set->hw_config_guid : "";
	struct oa_refusal why;

	if (oa_config_check_uuid(uuid, strlen(uuid), &why) == OA_ACCEPTED)
		return 0;
	return add_refusal(j, &why, j->set->line);
}

static int judge_emptiness(struct judge *j)
{
	const uint32_t *counts = j->result->counts;
	struct oa_refusal why = { .reason = OA_REASON_EMPTY };

	if (counts[OA_CLASS_MUX] || counts[OA_CLASS_BOOLEAN] || counts[OA_CLASS_FLEX])
		return 0;
	if (j->set->damaged)
		return 0;
	/* The driver looks for it before the UUID, so it comes first. */
	j->result->refusal_count = 0;
	return add_refusal(j, &why, j->set->line);
}

static int judge(struct judge *j)
{
	int ret = judge_uuid(j);

	for (int cls = 0; ret == 0 && cls < OA_CLASSES; cls++)
		ret = judge_class(j, (enum oa_class)cls);
	return ret == 0 ? judge_emptiness(j) : ret;
}

int hadal_oa_check(struct hadal_oa_file *file, const struct hadal_oa_set *set,
		   const struct hadal_oa_question *question, struct hadal_oa_result *result)
{
	struct judge j = { .file = oa_file_of(file), .set = set, .result = result };
	int ret;

	memset(result, 0, sizeof(*result));
	result->verdict = HADAL_OA_UNJUDGED;
	result->generation = question->generation ? question->generation : set->generation;
	if (!result->generation)
		return 0;
	result->rules = oa_generation_rules(result->generation);
	if (question->by_xe && result->generation->xe)
		result->rules = result->generation->xe;
	j.order = calloc(set->block_count + 1, sizeof(*j.order));
	if (!j.order)
		return -ENOMEM;
	hadal_oa_device_of(question, result->generation, &j.device);
	ret = judge(&j);
	free(j.order);
	if (ret < 0) {
		hadal_oa_result_free(result);
		return ret;
	}
	if (!set->damaged)
		result->verdict = result->refusal_count ? HADAL_OA_REFUSED : HADAL_OA_ACCEPTED;
	return 0;
}

void hadal_oa_result_free(struct hadal_oa_result *result)
{
	free(result->refusals);
	result->refusals = NULL;
	result->refusal_count = 0;
}
