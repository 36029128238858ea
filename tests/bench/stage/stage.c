// SPDX-License-Identifier: MIT
/* A stage that calls all of the timestamp library, linked to see what of it remains. */
#include "core/timestamp.h"

struct timestamp_stage stage_bss;

void stage_entry(void);

void stage_entry(void)
{
	timestamp_init(port_clock());
	timestamp_add(TS_BOOTBLOCK_START, 0);
	timestamp_add_now(TS_BOOTBLOCK_END);
	timestamp_sync();
	timestamp_rescale(1, 4);
	timestamp_add(TS_ROMSTAGE_START, timestamp_us_since_boot());
}
