/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: every row of the tables for adding and removing sets, by raw calls, on a
 * device with the rules of Skylake (oa_configs) or Haswell (oa_configs hsw) and no set of its own.
 */
#include "tests/tap.h"
#include "tests/vm/oa_device.h"

#define LARGEST 524288u

static int fd;
static const struct oa_pair good[] = { { 0x9888, 0x10000000 }, { 0x9888, 0x20000000 } };

static long add(const char *uuid, const struct oa_pair *mux, uint32_t count)
{
	const struct drm_i915_perf_oa_config config = oa_config(uuid, mux, count);

	return oa_add(fd, &config);
}

static void adds_then_removes(const struct drm_i915_perf_oa_config *config)
{
	const long id = oa_add(fd, config);

	CHECK(id >= 2);
	if (id >= 2)
		CHECK_EQ(oa_remove(fd, (uint64_t)id), 0);
}

static long user_empty(int node)
{
	const struct drm_i915_perf_oa_config config =
		oa_config("no uuid at all, but 36 characters   ", NULL, 0);

	return oa_add(node, &config);
}

static long user_null(int node)
{
	return oa_call(node, DRM_IOCTL_I915_PERF_ADD_CONFIG, NULL);
}

static long user_adds(int node)
{
	const long id = oa_add_one(node, UUID_A, 1);

	return id > 0 ? 0 : id;
}

static void test_argument(void)
{
	struct drm_i915_perf_oa_config config = oa_config(UUID_A, good, 2);

	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, NULL), -EFAULT);
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_PERF_ADD_CONFIG, oa_edge() - 40), -EFAULT);
	CHECK_EQ(oa_as_user(user_null, fd), -EFAULT);
	/* 48 bytes: the kernel fills up with null pointers. */
	CHECK_EQ(oa_call(fd, 0x40306477, &config), -EINVAL);
	/* Another driver's letter; a number without a handler. */
	CHECK_EQ(oa_call(fd, 0x40486577, &config), -ENOTTY);
	CHECK_EQ(oa_call(fd, 0x4048647f, &config), -EINVAL);
}

static void test_privilege(void)
{
	CHECK_EQ(oa_as_user(user_empty, fd), -EACCES);
	oa_write_file(PARANOID, "0");
	CHECK_EQ(oa_as_user(user_empty, fd), -EINVAL);
	CHECK_EQ(oa_as_user(user_adds, fd), 0);
	CHECK_EQ(oa_remove(fd, (uint64_t)oa_sysfs_id(UUID_A)), 0);
	oa_write_file(PARANOID, "1");
	CHECK_EQ(oa_as_user(user_adds, fd), -EACCES);
}

static void test_presence(void)
{
	struct drm_i915_perf_oa_config config = oa_config("bad", NULL, 0);

	CHECK_EQ(oa_add(fd, &config), -EINVAL);
	config.n_mux_regs = 1;
	CHECK_EQ(oa_add(fd, &config), -EINVAL);
	config = oa_config(UUID_A, good, 0);
	CHECK_EQ(oa_add(fd, &config), -EINVAL);
	/* Once one class is there, the null pointer of another is read. */
	config = oa_config(UUID_A, good, 2);
	config.n_boolean_regs = 2;
	CHECK_EQ(oa_add(fd, &config), -EFAULT);
	/* A pointer with a count of 0 is not. */
	config.n_boolean_regs = 0;
	config.boolean_regs_ptr = 1;
	adds_then_removes(&config);
}

static void test_uuid(void)
{
	static const char *const bad[] = {
		"{1234567-0123-0123-0123-0123456789ab", "01234567-0123-0123-0123-0123456789a",
		"0123456780123-0123-0123-0123456789ab", "01234567-0123-0123-0123-0123456789ag",
		"01234567-0123-0123-0123-0123456789a ", "012345678901230123-0123-0123456789ab",
		"01234567_0123-0123-0123-0123456789ab", "                                    ",
	};
	struct drm_i915_perf_oa_config config;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[36] = { 0 };

		memcpy(text, bad[i], strlen(bad[i]));
		CHECK_EQ(add(text, good, 2), -EINVAL);
	}
	config = oa_config("00000000-0000-0000-0000-000000000000", good, 2);
	adds_then_removes(&config);
	config = oa_config("ABCDEFab-FfFf-0000-9999-abcdefABCDEF", good, 2);
	adds_then_removes(&config);
	/* The UUID is judged before any register. */
	CHECK_EQ(add("x", (const struct oa_pair *)8, 0xffffffff), -EINVAL);
}

static void test_addresses(void)
{
	static const uint32_t refused[] = { 0,	    0x0cff, 0x0d30, 0x20cb,    0x20d0,
					    0x91b7, 0x91cd, 0x97ff, 0x9889,    0xe17f,
					    0xe181, 0x2710, 0xe458, 0xffffffff };
	static const uint32_t allowed[] = { 0x0d00, 0x0d2c, 0x20cc, 0x91b8, 0x91cc,
					    0x9800, 0x9888, 0xe180, 0x9885 };
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		const struct oa_pair mux[] = { { 0x9888, 0 }, { refused[i], 0 } };

		CHECK_EQ(add(UUID_A, mux, 2), -EINVAL);
	}
	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		const struct oa_pair mux = { allowed[i], 0 };
		const struct drm_i915_perf_oa_config config = oa_config(UUID_A, &mux, 1);

		adds_then_removes(&config);
	}
}

