/* SPDX-License-Identifier: MIT */
/* For the lab's scenarios: what /dev/hadal_hwlat promises, and what it must refuse. Prints TAP. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tap.h"
#include "uapi/hadal_hwlat.h"

#define QUICK "window=30000\nwidth=20000\n"

static union hadal_hwlat_record record;
static void *const volatile nowhere = (void *)8;

static int open_device(int flags)
{
	return open(HADAL_HWLAT_DEVICE, O_RDWR | flags);
}

/* The error number of a write, 0 if it was taken whole. */
static int put(int fd, const char *text)
{
	const ssize_t done = write(fd, text, strlen(text));

	return done < 0 ? errno : done == (ssize_t)strlen(text) ? 0 : -1;
}

static int get(int fd, void *buf, size_t bytes)
{
	return read(fd, buf, bytes) < 0 ? errno : 0;
}

static int put_sysfs(const char *name, const char *text)
{
	char path[256];
	int fd, err;

	snprintf(path, sizeof(path), HADAL_HWLAT_SYSFS "/%s", name);
	fd = open(path, O_WRONLY);
	err = fd < 0 ? errno : put(fd, text);
	close(fd);
	return err;
}

static void get_sysfs(const char *name, char *text, size_t size)
{
	char path[256];
	ssize_t done;
	int fd;

	snprintf(path, sizeof(path), HADAL_HWLAT_SYSFS "/%s", name);
	fd = open(path, O_RDONLY);
	done = read(fd, text, size - 1);
	text[done < 0 ? 0 : done] = '\0';
	close(fd);
}

/* Kernel threads of the module that exist just now. */
static int threads(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[300], comm[32];
	int fd, count = 0;

	while ((entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0)
			continue;
		memset(comm, 0, sizeof(comm));
		if (read(fd, comm, sizeof(comm) - 1) > 0 && !strncmp(comm, "hadal_hwlat", 11))
			count++;
		close(fd);
	}
	closedir(proc);
	return count;
}

/* Skips gaps: a free clock in a shared machine makes them. */
static struct hadal_hwlat_window *next_window(int fd)
{
	do {
		if (read(fd, &record, sizeof(record)) != sizeof(record))
			return NULL;
	} while (record.type != HADAL_HWLAT_WINDOW);
	return &record.window;
}

static void test_open_twice_is_busy(void)
{
	const int fd = open_device(0);

	CHECK(fd >= 0);
	CHECK(open_device(0) < 0 && errno == EBUSY);
	CHECK_EQ(put_sysfs("enable", "1"), EBUSY);
	close(fd);
}

static void test_open_alone_samples_nothing(void)
{
	const int fd = open_device(0);

	CHECK_EQ(threads(), 0);
	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(threads(), 0);
	close(fd);
}

static void test_read_of_less_than_a_record(void)
{
	const int fd = open_device(0);
	char buf[63];

	CHECK_EQ(get(fd, buf, 63), EINVAL);
	CHECK_EQ(get(fd, buf, 0), EINVAL);
	CHECK_EQ(threads(), 0);
	close(fd);
}

static void test_nonblocking_read_starts_the_run(void)
{
	const int fd = open_device(O_NONBLOCK);
	struct pollfd device = { .fd = fd, .events = POLLIN };

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(get(fd, &record, sizeof(record)), EAGAIN);
	CHECK_EQ(threads(), 1);
	CHECK_EQ(poll(&device, 1, 60000), 1);
	CHECK_EQ(device.revents, POLLIN);
	CHECK_EQ(read(fd, &record, sizeof(record)), sizeof(record));
	CHECK_EQ(record.gap.seq, 1);
	close(fd);
	CHECK_EQ(threads(), 0);
}

static void test_poll_starts_the_run(void)
{
	const int fd = open_device(0);
	struct pollfd device = { .fd = fd, .events = POLLIN };

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(poll(&device, 1, 60000), 1);
	close(fd);
	CHECK_EQ(threads(), 0);
}

static void test_read_gives_whole_records(void)
{
	const int fd = open_device(0);
	char buf[sizeof(record) * 2 - 1];

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(read(fd, buf, sizeof(buf)), sizeof(record));
	close(fd);
}

