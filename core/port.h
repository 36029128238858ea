/* SPDX-License-Identifier: MIT */
/*
 * All that the core asks of the world around it.
 *
 * Each home (firmware board, kernel, user space, tests) has one port_impl.h, found through the
 * include path; it defines what is listed here, as macros or static inline functions. The core
 * itself has no #ifdef for a home. docs/porting.md walks through a port.
 *
 * None of these can fail, and none may call back into the core.
 *
 * Need: arithmetic (all homes)
 *   uint64_t port_div_u64(uint64_t n, uint32_t d)
 *	n / d, d is never 0. A 32-bit target has no 64-bit division without help.
 *
 * Need: timestamps (homes that compile core/timestamp.c)
 *   PORT_TIMESTAMP_CACHE_ENTRIES
 *	Stamps the cache holds before CBMEM is up. 16 unless the port says otherwise.
 *   PORT_TIMESTAMP_TABLE_ENTRIES
 *	Stamps the CBMEM table holds. 30 unless the port says otherwise; real boards make more.
 *   PORT_TIMESTAMP_KEEP_PRESUSPEND
 *	1: a resume moves the table of the boot before it to CBMEM ID TIMP. Default 0.
 *   PORT_TIMESTAMP_COUNTER
 *	Which counter port_clock() reads, an enum timestamp_counter.
 *   uint64_t port_clock(void)
 *	The free-running counter, in ticks.
 *   uint32_t port_clock_khz(void)
 *	Its frequency, 0 while unknown.
 *   bool port_is_boot_cpu(void)
 *	True on the one CPU that may write stamps.
 *   bool port_resumed(void)
 *	True while CBMEM, as it comes up, holds what the boot before a suspend left there: on a
 *	resume, in each stage up to the one that brings CBMEM up first. Later stages say false,
 *	because by then the table is this boot's own.
 *   struct timestamp_stage *port_timestamp_stage(void)
 *	This stage's own memory for the library, zero when the stage starts (BSS). It may vanish
 *	with the stage.
 *   struct timestamp_stash *port_timestamp_region(void)
 *	The SoC's _timestamp region, which outlives stages and may start as garbage, or NULL.
 *   void *port_cbmem_entry(uint32_t id, size_t *bytes)
 *	The entry @id of the in-memory database, 4-byte aligned. One that is not there is added
 *	with *bytes bytes, all zero; *bytes becomes the size of one that is. NULL while the
 *	database is not up in this stage, or has no room.
 *   PORT_CBMEM_READY_HOOK(fn)
 *	Has int fn(void) called in each stage once the database is up in it: a linker set, or
 *	nothing where the port calls its hooks by name.
 *
 * Need: in-memory database (homes that compile core/cbmem.c)
 *   void port_cbmem_ready(void)
 *	Calls the hooks.
 */
#ifndef HADAL_CORE_PORT_H
#define HADAL_CORE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <port_impl.h>

#ifndef PORT_TIMESTAMP_CACHE_ENTRIES
#define PORT_TIMESTAMP_CACHE_ENTRIES 16
#endif
#ifndef PORT_TIMESTAMP_TABLE_ENTRIES
#define PORT_TIMESTAMP_TABLE_ENTRIES 30
#endif
#ifndef PORT_TIMESTAMP_KEEP_PRESUSPEND
#define PORT_TIMESTAMP_KEEP_PRESUSPEND 0
#endif

#endif
