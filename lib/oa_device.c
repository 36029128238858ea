// SPDX-License-Identifier: MIT
/* Finds the GPUs of the drivers that have OA, in sysfs, and opens them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <libdrm/drm.h>

#include "hadal/oa_device.h"
#include "lib/file.h"

#define DRM_FOLDER "/sys/class/drm"

static const char *const driver_names[] = {
	[HADAL_OA_I915] = "i915",
	[HADAL_OA_XE] = "xe",
	[HADAL_OA_VIRTUAL] = "hadal_oa",
};

const char *hadal_oa_driver_name(enum hadal_oa_driver driver)
{
	return driver_names[driver];
}

/* --- what sysfs says --------------------------------------------------------------------- */

/* The path of a file of the card's. */
static void card_path(const struct hadal_oa_gpu *gpu, const char *file, char *path, size_t size)
{
	snprintf(path, size, "%s" DRM_FOLDER "/%s/%s", gpu->root, gpu->card, file);
}

/* A number of the device's: "0x8086". 0 if there is none. */
static uint32_t read_number(const struct hadal_oa_gpu *gpu, const char *file)
{
	char path[PATH_MAX];
	uint64_t value;

	card_path(gpu, file, path, sizeof(path));
	return file_read_hex(path, &value) == 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

/* The last part of where a link of the card's points to. */
static int read_link(const struct hadal_oa_gpu *gpu, const char *link, char *name, size_t size)
{
	char path[PATH_MAX], target[PATH_MAX];
	ssize_t length;

	card_path(gpu, link, path, sizeof(path));
	length = readlink(path, target, sizeof(target) - 1);
	if (length < 0)
		return -errno;
	target[length] = '\0';
	return snprintf(name, size, "%s", basename(target)) < (int)size ? 0 : -ENAMETOOLONG;
}

static int find_driver(struct hadal_oa_gpu *gpu)
{
	char name[32];

	if (read_link(gpu, "device/driver", name, sizeof(name)))
		return -ENODEV;
	for (size_t i = 0; i < sizeof(driver_names) / sizeof(driver_names[0]); i++) {
		if (strcmp(name, driver_names[i]) == 0) {
			gpu->driver = (enum hadal_oa_driver)i;
			return 0;
		}
	}
	return -ENODEV;
}

static void find_node(struct hadal_oa_gpu *gpu)
{
	const struct dirent *entry;
	char path[PATH_MAX];
	DIR *dir;

	snprintf(gpu->node, sizeof(gpu->node), "/dev/dri/%s", gpu->card);
	card_path(gpu, "device/drm", path, sizeof(path));
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (strncmp(entry->d_name, "render", 6) == 0)
			snprintf(gpu->node, sizeof(gpu->node), "/dev/dri/%.16s", entry->d_name);
	if (dir)
		closedir(dir);
}

/* What the virtual device plays, whatever device id it was given. */
static const struct oa_generation *read_played(const struct hadal_oa_gpu *gpu)
{
	char path[PATH_MAX], name[16];

	snprintf(path, sizeof(path), "%s/sys/module/hadal_oa/parameters/gen", gpu->root);
	if (file_read(path, name, sizeof(name)))
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	return oa_generation_find(name);
}

/* Fills in @gpu, whose root and card are known. -ENODEV if no driver with OA has it. */
static int inspect(struct hadal_oa_gpu *gpu)
{
	char path[PATH_MAX];
	int err = find_driver(gpu);

	if (err)
		return err;
	find_node(gpu);
	if (read_link(gpu, "device", gpu->slot, sizeof(gpu->slot)))
		gpu->slot[0] = '\0';
	gpu->vendor = read_number(gpu, "device/vendor");
	gpu->device_id = read_number(gpu, "device/device");
	gpu->revision = read_number(gpu, "device/revision");
	gpu->generation = gpu->driver == HADAL_OA_VIRTUAL ? read_played(gpu) :
							    hadal_oa_generation_of(gpu->device_id);
	card_path(gpu, "metrics", path, sizeof(path));
	gpu->has_sets = access(path, X_OK) == 0;
	return 0;
}

/* --- all of them ------------------------------------------------------------------------- */

/* "card" and a number, no connector ("card0-DP-1"). */
static int is_card(const struct dirent *entry)
{
	const char *digits = entry->d_name + 4;
	const size_t count = strspn(digits, "0123456789");

	return strncmp(entry->d_name, "card", 4) == 0 && count > 0 && count < 10 && !digits[count];
}

static int inspect_all(const char *root, struct dirent **entries, int count,
		       struct hadal_oa_gpu *gpus)
{
	int used = 0;

	for (int i = 0; i < count && used < HADAL_OA_MAX_GPUS; i++) {
		struct hadal_oa_gpu *gpu = &gpus[used];

		*gpu = (struct hadal_oa_gpu){ .has_sets = false };
		snprintf(gpu->root, sizeof(gpu->root), "%s", root);
		snprintf(gpu->card, sizeof(gpu->card), "%.15s", entries[i]->d_name);
		if (inspect(gpu) == 0)
			used++;
	}
	return used;
}

int hadal_oa_gpu_list(const char *root, struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS])
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count, used;

	root = root ? root : "";
	if (strlen(root) >= sizeof(gpus->root))
		return -ENAMETOOLONG;
	snprintf(path, sizeof(path), "%s" DRM_FOLDER, root);
	count = scandir(path, &entries, is_card, versionsort);
	if (count < 0)
		return errno == ENOENT ? 0 : -errno;
	used = inspect_all(root, entries, count, gpus);
	while (count > 0)
		free(entries[--count]);
	free(entries);
	return used;
}

static bool is_called(const struct hadal_oa_gpu *gpu, const char *name)
{
	if (!name)
		return gpu->has_sets;
	return strcmp(gpu->card, name) == 0 || strcmp(gpu->slot, name) == 0 ||
	       strcmp(gpu->node, name) == 0 || strcmp(gpu->node + strlen("/dev/dri/"), name) == 0 ||
	       (strncmp(name, "/dev/dri/", 9) == 0 && strcmp(gpu->card, name + 9) == 0);
}

int hadal_oa_gpu_find(const char *root, const char *name, struct hadal_oa_gpu *gpu)
{
	struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS] = { 0 };
	int count = hadal_oa_gpu_list(root, gpus);
	int found = 0;

	for (int i = 0; i < count; i++)
		if (is_called(&gpus[i], name) && found++ == 0)
			*gpu = gpus[i];
	if (count < 0)
		return count;
	if (found > 1)
		return -ENOTUNIQ;
	return found ? 0 : -ENODEV;
}

/* --- opening ----------------------------------------------------------------------------- */

/* The name that the driver behind @fd gives itself; the virtual device says i915. */
static int check_driver(const struct hadal_oa_gpu *gpu, int fd)
{
	const char *expected = gpu->driver == HADAL_OA_XE ? "xe" : "i915";
	char name[16] = "";
	struct drm_version version = { .name_len = sizeof(name) - 1, .name = name };

	if (ioctl(fd, DRM_IOCTL_VERSION, &version) < 0)
		return errno == ENOTTY ? -ENODEV : -errno;
	return strcmp(name, expected) == 0 ? 0 : -ENODEV;
}

int hadal_oa_gpu_open(const struct hadal_oa_gpu *gpu)
{
	char path[PATH_MAX];
	int fd, err;

	snprintf(path, sizeof(path), "%s%s", gpu->root, gpu->node);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = check_driver(gpu, fd);
	if (err == 0)
		return fd;
	close(fd);
	return err;
}
