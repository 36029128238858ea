/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: sets of the virtual OA device by raw calls, without hadal's own code.
 *	oa_raw dump UUID...	what the driver says of each set: "set UUID", then a line by register
 *	oa_raw add UUID VALUE	adds a set of one mux register, 0x9888, with these very characters
 */
#include "tests/vm/oa_device.h"

#define PAYLOAD 48
#define MOST 1024

static struct oa_pair pairs[3][MOST];

static void print_class(const char *name, const struct oa_pair *pair, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		printf("%s 0x%08x 0x%08x\n", name, pair[i].address, pair[i].value);
}

static int dump(int fd, const char *uuid)
{
	uint64_t data[15] = { 0 };
	struct drm_i915_perf_oa_config config = {
		.n_mux_regs = MOST,
		.n_boolean_regs = MOST,
		.n_flex_regs = MOST,
		.mux_regs_ptr = (uintptr_t)pairs[0],
		.boolean_regs_ptr = (uintptr_t)pairs[1],
		.flex_regs_ptr = (uintptr_t)pairs[2],
	};
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_PERF_CONFIG,
		.length = sizeof(data),
		.flags = DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID,
		.data_ptr = (uintptr_t)data,
	};
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	memcpy(data, uuid, 36);
	memcpy((char *)data + PAYLOAD, &config, sizeof(config));
	if (oa_call(fd, DRM_IOCTL_I915_QUERY, &query) || item.length != sizeof(data)) {
		fprintf(stderr, "%s: %d\n", uuid, item.length);
		return 1;
	}
	memcpy(&config, (char *)data + PAYLOAD, sizeof(config));
	printf("set %s\n", uuid);
	print_class("mux", pairs[0], config.n_mux_regs);
	print_class("boolean", pairs[1], config.n_boolean_regs);
	print_class("flex", pairs[2], config.n_flex_regs);
	return 0;
}

int main(int argc, char **argv)
{
	const int fd = oa_open_node();
	int failed = 0;

	if (argc == 4 && strcmp(argv[1], "add") == 0)
		return oa_add_one(fd, argv[2], (uint32_t)strtoul(argv[3], NULL, 0)) < 0;
	for (int i = 2; i < argc; i++)
		failed |= dump(fd, argv[i]);
	return failed;
}
