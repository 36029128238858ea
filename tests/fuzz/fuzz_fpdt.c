// SPDX-License-Identifier: MIT
/* FPDT, FBPT and S3PT; the input is any of them, and whatever was read must be writable. */
#include "lib/boot_fpdt.h"
#include "tests/fuzz/fuzz_boot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes bytes = { data, size, false };
	struct boot_fpdt_times times;
	struct hadal_boot boot = { 0 };
	struct boot_fpdt fpdt;
	uint32_t count;
	uint64_t last;

	boot.source = "machine";
	boot_fpdt_read(&bytes, &fpdt, &boot);
	boot_fpdt_read_s3pt(&bytes, &count, &last);
	if (boot_fpdt_read_fbpt(&bytes, &times) == 0)
		boot_fpdt_spans(&boot, &times);
	fuzz_show(&boot);
	return 0;
}
