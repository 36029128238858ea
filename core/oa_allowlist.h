/* SPDX-License-Identifier: MIT */
/*
 * Which registers a run-time OA configuration may write, per GPU generation and driver, as data.
 *
 * To add a range: extend (or add) a table in oa_allowlist.c, kept sorted and without overlap. To
 * add a generation: one entry in its generation table.
 */
#ifndef HADAL_CORE_OA_ALLOWLIST_H
#define HADAL_CORE_OA_ALLOWLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The three kinds of register in a configuration, in the order in which the driver judges them. */
enum oa_class {
	OA_CLASS_MUX,	  /* NOA network */
	OA_CLASS_BOOLEAN, /* B and C counter logic */
	OA_CLASS_FLEX,	  /* EU_PERF_CNTL */
	OA_CLASSES
};

/* Addresses @first to @last, both included. Alignment plays no part in it. */
struct oa_range {
	uint32_t first;
	uint32_t last;
};

/* @count sorted ranges that do not overlap. The length is the only end: there is no terminator. */
struct oa_table {
	const struct oa_range *ranges;
	uint32_t count;
};

/*
 * struct oa_rules - what one driver accepts on one family of GPUs
 * @allowed: one table per class; an empty table means that the class does not exist there
 * @one_array: the xe driver: one array holds all classes, and each register may be of any
 */
struct oa_rules {
	struct oa_table allowed[OA_CLASSES];
	bool one_array;
};

/*
 * struct oa_generation - one value of `gen`
 * @name: lower case, such as "skl"
 * @i915, @xe: the rules of each driver, NULL if the driver has no OA for this GPU
 * @subslices_per_slice: bits that each slice has in the subslice mask (3 before gen11, then 8)
 */
struct oa_generation {
	const char *name;
	const struct oa_rules *i915;
	const struct oa_rules *xe;
	uint32_t subslices_per_slice;
};

/* All generations, oldest first. */
extern const struct oa_generation oa_generations[];
extern const uint32_t oa_generation_count;

/*
 * The generation of a name in either case: a generation's own ("skl"), a sibling's that shares
 * its rules ("cml", "jsl", "rpl", "arl"), or a chipset with its variant as metric files write it
 * ("SKLGT2", "ACMGT1"). Returns NULL if there is none.
 */
const struct oa_generation *oa_generation_find(const char *name);

/* The rules for @gen: i915's where that driver knows the GPU, else xe's. Never NULL. */
const struct oa_rules *oa_generation_rules(const struct oa_generation *gen);

/* True if @address lies in @table. */
bool oa_table_has(const struct oa_table *table, uint32_t address);

/*
 * The range of @table closest to @address; of two equally close the lower one. Returns NULL if
 * the table is empty.
 */
const struct oa_range *oa_table_nearest(const struct oa_table *table, uint32_t address);

#endif
