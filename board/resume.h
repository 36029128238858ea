/* SPDX-License-Identifier: MIT */
/* A boot that is a wake from S3. */
#ifndef HADAL_BOARD_RESUME_H
#define HADAL_BOARD_RESUME_H

#include <stdbool.h>
#include <stdint.h>

#include "board/cmos.h"

/* True if memory holds a sleeping system that has to be woken up. */
static inline bool resume_is_wake(void)
{
	return cmos_read(CMOS_SHUTDOWN_STATUS) == CMOS_SHUTDOWN_S3;
}

/*
 * On the boot before: keeps a place in CBMEM for the timestamp table that a resume moves away, where
 * this ROM does that. The coreboot table names the entries that are there when it is written, and
 * a resume does not write it again.
 */
void resume_prepare(void);

/*
 * Goes on where the sleeping system wants to. @facs is the address of its FACS, 0 if not known,
 * which stops the machine.
 */
_Noreturn void resume_wake(uint32_t facs);

#endif
