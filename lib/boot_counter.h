/* SPDX-License-Identifier: MIT */
/* The CPU's own counter, which firmware and kernel both read. */
#ifndef HADAL_LIB_BOOT_COUNTER_H
#define HADAL_LIB_BOOT_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * struct counter_rate - nanoseconds are ticks * @mult / 2^@shift
 * @khz: the same as a frequency
 * @ppb: how far it may be off, in billionths: the kernel corrects what the CPU says
 * @from: who says so; a static string
 */
struct counter_rate {
	uint32_t mult;
	unsigned int shift;
	uint32_t khz;
	uint32_t ppb;
	const char *from;
};

/* True if user space can read the counter on this CPU. */
bool counter_readable(void);

/* Its value. */
uint64_t counter_now(void);

/* How fast it runs: the kernel's word, else the CPU's, else a measurement of 50 ms. */
void counter_find_rate(struct counter_rate *rate);

#endif
