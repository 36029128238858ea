// SPDX-License-Identifier: GPL-2.0-only
/*
 * hadal_hwlat: finds who takes a CPU away from a kernel that has its interrupts off. For kernels
 * without the hwlat tracer, and for what that tracer does not tell: every gap, in ns, with its
 * cause. It stops CPUs: for qualifying machines, not for production. hwlat.h is the map.
 */
#include <linux/module.h>

#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "hwlat.h"

/* Differences on one CPU that never leaves the loop are sound even if its TSC stops in idle. */
static int __init hwlat_init(void)
{
	int err;

	if (!boot_cpu_has(X86_FEATURE_TSC) || !tsc_khz)
		return -ENODEV;
	if (check_tsc_unstable())
		pr_warn("hadal_hwlat: the TSC is unstable: lengths may be off by its changes\n");
	hwlat_settings_init();
	hwlat_counters_init();
	err = hwlat_run_init();
	if (err)
		goto counters;
	err = hwlat_sysfs_init();
	if (err)
		goto run;
	err = hwlat_device_init();
	if (err)
		goto sysfs;
	return 0;
sysfs:
	hwlat_sysfs_exit();
run:
	hwlat_run_exit();
counters:
	hwlat_counters_exit();
	return err;
}

static void __exit hwlat_exit(void)
{
	hwlat_device_exit();
	hwlat_sysfs_exit();
	hwlat_run_exit();
	hwlat_counters_exit();
}

module_init(hwlat_init);
module_exit(hwlat_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Hardware latency detector: every gap, in ns, with its cause");
MODULE_VERSION("0.1.0");
