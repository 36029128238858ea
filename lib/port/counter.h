/* SPDX-License-Identifier: MIT */
/*
 * The CPU's own counter, as user space reads it: one instruction, no call. A port to another
 * architecture adds its instruction here; without one the kernel's clock is used instead.
 */
#ifndef HADAL_LIB_PORT_COUNTER_H
#define HADAL_LIB_PORT_COUNTER_H

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)

#define PORT_COUNTER_NAME "TSC"

static inline uint64_t port_counter(void)
{
	return __builtin_ia32_rdtsc();
}

#elif defined(__aarch64__)

#define PORT_COUNTER_NAME "CNTVCT_EL0"

/* Without the barrier the read may be made early (Arm ARM, D11.1.2). */
static inline uint64_t port_counter(void)
{
	uint64_t value;

	__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(value));
	return value;
}

#elif defined(__riscv) && __riscv_xlen == 64

#define PORT_COUNTER_NAME "rdtime"

static inline uint64_t port_counter(void)
{
	uint64_t value;

	__asm__ volatile("rdtime %0" : "=r"(value));
	return value;
}

#else

static inline uint64_t port_counter(void)
{
	return 0;
}

#endif

#endif
