/* SPDX-License-Identifier: MIT */
/* Which memory may be cached. */
#ifndef HADAL_BOARD_MTRR_H
#define HADAL_BOARD_MTRR_H

/* Sets this CPU's memory types. The others get the same (cpus.h): an operating system wants them alike. */
void mtrr_init(void);

#endif
