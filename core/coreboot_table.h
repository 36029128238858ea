/* SPDX-License-Identifier: MIT */
/*
 * Reading the coreboot table ("LBIO") out of bytes that nobody has checked.
 *
 * A header of 24 bytes, then records of {u32 tag, u32 size, payload}; 64-bit payload fields are
 * only 4-byte aligned, and everything is in the byte order of the CPU that wrote it. Checksums
 * are the 16-bit ones' complement sum of the Internet protocols, kept in 32 bits.
 */
#ifndef HADAL_CORE_COREBOOT_TABLE_H
#define HADAL_CORE_COREBOOT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/load.h"

#define COREBOOT_TABLE_HEADER_BYTES 24u

/* Real tables are below 64 KiB; a longer claim is damage, and nothing is read past this. */
#define COREBOOT_TABLE_MAX_BYTES 0x10000u

enum coreboot_tag {
	COREBOOT_TAG_MAINBOARD = 0x03,
	COREBOOT_TAG_VERSION = 0x04,
	COREBOOT_TAG_FORWARD = 0x11,
	COREBOOT_TAG_TIMESTAMPS = 0x16,
	COREBOOT_TAG_CBMEM_ENTRY = 0x31,
	COREBOOT_TAG_TSC_INFO = 0x32,
};

/*
 * struct coreboot_table - a table as found
 * @records: what follows the header, bounded by the bytes at hand and COREBOOT_TABLE_MAX_BYTES
 * @claimed_bytes: how many bytes of records the header says there are
 * @claimed_records: how many records the header says there are
 * @checksum_ok: the records' checksum is right
 */
struct coreboot_table {
	struct bytes records;
	uint32_t claimed_bytes;
	uint32_t claimed_records;
	bool checksum_ok;
};

/*
 * Opens the table at the start of @bytes, in either byte order. -CORE_ENOENT: no signature.
 * -CORE_EBADMSG: a signature, but the header is cut short or its checksum is wrong.
 */
int coreboot_table_open(struct coreboot_table *table, const struct bytes *bytes);

/*
 * struct coreboot_record - one record
 * @tag: what it is, an enum coreboot_tag or another number
 * @payload: its bytes after tag and size
 */
struct coreboot_record {
	uint32_t tag;
	struct bytes payload;
};

/*
 * Walks the records: @pos is 0 at first. Returns 1 and the next record, 0 at the end, or
 * -CORE_EBADMSG at a record whose size is below 8 or runs past the end; it ends the walk.
 */
int coreboot_table_next(const struct coreboot_table *table, size_t *pos,
			struct coreboot_record *record);

/*
 * The address in a record that is a reference (forward, timestamps, ...). Early ones had 32 bits.
 * -CORE_EBADMSG: too short for either.
 */
int coreboot_record_address(const struct coreboot_record *record, uint64_t *address);

/* The Internet checksum of @bytes, an odd last one padded with zero. */
uint16_t coreboot_checksum(const uint8_t *bytes, size_t len);

#endif
