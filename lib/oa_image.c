// SPDX-License-Identifier: MIT
/* A metric set as a driver takes it: made from a file, compared with what is there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/oa_driver.h"

static uint64_t image_total(const struct hadal_oa_image *image)
{
	uint64_t total = 0;

	for (int cls = 0; cls < OA_CLASSES; cls++)
		total += image->counts[cls];
	return total;
}

int oa_image_reserve(struct hadal_oa_image *image)
{
	image->registers = calloc(image_total(image) + 1, sizeof(*image->registers));
	return image->registers ? 0 : -ENOMEM;
}

struct oa_register *oa_image_class(const struct hadal_oa_image *image, enum oa_class cls)
{
	struct oa_register *registers = image->registers;

	for (int before = 0; before < (int)cls; before++)
		registers += image->counts[before];
	return registers;
}

void hadal_oa_image_free(struct hadal_oa_image *image)
{
	free(image->registers);
	image->registers = NULL;
}

/* Puts the registers of the @blocks in @order behind one another. */
static void copy_blocks(const struct hadal_oa_file *file, const uint32_t *order, uint32_t blocks,
			struct oa_register *to)
{
	for (uint32_t i = 0; i < blocks; i++) {
		const struct hadal_oa_block *block = &file->blocks[order[i]];
		const struct hadal_oa_register *from = &file->registers[block->first_register];

		for (uint32_t r = 0; r < block->register_count; r++)
			*to++ = (struct oa_register){ from[r].address, from[r].value };
	}
}

static int fill(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
		const struct hadal_oa_device *device, uint32_t *order, struct hadal_oa_image *image)
{
	for (int cls = 0; cls < OA_CLASSES; cls++) {
		uint32_t blocks = hadal_oa_combine(file, set, (enum oa_class)cls, device, order);

		image->counts[cls] = 0;
		for (uint32_t i = 0; i < blocks; i++)
			image->counts[cls] += file->blocks[order[i]].register_count;
	}
	if (oa_image_reserve(image) < 0)
		return -ENOMEM;
	for (int cls = 0; cls < OA_CLASSES; cls++) {
		uint32_t blocks = hadal_oa_combine(file, set, (enum oa_class)cls, device, order);

		copy_blocks(file, order, blocks, oa_image_class(image, (enum oa_class)cls));
	}
	return 0;
}

int hadal_oa_image_build(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
			 const struct hadal_oa_device *device, struct hadal_oa_image *image)
{
	uint32_t *order;
	int err;

	memset(image, 0, sizeof(*image));
	if (!set->hw_config_guid || hadal_oa_normal_uuid(set->hw_config_guid, image->uuid) < 0)
		return -EINVAL;
	order = calloc(set->block_count + 1, sizeof(*order));
	if (!order)
		return -ENOMEM;
	err = fill(file, set, device, order, image);
	free(order);
	return err;
}

bool hadal_oa_image_same(const struct hadal_oa_image *wanted, const struct hadal_oa_image *there)
{
	const uint64_t total = image_total(wanted);

	if (memcmp(wanted->counts, there->counts, sizeof(wanted->counts)) != 0)
		return false;
	for (uint64_t i = 0; i < total; i++) {
		const struct oa_register *a = &wanted->registers[i], *b = &there->registers[i];

		if (a->address != b->address || oa_config_mask(a->address, a->value) != b->value)
			return false;
	}
	return true;
}
