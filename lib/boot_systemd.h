/* SPDX-License-Identifier: MIT */
/* systemd's marks: asked of the manager, or as it told them to the journal. */
#ifndef HADAL_LIB_BOOT_SYSTEMD_H
#define HADAL_LIB_BOOT_SYSTEMD_H

#include <stddef.h>
#include <stdint.h>

#include "lib/boot_tree.h"

/*
 * The manager's marks, in the order of its boot. The first two are lengths before the kernel's
 * zero, the others times after it.
 */
enum boot_systemd_mark {
	SYSTEMD_FIRMWARE,
	SYSTEMD_LOADER,
	SYSTEMD_INITRD,
	SYSTEMD_USERSPACE,
	SYSTEMD_FINISH,
	/* What only newer managers know, each from its first mark to its second. */
	SYSTEMD_DETAILS,
	SYSTEMD_INITRD_SECURITY = SYSTEMD_DETAILS,
	SYSTEMD_INITRD_GENERATORS = SYSTEMD_INITRD_SECURITY + 2,
	SYSTEMD_INITRD_UNITS = SYSTEMD_INITRD_GENERATORS + 2,
	SYSTEMD_SECURITY = SYSTEMD_INITRD_UNITS + 2,
	SYSTEMD_GENERATORS = SYSTEMD_SECURITY + 2,
	SYSTEMD_UNITS = SYSTEMD_GENERATORS + 2,
	SYSTEMD_MARKS = SYSTEMD_UNITS + 2,
};

/* struct boot_systemd - the marks in microseconds, 0 where there is none */
struct boot_systemd {
	uint64_t usec[SYSTEMD_MARKS];
};

/*
 * Connects to the system bus of the machine at @root, or if there is none to the manager's own
 * socket, which is root's. Sets *@private to 1 for that. A descriptor or -errno, the bus's.
 */
int boot_systemd_connect(const char *root, int *private);

/*
 * Asks the manager at the other end of *@fd, which is closed and set to -1. @private: as
 * boot_systemd_connect() set it. 0, or -errno if no manager answers.
 */
int boot_systemd_ask(int *fd, int private, struct boot_systemd *marks);

/*
 * Reads what the manager of this boot told the journal when it had finished. -ENOENT: there is no
 * such message; -EACCES: none in what we may read. -EBADMSG: it has no numbers. Another -errno:
 * the journal cannot be read.
 */
int boot_systemd_journal(const struct boot_tree *tree, struct boot_systemd *marks);

#endif
