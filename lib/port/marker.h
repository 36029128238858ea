/* SPDX-License-Identifier: MIT */
/*
 * A mark that the kernel wipes whenever it has run, so that user space knows without asking.
 *
 * x86-64: a null selector that is not zero, in ES, which 64-bit code does not use. IRET to a less
 * privileged level sets such a selector to zero (Intel SDM volume 2, IRET; the AMD manual says the
 * same); the end of an SMI and the entry into a guest bring it back as it was. Whether that holds here,
 * lib/hwlat_user_marker.c tries before anybody relies on it.
 */
#ifndef HADAL_LIB_PORT_MARKER_H
#define HADAL_LIB_PORT_MARKER_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__)

#define PORT_MARKER true
#define PORT_MARKER_ARMED 1

static inline void port_marker_arm(void)
{
	__asm__ volatile("mov %0, %%es" : : "r"(PORT_MARKER_ARMED));
}

static inline bool port_marker_wiped(void)
{
	uint32_t selector;

	__asm__ volatile("mov %%es, %0" : "=r"(selector));
	return selector != PORT_MARKER_ARMED;
}

#else

#define PORT_MARKER false

static inline void port_marker_arm(void)
{
}

static inline bool port_marker_wiped(void)
{
	return true;
}

#endif

#endif
