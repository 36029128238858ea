// SPDX-License-Identifier: GPL-2.0-only
/* One metric set: fetched from user space or built in, counted, freed. */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "oa.h"

#define HASH_START 0xcbf29ce484222325ull
#define HASH_PRIME 0x100000001b3ull

/* Registers that are gone through without a pause. */
#define REGISTERS_AT_ONCE 4096

static void free_set(struct oa_set *set)
{
	int cls;

	for (cls = 0; cls < OA_CLASSES; cls++)
		kvfree(set->registers[cls]);
	kfree(set);
}

static void free_set_rcu(struct rcu_head *rcu)
{
	free_set(container_of(rcu, struct oa_set, rcu));
}

static void release_set(struct kref *ref)
{
	call_rcu(&container_of(ref, struct oa_set, ref)->rcu, free_set_rcu);
}

void oa_set_put(struct oa_set *set)
{
	if (set)
		kref_put(&set->ref, release_set);
}

static ssize_t id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", container_of(attr, struct oa_set, id_file)->id);
}

static struct oa_set *new_set(const char *uuid)
{
	struct oa_set *set = kzalloc(sizeof(*set), GFP_KERNEL_ACCOUNT);

	if (!set)
		return NULL;
	kref_init(&set->ref);
	memcpy(set->uuid, uuid, UUID_TEXT_LENGTH);
	sysfs_attr_init(&set->id_file.attr);
	set->id_file.attr.name = "id";
	set->id_file.attr.mode = 0444;
	set->id_file.show = id_show;
	set->files[0] = &set->id_file.attr;
	set->group.name = set->uuid;
	set->group.attrs = set->files;
	return set;
}

static void pause_at(u32 i)
{
	if (i % REGISTERS_AT_ONCE == REGISTERS_AT_ONCE - 1)
		cond_resched();
}

static void hash_step(u64 *hash, u32 word)
{
	*hash = (*hash ^ word) * HASH_PRIME;
}

static void hash_set(struct oa_set *set)
{
	u32 cls, i;

	set->hash = HASH_START;
	for (cls = 0; cls < OA_CLASSES; cls++) {
		for (i = 0; i < set->counts[cls]; i++) {
			hash_step(&set->hash, cls);
			hash_step(&set->hash, set->registers[cls][i].address);
			hash_step(&set->hash, set->registers[cls][i].value);
			pause_at(i);
		}
	}
}

static int alloc_class(struct oa_set *set, int cls, u32 count)
{
	if (!count)
		return 0;
	set->registers[cls] = kvmalloc_array(count, sizeof(struct oa_register),
					     GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	set->counts[cls] = count;
	return set->registers[cls] ? 0 : -ENOMEM;
}

/* A register of an array that cannot be read to its end: a bad address beats a bad value. */
static int fetch_register(struct oa_register *reg, const struct oa_register __user *from,
			  enum oa_class cls, u32 index)
{
	struct oa_refusal refusal;

	if (get_user(reg->address, &from->address))
		return -EFAULT;
	if (oa_config_check_address(oa_settings.rules, cls, index, reg->address, &refusal))
		return -EINVAL;
	return get_user(reg->value, &from->value) ? -EFAULT : 0;
}

/*
 * In one copy as far as it can be read. Where that ends (or all of it, to be judged), one by one
 * in the order that callers see the errors of.
 */
static int fetch_registers(struct oa_set *set, enum oa_class cls,
			   const struct oa_register __user *from)
{
	struct oa_register *regs = set->registers[cls];
	u32 count = set->counts[cls];
	size_t bytes = count * sizeof(*regs);
	u32 readable = (bytes - copy_from_user(regs, from, bytes)) / sizeof(*regs);
	struct oa_refusal refusal;
	u32 i;
	int err;

	for (i = 0; i < count; i++) {
		if (i >= readable) {
			err = fetch_register(&regs[i], &from[i], cls, i);
			if (err)
				return err;
		} else if (oa_config_check_address(oa_settings.rules, cls, i, regs[i].address,
						   &refusal)) {
			return -EINVAL;
		}
		regs[i].value = oa_config_mask(regs[i].address, regs[i].value);
		pause_at(i);
	}
	return 0;
}

static int fetch_class(struct oa_set *set, enum oa_class cls, u32 count, u64 user_registers)
{
	struct oa_refusal refusal;
	int err;

	switch (oa_config_check_class(oa_settings.rules, cls, count, &refusal)) {
	case OA_ACCEPTED:
		break;
	case OA_REASON_TOO_MANY:
		return -ENOMEM;
	default:
		return -EINVAL;
	}
	err = alloc_class(set, cls, count);
	if (err || !count)
		return err;
	return fetch_registers(set, cls, u64_to_user_ptr(user_registers));
}

static int fetch_all(struct oa_set *set, const u32 counts[OA_CLASSES], const u64 users[OA_CLASSES])
{
	struct oa_refusal refusal;
	int cls, err;

	if (oa_config_check_uuid(set->uuid, UUID_TEXT_LENGTH, &refusal))
		return -EINVAL;
	for (cls = 0; cls < OA_CLASSES; cls++) {
		err = fetch_class(set, cls, counts[cls], users[cls]);
		if (err)
			return err;
	}
	return 0;
}

/* Checks and copies what ADD_CONFIG was given. Returns a set with one reference, or an error. */
struct oa_set *oa_set_fetch(const struct drm_i915_perf_oa_config *from)
{
	const u32 counts[OA_CLASSES] = { from->n_mux_regs, from->n_boolean_regs,
					 from->n_flex_regs };
	const u64 users[OA_CLASSES] = { from->mux_regs_ptr, from->boolean_regs_ptr,
					from->flex_regs_ptr };
	const bool present[OA_CLASSES] = { users[0], users[1], users[2] };
	struct oa_set *set;
	int err;

	if (!oa_config_check_presence(present, counts))
		return ERR_PTR(-EINVAL);
	set = new_set(from->uuid);
	if (!set)
		return ERR_PTR(-ENOMEM);
	err = fetch_all(set, counts, users);
	if (err) {
		free_set(set);
		return ERR_PTR(err);
	}
	hash_set(set);
	return set;
}

static void append(struct oa_set *set, const struct oa_builtin_block *block)
{
	struct oa_register *to = set->registers[block->cls] + set->counts[block->cls];
	u32 i;

	for (i = 0; i < block->count; i++) {
		to[i] = block->registers[i];
		to[i].value = oa_config_mask(to[i].address, to[i].value);
	}
	set->counts[block->cls] += block->count;
}

/* A set of the module's own, joined from the blocks that this device has. NULL without memory. */
struct oa_set *oa_set_build(const struct oa_builtin *from)
{
	struct oa_set *set = new_set(from->uuid);
	u32 totals[OA_CLASSES] = {};
	u32 i;

	if (!set)
		return NULL;
	for (i = 0; i < from->count; i++)
		if (from->blocks[i].available())
			totals[from->blocks[i].cls] += from->blocks[i].count;
	for (i = 0; i < OA_CLASSES; i++) {
		if (alloc_class(set, i, totals[i])) {
			free_set(set);
			return NULL;
		}
		set->counts[i] = 0;
	}
	for (i = 0; i < from->count; i++)
		if (from->blocks[i].available())
			append(set, &from->blocks[i]);
	hash_set(set);
	return set;
}
