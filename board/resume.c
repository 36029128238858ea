// SPDX-License-Identifier: MIT
/*
 * Waking a system that sleeps in S3. Its ACPI tables are still in memory, and the FACS among them
 * says where it wants to go on. ACPI Specification 6.4, 5.2.10.
 */
#include "board/resume.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "core/load.h"
#include "core/timestamp.h"

#define FACS_WAKING_VECTOR 12

#define TABLE_BYTES                                                                                \
	(sizeof(struct timestamp_table) +                                                          \
	 PORT_TIMESTAMP_TABLE_ENTRIES * sizeof(struct timestamp_entry))

_Noreturn void wake_jump(uint32_t vector);

void resume_prepare(void)
{
	if (PORT_TIMESTAMP_KEEP_PRESUSPEND)
		board_cbmem_add(CBMEM_ID_TIMESTAMP_PRESUSPEND, TABLE_BYTES);
}

_Noreturn void resume_wake(uint32_t facs)
{
	uint32_t vector = facs ? load_le32((const uint8_t *)facs + FACS_WAKING_VECTOR) : 0;

	if (!vector)
		console_stop("the sleeping system left no waking vector");
	console_value("board: wake at", vector);
	cmos_write(CMOS_SHUTDOWN_STATUS, 0);
	timestamp_add_now(TS_ACPI_WAKE_JUMP);
	wake_jump(vector);
}
