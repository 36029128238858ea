// SPDX-License-Identifier: MIT
/* coreboot's tables through /dev/mem: found by search, or by what kernel or device tree say. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/boot_source.h"
#include "lib/boot_table_find.h"

/* The node's other place is where firmware of before 2014 put it. */
static const char *const reg_paths[] = {
	"/proc/device-tree/firmware/coreboot/reg",
	"/proc/device-tree/coreboot/reg",
};

/* Two ranges of 64-bit addresses and sizes; more is no such property. */
#define REG_BYTES 32u

/* struct devmem - memory, and the device tree's property where it is that which leads on */
struct devmem {
	struct boot_memory mem;
	uint8_t reg[REG_BYTES];
	size_t reg_len;
};

static void *devmem_open(const struct boot_tree *tree, struct finding *finding)
{
	struct devmem *devmem = calloc(1, sizeof(*devmem));

	if (!devmem)
		return boot_source_no_memory(finding);
	if (boot_memory_open(&devmem->mem, tree, false, finding) < 0) {
		free(devmem);
		return NULL;
	}
	return devmem;
}

static void devmem_close(void *state)
{
	struct devmem *devmem = state;

	boot_memory_close(&devmem->mem);
	free(devmem);
}

static int read_at(const struct devmem *devmem, uint64_t address, struct hadal_boot *boot,
		   struct finding *finding)
{
	struct boot_gather gather = { 0 };
	int ret = boot_table_gather(&devmem->mem, address, &gather, finding);

	if (ret == 0)
		ret = boot_table_read(&gather, boot, finding);
	else if (ret != -ENOMEM)
		ret = 0;
	boot_gather_free(&gather);
	return ret;
}

static int devmem_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct devmem *devmem = state;
	uint64_t address;

	if (boot_table_search(&devmem->mem, &address, finding) < 0)
		return 0;
	return read_at(devmem, address, boot, finding);
}

static void *devicetree_open(const struct boot_tree *tree, struct finding *finding)
{
	uint8_t reg[REG_BYTES];
	struct devmem *devmem;
	ssize_t len = -ENOENT;

	for (size_t i = 0; len == -ENOENT && i < sizeof(reg_paths) / sizeof(reg_paths[0]); i++)
		len = boot_tree_read(tree, reg_paths[i], reg, sizeof(reg));
	if (len < 0) {
		if (len == -EFBIG)
			finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
				    "the device tree's coreboot node has more than two ranges");
		else
			finding_set(finding, FINDING_ABSENT,
				    "Nothing to do on a machine that has none; x86 has not.",
				    "there is no coreboot node in a device tree");
		return NULL;
	}
	devmem = devmem_open(tree, finding);
	if (devmem) {
		memcpy(devmem->reg, reg, (size_t)len);
		devmem->reg_len = (size_t)len;
	}
	return devmem;
}

static int devicetree_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct devmem *devmem = state;
	uint64_t address;

	if (boot_devicetree_table(devmem->reg, devmem->reg_len, &address) == 0)
		return read_at(devmem, address, boot, finding);
	finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
		    "the device tree's coreboot node has no address in it");
	return 0;
}

const struct boot_source boot_source_devmem = {
	.name = "devmem",
	.table = true,
	.open = devmem_open,
	.read = devmem_read,
	.close = devmem_close,
};

const struct boot_source boot_source_devicetree = {
	.name = "devicetree",
	.table = true,
	.open = devicetree_open,
	.read = devicetree_read,
	.close = devmem_close,
};
