/* SPDX-License-Identifier: MIT */
/* The q35 host bridge (MCH) and its south bridge (ICH9): what has to be set before anything else. */
#ifndef HADAL_BOARD_CHIPSET_H
#define HADAL_BOARD_CHIPSET_H

/* Places MMCONFIG and the power management registers, makes the BIOS area writable memory. */
void chipset_init(void);

#endif
