/* SPDX-License-Identifier: MIT */
/* Files and values that QEMU hands to firmware. QEMU's docs/specs/fw_cfg. */
#ifndef HADAL_BOARD_FW_CFG_H
#define HADAL_BOARD_FW_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Items with fixed numbers: what -kernel, -initrd and -append leave. */
enum fw_cfg_item {
	FW_CFG_SIGNATURE = 0x00,
	FW_CFG_CPU_COUNT = 0x05,
	FW_CFG_KERNEL_BYTES = 0x08,
	FW_CFG_INITRD_BYTES = 0x0b,
	FW_CFG_KERNEL = 0x11,
	FW_CFG_INITRD = 0x12,
	FW_CFG_CMDLINE_BYTES = 0x14,
	FW_CFG_CMDLINE = 0x15,
	FW_CFG_SETUP_BYTES = 0x17,
	FW_CFG_SETUP = 0x18,
	FW_CFG_DIRECTORY = 0x19,
};

/*
 * struct fw_cfg_file - one file as found
 * @bytes: its length
 * @item: its number
 */
struct fw_cfg_file {
	uint32_t bytes;
	uint16_t item;
};

/* Finds a file by its whole name. False: there is none. */
bool fw_cfg_find(const char *name, struct fw_cfg_file *file);

/* Copies the first @bytes bytes of an item to @to. */
void fw_cfg_read(uint16_t item, void *to, uint32_t bytes);

/* Writes @bytes bytes over an item from offset @offset on. */
void fw_cfg_write(uint16_t item, uint32_t offset, const void *from, uint32_t bytes);

/* A 16- or 32-bit value, which QEMU keeps little-endian. */
uint16_t fw_cfg_u16(uint16_t item);
uint32_t fw_cfg_u32(uint16_t item);

#endif
