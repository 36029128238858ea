/* SPDX-License-Identifier: MIT */
/* i915's interface for OA, call by call; the virtual device has the same. */
#ifndef HADAL_LIB_OA_I915_H
#define HADAL_LIB_OA_I915_H

#include <stddef.h>
#include <stdint.h>

/* Calls again while a signal or a busy driver got in the way. Returns what it gave, or -errno. */
int oa_ioctl(int fd, unsigned long request, void *arg);

/* One number (I915_PARAM_...). Returns 0 or a negative errno: -EINVAL the kernel knows no such. */
int oa_i915_parameter(int fd, int32_t parameter, uint32_t *value);

/*
 * One query item. @length: bytes at @data, 0 to ask for how many there are. Returns how many were
 * or would be written, or a negative errno, be it the call's or the item's.
 */
int oa_i915_query(int fd, uint64_t query, uint32_t flags, void *data, size_t length);

#endif
