// SPDX-License-Identifier: MIT
/*
 * The kernel's coreboot bus in sysfs. The firmware's records have names there since Linux 6.2, and
 * contents where the cbmem driver is; neither can be taken for granted.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/cbmem_abi.h"
#include "lib/boot_gather.h"
#include "lib/boot_memory.h"
#include "lib/boot_source.h"

#define DEVICES "/sys/bus/coreboot/devices"

/* What is read: the coreboot table first, since it places the others. */
static const uint32_t ids[] = { CBMEM_ID_CBTABLE, CBMEM_ID_TIMESTAMP, CBMEM_ID_HADAL,
				CBMEM_ID_TIMESTAMP_PRESUSPEND };

#define ID_COUNT (sizeof(ids) / sizeof(ids[0]))

/* struct sysfs - the open `mem` files, -1 where there is none, and their addresses */
struct sysfs {
	int mem[ID_COUNT];
	uint64_t address[ID_COUNT];
};

static bool has_firmware(const struct boot_tree *tree)
{
	return boot_tree_has(tree, "/sys/bus/acpi/devices/BOOT0000:00") ||
	       boot_tree_has(tree, "/sys/bus/acpi/devices/GOOGCB00:00") ||
	       boot_tree_has(tree, "/proc/device-tree/firmware/coreboot");
}

/* struct devices - how many the bus has, and how many are named as CBMEM entries */
struct devices {
	unsigned int all;
	unsigned int named;
};

static int count_device(void *context, const char *name)
{
	struct devices *devices = context;

	devices->all++;
	devices->named += strncmp(name, "cbmem-", 6) == 0;
	return 0;
}

/* Why there is no file to open. */
static void say_missing(const struct boot_tree *tree, struct finding *finding)
{
	struct devices devices = { 0 };
	int ret = boot_tree_each(tree, DEVICES, count_device, &devices);

	if (ret < 0 && has_firmware(tree))
		finding_set(
			finding, FINDING_BLOCKED,
			"modprobe coreboot_table; or use a kernel with "
			"CONFIG_GOOGLE_COREBOOT_TABLE and CONFIG_GOOGLE_CBMEM.",
			"coreboot firmware, but the kernel's driver for its table is not there");
	else if (ret < 0)
		finding_set(
			finding, FINDING_ABSENT,
			"Nothing to do where the firmware is not coreboot; else use a kernel with "
			"CONFIG_GOOGLE_COREBOOT_TABLE and CONFIG_GOOGLE_CBMEM.",
			"no " DEVICES ": not coreboot firmware, or no driver for it");
	else if (!devices.all && !has_firmware(tree))
		finding_set(
			finding, FINDING_ABSENT, "Nothing to do: other firmware may have an FPDT.",
			"the kernel's coreboot bus has no devices: the firmware is not coreboot");
	else if (!devices.all)
		finding_set(finding, FINDING_ABSENT, "Report it to the firmware's makers.",
			    "the kernel's coreboot bus has no devices: the firmware left no table");
	else if (!devices.named)
		finding_set(finding, FINDING_BLOCKED,
			    "Use a kernel of 6.2 or later with CONFIG_GOOGLE_CBMEM, or "
			    "--source=devmem.",
			    "this kernel's coreboot bus does not tell CBMEM entries apart");
	else if (!boot_tree_has(tree, DEVICES "/cbmem-54494d45"))
		finding_set(finding, FINDING_ABSENT,
			    "Build the firmware with CONFIG_COLLECT_TIMESTAMPS.",
			    "the firmware has CBMEM but keeps no timestamps in it");
	else
		finding_set(finding, FINDING_BLOCKED,
			    "modprobe cbmem; or use a kernel with CONFIG_GOOGLE_CBMEM, or "
			    "--source=devmem.",
			    "the kernel's coreboot bus has no contents (CONFIG_GOOGLE_CBMEM)");
}

static uint64_t read_address(const struct boot_tree *tree, uint32_t id)
{
	char path[80], text[32];

	snprintf(path, sizeof(path), DEVICES "/cbmem-%08x/address", id);
	if (boot_tree_text(tree, path, text, sizeof(text)) < 0)
		return 0;
	return strtoull(text, NULL, 16);
}

