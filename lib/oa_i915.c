// SPDX-License-Identifier: MIT
/* i915's interface for OA, call by call. */
#include <errno.h>
#include <limits.h>
#include <sys/ioctl.h>

#include <libdrm/i915_drm.h>

#include "lib/oa_i915.h"

int oa_ioctl(int fd, unsigned long request, void *arg)
{
	int ret;

	do
		ret = ioctl(fd, request, arg);
	while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : ret;
}

int oa_i915_parameter(int fd, int32_t parameter, uint32_t *value)
{
	int answer = 0;
	struct drm_i915_getparam ask = { .param = parameter, .value = &answer };
	int err = oa_ioctl(fd, DRM_IOCTL_I915_GETPARAM, &ask);

	if (err == 0)
		*value = (uint32_t)answer;
	return err;
}

int oa_i915_query(int fd, uint64_t query, uint32_t flags, void *data, size_t length)
{
	struct drm_i915_query_item item = {
		.query_id = query,
		.length = (int32_t)length,
		.flags = flags,
		.data_ptr = (uintptr_t)data,
	};
	struct drm_i915_query ask = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	int err;

	if (length > INT_MAX)
		return -EINVAL;
	err = oa_ioctl(fd, DRM_IOCTL_I915_QUERY, &ask);
	return err < 0 ? err : item.length;
}
