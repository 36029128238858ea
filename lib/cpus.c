// SPDX-License-Identifier: MIT
/* Sets of CPU numbers and their two spellings. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/cpus.h"
#include "lib/file.h"

#define WORDS (CPUS_MAX / 64)

int cpus_next(const struct cpus *set, int cpu)
{
	for (cpu++; cpu < CPUS_MAX; cpu++)
		if (cpus_has(set, (unsigned int)cpu))
			return cpu;
	return -1;
}

bool cpus_has(const struct cpus *set, unsigned int cpu)
{
	return cpu < CPUS_MAX && (set->bits[cpu / 64] >> cpu % 64 & 1);
}

void cpus_add(struct cpus *set, unsigned int cpu)
{
	set->bits[cpu / 64] |= 1ULL << cpu % 64;
}

void cpus_remove(struct cpus *set, const struct cpus *other)
{
	for (size_t i = 0; i < WORDS; i++)
		set->bits[i] &= ~other->bits[i];
}

void cpus_intersect(struct cpus *set, const struct cpus *other)
{
	for (size_t i = 0; i < WORDS; i++)
		set->bits[i] &= other->bits[i];
}

bool cpus_empty(const struct cpus *set)
{
	return cpus_next(set, -1) < 0;
}

unsigned int cpus_count(const struct cpus *set)
{
	unsigned int count = 0;

	for (size_t i = 0; i < WORDS; i++)
		count += (unsigned int)__builtin_popcountll(set->bits[i]);
	return count;
}

static int parse_cpu(const char **text, unsigned long *cpu)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return -EINVAL;
	errno = 0;
	*cpu = strtoul(*text, &end, 10);
	*text = end;
	return errno || *cpu >= CPUS_MAX ? -ERANGE : 0;
}

static int parse_range(const char **text, struct cpus *set)
{
	unsigned long first = 0, last;
	int err = parse_cpu(text, &first);

	if (err)
		return err;
	last = first;
	if (**text == '-') {
		(*text)++;
		err = parse_cpu(text, &last);
	}
	if (err)
		return err;
	if (last < first)
		return -EINVAL;
	for (; first <= last; first++)
		cpus_add(set, (unsigned int)first);
	return 0;
}

int cpus_parse(struct cpus *set, const char *list)
{
	struct cpus parsed = { 0 };

	while (*list && *list != '\n') {
		int err = parse_range(&list, &parsed);

		if (err)
			return err;
		if (*list == ',' && list[1] && list[1] != '\n')
			list++;
		else if (*list && *list != '\n')
			return -EINVAL;
	}
	if (*list && list[1])
		return -EINVAL;
	*set = parsed;
	return 0;
}

char *cpus_list(const struct cpus *set, char *buf)
{
	int first = cpus_next(set, -1);
	char *out = buf;

	*out = '\0';
	while (first >= 0) {
		int last = first;

		while (cpus_has(set, (unsigned int)last + 1))
			last++;
		out += sprintf(out, last > first ? "%s%d-%d" : "%s%d", out > buf ? "," : "", first,
			       last);
		first = cpus_next(set, last);
	}
	return buf;
}

char *cpus_mask(const struct cpus *set, char *buf)
{
	bool leading = true;
	char *out = buf;

	for (int i = CPUS_MAX / 32 - 1; i >= 0; i--) {
		const uint32_t group = (uint32_t)(set->bits[i / 2] >> i % 2 * 32);

		if (leading && !group && i)
			continue;
		out += sprintf(out, leading ? "%x" : ",%08x", group);
		leading = false;
	}
	return buf;
}

int cpus_read(struct cpus *set, const char *name)
{
	char path[64], text[CPUS_LIST_BYTES];
	int err;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", name);
	err = file_read(path, text, sizeof(text));
	return err ? err : cpus_parse(set, text);
}
