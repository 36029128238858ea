/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: parameters, registers and every row of the query table, by raw calls, on
 * a device with the rules of Skylake and no set of its own.
 */
#include "tests/tap.h"
#include "tests/vm/oa_device.h"

/* Where the kernel looks, whatever the compiler makes of the struct. */
#define FLAGS 40
#define PAYLOAD 48
#define DATA_BYTES 120

static int fd;
static uint64_t buffer[64];
static char *const bytes = (char *)buffer;

static long getparam(int param, int *value)
{
	struct drm_i915_getparam ask = { .param = param, .value = value };

	return oa_call(fd, DRM_IOCTL_I915_GETPARAM, &ask);
}

/* The value, or a negative errno. */
static long param(int number)
{
	int value = -1;
	const long ret = getparam(number, &value);

	return ret ? ret : value;
}

/* The length that an item comes back with, or the errno of the whole call. */
static long query(uint64_t id, uint32_t flags, int32_t length, const void *data)
{
	struct drm_i915_query_item item = {
		.query_id = id,
		.length = length,
		.flags = flags,
		.data_ptr = (uintptr_t)data,
	};
	struct drm_i915_query all = { .num_items = 1, .items_ptr = (uintptr_t)&item };
	const long ret = oa_call(fd, DRM_IOCTL_I915_QUERY, &all);

	return ret ? ret : item.length;
}

static long config(uint32_t flags, int32_t length)
{
	return query(DRM_I915_QUERY_PERF_CONFIG, flags, length, buffer);
}

static void test_parameters(void)
{
	CHECK_EQ(param(4), 0x1912);
	CHECK_EQ(param(32), 6);
	CHECK_EQ(param(33), 3);
	CHECK_EQ(param(34), 24);
	CHECK_EQ(param(46), 1);
	CHECK_EQ(param(47), 7);
	CHECK_EQ(param(51), 12000000);
	CHECK_EQ(param(54), 5);
	CHECK_EQ(param(57), -EINVAL);
	CHECK_EQ(param(9999), -EINVAL);
	CHECK_EQ(param(-1), -EINVAL);
	CHECK_EQ(getparam(4, NULL), -EFAULT);
	CHECK_EQ(getparam(9999, NULL), -EINVAL);
}

static void test_registers(void)
{
	struct drm_i915_reg_read reg = { .offset = 0x2359 };
	uint64_t first;

	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_REG_READ, &reg), 0);
	first = reg.val;
	usleep(10000);
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_REG_READ, &reg), 0);
	CHECK(reg.val - first >= 120000);
	reg.offset = 0x2358;
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_REG_READ, &reg), 0);
	reg.offset = 0x235a;
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_REG_READ, &reg), -EINVAL);
	reg.offset = 0x9888;
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_REG_READ, &reg), -EINVAL);
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_GEM_THROTTLE, NULL), 0);
}

static void test_whole_call(void)
{
	struct drm_i915_query all = { .flags = 1 };

	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_QUERY, &all), -EINVAL);
	all.flags = 0;
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_QUERY, &all), 0);
	all.num_items = 1;
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_QUERY, &all), -EFAULT);
	CHECK_EQ(query(0, 0, 0, NULL), -EINVAL);
	CHECK_EQ(query(99, 0, 0, NULL), -EINVAL);
	CHECK_EQ(query(1ull << 40, 0, 0, NULL), -EINVAL);
}

static void test_topology(void)
{
	static const uint8_t wanted[] = { 0, 0, 1, 0, 3, 0, 8, 0,    1,	   0,	1,
					  0, 2, 0, 1, 0, 1, 7, 0xff, 0xff, 0xff };

	CHECK_EQ(query(1, 0, 0, NULL), sizeof(wanted));
	CHECK_EQ(query(1, 0, sizeof(wanted) - 1, buffer), -EINVAL);
	CHECK_EQ(query(1, 1, 0, NULL), -EINVAL);
	CHECK_EQ(query(1, 0, sizeof(wanted), NULL), -EFAULT);
	memset(buffer, 0, sizeof(buffer));
	CHECK_EQ(query(1, 0, sizeof(buffer), buffer), sizeof(wanted));
	CHECK(!memcmp(buffer, wanted, sizeof(wanted)));
}

static void test_engines(void)
{
	CHECK_EQ(query(2, 0, 0, NULL), 72);
	memset(buffer, 0, sizeof(buffer));
	CHECK_EQ(query(2, 0, 72, buffer), 72);
	CHECK_EQ(*(uint32_t *)(void *)bytes, 1);
	CHECK_EQ(query(2, 0, 71, buffer), -EINVAL);
	CHECK_EQ(query(2, 0, 72, buffer), -EINVAL); /* what came back is not zero */
}

static void test_config_flags(void)
{
	CHECK_EQ(config(0, 0), -EINVAL);
	CHECK_EQ(config(4, 0), -EINVAL);
	CHECK_EQ(config(DRM_I915_QUERY_PERF_CONFIG_LIST, 0), 56);
	CHECK_EQ(config(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID, 0), DATA_BYTES);
	CHECK_EQ(config(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID, 0), DATA_BYTES);
}

