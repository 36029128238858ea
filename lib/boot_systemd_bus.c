// SPDX-License-Identifier: MIT
/* Asks systemd's manager for its marks, over D-Bus. */
#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

#include "lib/boot_systemd.h"

#define SYSTEM_BUS "/run/dbus/system_bus_socket"

/* The manager listens here itself, also before there is a bus and without one. */
#define PRIVATE_SOCKET "/run/systemd/private"

#define TIMEOUT_USEC 5000000

static int connect_to(const char *root, const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s%s", root, path);
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

int boot_systemd_connect(const char *root, int *private)
{
	int bus = connect_to(root, SYSTEM_BUS);
	int fd = bus < 0 ? connect_to(root, PRIVATE_SOCKET) : -1;

	*private = fd >= 0;
	return *private ? fd : bus;
}

/* Starts the bus on the socket, which is then the bus's to close. */
static int start(int *fd, int private, sd_bus **bus)
{
	int ret = sd_bus_new(bus);

	if (ret >= 0)
		ret = sd_bus_set_fd(*bus, *fd, *fd);
	if (ret < 0)
		return ret;
	*fd = -1;
	ret = sd_bus_set_bus_client(*bus, !private);
	if (ret >= 0)
		ret = sd_bus_set_method_call_timeout(*bus, TIMEOUT_USEC);
	return ret < 0 ? ret : sd_bus_start(*bus);
}

/* What the manager calls its marks, without the "TimestampMonotonic" at their end. */
static const char *const names[SYSTEMD_MARKS] = {
	"Firmware",
	"Loader",
	"InitRD",
	"Userspace",
	"Finish",
	"InitRDSecurityStart",
	"InitRDSecurityFinish",
	"InitRDGeneratorsStart",
	"InitRDGeneratorsFinish",
	"InitRDUnitsLoadStart",
	"InitRDUnitsLoadFinish",
	"SecurityStart",
	"SecurityFinish",
	"GeneratorsStart",
	"GeneratorsFinish",
	"UnitsLoadStart",
	"UnitsLoadFinish",
};

static int read_mark(sd_bus *bus, int private, const char *name, uint64_t *usec)
{
	char property[64];

	snprintf(property, sizeof(property), "%sTimestampMonotonic", name);
	return sd_bus_get_property_trivial(bus, private ? NULL : "org.freedesktop.systemd1",
					   "/org/freedesktop/systemd1",
					   "org.freedesktop.systemd1.Manager", property, NULL, 't',
					   usec);
}

/* Not every manager has every detail, which is no failure. One that falls silent is not waited for. */
static void read_details(sd_bus *bus, int private, struct boot_systemd *marks)
{
	int ret = 0;

	for (size_t i = SYSTEMD_DETAILS; ret != -ETIMEDOUT && i < SYSTEMD_MARKS; i++) {
		ret = read_mark(bus, private, names[i], &marks->usec[i]);
		if (ret < 0)
			marks->usec[i] = 0;
	}
}

int boot_systemd_ask(int *fd, int private, struct boot_systemd *marks)
{
	sd_bus *bus = NULL;
	int ret = start(fd, private, &bus);

	for (size_t i = 0; ret >= 0 && i < SYSTEMD_DETAILS; i++)
		ret = read_mark(bus, private, names[i], &marks->usec[i]);
	if (ret >= 0)
		read_details(bus, private, marks);
	sd_bus_close_unref(bus);
	return ret < 0 ? ret : 0;
}
