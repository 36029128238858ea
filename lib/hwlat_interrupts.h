/* SPDX-License-Identifier: MIT */
/* /proc/interrupts and /proc/stat, read again and again: what came on each CPU. */
#ifndef HADAL_LIB_HWLAT_INTERRUPTS_H
#define HADAL_LIB_HWLAT_INTERRUPTS_H

#include "hadal/hwlat.h"

/*
 * struct proc_file - a file of /proc that is kept open
 * @text: what was read last, ending in a NUL; grows as needed
 */
struct proc_file {
	int fd;
	char *text;
	size_t room;
};

/* Returns 0 or a negative errno. To be closed in both cases. */
int proc_file_open(struct proc_file *file, const char *path);

/* Reads the file anew. Returns 0 or a negative errno. */
int proc_file_read(struct proc_file *file);

void proc_file_close(struct proc_file *file);

/*
 * Adds the row @name ("NMI") of a text like /proc/interrupts to @counts, by CPU number. Returns the CPUs
 * that have a column; none if there is no such row.
 */
struct cpus interrupts_add_row(const char *text, const char *name, uint64_t counts[CPUS_MAX]);

/* The row's count of one CPU, or HWLAT_UNKNOWN if there is no such row or column. */
uint64_t interrupts_row_of_cpu(const char *text, const char *name, unsigned int cpu);

/* All interrupts of one CPU, or HWLAT_UNKNOWN if it has no column. */
uint64_t interrupts_of_cpu(const char *text, unsigned int cpu);

/* The time stolen from one CPU in ns, from a text like /proc/stat, or HWLAT_UNKNOWN. */
uint64_t stat_steal_ns(const char *text, unsigned int cpu);

/* The same of all CPUs together; 0 in a guest means that its steal clock does not run. */
uint64_t stat_steal_total_ns(const char *text);

#endif
