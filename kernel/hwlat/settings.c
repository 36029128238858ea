// SPDX-License-Identifier: GPL-2.0-only
/* What a run is told: the names of the settings, their values, and which values are refused. */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched/isolation.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <asm/tsc.h>

#include "hwlat.h"

static const char *const hwlat_modes[] = {
	[HWLAT_MODE_NONE] = "none",
	[HWLAT_MODE_ROUND_ROBIN] = "round-robin",
	[HWLAT_MODE_PER_CPU] = "per-cpu",
};

struct hwlat_settings hwlat_settings = {
	.width_us = 500000,
	.window_us = 1000000,
	.mode = HWLAT_MODE_ROUND_ROBIN,
};

/* What a run without a threshold takes: the one of the last enabled run. */
u64 hwlat_last_thresh_us = HWLAT_THRESH_DEFAULT_US;

void hwlat_settings_init(void)
{
	cpumask_copy(&hwlat_settings.cpus, housekeeping_cpumask(HK_TYPE_DOMAIN));
}

static int hwlat_parse_mode(const char *value, enum hwlat_mode *mode)
{
	char word[64];
	int index;

	if (strscpy(word, value, sizeof(word)) < 0)
		return -EINVAL;
	index = match_string(hwlat_modes, ARRAY_SIZE(hwlat_modes), strim(word));
	if (index < 0)
		return -EINVAL;
	*mode = index;
	return 0;
}

/* Changes one setting. On an error @set may hold a part of the value: parse into a copy. */
int hwlat_settings_parse(struct hwlat_settings *set, const char *name, const char *value)
{
	if (!strcmp(name, "width"))
		return kstrtou64(value, 10, &set->width_us);
	if (!strcmp(name, "window"))
		return kstrtou64(value, 10, &set->window_us);
	if (!strcmp(name, "tracing_thresh"))
		return kstrtou64(value, 10, &set->thresh_us);
	if (!strcmp(name, "tracing_cpumask"))
		return cpumask_parse(value, &set->cpus);
	if (!strcmp(name, "mode"))
		return hwlat_parse_mode(value, &set->mode);
	return -EINVAL;
}

int hwlat_settings_check(const struct hwlat_settings *set)
{
	if (set->width_us >= set->window_us)
		return -EINVAL;
	if (!cpumask_intersects(&set->cpus, cpu_online_mask))
		return -EINVAL;
	return 0;
}

static int hwlat_show_mode(enum hwlat_mode mode, char *buf)
{
	int i, len = 0;

	for (i = 0; i < ARRAY_SIZE(hwlat_modes); i++)
		len += sysfs_emit_at(buf, len, i == mode ? "%s[%s]" : "%s%s", i ? " " : "",
				     hwlat_modes[i]);
	return len + sysfs_emit_at(buf, len, "\n");
}

int hwlat_settings_show(const struct hwlat_settings *set, const char *name, char *buf)
{
	if (!strcmp(name, "width"))
		return sysfs_emit(buf, "%llu\n", set->width_us);
	if (!strcmp(name, "window"))
		return sysfs_emit(buf, "%llu\n", set->window_us);
	if (!strcmp(name, "tracing_thresh"))
		return sysfs_emit(buf, "%llu\n", set->thresh_us);
	if (!strcmp(name, "tracing_cpumask"))
		return sysfs_emit(buf, "%*pb\n", cpumask_pr_args(&set->cpus));
	return hwlat_show_mode(set->mode, buf);
}

u64 hwlat_ticks(u64 us)
{
	return div_u64(min(us, HWLAT_MAX_US) * tsc_khz, USEC_PER_MSEC);
}

u64 hwlat_ns(u64 ticks)
{
	return mul_u64_u32_div(ticks, NSEC_PER_MSEC, tsc_khz);
}
