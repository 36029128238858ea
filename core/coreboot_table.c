// SPDX-License-Identifier: MIT
/* Reading the coreboot table out of bytes that nobody has checked. */
#include "core/coreboot_table.h"

#include "core/error.h"

#define RECORD_HEADER_BYTES 8u

uint16_t coreboot_checksum(const uint8_t *bytes, size_t len)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < len; i++) {
		sum += (uint32_t)bytes[i] << (i % 2 * 8);
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return (uint16_t)~sum;
}

/* The sum of 16-bit words does not depend on their order but for a swap of its own two bytes. */
static uint32_t checksum_in_order(const struct bytes *b)
{
	return load_swap16(coreboot_checksum(b->data, b->len), b->big);
}

int coreboot_table_open(struct coreboot_table *table, const struct bytes *bytes)
{
	struct bytes head = bytes_sub(bytes, 0, COREBOOT_TABLE_HEADER_BYTES);
	uint32_t len;

	if (bytes->len < 4 || load_u32(bytes->data, true) != 0x4c42494f) /* "LBIO" */
		return -CORE_ENOENT;
	if (head.len < COREBOOT_TABLE_HEADER_BYTES)
		return -CORE_EBADMSG;
	head.big = load_u32(head.data + 4, true) == COREBOOT_TABLE_HEADER_BYTES;
	if (bytes_u32(&head, 4) != COREBOOT_TABLE_HEADER_BYTES ||
	    coreboot_checksum(head.data, head.len) != 0)
		return -CORE_EBADMSG;

	table->claimed_bytes = bytes_u32(&head, 12);
	table->claimed_records = bytes_u32(&head, 20);
	len = table->claimed_bytes;
	if (len > COREBOOT_TABLE_MAX_BYTES)
		len = COREBOOT_TABLE_MAX_BYTES;
	table->records = bytes_sub(bytes, COREBOOT_TABLE_HEADER_BYTES, len);
	table->records.big = head.big;
	table->checksum_ok = table->records.len == table->claimed_bytes &&
			     checksum_in_order(&table->records) == bytes_u32(&head, 16);
	return 0;
}

int coreboot_table_next(const struct coreboot_table *table, size_t *pos,
			struct coreboot_record *record)
{
	const struct bytes *b = &table->records;
	uint32_t size;

	if (*pos >= b->len)
		return 0;
	if (!bytes_has(b, *pos, RECORD_HEADER_BYTES))
		return -CORE_EBADMSG;
	size = bytes_u32(b, *pos + 4);
	if (size < RECORD_HEADER_BYTES || !bytes_has(b, *pos, size))
		return -CORE_EBADMSG;
	record->tag = bytes_u32(b, *pos);
	record->payload = bytes_sub(b, *pos + RECORD_HEADER_BYTES, size - RECORD_HEADER_BYTES);
	*pos += size;
	return 1;
}

int coreboot_record_address(const struct coreboot_record *record, uint64_t *address)
{
	if (record->payload.len < 4)
		return -CORE_EBADMSG;
	*address = record->payload.len < 8 ? bytes_u32(&record->payload, 0) :
					     bytes_u64(&record->payload, 0);
	return 0;
}
