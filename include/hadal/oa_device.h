/* SPDX-License-Identifier: MIT */
/*
 * GPUs whose OA unit takes metric sets at run time: finding them, opening them, and what is loaded
 * there.
 *
 *	struct hadal_oa_gpu gpu;
 *	uint64_t id;
 *
 *	if (hadal_oa_gpu_find(NULL, NULL, &gpu) == 0 && (fd = hadal_oa_gpu_open(&gpu)) >= 0) {
 *		if (hadal_oa_loaded_id(&gpu, "b541bd57-0e0f-4154-b4c0-5858010a2bf7", &id) == 0)
 *			...
 *	}
 *
 * Functions return 0 (or what they say) or a negative errno. Nothing here prints.
 */
#ifndef HADAL_OA_DEVICE_H
#define HADAL_OA_DEVICE_H

#include "core/uuid.h"
#include "hadal/finding.h"
#include "hadal/oa.h"

/* More GPUs than any machine has; those beyond it are not looked at. */
#define HADAL_OA_MAX_GPUS 32

/* Room for a topology: 16 bytes and masks of 8 slices of 32 subslices of 16 EUs are 568. */
#define HADAL_OA_TOPOLOGY_BYTES 4096

enum hadal_oa_driver {
	HADAL_OA_I915,
	HADAL_OA_XE,
	HADAL_OA_VIRTUAL, /* hadal_oa: it speaks i915's interface */
};

/*
 * struct hadal_oa_gpu - a GPU that one of these drivers has, as sysfs shows it
 * @card: "card0"
 * @node: the file to open: the render node, or the card's where there is none
 * @slot: where it sits: "0000:00:02.0", or the name of a platform device
 * @root: in front of all paths, "" for this machine
 * @vendor, @device_id, @revision: PCI numbers, 0 if sysfs has none
 * @generation: of the device id, or what the virtual device plays; NULL if it is not known
 * @has_sets: there is a folder for sets: the driver supports OA on this GPU
 */
struct hadal_oa_gpu {
	enum hadal_oa_driver driver;
	char card[16];
	char node[32];
	char slot[64];
	char root[256];
	uint32_t vendor;
	uint32_t device_id;
	uint32_t revision;
	const struct oa_generation *generation;
	bool has_sets;
};

/* "i915", "xe" or "hadal_oa". */
const char *hadal_oa_driver_name(enum hadal_oa_driver driver);

/*
 * Lists the GPUs of this machine (@root NULL) or of one whose files are below @root, by card
 * number. Returns how many were stored; 0 where there is no DRM at all.
 * Errors: what opening a folder gave; -ENAMETOOLONG.
 */
int hadal_oa_gpu_list(const char *root, struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS]);

/*
 * Finds the GPU called @name: "card0", "renderD128", "/dev/dri/renderD128", or its slot. NULL is
 * the only one with OA.
 * Errors: -ENODEV there is none, -ENOTUNIQ several (of a @name of NULL), and as above.
 */
int hadal_oa_gpu_find(const char *root, const char *name, struct hadal_oa_gpu *gpu);

/*
 * Opens the GPU's node and makes sure that it answers as its driver does. Returns the descriptor
 * (close-on-exec), to be closed by the caller. Errors: of open; -ENODEV another driver answers.
 */
int hadal_oa_gpu_open(const struct hadal_oa_gpu *gpu);

/* --- what is loaded ---------------------------------------------------------------------- */

enum hadal_oa_origin {
	HADAL_OA_BUILT_IN,
	HADAL_OA_DYNAMIC,
	HADAL_OA_ORIGIN_UNKNOWN,
};

/* A metric set in the kernel: its UUID as given when it was added, and its id. */
struct hadal_oa_loaded {
	char uuid[UUID_TEXT_LENGTH + 1];
	uint64_t id;
	enum hadal_oa_origin origin;
};

/*
 * Lists the sets of @gpu from sysfs, by id, into @*sets, to be freed with free(). Sets that vanish
 * meanwhile are left out. Errors: -ENOENT without a folder for sets, -ENOMEM, what reading gave.
 */
int hadal_oa_loaded_list(const struct hadal_oa_gpu *gpu, struct hadal_oa_loaded **sets,
			 size_t *count);

/* The id of the set with these very characters. Errors: -ENOENT; -EINVAL not a UUID. */
int hadal_oa_loaded_id(const struct hadal_oa_gpu *gpu, const char *uuid, uint64_t *id);

/* --- what it is like --------------------------------------------------------------------- */

/*
 * struct hadal_oa_facts - what equations and conditions need of a GPU; a recording keeps the same
 * @timestamp_hz: of the OA timestamps, 0 if not known
 * @perf_revision: of i915's interface, 0 for xe
 * @min_mhz, @max_mhz: of the GPU's clock, 0 if not known
 * @topology, @topology_bytes: struct drm_i915_query_topology_info with its data; 0 bytes if unknown
 */
struct hadal_oa_facts {
	uint64_t timestamp_hz;
	uint32_t device_id;
	uint32_t revision;
	uint32_t perf_revision;
	uint32_t min_mhz;
	uint32_t max_mhz;
	size_t topology_bytes;
	uint8_t topology[HADAL_OA_TOPOLOGY_BYTES];
};

/*
 * Asks the kernel. What it does not know stays 0. @fd: from hadal_oa_gpu_open().
 * Errors: what the calls that every kernel knows gave.
 */
int hadal_oa_gpu_facts(const struct hadal_oa_gpu *gpu, int fd, struct hadal_oa_facts *facts);

/* The generation of a PCI device id, or NULL. */
const struct oa_generation *hadal_oa_generation_of(uint32_t device_id);

/*
 * Turns facts into the device variables of equations and conditions: SliceMask, SubsliceMask,
 * EuCoresTotalCount, GpuTimestampFrequency and the rest; what is not known stays UNKNOWN.
 * @generation may be NULL. The topology may come from a hostile recording: -EINVAL if it is not
 * whole, and then nothing of it is used.
 */
int hadal_oa_facts_variables(const struct hadal_oa_facts *facts,
			     const struct oa_generation *generation,
			     struct hadal_oa_device *device);

/* --- privilege, and why calls fail ------------------------------------------------------- */

/* The file that says who may use OA: i915's or xe's, without the root. */
const char *hadal_oa_paranoid_file(enum hadal_oa_driver driver);

/* True if this process has CAP_PERFMON or CAP_SYS_ADMIN. */
bool hadal_oa_is_capable(void);

/* True if this process may add and remove sets on @gpu: capable, or the file above says 0. */
bool hadal_oa_may(const struct hadal_oa_gpu *gpu);

/* Which call failed: each gives some errors a meaning of its own. */
enum hadal_oa_call {
	HADAL_OA_CALL_OPEN, /* of the node */
	HADAL_OA_CALL_ADD,
	HADAL_OA_CALL_REMOVE,
	HADAL_OA_CALL_STREAM,
	HADAL_OA_CALL_QUERY,
};

/*
 * Says what @error (positive) of @call means on this GPU and what to do about it, as a finding in
 * words: with EACCES which file has which value and which capability is missing.
 */
void hadal_oa_explain(const struct hadal_oa_gpu *gpu, enum hadal_oa_call call, int error,
		      struct finding *finding);

#endif
