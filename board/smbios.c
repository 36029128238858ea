// SPDX-License-Identifier: MIT
/* SMBIOS: QEMU's tables, and an anchor that points to them. SMBIOS specification 3.6, 5.2. */
#include "board/smbios.h"

#include <stdbool.h>

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
#define ANCHOR2_TABLES 24

#define ANCHOR3_BYTES 24
#define ANCHOR3_CHECKSUM 5
#define ANCHOR3_TABLES 16

#define ANCHOR_MAX_BYTES 64

static void seal(uint8_t *from, size_t bytes, uint8_t *checksum)
{
	*checksum = 0;
	*checksum = acpi_checksum(from, bytes);
}

static void point_to(uint8_t *anchor, uint32_t tables)
{
	if (memcmp(anchor, "_SM3_", 5) == 0) {
		store_le64(anchor + ANCHOR3_TABLES, tables);
		seal(anchor, ANCHOR3_BYTES, anchor + ANCHOR3_CHECKSUM);
		return;
	}
	store_le32(anchor + ANCHOR2_TABLES, tables);
	seal(anchor + ANCHOR2_INNER, ANCHOR2_BYTES - ANCHOR2_INNER,
	     anchor + ANCHOR2_INNER_CHECKSUM);
	seal(anchor, ANCHOR2_BYTES, anchor + ANCHOR2_CHECKSUM);
}

void smbios_init(void)
{
	uint8_t *at = (uint8_t *)LAYOUT_SMBIOS_ANCHOR;
	struct fw_cfg_file anchor, tables;
	void *to;

	if (!fw_cfg_find("etc/smbios/smbios-anchor", &anchor) ||
	    !fw_cfg_find("etc/smbios/smbios-tables", &tables) || anchor.bytes > ANCHOR_MAX_BYTES)
		return;
	to = board_cbmem_add(CBMEM_ID_SMBIOS, tables.bytes);
	fw_cfg_read(tables.item, to, tables.bytes);
	fw_cfg_read(anchor.item, at, anchor.bytes);
	point_to(at, (uint32_t)to);
}
