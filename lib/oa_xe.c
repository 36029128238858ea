// SPDX-License-Identifier: MIT
/* Sets in xe: adding and removing, where the system's headers know the calls. */
#if __has_include(<libdrm/xe_drm.h>)
#include <libdrm/xe_drm.h>
#elif __has_include(<drm/xe_drm.h>)
#include <drm/xe_drm.h>
#endif

#include "lib/oa_driver.h"
#include "lib/oa_i915.h"

#ifdef DRM_IOCTL_XE_OBSERVATION
#include <string.h>

static int call(int fd, uint64_t op, void *param)
{
	struct drm_xe_observation_param ask = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = op,
		.param = (uintptr_t)param,
	};

	return oa_ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &ask);
}

/* One array holds all classes, in the order in which an image has them. */
static int add(int fd, const struct hadal_oa_image *image)
{
	struct drm_xe_oa_config config = { .regs_ptr = (uintptr_t)image->registers };

	for (int cls = 0; cls < OA_CLASSES; cls++)
		config.n_regs += image->counts[cls];
	memcpy(config.uuid, image->uuid, sizeof(config.uuid));
	return call(fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &config);
}

static int remove_set(int fd, uint64_t id)
{
	return call(fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &id);
}

static const struct oa_driver driver = {
	.add = add,
	.remove = remove_set,
};

const struct oa_driver *const oa_xe_driver = &driver;
#else
const struct oa_driver *const oa_xe_driver = NULL;
#endif
