// SPDX-License-Identifier: MIT
/*
 * Installs the SMM handler: opens SMRAM, loads the handler, moves every CPU's SMBASE there, closes
 * and locks. MCH registers: Intel 3 Series Express Chipset Family data sheet, 5.1.
 */
#include "board/smm.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/cpus.h"
#include "board/fw_cfg.h"
#include "board/io.h"
#include "board/layout.h"
#include "board/memory.h"
#include "board/pci.h"
#include "core/smm_abi.h"

#define MCH_SMRAM 0x9d /* SMRAM at 0xa0000 */
#define MCH_SMRAM_BASE 0x02
#define MCH_SMRAM_ENABLE 0x08
#define MCH_SMRAM_LOCK 0x10
#define MCH_SMRAM_OPEN 0x40

/* ICH9 data sheet, 13.8.3.13. */
#define SMI_EN (LAYOUT_PMBASE + 0x30)
#define SMI_EN_GLOBAL 0x01
#define SMI_EN_APMC 0x20

#define SMM_TAIL 3 /* instructions of smm_entry.S after its last look at the clock */

static void smram_control(uint8_t bits)
{
	pci_write8(PCI_HOST_BRIDGE, MCH_SMRAM, (uint8_t)(MCH_SMRAM_BASE | MCH_SMRAM_ENABLE | bits));
}

static struct smm_mailbox *mailbox_open(void)
{
	struct smm_mailbox *box = board_cbmem_add(CBMEM_ID_SMM, SMM_BYTES);

	box->magic = SMM_MAILBOX_MAGIC;
	box->master = SMM_NO_MASTER;
	box->tail = SMM_TAIL;
	return box;
}

static void load_handler(const struct smm_mailbox *box, uint32_t cpus)
{
	struct smm_image *image = (struct smm_image *)LAYOUT_SMRAM;

	memset((void *)LAYOUT_SMRAM, 0, LAYOUT_SMM_STACKS_TOP - LAYOUT_SMRAM);
	stage_load(LAYOUT_ROM_SMM);
	image->mailbox = (uint32_t)box;
	image->cpus = cpus;
	for (uint32_t i = 0; i < SMM_CPUS; i++)
		memcpy((uint8_t *)LAYOUT_SMRAM + SMM_ENTRY + (i << SMM_STRIDE_SHIFT), image->entry,
		       sizeof(image->entry));
}

/* After a wake from S3 the memory at the reset's SMBASE is the sleeping system's: it gets it back. */
static uint32_t move_cpus(uint32_t cpus)
{
	uint8_t *code = (uint8_t *)(SMM_RESET_SMBASE + SMM_ENTRY);
	uint8_t *state = (uint8_t *)(SMM_RESET_SMBASE + SMM_STATE);
	static uint8_t saved_code[64], saved_state[SMM_STATE_BYTES];
	uint32_t moved;

	memcpy(saved_code, code, sizeof(saved_code));
	memcpy(saved_state, state, sizeof(saved_state));
	memcpy(code, cpus_move, (size_t)(cpus_move_end - cpus_move));
	moved = cpus_move_all(cpus);
	memcpy(code, saved_code, sizeof(saved_code));
	memcpy(state, saved_state, sizeof(saved_state));
	return moved;
}

void smm_init(void)
{
	uint32_t cpus = fw_cfg_u16(FW_CFG_CPU_COUNT);
	struct smm_mailbox *box;

	if (cpus > SMM_CPUS) {
		console_value("board: too many CPUs for system management mode:", cpus);
		return;
	}
	box = mailbox_open();
	smram_control(MCH_SMRAM_OPEN);
	load_handler(box, cpus);
	outl(SMI_EN, inl(SMI_EN) | SMI_EN_GLOBAL | SMI_EN_APMC);
	box->cpus = move_cpus(cpus);
	smram_control(MCH_SMRAM_LOCK);
	console_value("board: SMM on CPUs", box->cpus);
}
