/* SPDX-License-Identifier: MIT */
/*
 * Metric sets of Intel GPUs' observation architecture (OA): reading the public XML files, judging
 * each set as the kernel would, and computing counters from raw report differences.
 *
 *	struct hadal_oa_file *file;
 *	struct hadal_oa_result result;
 *
 *	if (hadal_oa_read("oa-skl.xml", &file) == 0) {
 *		for (uint32_t i = 0; i < file->set_count; i++) {
 *			if (hadal_oa_check(file, &file->sets[i], &question, &result) == 0)
 *				hadal_oa_result_free(&result);
 *		}
 *		hadal_oa_free(file);
 *	}
 *
 * Functions return 0 or a negative errno. Nothing here prints. Faults inside a file are no errors
 * of the call: they are listed in the file, each with its line, and all that is sound is there.
 */
#ifndef HADAL_OA_H
#define HADAL_OA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/oa_config.h"

/* Larger files are refused: the largest public one has less than a tenth of this. */
#define HADAL_OA_MAX_FILE_BYTES (64u << 20)

/* Problems kept per file; more are only counted. */
#define HADAL_OA_MAX_PROBLEMS 100u

/* --- equations --------------------------------------------------------------------------- */

/* Groups of raw values: differences between two reports. */
enum hadal_oa_group {
	HADAL_OA_GPU_TIME,
	HADAL_OA_GPU_CLOCK,
	HADAL_OA_A,
	HADAL_OA_B,
	HADAL_OA_C,
	HADAL_OA_PERFCNT,
	HADAL_OA_PEC,
	HADAL_OA_GROUPS
};

/* Room for all groups together, one after the other in the order above. */
#define HADAL_OA_RAW_VALUES 148

/* Most values that an equation may hold at once. */
#define HADAL_OA_STACK 32

/* Device variables an equation can name; see hadal_oa_variable(). */
#define HADAL_OA_VARIABLES 353

enum hadal_oa_kind {
	HADAL_OA_UNKNOWN, /* depends on a device variable that is not known */
	HADAL_OA_INTEGER,
	HADAL_OA_REAL,
};

struct hadal_oa_value {
	enum hadal_oa_kind kind;
	union {
		uint64_t integer;
		double real;
	};
};

/* What is known of a device; each entry is UNKNOWN or INTEGER. All zero: nothing is known. */
struct hadal_oa_device {
	struct hadal_oa_value variables[HADAL_OA_VARIABLES];
};

/*
 * struct hadal_oa_program - a compiled equation
 * @first: its first word in the file's `words`
 * @count: its words, 0 if there is none (or it did not compile)
 */
struct hadal_oa_program {
	uint32_t first;
	uint32_t count;
};

/* --- what a file holds ------------------------------------------------------------------- */

enum hadal_oa_data_type {
	HADAL_OA_UINT64,
	HADAL_OA_FLOAT,
};

/* Texts are as in the file, UTF-8, NULL where the attribute is absent. */
struct hadal_oa_counter {
	const char *name;
	const char *symbol_name;
	const char *underscore_name;
	const char *description;
	const char *data_type;
	const char *units;
	const char *semantic_type;
	const char *equation;
	const char *max_equation;
	const char *availability;
	const char *low_watermark;
	const char *high_watermark;
	const char *mdapi_group;
	const char *mdapi_usage_flags;
	const char *mdapi_supported_apis;
	const char *mdapi_hw_unit_type;
	enum hadal_oa_data_type type;
	struct hadal_oa_program value;
	struct hadal_oa_program maximum;
	struct hadal_oa_program available;
};

/* One register as written, and where: @offset counts bytes of the file. */
struct hadal_oa_register {
	uint32_t address;
	uint32_t value;
	uint32_t offset;
};

/* A register_config: registers of one class that apply together. */
struct hadal_oa_block {
	const char *type;
	const char *availability;
	const char *priority_text;
	const char *id;
	enum oa_class cls;
	uint32_t priority;
	struct hadal_oa_program available;
	uint32_t first_register;
	uint32_t register_count;
};