/* Registers that end where memory does: @bytes of the array can be read. */
static long add_edge(uint32_t first, uint32_t second, size_t bytes, uint32_t count)
{
	const struct oa_pair pairs[] = { { first, 0 }, { second, 0 } };
	char *start = oa_edge() - bytes;

	memcpy(start, pairs, bytes);
	return add(UUID_A, (const struct oa_pair *)(void *)start, count);
}

static void test_unreadable(void)
{
	CHECK_EQ(add(UUID_A, (const struct oa_pair *)8, 1), -EFAULT);
	CHECK_EQ(add_edge(0x9888, 0x9888, 16, 3), -EFAULT);
	CHECK_EQ(add_edge(0x9888, 0x9888, 12, 2), -EFAULT);
	CHECK_EQ(add_edge(0x9888, 0x9888, 8, 2), -EFAULT);
	CHECK_EQ(add_edge(0x9888, 0x9888, 4, 1), -EFAULT);
	CHECK_EQ(add_edge(0x9888, 0x1234, 12, 2), -EINVAL);
	CHECK_EQ(add_edge(0x1234, 0x9888, 8, 2), -EINVAL);
	CHECK_EQ(add_edge(0x1234, 0x9888, 4, 1), -EINVAL);
	CHECK_EQ(add_edge(0x9888, 0x1234, 16, 3), -EINVAL);
}

static void test_huge(void)
{
	struct oa_pair *many = malloc(LARGEST * sizeof(*many));
	struct drm_i915_perf_oa_config config;
	uint32_t i;

	REQUIRE(many);
	for (i = 0; i < LARGEST; i++)
		many[i] = good[i % 2];
	config = oa_config(UUID_A, many, LARGEST);
	adds_then_removes(&config);
	CHECK_EQ(add(UUID_A, many, LARGEST + 1), -ENOMEM);
	CHECK_EQ(add(UUID_A, many, 0x80000000), -ENOMEM);
	CHECK_EQ(add(UUID_A, many, 0xffffffff), -ENOMEM);
	many[LARGEST - 1].address = 4;
	CHECK_EQ(add(UUID_A, many, LARGEST), -EINVAL);
	free(many);
}

/* Adds one register of each other class; returns the first error of either. */
static long add_others(uint32_t boolean, uint32_t flex)
{
	const struct oa_pair b = { boolean, 7 }, f = { flex, 9 };
	struct drm_i915_perf_oa_config config = oa_config(UUID_A, NULL, 0);
	long id;

	config.n_boolean_regs = boolean != 0;
	config.boolean_regs_ptr = (uintptr_t)&b;
	config.n_flex_regs = flex != 0;
	config.flex_regs_ptr = (uintptr_t)&f;
	id = oa_add(fd, &config);
	return id > 0 ? oa_remove(fd, (uint64_t)id) : id;
}

static void test_boolean(void)
{
	CHECK_EQ(add_others(0x2710, 0), 0);
	CHECK_EQ(add_others(0x27ac, 0), 0);
	CHECK_EQ(add_others(0x27ad, 0), -EINVAL);
	CHECK_EQ(add_others(0x272d, 0), -EINVAL);
	CHECK_EQ(add_others(0x9888, 0), -EINVAL);
	CHECK_EQ(add_others(0xe458, 0), -EINVAL);
}

static void test_flex(void)
{
	static const uint32_t allowed[] = {
		0xe458, 0xe558, 0xe658, 0xe758, 0xe45c, 0xe55c, 0xe65c
	};
	size_t i;

	for (i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++)
		CHECK_EQ(add_others(0, allowed[i]), 0);
	CHECK_EQ(add_others(0, 0xe75c), -EINVAL);
	CHECK_EQ(add_others(0, 0xe459), -EINVAL);
	CHECK_EQ(add_others(0x2710, 0x2710), -EINVAL);
}

static void test_no_flex_on_haswell(void)
{
	CHECK_EQ(add_others(0x2710, 0), 0);
	CHECK_EQ(add_others(0, 0xe458), -EINVAL);
	CHECK_EQ(add_others(0x2710, 0xe458), -EINVAL);
}

