// SPDX-License-Identifier: MIT
/*
 * The coreboot table: the input is its records. They get a sound header, which chance would not
 * find, and lie at address 0, so that their addresses point at themselves.
 */
#include <string.h>

#include "core/coreboot_table.h"
#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t base;
	struct hadal_boot boot = { 0 };
	uint8_t *table = calloc(1, size + COREBOOT_TABLE_HEADER_BYTES);

	if (!table)
		return 0;
	memcpy(table, "LBIO", 4);
	store_le32(table + 4, COREBOOT_TABLE_HEADER_BYTES);
	store_le32(table + 12, (uint32_t)size);
	store_le32(table + 8, coreboot_checksum(table, COREBOOT_TABLE_HEADER_BYTES));
	memcpy(table + COREBOOT_TABLE_HEADER_BYTES, data, size);
	hadal_boot_read_image(&boot, table, size + COREBOOT_TABLE_HEADER_BYTES, &base);
	free(table);
	fuzz_show(&boot);
	return 0;
}
