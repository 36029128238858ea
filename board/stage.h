/* SPDX-License-Identifier: MIT */
/*
 * How a stage reaches the next: the image in ROM begins with a header that its linker script made.
 */
#ifndef HADAL_BOARD_STAGE_H
#define HADAL_BOARD_STAGE_H

#include <stdint.h>

#define STAGE_MAGIC 0x45475453u /* "STGE" */

/*
 * struct stage_header - the first bytes of a stage, in ROM and where it runs
 * @magic: STAGE_MAGIC
 * @load: where it runs
 * @bytes: of code and data
 * @entry: its first instruction
 */
struct stage_header {
	uint32_t magic;
	uint32_t load;
	uint32_t bytes;
	uint32_t entry;
};

/* Each stage's first function in C. @reset_time is the counter at the first instruction. */
_Noreturn void stage_main(uint64_t reset_time);

/* Copies the stage at @rom to where it runs. Stops the machine if there is none. */
void stage_load(uint32_t rom);

/* Starts what stage_load() has loaded from there. */
_Noreturn void stage_run(uint32_t rom, uint64_t reset_time);

#endif
