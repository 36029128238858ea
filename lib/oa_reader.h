/* SPDX-License-Identifier: MIT */
/* One parse of a metric file: the state that the frame (oa_xml.c) and its elements share. */
#ifndef HADAL_LIB_OA_READER_H
#define HADAL_LIB_OA_READER_H

#include <expat.h>

#include "lib/oa_file.h"

enum oa_level {
	OA_LEVEL_TOP,
	OA_LEVEL_METRICS,
	OA_LEVEL_SET,
	OA_LEVEL_COUNTER,
	OA_LEVEL_BLOCK,
	OA_LEVEL_LEAF, /* register, condition, guid: nothing may be inside */
	OA_LEVEL_GUIDS,
};

/*
 * struct oa_reader - one parse
 * @level: what the next start tag is inside of
 * @skipping: depth inside an element that is passed over, 0 outside
 * @set, @block: the open ones, NULL outside; they move when their array grows, so they are set
 *	anew with each addition
 */
struct oa_reader {
	XML_Parser parser;
	struct oa_file *file;
	enum oa_level level;
	enum oa_level leaf_parent;
	unsigned int skipping;
	struct hadal_oa_set *set;
	struct hadal_oa_block *block;
	bool stopped;
};

/*
 * struct oa_element - one kind of element
 * @inside: where it may stand
 * @start: takes its attributes (name, value, ..., NULL), adds it and sets the level
 */
struct oa_element {
	enum oa_level inside;
	const char *name;
	void (*start)(struct oa_reader *r, const char **atts);
};

/* All elements but the outermost; ends with a name of NULL. */
extern const struct oa_element oa_elements[];

/* Takes the attributes of <metrics>. */
void oa_element_metrics(struct oa_reader *r, const char **atts);

/* Byte of the file that the current event starts at. */
size_t oa_reader_offset(const struct oa_reader *r);

/* Notes a problem at the current place. */
void oa_reader_note(struct oa_reader *r, bool warning, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#define oa_error(r, ...) oa_reader_note(r, false, __VA_ARGS__)
#define oa_warn(r, ...) oa_reader_note(r, true, __VA_ARGS__)

/* An error that leaves the open set without all of its registers. */
#define oa_damage(r, ...)                                                                          \
	do {                                                                                       \
		(r)->set->damaged = true;                                                          \
		oa_error(r, __VA_ARGS__);                                                          \
	} while (0)

#endif
