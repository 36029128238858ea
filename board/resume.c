// SPDX-License-Identifier: MIT
/*
 * Waking a system that sleeps in S3. Its ACPI tables are still in memory, and the FACS among them
 * says where it wants to go on. ACPI Specification 6.4, 5.2.10.
 */
#include "board/resume.h"

#include "board/console.h"
#include "core/load.h"
#include "core/timestamp.h"

#define FACS_WAKING_VECTOR 12

_Noreturn void wake_jump(uint32_t vector);

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
