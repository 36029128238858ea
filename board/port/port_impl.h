/* SPDX-License-Identifier: MIT */
/*
 * The core's port for this firmware: a copy to start from. core/port.h says what each name is for.
 *
 * BOARD_CASE is the timestamp case that this ROM shows (core/timestamp.h): 1 has a _timestamp
 * region, 2 and 3 have the stage's stash only. BOARD_STAGE says which stage is being compiled.
 */
#ifndef HADAL_BOARD_PORT_IMPL_H
#define HADAL_BOARD_PORT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/layout.h"

#define BOARD_BOOTBLOCK 1
#define BOARD_ROMSTAGE 2
#define BOARD_RAMSTAGE 3

#define PORT_TIMESTAMP_TABLE_ENTRIES 192
#define PORT_TIMESTAMP_KEEP_PRESUSPEND BOARD_KEEP_PRESUSPEND
#define PORT_TIMESTAMP_COUNTER TIMESTAMP_COUNTER_TSC

/* The hooks are called by name, in port.c. */
#define PORT_CBMEM_READY_HOOK(fn)

struct timestamp_stage;
struct timestamp_stash;

extern struct timestamp_stage board_timestamp_stage;

uint32_t port_clock_khz(void);
bool port_resumed(void);
void *port_cbmem_entry(uint32_t id, size_t *bytes);
void port_cbmem_ready(void);

/* DIV takes 64 bits by 32, if the quotient has 32: two steps, as on paper. */
static inline uint64_t port_div_u64(uint64_t n, uint32_t d)
{
	uint32_t high = (uint32_t)(n >> 32), low = (uint32_t)n, rest = high % d;

	__asm__("divl %2" : "+a"(low), "+d"(rest) : "r"(d));
	return (uint64_t)(high / d) << 32 | low;
}

static inline uint64_t port_clock(void)
{
	return __builtin_ia32_rdtsc();
}

/* IA32_APIC_BASE (MSR 0x1b), bit 8: this is the bootstrap processor. Intel SDM volume 4. */
static inline bool port_is_boot_cpu(void)
{
	uint32_t low, high;

	__asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(0x1b));
	return low & 0x100;
}

static inline struct timestamp_stage *port_timestamp_stage(void)
{
	return &board_timestamp_stage;
}

static inline struct timestamp_stash *port_timestamp_region(void)
{
	return BOARD_CASE == 1 ? (struct timestamp_stash *)LAYOUT_TIMESTAMP_REGION : NULL;
}

#endif
