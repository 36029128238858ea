// SPDX-License-Identifier: MIT
/*
 * ACPI FPDT: from the kernel's own files where it has them, which need no privilege, or from the
 * table and the memory that it points to.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/boot_fpdt.h"
#include "lib/boot_memory.h"
#include "lib/boot_source.h"

#define FILES "/sys/firmware/acpi/fpdt/boot/"
#define TABLE "/sys/firmware/acpi/tables/FPDT"

/* An ACPI table with two or three pointers in it; more is no such table. */
#define TABLE_BYTES 4096u

/*
 * struct fpdt - what was opened
 * @has_files: @times are from the kernel
 * @mem: else memory, for @table
 */
struct fpdt {
	bool has_files;
	struct boot_fpdt_times times;
	struct boot_memory mem;
	uint8_t table[TABLE_BYTES];
	size_t table_len;
};

static bool read_file(const struct boot_tree *tree, const char *path, uint64_t *value)
{
	char text[32], *end;

	if (boot_tree_text(tree, path, text, sizeof(text)) <= 0)
		return false;
	*value = strtoull(text, &end, 10);
	return *end == '\0';
}

static bool read_files(const struct boot_tree *tree, struct boot_fpdt_times *times)
{
	return read_file(tree, FILES "firmware_start_ns", &times->reset_end) &&
	       read_file(tree, FILES "bootloader_load_ns", &times->load) &&
	       read_file(tree, FILES "bootloader_launch_ns", &times->launch) &&
	       read_file(tree, FILES "exitbootservice_start_ns", &times->exit_start) &&
	       read_file(tree, FILES "exitbootservice_end_ns", &times->exit_end);
}

static void say_table(ssize_t err, struct finding *finding)
{
	if (err == -ENOENT)
		finding_set(finding, FINDING_ABSENT,
			    "Ask the firmware's makers for an ACPI FPDT table.",
			    "the firmware has no FPDT, ACPI's table of boot times");
	else if (err == -EACCES)
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal boot",
			    TABLE " may be read by root only");
	else
		finding_set(finding, FINDING_BLOCKED, "See why: sudo dmesg | tail",
			    TABLE " cannot be read: %s", strerror((int)-err));
}

/* The table alone says nothing, it is what it points to that does. */
static bool open_table(const struct boot_tree *tree, struct fpdt *fpdt, struct finding *finding)
{
	ssize_t len = boot_tree_read(tree, TABLE, fpdt->table, sizeof(fpdt->table));

	if (len < 0) {
		say_table(len, finding);
		return false;
	}
	fpdt->table_len = (size_t)len;
	return boot_memory_open(&fpdt->mem, tree, false, finding) == 0;
}

static void *fpdt_open(const struct boot_tree *tree, struct finding *finding)
{
	struct fpdt *fpdt = calloc(1, sizeof(*fpdt));

	if (!fpdt)
		return boot_source_no_memory(finding);
	fpdt->mem.fd = -1;
	fpdt->has_files = read_files(tree, &fpdt->times);
	if (fpdt->has_files || open_table(tree, fpdt, finding))
		return fpdt;
	free(fpdt);
	return NULL;
}

static void fpdt_close(void *state)
{
	struct fpdt *fpdt = state;

	boot_memory_close(&fpdt->mem);
	free(fpdt);
}

/* Reads FBPT or S3PT at @address, its header first. The bytes, to be freed, or NULL. */
static uint8_t *read_target(const struct fpdt *fpdt, uint64_t address, const char *signature,
			    struct bytes *bytes, struct finding *finding)
{
	uint8_t header[BOOT_FPDT_TARGET_HEADER];
	const struct bytes view = { header, sizeof(header), false };
	int ret = boot_memory_copy(&fpdt->mem, address, sizeof(header), header);
	size_t len = ret < 0 ? 0 : boot_fpdt_target_bytes(&view, signature);
	uint8_t *data = len ? malloc(len) : NULL;

	if (data)
		ret = boot_memory_copy(&fpdt->mem, address, len, data);
	if (data && ret == 0) {
		*bytes = (struct bytes){ data, len, false };
		return data;
	}
	if (ret < 0)
		boot_memory_say(finding, ret, signature, address);
	else
		finding_set(finding, FINDING_BLOCKED,
			    "Report it to the firmware's makers; a kernel with CONFIG_ACPI_FPDT "
			    "may read it.",
			    "FPDT points to 0x%llx, where there is no %s",
			    (unsigned long long)address, signature);
	free(data);
	return NULL;
}

static int note_resume(const struct fpdt *fpdt, uint64_t address, struct hadal_boot *boot)
{
	struct finding ignored;
	struct bytes bytes;
	uint32_t count;
	uint64_t last;
	uint8_t *data = address ? read_target(fpdt, address, "S3PT", &bytes, &ignored) : NULL;
	int ret = 0;

	if (data && boot_fpdt_read_s3pt(&bytes, &count, &last) == 0 && count)
		ret = hadal_lines_add(&boot->notes,
				      "FPDT: resumed %u times since, the last one took %llu ms",
				      count, (unsigned long long)last / 1000000);
	free(data);
	return ret;
}

/* Fills fpdt->times from the tables. 1, 0 after setting @finding, or -ENOMEM. */
static int read_tables(struct fpdt *fpdt, struct hadal_boot *boot, struct finding *finding)
{
	const struct bytes table = { fpdt->table, fpdt->table_len, false };
	struct boot_fpdt found;
	struct bytes bytes;
	uint8_t *data;
	int ret = boot_fpdt_read(&table, &found, boot);

	if (ret == -ENOMEM || note_resume(fpdt, found.s3pt, boot) < 0)
		return -ENOMEM;
	if (ret < 0 || !found.fbpt) {
		finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
			    "the firmware's FPDT does not point to a table of this boot");
		return 0;
	}
	data = read_target(fpdt, found.fbpt, "FBPT", &bytes, finding);
	if (!data)
		return 0;
	ret = boot_fpdt_read_fbpt(&bytes, &fpdt->times);
	free(data);
	if (ret == 0)
		return 1;
	finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
		    "the table that FPDT points to has no record of this boot");
	return 0;
}

static int fpdt_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	struct fpdt *fpdt = state;
	int ret = fpdt->has_files ? 1 : read_tables(fpdt, boot, finding);

	if (ret <= 0)
		return ret;
	ret = boot_fpdt_spans(boot, &fpdt->times);
	if (ret > 0)
		finding_set(finding, FINDING_READY, NULL, "%d spans from %s", ret,
			    fpdt->has_files ? FILES : TABLE);
	else if (ret == 0)
		finding_set(finding, FINDING_BLOCKED, "Report it to the firmware's makers.",
			    "the firmware's FPDT has only zeros in it");
	return ret < 0 ? ret : ret > 0;
}

const struct boot_source boot_source_fpdt = {
	.name = "fpdt",
	.open = fpdt_open,
	.read = fpdt_read,
	.close = fpdt_close,
};
