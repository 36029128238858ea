/* SPDX-License-Identifier: GPL-2.0-only */
/* The only file that asks which kernel it is built for. */
#ifndef HADAL_KERNEL_COMPAT_H
#define HADAL_KERNEL_COMPAT_H

#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/sysctl.h>
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
#ifdef HADAL_HAVE_RCU_MOMENTARY_EQS
#define compat_rcu_momentary_eqs() rcu_momentary_eqs()
#else
#define compat_rcu_momentary_eqs() rcu_momentary_dyntick_idle()
#endif

/* @count entries, followed by an empty one that older kernels look for. Returns NULL on failure. */
static inline struct ctl_table_header *compat_register_sysctl(const char *path,
							      struct ctl_table *table, size_t count)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
	return register_sysctl_sz(path, table, count);
#else
	return register_sysctl(path, table);
#endif
}

/* DRM's file operations end with this. Since 6.12 no device is opened without the flag. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#define COMPAT_DRM_LLSEEK .llseek = noop_llseek, .fop_flags = FOP_UNSIGNED_OFFSET
#else
#define COMPAT_DRM_LLSEEK .llseek = noop_llseek
#endif

/* Head and end of a platform driver's remove function, which returned 0 until 6.11. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0)
#define COMPAT_PLATFORM_REMOVE(name, pdev) static void name(struct platform_device *pdev)
#define COMPAT_PLATFORM_REMOVED return
#else
#define COMPAT_PLATFORM_REMOVE(name, pdev) static int name(struct platform_device *pdev)
#define COMPAT_PLATFORM_REMOVED return 0
#endif

/* Moved from the PCI device to every device in stable releases too: Kbuild files look for it. */
#ifdef HADAL_HAVE_DEVICE_DRIVER_OVERRIDE
#define compat_override_driver(pdev, name) device_set_driver_override(&(pdev)->dev, name)
#else
#define compat_override_driver(pdev, name)                                                         \
	driver_set_override(&(pdev)->dev, &(pdev)->driver_override, name, strlen(name))
#endif

#endif
