// SPDX-License-Identifier: MIT
/* systemd's marks, asked of the manager over the system bus. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

#include "lib/boot_source.h"

#define SOCKET "/run/dbus/system_bus_socket"
#define TIMEOUT_USEC 5000000

static int connect_to(const char *root)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s" SOCKET, root);
	int fd, ret;

	if (len >= (int)sizeof(address.sun_path))
		return -ENAMETOOLONG;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
		return fd;
	ret = -errno;
	close(fd);
	return ret;
}

static void say_unreachable(int err, struct finding *finding)
{
	if (err == -ENOENT || err == -ECONNREFUSED)
		finding_set(
			finding, FINDING_ABSENT,
			"Run hadal on the host if this is a container; other init systems leave no marks.",
			"there is no system bus at " SOCKET
			": systemd is not running, or this is a container");
	else
		finding_set(finding, FINDING_BLOCKED, "See why: systemctl status dbus",
			    "the system bus at " SOCKET ": %s", strerror(-err));
}

static void *systemd_open(const struct boot_tree *tree, struct finding *finding)
{
	int fd = connect_to(tree->path);
	int *state;

	if (fd < 0) {
		say_unreachable(fd, finding);
		return NULL;
	}
	state = malloc(sizeof(*state));
	if (!state) {
		close(fd);
		return boot_source_no_memory(finding);
	}
	*state = fd;
	return state;
}

static void systemd_close(void *state)
{
	int *fd = state;

	if (*fd >= 0)
		close(*fd);
	free(fd);
}

/* Starts the bus on the socket, which is then the bus's to close. */
static int start_bus(int *fd, sd_bus **bus)
{
	int ret = sd_bus_new(bus);

	if (ret >= 0)
		ret = sd_bus_set_fd(*bus, *fd, *fd);
	if (ret < 0)
		return ret;
	*fd = -1;
	ret = sd_bus_set_bus_client(*bus, 1);
	if (ret >= 0)
		ret = sd_bus_set_method_call_timeout(*bus, TIMEOUT_USEC);
	return ret < 0 ? ret : sd_bus_start(*bus);
}

enum { FIRMWARE, LOADER, INITRD, USERSPACE, FINISH, TIMES };

/* Microseconds. The first two are lengths before the kernel's zero; 0 is unknown. */
static int read_times(sd_bus *bus, uint64_t times[TIMES])
{
	static const char *const names[TIMES] = {
		"FirmwareTimestampMonotonic", "LoaderTimestampMonotonic",
		"InitRDTimestampMonotonic",   "UserspaceTimestampMonotonic",
		"FinishTimestampMonotonic",
	};
	int ret = 0;

	for (size_t i = 0; ret >= 0 && i < TIMES; i++)
		ret = sd_bus_get_property_trivial(bus, "org.freedesktop.systemd1",
						  "/org/freedesktop/systemd1",
						  "org.freedesktop.systemd1.Manager", names[i],
						  NULL, 't', &times[i]);
	return ret;
}

static int add(struct hadal_boot *boot, enum hadal_clock clock, const char *name, uint64_t start,
	       uint64_t end)
{
	const uint64_t max = INT64_MAX / 1000;

	if (!end)
		return 0;
	if (end > max || start > end)
		return hadal_lines_add(&boot->damage, "systemd: %s from %llu to %llu us cannot be",
				       name, (unsigned long long)start, (unsigned long long)end);
	return hadal_boot_add_span(boot, "systemd", clock, name, (int64_t)start * 1000,
				   (int64_t)(end - start) * 1000);
}

/* True if it is known where systemd has its numbers about firmware from. */
static bool has_original(const struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->span_count; i++)
		if (strcmp(boot->spans[i].source, "fpdt") == 0 ||
		    strcmp(boot->spans[i].source, "loader") == 0)
			return true;
	return false;
}

static int add_spans(struct hadal_boot *boot, const uint64_t times[TIMES])
{
	uint64_t kernel_end = times[INITRD] ? times[INITRD] : times[USERSPACE];
	int ret = 0;

	if (times[FIRMWARE] >= times[LOADER] && !has_original(boot)) {
		ret = add(boot, HADAL_CLOCK_COUNTER, "firmware", 0,
			  times[FIRMWARE] - times[LOADER]);
		if (ret == 0 && times[LOADER])
			ret = add(boot, HADAL_CLOCK_COUNTER, "boot loader",
				  times[FIRMWARE] - times[LOADER], times[FIRMWARE]);
	}
	if (ret == 0)
		ret = add(boot, HADAL_CLOCK_KERNEL, "kernel", 0, kernel_end);
	if (ret == 0 && times[INITRD])
		ret = add(boot, HADAL_CLOCK_KERNEL, "initrd", times[INITRD], times[USERSPACE]);
	if (ret == 0)
		ret = add(boot, HADAL_CLOCK_KERNEL, "user space", times[USERSPACE], times[FINISH]);
	return ret;
}

static int systemd_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	uint64_t times[TIMES] = { 0 };
	sd_bus *bus = NULL;
	int ret = start_bus(state, &bus);

	if (ret >= 0)
		ret = read_times(bus, times);
	sd_bus_close_unref(bus);
	if (ret < 0) {
		finding_set(finding, FINDING_ABSENT, "See why: systemctl status",
			    "no systemd manager answers on the system bus: %s", strerror(-ret));
		return 0;
	}
	if (add_spans(boot, times) < 0)
		return -ENOMEM;
	if (times[FINISH])
		finding_set(finding, FINDING_READY, NULL, "the manager's marks, over the bus");
	else
		finding_set(finding, FINDING_READY,
			    "systemctl list-jobs shows what is being waited for.",
			    "the manager's marks, over the bus; user space has not finished yet");
	return 1;
}

const struct boot_source boot_source_systemd = {
	.name = "systemd",
	.open = systemd_open,
	.read = systemd_read,
	.close = systemd_close,
};
