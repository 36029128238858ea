// SPDX-License-Identifier: GPL-2.0-only
/* The query call: topology, engines, sets. */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "oa.h"

/*
 * The kernel's own layout of struct drm_i915_query_perf_config, which is that of 64-bit programs:
 * flags behind the union, the payload behind all of it (not at the member `data`).
 */
#define CONFIG_FLAGS 40
#define CONFIG_PAYLOAD 48
#define CONFIG_DATA_BYTES (CONFIG_PAYLOAD + sizeof(struct drm_i915_perf_oa_config))

/* Listed always, be there a set under it or not. */
#define RESERVED_ID 1

/* The answer to an item whose length is 0 or too short for @bytes; 0 for one to be filled. */
static int check_length(const struct drm_i915_query_item *item, size_t bytes)
{
	if (item->length == 0)
		return bytes;
	return item->length < bytes ? -EINVAL : 0;
}

struct topology {
	struct drm_i915_query_topology_info info;
	u8 data[1 + 1 + 8 * 2]; /* slices, subslices, EUs of 8 subslices at most */
};

/* All bits below @count, of which none is above 16. */
static void set_low_bits(u8 *bytes, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		bytes[i / 8] |= 1 << i % 8;
}

/* Returns the bytes that are in use. */
static size_t fill_topology(struct topology *topology)
{
	const struct oa_platform *platform = oa_settings.platform;
	struct drm_i915_query_topology_info *info = &topology->info;
	u32 i;

	memset(topology, 0, sizeof(*topology));
	info->max_slices = 1;
	info->max_subslices = platform->subslices;
	info->max_eus_per_subslice = platform->eus;
	info->subslice_offset = 1;
	info->subslice_stride = DIV_ROUND_UP(platform->subslices, 8);
	info->eu_offset = info->subslice_offset + info->subslice_stride;
	info->eu_stride = DIV_ROUND_UP(platform->eus, 8);
	topology->data[0] = 1;
	set_low_bits(topology->data + info->subslice_offset, platform->subslices);
	for (i = 0; i < platform->subslices; i++)
		set_low_bits(topology->data + info->eu_offset + i * info->eu_stride, platform->eus);
	return sizeof(*info) + info->eu_offset + platform->subslices * info->eu_stride;
}

static int query_topology(struct oa_device *dev, struct drm_i915_query_item *item)
{
	void __user *user = u64_to_user_ptr(item->data_ptr);
	struct drm_i915_query_topology_info asked;
	struct topology topology;
	size_t bytes = fill_topology(&topology);
	int ret;

	if (item->flags)
		return -EINVAL;
	ret = check_length(item, bytes);
	if (ret)
		return ret;
	if (copy_from_user(&asked, user, sizeof(asked)))
		return -EFAULT;
	if (asked.flags)
		return -EINVAL;
	return copy_to_user(user, &topology, bytes) ? -EFAULT : bytes;
}

static int query_engines(struct oa_device *dev, struct drm_i915_query_item *item)
{
	void __user *user = u64_to_user_ptr(item->data_ptr);
	struct {
		struct drm_i915_query_engine_info info;
		struct drm_i915_engine_info engine;
	} all;
	int ret;

	if (item->flags)
		return -EINVAL;
	ret = check_length(item, sizeof(all));
	if (ret)
		return ret;
	if (copy_from_user(&all, user, sizeof(all.info)))
		return -EFAULT;
	if (all.info.num_engines || all.info.rsvd[0] || all.info.rsvd[1] || all.info.rsvd[2])
		return -EINVAL;
	memset(&all, 0, sizeof(all));
	all.info.num_engines = 1;
	all.engine.engine.engine_class = I915_ENGINE_CLASS_RENDER;
	all.engine.flags = I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE;
	return copy_to_user(user, &all, sizeof(all)) ? -EFAULT : sizeof(all);
}

/* The reserved id and those of the sets, at most @room. Returns how many there are to list. */
static u32 collect_ids(struct oa_sets *sets, u64 *ids, u32 room)
{
	struct oa_set *set;
	unsigned long id;
	u32 count = 1;

	if (room)
		ids[0] = RESERVED_ID;
	rcu_read_lock();
	xa_for_each_start(&sets->ids, id, set, RESERVED_ID + 1) {
		if (count < room)
			ids[count] = id;
		count++;
	}
	rcu_read_unlock();
	return count;
}

static int copy_list(void __user *user, const u64 *ids, u64 count)
{
	if (copy_to_user(user, &count, sizeof(count)) ||
	    copy_to_user(user + CONFIG_PAYLOAD, ids, count * sizeof(*ids)))
		return -EFAULT;
	return CONFIG_PAYLOAD + count * sizeof(*ids);
}

/* All ids at one moment, in memory of their own. Sets may come while the room for them is found. */
static u64 *list_ids(struct oa_sets *sets, u32 *count)
{
	u32 room = collect_ids(sets, NULL, 0);
	u64 *ids;

	for (;;) {
		ids = kvmalloc_array(room, sizeof(*ids), GFP_KERNEL | __GFP_NOWARN);
		if (!ids)
			return NULL;
		*count = collect_ids(sets, ids, room);
		if (*count <= room)
			return ids;
		kvfree(ids);
		room = *count;
	}
}

