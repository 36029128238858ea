// SPDX-License-Identifier: MIT
/*
 * From a coreboot table in memory to the entries that matter. Every length is bounded before
 * anything is mapped, and nothing is read but the table, the entries that hadal knows, and the
 * pages right above CBMEM's highest entry, where its directory is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/cbmem_abi.h"
#include "core/coreboot_table.h"
#include "core/timestamp_abi.h"
#include "lib/boot_iomem.h"
#include "lib/boot_table_find.h"

#define SEARCH_BYTES 0x1000u
#define SEARCH_STEP 16u
#define FORWARD_LIMIT 2u

/* How far above the highest entry the directory is looked for, in pages. */
#define DIRECTORY_PAGES 64u

static int take(const struct boot_memory *mem, uint64_t address, size_t len,
		struct boot_gather *gather)
{
	uint8_t *bytes = malloc(len ? len : 1);
	int ret;

	if (!bytes)
		return -ENOMEM;
	ret = boot_memory_copy(mem, address, len, bytes);
	if (ret < 0) {
		free(bytes);
		return ret;
	}
	return boot_gather_add(gather, address, len, bytes);
}

/* Reads the table at @address: its header first, since only that says how long it is. */
static int read_table(const struct boot_memory *mem, uint64_t address, struct bytes *table)
{
	uint8_t header[COREBOOT_TABLE_HEADER_BYTES];
	struct bytes view = { header, sizeof(header), false };
	struct coreboot_table probe;
	uint32_t len;
	uint8_t *bytes;
	int ret = boot_memory_copy(mem, address, sizeof(header), header);

	if (ret < 0)
		return ret;
	if (coreboot_table_open(&probe, &view) < 0)
		return -ENOENT;
	len = probe.claimed_bytes;
	if (len > COREBOOT_TABLE_MAX_BYTES)
		len = COREBOOT_TABLE_MAX_BYTES;
	len += COREBOOT_TABLE_HEADER_BYTES;
	bytes = malloc(len);
	if (!bytes)
		return -ENOMEM;
	ret = boot_memory_copy(mem, address, len, bytes);
	if (ret < 0)
		free(bytes);
	else
		*table = (struct bytes){ bytes, len, false };
	return ret;
}

static bool find_record(const struct bytes *bytes, uint32_t tag, uint64_t *address)
{
	struct coreboot_record record;
	struct coreboot_table table;
	size_t pos = 0;

	if (coreboot_table_open(&table, bytes) < 0)
		return false;
	while (coreboot_table_next(&table, &pos, &record) > 0)
		if (record.tag == tag)
			return coreboot_record_address(&record, address) == 0;
	return false;
}

/* Reads the table that @address leads to, which becomes the real one's. */
static int follow(const struct boot_memory *mem, uint64_t *address, struct bytes *table)
{
	int ret = read_table(mem, *address, table);

	for (unsigned int hops = 0; ret == 0 && find_record(table, COREBOOT_TAG_FORWARD, address);
	     hops++) {
		free((void *)table->data);
		ret = hops == FORWARD_LIMIT ? -ELOOP : read_table(mem, *address, table);
	}
	return ret;
}

static bool wanted(uint32_t id)
{
	return id == CBMEM_ID_TIMESTAMP || id == CBMEM_ID_HADAL ||
	       id == CBMEM_ID_TIMESTAMP_PRESUSPEND;
}

/* Takes the entries that the table lists; *@top becomes the end of the highest. */
static int take_entries(const struct boot_memory *mem, const struct bytes *bytes,
			struct boot_gather *gather, uint64_t *top)
{
	struct coreboot_record record;
	struct coreboot_table table;
	uint64_t address;
	uint32_t size;
	size_t pos = 0;
	int ret = coreboot_table_open(&table, bytes);

	while (ret == 0 && coreboot_table_next(&table, &pos, &record) > 0) {
		if (record.tag != COREBOOT_TAG_CBMEM_ENTRY || record.payload.len < 16)
			continue;
		address = bytes_u64(&record.payload, 0);
		size = bytes_u32(&record.payload, 8);
		if (address < UINT64_MAX - size && address + size > *top)
			*top = address + size;
		if (!gather->low || address < gather->low)
			gather->low = address;
		if (bytes_u32(&record.payload, 12) == CBMEM_ID_TIMESTAMP)
			gather->stamps = address;
		if (wanted(bytes_u32(&record.payload, 12)))
			ret = take(mem, address, size < BOOT_MEMORY_MAX ? size : BOOT_MEMORY_MAX,
				   gather);
	}
	return ret;
}

/* A timestamp table from before entries had records: its own header says how long it is. */
static int take_reference(const struct boot_memory *mem, uint64_t address,
			  struct boot_gather *gather)
{
	uint8_t header[sizeof(struct timestamp_table)];
	int ret = boot_memory_copy(mem, address, sizeof(header), header);
	size_t max;

	if (ret < 0)
		return ret;
	max = load_le16(header + offsetof(struct timestamp_table, max_entries));
	return take(mem, address, sizeof(header) + max * sizeof(struct timestamp_entry), gather);
}

/*
 * The directory's block ends at CBMEM's limit, which nobody tells; it is not far above the highest
 * entry. That it cannot be read or found takes nothing away.
 */
