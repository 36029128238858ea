/* SPDX-License-Identifier: MIT */
/*
 * The port of the stage that sizes are measured on: i386 firmware with the TSC, stamps in the
 * stage's own stash, and the database behind two calls.
 */
#ifndef HADAL_BENCH_PORT_IMPL_H
#define HADAL_BENCH_PORT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PORT_TIMESTAMP_COUNTER TIMESTAMP_COUNTER_TSC
#define PORT_CBMEM_READY_HOOK(fn)

struct timestamp_stage;
struct timestamp_stash;

uint64_t port_div_u64(uint64_t n, uint32_t d);
uint32_t port_clock_khz(void);
bool port_resumed(void);
void *port_cbmem_entry(uint32_t id, size_t *bytes);

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
	extern struct timestamp_stage stage_bss;

	return &stage_bss;
}

static inline struct timestamp_stash *port_timestamp_region(void)
{
	return NULL;
}

#endif
