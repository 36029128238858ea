// SPDX-License-Identifier: MIT
/*
 * One CPU's count of SMIs. Intel: MSR 0x34, through perf's PMU "msr", whose event exists where the kernel
 * knows the model, else through the MSR device. AMD from family 17h: the core's event 0x2b, SMIs
 * received (Processor Programming Reference, LsSmiRx).
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "lib/file.h"
#include "lib/hwlat.h"
#include "lib/hwlat_smi.h"

#define MSR_PMU "/sys/bus/event_source/devices/msr"
#define MSR_PMU_SMI 4
#define MSR_SMI_COUNT 0x34
#define AMD_SMI_EVENT 0x2b
#define AMD_ZEN_FAMILY 0x17

enum vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD_ZEN };

#if defined(__x86_64__) || defined(__i386__)

static enum vendor cpu_vendor(void)
{
	unsigned int eax, ebx, ecx, edx, family;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return VENDOR_OTHER;
	if (ebx == signature_INTEL_ebx && edx == signature_INTEL_edx && ecx == signature_INTEL_ecx)
		return VENDOR_INTEL;
	if (ebx != signature_AMD_ebx || edx != signature_AMD_edx || ecx != signature_AMD_ecx)
		return VENDOR_OTHER;
	__cpuid(1, eax, ebx, ecx, edx);
	family = (eax >> 8 & 0xf) + (eax >> 20 & 0xff);
	return family >= AMD_ZEN_FAMILY ? VENDOR_AMD_ZEN : VENDOR_OTHER;
}

#else

static enum vendor cpu_vendor(void)
{
	return VENDOR_OTHER;
}

#endif

static int open_event(uint32_t type, uint64_t config, unsigned int cpu)
{
	struct perf_event_attr attr = { .type = type, .size = sizeof(attr), .config = config };
	const long fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* The event's file is there where the kernel knows that this model counts. */
static int open_pmu(unsigned int cpu)
{
	uint64_t type;

	if (access(MSR_PMU "/events/smi", F_OK) != 0)
		return -ENODEV;
	if (file_read_u64(MSR_PMU "/type", &type))
		return -ENODEV;
	return open_event((uint32_t)type, MSR_PMU_SMI, cpu);
}

/* A CPU without the MSR fails the read. */
static int open_msr(unsigned int cpu)
{
	uint64_t value;
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (pread(fd, &value, sizeof(value), MSR_SMI_COUNT) != sizeof(value)) {
		close(fd);
		return -ENODEV;
	}
	return fd;
}

int hwlat_smi_open(struct hwlat_smi *smi, unsigned int cpu)
{
	const enum vendor vendor = cpu_vendor();
	int err = -ENODEV;

	*smi = (struct hwlat_smi){ .fd = -1 };
	if (vendor == VENDOR_AMD_ZEN)
		smi->fd = err = open_event(PERF_TYPE_RAW, AMD_SMI_EVENT, cpu);
	else if (vendor == VENDOR_INTEL)
		smi->fd = err = open_pmu(cpu);
	if (smi->fd < 0 && vendor == VENDOR_INTEL) {
		smi->fd = open_msr(cpu);
		smi->msr = true;
		if (smi->fd != -ENOENT || err == -ENODEV)
			err = smi->fd;
	}
	if (smi->fd >= 0)
		return 0;
	smi->fd = -1;
	return err == -ENOENT || err == -EOPNOTSUPP ? -ENODEV : err;
}

uint64_t hwlat_smi_read(const struct hwlat_smi *smi)
{
	uint64_t value;
	ssize_t got = -1;

	if (smi->fd >= 0 && smi->msr)
		got = pread(smi->fd, &value, sizeof(value), MSR_SMI_COUNT);
	else if (smi->fd >= 0)
		got = read(smi->fd, &value, sizeof(value));
	return got == sizeof(value) ? value : HWLAT_UNKNOWN;
}

void hwlat_smi_close(struct hwlat_smi *smi)
{
	if (smi->fd >= 0)
		close(smi->fd);
	smi->fd = -1;
}

void hwlat_smi_check(struct finding *finding)
{
	struct hwlat_smi smi;
	int err;

	err = hwlat_smi_open(&smi, 0);
	hwlat_smi_close(&smi);
	if (err == -EACCES || err == -EPERM)
		finding_set(finding, FINDING_BLOCKED,
			    "Run it as root, or: sudo sysctl kernel.perf_event_paranoid=0",
			    "this CPU counts SMIs, but the counter is closed to this user");
	else if (err)
		finding_set(finding, FINDING_ABSENT,
			    "Intel: sudo modprobe msr. Elsewhere SMIs are told as unexplained.",
			    "no way to the SMI counter of this CPU");
	else if (hwlat_hypervisor())
		finding_set(
			finding, FINDING_BLOCKED,
			"Nothing can be done in here: qualify the machine below.",
			"a virtual machine: SMIs of the host are invisible, and a counter that stands "
			"still proves nothing");
	else
		finding_set(finding, FINDING_READY, NULL, "this CPU counts SMIs");
}