static void test_list(void)
{
	const uint32_t list = DRM_I915_QUERY_PERF_CONFIG_LIST;

	CHECK_EQ(oa_add_one(fd, UUID_A, 1), 2);
	CHECK_EQ(oa_add_one(fd, UUID_B, 1), 3);
	CHECK_EQ(config(list, 0), 72);
	memset(buffer, 0xff, sizeof(buffer));
	CHECK_EQ(config(list, 72), -EINVAL); /* flags */
	memset(buffer, 0, sizeof(buffer));
	CHECK_EQ(config(list, 71), -EINVAL);
	CHECK_EQ(config(list, 72), 72);
	CHECK_EQ(buffer[0], 3);
	CHECK_EQ(buffer[6], 1);
	CHECK_EQ(buffer[7], 2);
	CHECK_EQ(buffer[8], 3);
	CHECK_EQ(query(3, list, 72, NULL), -EFAULT);
	CHECK_EQ(query(3, list, 72, oa_edge() - 56), -EFAULT);
	CHECK_EQ(oa_remove(fd, 3), 0);
	CHECK_EQ(oa_remove(fd, 2), 0);
	CHECK_EQ(config(list, 0), 56);
}

/* What @flags asks for, about the set named in the first bytes. */
static long data_for(uint32_t flags, const void *name, size_t length,
		     const struct drm_i915_perf_oa_config *room)
{
	memset(buffer, 0, sizeof(buffer));
	memcpy(bytes, name, length);
	memcpy(bytes + PAYLOAD, room, sizeof(*room));
	return config(flags, DATA_BYTES);
}

static const struct oa_pair mux[] = { { 0x9888, 1 },
				      { 0xe180, 0xffffffff },
				      { 0x20cc, 0xffffffff } };
static const struct oa_pair boolean[] = { { 0x2740, 5 }, { 0x2744, 6 } };
static const struct oa_pair flex[] = { { 0xe458, 7 } };

static void add_full(void)
{
	struct drm_i915_perf_oa_config full = oa_config(UUID_A, mux, 3);

	full.n_boolean_regs = 2;
	full.boolean_regs_ptr = (uintptr_t)boolean;
	full.n_flex_regs = 1;
	full.flex_regs_ptr = (uintptr_t)flex;
	CHECK_EQ(oa_add(fd, &full), 2);
}

static void test_counts(void)
{
	const struct drm_i915_perf_oa_config none = { 0 };
	struct drm_i915_perf_oa_config *got = (void *)(bytes + PAYLOAD);
	uint64_t id = 2;

	add_full();
	CHECK_EQ(data_for(2, UUID_A, 36, &none), DATA_BYTES);
	CHECK_EQ(got->n_mux_regs, 3);
	CHECK_EQ(got->n_boolean_regs, 2);
	CHECK_EQ(got->n_flex_regs, 1);
	CHECK(!memcmp(got->uuid, UUID_A, 36));
	CHECK_EQ(data_for(3, &id, 8, &none), DATA_BYTES);
	CHECK(!memcmp(got->uuid, UUID_A, 36));
	CHECK_EQ(data_for(2, "01234567-0123-0123-0123-0123456789AB", 36, &none), -ENOENT);
	CHECK_EQ(data_for(2, UUID_B, 36, &none), -ENOENT);
	id = 1;
	CHECK_EQ(data_for(3, &id, 8, &none), -ENOENT);
	id = (1ull << 32) + 2;
	CHECK_EQ(data_for(3, &id, 8, &none), -ENOENT);
	CHECK_EQ(oa_remove(fd, 2), 0);
}

static void test_registers_back(void)
{
	struct oa_pair m[4] = { { 0 } }, b[4] = { { 0 } }, f[4] = { { 0 } };
	struct drm_i915_perf_oa_config room = oa_config(UUID_B, m, 4);
	struct drm_i915_perf_oa_config *got = (void *)(bytes + PAYLOAD);

	room.n_boolean_regs = 4;
	room.boolean_regs_ptr = (uintptr_t)b;
	room.n_flex_regs = 4;
	room.flex_regs_ptr = (uintptr_t)f;
	add_full();
	CHECK_EQ(data_for(2, UUID_A, 36, &room), DATA_BYTES);
	CHECK_EQ(got->n_mux_regs, 3);
	CHECK_EQ(got->n_flex_regs, 1);
	CHECK(!memcmp(b, boolean, sizeof(boolean)));
	CHECK(!memcmp(f, flex, sizeof(flex)));
	CHECK_EQ(m[0].value, 1);
	CHECK_EQ(m[1].value, 0xdfffdfff);
	CHECK_EQ(m[2].value, 0xfffefffe);
	CHECK_EQ(m[3].address, 0);
	room.n_mux_regs = 2;
	CHECK_EQ(data_for(2, UUID_A, 36, &room), -EINVAL);
	room.n_mux_regs = 3;
	room.mux_regs_ptr = 8;
	CHECK_EQ(data_for(2, UUID_A, 36, &room), -EFAULT);
	CHECK_EQ(oa_remove(fd, 2), 0);
}

static void test_data_errors(void)
{
	CHECK_EQ(config(2, DATA_BYTES - 1), -EINVAL);
	CHECK_EQ(config(3, 8), -EINVAL);
	CHECK_EQ(query(3, 2, DATA_BYTES, NULL), -EFAULT);
	memset(buffer, 0, sizeof(buffer));
	bytes[FLAGS] = 1;
	CHECK_EQ(config(2, DATA_BYTES), -EINVAL);
	CHECK_EQ(config(3, DATA_BYTES), -EINVAL);
}

int main(void)
{
	fd = oa_open_node();
	TAP_RUN(test_parameters);
	TAP_RUN(test_registers);
	TAP_RUN(test_whole_call);
	TAP_RUN(test_topology);
	TAP_RUN(test_engines);
	TAP_RUN(test_config_flags);
	TAP_RUN(test_list);
	TAP_RUN(test_counts);
	TAP_RUN(test_registers_back);
	TAP_RUN(test_data_errors);
	return tap_done();
}
