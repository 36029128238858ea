/* SPDX-License-Identifier: MIT */
/* Starts Linux. */
#ifndef HADAL_BOARD_LINUX_H
#define HADAL_BOARD_LINUX_H

#include <stdint.h>

#include "board/e820.h"

/* Reads the kernel that QEMU was given (-kernel, -initrd, -append) into memory. */
void linux_load(const struct e820_map *map, uint32_t rsdp);

/* Starts it. */
_Noreturn void linux_run(void);

#endif
