// SPDX-License-Identifier: MIT
/* Durations as people type them. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/duration.h"

static const struct {
	const char *suffix;
	uint64_t ns;
} units[] = {
	{ "", 1000 },	     { "ns", 1 },	   { "us", 1000 },	   { "ms", 1000000 },
	{ "s", 1000000000 }, { "m", 60000000000 }, { "h", 3600000000000 },
};

int duration_parse(const char *text, uint64_t *ns)
{
	unsigned long long number;
	uint64_t product;
	char *end;

	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	number = strtoull(text, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].suffix) != 0)
			continue;
		if (errno || __builtin_mul_overflow(number, units[i].ns, &product))
			return -ERANGE;
		*ns = product;
		return 0;
	}
	return -EINVAL;
}
