/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: many processes at once on the virtual OA device.
 *
 *	oa_crowd PROCESSES SECONDS
 *
 * Each process adds a set under a UUID of its own, checks that id, list, data and sysfs agree about
 * it, opens a stream if nobody else has one, removes the set while the stream is open, and reads on.
 * A table in shared memory tells which ids are in use: none may be given twice.
 */
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "tests/vm/oa_device.h"

#define IDS 4096

struct shared {
	atomic_int stop;
	atomic_int owner[IDS];
	atomic_long rounds;
	atomic_long streams;
	atomic_long busy;
	atomic_long wrong;
};

static struct shared *shared;
static int self;

static void wrong(const char *what, long value)
{
	if (atomic_fetch_add(&shared->wrong, 1) < 20)
		printf("# process %d: %s (%ld)\n", self, what, value);
}

static void check_list(int fd, uint64_t id)
{
	static uint64_t list[6 + IDS];
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_PERF_CONFIG,
		.length = sizeof(list),
		.flags = DRM_I915_QUERY_PERF_CONFIG_LIST,
		.data_ptr = (uintptr_t)list,
	};
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	uint64_t i, times = 0;

	memset(list, 0, 48);
	if (oa_call(fd, DRM_IOCTL_I915_QUERY, &query) || item.length < 56) {
		wrong("list", item.length);
		return;
	}
	for (i = 0; i < list[0]; i++) {
		times += list[6 + i] == id;
		if (i && list[6 + i] <= list[5 + i])
			wrong("list is not in order", (long)i);
	}
	if (times != 1)
		wrong("times that the list has the id", (long)times);
}

static void check_data(int fd, const char *uuid, uint64_t id, uint32_t value)
{
	uint64_t data[15] = { id };
	struct oa_pair pair = { 0, 0 };
	struct drm_i915_perf_oa_config *config = (void *)&data[6];
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_PERF_CONFIG,
		.length = sizeof(data),
		.flags = DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID,
		.data_ptr = (uintptr_t)data,
	};
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };

	config->n_mux_regs = 1;
	config->mux_regs_ptr = (uintptr_t)&pair;
	if (oa_call(fd, DRM_IOCTL_I915_QUERY, &query) || item.length != 120)
		wrong("data", item.length);
	else if (memcmp(config->uuid, uuid, 36) != 0 || pair.value != value)
		wrong("another set's data", pair.value);
}

static int open_stream(int fd, long id)
{
	const long stream = oa_stream(fd, I915_PERF_FLAG_FD_NONBLOCK, (uint64_t)id, 12);

	if (stream == -EBUSY)
		atomic_fetch_add(&shared->busy, 1);
	else if (stream < 0)
		wrong("open", stream);
	else
		atomic_fetch_add(&shared->streams, 1);
	return (int)stream;
}

static void use_stream(int stream, long id)
{
	static char records[264 * 8];
	const ssize_t got = read(stream, records, sizeof(records));

	if (got < 0 && errno != EAGAIN)
		wrong("read", -errno);
	if (oa_call(stream, I915_PERF_IOCTL_CONFIG, (void *)(intptr_t)id) != -EINVAL)
		wrong("switch to a set that is gone", id);
	close(stream);
}

static void one_round(int fd, uint32_t round)
{
	char uuid[40];
	long id;
	int stream, nobody = 0, ret;

	snprintf(uuid, sizeof(uuid), "%08x-0000-0000-0000-%012x", (unsigned int)self, round);
	id = oa_add_one(fd, uuid, round);
	if (id < 2 || id >= IDS) {
		wrong("add", id);
		return;
	}
	if (!atomic_compare_exchange_strong(&shared->owner[id], &nobody, self))
		wrong("id is another's", id);
	if (oa_add_one(fd, uuid, 0) != -EADDRINUSE)
		wrong("added twice", id);
	if (oa_sysfs_id(uuid) != id)
		wrong("id in sysfs", oa_sysfs_id(uuid));
	check_list(fd, (uint64_t)id);
	check_data(fd, uuid, (uint64_t)id, round);
	stream = open_stream(fd, id);
	atomic_store(&shared->owner[id], 0);
	ret = (int)oa_remove(fd, (uint64_t)id);
	if (ret)
		wrong("remove", ret);
	if (stream >= 0) {
		/* The id is free for others, so one that nobody can have is asked for. */
		use_stream(stream, INT32_MAX);
	}
	if (oa_sysfs_id(uuid) != -ENOENT)
		wrong("still in sysfs", id);
}

static int work(void)
{
	uint32_t round = 0;

	while (!atomic_load(&shared->stop)) {
		const int fd = oa_open_node();

		one_round(fd, round++);
		close(fd);
		atomic_fetch_add(&shared->rounds, 1);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const int processes = argc > 2 ? (int)strtol(argv[1], NULL, 10) : 64;
	const unsigned int seconds = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 30;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return 2;
	fflush(stdout);
	for (self = 1; self <= processes; self++)
		if (fork() == 0)
			exit(work());
	sleep(seconds);
	atomic_store(&shared->stop, 1);
	while (wait(NULL) > 0)
		;
	printf("# rounds %ld streams %ld busy %ld wrong %ld\n", atomic_load(&shared->rounds),
	       atomic_load(&shared->streams), atomic_load(&shared->busy),
	       atomic_load(&shared->wrong));
	return atomic_load(&shared->wrong) || atomic_load(&shared->rounds) < processes ||
	       !atomic_load(&shared->streams);
}
