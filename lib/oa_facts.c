// SPDX-License-Identifier: MIT
/* What a GPU is like: its numbers, its clock, its slices. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <libdrm/i915_drm.h>

#include "hadal/oa_device.h"
#include "lib/file.h"
#include "lib/oa_i915.h"

/* Newer than many systems' header. */
#define PARAM_OA_TIMESTAMP_FREQUENCY 57

/* i915 has its frequencies by tile since Linux 5.18, and keeps the older names beside them. */
static uint32_t read_mhz(const struct hadal_oa_gpu *gpu, const char *file, const char *older)
{
	const char *const names[] = { file, older };
	char path[PATH_MAX];
	uint64_t mhz;

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/sys/class/drm/%s/%s", gpu->root, gpu->card,
			 names[i]);
		if (file_read_u64(path, &mhz) == 0 && mhz <= UINT32_MAX)
			return (uint32_t)mhz;
	}
	return 0;
}

/* The OA unit's own frequency where the kernel tells it apart from the command streamer's. */
static uint64_t read_timestamp_hz(int fd)
{
	uint32_t hz;

	if (oa_i915_parameter(fd, PARAM_OA_TIMESTAMP_FREQUENCY, &hz) == 0 ||
	    oa_i915_parameter(fd, I915_PARAM_CS_TIMESTAMP_FREQUENCY, &hz) == 0)
		return hz;
	return 0;
}

/* A kernel without the query, or a GPU whose topology it does not tell, leaves it out. */
static void read_topology(int fd, struct hadal_oa_facts *facts)
{
	int length = oa_i915_query(fd, DRM_I915_QUERY_TOPOLOGY_INFO, 0, NULL, 0);

	if (length <= 0 || (size_t)length > sizeof(facts->topology))
		return;
	memset(facts->topology, 0, sizeof(facts->topology));
	if (oa_i915_query(fd, DRM_I915_QUERY_TOPOLOGY_INFO, 0, facts->topology, (size_t)length) ==
	    length)
		facts->topology_bytes = (size_t)length;
}

static int read_i915(const struct hadal_oa_gpu *gpu, int fd, struct hadal_oa_facts *facts)
{
	int err = oa_i915_parameter(fd, I915_PARAM_CHIPSET_ID, &facts->device_id);

	if (err == 0)
		err = oa_i915_parameter(fd, I915_PARAM_REVISION, &facts->revision);
	if (err)
		return err;
	/* The first version of the interface had no number. */
	if (oa_i915_parameter(fd, I915_PARAM_PERF_REVISION, &facts->perf_revision))
		facts->perf_revision = 1;
	facts->timestamp_hz = read_timestamp_hz(fd);
	facts->min_mhz = read_mhz(gpu, "gt/gt0/rps_min_freq_mhz", "gt_min_freq_mhz");
	facts->max_mhz = read_mhz(gpu, "gt/gt0/rps_max_freq_mhz", "gt_max_freq_mhz");
	read_topology(fd, facts);
	return 0;
}

int hadal_oa_gpu_facts(const struct hadal_oa_gpu *gpu, int fd, struct hadal_oa_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->device_id = gpu->device_id;
	facts->revision = gpu->revision;
	return gpu->driver == HADAL_OA_XE ? 0 : read_i915(gpu, fd, facts);
}
