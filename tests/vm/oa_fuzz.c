/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: calls with arguments made of good and bad parts, at random but the same
 * ones each time.
 *
 *	oa_fuzz SEED CALLS
 *
 * What is wanted is only that the kernel lives and that every answer is one it may give.
 */
#include "tests/vm/oa_device.h"

static uint64_t state;
static int fd, stream = -1;
static char *edge;
static uint64_t data[512];

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t below(uint64_t n)
{
	return any() % n;
}

/* A pointer: null, good, at the edge of memory, misaligned, the kernel's, noise. */
static uint64_t pointer(void)
{
	switch (below(8)) {
	case 0:
		return 0;
	case 1:
		return (uintptr_t)edge - below(64);
	case 2:
		return (uintptr_t)data + below(64);
	case 3:
		return 0xffff888000000000ull;
	case 4:
		return any();
	default:
		return (uintptr_t)data;
	}
}

static uint32_t count(void)
{
	return below(10) ? (uint32_t)below(5) : (uint32_t)any();
}

static void fill_data(void)
{
	static const uint32_t addresses[] = {
		0x9888, 0xe180, 0x20cc, 0x2740, 0xe458, 0x1234, 0x9889
	};
	uint32_t *words = (uint32_t *)data;
	size_t i;

	for (i = 0; i < sizeof(data) / 8; i++) {
		words[2 * i] = addresses[below(sizeof(addresses) / 4)];
		words[2 * i + 1] = (uint32_t)any();
	}
}

static long add(void)
{
	struct drm_i915_perf_oa_config config = oa_config(UUID_A, NULL, count());

	config.uuid[35] = (char)('0' + below(12));
	config.mux_regs_ptr = pointer();
	config.n_boolean_regs = below(3) ? 0 : count();
	config.boolean_regs_ptr = pointer();
	config.n_flex_regs = below(3) ? 0 : count();
	config.flex_regs_ptr = pointer();
	return oa_add(fd, &config);
}

static long open_one(void)
{
	uint64_t properties[22];
	size_t i;
	long ret;

	for (i = 0; i < 11; i++) {
		properties[2 * i] = i < 4 && below(8) ? i + 2 : below(12);
		properties[2 * i + 1] = below(6) ? below(14) : any();
	}
	ret = oa_open_stream(fd, below(6) ? (uint32_t)below(8) | 2 : (uint32_t)any(),
			     below(8) ? properties : (uint64_t *)(uintptr_t)pointer(),
			     below(6) ? 4 : count());
	if (ret >= 0) {
		if (stream >= 0)
			close(stream);
		stream = (int)ret;
		fcntl(stream, F_SETFL, O_NONBLOCK);
	}
	return ret;
}

static long query(void)
{
	struct drm_i915_query_item items[3];
	struct drm_i915_query all = { .num_items = below(9) ? 3 : count(),
				      .items_ptr = (uintptr_t)items };
	size_t i;

	for (i = 0; i < 3; i++) {
		items[i].query_id = below(8);
		items[i].length = below(3) ? (int32_t)below(200) : (int32_t)any();
		items[i].flags = (uint32_t)below(5);
		items[i].data_ptr = pointer();
	}
	if (!below(4))
		memset(data, 0, sizeof(data));
	if (!below(10))
		all.items_ptr = pointer();
	return oa_call(fd, DRM_IOCTL_I915_QUERY, &all);
}

static long on_stream(void)
{
	static char records[4096];

	switch (below(6)) {
	case 0:
		close(stream);
		stream = -1;
		return 0;
	case 1:
		return oa_call(stream, 0x6900 + below(5), (void *)(uintptr_t)below(16));
	case 2:
		return oa_call(stream, (uint32_t)any(), (void *)(uintptr_t)any());
	default:
		return read(stream, below(4) ? records : (char *)(uintptr_t)pointer(),
			    below(4096)) < 0 ?
			       -errno :
			       0;
	}
}

static long any_call(void)
{
	static const uint32_t numbers[] = { 0x46, 0x58, 0x71, 0x76, 0x77, 0x78, 0x79, 0x7f };
	const uint64_t size = below(256);

	return oa_call(fd, below(4) << 30 | size << 16 | 0x6400 | numbers[below(8)],
		       (void *)(uintptr_t)pointer());
}

static long one_call(void)
{
	switch (below(8)) {
	case 0:
	case 1:
		return add();
	case 2:
		return oa_remove(fd, below(4) ? below(20) : any());
	case 3:
		return open_one();
	case 4:
		return query();
	case 5:
		return any_call();
	default:
		return stream >= 0 ? on_stream() : open_one();
	}
}

int main(int argc, char **argv)
{
	unsigned long i, calls = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;
	unsigned long good = 0;
	uint64_t id;

	state = (argc > 1 ? strtoull(argv[1], NULL, 0) : 1) * 0x9e3779b97f4a7c15ull | 1;
	fd = oa_open_node();
	edge = oa_edge();
	for (i = 0; i < calls; i++) {
		long ret;

		if (i % 64 == 0)
			fill_data();
		ret = one_call();
		good += ret >= 0;
		if (ret < -133) {
			printf("# call %lu: no errno that user space knows: %ld\n", i, ret);
			return 1;
		}
	}
	if (stream >= 0)
		close(stream);
	for (id = 2; id < 64; id++)
		oa_remove(fd, id);
	printf("# calls %lu good %lu\n", calls, good);
	return good == 0;
}
