// SPDX-License-Identifier: GPL-2.0-only
/* All sets of a device: by id, by UUID, in sysfs; adding and removing them. */
#include <linux/limits.h>
#include <linux/rcupdate.h>

#include "oa.h"

/* 0 is no id, and 1 belongs to the built-in sets, be there any or not. */
#define FIRST_DYNAMIC 2

static const struct rhashtable_params by_uuid = {
	.head_offset = offsetof(struct oa_set, node),
	.key_offset = offsetof(struct oa_set, uuid),
	.key_len = UUID_TEXT_LENGTH,
	.automatic_shrinking = true,
};

int oa_sets_init(struct oa_sets *sets)
{
	mutex_init(&sets->lock);
	xa_init_flags(&sets->ids, XA_FLAGS_ALLOC);
	sets->first_dynamic = FIRST_DYNAMIC;
	return rhashtable_init(&sets->uuids, &by_uuid);
}

void oa_sets_free(struct oa_sets *sets)
{
	rhashtable_destroy(&sets->uuids);
	xa_destroy(&sets->ids);
}

/* The set with this id, with a reference for the caller, or NULL. */
struct oa_set *oa_sets_by_id(struct oa_sets *sets, u64 id)
{
	struct oa_set *set;

	if (id > INT_MAX)
		return NULL;
	rcu_read_lock();
	set = xa_load(&sets->ids, id);
	if (set && !kref_get_unless_zero(&set->ref))
		set = NULL;
	rcu_read_unlock();
	return set;
}

/* The set with these 36 characters, as above. */
struct oa_set *oa_sets_by_uuid(struct oa_sets *sets, const char *uuid)
{
	struct oa_set *set;

	rcu_read_lock();
	set = rhashtable_lookup(&sets->uuids, uuid, by_uuid);
	if (set && !kref_get_unless_zero(&set->ref))
		set = NULL;
	rcu_read_unlock();
	return set;
}

/*
 * First the id, then the set under it, last the file that tells the id: who reads the file can use
 * what it says.
 */
static int insert(struct oa_sets *sets, struct oa_set *set, struct xa_limit range)
{
	int err;

	err = xa_alloc(&sets->ids, &set->id, NULL, range, GFP_KERNEL);
	if (err)
		return err == -EBUSY ? -ENOSPC : err;
	err = rhashtable_insert_fast(&sets->uuids, &set->node, by_uuid);
	if (err)
		goto id;
	xa_store(&sets->ids, set->id, set, GFP_KERNEL); /* its slot is there already */
	err = sysfs_create_group(sets->folder, &set->group);
	if (err)
		goto uuid;
	sets->count++;
	return 0;
uuid:
	rhashtable_remove_fast(&sets->uuids, &set->node, by_uuid);
id:
	xa_erase(&sets->ids, set->id);
	return err;
}

static void take_out(struct oa_sets *sets, struct oa_set *set)
{
	sysfs_remove_group(sets->folder, &set->group);
	xa_erase(&sets->ids, set->id);
	rhashtable_remove_fast(&sets->uuids, &set->node, by_uuid);
	sets->count--;
	oa_set_put(set);
}

/* Makes the folder `metrics` below the card: from here on sets can be added. */
int oa_sets_show(struct oa_sets *sets, struct kobject *card)
{
	struct kobject *folder = kobject_create_and_add("metrics", card);

	if (!folder)
		return -ENOMEM;
	mutex_lock(&sets->lock);
	WRITE_ONCE(sets->folder, folder);
	mutex_unlock(&sets->lock);
	return 0;
}

/* Takes out all sets and the folder; no set can be added any more. */
void oa_sets_hide(struct oa_sets *sets)
{
	struct kobject *folder = sets->folder;
	struct oa_set *set;
	unsigned long id;

	mutex_lock(&sets->lock);
	xa_for_each(&sets->ids, id, set)
		take_out(sets, set);
	WRITE_ONCE(sets->folder, NULL);
	mutex_unlock(&sets->lock);
	kobject_put(folder);
}

/* The reference becomes that of the table, unless it fails. */
int oa_sets_add_builtin(struct oa_sets *sets, struct oa_set *set)
{
	int err;

	set->builtin = true;
	mutex_lock(&sets->lock);
	err = insert(sets, set, XA_LIMIT(1, INT_MAX));
	if (!err)
		sets->first_dynamic = max_t(u32, FIRST_DYNAMIC, set->id + 1);
	mutex_unlock(&sets->lock);
	return err;
}

/* Where a built-in set has the name already, sysfs has always been the one to say so. */
static int add_locked(struct oa_sets *sets, struct oa_set *set)
{
	const struct oa_set *same;

	if (!sets->folder)
		return -EINVAL;
	same = rhashtable_lookup_fast(&sets->uuids, set->uuid, by_uuid);
	if (same)
		return same->builtin ? -EEXIST : -EADDRINUSE;
	return insert(sets, set, XA_LIMIT(sets->first_dynamic, INT_MAX));
}

int oa_add_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct oa_sets *sets = &to_oa_device(drm)->sets;
	struct oa_set *set;
	int id, err;

	if (!READ_ONCE(sets->folder))
		return -EINVAL;
	if (!oa_may())
		return -EACCES;
	set = oa_set_fetch(data);
	if (IS_ERR(set))
		return PTR_ERR(set);
	err = mutex_lock_interruptible(&sets->lock);
	if (!err) {
		err = add_locked(sets, set);
		id = set->id;
		mutex_unlock(&sets->lock);
	}
	if (err)
		oa_set_put(set);
	return err ? err : id;
}

int oa_remove_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct oa_sets *sets = &to_oa_device(drm)->sets;
	struct oa_set *set = NULL;
	u64 id = *(u64 *)data;
	int err;

	if (!oa_may())
		return -EACCES;
	err = mutex_lock_interruptible(&sets->lock);
	if (err)
		return err;
	if (id >= sets->first_dynamic && id <= INT_MAX)
		set = xa_load(&sets->ids, id);
	if (set)
		take_out(sets, set);
	mutex_unlock(&sets->lock);
	return set ? 0 : -ENOENT;
}
