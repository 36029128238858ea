/* SPDX-License-Identifier: MIT */
/*
 * libhadal, CPUs: sets of CPU numbers, as the kernel writes and reads them.
 *
 * Nothing here allocates. Functions that can fail return 0 or a negative errno.
 */
#ifndef HADAL_CPUS_H
#define HADAL_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest NR_CPUS of the distributions' kernels. */
#define CPUS_MAX 8192

/* Room for any set as text, in either of the two forms, with its end. */
#define CPUS_LIST_BYTES (CPUS_MAX * 5)
#define CPUS_MASK_BYTES (CPUS_MAX / 4 + CPUS_MAX / 32 + 1)

struct cpus {
	uint64_t bits[CPUS_MAX / 64];
};

/* The set's CPU after @cpu, or -1; start with -1. */
int cpus_next(const struct cpus *set, int cpu);

/* Whether @cpu is in the set; false for numbers beyond CPUS_MAX. */
bool cpus_has(const struct cpus *set, unsigned int cpu);

/* Adds @cpu, which is below CPUS_MAX. */
void cpus_add(struct cpus *set, unsigned int cpu);

/* Takes every CPU of @other out of @set. */
void cpus_remove(struct cpus *set, const struct cpus *other);

/* Keeps in @set only what is in @other too. */
void cpus_intersect(struct cpus *set, const struct cpus *other);

bool cpus_empty(const struct cpus *set);

/* How many CPUs are in the set. */
unsigned int cpus_count(const struct cpus *set);

/*
 * Reads a list such as "0-3,8"; one line end is allowed, an empty list is the empty set.
 * Returns 0, -EINVAL, or -ERANGE for a number of CPUS_MAX and more. @set is changed only by 0.
 */
int cpus_parse(struct cpus *set, const char *list);

/* Writes the set as a list into @buf of CPUS_LIST_BYTES. Returns @buf. */
char *cpus_list(const struct cpus *set, char *buf);

/* Writes the set as the kernel's hexadecimal mask, "f" or "1,00000000", into CPUS_MASK_BYTES. */
char *cpus_mask(const struct cpus *set, char *buf);

/*
 * Reads a list of the kernel's under /sys/devices/system/cpu: "online", "possible", "isolated".
 * Returns 0, or what opening, reading or cpus_parse() gave.
 */
int cpus_read(struct cpus *set, const char *name);

#endif
