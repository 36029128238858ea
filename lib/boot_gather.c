// SPDX-License-Identifier: MIT
/* Lays pieces of memory out where they were, with nothing between them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/cbmem_abi.h"
#include "lib/boot_gather.h"

static uint64_t lowest(const struct boot_gather *gather)
{
	uint64_t low = UINT64_MAX;

	for (size_t i = 0; i < gather->count; i++)
		if (gather->pieces[i].address < low)
			low = gather->pieces[i].address;
	return low & ~(uint64_t)(CBMEM_LIMIT_ALIGN - 1);
}

static uint64_t highest(const struct boot_gather *gather)
{
	uint64_t high = 0;

	for (size_t i = 0; i < gather->count; i++)
		if (gather->pieces[i].address + gather->pieces[i].len > high)
			high = gather->pieces[i].address + gather->pieces[i].len;
	return high;
}

/* CBMEM may go on below the pieces; its directory is read against where it starts. */
static uint64_t start_of(const struct boot_gather *gather)
{
	uint64_t low = gather->low & ~(uint64_t)(CBMEM_LIMIT_ALIGN - 1);

	if (!low || low > lowest(gather) || highest(gather) - low > BOOT_GATHER_SPREAD)
		return lowest(gather);
	return low;
}

int boot_gather_add(struct boot_gather *gather, uint64_t address, size_t len, uint8_t *bytes)
{
	int ret = 0;

	if (gather->count == BOOT_GATHER_PIECES) {
		free(bytes);
		return -ENOSPC;
	}
	gather->pieces[gather->count++] = (struct boot_gather_piece){ address, len, bytes };
	if (address > UINT64_MAX - len || highest(gather) - lowest(gather) > BOOT_GATHER_SPREAD)
		ret = -ERANGE;
	if (ret < 0)
		free(gather->pieces[--gather->count].bytes);
	return ret;
}

int boot_gather_read(const struct boot_gather *gather, struct hadal_boot *boot)
{
	uint64_t base = start_of(gather);
	size_t len;
	uint8_t *image;
	int ret;

	if (!gather->count)
		return -EBADMSG;
	len = (size_t)(highest(gather) - base);
	image = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
		     -1, 0);
	if (image == MAP_FAILED)
		return -ENOMEM;
	for (size_t i = 0; i < gather->count; i++)
		memcpy(image + (gather->pieces[i].address - base), gather->pieces[i].bytes,
		       gather->pieces[i].len);
	ret = hadal_boot_read_memory(boot, image, len, base, gather->table);
	munmap(image, len);
	return ret;
}

void boot_gather_free(struct boot_gather *gather)
{
	for (size_t i = 0; i < gather->count; i++)
		free(gather->pieces[i].bytes);
	gather->count = 0;
}
