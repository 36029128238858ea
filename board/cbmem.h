/* SPDX-License-Identifier: MIT */
/* Where this board keeps CBMEM: the last MiBs of memory below 4 GiB. */
#ifndef HADAL_BOARD_CBMEM_H
#define HADAL_BOARD_CBMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "core/cbmem.h"

/* This stage's view of it; not up while its limit is NULL. */
extern struct cbmem board_cbmem;

/* The end of memory below 4 GiB, which is also CBMEM's. */
uint32_t board_memory_top(void);

/* Makes an empty database; with @keep the one that is there is taken if it is sound. */
void board_cbmem_create(bool keep);

/* Finds the database that the stage before has made. Stops the machine if it is not there. */
void board_cbmem_recover(void);

/* An entry of @bytes bytes, all zero if new. Stops the machine if there is no room. */
void *board_cbmem_add(uint32_t id, uint32_t bytes);

#endif
