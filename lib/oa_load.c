// SPDX-License-Identifier: MIT
/* Adding, removing and reading back sets, whatever the driver. */
#include <errno.h>
#include <string.h>

#include "lib/oa_driver.h"

static const struct oa_driver *driver_of(enum hadal_oa_driver driver)
{
	return driver == HADAL_OA_XE ? oa_xe_driver : &oa_i915_driver;
}

bool hadal_oa_driver_usable(enum hadal_oa_driver driver)
{
	return driver_of(driver) != NULL;
}

bool hadal_oa_driver_reads_back(enum hadal_oa_driver driver)
{
	return driver_of(driver) && driver_of(driver)->read_back;
}

int hadal_oa_add(const struct hadal_oa_gpu *gpu, int fd, const struct hadal_oa_image *image,
		 uint64_t *id)
{
	int ret;

	if (!driver_of(gpu->driver))
		return -EOPNOTSUPP;
	ret = driver_of(gpu->driver)->add(fd, image);
	if (ret < 0)
		return ret;
	*id = (uint64_t)ret;
	return 0;
}

int hadal_oa_remove(const struct hadal_oa_gpu *gpu, int fd, const char *uuid, uint64_t id)
{
	uint64_t now;
	int err;

	if (!driver_of(gpu->driver))
		return -EOPNOTSUPP;
	err = hadal_oa_loaded_id(gpu, uuid, &now);
	if (err)
		return err;
	return now == id ? driver_of(gpu->driver)->remove(fd, id) : -ENOENT;
}

int hadal_oa_read_back(const struct hadal_oa_gpu *gpu, int fd, const char *uuid,
		       struct hadal_oa_image *image)
{
	memset(image, 0, sizeof(*image));
	if (!hadal_oa_driver_reads_back(gpu->driver))
		return -EOPNOTSUPP;
	return driver_of(gpu->driver)->read_back(fd, uuid, image);
}
