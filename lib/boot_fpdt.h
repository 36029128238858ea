/* SPDX-License-Identifier: MIT */
/*
 * Reading ACPI's Firmware Performance Data Table out of bytes that nobody has checked. The table
 * points to two others in memory: FBPT for the boot, S3PT for the last resume. All is
 * little-endian. Source: ACPI 6.5, 5.2.24.
 */
#ifndef HADAL_LIB_BOOT_FPDT_H
#define HADAL_LIB_BOOT_FPDT_H

#include "core/load.h"
#include "hadal/boot.h"

/* The header of FBPT and S3PT: signature and length. */
#define BOOT_FPDT_TARGET_HEADER 8u

/* More than any firmware fills with its own records. */
#define BOOT_FPDT_TARGET_MAX 0x10000u

/* struct boot_fpdt - addresses of the tables it points to, 0 for none */
struct boot_fpdt {
	uint64_t fbpt;
	uint64_t s3pt;
};

/* struct boot_fpdt_times - nanoseconds after (or near) reset, 0 unknown */
struct boot_fpdt_times {
	uint64_t reset_end;
	uint64_t load;
	uint64_t launch;
	uint64_t exit_start;
	uint64_t exit_end;
};

/* Reads FPDT. -EBADMSG: it is none, or points nowhere. Damage is named in boot->damage. */
int boot_fpdt_read(const struct bytes *bytes, struct boot_fpdt *fpdt, struct hadal_boot *boot);

/* The length that FBPT or S3PT says it has, bounded; 0 if its header has not that @signature. */
size_t boot_fpdt_target_bytes(const struct bytes *header, const char *signature);

/* Reads the boot's times out of FBPT. -EBADMSG: it holds none. */
int boot_fpdt_read_fbpt(const struct bytes *bytes, struct boot_fpdt_times *times);

/* Reads S3PT's resume count and last resume. -EBADMSG: it holds none. */
int boot_fpdt_read_s3pt(const struct bytes *bytes, uint32_t *count, uint64_t *last_ns);

/* Adds the spans that @times make. How many, or -ENOMEM. */
int boot_fpdt_spans(struct hadal_boot *boot, const struct boot_fpdt_times *times);

#endif
