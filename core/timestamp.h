/* SPDX-License-Identifier: MIT */
/*
 * The timestamp library of firmware: init, add, sync.
 *
 *	timestamp_init(base);		as early as possible
 *	timestamp_add_now(TS_...);	at each milestone, in every stage
 *
 * Where a stamp goes is the library's business alone: until CBMEM is up, to a cache in the SoC's
 * _timestamp region or, where there is none, in the stage's own stash; from then on to the table
 * in CBMEM, where the operating system finds it. When CBMEM comes up the library's hook moves
 * what the cache holds.
 *
 * Only the boot CPU writes; a call from another CPU is counted and does nothing else. Nothing here
 * divides or locks on the way to adding a stamp.
 *
 * The five cases of the library's requirement:
 *
 *	region  boot           CBMEM comes up   what happens
 *	1  yes  fresh, resume  after init       region reset by init, moved by the hook
 *	2  no   fresh          after init       stash used, moved by the hook
 *	3  no   fresh          before init      stamps go straight to CBMEM; init sets the base
 *	4  no   resume         after init       table reset, then as 2
 *	5  no   resume         before init      table reset, then as 3
 */
#ifndef HADAL_CORE_TIMESTAMP_H
#define HADAL_CORE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/port.h"
#include "core/timestamp_abi.h"
#include "core/timestamp_ids.h"

enum timestamp_cache_state {
	TIMESTAMP_CACHE_UNINITIALIZED = 0,
	TIMESTAMP_CACHE_INITIALIZED,
	TIMESTAMP_CACHE_NOT_NEEDED,
};

/* The cache, little-endian like the table it becomes. */
struct __attribute__((__packed__)) timestamp_cache {
	uint16_t cache_state;
	struct timestamp_table table;
	struct timestamp_entry entries[PORT_TIMESTAMP_CACHE_ENTRIES];
};

/*
 * The cache and what is counted beside it until there is CBMEM. A _timestamp region is at least
 * this large and 4-byte aligned.
 */
struct timestamp_stash {
	struct timestamp_cache cache;
	struct timestamp_companion companion;
};

/* One stage's own memory for the library, provided zeroed by port_timestamp_stage(). */
struct timestamp_stage {
	struct timestamp_table *table;	       /* in CBMEM, once this stage has opened it */
	struct timestamp_companion *companion; /* goes with it */
	struct timestamp_stash stash;	       /* unused where there is a region */
};

/*
 * Starts the timestamps of this boot. @base is the counter when the boot began, in ticks; stamps
 * are kept relative to it.
 *
 * A region is always reset, since it may hold garbage or an earlier boot's stamps. If CBMEM is
 * up already, its table is used and @base is set only if it has none. After the sync a second
 * call changes nothing.
 */
void timestamp_init(uint64_t base);

/*
 * Records that event @id happened at @time, in ticks since the counter's zero. Works before
 * timestamp_init() too, unless a region is in use: init resets that. A stamp that finds cache or
 * table full is counted as dropped.
 */
void timestamp_add(uint32_t id, uint64_t time);

/* timestamp_add() with the counter's value of now. */
void timestamp_add_now(uint32_t id);

/*
 * Moves what the cache holds into CBMEM's table, creating that if need be, and sends this stage's
 * later stamps there. It is the hook for "CBMEM is up in this stage", registered with
 * PORT_CBMEM_READY_HOOK(); calling it again does no harm.
 *
 * Returns how many stamps it moved, -CORE_ENODEV while there is no CBMEM or no room in it (the
 * cache stays in use), or -CORE_EPERM on any but the boot CPU.
 */
int timestamp_sync(void);

/*
 * Multiplies base and stamps by @n / @m, dividing first, rounding towards zero: for stamps taken
 * while the counter ran at another rate. Does nothing if either is 0. @n and @m are at
 * most 65535.
 */
void timestamp_rescale(uint32_t n, uint32_t m);

/*
 * Microseconds since the base, modulo 2^32 (71.6 minutes). 0 while the counter's frequency is
 * unknown.
 */
uint32_t timestamp_us_since_boot(void);

#endif
