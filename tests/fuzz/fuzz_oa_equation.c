// SPDX-License-Identifier: MIT
/* Any text as the equation of a counter that has two counters before it. */
#include <stdlib.h>
#include <string.h>

#include "lib/oa_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char before[] =
	"<metrics><set symbol_name='S' chipset='SKL'>"
	"<counter symbol_name='GpuTime' data_type='uint64' equation='GPU_TIME 0 READ'/>"
	"<counter symbol_name='GpuCoreClocks' data_type='float' equation='1 3 FDIV'/>"
	"</set></metrics>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hadal_oa_device device;
	uint64_t raw[HADAL_OA_RAW_VALUES];
	struct hadal_oa_value values[2], value, again;
	struct hadal_oa_program program;
	struct hadal_oa_file *pub;
	struct oa_file *file;
	char why[160];
	char *text;

	if (hadal_oa_parse("e", before, strlen(before), &pub) != 0)
		abort();
	file = oa_file_of(pub);
	text = oa_file_text(file, (const char *)data, size);
	for (uint32_t i = 0; i < HADAL_OA_RAW_VALUES; i++)
		raw[i] = i * UINT64_C(0x0123456789abcdef);
	hadal_oa_evaluate(pub, pub->sets, &device, raw, values);
	program = oa_equation_compile(file, pub->sets, text, why, sizeof(why));
	if ((program.count == 0) != (why[0] != '\0'))
		abort();
	value = hadal_oa_run(pub, program, &device, raw, values);
	again = hadal_oa_run(pub, program, &device, raw, values);
	if (value.kind != again.kind)
		abort();
	hadal_oa_free(pub);
	return 0;
}
