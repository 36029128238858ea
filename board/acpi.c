// SPDX-License-Identifier: MIT
/*
 * The board's own ACPI table, and where to find QEMU's. Offsets: ACPI specification 6.4, 5.2.5
 * (RSDP), 5.2.6 (header), 5.2.7 (RSDT), 5.2.9 (FADT); chapter 20 (AML).
 */
#include "board/acpi.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/memory.h"
#include "core/load.h"

#define RSDP_CHECKSUM 8
#define RSDP_RSDT 16
#define RSDP_BYTES 20 /* of revision 0, which the checksum covers in later ones too */

#define HEADER_LENGTH 4
#define HEADER_CHECKSUM 9
#define HEADER_BYTES 36

#define FADT_SIGNATURE 0x50434146u /* "FACP" */
#define FADT_FIRMWARE_CTRL 36

/* Offsets of the two numbers in the table below. */
#define SSDT_ADDRESS (HEADER_BYTES + 54)
#define SSDT_BYTES (HEADER_BYTES + 58)

/*
 *	Scope (_SB) {
 *		Device (CTBL) {
 *			Name (_HID, "BOOT0000")		the kernel's coreboot bus looks for it
 *			Name (_UID, 0)
 *			Name (_STA, 0x0b)		present, working, not to be shown
 *			Name (_CRS, ResourceTemplate () { Memory32Fixed (ReadOnly, ADDRESS, BYTES) })
 *		}
 *	}
 */
static const uint8_t ssdt[] = {
	'S',
	'S',
	'D',
	'T',
	0,
	0,
	0,
	0,
	2,
	0,
	'H',
	'A',
	'D',
	'A',
	'L',
	' ', /* revision 2 */
	'C',
	'O',
	'R',
	'E',
	'B',
	'O',
	'O',
	'T',
	1,
	0,
	0,
	0,
	'H',
	'A',
	'D',
	'L',
	1,
	0,
	0,
	0,
	/* ScopeOp, length */
	0x10,
	0x3f,
	'_',
	'S',
	'B',
	'_',
	/* DeviceOp, length */
	0x5b,
	0x82,
	0x38,
	'C',
	'T',
	'B',
	'L',
	/* NameOp, StringPrefix */
	0x08,
	'_',
	'H',
	'I',
	'D',
	0x0d,
	'B',
	'O',
	'O',
	'T',
	'0',
	'0',
	'0',
	'0',
	0,
	/* NameOp, ZeroOp */
	0x08,
	'_',
	'U',
	'I',
	'D',
	0x00,
	/* NameOp, BytePrefix */
	0x08,
	'_',
	'S',
	'T',
	'A',
	0x0a,
	0x0b,
	/* NameOp, BufferOp, length, its 14 bytes: a 32-bit fixed memory descriptor, an end tag */
	0x08,
	'_',
	'C',
	'R',
	'S',
	0x11,
	0x11,
	0x0a,
	0x0e,
	0x86,
	0x09,
	0x00,
	0x00,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0x79,
	0x00,
};

static void seal(uint8_t *table)
{
	table[HEADER_CHECKSUM] = 0;
	table[HEADER_CHECKSUM] = acpi_checksum(table, load_le32(table + HEADER_LENGTH));
}

static uint8_t *ssdt_create(uint32_t coreboot_table, uint32_t bytes)
{
	uint8_t *table = acpi_take(sizeof(ssdt), 8);

	memcpy(table, ssdt, sizeof(ssdt));
	store_le32(table + HEADER_LENGTH, sizeof(ssdt));
	store_le32(table + SSDT_ADDRESS, coreboot_table);
	store_le32(table + SSDT_BYTES, bytes);
	seal(table);
	return table;
}

/* The list of tables has no room to grow where it is: a longer copy takes its place. */
static uint8_t *rsdt_extend(uint8_t *rsdp, const uint8_t *table)
{
	const uint8_t *old = (const uint8_t *)load_le32(rsdp + RSDP_RSDT);
	uint32_t bytes = load_le32(old + HEADER_LENGTH);
	uint8_t *rsdt = acpi_take(bytes + 4, 8);

	memcpy(rsdt, old, bytes);
	store_le32(rsdt + HEADER_LENGTH, bytes + 4);
	store_le32(rsdt + bytes, (uint32_t)table);
	seal(rsdt);
	store_le32(rsdp + RSDP_RSDT, (uint32_t)rsdt);
	rsdp[RSDP_CHECKSUM] = 0;
	rsdp[RSDP_CHECKSUM] = acpi_checksum(rsdp, RSDP_BYTES);
	return rsdt;
}

static uint32_t find_facs(const uint8_t *rsdt)
{
	uint32_t end = load_le32(rsdt + HEADER_LENGTH);
	const uint8_t *table;

	for (uint32_t off = HEADER_BYTES; off < end; off += 4) {
		table = (const uint8_t *)load_le32(rsdt + off);
		if (load_le32(table) == FADT_SIGNATURE)
			return load_le32(table + FADT_FIRMWARE_CTRL);
	}
	return 0;
}

uint32_t acpi_init(uint32_t coreboot_table, uint32_t bytes)
{
	uint8_t *rsdp = (uint8_t *)acpi_load();
	const uint8_t *rsdt;

	if (!load_le32(rsdp + RSDP_RSDT))
		console_stop("QEMU's ACPI tables have no RSDT");
	rsdt = rsdt_extend(rsdp, ssdt_create(coreboot_table, bytes));
	store_le32(board_cbmem_add(CBMEM_ID_RESUME, 4), find_facs(rsdt));
	return (uint32_t)rsdp;
}

uint32_t acpi_facs(void)
{
	size_t bytes;
	const void *facs = cbmem_find(&board_cbmem, CBMEM_ID_RESUME, &bytes);

	return facs && bytes >= 4 ? load_le32(facs) : 0;
}
