// SPDX-License-Identifier: MIT
/*
 * The third stage: sets the machine up for an operating system, describes it in tables, and starts
 * Linux.
 */
#include "board/acpi.h"
#include "board/cbmem.h"
#include "board/chipset.h"
#include "board/console.h"
#include "board/coreboot_tables.h"
#include "board/e820.h"
#include "board/linux.h"
#include "board/mtrr.h"
#include "board/pci_devices.h"
#include "board/resume.h"
#include "board/smbios.h"
#include "board/smm.h"
#include "board/stage.h"
#include "core/timestamp.h"

static void devices_init(void)
{
	timestamp_add_now(TS_DEVICE_INIT_CHIPS);
	chipset_init();
	timestamp_add_now(TS_DEVICE_ENUMERATE);
	pci_enumerate();
	timestamp_add_now(TS_DEVICE_CONFIGURE);
	pci_assign();
	timestamp_add_now(TS_DEVICE_ENABLE);
	pci_enable();
	timestamp_add_now(TS_DEVICE_INITIALIZE);
	mtrr_init();
	smm_init();
	timestamp_add_now(TS_DEVICE_DONE);
}

/* Returns the address of the RSDP. */
static uint32_t tables_write(struct e820_map *map)
{
	uint32_t rsdp;

	timestamp_add_now(TS_WRITE_TABLES);
	resume_prepare();
	rsdp = acpi_init(coreboot_tables_place(), COREBOOT_TABLES_BYTES);
	smbios_init();
	e820_build(map);
	coreboot_tables_write(map, rsdp);
	timestamp_add_now(TS_FINALIZE_CHIPS);
	return rsdp;
}

_Noreturn void stage_main(uint64_t reset_time)
{
	static struct e820_map map;
	uint32_t rsdp;

	(void)reset_time;
	board_cbmem_recover();
	timestamp_add_now(TS_RAMSTAGE_START);
	console_text("board: ramstage\n");
	devices_init();
	if (resume_is_wake())
		resume_wake(acpi_facs());
	rsdp = tables_write(&map);
	timestamp_add_now(TS_LOAD_PAYLOAD);
	linux_load(&map, rsdp);
	console_text("board: Linux\n");
	timestamp_add_now(TS_SELFBOOT_JUMP);
	linux_run();
}
