// SPDX-License-Identifier: MIT
/* What hadal doctor says of oa: the GPUs with their drivers, privilege, the files to open. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hadal/doctor.h"
#include "hadal/oa_load.h"
#include "lib/file.h"

#define PCI_FOLDER "/sys/bus/pci/devices"

static uint64_t count_sets(const struct hadal_oa_gpu *gpu)
{
	struct hadal_oa_loaded *sets;
	size_t count;

	if (hadal_oa_loaded_list(gpu, &sets, &count))
		return 0;
	free(sets);
	return count;
}

static void check_gpu(const struct hadal_oa_gpu *gpu, struct finding *finding)
{
	const char *driver = hadal_oa_driver_name(gpu->driver);
	const char *generation = gpu->generation ? gpu->generation->name : "unknown to hadal";

	if (!gpu->has_sets)
		hadal_oa_explain(gpu, HADAL_OA_CALL_ADD, EINVAL, finding);
	else if (!hadal_oa_driver_usable(gpu->driver))
		finding_set(
			finding, FINDING_BLOCKED,
			"Build hadal where libdrm-dev has an xe_drm.h with "
			"DRM_IOCTL_XE_OBSERVATION.",
			"%s, %s (0x%04x): built without xe's interface, so sets are only listed",
			driver, generation, gpu->device_id);
	else
		finding_set(finding, FINDING_READY, NULL, "%s, %s (0x%04x), sets loaded: %llu",
			    driver, generation, gpu->device_id,
			    (unsigned long long)count_sets(gpu));
}

/* Can the node be opened, and can the kernel tell what a set holds? */
static void check_node(const struct hadal_oa_gpu *gpu, struct finding *finding)
{
	struct hadal_oa_facts facts;
	int fd = hadal_oa_gpu_open(gpu);

	if (fd < 0) {
		hadal_oa_explain(gpu, HADAL_OA_CALL_OPEN, -fd, finding);
		return;
	}
	if (gpu->driver == HADAL_OA_XE)
		finding_set(finding, FINDING_READY, NULL,
			    "%s opens; xe cannot tell the registers of a set", gpu->node);
	else if (hadal_oa_gpu_facts(gpu, fd, &facts))
		finding_set(finding, FINDING_BLOCKED, NULL, "%s opens, but does not answer",
			    gpu->node);
	else
		finding_set(finding, FINDING_READY, NULL, "%s opens; OA interface version %u",
			    gpu->node, facts.perf_revision);
	close(fd);
}

static void check_privilege(const struct hadal_oa_gpu *gpu, struct finding *finding)
{
	const char *file = hadal_oa_paranoid_file(gpu->driver);
	uint64_t value;

	if (file_read_u64(file, &value))
		finding_set(finding, hadal_oa_is_capable() ? FINDING_READY : FINDING_BLOCKED,
			    hadal_oa_is_capable() ? NULL : "Run it as root, or with CAP_PERFMON.",
			    "%s is not there: only CAP_PERFMON or CAP_SYS_ADMIN may", file);
	else if (value == 0)
		finding_set(finding, FINDING_READY, NULL, "%s is 0: any user may", file);
	else if (hadal_oa_is_capable())
		finding_set(finding, FINDING_READY, NULL,
			    "%s is %llu, and this process has the capability", file,
			    (unsigned long long)value);
	else
		hadal_oa_explain(gpu, HADAL_OA_CALL_ADD, EACCES, finding);
}

/* --- no GPU ------------------------------------------------------------------------------ */

static bool read_number(const char *device, const char *file, uint64_t *value)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), PCI_FOLDER "/%s/%s", device, file);
	return file_read_hex(path, value) == 0;
}

/* A display controller of Intel's that none of the drivers has. */
static bool find_orphan(char *name, size_t size, uint64_t *id)
{
	uint64_t vendor, class;
	const struct dirent *entry;
	bool found = false;
	DIR *dir = opendir(PCI_FOLDER);

	while (dir && !found && (entry = readdir(dir))) {
		found = read_number(entry->d_name, "vendor", &vendor) && vendor == 0x8086 &&
			read_number(entry->d_name, "class", &class) && class >> 16 == 0x03 &&
			read_number(entry->d_name, "device", id);
		if (found)
			snprintf(name, size, "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
	return found;
}

static void check_absence(struct finding *finding)
{
	const struct oa_generation *generation;
	char name[NAME_MAX + 1], next[64];
	uint64_t id;

	if (!find_orphan(name, sizeof(name), &id)) {
		finding_set(
			finding, FINDING_ABSENT,
			"'hadal oa check' needs none; in a virtual machine, hadal's module plays "
			"one: sudo modprobe hadal_oa",
			"no GPU of the drivers i915, xe or hadal_oa");
		return;
	}
	generation = hadal_oa_generation_of((uint32_t)id);
	snprintf(next, sizeof(next), "sudo modprobe %s",
		 generation && !generation->i915 ? "xe" : "i915");
	finding_set(finding, FINDING_BLOCKED, next,
		    "the Intel GPU at %.20s (0x%04llx) has no driver of i915, xe", name,
		    (unsigned long long)id);
}

void oa_doctor(const struct doctor_sink *sink)
{
	struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS];
	int count = hadal_oa_gpu_list(NULL, gpus);
	struct finding finding;

	if (count <= 0) {
		check_absence(&finding);
		sink->line(sink->context, "GPU", &finding);
		return;
	}
	for (int i = 0; i < count; i++) {
		check_gpu(&gpus[i], &finding);
		sink->line(sink->context, gpus[i].card, &finding);
		if (!gpus[i].has_sets)
			continue;
		check_node(&gpus[i], &finding);
		sink->line(sink->context, "node", &finding);
		check_privilege(&gpus[i], &finding);
		sink->line(sink->context, "privilege", &finding);
	}
}
