// SPDX-License-Identifier: MIT
/* Where this board keeps CBMEM, and how its stages bring it up. */
#include "board/cbmem.h"

#include "board/cmos.h"
#include "board/console.h"
#include "board/layout.h"

struct cbmem board_cbmem;

#define MIB 0x100000u

uint32_t board_memory_top(void)
{
	uint32_t units = cmos_read16(CMOS_EXTENDED2_MEMORY);

	if (units)
		return 16 * MIB + units * 0x10000;
	return MIB + cmos_read16(CMOS_EXTENDED_MEMORY) * 1024u;
}

static void *start(void)
{
	return (void *)(board_memory_top() - LAYOUT_CBMEM_BYTES);
}

void board_cbmem_create(bool keep)
{
	if (keep && cbmem_recover(&board_cbmem, start(), LAYOUT_CBMEM_BYTES) == 0)
		return;
	if (cbmem_create(&board_cbmem, start(), LAYOUT_CBMEM_BYTES) < 0)
		console_stop("no memory for CBMEM");
}

void board_cbmem_recover(void)
{
	if (cbmem_recover(&board_cbmem, start(), LAYOUT_CBMEM_BYTES) < 0)
		console_stop("CBMEM is not where the romstage left it");
}

void *board_cbmem_add(uint32_t id, uint32_t bytes)
{
	void *entry = cbmem_add(&board_cbmem, id, bytes);

	if (!entry)
		console_stop("CBMEM is full");
	return entry;
}
