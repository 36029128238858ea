// SPDX-License-Identifier: MIT
/* Sets in i915: adding, removing, reading back. */
#include <errno.h>
#include <string.h>

#include <libdrm/i915_drm.h>

#include "lib/oa_driver.h"
#include "lib/oa_i915.h"

/*
 * The kernel's layout of struct drm_i915_query_perf_config, on every architecture: flags behind a
 * union of 40 bytes, and the payload where a 64-bit program's struct ends, not at its `data`.
 */
#define CONFIG_PAYLOAD 48
#define CONFIG_BYTES (CONFIG_PAYLOAD + sizeof(struct drm_i915_perf_oa_config))

/* How often a set may change under a reader's hands before it gives up. */
#define TRIES 10

static uint64_t pointer_to(const struct hadal_oa_image *image, enum oa_class cls)
{
	return image->counts[cls] ? (uintptr_t)oa_image_class(image, cls) : 0;
}

static struct drm_i915_perf_oa_config config_of(const struct hadal_oa_image *image)
{
	struct drm_i915_perf_oa_config config = {
		.n_mux_regs = image->counts[OA_CLASS_MUX],
		.n_boolean_regs = image->counts[OA_CLASS_BOOLEAN],
		.n_flex_regs = image->counts[OA_CLASS_FLEX],
		.mux_regs_ptr = pointer_to(image, OA_CLASS_MUX),
		.boolean_regs_ptr = pointer_to(image, OA_CLASS_BOOLEAN),
		.flex_regs_ptr = pointer_to(image, OA_CLASS_FLEX),
	};

	memcpy(config.uuid, image->uuid, sizeof(config.uuid));
	return config;
}

static int add(int fd, const struct hadal_oa_image *image)
{
	struct drm_i915_perf_oa_config config = config_of(image);

	return oa_ioctl(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, &config);
}

static int remove_set(int fd, uint64_t id)
{
	return oa_ioctl(fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
}

/* One query for @uuid with what @config asks for, which then has the answer. */
static int query(int fd, const char *uuid, struct drm_i915_perf_oa_config *config)
{
	uint8_t data[CONFIG_BYTES] = { 0 };
	int length;

	memcpy(data, uuid, UUID_TEXT_LENGTH);
	memcpy(data + CONFIG_PAYLOAD, config, sizeof(*config));
	length = oa_i915_query(fd, DRM_I915_QUERY_PERF_CONFIG,
			       DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID, data, sizeof(data));
	if (length < 0)
		return length;
	memcpy(config, data + CONFIG_PAYLOAD, sizeof(*config));
	return 0;
}

static int read_counts(int fd, const char *uuid, struct hadal_oa_image *image)
{
	struct drm_i915_perf_oa_config config = { .n_mux_regs = 0 };
	int err = query(fd, uuid, &config);

	if (err)
		return err;
	image->counts[OA_CLASS_MUX] = config.n_mux_regs;
	image->counts[OA_CLASS_BOOLEAN] = config.n_boolean_regs;
	image->counts[OA_CLASS_FLEX] = config.n_flex_regs;
	for (int cls = 0; cls < OA_CLASSES; cls++)
		if (image->counts[cls] > OA_CONFIG_MAX_REGISTERS)
			return -EPROTO;
	return 0;
}

/* -EAGAIN if the set has other counts by now than @image. */
static int read_registers(int fd, struct hadal_oa_image *image)
{
	struct drm_i915_perf_oa_config config;
	int err;

	if (oa_image_reserve(image) < 0)
		return -ENOMEM;
	config = config_of(image);
	err = query(fd, image->uuid, &config);
	if (err == 0 && config.n_mux_regs == image->counts[OA_CLASS_MUX] &&
	    config.n_boolean_regs == image->counts[OA_CLASS_BOOLEAN] &&
	    config.n_flex_regs == image->counts[OA_CLASS_FLEX])
		return 0;
	hadal_oa_image_free(image);
	return err == 0 || err == -EINVAL ? -EAGAIN : err;
}

/* Kernels before 5.5 have no such query, and say so as of any other that they do not know. */
static int check_support(int fd)
{
	int length = oa_i915_query(fd, DRM_I915_QUERY_PERF_CONFIG, DRM_I915_QUERY_PERF_CONFIG_LIST,
				   NULL, 0);

	return length < 0 ? -EOPNOTSUPP : 0;
}

static int read_back(int fd, const char *uuid, struct hadal_oa_image *image)
{
	int err = check_support(fd);

	if (err)
		return err;
	memcpy(image->uuid, uuid, UUID_TEXT_LENGTH);
	for (int i = 0; i < TRIES; i++) {
		err = read_counts(fd, uuid, image);
		if (err == 0)
			err = read_registers(fd, image);
		if (err != -EAGAIN)
			return err;
	}
	return err;
}

const struct oa_driver oa_i915_driver = {
	.add = add,
	.remove = remove_set,
	.read_back = read_back,
};