static int query_list(struct oa_device *dev, struct drm_i915_query_item *item)
{
	void __user *user = u64_to_user_ptr(item->data_ptr);
	u32 flags, count;
	u64 *ids;
	int ret;

	if (item->length == 0)
		return CONFIG_PAYLOAD + collect_ids(&dev->sets, NULL, 0) * sizeof(*ids);
	if (get_user(flags, (u32 __user *)(user + CONFIG_FLAGS)))
		return -EFAULT;
	if (flags)
		return -EINVAL;
	ids = list_ids(&dev->sets, &count);
	if (!ids)
		return -ENOMEM;
	ret = check_length(item, CONFIG_PAYLOAD + count * sizeof(*ids));
	if (!ret)
		ret = copy_list(user, ids, count);
	kvfree(ids);
	return ret;
}

/* Registers of one class: how many, or if the caller has room for some, all of them. */
static int copy_class(const struct oa_set *set, enum oa_class cls, u32 *count, u64 user)
{
	u32 have = set->counts[cls];

	if (*count && *count < have)
		return -EINVAL;
	if (*count && copy_to_user(u64_to_user_ptr(user), set->registers[cls],
				   have * sizeof(struct oa_register)))
		return -EFAULT;
	*count = have;
	return 0;
}

static int copy_set(const struct oa_set *set, void __user *user)
{
	struct drm_i915_perf_oa_config config;
	int err;

	if (copy_from_user(&config, user, sizeof(config)))
		return -EFAULT;
	err = copy_class(set, OA_CLASS_BOOLEAN, &config.n_boolean_regs, config.boolean_regs_ptr);
	if (!err)
		err = copy_class(set, OA_CLASS_FLEX, &config.n_flex_regs, config.flex_regs_ptr);
	if (!err)
		err = copy_class(set, OA_CLASS_MUX, &config.n_mux_regs, config.mux_regs_ptr);
	if (err)
		return err;
	memcpy(config.uuid, set->uuid, sizeof(config.uuid));
	return copy_to_user(user, &config, sizeof(config)) ? -EFAULT : 0;
}

/* The set that @user names, by UUID or by id, with a reference. */
static struct oa_set *find_set(struct oa_sets *sets, bool by_uuid, void __user *user)
{
	char uuid[UUID_TEXT_LENGTH] __aligned(4);
	struct oa_set *set;
	u64 id;

	if (by_uuid) {
		if (copy_from_user(uuid, user, sizeof(uuid)))
			return ERR_PTR(-EFAULT);
		set = oa_sets_by_uuid(sets, uuid);
	} else {
		if (copy_from_user(&id, user, sizeof(id)))
			return ERR_PTR(-EFAULT);
		set = oa_sets_by_id(sets, id);
	}
	return set ? set : ERR_PTR(-ENOENT);
}

static int query_data(struct oa_device *dev, struct drm_i915_query_item *item, bool by_uuid)
{
	void __user *user = u64_to_user_ptr(item->data_ptr);
	int ret = check_length(item, CONFIG_DATA_BYTES);
	struct oa_set *set;
	u32 flags;

	if (ret)
		return ret;
	if (get_user(flags, (u32 __user *)(user + CONFIG_FLAGS)))
		return -EFAULT;
	if (flags)
		return -EINVAL;
	set = find_set(&dev->sets, by_uuid, user);
	if (IS_ERR(set))
		return PTR_ERR(set);
	ret = copy_set(set, user + CONFIG_PAYLOAD);
	oa_set_put(set);
	return ret ? ret : CONFIG_DATA_BYTES;
}

static int query_config(struct oa_device *dev, struct drm_i915_query_item *item)
{
	switch (item->flags) {
	case DRM_I915_QUERY_PERF_CONFIG_LIST:
		return query_list(dev, item);
	case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID:
		return query_data(dev, item, true);
	case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID:
		return query_data(dev, item, false);
	default:
		return -EINVAL;
	}
}

static int query_item(struct oa_device *dev, struct drm_i915_query_item *item)
{
	switch (item->query_id) {
	case DRM_I915_QUERY_TOPOLOGY_INFO:
		return query_topology(dev, item);
	case DRM_I915_QUERY_ENGINE_INFO:
		return query_engines(dev, item);
	case DRM_I915_QUERY_PERF_CONFIG:
		return query_config(dev, item);
	default:
		return -EINVAL;
	}
}

int oa_query_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	const struct drm_i915_query *query = data;
	struct drm_i915_query_item __user *items = u64_to_user_ptr(query->items_ptr);
	struct drm_i915_query_item item;
	u32 i;

	if (query->flags)
		return -EINVAL;
	for (i = 0; i < query->num_items; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (copy_from_user(&item, &items[i], sizeof(item)))
			return -EFAULT;
		if (!item.query_id)
			return -EINVAL;
		if (put_user(query_item(to_oa_device(drm), &item), &items[i].length))
			return -EFAULT;
		cond_resched();
	}
	return 0;
}
