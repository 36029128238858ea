// SPDX-License-Identifier: MIT
/* The metric sets in the kernel, from sysfs: a folder by UUID, and in it the id. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/oa_device.h"
#include "lib/file.h"

#define BUILTIN_PARAMETER "/sys/module/hadal_oa/parameters/builtin"

static void metrics_path(const struct hadal_oa_gpu *gpu, const char *file, char *path, size_t size)
{
	snprintf(path, size, "%s/sys/class/drm/%s/metrics%s", gpu->root, gpu->card, file);
}

static bool is_uuid(const char *text)
{
	return strlen(text) == UUID_TEXT_LENGTH && uuid_valid(text);
}

int hadal_oa_loaded_id(const struct hadal_oa_gpu *gpu, const char *uuid, uint64_t *id)
{
	char path[PATH_MAX], file[64];
	int err;

	if (!is_uuid(uuid))
		return -EINVAL;
	snprintf(file, sizeof(file), "/%s/id", uuid);
	metrics_path(gpu, file, path, sizeof(path));
	err = file_read_u64(path, id);
	/* A set that is removed while its id is read. */
	return err == -ENODEV ? -ENOENT : err;
}

/* May there be built-in sets with ids above 1 among the virtual device's? */
static bool has_builtins(const struct hadal_oa_gpu *gpu)
{
	char path[PATH_MAX], text[8];

	if (gpu->driver != HADAL_OA_VIRTUAL)
		return false;
	snprintf(path, sizeof(path), "%s" BUILTIN_PARAMETER, gpu->root);
	return file_read(path, text, sizeof(text)) || text[0] != 'N';
}

/* i915 keeps the id 1 for its own, and xe has no sets of its own. */
static enum hadal_oa_origin origin_of(const struct hadal_oa_gpu *gpu, uint64_t id, bool builtins)
{
	if (gpu->driver == HADAL_OA_XE)
		return HADAL_OA_DYNAMIC;
	if (id == 1)
		return HADAL_OA_BUILT_IN;
	return builtins ? HADAL_OA_ORIGIN_UNKNOWN : HADAL_OA_DYNAMIC;
}

static int compare_id(const void *a, const void *b)
{
	const struct hadal_oa_loaded *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

struct list {
	struct hadal_oa_loaded *sets;
	size_t count;
	size_t room;
};

static struct hadal_oa_loaded *list_grow(struct list *list)
{
	size_t room = list->room ? list->room * 2 : 64;
	void *moved;

	if (list->count < list->room)
		return &list->sets[list->count];
	moved = reallocarray(list->sets, room, sizeof(*list->sets));
	if (!moved)
		return NULL;
	list->sets = moved;
	list->room = room;
	return &list->sets[list->count];
}

static int add_set(const struct hadal_oa_gpu *gpu, const char *uuid, struct list *list)
{
	struct hadal_oa_loaded *set;

	if (!is_uuid(uuid))
		return 0;
	set = list_grow(list);
	if (!set)
		return -ENOMEM;
	snprintf(set->uuid, sizeof(set->uuid), "%s", uuid);
	if (hadal_oa_loaded_id(gpu, uuid, &set->id) == 0)
		list->count++;
	return 0;
}

static int read_folder(const struct hadal_oa_gpu *gpu, struct list *list)
{
	const struct dirent *entry;
	char path[PATH_MAX];
	int err = 0;
	DIR *dir;

	metrics_path(gpu, "", path, sizeof(path));
	dir = opendir(path);
	if (!dir)
		return -errno;
	while (err == 0 && (entry = readdir(dir)))
		err = add_set(gpu, entry->d_name, list);
	closedir(dir);
	return err;
}

int hadal_oa_loaded_list(const struct hadal_oa_gpu *gpu, struct hadal_oa_loaded **sets,
			 size_t *count)
{
	const bool builtins = has_builtins(gpu);
	struct list list = { 0 };
	int err = read_folder(gpu, &list);

	if (err) {
		free(list.sets);
		return err;
	}
	if (list.count)
		qsort(list.sets, list.count, sizeof(*list.sets), compare_id);
	for (size_t i = 0; i < list.count; i++)
		list.sets[i].origin = origin_of(gpu, list.sets[i].id, builtins);
	*sets = list.sets;
	*count = list.count;
	return 0;
}
