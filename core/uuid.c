// SPDX-License-Identifier: MIT
/* The textual form of a UUID. */
#include "core/uuid.h"

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_hyphen_place(size_t i)
{
	return i == 8 || i == 13 || i == 18 || i == 23;
}

size_t uuid_check(const char *text, size_t length)
{
	size_t end = length < UUID_TEXT_LENGTH ? length : UUID_TEXT_LENGTH;
	size_t i;

	for (i = 0; i < end; i++)
		if (is_hyphen_place(i) ? text[i] != '-' : !is_hex(text[i]))
			break;
	return i;
}
