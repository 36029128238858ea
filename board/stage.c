// SPDX-License-Identifier: MIT
/* From one stage to the next. */
#include "board/stage.h"

#include "board/console.h"
#include "board/memory.h"

void stage_load(uint32_t rom)
{
	const struct stage_header *stage = (const struct stage_header *)rom;

	if (stage->magic != STAGE_MAGIC)
		console_stop("the ROM holds no next stage");
	memcpy((void *)stage->load, stage, stage->bytes);
}

_Noreturn void stage_run(uint32_t rom, uint64_t reset_time)
{
	const struct stage_header *stage = (const struct stage_header *)rom;
	void (*entry)(uint64_t) = (void (*)(uint64_t))stage->entry;

	entry(reset_time);
	__builtin_unreachable();
}
