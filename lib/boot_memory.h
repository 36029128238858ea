/* SPDX-License-Identifier: MIT */
/* Physical memory through /dev/mem, a bounded piece at a time. */
#ifndef HADAL_LIB_BOOT_MEMORY_H
#define HADAL_LIB_BOOT_MEMORY_H

#include <stdint.h>

#include "hadal/finding.h"
#include "lib/boot_tree.h"

/* No piece is longer: the kernel checks a mapping page by page, for minutes if it is huge. */
#define BOOT_MEMORY_MAX 0x100000u

/*
 * struct boot_memory - an open /dev/mem
 * @fd: the device, or a file that stands for it
 * @iomem: an open boot_iomem.h, or negative; meaningless while @fd is negative
 * @end: where the file ends; reading a mapping beyond it would be a bus error
 */
struct boot_memory {
	int fd;
	int iomem;
	uint64_t end;
};

/* Opens it for reading, or also for writing. -errno after setting @finding. */
int boot_memory_open(struct boot_memory *mem, const struct boot_tree *tree, bool writable,
		     struct finding *finding);
void boot_memory_close(struct boot_memory *mem);

/*
 * Copies @len bytes at @address to @buf. -EINVAL: longer than BOOT_MEMORY_MAX. -EFAULT: not in
 * the file. -EPERM: the kernel refuses, since it is memory of its own.
 */
int boot_memory_copy(const struct boot_memory *mem, uint64_t address, size_t len, void *buf);

/* Overwrites @len bytes at @address. Errors as above. */
int boot_memory_store(const struct boot_memory *mem, uint64_t address, size_t len,
		      const void *bytes);

/* Sets @finding for a copy of @what that failed with @err. */
void boot_memory_say(struct finding *finding, int err, const char *what, uint64_t address);

#endif
