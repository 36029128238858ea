// SPDX-License-Identifier: MIT
/*
 * The second stage: finds out how much memory there is and brings CBMEM up at its end. From then
 * on stamps go there.
 *
 * In which order CBMEM and timestamp_init() come is what the timestamp cases are about
 * (core/timestamp.h); real boards have one order, this one shows them all.
 */
#include "board/cbmem.h"
#include "board/console.h"
#include "board/layout.h"
#include "board/resume.h"
#include "board/stage.h"
#include "core/timestamp.h"

/* The bootblock's stash went with it; what is known of its time is when it began. */
static void stamps_begin(uint64_t reset_time)
{
	timestamp_init(reset_time);
	timestamp_add(TS_BOOTBLOCK_START, reset_time);
}

_Noreturn void stage_main(uint64_t reset_time)
{
	if (BOARD_CASE == 2)
		stamps_begin(reset_time);
	if (BOARD_CASE == 3) {
		board_cbmem_create(resume_is_wake());
		stamps_begin(reset_time);
	}
	timestamp_add_now(TS_ROMSTAGE_START);
	console_value("board: romstage, memory ends at", board_memory_top());
	if (BOARD_CASE != 3) {
		timestamp_add_now(TS_INITRAM_START);
		board_cbmem_create(resume_is_wake());
		timestamp_add_now(TS_INITRAM_END);
	}
	timestamp_add_now(TS_COPYRAM_START);
	stage_load(LAYOUT_ROM_RAMSTAGE);
	timestamp_add_now(TS_COPYRAM_END);
	timestamp_add_now(TS_ROMSTAGE_END);
	stage_run(LAYOUT_ROM_RAMSTAGE, reset_time);
}
