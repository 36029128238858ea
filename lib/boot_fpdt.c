// SPDX-License-Identifier: MIT
/* FPDT: firmware's own account of a boot, five times in nanoseconds. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "lib/boot_fpdt.h"

#define ACPI_HEADER_BYTES 36u
#define POINTER_BYTES 16u
#define BOOT_BYTES 48u
#define RESUME_BYTES 24u

enum pointer_type { POINTER_FBPT = 0, POINTER_S3PT = 1 };
enum record_type { RECORD_RESUME = 0, RECORD_BOOT = 2 };

/* x86 and arm64 have at most 52 bits of physical address; the driver in Linux checks this too. */
#define ADDRESS_MAX ((uint64_t)1 << 52)

/* struct record - one of {u16 type, u8 length, u8 revision, ...} */
struct record {
	unsigned int type;
	struct bytes bytes;
};

/* The record at @pos, which moves behind it. False at the end, or at one that cannot be. */
static bool next_record(const struct bytes *all, size_t *pos, struct record *record)
{
	size_t len;

	if (!bytes_has(all, *pos, 4))
		return false;
	record->type = bytes_u16(all, *pos);
	len = all->data[*pos + 2];
	if (len < 4 || !bytes_has(all, *pos, len))
		return false;
	record->bytes = bytes_sub(all, *pos, len);
	*pos += len;
	return true;
}

static void take_pointer(const struct record *record, struct boot_fpdt *fpdt)
{
	uint64_t address;

	if (record->bytes.len < POINTER_BYTES)
		return;
	address = bytes_u64(&record->bytes, 8);
	if (address >= ADDRESS_MAX)
		return;
	if (record->type == POINTER_FBPT && !fpdt->fbpt)
		fpdt->fbpt = address;
	else if (record->type == POINTER_S3PT && !fpdt->s3pt)
		fpdt->s3pt = address;
}

static uint8_t sum(const struct bytes *bytes)
{
	uint8_t total = 0;

	for (size_t i = 0; i < bytes->len; i++)
		total = (uint8_t)(total + bytes->data[i]);
	return total;
}

static int name_damage(const struct bytes *bytes, uint32_t claimed, struct hadal_boot *boot)
{
	if (claimed > bytes->len)
		return hadal_lines_add(&boot->damage, "FPDT: cut short, %zu of %u bytes are here",
				       bytes->len, claimed);
	if (sum(bytes))
		return hadal_lines_add(&boot->damage, "FPDT: its checksum is wrong");
	return 0;
}

int boot_fpdt_read(const struct bytes *bytes, struct boot_fpdt *fpdt, struct hadal_boot *boot)
{
	size_t pos = ACPI_HEADER_BYTES;
	struct record record;
	struct bytes table;
	uint32_t claimed;

	*fpdt = (struct boot_fpdt){ 0 };
	if (bytes->len < ACPI_HEADER_BYTES || memcmp(bytes->data, "FPDT", 4) != 0)
		return -EBADMSG;
	claimed = bytes_u32(bytes, 4);
	table = bytes_sub(bytes, 0, claimed);
	if (name_damage(&table, claimed, boot) < 0)
		return -ENOMEM;
	while (next_record(&table, &pos, &record))
		take_pointer(&record, fpdt);
	return fpdt->fbpt || fpdt->s3pt ? 0 : -EBADMSG;
}

size_t boot_fpdt_target_bytes(const struct bytes *header, const char *signature)
{
	uint32_t len;

	if (header->len < BOOT_FPDT_TARGET_HEADER || memcmp(header->data, signature, 4) != 0)
		return 0;
	len = bytes_u32(header, 4);
	return len > BOOT_FPDT_TARGET_MAX ? BOOT_FPDT_TARGET_MAX : len;
}

/* The first record of a type that is at least as long as it must be. */
static int find_record(const struct bytes *bytes, const char *signature, enum record_type type,
		       size_t len, struct bytes *found)
{
	struct bytes table = bytes_sub(bytes, 0, boot_fpdt_target_bytes(bytes, signature));
	size_t pos = BOOT_FPDT_TARGET_HEADER;
	struct record record;

	while (next_record(&table, &pos, &record)) {
		if (record.type != type || record.bytes.len < len)
			continue;
		*found = record.bytes;
		return 0;
	}
	return -EBADMSG;
}

int boot_fpdt_read_fbpt(const struct bytes *bytes, struct boot_fpdt_times *times)
{
	struct bytes record;

	if (find_record(bytes, "FBPT", RECORD_BOOT, BOOT_BYTES, &record) < 0)
		return -EBADMSG;
	times->reset_end = bytes_u64(&record, 8);
	times->load = bytes_u64(&record, 16);
	times->launch = bytes_u64(&record, 24);
	times->exit_start = bytes_u64(&record, 32);
	times->exit_end = bytes_u64(&record, 40);
	return 0;
}

int boot_fpdt_read_s3pt(const struct bytes *bytes, uint32_t *count, uint64_t *last_ns)
{
	struct bytes record;

	if (find_record(bytes, "S3PT", RECORD_RESUME, RESUME_BYTES, &record) < 0)
		return -EBADMSG;
	*count = bytes_u32(&record, 4);
	*last_ns = bytes_u64(&record, 8);
	return 0;
}

/* From one known time to the next; what is unknown in between belongs to the span before it. */
static int add_span(struct hadal_boot *boot, const char *name, uint64_t start, uint64_t end)
{
	int64_t from = start > INT64_MAX ? INT64_MAX : (int64_t)start;
	int64_t to = end > INT64_MAX ? INT64_MAX : (int64_t)end;
	int ret = hadal_boot_add_span(boot, "fpdt", HADAL_CLOCK_COUNTER, name, from,
				      to > from ? to - from : 0);

	if (ret == 0 && to < from)
		ret = hadal_span_doubt(&boot->spans[boot->span_count - 1],
				       "it ends %" PRId64 " ms before it starts",
				       (from - to) / 1000000);
	return ret;
}

int boot_fpdt_spans(struct hadal_boot *boot, const struct boot_fpdt_times *times)
{
	const struct {
		const char *name;
		uint64_t end;
	} parts[] = {
		{ HADAL_FIRST_CODE, times->reset_end },	      { "firmware", times->load },
		{ "loading the boot loader", times->launch }, { "boot loader", times->exit_start },
		{ "ExitBootServices", times->exit_end },
	};
	uint64_t start = 0;
	int count = 0, ret;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (!parts[i].end)
			continue;
		ret = add_span(boot, parts[i].name, start, parts[i].end);
		if (ret < 0)
			return ret;
		start = parts[i].end;
		count++;
	}
	return count;
}
