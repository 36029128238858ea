// SPDX-License-Identifier: MIT
/*
 * Evaluates every equation of metric files, for test_oa_equations.py to compare.
 *
 * Standard input: "var NAME VALUE" and "raw GROUP N VALUE" lines, then "go", as often as wanted;
 * a "go" forgets what came before. Standard output, per "go": one line per counter, in order:
 * its value, its maximum and its availability, each "?" or "i" and an integer, or "f" and the
 * bits of a double, all in hexadecimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa.h"

static const char *const groups[] = { "GPU_TIME", "GPU_CLOCK", "A", "B", "C", "PERFCNT", "PEC" };

static void print_value(struct hadal_oa_value value)
{
	uint64_t bits;

	memcpy(&bits, &value.real, sizeof(bits));
	if (value.kind == HADAL_OA_UNKNOWN)
		printf(" ?");
	else if (value.kind == HADAL_OA_INTEGER)
		printf(" i%" PRIx64, value.integer);
	else
		printf(" f%" PRIx64, bits);
}

static void evaluate_set(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
			 const struct hadal_oa_device *device, const uint64_t *raw)
{
	struct hadal_oa_value values[1024];

	hadal_oa_evaluate(file, set, device, raw, values);
	for (uint32_t i = 0; i < set->counter_count; i++) {
		const struct hadal_oa_counter *c = &file->counters[set->first_counter + i];

		print_value(values[i]);
		print_value(hadal_oa_run(file, c->maximum, device, raw, values));
		print_value(hadal_oa_run(file, c->available, device, raw, values));
		putchar('\n');
	}
}

static int group_index(const char *name)
{
	for (int i = 0; i < HADAL_OA_GROUPS; i++)
		if (strcmp(groups[i], name) == 0)
			return i;
	return HADAL_OA_GROUPS;
}

/* The place that "var NAME" or "raw GROUP N" names, with its value in @value; NULL if none. */
static uint64_t *find_place(char *line, struct hadal_oa_device *device, uint64_t *raw,
			    uint64_t *value)
{
	bool is_raw = strncmp(line, "raw ", 4) == 0;
	char *name = line + 4;
	char *rest = strchr(name, ' ');
	int index;

	if (!rest)
		return NULL;
	*rest++ = '\0';
	if (is_raw) {
		index = hadal_oa_raw_index((enum hadal_oa_group)group_index(name),
					   (uint32_t)strtoul(rest, &rest, 10));
		*value = strtoull(rest, NULL, 16);
		return index < 0 ? NULL : &raw[index];
	}
	*value = strtoull(rest, NULL, 16);
	index = hadal_oa_variable(name);
	if (index < 0)
		return NULL;
	device->variables[index].kind = HADAL_OA_INTEGER;
	return &device->variables[index].integer;
}

static int take_line(char *line, struct hadal_oa_device *device, uint64_t *raw)
{
	uint64_t value;
	uint64_t *place;

	if (strlen(line) < 5)
		return -1;
	place = find_place(line, device, raw, &value);
	if (!place)
		return -1;
	*place = value;
	return 0;
}

int main(int argc, char **argv)
{
	static struct hadal_oa_device device;
	uint64_t raw[HADAL_OA_RAW_VALUES] = { 0 };
	struct hadal_oa_file *files[16];
	char line[128];

	for (int i = 1; i < argc && i < 16; i++)
		if (hadal_oa_read(argv[i], &files[i]) != 0)
			return 1;
	while (fgets(line, sizeof(line), stdin)) {
		if (strcmp(line, "go\n") != 0) {
			if (take_line(line, &device, raw) < 0)
				return 2;
			continue;
		}
		for (int i = 1; i < argc && i < 16; i++)
			for (uint32_t s = 0; s < files[i]->set_count; s++)
				evaluate_set(files[i], &files[i]->sets[s], &device, raw);
		memset(&device, 0, sizeof(device));
		memset(raw, 0, sizeof(raw));
	}
	for (int i = 1; i < argc && i < 16; i++)
		hadal_oa_free(files[i]);
	return 0;
}
