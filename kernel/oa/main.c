// SPDX-License-Identifier: GPL-2.0-only
/*
 * hadal_oa: a virtual device that speaks the OA part of i915's interface, so that tools which
 * program the counters of Intel GPUs can be tested without the hardware. It programs nothing.
 * oa.h is the map.
 */
#include <linux/module.h>

#include <asm/cpufeature.h>

#include "oa.h"

#define REVISION_DEFAULT 6
#define PERF_REVISION_DEFAULT 5

static char *gen = "skl";
module_param(gen, charp, 0444);
MODULE_PARM_DESC(
	gen, "GPU to play: hsw bdw chv skl bxt kbl glk cfl icl ehl tgl rkl dg1 adl dg2 mtl (skl)");

static ushort devid;
module_param(devid, ushort, 0444);
MODULE_PARM_DESC(devid, "PCI device id (0: one that fits gen)");

static u8 revision = REVISION_DEFAULT;
module_param(revision, byte, 0444);
MODULE_PARM_DESC(revision, "PCI revision (6)");

static int perf_revision = PERF_REVISION_DEFAULT;
module_param(perf_revision, int, 0444);
MODULE_PARM_DESC(perf_revision, "revision of the perf interface, 1 to 7 (5)");

static bool builtin;
module_param(builtin, bool, 0444);
MODULE_PARM_DESC(builtin, "offer the metric sets that were built into the module");

static char *parent = "pci";
module_param(parent, charp, 0444);
MODULE_PARM_DESC(parent, "what the DRM device hangs on: pci or platform (pci)");

static bool force;
module_param(force, bool, 0444);
MODULE_PARM_DESC(force, "load outside a virtual machine too");

struct oa_settings oa_settings;

static bool on_pci;

static int take_settings(void)
{
	const struct oa_generation *generation = oa_generation_find(gen);

	oa_settings.platform = oa_platform_find(gen);
	if (!oa_settings.platform || !generation) {
		pr_err("hadal_oa: gen=%s: not a GPU that this module knows\n", gen);
		return -EINVAL;
	}
	on_pci = !strcmp(parent, "pci");
	if (!on_pci && strcmp(parent, "platform")) {
		pr_err("hadal_oa: parent=%s: neither pci nor platform\n", parent);
		return -EINVAL;
	}
	if (perf_revision < 1 || perf_revision > 7) {
		pr_err("hadal_oa: perf_revision=%d: not 1 to 7\n", perf_revision);
		return -EINVAL;
	}
	oa_settings.rules = oa_generation_rules(generation);
	oa_settings.devid = devid ? devid : oa_settings.platform->devid;
	oa_settings.revision = revision;
	oa_settings.perf_revision = perf_revision;
	oa_settings.builtin = builtin;
	return 0;
}

static int __init oa_init(void)
{
	int err;

	if (!force && !boot_cpu_has(X86_FEATURE_HYPERVISOR)) {
		pr_err("hadal_oa: not a virtual machine; force=1 loads the virtual GPU anyway\n");
		return -ENODEV;
	}
	err = take_settings();
	if (err)
		return err;
	err = oa_sysctl_init();
	if (err)
		return err;
	err = on_pci ? oa_parent_pci_init() : oa_parent_platform_init();
	if (err)
		oa_sysctl_exit();
	return err;
}

static void __exit oa_exit(void)
{
	if (on_pci)
		oa_parent_pci_exit();
	else
		oa_parent_platform_exit();
	oa_sysctl_exit();
	rcu_barrier(); /* sets on their way out are freed by code of this module */
}

module_init(oa_init);
module_exit(oa_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Virtual OA device: run-time GPU counter configurations without the GPU");
MODULE_VERSION("0.1.0");
