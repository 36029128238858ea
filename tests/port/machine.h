/* SPDX-License-Identifier: MIT */
/* A machine for the tests: memory that survives a stage, memory that does not, and its stages. */
#ifndef HADAL_TESTS_MACHINE_H
#define HADAL_TESTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MACHINE_CBMEM_BYTES (64u * 1024)

/* Switches the machine on: all memory holds garbage made from @seed, and no stage runs yet. */
void machine_power_on(uint8_t seed);

/* Gives the machine a _timestamp region, which holds whatever it holds. Before the first stage. */
void machine_add_region(void);

/* Suspends and wakes it: the CPU starts over, memory and region keep what they hold. */
void machine_resume(void);

/*
 * Starts the next stage: the memory of the one before is filled with garbage, the new one's is
 * zero. CBMEM is down in it until machine_cbmem_up().
 */
void machine_next_stage(void);

/*
 * Brings CBMEM up as a board does: the first time it is created, from then on recovered. On a
 * resume only the stage that does it first sees it as left by the boot before. Returns 0 or what
 * cbmem_create() or cbmem_recover() say.
 */
int machine_cbmem_up(void);

/* The machine's memory for CBMEM, MACHINE_CBMEM_BYTES long, 4096-aligned. */
uint8_t *machine_cbmem_memory(void);

/* The machine's region, or NULL. */
void *machine_region(void);

#endif
