/* SPDX-License-Identifier: MIT */
/*
 * The other CPUs. They come out of reset waiting for a start-up IPI; each is started once, to get the
 * boot CPU's MTRRs and an SMBASE of its own, and then sleeps until the operating system starts it.
 *
 * A reset switches a CPU's MTRRs off; INIT, by which the operating system starts it, leaves them as they
 * are (Intel SDM volume 3, 10.1). The emulator takes INIT for a reset there, so that Linux finds them off
 * on any firmware, sets them itself and says so.
 */
#ifndef HADAL_BOARD_CPUS_H
#define HADAL_BOARD_CPUS_H

/* In the page that they start in: the code, and struct cpus_shared. */
#define CPUS_SHARED 0x800
#define CPUS_LINE 0x00
#define CPUS_TURN 0x04
#define CPUS_MOVED 0x08
#define CPUS_MSR_COUNT 0x0c
#define CPUS_MSRS 0x10

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* Fixed MTRRs, ten pairs of variable ones, the default type. */
#define CPUS_MSR_MAX (11 + 2 * 10 + 1)

struct cpus_msr {
	uint32_t number;
	uint32_t low;
	uint32_t high;
};

/*
 * struct cpus_shared - what the CPUs see of each other while they are started
 * @line: place in the line of the next CPU that comes; the boot CPU has place 0
 * @turn: the place whose turn it is to have its SMBASE moved, one at a time
 * @moved: bit N: the CPU with APIC ID N has been moved
 * @msrs, @msr: the boot CPU's MTRRs
 */
struct cpus_shared {
	uint32_t line;
	uint32_t turn;
	uint32_t moved;
	uint32_t msrs;
	struct cpus_msr msr[CPUS_MSR_MAX];
};

_Static_assert(offsetof(struct cpus_shared, line) == CPUS_LINE, "shared");
_Static_assert(offsetof(struct cpus_shared, turn) == CPUS_TURN, "shared");
_Static_assert(offsetof(struct cpus_shared, moved) == CPUS_MOVED, "shared");
_Static_assert(offsetof(struct cpus_shared, msrs) == CPUS_MSR_COUNT, "shared");
_Static_assert(offsetof(struct cpus_shared, msr) == CPUS_MSRS, "shared");
_Static_assert(sizeof(struct cpus_msr) == 12, "what cpus_start.S steps by");
_Static_assert(CPUS_SHARED + sizeof(struct cpus_shared) <= 0x1000, "one page");

/*
 * Has all @count CPUs, this one first, raise an SMI at their SMBASE of the reset, where
 * cpus_move must lie. Returns the mask of their APIC IDs.
 */
uint32_t cpus_move_all(uint32_t count);

/* cpus_start.S: what runs on the other CPUs, and in their first SMI. */
extern const uint8_t cpus_start[], cpus_start_end[];
extern const uint8_t cpus_move[], cpus_move_end[];

#endif
#endif
