// SPDX-License-Identifier: MIT
/* SMBIOS: QEMU's tables, and an anchor that points to them. SMBIOS specification 3.6, 5.2. */
#include "board/smbios.h"

#include "board/acpi.h"
#include "board/cbmem.h"
#include "board/fw_cfg.h"
#include "board/layout.h"
#include "board/memory.h"
#include "core/load.h"

#define CBMEM_ID_SMBIOS 0x534d4254u

/* The anchor of version 2 is itself a checked structure around another. */
#define ANCHOR2_BYTES 31
#define ANCHOR2_CHECKSUM 4
#define ANCHOR2_INNER 16
#define ANCHOR2_INNER_CHECKSUM 21
#define ANCHOR2_TABLES_BYTES 22
#define ANCHOR2_TABLES 24
#define ANCHOR2_COUNT 28

#define ANCHOR3_BYTES 24
#define ANCHOR3_CHECKSUM 5
#define ANCHOR3_TABLES_BYTES 12
#define ANCHOR3_TABLES 16

#define ANCHOR_MAX_BYTES 64

/*
 * The one table that QEMU leaves to the firmware, 7.1: BIOS information. A header of 24 bytes, then
 * the strings that it numbers: vendor 1, version 2, date 3.
 */
static const uint8_t firmware[] =
	"\x00\x18\xfe\xff\x01\x02\x00\xf0\x03\x01" /* 128 KiB at F000 */
	"\x08\0\0\0\0\0\0\0"			   /* characteristics: none to speak of */
	"\0\x10\0\x01\xff\xff"			   /* in a virtual machine; 0.1, no controller */
	"hadal board\0"
	"0.1.0\0"
	"11/30/2026\0";

static void seal(uint8_t *from, size_t bytes, uint8_t *checksum)
{
	*checksum = 0;
	*checksum = acpi_checksum(from, bytes);
}

/* Version 3 gives the tables an upper bound, version 2 a length and a count. */
static void point_to(uint8_t *anchor, uint32_t tables, uint32_t bytes)
{
	if (memcmp(anchor, "_SM3_", 5) == 0) {
		store_le32(anchor + ANCHOR3_TABLES_BYTES, bytes);
		store_le64(anchor + ANCHOR3_TABLES, tables);
		seal(anchor, ANCHOR3_BYTES, anchor + ANCHOR3_CHECKSUM);
		return;
	}
	store_le16(anchor + ANCHOR2_TABLES_BYTES, (uint16_t)bytes);
	store_le32(anchor + ANCHOR2_TABLES, tables);
	store_le16(anchor + ANCHOR2_COUNT, (uint16_t)(load_le16(anchor + ANCHOR2_COUNT) + 1));
	seal(anchor + ANCHOR2_INNER, ANCHOR2_BYTES - ANCHOR2_INNER,
	     anchor + ANCHOR2_INNER_CHECKSUM);
	seal(anchor, ANCHOR2_BYTES, anchor + ANCHOR2_CHECKSUM);
}

void smbios_init(void)
{
	uint8_t *at = (uint8_t *)LAYOUT_SMBIOS_ANCHOR;
	struct fw_cfg_file anchor, tables;
	uint8_t *to;

	if (!fw_cfg_find("etc/smbios/smbios-anchor", &anchor) ||
	    !fw_cfg_find("etc/smbios/smbios-tables", &tables) || anchor.bytes > ANCHOR_MAX_BYTES)
		return;
	to = board_cbmem_add(CBMEM_ID_SMBIOS, sizeof(firmware) + tables.bytes);
	memcpy(to, firmware, sizeof(firmware));
	fw_cfg_read(tables.item, to + sizeof(firmware), tables.bytes);
	fw_cfg_read(anchor.item, at, anchor.bytes);
	point_to(at, (uint32_t)to, sizeof(firmware) + tables.bytes);
}
