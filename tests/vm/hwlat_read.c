/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: one run of the hwlat module's device, its records as lines.
 *
 *	hwlat_read MILLISECONDS [NAME=VALUE...]
 *
 * The settings are written before the run starts. Ends after the given time, or with the reason on
 * stderr and the errno as exit status.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "uapi/hadal_hwlat.h"

#define ROOM 65536

static union hadal_hwlat_record records[ROOM];
static size_t used;

static int fail(const char *what)
{
	const int err = errno;

	fprintf(stderr, "hwlat_read: %s: %s\n", what, strerror(err));
	exit(err);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void print_gap(const struct hadal_hwlat_gap *gap)
{
	printf("gap cpu=%u seq=%llu start_ns=%llu start_tsc=%llu duration_ns=%llu smi=%u nmi=%u nmi_ns=%llu flags=%u\n",
	       gap->cpu, gap->seq, gap->start_ns, gap->start_tsc, gap->duration_ns, gap->smi,
	       gap->nmi, gap->nmi_ns, gap->flags);
}

static void print_window(const struct hadal_hwlat_window *window)
{
	printf("window cpu=%u seq=%llu start_ns=%llu start_tsc=%llu duration_ns=%llu smi=%u nmi=%u watched_ns=%llu slices=%u dropped=%u\n",
	       window->cpu, window->seq, window->start_ns, window->start_tsc, window->duration_ns,
	       window->smi, window->nmi, window->watched_ns, window->slices, window->dropped);
}

/* Printing takes long on an emulated CPU, and what is watched would wait for it. */
static void read_records(int fd)
{
	ssize_t bytes;

	if (used + 64 > ROOM)
		fail("more records than it keeps");
	bytes = read(fd, &records[used], 64 * sizeof(records[0]));
	if (bytes < 0 && errno != EAGAIN)
		fail("read");
	if (bytes > 0)
		used += (size_t)bytes / sizeof(records[0]);
}

static void print_records(void)
{
	size_t i;

	for (i = 0; i < used; i++) {
		if (records[i].type == HADAL_HWLAT_GAP)
			print_gap(&records[i].gap);
		else
			print_window(&records[i].window);
	}
}

int main(int argc, char **argv)
{
	struct pollfd device = { .events = POLLIN };
	char settings[1024] = "";
	size_t length = 0;
	int64_t end;
	int i;

	device.fd = open(HADAL_HWLAT_DEVICE, O_RDWR | O_NONBLOCK);
	if (device.fd < 0)
		fail("open");
	for (i = 2; i < argc; i++) {
		length += (size_t)snprintf(settings + length, sizeof(settings) - length, "%s\n",
					   argv[i]);
		if (length >= sizeof(settings))
			fail("settings");
	}
	if (write(device.fd, settings, length) < 0)
		fail(settings);
	end = now_ms() + (argc > 1 ? strtoll(argv[1], NULL, 10) : 1000);
	while (now_ms() < end)
		if (poll(&device, 1, (int)(end - now_ms())) > 0)
			read_records(device.fd);
	close(device.fd);
	print_records();
	return 0;
}
