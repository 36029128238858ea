// SPDX-License-Identifier: GPL-2.0-only
/* A platform device with the files that tools look for on a PCI one. */
#include <linux/platform_device.h>

#include "../compat.h"
#include "oa.h"

#define SHOW(name, value)                                                                          \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)   \
	{                                                                                          \
		return sysfs_emit(buf, "0x%04x\n", value);                                         \
	}                                                                                          \
	static DEVICE_ATTR_RO(name)

SHOW(vendor, OA_VENDOR);
SHOW(device, oa_settings.devid);
SHOW(subsystem_vendor, OA_VENDOR);
SHOW(subsystem_device, oa_settings.devid);

static ssize_t revision_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "0x%02x\n", oa_settings.revision);
}
static DEVICE_ATTR_RO(revision);

static struct attribute *identity_attrs[] = {
	&dev_attr_vendor.attr,		 &dev_attr_device.attr,	  &dev_attr_subsystem_vendor.attr,
	&dev_attr_subsystem_device.attr, &dev_attr_revision.attr, NULL,
};
ATTRIBUTE_GROUPS(identity);

static struct platform_device *device;

static int oa_platform_probe(struct platform_device *pdev)
{
	return oa_device_create(&pdev->dev);
}

COMPAT_PLATFORM_REMOVE(oa_platform_remove, pdev)
{
	oa_device_destroy(&pdev->dev);
	COMPAT_PLATFORM_REMOVED;
}

static struct platform_driver driver = {
	.probe = oa_platform_probe,
	.remove = oa_platform_remove,
	.driver.name = "hadal_oa",
};

static int add_device(void)
{
	int err;

	device = platform_device_alloc("hadal_oa", PLATFORM_DEVID_NONE);
	if (!device)
		return -ENOMEM;
	device->dev.groups = identity_groups;
	err = platform_device_add(device);
	if (err)
		platform_device_put(device);
	return err;
}

int oa_parent_platform_init(void)
{
	int err = platform_driver_register(&driver);

	if (err)
		return err;
	err = add_device();
	if (!err && !dev_get_drvdata(&device->dev)) {
		platform_device_unregister(device);
		err = -ENODEV;
	}
	if (err)
		platform_driver_unregister(&driver);
	return err;
}

void oa_parent_platform_exit(void)
{
	platform_device_unregister(device);
	platform_driver_unregister(&driver);
}
