/* SPDX-License-Identifier: MIT */
/* The textual form of a UUID, as the OA interface of the kernel judges it. */
#ifndef HADAL_CORE_UUID_H
#define HADAL_CORE_UUID_H

#include <stdbool.h>
#include <stddef.h>

#define UUID_TEXT_LENGTH 36

/*
 * Index of the first character of @text that does not fit the form 8-4-4-4-12 (hexadecimal digits
 * of either case, hyphens at 8, 13, 18 and 23), or UUID_TEXT_LENGTH if all 36 fit.
 * @length: readable characters at @text. Fewer than 36 make @length the answer at the latest;
 * what follows the 36th is never read. Version and variant bits do not matter.
 */
size_t uuid_check(const char *text, size_t length);

/* True if the 36 characters at @text are a UUID. */
static inline bool uuid_valid(const char *text)
{
	return uuid_check(text, UUID_TEXT_LENGTH) == UUID_TEXT_LENGTH;
}

#endif
