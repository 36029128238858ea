// SPDX-License-Identifier: GPL-2.0-only
/* What tools ask at start-up, and the table of calls. */
#include <linux/uaccess.h>

#include <drm/drm_ioctl.h>

#include "oa.h"

/* Since Linux 6.3; older headers lack it. */
#ifndef I915_PARAM_OA_TIMESTAMP_FREQUENCY
#define I915_PARAM_OA_TIMESTAMP_FREQUENCY 57
#endif

/* First graphics version that has no slice masks to give, and whose driver knows the OA clock. */
#define GRAPHICS_XEHP 1250

#define TIMESTAMP_BITS 36

static int xehp(bool wanted, int value)
{
	return (oa_settings.platform->graphics >= GRAPHICS_XEHP) == wanted ? value : -EINVAL;
}

/* The value of a parameter, none of which is negative, or -EINVAL. */
static int parameter(s32 param)
{
	const struct oa_platform *platform = oa_settings.platform;

	switch (param) {
	case I915_PARAM_CHIPSET_ID:
		return oa_settings.devid;
	case I915_PARAM_REVISION:
		return oa_settings.revision;
	case I915_PARAM_SUBSLICE_TOTAL:
		return platform->subslices;
	case I915_PARAM_EU_TOTAL:
		return oa_platform_eus(platform);
	case I915_PARAM_SLICE_MASK:
		return xehp(false, 1);
	case I915_PARAM_SUBSLICE_MASK:
		return xehp(false, (1 << platform->subslices) - 1);
	case I915_PARAM_CS_TIMESTAMP_FREQUENCY:
		return platform->timestamp_hz;
	case I915_PARAM_PERF_REVISION:
		return oa_settings.perf_revision;
	case I915_PARAM_OA_TIMESTAMP_FREQUENCY:
		return xehp(true, platform->timestamp_hz);
	default:
		return -EINVAL;
	}
}

static int getparam_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_i915_getparam *ask = data;
	int value = parameter(ask->param);

	if (value < 0)
		return value;
	return put_user(value, ask->value);
}

/* Nothing is ever in flight. */
static int throttle_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	return 0;
}

/* Bit 0 of the offset asks for one read of 8 bytes, which every read here is. */
static int reg_read_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct oa_platform *platform = oa_settings.platform;
	struct drm_i915_reg_read *reg = data;

	if ((reg->offset & ~(u64)I915_REG_READ_8B_WA) != OA_TIMESTAMP_REGISTER)
		return -EINVAL;
	reg->val = (oa_ticks(platform) >> platform->timestamp_shift) &
		   GENMASK_ULL(TIMESTAMP_BITS - 1, 0);
	return 0;
}

const struct drm_ioctl_desc oa_ioctls[] = {
	DRM_IOCTL_DEF_DRV(I915_GETPARAM, getparam_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_GEM_THROTTLE, throttle_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_REG_READ, reg_read_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_PERF_OPEN, oa_open_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_PERF_ADD_CONFIG, oa_add_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_PERF_REMOVE_CONFIG, oa_remove_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(I915_QUERY, oa_query_ioctl, DRM_RENDER_ALLOW),
};

const int oa_ioctl_count = ARRAY_SIZE(oa_ioctls);
