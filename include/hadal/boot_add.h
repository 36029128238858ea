/* SPDX-License-Identifier: MIT */
/*
 * libhadal, adding a stamp to the live timestamp table. As with reading: open what needs
 * privilege, drop it, then look at what firmware wrote.
 */
#ifndef HADAL_BOOT_ADD_H
#define HADAL_BOOT_ADD_H

#include "hadal/boot.h"

struct hadal_add;

/*
 * Opens the table of this machine or, if @root is not NULL, what is below that folder, which is
 * this machine's all the same (as a container sees it): by the kernel's coreboot bus, else by
 * /dev/mem. 0, or -errno after setting @finding.
 */
int hadal_add_open(struct hadal_add **add, const char *root, struct finding *finding);

/*
 * Adds @id with the time of now, in the table's own ticks, which *@ticks becomes (since the
 * table's base). 0, or -errno after setting @finding: -ENOSPC if the table is full, and then
 * nothing is changed.
 */
int hadal_add_stamp(struct hadal_add *add, uint32_t id, int64_t *ticks, struct finding *finding);

void hadal_add_close(struct hadal_add *add);

/*
 * The ID that an enum's name stands for, in today's spelling (TS_ROMSTAGE_START) or in that of
 * before 2022 (TS_START_ROMSTAGE, TS_COPYRAM_DONE). NULL if there is none.
 */
const struct hadal_boot_id *hadal_boot_id_by_name(const char *name);

#endif
