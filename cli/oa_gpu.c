// SPDX-License-Identifier: MIT
/* The GPU that the sub-verbs of `hadal oa` work on, and messages about it. */
#include <errno.h>
#include <string.h>

#include "cli/oa.h"

static void name_all(const struct oa_request *request, char *names, size_t size)
{
	struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS];
	int count = hadal_oa_gpu_list(request->root, gpus);
	size_t used = 0;

	for (int i = 0; i < count && used < size; i++)
		used += (size_t)snprintf(names + used, size - used, " %s", gpus[i].card);
}

static void report_missing(const struct oa_request *request, int err)
{
	char names[256] = "";

	name_all(request, names, sizeof(names));
	if (err == -ENOTUNIQ)
		cli_error(NULL, "Say which with --device.", "there are several GPUs:%s", names);
	else if (err != -ENODEV)
		cli_error("/sys/class/drm", "Is sysfs mounted?", "%s", strerror(-err));
	else if (request->device)
		cli_error(request->device, "'hadal oa list' shows the names.",
			  "no such GPU; there is%s", *names ? names : " none");
	else if (*names)
		cli_error(NULL, "See why: hadal doctor", "the kernel has no OA for any GPU here:%s",
			  names);
	else
		cli_error(NULL, "See what can be done: hadal doctor",
			  "no GPU of the drivers i915, xe or hadal_oa");
}

int oa_gpu_find(const struct oa_request *request, struct hadal_oa_gpu *gpu)
{
	int err = hadal_oa_gpu_find(request->root, request->device, gpu);

	if (err == 0)
		return STATUS_DONE;
	report_missing(request, err);
	return STATUS_IMPOSSIBLE;
}

int oa_gpu_open(const struct oa_request *request, struct hadal_oa_gpu *gpu, int *fd)
{
	int status = oa_gpu_find(request, gpu);

	if (status != STATUS_DONE)
		return status;
	if (!gpu->has_sets)
		return oa_gpu_error(gpu, HADAL_OA_CALL_QUERY, gpu->card, EINVAL);
	if (!hadal_oa_driver_usable(gpu->driver)) {
		cli_error(gpu->card,
			  "Build it where libdrm-dev has an xe_drm.h with "
			  "DRM_IOCTL_XE_OBSERVATION.",
			  "this hadal was built without xe's interface, and can only list its "
			  "sets");
		return STATUS_IMPOSSIBLE;
	}
	*fd = hadal_oa_gpu_open(gpu);
	if (*fd >= 0)
		return STATUS_DONE;
	return oa_gpu_error(gpu, HADAL_OA_CALL_OPEN, gpu->card, -*fd);
}

/* Errors by which a driver judges a set, not the caller or the machine. */
static bool is_refusal(enum hadal_oa_call call, int error)
{
	return (call == HADAL_OA_CALL_ADD || call == HADAL_OA_CALL_REMOVE) &&
	       (error == EINVAL || error == EADDRINUSE || error == EEXIST || error == ENOENT);
}

int oa_gpu_error(const struct hadal_oa_gpu *gpu, enum hadal_oa_call call, const char *thing,
		 int error)
{
	struct finding finding;

	hadal_oa_explain(gpu, call, error, &finding);
	cli_error(thing, *finding.next ? finding.next : NULL, "%s", finding.reason);
	return is_refusal(call, error) && gpu->has_sets ? STATUS_NO : STATUS_IMPOSSIBLE;
}
