// SPDX-License-Identifier: GPL-2.0-only
/* What a stream is asked to be: the properties of PERF_OPEN, one by one. */
#include <linux/capability.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <linux/uaccess.h>

#include "oa.h"

#define POLL_NS_DEFAULT 5000000
#define POLL_NS_LEAST 100000
#define POLL_NS_MOST (3600ull * NSEC_PER_SEC)
#define EXPONENT_MAX 31
#define GRAPHICS_XEHP 1250

/* Names of Linux 6.4, under numbers of our own: older headers lack them. */
enum {
	PROP_ENGINE_CLASS = DRM_I915_PERF_PROP_POLL_OA_PERIOD + 1,
	PROP_ENGINE_INSTANCE,
};

/* The highest property that each revision of the interface knows. */
static u32 last_property(void)
{
	switch (oa_settings.perf_revision) {
	case 1:
	case 2:
		return DRM_I915_PERF_PROP_OA_EXPONENT;
	case 3:
		return DRM_I915_PERF_PROP_HOLD_PREEMPTION;
	case 4:
		return DRM_I915_PERF_PROP_GLOBAL_SSEU;
	case 5:
		return DRM_I915_PERF_PROP_POLL_OA_PERIOD;
	default:
		return PROP_ENGINE_INSTANCE;
	}
}

/* Sampling faster than the limit takes the capability, whatever perf_stream_paranoid says. */
static int take_exponent(struct oa_request *request, u64 value)
{
	u64 period_ns;

	if (value > EXPONENT_MAX)
		return -EINVAL;
	period_ns = div_u64((2ull << value) * NSEC_PER_SEC, oa_settings.platform->timestamp_hz);
	if (div64_u64(NSEC_PER_SEC, period_ns) > READ_ONCE(oa_max_sample_rate) &&
	    !perfmon_capable())
		return -EACCES;
	request->periodic = true;
	request->exponent = value;
	return 0;
}

static int take_format(struct oa_request *request, u64 value)
{
	if (value == 0 || value > 31 || !(oa_settings.platform->formats & BIT(value)))
		return -EINVAL;
	request->format = value;
	return 0;
}

static bool is_subset(u64 mask, u64 of)
{
	return mask && !(mask & ~of);
}

/* The one engine there is, and units of it that exist. */
static int take_sseu(struct oa_request *request, u64 user)
{
	const struct oa_platform *platform = oa_settings.platform;
	struct drm_i915_gem_context_param_sseu sseu;

	if (platform->graphics >= GRAPHICS_XEHP)
		return -ENODEV;
	if (copy_from_user(&sseu, u64_to_user_ptr(user), sizeof(sseu)))
		return -EFAULT;
	if (sseu.flags || sseu.rsvd || sseu.engine.engine_class || sseu.engine.engine_instance)
		return -EINVAL;
	if (!is_subset(sseu.slice_mask, 1) ||
	    !is_subset(sseu.subslice_mask, BIT(platform->subslices) - 1) ||
	    sseu.min_eus_per_subslice > sseu.max_eus_per_subslice || !sseu.max_eus_per_subslice ||
	    sseu.max_eus_per_subslice > platform->eus)
		return -EINVAL;
	request->has_sseu = true;
	return 0;
}

static int take_poll_period(struct oa_request *request, u64 value)
{
	if (value < POLL_NS_LEAST)
		return -EINVAL;
	/* What a timer takes for a negative time would fire without end. */
	request->poll_ns = min_t(u64, value, POLL_NS_MOST);
	return 0;
}

static int take_set_id(struct oa_request *request, u64 value)
{
	if (!value)
		return -EINVAL;
	request->set_id = value;
	return 0;
}

static int take_context(struct oa_request *request, u64 value)
{
	request->has_context = true;
	request->context = value;
	return 0;
}

static int take(struct oa_request *request, u64 key, u64 value)
{
	switch (key) {
	case DRM_I915_PERF_PROP_CTX_HANDLE:
		return take_context(request, value);
	case DRM_I915_PERF_PROP_SAMPLE_OA:
		request->samples = request->samples || value;
		return 0;
	case DRM_I915_PERF_PROP_OA_METRICS_SET:
		return take_set_id(request, value);
	case DRM_I915_PERF_PROP_OA_FORMAT:
		return take_format(request, value);
	case DRM_I915_PERF_PROP_OA_EXPONENT:
		return take_exponent(request, value);
	case DRM_I915_PERF_PROP_HOLD_PREEMPTION:
		request->hold_preemption = value;
		return 0;
	case DRM_I915_PERF_PROP_GLOBAL_SSEU:
		return take_sseu(request, value);
	case DRM_I915_PERF_PROP_POLL_OA_PERIOD:
		return take_poll_period(request, value);
	default: /* an engine's class or instance: there is only the render engine, 0 and 0 */
		return value ? -EINVAL : 0;
	}
}

/* Reads @count pairs of key and value, and judges each before the next one is read. */
int oa_properties_read(struct oa_request *request, u64 user_properties, u32 count)
{
	u64 __user *user = u64_to_user_ptr(user_properties);
	u64 key, value;
	int err = 0;
	u32 i;

	memset(request, 0, sizeof(*request));
	request->poll_ns = POLL_NS_DEFAULT;
	if (!count || count > last_property())
		return -EINVAL;
	for (i = 0; !err && i < count; i++) {
		if (get_user(key, user + 2 * i) || get_user(value, user + 2 * i + 1))
			return -EFAULT;
		if (!key || key > last_property())
			return -EINVAL;
		err = take(request, key, value);
	}
	return err;
}
