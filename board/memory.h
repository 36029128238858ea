/* SPDX-License-Identifier: MIT */
/* The copies of the C library, which a firmware has to bring along. */
#ifndef HADAL_BOARD_MEMORY_H
#define HADAL_BOARD_MEMORY_H

#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int byte, size_t bytes);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);

#endif
