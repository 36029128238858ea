// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is this the board's firmware? Its SMM handler can be told from anybody else's by the CBMEM entry
 * that its coreboot table names, and by what lies there.
 */
#include <linux/io.h>
#include <linux/sizes.h>

#include "core/cbmem_abi.h"
#include "core/coreboot_table.h"
#include "smi_inject.h"

/* Where a coreboot table, or one that points to it, is looked for on x86. */
#define SEARCH_START 0x500
#define SEARCH_END 0x1000
#define SEARCH_STEP 16

#define ENTRY_ADDRESS 0 /* of a record COREBOOT_TAG_CBMEM_ENTRY */
#define ENTRY_SIZE 8
#define ENTRY_ID 12
#define ENTRY_BYTES 16

static bool is_mailbox(u64 address)
{
	struct smm_mailbox *mailbox = memremap(address, sizeof(*mailbox), MEMREMAP_WB);
	bool found = mailbox && mailbox->magic == SMM_MAILBOX_MAGIC;

	if (mailbox)
		memunmap(mailbox);
	return found;
}

/* The address that a record names: of a CBMEM entry with our ID, or of the real table; else 0. */
static u64 address_in(const struct coreboot_record *record, enum coreboot_tag wanted)
{
	const struct bytes *payload = &record->payload;
	u64 address = 0;

	if (record->tag != wanted)
		return 0;
	if (wanted == COREBOOT_TAG_FORWARD)
		return coreboot_record_address(record, &address) < 0 ? 0 : address;
	if (payload->len < ENTRY_BYTES || bytes_u32(payload, ENTRY_ID) != CBMEM_ID_SMM ||
	    bytes_u32(payload, ENTRY_SIZE) < SMM_BYTES)
		return 0;
	return bytes_u64(payload, ENTRY_ADDRESS);
}

static u64 look_for(const struct bytes *bytes, enum coreboot_tag wanted)
{
	struct coreboot_record record;
	struct coreboot_table table;
	u64 address = 0;
	size_t pos = 0;

	if (coreboot_table_open(&table, bytes) < 0)
		return 0;
	while (!address && coreboot_table_next(&table, &pos, &record) > 0)
		address = address_in(&record, wanted);
	return address;
}

/* The table that the one in page 0 points to. */
static u64 find_table(void)
{
	u8 *page = memremap(0, SEARCH_END, MEMREMAP_WB);
	u64 address = 0;
	size_t at;

	if (!page)
		return 0;
	for (at = SEARCH_START; !address && at < SEARCH_END; at += SEARCH_STEP) {
		struct bytes bytes = { .data = page + at, .len = SEARCH_END - at };

		address = look_for(&bytes, COREBOOT_TAG_FORWARD);
	}
	memunmap(page);
	return address;
}

u64 board_mailbox(void)
{
	u64 table = find_table();
	struct bytes bytes = { .len = SZ_4K };
	u64 address = 0;

	if (!table)
		return 0;
	bytes.data = memremap(table, bytes.len, MEMREMAP_WB);
	if (!bytes.data)
		return 0;
	address = look_for(&bytes, COREBOOT_TAG_CBMEM_ENTRY);
	memunmap((void *)bytes.data);
	return address && is_mailbox(address) ? address : 0;
}
