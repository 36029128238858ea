/* SPDX-License-Identifier: GPL-2.0-only */
/* The only file that asks which kernel it is built for. */
#ifndef HADAL_KERNEL_COMPAT_H
#define HADAL_KERNEL_COMPAT_H

#include <linux/rcupdate.h>
#include <linux/trace.h>
#include <linux/version.h>

/* Since 6.9 the instance can be limited to some event systems; NULL means all. */
static inline struct trace_array *compat_trace_array_get(const char *name)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 9, 0)
	return trace_array_get_by_name(name, NULL);
#else
	return trace_array_get_by_name(name);
#endif
}

/*
 * Renamed in 6.12, and in stable releases of older series: the Kbuild files look for the new name.
 * Call with interrupts off.
 */
static inline void compat_rcu_momentary_eqs(void)
{
#ifdef HADAL_HAVE_RCU_MOMENTARY_EQS
	rcu_momentary_eqs();
#else
	rcu_momentary_dyntick_idle();
#endif
}

#endif
