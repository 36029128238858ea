/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: the virtual OA device by raw calls. All calls return what the kernel
 * returned, or the negative errno.
 */
#ifndef HADAL_TESTS_OA_DEVICE_H
#define HADAL_TESTS_OA_DEVICE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

#define RENDER_NODE "/dev/dri/renderD128"
#define METRICS "/sys/class/drm/card0/metrics"
#define PARANOID "/proc/sys/dev/i915/perf_stream_paranoid"
#define SAMPLE_RATE "/proc/sys/dev/i915/oa_max_sample_rate"
#define UUID_A "01234567-0123-0123-0123-0123456789ab"
#define UUID_B "01234567-0123-0123-0123-0123456789ac"

struct oa_pair {
	uint32_t address;
	uint32_t value;
};

static inline long oa_call(int fd, unsigned long request, const void *arg)
{
	const int ret = ioctl(fd, request, arg);

	return ret < 0 ? -errno : ret;
}

static inline int oa_open_node(void)
{
	const int fd = open(RENDER_NODE, O_RDWR | O_CLOEXEC);

	if (fd < 0) {
		perror(RENDER_NODE);
		exit(2);
	}
	return fd;
}

static inline struct drm_i915_perf_oa_config oa_config(const char *uuid, const struct oa_pair *mux,
						       uint32_t count)
{
	struct drm_i915_perf_oa_config config;

	memset(&config, 0, sizeof(config));
	memcpy(config.uuid, uuid, sizeof(config.uuid));
	config.n_mux_regs = count;
	config.mux_regs_ptr = (uintptr_t)mux;
	return config;
}

static inline long oa_add(int fd, const struct drm_i915_perf_oa_config *config)
{
	return oa_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, config);
}

/* A set of one register, with this value. */
static inline long oa_add_one(int fd, const char *uuid, uint32_t value)
{
	const struct oa_pair mux = { 0x9888, value };
	const struct drm_i915_perf_oa_config config = oa_config(uuid, &mux, 1);

	return oa_add(fd, &config);
}

static inline long oa_remove(int fd, uint64_t id)
{
	return oa_call(fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &id);
}

static inline long oa_open_stream(int fd, uint32_t flags, const uint64_t *properties,
				  uint32_t count)
{
	const struct drm_i915_perf_open_param param = {
		.flags = flags,
		.num_properties = count,
		.properties_ptr = (uintptr_t)properties,
	};

	return oa_call(fd, DRM_IOCTL_I915_PERF_OPEN, &param);
}

/* A stream of set @id in A32u40_A4u32_B8_C8. */
static inline long oa_stream(int fd, uint32_t flags, uint64_t id, uint64_t exponent)
{
	const uint64_t properties[] = {
		DRM_I915_PERF_PROP_SAMPLE_OA,	   1,
		DRM_I915_PERF_PROP_OA_METRICS_SET, id,
		DRM_I915_PERF_PROP_OA_FORMAT,	   I915_OA_FORMAT_A32u40_A4u32_B8_C8,
		DRM_I915_PERF_PROP_OA_EXPONENT,	   exponent,
	};

	return oa_open_stream(fd, flags, properties, 4);
}

/* The id that sysfs shows for @uuid, or a negative errno. */
static inline long oa_sysfs_id(const char *uuid)
{
	char path[128], text[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/id", METRICS, uuid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -errno;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (got < 0)
		return -errno;
	text[got] = 0;
	return strtol(text, NULL, 10);
}

static inline void oa_write_file(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0) {
		perror(path);
		exit(2);
	}
	close(fd);
}

/* Runs @body as a user without capabilities; what it returns, from -255 to 0, is the answer. */
static inline long oa_as_user(long (*body)(int fd), int fd)
{
	const pid_t child = fork();
	int status = 0;

	if (child == 0) {
		if (setgid(65534) || setuid(65534))
			_exit(255);
		_exit((int)-body(fd));
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -255;
}

/* A page that can be used, followed by one that cannot. Returns the end of the first. */
static inline char *oa_edge(void)
{
	const long page = sysconf(_SC_PAGESIZE);
	char *both = mmap(NULL, (size_t)page * 2, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (both == MAP_FAILED || mprotect(both + page, (size_t)page, PROT_NONE)) {
		perror("mmap");
		exit(2);
	}
	return both + page;
}

#endif