static void take_directory(const struct boot_memory *mem, uint64_t top, struct boot_gather *gather)
{
	uint64_t page = (top + CBMEM_LIMIT_ALIGN - 1) & ~(uint64_t)(CBMEM_LIMIT_ALIGN - 1);
	uint8_t block[CBMEM_ROOT_BLOCK];
	const uint8_t *pointer = block + sizeof(block) - sizeof(struct cbmem_root_pointer);

	for (unsigned int i = 0; top && i < DIRECTORY_PAGES; i++, page += sizeof(block)) {
		if (boot_memory_copy(mem, page, sizeof(block), block) < 0)
			return;
		if (load_le32(pointer) != CBMEM_POINTER_MAGIC)
			continue;
		/* The directory for small entries is the first entry, right below. */
		if (take(mem, page, sizeof(block), gather) == 0)
			take(mem, page - CBMEM_SMALL_BYTES, CBMEM_SMALL_BYTES, gather);
		return;
	}
}

static void say(struct finding *finding, int err, const char *what, uint64_t address)
{
	if (err == -ENOENT)
		finding_set(finding, FINDING_ABSENT, "Report it to the firmware's makers.",
			    "there is no coreboot table at 0x%" PRIx64, address);
	else if (err == -ELOOP)
		finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
			    "coreboot tables that forward to one another, last at 0x%" PRIx64,
			    address);
	else if (err == -ERANGE)
		finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
			    "the coreboot table at 0x%" PRIx64
			    " names entries far away from it, which cannot be",
			    address);
	else
		boot_memory_say(finding, err, what, address);
}

int boot_table_gather(const struct boot_memory *mem, uint64_t address, struct boot_gather *gather,
		      struct finding *finding)
{
	struct bytes table = { NULL, 0, false };
	uint64_t top = 0, reference;
	int ret = follow(mem, &address, &table);

	if (ret < 0) {
		say(finding, ret, "the coreboot table", address);
		return ret;
	}
	gather->table = address;
	reference = 0;
	if (!find_record(&table, COREBOOT_TAG_TIMESTAMPS, &reference))
		reference = 0;
	ret = take_entries(mem, &table, gather, &top);
	if (ret == 0 && reference && !gather->stamps) {
		gather->stamps = reference;
		ret = take_reference(mem, reference, gather);
	}
	if (ret < 0) {
		say(finding, ret, "a CBMEM entry named by the coreboot table", address);
		free((void *)table.data);
		return ret;
	}
	take_directory(mem, top ? top : reference, gather);
	ret = boot_gather_add(gather, address, table.len, (uint8_t *)table.data);
	if (ret < 0)
		say(finding, ret, "the coreboot table", address);
	return ret;
}

/* Where x86 firmware puts its first table. */
static int search_areas(const struct boot_memory *mem, uint64_t *address, struct finding *finding)
{
	static const uint64_t areas[] = { 0, 0xf0000 };
	uint8_t page[SEARCH_BYTES];
	struct coreboot_table table;
	int ret;

	for (size_t area = 0; area < 2; area++) {
		ret = boot_memory_copy(mem, areas[area], sizeof(page), page);
		if (ret < 0) {
			boot_memory_say(finding, ret, "the first table of firmware", areas[area]);
			return ret;
		}
		for (size_t off = 0; off < sizeof(page); off += SEARCH_STEP) {
			struct bytes b = { page + off, sizeof(page) - off, false };

			*address = areas[area] + off;
			if (coreboot_table_open(&table, &b) == 0)
				return 0;
		}
	}
	finding_set(finding, FINDING_ABSENT, "Nothing to do: other firmware may have an FPDT.",
		    "no coreboot table in memory: the firmware is not coreboot");
	return -ENOENT;
}

int boot_table_search(const struct boot_memory *mem, uint64_t *address, struct finding *finding)
{
	int ret = search_areas(mem, address, finding);

	if (ret < 0 && mem->iomem >= 0 && boot_iomem_table(mem->iomem, address) == 0)
		return 0;
	return ret;
}

int boot_table_read(const struct boot_gather *gather, struct hadal_boot *boot,
		    struct finding *finding)
{
	int ret = boot_gather_read(gather, boot);

	if (ret == -ENOMEM)
		return ret;
	if (ret == 0 && boot->has_stamps) {
		finding_set(finding, FINDING_READY, NULL,
			    "%zu stamps, through the coreboot table at 0x%" PRIx64,
			    boot->stamps.count, gather->table);
		return 1;
	}
	finding_set(finding, FINDING_ABSENT, "Build the firmware with CONFIG_COLLECT_TIMESTAMPS.",
		    "coreboot's table at 0x%" PRIx64 " leads to no timestamps", gather->table);
	return 0;
}

/* No machine has memory, or firmware a table, above this. */
#define ADDRESS_MAX ((uint64_t)1 << 52)

int boot_devicetree_table(const uint8_t *reg, size_t len, uint64_t *address)
{
	if (len >= 8) {
		*address = load_u64(reg, true);
		if (*address && *address < ADDRESS_MAX && *address % 4 == 0)
			return 0;
	}
	if (len >= 4) {
		*address = load_u32(reg, true);
		if (*address && *address % 4 == 0)
			return 0;
	}
	return -EBADMSG;
}
