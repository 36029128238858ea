// SPDX-License-Identifier: MIT
/*
 * Device variables from facts, the topology above all: struct drm_i915_query_topology_info, 16 bytes
 * of u16 in the machine's order, then masks of slices, of each slice's subslices, of each
 * subslice's EUs.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "hadal/oa_device.h"

#define HEADER_BYTES 16

struct topology {
	const uint8_t *data; /* behind the header */
	size_t bytes;
	uint32_t slices;
	uint32_t subslices;
	uint32_t eus;
	uint32_t subslice_offset;
	uint32_t subslice_stride;
	uint32_t eu_offset;
	uint32_t eu_stride;
};

static uint32_t load_u16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Takes the header; false if the masks are not all there or too short for what they stand for. */
static bool topology_open(struct topology *t, const struct hadal_oa_facts *facts)
{
	const uint8_t *head = facts->topology;
	uint64_t subslice_end, eu_end;

	if (facts->topology_bytes < HEADER_BYTES ||
	    facts->topology_bytes > sizeof(facts->topology) || load_u16(head))
		return false;
	*t = (struct topology){
		.data = head + HEADER_BYTES,
		.bytes = facts->topology_bytes - HEADER_BYTES,
		.slices = load_u16(head + 2),
		.subslices = load_u16(head + 4),
		.eus = load_u16(head + 6),
		.subslice_offset = load_u16(head + 8),
		.subslice_stride = load_u16(head + 10),
		.eu_offset = load_u16(head + 12),
		.eu_stride = load_u16(head + 14),
	};
	subslice_end = t->subslice_offset + (uint64_t)t->slices * t->subslice_stride;
	eu_end = t->eu_offset + (uint64_t)t->slices * t->subslices * t->eu_stride;
	return t->bytes >= (t->slices + 7) / 8 && t->bytes >= subslice_end && t->bytes >= eu_end &&
	       t->subslice_stride >= (t->subslices + 7) / 8 && t->eu_stride >= (t->eus + 7) / 8;
}

static bool has_bit(const uint8_t *mask, uint32_t bit)
{
	return mask[bit / 8] >> bit % 8 & 1;
}

static bool has_slice(const struct topology *t, uint32_t slice)
{
	return has_bit(t->data, slice);
}

static bool has_subslice(const struct topology *t, uint32_t slice, uint32_t subslice)
{
	return has_slice(t, slice) &&
	       has_bit(t->data + t->subslice_offset + slice * t->subslice_stride, subslice);
}

static uint32_t count_eus(const struct topology *t, uint32_t slice, uint32_t subslice)
{
	const uint32_t place = (slice * t->subslices + subslice) * t->eu_stride;
	uint32_t count = 0;

	for (uint32_t eu = 0; eu < t->eus; eu++)
		count += has_bit(t->data + t->eu_offset + place, eu);
	return count;
}

static void set(struct hadal_oa_device *device, const char *name, uint64_t value)
{
	const int index = hadal_oa_variable(name);

	if (index >= 0)
		device->variables[index] =
			(struct hadal_oa_value){ .kind = HADAL_OA_INTEGER, .integer = value };
}

/* Variables by place, such as GtSlice1XeCore3; 0 for what is not there, as far as names go. */
static void set_place(struct hadal_oa_device *device, const char *what, uint32_t slice, uint32_t n,
		      bool present)
{
	char name[40];

	snprintf(name, sizeof(name), "GtSlice%u%s%u", slice, what, n);
	set(device, name, present);
}

/*
 * struct shape - how subslices are counted off
 * @per_slice: bits that a slice has in the mask of subslices
 * @flat: subslices of one real slice; the kernel tells all as those of slice 0. 0 where it does not
 */
struct shape {
	uint32_t per_slice;
	uint32_t flat;
};

static bool is_one_of(const struct oa_generation *generation, const char *list)
{
	return generation && strstr(list, generation->name);
}

static struct shape shape_of(const struct oa_generation *generation)
{
	return (struct shape){
		.per_slice = generation ? generation->subslices_per_slice : 8,
		/* From graphics 12.50 on; Xe_HP slices have four cores, PVC's eight. */
		.flat = is_one_of(generation, "dg2 mtl") ? 4 :
			is_one_of(generation, "pvc")	 ? 8 :
							   0,
	};
}

/* Sums over all that is present. */
struct sums {
	uint64_t slice_mask;
	uint64_t subslice_mask;
	uint32_t subslices;
	uint32_t eus;
};

