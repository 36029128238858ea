// SPDX-License-Identifier: MIT
/* Is our kernel module there, loaded, free, and allowed to this user? */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat_module.h"

#define LOADED "/sys/module/hadal_hwlat"
#define LOCKDOWN "/sys/kernel/security/lockdown"
#define SIG_ENFORCE "/sys/module/module/parameters/sig_enforce"

/* What the kernel itself looks for at the end of a signed module. */
#define SIGNATURE_MARK "~Module signature appended~\n"

/* Finds the module in what depmod wrote for the running kernel. Returns 0 or -ENOENT. */
static int find_module(const char *release, char *path, size_t size)
{
	char index[256], *line = NULL;
	size_t room = 0;
	int err = -ENOENT;
	FILE *file;

	snprintf(index, sizeof(index), "/lib/modules/%s/modules.dep", release);
	file = fopen(index, "re");
	if (!file)
		return -ENOENT;
	while (err && getline(&line, &room, file) >= 0) {
		if (!strstr(line, "/hadal_hwlat.ko"))
			continue;
		line[strcspn(line, ":")] = '\0';
		snprintf(path, size, "/lib/modules/%s/%s", release, line);
		err = 0;
	}
	free(line);
	fclose(file);
	return err;
}

static bool is_signed(const char *path)
{
	char end[sizeof(SIGNATURE_MARK)] = "";
	FILE *file = fopen(path, "re");
	bool found;

	if (!file)
		return false;
	found = fseek(file, 1 - (long)sizeof(end), SEEK_END) == 0 &&
		fread(end, 1, sizeof(end) - 1, file) == sizeof(end) - 1 &&
		strcmp(end, SIGNATURE_MARK) == 0;
	fclose(file);
	return found;
}

/* What makes the kernel refuse modules without a known signature, or NULL. */
static const char *signature_rule(void)
{
	if (file_has_word(SIG_ENFORCE, "Y"))
		return "module.sig_enforce is on";
	if (file_has_word(LOCKDOWN, "[integrity]") || file_has_word(LOCKDOWN, "[confidentiality]"))
		return "the kernel is locked down, as Secure Boot asks for";
	return NULL;
}

static void check_installed(struct finding *finding)
{
	const char *rule = signature_rule();
	struct utsname name;
	char path[512];

	uname(&name);
	if (find_module(name.release, path, sizeof(path)))
		finding_set(
			finding, FINDING_ABSENT,
			"Build it in hadal's source tree (README, \"The kernel module\"): "
			"sudo apt install dkms linux-headers-$(uname -r); sudo "
			"packaging/dkms/tree hwlat /usr/src/hadal-hwlat-0.1.0; sudo dkms install "
			"hadal-hwlat/0.1.0; sudo modprobe hadal_hwlat",
			"not installed for kernel %s", name.release);
	else if (rule && !is_signed(path))
		finding_set(
			finding, FINDING_BLOCKED,
			"Let dkms sign it: sudo mokutil --import /var/lib/dkms/mok.pub, restart and "
			"enrol the key, sudo dkms autoinstall, sudo modprobe hadal_hwlat",
			"installed, but not signed, and %s", rule);
	else
		finding_set(finding, FINDING_BLOCKED, "Load it: sudo modprobe hadal_hwlat",
			    "installed, but not loaded%s%s",
			    rule ? "; it needs a known key, since " : "", rule ? rule : "");
}

void hwlat_module_check(struct finding *finding)
{
	const int fd = open(HADAL_HWLAT_DEVICE, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	const int err = errno;

	if (fd >= 0) {
		close(fd);
		finding_set(finding, FINDING_READY, NULL, "loaded");
	} else if (err == EBUSY) {
		finding_set(finding, FINDING_BLOCKED,
			    "Wait for the other run, or see who has it: "
			    "sudo fuser " HADAL_HWLAT_DEVICE "; cat " HADAL_HWLAT_SYSFS "/enable",
			    "busy: another run is on");
	} else if (err == EACCES || err == EPERM) {
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat",
			    "loaded, but closed to this user");
	} else if (access(LOADED, F_OK) == 0) {
		finding_set(finding, FINDING_BLOCKED,
			    "Load it again: sudo rmmod hadal_hwlat; "
			    "sudo modprobe hadal_hwlat",
			    "loaded, but " HADAL_HWLAT_DEVICE ": %s", strerror(err));
	} else {
		check_installed(finding);
	}
}
