/* SPDX-License-Identifier: MIT */
/* Is this boot a wake from S3? */
#ifndef HADAL_BOARD_RESUME_H
#define HADAL_BOARD_RESUME_H

#include <stdbool.h>

#include "board/cmos.h"

/* True if memory holds a sleeping system that has to be woken up. */
static inline bool resume_is_wake(void)
{
	return cmos_read(CMOS_SHUTDOWN_STATUS) == CMOS_SHUTDOWN_S3;
}

#endif
