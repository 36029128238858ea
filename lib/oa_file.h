/* SPDX-License-Identifier: MIT */
/* A metric file in memory: what the reader, the equations and the checks share inside the library. */
#ifndef HADAL_LIB_OA_FILE_H
#define HADAL_LIB_OA_FILE_H

#include "hadal/oa.h"

/* Words one equation may take; the longest public one has 91. */
#define OA_EQUATION_WORDS 1024

struct oa_chunk;

/*
 * struct oa_file - the public part, then what only the library needs
 * @bytes, @length: the file, kept for line numbers
 * @chunks: memory of all texts
 * @page_lines: for each page of the file, the line feeds before it
 * @no_memory: an allocation failed; what is in the file is not to be used
 */
struct oa_file {
	struct hadal_oa_file pub;
	char *bytes;
	size_t length;
	struct oa_chunk *chunks;
	uint32_t *page_lines;
	bool no_memory;
	uint32_t set_room;
	uint32_t block_room;
	uint32_t counter_room;
	uint32_t register_room;
	uint32_t guid_room;
	uint32_t problem_room;
	uint32_t word_room;
};

/* The whole of a file of the public type. */
static inline struct oa_file *oa_file_of(struct hadal_oa_file *file)
{
	return (struct oa_file *)file;
}

/* Where a problem is and how bad; @set may be NULL. */
struct oa_place {
	bool warning;
	uint32_t line;
	const char *set;
	const char *hint;
};

/* @size bytes that live as long as the file, or NULL with `no_memory` set. */
void *oa_file_alloc(struct oa_file *file, size_t size);

/* A copy of the @length characters at @text, terminated. */
char *oa_file_text(struct oa_file *file, const char *text, size_t length);

/*
 * Makes room for @more elements of @size behind the @count that @array holds. Returns the array,
 * moved if need be, or NULL with `no_memory` set and the array untouched.
 */
void *oa_file_grow(struct oa_file *file, void *array, uint32_t *room, uint32_t count, uint32_t more,
		   size_t size);

/* Line of byte @offset, from 1. */
uint32_t oa_file_line(struct oa_file *file, size_t offset);

/* Room for the text of a problem; longer ones are cut. */
#define OA_PROBLEM_TEXT 512

/* Notes a problem; beyond HADAL_OA_MAX_PROBLEMS only counts it. @text is copied. */
void oa_file_problem(struct oa_file *file, const struct oa_place *place, const char *text);

/* Reads the XML in `bytes` into the public part. */
void oa_xml_read(struct oa_file *file);

/*
 * Compiles @text, which may name the counters of @set that were added before, to the end of the
 * file's words. Returns its place; on an error a program of 0 words, with the reason, fit to
 * follow "equation", in @why.
 */
struct hadal_oa_program oa_equation_compile(struct oa_file *file, const struct hadal_oa_set *set,
					    const char *text, char *why, size_t why_size);

/* True if @program divides by a 0 that is written in it. */
bool oa_equation_divides_by_zero(const struct oa_file *file, struct hadal_oa_program program);

/* A word of a program: the operation in the low 8 bits, its argument above. */
enum oa_operation {
	OA_PUSH,      /* argument: the number itself */
	OA_PUSH_WIDE, /* the number is in the next two words, low half first */
	OA_READ,      /* argument: index among the raw values */
	OA_VARIABLE,  /* argument: index among the device variables */
	OA_COUNTER,   /* argument: index among the set's counters */
	OA_UADD,
	OA_USUB,
	OA_UMUL,
	OA_UDIV,
	OA_UMIN,
	OA_AND,
	OA_SHIFT_LEFT,
	OA_SHIFT_RIGHT,
	OA_UGT,
	OA_UGTE,
	OA_ULT,
	OA_ULTE,
	OA_BOTH,
	OA_FADD,
	OA_FSUB,
	OA_FMUL,
	OA_FDIV,
	OA_FMAX,
};

#define OA_ARGUMENT_MAX 0xffffffu

/* hadal_oa_variable() for a name that is not terminated. */
int oa_variable_find(const char *name, size_t length);

/* The group of a name ("GPU_TIME", "A"), or HADAL_OA_GROUPS. */
enum hadal_oa_group oa_group_find(const char *name, size_t length);

#endif
