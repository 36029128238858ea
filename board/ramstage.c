// SPDX-License-Identifier: MIT
/*
 * The third stage: sets the machine up for an operating system, describes it in tables, and starts
 * Linux.
 */
#include "board/cbmem.h"
#include "board/chipset.h"
#include "board/console.h"
#include "board/stage.h"
#include "core/timestamp.h"

_Noreturn void stage_main(uint64_t reset_time)
{
	(void)reset_time;
	board_cbmem_recover();
	timestamp_add_now(TS_RAMSTAGE_START);
	console_text("board: ramstage\n");
	timestamp_add_now(TS_DEVICE_INIT_CHIPS);
	chipset_init();
	console_stop("nothing to boot");
}
