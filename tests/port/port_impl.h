/* SPDX-License-Identifier: MIT */
/*
 * The core's port for tests: a clock that advances as told, memory that stages really lose, and
 * everything a board would decide as a variable.
 */
#ifndef HADAL_TESTS_PORT_IMPL_H
#define HADAL_TESTS_PORT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timestamp_stage;
struct timestamp_stash;
struct cbmem;

struct port_world {
	uint64_t clock;
	uint32_t clock_khz;
	bool boot_cpu;
	bool resumed;
	int keep_presuspend;
	struct timestamp_stage *stage;
	struct timestamp_stash *region;
	struct cbmem *cbmem;
};

extern struct port_world port_world;

#define PORT_TIMESTAMP_COUNTER TIMESTAMP_COUNTER_TSC
#define PORT_TIMESTAMP_KEEP_PRESUSPEND port_world.keep_presuspend
#define PORT_CBMEM_READY_HOOK(fn)

static inline uint64_t port_div_u64(uint64_t n, uint32_t d)
{
	return n / d;
}

static inline uint64_t port_clock(void)
{
	return port_world.clock;
}

static inline uint32_t port_clock_khz(void)
{
	return port_world.clock_khz;
}

static inline bool port_is_boot_cpu(void)
{
	return port_world.boot_cpu;
}

static inline bool port_resumed(void)
{
	return port_world.resumed;
}

static inline struct timestamp_stage *port_timestamp_stage(void)
{
	return port_world.stage;
}

static inline struct timestamp_stash *port_timestamp_region(void)
{
	return port_world.region;
}

void *port_cbmem_entry(uint32_t id, size_t *bytes);
void port_cbmem_ready(void);

#endif
