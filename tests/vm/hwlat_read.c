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

static void print_records(int fd)
{
	union hadal_hwlat_record records[64];
	const ssize_t bytes = read(fd, records, sizeof(records));
	size_t i;

	if (bytes < 0 && errno == EAGAIN)
		return;
	if (bytes < 0)
		fail("read");
	for (i = 0; i < (size_t)bytes / sizeof(records[0]); i++) {
		if (records[i].type == HADAL_HWLAT_GAP)
			print_gap(&records[i].gap);
		else
			print_window(&records[i].window);
	}
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct pollfd device = { .events = POLLIN };
	int64_t end;
	int i;

	device.fd = open(HADAL_HWLAT_DEVICE, O_RDWR | O_NONBLOCK);
	if (device.fd < 0)
		fail("open");
	for (i = 2; i < argc; i++)
		if (write(device.fd, argv[i], strlen(argv[i])) < 0)
			fail(argv[i]);
	end = now_ms() + (argc > 1 ? strtoll(argv[1], NULL, 10) : 1000);
	while (now_ms() < end)
		if (poll(&device, 1, (int)(end - now_ms())) > 0)
			print_records(device.fd);
	return 0;
}
