/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses that the SMM handler (handler.S) and the module share, beside those of core/smm_abi.h.
 *
 * SMRAM is 0xa0000 to 0xbffff. CPU N has SMBASE 0xa0000 + N * 0x400, so that its entry is at
 * 0xa8000 + N * 0x400 and its saved state ends at 0xb0000 + N * 0x400. CPU 0's is the SMBASE that
 * SeaBIOS gives the boot CPU.
 */
#ifndef SMI_INJECT_LAYOUT_H
#define SMI_INJECT_LAYOUT_H

#include "core/smm_abi.h"

#define SMRAM_BASE 0xa0000
#define SMRAM_SIZE 0x20000
#define SMRAM_STRIDE 0x400
#define SMRAM_ENTRY 0x8000   /* the architecture's: SMBASE + 0x8000 */
#define SMRAM_COMMON 0xc000  /* what all CPUs run; same segment as the boot CPU's entry */
#define SMRAM_CONTROL 0xf000 /* u32: address of struct smm_mailbox, 0: do nothing */

/* From the handler's last look at the clock to the first instruction of the interrupted code. */
#define SMI_TAIL_INSTRUCTIONS 7

#define HPET_ADDRESS 0xfed00000
#define HPET_COUNTER_LOW 0x0f0
#define HPET_T2_COMPARATOR 0x148
#define HPET_MARGIN 100 /* ticks that a new comparator value must lie ahead */

#define LAPIC_ICR 0xfee00300
#define LAPIC_SELF_NMI 0x44400 /* shorthand self, assert, delivery mode NMI */

#define TCO1_HALT 0x800

/* Where a CPU runs SMIs before anybody moved its SMBASE, and the slot of SMBASE in what it saves. */
#define RESET_ENTRY 0x38000
#define RESET_SAVE 0x3fe00
#define RESET_SAVE_SIZE 0x200
#define RESET_SAVE_SMBASE 0x3ff00

#endif
