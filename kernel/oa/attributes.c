// SPDX-License-Identifier: GPL-2.0-only
/* Files of the card in sysfs: the frequencies, under the names that i915 gave them. */
#include <linux/device.h>

#include "oa.h"

#define MIN_MHZ 350
#define MAX_MHZ 1100

#define SHOW(name, value)                                                                          \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)   \
	{                                                                                          \
		return sysfs_emit(buf, "%u\n", value);                                             \
	}                                                                                          \
	static DEVICE_ATTR_RO(name)

SHOW(gt_act_freq_mhz, OA_CLOCK_HZ / 1000000);
SHOW(gt_cur_freq_mhz, OA_CLOCK_HZ / 1000000);
SHOW(gt_boost_freq_mhz, MAX_MHZ);
SHOW(gt_max_freq_mhz, MAX_MHZ);
SHOW(gt_min_freq_mhz, MIN_MHZ);
SHOW(gt_RP0_freq_mhz, MAX_MHZ);
SHOW(gt_RP1_freq_mhz, OA_CLOCK_HZ / 1000000);
SHOW(gt_RPn_freq_mhz, MIN_MHZ);

static struct attribute *files[] = {
	&dev_attr_gt_act_freq_mhz.attr,
	&dev_attr_gt_cur_freq_mhz.attr,
	&dev_attr_gt_boost_freq_mhz.attr,
	&dev_attr_gt_max_freq_mhz.attr,
	&dev_attr_gt_min_freq_mhz.attr,
	&dev_attr_gt_RP0_freq_mhz.attr,
	&dev_attr_gt_RP1_freq_mhz.attr,
	&dev_attr_gt_RPn_freq_mhz.attr,
	NULL,
};

const struct attribute_group oa_card_attributes = { .attrs = files };
