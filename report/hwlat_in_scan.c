// SPDX-License-Identifier: MIT
/* Reads text that has an end and no terminator. */
#include <ctype.h>
#include <string.h>

#include "report/hwlat_in_scan.h"

static int digit_of(char c)
{
	if (isdigit((unsigned char)c))
		return c - '0';
	return isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : 16;
}

static bool number(struct scan *scan, unsigned int base, uint64_t *value)
{
	const char *start = scan->p;
	uint64_t v = 0;

	for (; scan->p < scan->end; scan->p++) {
		const unsigned int digit = (unsigned int)digit_of(*scan->p);

		if (digit >= base)
			break;
		if (v > (UINT64_MAX - digit) / base)
			return false;
		v = v * base + digit;
	}
	*value = v;
	return scan->p > start;
}

bool scan_number(struct scan *scan, uint64_t *value)
{
	return number(scan, 10, value);
}

bool scan_word(struct scan *scan, const char *word)
{
	const size_t len = strlen(word);

	if ((size_t)(scan->end - scan->p) < len || memcmp(scan->p, word, len) != 0)
		return false;
	scan->p += len;
	return true;
}

bool scan_blanks(struct scan *scan)
{
	const char *start = scan->p;

	while (scan->p < scan->end && isspace((unsigned char)*scan->p))
		scan->p++;
	return scan->p > start;
}

bool scan_flags(const struct scan *scan)
{
	if (scan->p == scan->end)
		return false;
	if (*scan->p == '.')
		return scan->p + 1 < scan->end && !isdigit((unsigned char)scan->p[1]);
	return isalpha((unsigned char)*scan->p) || *scan->p == '#';
}

bool scan_find(struct scan *scan, const char *word)
{
	const size_t len = strlen(word);
	const char *found = memmem(scan->p, (size_t)(scan->end - scan->p), word, len);

	if (!found)
		return false;
	scan->p = found + len;
	return true;
}

bool scan_field(struct scan scan, const char *name, uint64_t *value)
{
	const size_t len = strlen(name);
	const bool hex = len > 2 && strcmp(name + len - 2, "0x") == 0;

	return scan_find(&scan, name) && number(&scan, hex ? 16 : 10, value);
}