static int open_mem(const struct boot_tree *tree, uint32_t id, int flags)
{
	char path[80];

	snprintf(path, sizeof(path), DEVICES "/cbmem-%08x/mem", id);
	return boot_tree_file(tree, path, flags);
}

static void sysfs_close(void *state)
{
	struct sysfs *sysfs = state;

	for (size_t i = 0; i < ID_COUNT; i++)
		if (sysfs->mem[i] >= 0)
			close(sysfs->mem[i]);
	free(sysfs);
}

static void *sysfs_open(const struct boot_tree *tree, struct finding *finding)
{
	struct sysfs *sysfs = malloc(sizeof(*sysfs));
	int stamps;

	if (!sysfs)
		return boot_source_no_memory(finding);
	for (size_t i = 0; i < ID_COUNT; i++) {
		sysfs->mem[i] = open_mem(tree, ids[i], O_RDONLY);
		sysfs->address[i] = read_address(tree, ids[i]);
	}
	stamps = sysfs->mem[1];
	if (stamps >= 0)
		return sysfs;
	if (stamps == -EACCES || stamps == -EPERM)
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal boot",
			    DEVICES "/cbmem-54494d45/mem may be read by root only");
	else
		say_missing(tree, finding);
	sysfs_close(sysfs);
	return NULL;
}

/* Reads one entry's bytes; its `mem` has size 0 for stat(), so it is read up to its end. */
static int take(const struct sysfs *sysfs, size_t i, struct boot_gather *gather)
{
	uint8_t *bytes = malloc(BOOT_MEMORY_MAX);
	ssize_t len;

	if (!bytes)
		return -ENOMEM;
	len = boot_tree_read_fd(sysfs->mem[i], bytes, BOOT_MEMORY_MAX);
	if (len <= 0) {
		free(bytes);
		return len < 0 ? (int)len : -ENODATA;
	}
	return boot_gather_add(gather, sysfs->address[i], (size_t)len, bytes);
}

static int gather_all(const struct sysfs *sysfs, struct boot_gather *gather)
{
	int ret = 0;

	for (size_t i = 0; i < ID_COUNT && ret == 0; i++)
		if (sysfs->mem[i] >= 0)
			ret = take(sysfs, i, gather);
	gather->table = sysfs->address[0];
	return ret;
}

/* Without the coreboot table to place it, the timestamp table is all there is. */
static int read_alone(const struct boot_gather *gather, struct hadal_boot *boot)
{
	const struct boot_gather_piece *stamps = &gather->pieces[0];

	return hadal_boot_read_image(boot, stamps->bytes, stamps->len, NULL);
}

static int sysfs_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	const struct sysfs *sysfs = state;
	struct boot_gather gather = { 0 };
	int ret = gather_all(sysfs, &gather);

	if (ret < 0)
		finding_set(finding, FINDING_BLOCKED, "See why: sudo dmesg | tail",
			    "an entry in %s cannot be read: %s", DEVICES, strerror(-ret));
	else
		ret = sysfs->mem[0] >= 0 ? boot_gather_read(&gather, boot) :
					   read_alone(&gather, boot);
	boot_gather_free(&gather);
	if (ret == -ENOMEM)
		return ret;
	if (ret == 0 && boot->has_stamps) {
		finding_set(finding, FINDING_READY, NULL, "%zu stamps from %s", boot->stamps.count,
			    DEVICES "/cbmem-54494d45/mem");
		return 1;
	}
	if (ret == -EBADMSG || ret == 0)
		finding_set(finding, FINDING_BLOCKED,
			    "sudo cp " DEVICES "/cbmem-54494d45/mem FILE; report FILE to the "
			    "firmware's makers.",
			    "what the kernel hands out as timestamp table is none");
	return 0;
}

const struct boot_source boot_source_sysfs = {
	.name = "sysfs",
	.table = true,
	.open = sysfs_open,
	.read = sysfs_read,
	.close = sysfs_close,
};
