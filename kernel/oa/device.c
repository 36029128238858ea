// SPDX-License-Identifier: GPL-2.0-only
/* The DRM device: its life, and who may do what. */
#include <linux/capability.h>
#include <linux/device.h>
#include <linux/module.h>

#include <drm/drm_drv.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>

#include "../compat.h"
#include "oa.h"

static const struct file_operations oa_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	COMPAT_DRM_LLSEEK,
};

/* The name is what makes tools take the device for i915's. */
static struct drm_driver oa_driver = {
	.driver_features = DRIVER_RENDER,
	.fops = &oa_fops,
	.name = "i915",
	.desc = "hadal virtual OA device",
	.date = "20260101",
	.major = 1,
	.minor = 6,
};

/* True if the caller may touch what perf_stream_paranoid guards. */
bool oa_may(void)
{
	return !READ_ONCE(oa_paranoid) || perfmon_capable();
}

static void free_device(struct drm_device *drm, void *data)
{
	struct oa_device *dev = data;

	oa_set_put(dev->programmed);
	oa_sets_free(&dev->sets);
}

static int prepare(struct oa_device *dev)
{
	int err;

	mutex_init(&dev->stream_lock);
	mutex_init(&dev->log_lock);
	err = oa_sets_init(&dev->sets);
	if (err)
		return err;
	return drmm_add_action_or_reset(&dev->drm, free_device, dev);
}

static int publish(struct oa_device *dev)
{
	struct kobject *card = &dev->drm.primary->kdev->kobj;
	int err;

	err = sysfs_create_group(card, &oa_card_attributes);
	if (err)
		return err;
	err = oa_sets_show(&dev->sets, card);
	if (err)
		goto attributes;
	if (oa_settings.builtin)
		err = oa_builtin_add(&dev->sets);
	if (err)
		goto sets;
	oa_registers_init(dev);
	return 0;
sets:
	oa_sets_hide(&dev->sets);
attributes:
	sysfs_remove_group(card, &oa_card_attributes);
	return err;
}

int oa_device_create(struct device *parent)
{
	struct oa_device *dev;
	int err;

	oa_driver.ioctls = oa_ioctls;
	oa_driver.num_ioctls = oa_ioctl_count;
	dev = devm_drm_dev_alloc(parent, &oa_driver, struct oa_device, drm);
	if (IS_ERR(dev))
		return PTR_ERR(dev);
	err = prepare(dev);
	if (err)
		return err;
	err = drm_dev_register(&dev->drm, 0);
	if (err)
		return err;
	err = publish(dev);
	if (err) {
		drm_dev_unplug(&dev->drm);
		return err;
	}
	dev_set_drvdata(parent, dev);
	return 0;
}

void oa_device_destroy(struct device *parent)
{
	struct oa_device *dev = dev_get_drvdata(parent);

	oa_sets_hide(&dev->sets);
	oa_stream_detach(dev);
	oa_registers_exit(dev);
	sysfs_remove_group(&dev->drm.primary->kdev->kobj, &oa_card_attributes);
	drm_dev_unplug(&dev->drm);
}
