/* SPDX-License-Identifier: MIT */
/* A place in text that has an end and no terminator, and what can be read from there on. */
#ifndef HADAL_REPORT_HWLAT_IN_SCAN_H
#define HADAL_REPORT_HWLAT_IN_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* struct scan - moves on with what was read; stays where it is when that fails, but for numbers */
struct scan {
	const char *p;
	const char *end;
};

/* A decimal number that fits; at least one digit. */
bool scan_number(struct scan *scan, uint64_t *value);

/* These very characters. */
bool scan_word(struct scan *scan, const char *word);

/* Blanks and tabs; whether there were any. */
bool scan_blanks(struct scan *scan);

/* Letters and points as ftrace marks interrupts, preemption and so on; not a fraction's point. */
bool scan_flags(const struct scan *scan);

/* Moves behind the first place where @word is. */
bool scan_find(struct scan *scan, const char *word);

/* The number behind @name, hexadecimal if the name ends in 0x, wherever in the rest of the line. */
bool scan_field(struct scan scan, const char *name, uint64_t *value);

#endif