static void test_read_to_a_bad_address_loses_nothing(void)
{
	const int fd = open_device(0);

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(get(fd, nowhere, sizeof(record)), EFAULT);
	CHECK_EQ(read(fd, &record, sizeof(record)), sizeof(record));
	CHECK_EQ(record.gap.seq, 1);
	close(fd);
}

static void test_window_record_says_what_was_watched(void)
{
	const int fd = open_device(0);
	struct hadal_hwlat_window *window;

	CHECK_EQ(put(fd, QUICK), 0);
	window = next_window(fd);
	REQUIRE(window);
	CHECK_EQ(window->slices, 5);
	CHECK(window->watched_ns > 10000000);
	CHECK(window->duration_ns >= window->watched_ns);
	close(fd);
}

static void test_write_refusals(void)
{
	static const struct {
		const char *text;
		int err;
	} cases[] = {
		{ "width=1000000", EINVAL },
		{ "width=1000001", EINVAL },
		{ "window=500000", EINVAL },
		{ "window=0", EINVAL },
		{ "width=-1", EINVAL },
		{ "width=abc", EINVAL },
		{ "width=0x10", EINVAL },
		{ "width=5.0", EINVAL },
		{ "width=1e3", EINVAL },
		{ "width= 5", EINVAL },
		{ "width=5 ", EINVAL },
		{ "width=", EINVAL },
		{ "width", EINVAL },
		{ "=5", EINVAL },
		{ "colour=red", EINVAL },
		{ "width=18446744073709551616", ERANGE },
		{ "tracing_thresh=18446744073709551616", ERANGE },
		{ "mode=fast", EINVAL },
		{ "mode=None", EINVAL },
		{ "mode=", EINVAL },
		{ "mode=0000000000000000000000000000000000000000000000000000000000000000000",
		  EINVAL },
		{ "tracing_cpumask=", EINVAL },
		{ "tracing_cpumask=0", EINVAL },
		{ "tracing_cpumask=xyz", EINVAL },
		{ "tracing_cpumask=100000000", EOVERFLOW },
		{ "tracing_cpumask=1,00000000,00000000,00000000,00000000", EOVERFLOW },
		{ "enable=1", EINVAL },
		{ "count=1", EINVAL },
		{ "\n\n=\n", EINVAL },
	};
	const int fd = open_device(0);
	size_t i;

	CHECK_EQ(put(fd, "window=1000000\nwidth=500000"), 0);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const int err = put(fd, cases[i].text);

		if (err != cases[i].err)
			printf("# %s: %s\n", cases[i].text, strerror(err));
		CHECK_EQ(err, cases[i].err);
	}
	close(fd);
}

static void test_write_accepts(void)
{
	static const char *const cases[] = {
		"width=0\n",
		"width=+5",
		"width=010",
		"width=2000000\nwindow=3000000",
		"window=18446744073709551615\nwidth=18446744073709551614",
		"tracing_thresh=18446744073709551615",
		"tracing_thresh=0",
		"tracing_cpumask=1",
		"mode=none",
		"mode= per-cpu \n",
		"mode=round-robin",
		"",
	};
	const int fd = open_device(0);
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_EQ(put(fd, cases[i]), 0);
	close(fd);
}

static void test_write_of_bad_memory_and_sizes(void)
{
	const int fd = open_device(0);
	static char big[65536];

	CHECK(write(fd, nowhere, 10) < 0 && errno == EFAULT);
	memset(big, '\n', sizeof(big));
	CHECK(write(fd, big, sizeof(big)) < 0 && errno == EINVAL);
	CHECK(write(fd, "width=1\0junk", 12) < 0 && errno == EINVAL);
	close(fd);
}

static void test_write_is_all_lines_or_none(void)
{
	const int fd = open_device(0);
	struct hadal_hwlat_window *window;

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK_EQ(put(fd, "width=4000\nmode=fast\n"), EINVAL);
	window = next_window(fd);
	REQUIRE(window);
	CHECK_EQ(window->slices, 5);
	close(fd);
}

