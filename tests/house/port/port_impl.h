/* SPDX-License-Identifier: MIT */
/*
 * A port of declarations only: with it, what the core leaves undefined is what it asks of a port.
 * scripts/check-freestanding compiles the core against it.
 */
#ifndef HADAL_TESTS_HOUSE_PORT_IMPL_H
#define HADAL_TESTS_HOUSE_PORT_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PORT_TIMESTAMP_COUNTER TIMESTAMP_COUNTER_TSC
#define PORT_CBMEM_READY_HOOK(fn)

uint64_t port_div_u64(uint64_t n, uint32_t d);
uint64_t port_clock(void);
uint32_t port_clock_khz(void);
bool port_is_boot_cpu(void);
bool port_resumed(void);
struct timestamp_stage *port_timestamp_stage(void);
struct timestamp_stash *port_timestamp_region(void);
void *port_cbmem_entry(uint32_t id, size_t *bytes);
void port_cbmem_ready(void);

#endif
