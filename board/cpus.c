// SPDX-License-Identifier: MIT
/* The boot CPU's side of starting the others. MTRRs: Intel SDM volume 3, 12.11. */
#include "board/cpus.h"

#include "board/io.h"
#include "board/layout.h"
#include "board/memory.h"
#include "board/smm.h"
#include "core/smm_abi.h"

#define MTRR_CAPABILITY 0xfe /* bits 7:0: variable ones */
#define MTRR_VARIABLE 0x200
#define MTRR_DEFAULT_TYPE 0x2ff

static const uint16_t fixed_mtrrs[] = {
	0x250, 0x258, 0x259, 0x268, 0x269, 0x26a, 0x26b, 0x26c, 0x26d, 0x26e, 0x26f,
};
#define FIXED_MTRRS (sizeof(fixed_mtrrs) / sizeof(fixed_mtrrs[0]))

static volatile struct cpus_shared *const shared =
	(volatile struct cpus_shared *)(LAYOUT_AP_TRAMPOLINE + CPUS_SHARED);

static void share_msr(uint32_t number)
{
	volatile struct cpus_msr *msr = &shared->msr[shared->msrs++];
	uint64_t value = read_msr(number);

	msr->number = number;
	msr->low = (uint32_t)value;
	msr->high = (uint32_t)(value >> 32);
}

static void share_mtrrs(void)
{
	uint32_t registers = 2 * (read_msr(MTRR_CAPABILITY) & 0xff);

	if (registers > CPUS_MSR_MAX - FIXED_MTRRS - 1)
		registers = CPUS_MSR_MAX - FIXED_MTRRS - 1;
	for (uint32_t i = 0; i < FIXED_MTRRS; i++)
		share_msr(fixed_mtrrs[i]);
	for (uint32_t i = 0; i < registers; i++)
		share_msr(MTRR_VARIABLE + i);
	share_msr(MTRR_DEFAULT_TYPE);
}

static void send(uint32_t command)
{
	write_reg(LAPIC_ICR, command);
	while (read_reg(LAPIC_ICR) & LAPIC_ICR_PENDING)
		;
}

uint32_t cpus_move_all(uint32_t count)
{
	memset((void *)LAYOUT_AP_TRAMPOLINE, 0, 0x1000);
	memcpy((void *)LAYOUT_AP_TRAMPOLINE, cpus_start, (size_t)(cpus_start_end - cpus_start));
	share_mtrrs();
	shared->line = 1;
	outb(SMM_PORT_CONTROL, 0);
	while (!shared->moved)
		;
	shared->turn = 1;
	send(LAPIC_INIT_TO_OTHERS);
	send(LAPIC_STARTUP_TO_OTHERS | LAYOUT_AP_TRAMPOLINE >> 12);
	while (shared->turn != count)
		__asm__ volatile("pause");
	return shared->moved;
}
