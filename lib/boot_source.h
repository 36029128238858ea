/* SPDX-License-Identifier: MIT */
/*
 * What a source of boot times is. To add one: a file boot_source_NAME.c with its struct
 * boot_source, and a line in the table of boot_live.c.
 */
#ifndef HADAL_LIB_BOOT_SOURCE_H
#define HADAL_LIB_BOOT_SOURCE_H

#include "hadal/boot.h"
#include "hadal/boot_live.h"
#include "lib/boot_tree.h"

/*
 * struct boot_source - a place where boot times can be read
 * @name: what --source= calls it
 * @table: it reads firmware's own table, and one source of that is enough
 * @open: opens what needs privilege, and reads nothing that has to be understood; returns what
 *	read() needs, from malloc(), or NULL after setting @finding
 * @read: puts what it finds into @boot; 1 if that is anything, 0 if not, -ENOMEM. Sets @finding.
 * @close: frees what open() returned
 */
struct boot_source {
	const char *name;
	bool table;
	void *(*open)(const struct boot_tree *tree, struct finding *finding);
	int (*read)(void *state, struct hadal_boot *boot, struct finding *finding);
	void (*close)(void *state);
};

extern const struct boot_source boot_source_sysfs;
extern const struct boot_source boot_source_devmem;
extern const struct boot_source boot_source_devicetree;
extern const struct boot_source boot_source_fpdt;
extern const struct boot_source boot_source_loader;
extern const struct boot_source boot_source_kernel;
extern const struct boot_source boot_source_systemd;
extern const struct boot_source boot_source_login;

/* The finding for want of memory; returns NULL for open(). */
void *boot_source_no_memory(struct finding *finding);

#endif
