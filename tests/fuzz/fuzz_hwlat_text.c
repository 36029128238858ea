// SPDX-License-Identifier: MIT
/* Logs of ftrace and reports of hwlatdetect. */
#include "tests/fuzz/fuzz_hwlat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A brace would make it a document, which is the other target's. */
	if (size && data[0] != '{')
		fuzz_hwlat(data, size);
	return 0;
}
