// SPDX-License-Identifier: MIT
/* Adding several sets so that all or none are there in the end. */
#include <errno.h>
#include <string.h>

#include "hadal/oa_load.h"

struct run {
	const struct hadal_oa_gpu *gpu;
	int fd;
};

/* Puts back what was removed for the new set. Without its registers there is nothing to put. */
static int restore(const struct run *run, struct hadal_oa_change *change)
{
	if (!change->old.registers)
		return -EOPNOTSUPP;
	return hadal_oa_add(run->gpu, run->fd, &change->old, &change->old_id);
}

static void fail(struct hadal_oa_change *change, enum hadal_oa_outcome outcome, int err)
{
	change->outcome = outcome;
	change->error = -err;
}

static int make(const struct run *run, struct hadal_oa_change *change)
{
	int err = 0, back;

	if (change->replaces)
		err = hadal_oa_remove(run->gpu, run->fd, change->image.uuid, change->old_id);
	if (err) {
		fail(change, HADAL_OA_FAILED, err);
		return err;
	}
	err = hadal_oa_add(run->gpu, run->fd, &change->image, &change->id);
	if (err == 0) {
		change->outcome = change->replaces ? HADAL_OA_REPLACED : HADAL_OA_ADDED;
		return 0;
	}
	fail(change, HADAL_OA_FAILED, err);
	back = change->replaces ? restore(run, change) : 0;
	if (back)
		fail(change, HADAL_OA_LEFT, back);
	return err;
}

/* A set that somebody else removed meanwhile is taken back already. */
static void take_back(const struct run *run, struct hadal_oa_change *change)
{
	int err = hadal_oa_remove(run->gpu, run->fd, change->image.uuid, change->id);

	if (err == -ENOENT)
		err = 0;
	if (err == 0 && change->replaces)
		err = restore(run, change);
	if (err)
		fail(change, HADAL_OA_LEFT, err);
	else
		change->outcome = HADAL_OA_TAKEN_BACK;
}

static void take_back_all(const struct run *run, struct hadal_oa_change *changes, size_t count)
{
	while (count-- > 0)
		if (changes[count].outcome == HADAL_OA_ADDED ||
		    changes[count].outcome == HADAL_OA_REPLACED)
			take_back(run, &changes[count]);
}

/* Errors that say something of this one set. Others would meet every set. */
static bool is_of_set(int err)
{
	return err == -EINVAL || err == -EADDRINUSE || err == -EEXIST || err == -ENOENT;
}

int hadal_oa_change_all(const struct hadal_oa_gpu *gpu, int fd, struct hadal_oa_change *changes,
			size_t count, bool keep_going, const volatile sig_atomic_t *stop)
{
	const struct run run = { gpu, fd };
	int first = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		int err = *stop ? -EINTR : make(&run, &changes[i]);

		if (err && first == 0)
			first = err;
		if (err && (!keep_going || !is_of_set(err)))
			break;
	}
	if (*stop)
		first = -EINTR;
	if (first == -EINTR || (first && !keep_going))
		take_back_all(&run, changes, i < count ? i + 1 : count);
	return first;
}
