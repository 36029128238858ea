// SPDX-License-Identifier: MIT
/* Who may use OA here, and what the errors of its calls mean. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <cap-ng.h>

#include "hadal/oa_device.h"
#include "lib/file.h"

/* The kernel's own ENOTSUPP, which i915 lets out; the C library has no name for it. */
#define KERNEL_ENOTSUPP 524

const char *hadal_oa_paranoid_file(enum hadal_oa_driver driver)
{
	return driver == HADAL_OA_XE ? "/proc/sys/dev/xe/observation_paranoid" :
				       "/proc/sys/dev/i915/perf_stream_paranoid";
}

static const char *paranoid_command(enum hadal_oa_driver driver)
{
	return driver == HADAL_OA_XE ? "sudo sysctl dev.xe.observation_paranoid=0" :
				       "sudo sysctl dev.i915.perf_stream_paranoid=0";
}

bool hadal_oa_is_capable(void)
{
	if (capng_get_caps_process() < 0)
		return false;
	return capng_have_capability(CAPNG_EFFECTIVE, CAP_PERFMON) ||
	       capng_have_capability(CAPNG_EFFECTIVE, CAP_SYS_ADMIN);
}

bool hadal_oa_may(const struct hadal_oa_gpu *gpu)
{
	char path[PATH_MAX];
	uint64_t value;

	snprintf(path, sizeof(path), "%s%s", gpu->root, hadal_oa_paranoid_file(gpu->driver));
	return (file_read_u64(path, &value) == 0 && value == 0) || hadal_oa_is_capable();
}

static void explain_privilege(const struct hadal_oa_gpu *gpu, struct finding *finding)
{
	const char *file = hadal_oa_paranoid_file(gpu->driver);
	char path[PATH_MAX], next[200], value[24] = "unreadable";
	uint64_t number;

	snprintf(path, sizeof(path), "%s%s", gpu->root, file);
	if (file_read_u64(path, &number) == 0)
		snprintf(value, sizeof(value), "%llu", (unsigned long long)number);
	snprintf(next, sizeof(next), "Run it as root, or with CAP_PERFMON; or open it to all: %s",
		 paranoid_command(gpu->driver));
	finding_set(finding, FINDING_BLOCKED, next,
		    "not permitted: %s is %s, and this process has neither CAP_PERFMON nor "
		    "CAP_SYS_ADMIN",
		    file, value);
}

static void explain_node(const struct hadal_oa_gpu *gpu, int error, struct finding *finding)
{
	switch (error) {
	case EACCES:
	case EPERM:
		finding_set(finding, FINDING_BLOCKED,
			    "Run it as root, or as a member of the file's group: "
			    "sudo usermod -aG render $USER, and log in anew",
			    "%s is closed to this user", gpu->node);
		break;
	case ENOENT:
		finding_set(
			finding, FINDING_BLOCKED,
			"In a container: hand it in, such as --device=/dev/dri. Elsewhere: udev "
			"makes it.",
			"%s is missing", gpu->node);
		break;
	case ENODEV:
		finding_set(finding, FINDING_ABSENT, "See which driver is bound: lspci -k",
			    "%s: another driver than %s answers", gpu->node,
			    hadal_oa_driver_name(gpu->driver));
		break;
	default:
		finding_set(finding, FINDING_BLOCKED, NULL, "%s cannot be opened: %s", gpu->node,
			    strerror(error));
		break;
	}
}

static void explain_support(const struct hadal_oa_gpu *gpu, struct finding *finding)
{
	finding_set(finding, FINDING_ABSENT,
		    gpu->generation ? "A newer kernel may: DG2 and Meteor Lake need 6.4." :
				      "Sets that are added need Haswell or a newer GPU.",
		    "this kernel's %s has no OA for this GPU (0x%04x)",
		    hadal_oa_driver_name(gpu->driver), gpu->device_id);
}

/* Errors that one call has for itself. False if it has none for this one. */
static bool explain_own(enum hadal_oa_call call, int error, struct finding *finding)
{
	static const struct {
		enum hadal_oa_call call;
		int error;
		const char *reason;
		const char *next;
	} own[] = {
		{ HADAL_OA_CALL_ADD, EADDRINUSE, "this UUID is loaded already",
		  "'hadal oa remove UUID' makes room, or add it with --replace." },
		{ HADAL_OA_CALL_ADD, EEXIST, "this UUID is one of the driver's own sets",
		  "Use that one, or give yours another UUID." },
		{ HADAL_OA_CALL_ADD, EINVAL, "the driver refuses the registers",
		  "See which: hadal oa check FILE. A newer driver may have other rules." },
		{ HADAL_OA_CALL_ADD, ENOSPC, "the driver has no id left",
		  "Remove sets: hadal oa remove all" },
		{ HADAL_OA_CALL_REMOVE, ENOENT, "no set that can be removed has this id",
		  "'hadal oa list' shows what is loaded; built-in sets stay." },
		{ HADAL_OA_CALL_STREAM, EBUSY, "another program has the OA unit",
		  "End that one first: only one stream at a time can be open." },
		{ HADAL_OA_CALL_STREAM, EINVAL, "the driver takes no such stream",
		  "'hadal oa list' shows the sets that are loaded." },
	};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (own[i].call == call && own[i].error == error) {
			finding_set(finding, FINDING_BLOCKED, own[i].next, "%s", own[i].reason);
			return true;
		}
	}
	return false;
}

void hadal_oa_explain(const struct hadal_oa_gpu *gpu, enum hadal_oa_call call, int error,
		      struct finding *finding)
{
	if (call == HADAL_OA_CALL_OPEN)
		explain_node(gpu, error, finding);
	else if (error == EACCES)
		explain_privilege(gpu, finding);
	else if (error == KERNEL_ENOTSUPP || (error == EINVAL && !gpu->has_sets) ||
		 (error == ENODEV && gpu->driver == HADAL_OA_XE && !gpu->has_sets))
		explain_support(gpu, finding);
	else if (error == ENODEV)
		finding_set(finding, FINDING_ABSENT, "See whether it comes back: hadal oa list",
			    "the GPU is gone");
	else if (!explain_own(call, error, finding))
		finding_set(finding, FINDING_BLOCKED, NULL, "the kernel says: %s", strerror(error));
}
