// SPDX-License-Identifier: MIT
/* Documents of hadal hwlat, and lines of --watch. */
#include "tests/fuzz/fuzz_hwlat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && data[0] == '{')
		fuzz_hwlat(data, size);
	return 0;
}
