// SPDX-License-Identifier: MIT
/* The first stage. It runs in ROM and has one job: to get the romstage going. */
#include "board/console.h"
#include "board/layout.h"
#include "board/stage.h"
#include "core/timestamp.h"

_Noreturn void stage_main(uint64_t reset_time)
{
	timestamp_init(reset_time);
	timestamp_add(TS_BOOTBLOCK_START, reset_time);
	console_init();
	console_text("board: bootblock\n");
	timestamp_add_now(TS_COPYROM_START);
	stage_load(LAYOUT_ROM_ROMSTAGE);
	timestamp_add_now(TS_COPYROM_END);
	timestamp_add_now(TS_BOOTBLOCK_END);
	stage_run(LAYOUT_ROM_ROMSTAGE, reset_time);
}
