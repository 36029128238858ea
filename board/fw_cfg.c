// SPDX-License-Identifier: MIT
/*
 * Files and values that QEMU hands to firmware, through its DMA interface: one access moves a
 * whole file. QEMU's docs/specs/fw_cfg.
 */
#include "board/fw_cfg.h"

#include "board/io.h"
#include "board/memory.h"

/* The address of a request, big-endian; writing the low half starts it. */
#define FW_CFG_DMA_HIGH 0x514
#define FW_CFG_DMA_LOW 0x518

#define FW_CFG_DMA_ERROR 0x01u
#define FW_CFG_DMA_READ 0x02u
#define FW_CFG_DMA_SKIP 0x04u
#define FW_CFG_DMA_SELECT 0x08u
#define FW_CFG_DMA_WRITE 0x10u

#define FW_CFG_NAME_BYTES 56

/* A request, all big-endian. */
struct fw_cfg_request {
	uint32_t control;
	uint32_t bytes;
	uint32_t address_high;
	uint32_t address_low;
};

/* An entry of the directory, all big-endian. */
struct fw_cfg_entry {
	uint32_t bytes;
	uint16_t item;
	uint16_t reserved;
	char name[FW_CFG_NAME_BYTES];
};

static void transfer(uint32_t control, uint32_t address, uint32_t bytes)
{
	volatile struct fw_cfg_request request = {
		.control = __builtin_bswap32(control),
		.bytes = __builtin_bswap32(bytes),
		.address_low = __builtin_bswap32(address),
	};

	outl(FW_CFG_DMA_HIGH, 0);
	outl(FW_CFG_DMA_LOW, __builtin_bswap32((uint32_t)&request));
	while (request.control & ~__builtin_bswap32(FW_CFG_DMA_ERROR))
		;
}

void fw_cfg_read(uint16_t item, void *to, uint32_t bytes)
{
	transfer((uint32_t)item << 16 | FW_CFG_DMA_SELECT | FW_CFG_DMA_READ, (uint32_t)to, bytes);
}

void fw_cfg_write(uint16_t item, uint32_t offset, const void *from, uint32_t bytes)
{
	transfer((uint32_t)item << 16 | FW_CFG_DMA_SELECT | FW_CFG_DMA_SKIP, 0, offset);
	transfer(FW_CFG_DMA_WRITE, (uint32_t)from, bytes);
}

uint16_t fw_cfg_u16(uint16_t item)
{
	uint16_t v = 0;

	fw_cfg_read(item, &v, sizeof(v));
	return v;
}

uint32_t fw_cfg_u32(uint16_t item)
{
	uint32_t v = 0;

	fw_cfg_read(item, &v, sizeof(v));
	return v;
}

static bool same_name(const char *name, const char *other)
{
	for (size_t i = 0; i < FW_CFG_NAME_BYTES; i++) {
		if (name[i] != other[i])
			return false;
		if (!name[i])
			return true;
	}
	return false;
}

bool fw_cfg_find(const char *name, struct fw_cfg_file *file)
{
	struct fw_cfg_entry entry = { 0 };
	uint32_t left = 0;

	fw_cfg_read(FW_CFG_DIRECTORY, &left, sizeof(left));
	for (left = __builtin_bswap32(left); left; left--) {
		transfer(FW_CFG_DMA_READ, (uint32_t)&entry, sizeof(entry));
		if (same_name(entry.name, name)) {
			file->bytes = __builtin_bswap32(entry.bytes);
			file->item = __builtin_bswap16(entry.item);
			return true;
		}
	}
	return false;
}
