/* SPDX-License-Identifier: MIT */
/*
 * System management mode: code that no operating system can see or stop.
 *
 * An SMI saves a CPU's state at SMBASE + 0xfe00 and starts it at SMBASE + 0x8000, in 16-bit mode
 * with 4 GiB data segments (Intel SDM volume 3, 32.4 and 32.5). After a reset every CPU has the same
 * SMBASE, 0x30000, in plain memory; firmware moves each CPU's to a place of its own in SMRAM,
 * memory that only system management mode reaches once the host bridge has it closed and locked.
 */
#ifndef HADAL_BOARD_SMM_H
#define HADAL_BOARD_SMM_H

#define SMM_ENTRY 0x8000      /* from SMBASE */
#define SMM_STRIDE_SHIFT 10   /* from one CPU's SMBASE to the next one's: 1 KiB */
#define SMM_STATE_BYTES 0x200 /* QEMU saves the layout of AMD64, 512 bytes up to SMBASE + 0x10000 */
#define SMM_STATE 0xfe00      /* from SMBASE */
#define SMM_STATE_SMBASE 0xff00	 /* from SMBASE; RSM takes the new one from here */
#define SMM_RESET_SMBASE 0x30000 /* every CPU's after a reset */
#define SMM_STACK_SHIFT 9	 /* 512 bytes for each CPU */

/* The local APIC's registers. SDM volume 3, 11.4 and 11.6. */
#define LAPIC_ID 0xfee00020
#define LAPIC_ICR 0xfee00300
#define LAPIC_ICR_PENDING 0x1000
#define LAPIC_SMI_TO_OTHERS 0xc4200 /* all but self, assert, delivery mode SMI */
#define LAPIC_NMI_TO_SELF 0x44400
#define LAPIC_INIT_TO_OTHERS 0xc4500
#define LAPIC_STARTUP_TO_OTHERS 0xc4600 /* the low byte is the page where they start */

#ifndef __ASSEMBLER__

#include <stdint.h>

#include "board/stage.h"

/*
 * struct smm_image - the handler in SMRAM, a stage like the others
 * @mailbox: physical address of the struct smm_mailbox that it obeys
 * @cpus: how many CPUs run it
 * @entry: code for each CPU's entry, of which each gets a copy
 */
struct smm_image {
	struct stage_header header;
	uint32_t mailbox;
	uint32_t cpus;
	uint8_t entry[64];
};

/* Installs the handler on all CPUs and locks SMRAM. The mailbox becomes a CBMEM entry. */
void smm_init(void);

#endif
#endif