struct hadal_oa_set {
	const char *name;
	const char *chipset;
	const char *symbol_name;
	const char *underscore_name;
	const char *mdapi_supported_apis;
	const char *hw_config_guid;
	const char *oa_format;
	const struct oa_generation *generation; /* of the chipset, NULL if not known */
	uint32_t line;
	bool damaged; /* not all of its registers could be read */
	bool again;   /* a set before it has its UUID: see hadal_oa_find_duplicates() */
	uint32_t first_block;
	uint32_t block_count;
	uint32_t first_counter;
	uint32_t counter_count;
};

/* One entry of guids.xml. */
struct hadal_oa_guid {
	const char *id;
	const char *config_hash;
	const char *mdapi_config_hash;
	const char *chipset;
	const char *name;
};

/*
 * struct hadal_oa_problem - something wrong in a file
 * @warning: the content is usable all the same
 * @line: from 1
 * @set: symbol name of the set it is in, NULL outside
 * @text: what is wrong
 * @hint: what to do about it, or NULL
 */
struct hadal_oa_problem {
	bool warning;
	uint32_t line;
	const char *set;
	const char *text;
	const char *hint;
};

/*
 * struct hadal_oa_file - one file, read; owned by the library, freed with hadal_oa_free()
 *
 * The arrays are flat: a set's blocks, counters and a block's registers are found through its
 * first_... and ..._count.
 */
struct hadal_oa_file {
	const char *path;
	const char *version;
	const char *merge_md5;
	struct hadal_oa_set *sets;
	struct hadal_oa_block *blocks;
	struct hadal_oa_counter *counters;
	struct hadal_oa_register *registers;
	struct hadal_oa_guid *guids;
	struct hadal_oa_problem *problems;
	uint32_t *words;
	uint32_t set_count;
	uint32_t block_count;
	uint32_t counter_count;
	uint32_t register_count;
	uint32_t guid_count;
	uint32_t problem_count; /* listed */
	uint32_t problem_total; /* listed or not */
	uint32_t error_total;	/* of those, errors */
	uint32_t word_count;
};

/*
 * Reads a metric file or a guids.xml. On success @*file is to be freed by the caller, even if it
 * lists nothing but problems. Errors: what open and read say, -EFBIG above
 * HADAL_OA_MAX_FILE_BYTES, -ENOMEM.
 */
int hadal_oa_read(const char *path, struct hadal_oa_file **file);

/* The same from an open file or pipe; @name stands for it in `path`. The descriptor stays open. */
int hadal_oa_read_fd(int fd, const char *name, struct hadal_oa_file **file);

/* The same from memory, which is copied. */
int hadal_oa_parse(const char *name, const void *bytes, size_t length, struct hadal_oa_file **file);

/* The name to show a set by. Never NULL. */
const char *hadal_oa_set_name(const struct hadal_oa_set *set);

/* Frees a file; NULL is fine. */
void hadal_oa_free(struct hadal_oa_file *file);

/*
 * The index of a device variable ("SliceMask", "GtSlice0XeCore1", without the dollar), or -ENOENT.
 */
int hadal_oa_variable(const char *name);

/* The place of value @n of @group among the raw values, or -ERANGE. */
int hadal_oa_raw_index(enum hadal_oa_group group, uint32_t n);

/*
 * Runs one program of @file. Integer operators (U..., AND, shifts, comparisons, &&) work on 64
 * bits and wrap; a real operand is truncated towards zero, to 0 below zero and to the largest
 * integer above it. Operators F... work on doubles. Division by zero gives 0, a shift by 64 or
 * more gives 0. An unknown variable makes the result UNKNOWN, unless AND or && meets a zero.
 *
 * @raw: HADAL_OA_RAW_VALUES values
 * @counters: values of the set's counters before this one; NULL if the program names none
 * Allocates nothing and cannot fail. A program of 0 words gives UNKNOWN.
 */
