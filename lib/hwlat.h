/* SPDX-License-Identifier: MIT */
/* What a hwlat back end is to the library: one table of functions. */
#ifndef HADAL_LIB_HWLAT_H
#define HADAL_LIB_HWLAT_H

#include "hadal/hwlat.h"

/*
 * struct hwlat_backend - one way to watch
 * @passive: it reads counters and lets CPUs sleep
 * @os_clock: it can do without the CPU's counter
 * @check: whether it can be used now
 * @open: puts the settings in force and gives the back end's own state
 * @start: begins to sample; CLOCK_BOOTTIME is @real_to_boot_ns more than CLOCK_REALTIME
 * @fd: to be polled, or -1
 * @read: hands out what is there; times of the records are CLOCK_BOOTTIME
 * @stop: ends sampling, hands out the rest, adds what it knows to the facts
 * @count: of one CPU over the run, or HWLAT_UNKNOWN; NULL if the back end counts nothing
 * @close: restores everything and frees the state
 */
struct hwlat_backend {
	const char *name;
	bool tells_windows;
	bool passive;
	bool os_clock;
	void (*check)(struct finding *finding);
	int (*open)(void **state, const struct hwlat_config *config, struct finding *why);
	int (*start)(void *state, int64_t real_to_boot_ns);
	int (*fd)(const void *state);
	int (*read)(void *state, const struct hwlat_sink *sink);
	int (*stop)(void *state, const struct hwlat_sink *sink, struct hwlat_facts *facts);
	uint64_t (*count)(const void *state, enum hwlat_counter counter, unsigned int cpu);
	int (*close)(void *state);
};

extern const struct hwlat_backend hwlat_module;
extern const struct hwlat_backend hwlat_tracer;
extern const struct hwlat_backend hwlat_user;
extern const struct hwlat_backend hwlat_passive;

/* CLOCK_BOOTTIME. */
uint64_t hwlat_now_ns(void);

/* The cause that a gap's counters speak for. */
enum hwlat_cause hwlat_cause_of(const struct hwlat_gap *gap, bool hypervisor);

/* Whether a hypervisor says that it is there. */
bool hwlat_hypervisor(void);

/* Fills @finding and returns -EIO if the kernel has given up the TSC as a clock, else 0. */
int hwlat_clock_check(struct finding *finding);

#endif
