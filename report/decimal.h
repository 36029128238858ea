/* SPDX-License-Identifier: MIT */
/*
 * Numbers as decimal text, for writers of many: the C library's printf takes ten times as long.
 * Each function writes at @at, without a terminator, and returns the end of what it wrote.
 */
#ifndef HADAL_REPORT_DECIMAL_H
#define HADAL_REPORT_DECIMAL_H

#include <stddef.h>
#include <stdint.h>

/* Room that any number here takes at most. */
#define DECIMAL_ROOM 330

char *decimal_u64(char *at, uint64_t value);

/*
 * As printf's "%.6f" writes a finite @value, rounded to even like it. Nothing at all for one that
 * is not finite.
 */
char *decimal_real(char *at, double value);

/* Nanoseconds as microseconds with three digits behind the point. */
char *decimal_us(char *at, uint64_t ns);

/* The @length characters of @text. */
char *decimal_text(char *at, const char *text, size_t length);

#endif
