/* SPDX-License-Identifier: MIT */
/* The core's port in user space: only its readers and rules run here, so only arithmetic is asked. */
#ifndef HADAL_LIB_PORT_IMPL_H
#define HADAL_LIB_PORT_IMPL_H

static inline uint64_t port_div_u64(uint64_t n, uint32_t d)
{
	return n / d;
}

#endif