static void test_duplicates(void)
{
	const long first = oa_add_one(fd, UUID_A, 1);
	long twin;

	REQUIRE(first > 0);
	CHECK_EQ(oa_add_one(fd, UUID_A, 1), -EADDRINUSE);
	CHECK_EQ(oa_add_one(fd, UUID_A, 2), -EADDRINUSE);
	/* Another case, another set. */
	twin = oa_add_one(fd, "01234567-0123-0123-0123-0123456789AB", 1);
	CHECK_EQ(twin, first + 1);
	CHECK_EQ(oa_sysfs_id(UUID_A), first);
	CHECK_EQ(oa_sysfs_id("01234567-0123-0123-0123-0123456789AB"), twin);
	/* Registers are judged before the name. */
	CHECK_EQ(add(UUID_A, (const struct oa_pair *)8, 1), -EFAULT);
	CHECK_EQ(oa_remove(fd, (uint64_t)twin), 0);
	CHECK_EQ(oa_remove(fd, (uint64_t)first), 0);
	CHECK_EQ(oa_sysfs_id(UUID_A), -ENOENT);
}

static void test_ids(void)
{
	char uuid[37] = "00000000-0000-0000-0000-000000000000";
	int i;

	for (i = 2; i < 10; i++) {
		uuid[35] = (char)('0' + i);
		CHECK_EQ(oa_add_one(fd, uuid, 1), i);
		CHECK_EQ(oa_sysfs_id(uuid), i);
	}
	CHECK_EQ(oa_remove(fd, 5), 0);
	CHECK_EQ(oa_remove(fd, 3), 0);
	uuid[35] = 'a';
	CHECK_EQ(oa_add_one(fd, uuid, 1), 3);
	uuid[35] = 'b';
	CHECK_EQ(oa_add_one(fd, uuid, 1), 5);
	for (i = 2; i < 10; i++)
		CHECK_EQ(oa_remove(fd, (uint64_t)i), 0);
}

static long user_removes(int node)
{
	return oa_remove(node, 2);
}

static void test_remove(void)
{
	const long id = oa_add_one(fd, UUID_A, 1);

	CHECK_EQ(id, 2);
	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, NULL), -EFAULT);
	CHECK_EQ(oa_as_user(user_removes, fd), -EACCES);
	CHECK_EQ(oa_remove(fd, 0), -ENOENT);
	CHECK_EQ(oa_remove(fd, 1), -ENOENT);
	CHECK_EQ(oa_remove(fd, 3), -ENOENT);
	CHECK_EQ(oa_remove(fd, 999999999), -ENOENT);
	CHECK_EQ(oa_remove(fd, UINT64_MAX), -ENOENT);
	CHECK_EQ(oa_remove(fd, (1ull << 32) + 2), -ENOENT);
	oa_write_file(PARANOID, "0");
	CHECK_EQ(oa_as_user(user_removes, fd), 0);
	oa_write_file(PARANOID, "1");
	CHECK_EQ(oa_remove(fd, 2), -ENOENT);
}

static void test_sysfs(void)
{
	const char *path = METRICS "/" UUID_A "/id";
	const long id = oa_add_one(fd, UUID_A, 1);
	char text[8] = { 0 };
	int file;

	REQUIRE(id == 2);
	file = open(path, O_RDONLY);
	CHECK_EQ(read(file, text, sizeof(text)), 2);
	CHECK(!strcmp(text, "2\n"));
	close(file);
	CHECK_EQ(open(path, O_WRONLY), -1);
	CHECK_EQ(errno, EACCES);
	CHECK_EQ(access("/sys/class/drm/renderD128/metrics", F_OK), -1);
	CHECK_EQ(oa_remove(fd, 2), 0);
	CHECK_EQ(access(METRICS "/" UUID_A, F_OK), -1);
}

/* Sets belong to the device: not to the file, nor to the process. */
static void test_ownership(void)
{
	const pid_t child = fork();

	if (child == 0) {
		const int own = open(RENDER_NODE, O_RDWR);

		_exit(oa_add_one(own, UUID_A, 1) == 2 ? 0 : 1);
	}
	waitpid(child, NULL, 0);
	CHECK_EQ(oa_sysfs_id(UUID_A), 2);
	CHECK_EQ(oa_remove(fd, 2), 0);
}

static void test_life_cycles(void)
{
	int i, wrong = 0;

	for (i = 0; i < 2000; i++) {
		wrong += oa_add_one(fd, UUID_A, (uint32_t)i) != 2;
		wrong += oa_sysfs_id(UUID_A) != 2;
		wrong += oa_remove(fd, 2) != 0;
	}
	CHECK_EQ(wrong, 0);
}

int main(int argc, char **argv)
{
	fd = oa_open_node();
	if (argc > 1 && !strcmp(argv[1], "hsw")) {
		TAP_RUN(test_no_flex_on_haswell);
		return tap_done();
	}
	TAP_RUN(test_argument);
	TAP_RUN(test_privilege);
	TAP_RUN(test_presence);
	TAP_RUN(test_uuid);
	TAP_RUN(test_addresses);
	TAP_RUN(test_unreadable);
	TAP_RUN(test_huge);
	TAP_RUN(test_boolean);
	TAP_RUN(test_flex);
	TAP_RUN(test_duplicates);
	TAP_RUN(test_ids);
	TAP_RUN(test_remove);
	TAP_RUN(test_sysfs);
	TAP_RUN(test_ownership);
	TAP_RUN(test_life_cycles);
	return tap_done();
}
