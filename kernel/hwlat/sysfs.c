// SPDX-License-Identifier: GPL-2.0-only
/* /sys/kernel/hadal_hwlat/: the tracer's file names, and enable in place of its selection. */
#include <linux/kobject.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/trace_events.h>

#include "../compat.h"
#include "hwlat.h"

static struct kobject *hwlat_kobj;

/* Outside hwlat_lock(): switching trace events takes the hotplug lock itself. */
static DEFINE_MUTEX(hwlat_enable_mutex);
static struct trace_array *hwlat_instance;
static struct hwlat_run *hwlat_enabled;
static u64 hwlat_thresh_before_us;

static ssize_t setting_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	int len;

	hwlat_lock();
	len = hwlat_settings_show(&hwlat_settings, attr->attr.name, buf);
	hwlat_unlock();
	return len;
}

static int hwlat_set(const char *name, const char *value)
{
	struct hwlat_settings *set = kmemdup(&hwlat_settings, sizeof(*set), GFP_KERNEL);
	int err;

	if (!set)
		return -ENOMEM;
	err = hwlat_settings_parse(set, name, value);
	if (!err)
		err = hwlat_settings_check(set);
	if (!err) {
		hwlat_settings = *set;
		if (hwlat_enabled)
			err = hwlat_run_apply(hwlat_enabled, set);
	}
	kfree(set);
	return err;
}

static ssize_t setting_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t bytes)
{
	int err;

	hwlat_lock();
	err = hwlat_set(attr->attr.name, buf);
	hwlat_unlock();
	return err ? err : bytes;
}

static int hwlat_events(bool on)
{
	int err;

	if (!hwlat_instance)
		hwlat_instance = compat_trace_array_get("hadal");
	if (!hwlat_instance)
		return -ENODEV;
	err = trace_array_set_clr_event(hwlat_instance, "hadal", "hwlat_gap", on);
	if (err)
		return err;
	return trace_array_set_clr_event(hwlat_instance, "hadal", "hwlat_window", on);
}

/* The run does as the seed says of a selected tracer: the threshold in force becomes visible. */
static int hwlat_begin(void)
{
	struct hwlat_run *run = hwlat_run_create(false);
	int err;

	if (IS_ERR(run))
		return PTR_ERR(run);
	err = hwlat_run_start(run);
	if (err) {
		hwlat_run_destroy(run);
		return err;
	}
	hwlat_thresh_before_us = hwlat_settings.thresh_us;
	hwlat_settings.thresh_us = run->set.thresh_us;
	hwlat_enabled = run;
	return 0;
}

/* A threshold of 0 written during the run is not worth remembering: the default comes back. */
static void hwlat_end(void)
{
	hwlat_run_destroy(hwlat_enabled);
	hwlat_enabled = NULL;
	hwlat_last_thresh_us = hwlat_settings.thresh_us ?: HWLAT_THRESH_DEFAULT_US;
	hwlat_settings.thresh_us = hwlat_thresh_before_us;
}

static int hwlat_enable(void)
{
	int err = hwlat_run ? -EBUSY : hwlat_events(true);

	if (err)
		return err;
	hwlat_lock();
	err = hwlat_begin();
	hwlat_unlock();
	if (err)
		hwlat_events(false);
	return err;
}

static void hwlat_disable(void)
{
	hwlat_lock();
	hwlat_end();
	hwlat_unlock();
	hwlat_events(false);
}

static ssize_t enable_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", !!READ_ONCE(hwlat_enabled));
}

static ssize_t enable_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			    size_t bytes)
{
	u8 on;
	int err = kstrtou8(buf, 10, &on);

	if (err || on > 1)
		return err ? err : -EINVAL;
	mutex_lock(&hwlat_enable_mutex);
	if (on && !hwlat_enabled)
		err = hwlat_enable();
	else if (!on && hwlat_enabled)
		hwlat_disable();
	mutex_unlock(&hwlat_enable_mutex);
	return err ? err : bytes;
}

static ssize_t tracing_max_latency_show(struct kobject *kobj, struct kobj_attribute *attr,
					char *buf)
{
	return sysfs_emit(buf, "%llu\n", div_u64(READ_ONCE(hwlat_result.max_ns), NSEC_PER_USEC));
}

static ssize_t tracing_max_latency_store(struct kobject *kobj, struct kobj_attribute *attr,
					 const char *buf, size_t bytes)
{
	u64 us;
	int err = kstrtou64(buf, 10, &us);

	if (err)
		return err;
	WRITE_ONCE(hwlat_result.max_ns, min(us, HWLAT_MAX_US) * NSEC_PER_USEC);
	return bytes;
}

static ssize_t count_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(hwlat_result.count));
}

static ssize_t floor_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(hwlat_result.floor_ns));
}

/* One line a CPU that is online: its number, and the SMIs during the run. */
static ssize_t smi_total_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	int cpu, len = 0;
	u64 total;

	hwlat_lock();
	for_each_online_cpu(cpu) {
		if (hwlat_smi_total(cpu, hwlat_run && hwlat_run->started, &total))
			len += sysfs_emit_at(buf, len, "%d -\n", cpu);
		else
			len += sysfs_emit_at(buf, len, "%d %llu\n", cpu, total);
	}
	hwlat_unlock();
	return len;
}

#define HWLAT_SETTING(name)                                                                        \
	static struct kobj_attribute name##_attr = __ATTR(name, 0640, setting_show, setting_store)

HWLAT_SETTING(width);
HWLAT_SETTING(window);
HWLAT_SETTING(tracing_thresh);
HWLAT_SETTING(tracing_cpumask);
HWLAT_SETTING(mode);
static struct kobj_attribute enable_attr = __ATTR_RW_MODE(enable, 0640);
static struct kobj_attribute max_attr = __ATTR_RW_MODE(tracing_max_latency, 0640);
static struct kobj_attribute count_attr = __ATTR_RO_MODE(count, 0440);
static struct kobj_attribute floor_attr = __ATTR_RO_MODE(floor, 0440);
static struct kobj_attribute smi_total_attr = __ATTR_RO_MODE(smi_total, 0440);

static const struct attribute *hwlat_attrs[] = {
	&width_attr.attr,
	&window_attr.attr,
	&tracing_thresh_attr.attr,
	&tracing_cpumask_attr.attr,
	&mode_attr.attr,
	&enable_attr.attr,
	&max_attr.attr,
	&count_attr.attr,
	&floor_attr.attr,
	&smi_total_attr.attr,
	NULL,
};

int hwlat_sysfs_init(void)
{
	int err;

	hwlat_kobj = kobject_create_and_add("hadal_hwlat", kernel_kobj);
	if (!hwlat_kobj)
		return -ENOMEM;
	err = sysfs_create_files(hwlat_kobj, hwlat_attrs);
	if (err)
		kobject_put(hwlat_kobj);
	return err;
}

/* Waits for writers in the files, so nobody enables the run again. */
void hwlat_sysfs_exit(void)
{
	sysfs_remove_files(hwlat_kobj, hwlat_attrs);
	kobject_put(hwlat_kobj);
	if (hwlat_enabled)
		hwlat_disable();
	if (hwlat_instance) {
		trace_array_put(hwlat_instance);
		trace_array_destroy(hwlat_instance);
	}
}