static void test_write_during_the_run(void)
{
	const int fd = open_device(0);
	struct hadal_hwlat_window *window;
	int tries = 0;

	CHECK_EQ(put(fd, QUICK), 0);
	CHECK(next_window(fd));
	CHECK_EQ(put(fd, "width=4000"), 0);
	do {
		window = next_window(fd);
	} while (window && window->slices != 1 && ++tries < 10);
	CHECK(window && window->slices == 1);
	CHECK_EQ(put(fd, "width=30000"), EINVAL);
	CHECK_EQ(threads(), 1);
	close(fd);
}

static void test_settings_of_others_stay(void)
{
	char before[64], after[64];
	const int fd = open_device(0);

	get_sysfs("width", before, sizeof(before));
	CHECK_EQ(put(fd, "width=12345"), 0);
	get_sysfs("width", after, sizeof(after));
	CHECK(!strcmp(before, after));
	close(fd);
	get_sysfs("width", after, sizeof(after));
	CHECK(!strcmp(before, after));
}

static void test_absurd_settings_run(void)
{
	const int fd = open_device(O_NONBLOCK);

	CHECK_EQ(
		put(fd,
		    "window=18446744073709551615\nwidth=18446744073709551614\ntracing_thresh=18446744073709551615"),
		0);
	CHECK_EQ(get(fd, &record, sizeof(record)), EAGAIN);
	usleep(300000);
	close(fd);
	CHECK_EQ(threads(), 0);
}

static void test_what_is_not_offered(void)
{
	const int fd = open_device(0);

	CHECK(lseek(fd, 0, SEEK_SET) < 0 && errno == ESPIPE);
	CHECK(ioctl(fd, 0x5401, 0) < 0 && errno == ENOTTY);
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED && errno == ENODEV);
	close(fd);
}

static void test_two_processes_share_the_records(void)
{
	const int fd = open_device(0);
	__u64 last = 0;
	int i, status;
	pid_t child;

	CHECK_EQ(put(fd, "window=3000\nwidth=1000\n"), 0);
	child = fork();
	for (i = 0; i < 50; i++) {
		if (read(fd, &record, sizeof(record)) != sizeof(record) || record.gap.seq <= last)
			break;
		last = record.gap.seq;
	}
	if (!child)
		_exit(i != 50);
	CHECK_EQ(i, 50);
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	close(fd);
}

static void test_killed_reader_leaves_nothing(void)
{
	const pid_t child = fork();

	if (!child) {
		const int fd = open_device(0);

		put(fd, "mode=per-cpu\n" QUICK);
		while (read(fd, &record, sizeof(record)) > 0)
			;
		_exit(1);
	}
	while (!threads())
		usleep(10000);
	kill(child, SIGKILL);
	CHECK_EQ(waitpid(child, NULL, 0), child);
	CHECK_EQ(threads(), 0);
	CHECK_EQ(put_sysfs("enable", "1"), 0);
	CHECK_EQ(put_sysfs("enable", "0"), 0);
}

int main(void)
{
	TAP_RUN(test_open_twice_is_busy);
	TAP_RUN(test_open_alone_samples_nothing);
	TAP_RUN(test_read_of_less_than_a_record);
	TAP_RUN(test_nonblocking_read_starts_the_run);
	TAP_RUN(test_poll_starts_the_run);
	TAP_RUN(test_read_gives_whole_records);
	TAP_RUN(test_read_to_a_bad_address_loses_nothing);
	TAP_RUN(test_window_record_says_what_was_watched);
	TAP_RUN(test_write_refusals);
	TAP_RUN(test_write_accepts);
	TAP_RUN(test_write_of_bad_memory_and_sizes);
	TAP_RUN(test_write_is_all_lines_or_none);
	TAP_RUN(test_write_during_the_run);
	TAP_RUN(test_settings_of_others_stay);
	TAP_RUN(test_absurd_settings_run);
	TAP_RUN(test_what_is_not_offered);
	TAP_RUN(test_two_processes_share_the_records);
	TAP_RUN(test_killed_reader_leaves_nothing);
	return tap_done();
}
