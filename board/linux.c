// SPDX-License-Identifier: MIT
/*
 * Starts Linux by its 32-bit boot protocol. Offsets and names: the kernel's
 * Documentation/x86/boot.rst and zero-page.rst.
 */
#include "board/linux.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/fw_cfg.h"
#include "board/layout.h"
#include "board/memory.h"
#include "core/load.h"

/* The zero page. */
#define ZERO_PAGE_BYTES 4096
#define ACPI_RSDP_ADDR 0x070
#define E820_ENTRIES 0x1e8
#define E820_TABLE 0x2d0

/* The setup header, at the same offsets in the kernel's file and in the zero page. */
#define SETUP_HEADER 0x1f1
#define JUMP_LENGTH 0x201 /* the header ends this many bytes after 0x202 */
#define JUMP_END 0x202
#define HEADER_MAGIC 0x202
#define HEADER_MAGIC_HDRS 0x53726448u
#define VERSION 0x206
#define VERSION_INIT_SIZE 0x20a /* 2.10 says where the kernel wants to be, and how large it gets */
#define TYPE_OF_LOADER 0x210
#define LOADER_UNDEFINED 0xff
#define RAMDISK_IMAGE 0x218
#define RAMDISK_SIZE 0x21c
#define CMD_LINE_PTR 0x228
#define INITRD_ADDR_MAX 0x22c
#define SETUP_DATA 0x250
#define PREF_ADDRESS 0x258
#define INIT_SIZE 0x260

#define SETUP_MAX_BYTES 0x8000 /* 64 sectors */
#define CMDLINE_MAX_BYTES 2048 /* x86's COMMAND_LINE_SIZE */

static uint8_t zero_page[ZERO_PAGE_BYTES] __attribute__((aligned(4096)));
static char cmdline[CMDLINE_MAX_BYTES];

/* The highest address that everything loaded has to stay below. */
static uint32_t memory_end(void)
{
	return board_memory_top() - LAYOUT_CBMEM_BYTES;
}

/* Uses the kernel's own place as buffer: its real-mode part is only looked at. */
static void load_header(void)
{
	const uint8_t *setup = (const uint8_t *)LAYOUT_KERNEL;
	uint32_t bytes = fw_cfg_u32(FW_CFG_SETUP_BYTES);

	if (bytes < E820_TABLE || bytes > SETUP_MAX_BYTES)
		console_stop("no kernel: start QEMU with -kernel");
	fw_cfg_read(FW_CFG_SETUP, (void *)LAYOUT_KERNEL, bytes);
	if (load_le32(setup + HEADER_MAGIC) != HEADER_MAGIC_HDRS ||
	    load_le16(setup + VERSION) < VERSION_INIT_SIZE ||
	    JUMP_END + setup[JUMP_LENGTH] > E820_TABLE)
		console_stop(
			"what QEMU was given as -kernel is no Linux that this board can start");
	memcpy(zero_page + SETUP_HEADER, setup + SETUP_HEADER,
	       JUMP_END + setup[JUMP_LENGTH] - SETUP_HEADER);
	zero_page[TYPE_OF_LOADER] = LOADER_UNDEFINED;
	/* QEMU's points to what only its own option ROM would have loaded. */
	store_le64(zero_page + SETUP_DATA, 0);
}

/* The kernel unpacks itself to its preferred address; it needs that room as well as its own. */
static uint32_t load_kernel(void)
{
	uint32_t bytes = fw_cfg_u32(FW_CFG_KERNEL_BYTES);
	uint64_t end = load_le64(zero_page + PREF_ADDRESS) + load_le32(zero_page + INIT_SIZE);

	if (end < LAYOUT_KERNEL + (uint64_t)bytes)
		end = LAYOUT_KERNEL + (uint64_t)bytes;
	if (end > memory_end())
		console_stop("the kernel needs more memory");
	fw_cfg_read(FW_CFG_KERNEL, (void *)LAYOUT_KERNEL, bytes);
	return (uint32_t)end;
}

/* As high as the kernel lets it be. */
static void load_initrd(uint32_t kernel_end)
{
	uint32_t bytes = fw_cfg_u32(FW_CFG_INITRD_BYTES);
	uint32_t end = load_le32(zero_page + INITRD_ADDR_MAX);
	uint32_t start;

	if (!bytes)
		return;
	if (end > memory_end())
		end = memory_end();
	if (end < kernel_end || bytes > end - kernel_end)
		console_stop("the initramfs needs more memory");
	start = (end - bytes) & ~0xfffu;
	if (start < kernel_end)
		console_stop("the initramfs needs more memory");
	fw_cfg_read(FW_CFG_INITRD, (void *)start, bytes);
	store_le32(zero_page + RAMDISK_IMAGE, start);
	store_le32(zero_page + RAMDISK_SIZE, bytes);
}

static void load_cmdline(void)
{
	uint32_t bytes = fw_cfg_u32(FW_CFG_CMDLINE_BYTES);

	if (bytes >= CMDLINE_MAX_BYTES)
		console_stop("the kernel's command line is too long");
	fw_cfg_read(FW_CFG_CMDLINE, cmdline, bytes);
	store_le32(zero_page + CMD_LINE_PTR, (uint32_t)cmdline);
}

void linux_load(const struct e820_map *map, uint32_t rsdp)
{
	load_header();
	load_initrd(load_kernel());
	load_cmdline();
	store_le64(zero_page + ACPI_RSDP_ADDR, rsdp);
	zero_page[E820_ENTRIES] = (uint8_t)map->count;
	memcpy(zero_page + E820_TABLE, map->entries, map->count * sizeof(map->entries[0]));
}

/* The GDT has been the protocol's since reset (reset.S): flat segments 0x10 and 0x18. */
_Noreturn void linux_run(void)
{
	__asm__ volatile("xorl %%ebx, %%ebx\n\t"
			 "xorl %%ebp, %%ebp\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "cli\n\t"
			 "cld\n\t"
			 "jmp *%0"
			 :
			 : "a"(LAYOUT_KERNEL), "S"(zero_page)
			 : "memory");
	__builtin_unreachable();
}
