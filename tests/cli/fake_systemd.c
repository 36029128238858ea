// SPDX-License-Identifier: MIT
/*
 * A system bus with nothing on it but systemd's manager and its marks, for one caller.
 * Usage: fake_systemd SOCKET NAME=MICROSECONDS... where NAME is what is before "TimestampMonotonic"
 * in a property; it prints a line when it listens. A property that is not given is not there. A
 * SOCKET called "private" is the manager's own: no bus, so nobody says hello.
 */
#include <libgen.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

struct manager {
	char **marks;
};

static int hello(sd_bus_message *message, void *manager, sd_bus_error *error)
{
	(void)manager;
	(void)error;
	return sd_bus_reply_method_return(message, "s", ":1.1");
}

static int get(sd_bus *bus, const char *path, const char *interface, const char *property,
	       sd_bus_message *reply, void *data, sd_bus_error *error)
{
	const struct manager *manager = data;
	size_t len = strlen(property) - strlen("TimestampMonotonic");

	(void)bus;
	(void)path;
	(void)interface;
	for (char **mark = manager->marks; *mark; mark++)
		if (strncmp(property, *mark, len) == 0 && (*mark)[len] == '=')
			return sd_bus_message_append(reply, "t",
						     strtoull(*mark + len + 1, NULL, 10));
	return sd_bus_error_set_const(error, SD_BUS_ERROR_UNKNOWN_PROPERTY, "no such property");
}

#define MARK(name) SD_BUS_PROPERTY(name "TimestampMonotonic", "t", get, 0, 0)

static const sd_bus_vtable bus_methods[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("Hello", "", "s", hello, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

static const sd_bus_vtable manager_properties[] = {
	SD_BUS_VTABLE_START(0),
	MARK("Firmware"),
	MARK("Loader"),
	MARK("InitRD"),
	MARK("Userspace"),
	MARK("Finish"),
	MARK("InitRDSecurityStart"),
	MARK("InitRDSecurityFinish"),
	MARK("InitRDGeneratorsStart"),
	MARK("InitRDGeneratorsFinish"),
	MARK("InitRDUnitsLoadStart"),
	MARK("InitRDUnitsLoadFinish"),
	MARK("SecurityStart"),
	MARK("SecurityFinish"),
	MARK("GeneratorsStart"),
	MARK("GeneratorsFinish"),
	MARK("UnitsLoadStart"),
	MARK("UnitsLoadFinish"),
	SD_BUS_VTABLE_END,
};

static int accept_one(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    listen(fd, 1) < 0)
		return -1;
	puts("listening");
	fflush(stdout);
	return accept(fd, NULL, NULL);
}

int main(int argc, char **argv)
{
	struct manager manager = { argv + 2 };
	sd_id128_t id = { { 1 } };
	sd_bus *bus;
	int fd, ret, private;

	if (argc < 2)
		return 2;
	private = strcmp(basename(argv[1]), "private") == 0;
	fd = accept_one(argv[1]);
	if (fd < 0 || sd_bus_new(&bus) < 0 || sd_bus_set_fd(bus, fd, fd) < 0 ||
	    sd_bus_set_server(bus, 1, id) < 0 ||
	    (!private &&
	     sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/DBus", "org.freedesktop.DBus",
				      bus_methods, &manager) < 0) ||
	    sd_bus_add_object_vtable(bus, NULL, "/org/freedesktop/systemd1",
				     "org.freedesktop.systemd1.Manager", manager_properties,
				     &manager) < 0 ||
	    sd_bus_start(bus) < 0)
		return 1;
	do {
		ret = sd_bus_process(bus, NULL);
		if (ret == 0)
			ret = sd_bus_wait(bus, UINT64_MAX);
	} while (ret >= 0);
	return 0;
}
