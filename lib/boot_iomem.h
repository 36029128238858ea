/* SPDX-License-Identifier: MIT */
/* The kernel's list of what is where in physical memory, /proc/iomem. */
#ifndef HADAL_LIB_BOOT_IOMEM_H
#define HADAL_LIB_BOOT_IOMEM_H

#include <stdint.h>

#include "lib/boot_tree.h"

/*
 * Opens the list. The addresses in it are zeros unless the opener has CAP_SYS_ADMIN, which it may
 * then give up. A descriptor or -errno.
 */
int boot_iomem_open(const struct boot_tree *tree);

/*
 * The start of the memory of coreboot's ACPI device, which is the coreboot table's. -ENOENT: the
 * list has none, or hides where. -ENOMEM, or -errno of reading the list.
 */
int boot_iomem_table(int fd, uint64_t *address);

#endif
