/* SPDX-License-Identifier: MIT */
/* What a driver brings to add, remove and read back sets. */
#ifndef HADAL_LIB_OA_DRIVER_H
#define HADAL_LIB_OA_DRIVER_H

#include "hadal/oa_load.h"

/*
 * struct oa_driver - one kernel interface; all return 0 or a negative errno
 * @add: returns the id
 * @read_back: NULL if the interface has no such call
 */
struct oa_driver {
	int (*add)(int fd, const struct hadal_oa_image *image);
	int (*remove)(int fd, uint64_t id);
	int (*read_back)(int fd, const char *uuid, struct hadal_oa_image *image);
};

extern const struct oa_driver oa_i915_driver;

/* xe's interface, or NULL if its header was not there when this was built. */
extern const struct oa_driver *const oa_xe_driver;

/* Makes room for the registers that @image counts. Returns 0 or -ENOMEM. */
int oa_image_reserve(struct hadal_oa_image *image);

/* The registers of @cls in @image. */
struct oa_register *oa_image_class(const struct hadal_oa_image *image, enum oa_class cls);

#endif
