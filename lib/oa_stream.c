// SPDX-License-Identifier: MIT
/* Opens streams of OA reports. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <libdrm/i915_drm.h>

#include "hadal/oa_stream.h"
#include "lib/oa_i915.h"

#define NS_PER_S UINT64_C(1000000000)
#define HZ_PER_MHZ 1000000u

/* Formats of i915's interface, some newer than many systems' header. */
enum { FORMAT_HASWELL = 5, FORMAT_GEN8 = 10, FORMAT_XEHP = 12, FORMAT_MEDIA = 14 };

/* Properties likewise, with the revision of the interface that has them. */
enum { PROPERTY_ENGINE_CLASS = 9, PROPERTY_ENGINE_INSTANCE = 10, ENGINE_REVISION = 6 };

#define CLASS_RENDER 0
#define CLASS_VIDEO 2

/* The render engine's timestamp; bit 0 asks for all of it in one read. */
#define TIMESTAMP_REGISTER 0x2358
#define READ_8_BYTES 1

uint64_t hadal_oa_period_ns(uint64_t timestamp_hz, uint32_t exponent)
{
	const uint64_t ticks = UINT64_C(2) << exponent;

	return ticks * NS_PER_S / timestamp_hz;
}

uint32_t hadal_oa_exponent(uint64_t timestamp_hz, uint64_t period_ns)
{
	uint32_t exponent = 0;

	while (exponent < HADAL_OA_MAX_EXPONENT &&
	       hadal_oa_period_ns(timestamp_hz, exponent) < period_ns)
		exponent++;
	if (exponent && hadal_oa_period_ns(timestamp_hz, exponent) > period_ns &&
	    hadal_oa_period_ns(timestamp_hz, exponent) - period_ns >
		    period_ns - hadal_oa_period_ns(timestamp_hz, exponent - 1))
		exponent--;
	return exponent;
}

static bool is_media(const struct hadal_oa_set *set)
{
	return set->oa_format && strncmp(set->oa_format, "128B_MPEC8", 10) == 0;
}

static uint32_t format_of(const struct oa_generation *generation, const struct hadal_oa_set *set)
{
	if (is_media(set))
		return FORMAT_MEDIA;
	if (!generation || generation >= oa_generation_find("dg2"))
		return FORMAT_XEHP;
	return generation == oa_generation_find("hsw") ? FORMAT_HASWELL : FORMAT_GEN8;
}

void hadal_oa_source_of(const struct hadal_oa_facts *facts, const struct oa_generation *generation,
			const struct hadal_oa_set *set, const char *uuid,
			struct hadal_oa_source *source)
{
	*source = (struct hadal_oa_source){
		.timestamp_hz = facts->timestamp_hz,
		.device_id = facts->device_id,
		.revision = facts->revision,
		.min_hz = facts->min_mhz * HZ_PER_MHZ,
		.max_hz = facts->max_mhz * HZ_PER_MHZ,
		.engine_class = is_media(set) ? CLASS_VIDEO : CLASS_RENDER,
		.format = format_of(generation, set),
	};
	snprintf(source->set_name, sizeof(source->set_name), "%s", hadal_oa_set_name(set));
	snprintf(source->set_uuid, sizeof(source->set_uuid), "%s", uuid);
}

int hadal_oa_stream_open(int fd, const struct hadal_oa_source *source, uint64_t set_id,
			 uint32_t exponent, uint32_t perf_revision)
{
	uint64_t properties[] = {
		DRM_I915_PERF_PROP_SAMPLE_OA,
		1,
		DRM_I915_PERF_PROP_OA_METRICS_SET,
		set_id,
		DRM_I915_PERF_PROP_OA_FORMAT,
		source->format,
		DRM_I915_PERF_PROP_OA_EXPONENT,
		exponent,
		PROPERTY_ENGINE_CLASS,
		source->engine_class,
		PROPERTY_ENGINE_INSTANCE,
		source->engine_instance,
	};
	struct drm_i915_perf_open_param open = {
		.flags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK,
		.num_properties = perf_revision >= ENGINE_REVISION ? 6 : 4,
		.properties_ptr = (uintptr_t)properties,
	};

	return oa_ioctl(fd, DRM_IOCTL_I915_PERF_OPEN, &open);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

int hadal_oa_correlate(int fd, struct hadal_oa_correlation *correlation)
{
	struct drm_i915_reg_read ask = { .offset = TIMESTAMP_REGISTER | READ_8_BYTES };
	uint64_t best = UINT64_MAX;

	for (int attempt = 0; attempt < 3; attempt++) {
		const uint64_t before = now_ns();
		const int err = oa_ioctl(fd, DRM_IOCTL_I915_REG_READ, &ask);
		const uint64_t took = now_ns() - before;

		if (err < 0)
			return err;
		if (took >= best)
			continue;
		best = took;
		correlation->cpu_ns = before + took / 2;
		correlation->gpu_ticks = ask.val;
	}
	return 0;
}
