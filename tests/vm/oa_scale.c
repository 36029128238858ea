/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: what adding a set costs when many are there. On a counted clock time is
 * instructions, so the figures are exact. Prints the medians of the 6th to 15th and of the last ten
 * of 10000, in ns, and of finding and removing them.
 */
#include <time.h>

#include "tests/vm/oa_device.h"

#define SETS 10000
#define FEW 10

static long costs[SETS];

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const long x = *(const long *)a, y = *(const long *)b;

	return (x > y) - (x < y);
}

static long median(const long *from)
{
	long sorted[FEW];

	memcpy(sorted, from, sizeof(sorted));
	qsort(sorted, FEW, sizeof(*sorted), compare);
	return (sorted[FEW / 2 - 1] + sorted[FEW / 2]) / 2;
}

static const char *uuid_of(int i)
{
	static char uuid[40];

	snprintf(uuid, sizeof(uuid), "%08x-0000-4000-8000-000000000000",
		 (unsigned int)i * 2654435761u);
	return uuid;
}

static long add(int fd, int i)
{
	const char *uuid = uuid_of(i);
	const long start = now();

	if (oa_add_one(fd, uuid, 1) < 2)
		exit(1);
	return now() - start;
}

/* A query for one register set by its UUID. */
static long find(int fd, int i)
{
	uint64_t data[15] = { 0 };
	struct drm_i915_query_item item = {
		.query_id = DRM_I915_QUERY_PERF_CONFIG,
		.length = sizeof(data),
		.flags = DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID,
		.data_ptr = (uintptr_t)data,
	};
	struct drm_i915_query query = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	long start;

	memcpy(data, uuid_of(i), 36);
	start = now();
	if (oa_call(fd, DRM_IOCTL_I915_QUERY, &query) || item.length != sizeof(data))
		exit(1);
	return now() - start;
}

int main(void)
{
	const int fd = oa_open_node();
	long few[FEW];
	int i;

	for (i = 0; i < SETS; i++)
		costs[i] = add(fd, i);
	printf("add %ld %ld\n", median(costs + 5), median(costs + SETS - FEW));
	for (i = 0; i < FEW; i++)
		few[i] = find(fd, i * (SETS / FEW));
	printf("find %ld\n", median(few));
	for (i = 0; i < SETS; i++)
		if (oa_remove(fd, (uint64_t)i + 2))
			return 1;
	return 0;
}
