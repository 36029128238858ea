/* SPDX-License-Identifier: MIT */
/* libhadal, durations: as people type them. */
#ifndef HADAL_DURATION_H
#define HADAL_DURATION_H

#include <stdint.h>

/*
 * Reads a whole number with a suffix of ns, us, ms, s, m or h; without one it is microseconds.
 * @ns: the result in nanoseconds, changed only by success
 * Returns 0, -EINVAL for anything else (signs, blanks, fractions, other suffixes), or -ERANGE for
 * more than 2^64-1 ns.
 */
int duration_parse(const char *text, uint64_t *ns);

#endif
