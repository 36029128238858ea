// SPDX-License-Identifier: MIT
/* What a recording says about the GPU that made it. */
#include <errno.h>
#include <string.h>

#include "hadal/oa_decode.h"
#include "hadal/oa_device.h"

#define HZ_PER_MHZ 1000000u

int hadal_oa_recording_variables(const struct hadal_oa_recording *recording,
				 const struct oa_generation *generation,
				 struct hadal_oa_device *device)
{
	const struct hadal_oa_source *source = &recording->source;
	struct hadal_oa_facts facts = {
		.timestamp_hz = source->timestamp_hz,
		.device_id = source->device_id,
		.revision = source->revision,
		.min_mhz = source->min_hz / HZ_PER_MHZ,
		.max_mhz = source->max_hz / HZ_PER_MHZ,
	};
	bool fits = recording->topology_bytes <= sizeof(facts.topology);
	int ret;

	if (recording->topology_bytes && fits) {
		memcpy(facts.topology, recording->topology, recording->topology_bytes);
		facts.topology_bytes = recording->topology_bytes;
	}
	ret = hadal_oa_facts_variables(&facts, generation, device);
	/* It asks whether values come from a query of the 3D driver; those of a stream do not. */
	device->variables[hadal_oa_variable("QueryMode")] =
		(struct hadal_oa_value){ .kind = HADAL_OA_INTEGER, .integer = 0 };
	return fits ? ret : -EINVAL;
}
