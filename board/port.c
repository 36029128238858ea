// SPDX-License-Identifier: MIT
/* The part of the port that is more than a line: CBMEM, the hook, the clock's frequency. */
#include "core/port.h"

#include "board/cbmem.h"
#include "board/clock.h"
#include "board/resume.h"
#include "core/cbmem.h"
#include "core/timestamp.h"

struct timestamp_stage board_timestamp_stage;

/* The stage that brings CBMEM up first is the romstage; from then on the table is this boot's. */
bool port_resumed(void)
{
	return BOARD_STAGE != BOARD_RAMSTAGE && resume_is_wake();
}

uint32_t port_clock_khz(void)
{
	return clock_measure_khz();
}

void *port_cbmem_entry(uint32_t id, size_t *bytes)
{
	void *entry = cbmem_find(&board_cbmem, id, bytes);

	return entry ? entry : cbmem_add(&board_cbmem, id, *bytes);
}

void port_cbmem_ready(void)
{
	timestamp_sync();
}
