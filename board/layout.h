/* SPDX-License-Identifier: MIT */
/*
 * Where things lie in memory: the whole map. C, assembler and linker scripts read it.
 *
 * On a resume the operating system's memory is full of its own data, so the firmware keeps to
 * what its memory map (e820.c) has marked as reserved from the first boot on.
 */
#ifndef HADAL_BOARD_LAYOUT_H
#define HADAL_BOARD_LAYOUT_H

/* Page 0: the interrupt table nobody uses, and where x86 readers look for a coreboot table. */
#define LAYOUT_FORWARD_TABLE 0x500
#define LAYOUT_PAGE0_END 0x1000

/* The firmware's own part of low memory, reserved. */
#define LAYOUT_LOW_START 0x80000
#define LAYOUT_TIMESTAMP_REGION 0x80000 /* 4 KiB, case 1's _timestamp region */
#define LAYOUT_AP_TRAMPOLINE 0x81000	/* 4 KiB, page-aligned for the start-up IPI */
#define LAYOUT_STACK_BOTTOM 0x82000
#define LAYOUT_STACK_TOP 0x88000      /* one stack, all stages use it */
#define LAYOUT_BOOTBLOCK_DATA 0x88000 /* the bootblock runs in ROM, its variables do not */
#define LAYOUT_ROMSTAGE 0x8a000	      /* 24 KiB */
#define LAYOUT_RAMSTAGE 0x90000	      /* 64 KiB */
#define LAYOUT_LOW_END 0xa0000	      /* SMRAM and VGA begin */

/*
 * SMRAM, 128 KiB behind the VGA's window: the handler, the stacks, then for each CPU its SMBASE's
 * entry and state (smm.h).
 */
#define LAYOUT_SMRAM 0xa0000
#define LAYOUT_SMM_STACKS_TOP 0xa8000

/* The BIOS area: RAM under the ROM's shadow, where RSDP and SMBIOS anchor are looked for. */
#define LAYOUT_SMBIOS_ANCHOR 0xf0000
#define LAYOUT_FSEG_START 0xf0040 /* what the ACPI table loader may use of it */
#define LAYOUT_FSEG_END 0x100000

/* CBMEM is the last 2 MiB of memory below 4 GiB; half of it is the SMM handler's log. */
#define LAYOUT_CBMEM_BYTES 0x200000

/* The linux/x86 boot protocol's usual place for the protected-mode kernel. */
#define LAYOUT_KERNEL 0x100000

/* PCI Express configuration space, and the window below the I/O APIC for PCI memory. */
#define LAYOUT_MMCONFIG 0xb0000000
#define LAYOUT_MMCONFIG_BYTES 0x10000000
#define LAYOUT_PCI_MEMORY 0xe0000000
#define LAYOUT_PCI_MEMORY_END 0xfec00000
#define LAYOUT_PCI_IO 0xc000
#define LAYOUT_PCI_IO_END 0x10000

/* Registers of the chipset that firmware places. */
#define LAYOUT_PMBASE 0x600
#define LAYOUT_RCBA 0xfed1c000
#define LAYOUT_RCBA_BYTES 0x4000

/* The ROM, up to 4 GiB: four slots. */
#define LAYOUT_ROM_BYTES 0x20000
#define LAYOUT_ROM_RAMSTAGE 0xfffe0000	/* 48 KiB */
#define LAYOUT_ROM_SMM 0xfffec000	/* 16 KiB, the SMM handler */
#define LAYOUT_ROM_ROMSTAGE 0xffff0000	/* 32 KiB */
#define LAYOUT_ROM_BOOTBLOCK 0xffff8000 /* 32 KiB, the reset vector at its end */

#endif