struct hadal_oa_value hadal_oa_run(const struct hadal_oa_file *file,
				   struct hadal_oa_program program,
				   const struct hadal_oa_device *device, const uint64_t *raw,
				   const struct hadal_oa_value *counters);

/*
 * Computes all counters of @set in order into @values (counter_count of them), each as its data
 * type says.
 */
void hadal_oa_evaluate(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
		       const struct hadal_oa_device *device, const uint64_t *raw,
		       struct hadal_oa_value *values);

/* --- judging ----------------------------------------------------------------------------- */

/*
 * struct hadal_oa_question - for which GPU to judge
 * @generation: NULL for each set's own
 * @revision, @has_revision: PCI revision, if known
 * @slices, @has_slices: mask of present slices, if known; all their subslices count as present
 * @device: all that is known of the GPU, in place of the four above; or NULL
 * @by_xe: the xe driver has the GPU; else i915's rules hold where it knows the GPU
 */
struct hadal_oa_question {
	const struct oa_generation *generation;
	const struct hadal_oa_device *device;
	uint64_t revision;
	uint64_t slices;
	bool has_revision;
	bool has_slices;
	bool by_xe;
};

enum hadal_oa_verdict {
	HADAL_OA_ACCEPTED,
	HADAL_OA_REFUSED,
	HADAL_OA_UNJUDGED, /* the set is damaged, or its GPU is not known */
};

/* One refusal, and the line of the register (or of the set). */
struct hadal_oa_refusal {
	struct oa_refusal why;
	uint32_t line;
};

/*
 * struct hadal_oa_result - what the kernel would say to a set
 * @generation, @rules: whose rules were applied; NULL if the GPU is not known
 * @counts: registers per class, of the blocks that apply or may apply
 * @refusals: all of them, in the driver's order: the first is the one the kernel would stop at
 */
struct hadal_oa_result {
	enum hadal_oa_verdict verdict;
	const struct oa_generation *generation;
	const struct oa_rules *rules;
	uint32_t counts[OA_CLASSES];
	struct hadal_oa_refusal *refusals;
	uint32_t refusal_count;
};

/*
 * Finds the blocks of @set that make up its array of @cls: those whose availability is true, or
 * depends on something not known, in order of priority (equal ones as in the file). All of them
 * are joined; none replaces another.
 * @order: room for set->block_count indices into file->blocks. Returns how many were stored.
 */
uint32_t hadal_oa_combine(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
			  enum oa_class cls, const struct hadal_oa_device *device, uint32_t *order);

/* What is known of the device in question, for a GPU of @generation (may be NULL). */
void hadal_oa_device_of(const struct hadal_oa_question *question,
			const struct oa_generation *generation, struct hadal_oa_device *device);

/*
 * Judges @set. On success @result is to be freed with hadal_oa_result_free(). Errors: -ENOMEM.
 */
int hadal_oa_check(struct hadal_oa_file *file, const struct hadal_oa_set *set,
		   const struct hadal_oa_question *question, struct hadal_oa_result *result);

/* Frees what @result holds, not @result. */
void hadal_oa_result_free(struct hadal_oa_result *result);

/*
 * Marks and adds a problem to each set whose UUID another set before it has, within and across
 * @files: a kernel takes one of the two (EADDRINUSE). Spelling in another case counts as different,
 * as it does for the kernel. Errors: -ENOMEM.
 */
int hadal_oa_find_duplicates(struct hadal_oa_file *const *files, size_t count);

/*
 * Compares every set of @files with the config_hash of its UUID in any guids.xml among them and
 * adds a warning to each that differs. UUIDs without an entry or hash are passed over.
 * Errors: -ENOMEM.
 */
int hadal_oa_check_hashes(struct hadal_oa_file *const *files, size_t count);

#endif