static void add_subslice(struct sums *sums, const struct topology *t, const struct shape *shape,
			 uint32_t slice, uint32_t subslice)
{
	uint32_t bit = slice * shape->per_slice + subslice;

	if (shape->flat) {
		const uint32_t all = slice * t->subslices + subslice;

		bit = all;
		slice = all / shape->flat;
	}
	if (slice < 64)
		sums->slice_mask |= UINT64_C(1) << slice;
	if (bit < 64)
		sums->subslice_mask |= UINT64_C(1) << bit;
	sums->subslices++;
}

static void add_up(struct sums *sums, const struct topology *t, const struct shape *shape)
{
	for (uint32_t slice = 0; slice < t->slices; slice++) {
		for (uint32_t sub = 0; sub < t->subslices; sub++) {
			if (!has_subslice(t, slice, sub))
				continue;
			add_subslice(sums, t, shape, slice, sub);
			sums->eus += count_eus(t, slice, sub);
		}
	}
}

static uint32_t bits(uint64_t mask)
{
	return (uint32_t)__builtin_popcountll(mask);
}

static void set_places(struct hadal_oa_device *device, const struct sums *sums,
		       const struct shape *shape)
{
	const uint32_t per_slice = shape->flat ? shape->flat : shape->per_slice;
	char name[16];

	for (uint32_t slice = 0; slice < 8; slice++) {
		snprintf(name, sizeof(name), "GtSlice%u", slice);
		set(device, name, sums->slice_mask >> slice & 1);
		for (uint32_t n = 0; n < 16; n++) {
			const uint32_t bit = slice * per_slice + n;
			const bool present =
				n < per_slice && bit < 64 && sums->subslice_mask >> bit & 1;

			set_place(device, "XeCore", slice, n, present);
			set_place(device, "DualSubslice", slice, n, present);
		}
	}
}

static void set_sums(struct hadal_oa_device *device, const struct sums *sums)
{
	static const char *const subslice_counts[] = { "EuSubslicesTotalCount",
						       "XeCoreTotalCount" };
	static const char *const subslice_masks[] = { "SubsliceMask", "DualSubsliceMask",
						      "XeCoreMask" };

	for (int i = 0; i < 2; i++)
		set(device, subslice_counts[i], sums->subslices);
	for (int i = 0; i < 3; i++)
		set(device, subslice_masks[i], sums->subslice_mask);
	set(device, "SliceMask", sums->slice_mask);
	set(device, "EuSlicesTotalCount", bits(sums->slice_mask));
	set(device, "SliceTotalCount", bits(sums->slice_mask));
	set(device, "EuCoresTotalCount", sums->eus);
	set(device, "VectorEngineTotalCount", sums->eus);
}

/* Threads of one EU, by generation. */
static void set_threads(struct hadal_oa_device *device, const struct oa_generation *generation)
{
	uint32_t threads = 7;

	if (!generation)
		return;
	if (is_one_of(generation, "bxt glk"))
		threads = 6;
	else if (is_one_of(generation, "dg2 mtl pvc lnl bmg ptl"))
		threads = 8;
	set(device, "EuThreadsCount", threads);
	set(device, "VectorEngineThreadsCount", threads);
}

static void set_numbers(struct hadal_oa_device *device, const struct hadal_oa_facts *facts)
{
	set(device, "SkuRevisionId", facts->revision);
	if (facts->timestamp_hz)
		set(device, "GpuTimestampFrequency", facts->timestamp_hz);
	if (facts->min_mhz)
		set(device, "GpuMinFrequency", (uint64_t)facts->min_mhz * 1000000);
	if (facts->max_mhz)
		set(device, "GpuMaxFrequency", (uint64_t)facts->max_mhz * 1000000);
}

int hadal_oa_facts_variables(const struct hadal_oa_facts *facts,
			     const struct oa_generation *generation, struct hadal_oa_device *device)
{
	const struct shape shape = shape_of(generation);
	struct sums sums = { 0 };
	struct topology t;

	memset(device, 0, sizeof(*device));
	set_numbers(device, facts);
	set_threads(device, generation);
	if (facts->topology_bytes == 0)
		return 0;
	if (!topology_open(&t, facts))
		return -EINVAL;
	add_up(&sums, &t, &shape);
	set_sums(device, &sums);
	set_places(device, &sums, &shape);
	return 0;
}
