/* SPDX-License-Identifier: GPL-2.0-only */
/* The core's port in the kernel: only rules and loops run here, so only arithmetic is asked. */
#ifndef HADAL_KERNEL_PORT_IMPL_H
#define HADAL_KERNEL_PORT_IMPL_H

#include <linux/math64.h>

static inline uint64_t port_div_u64(uint64_t n, uint32_t d)
{
	return div_u64(n, d);
}

#endif
