/* SPDX-License-Identifier: MIT */
/*
 * For the lab's scenarios: every row of the table for opening a stream, the calls on a stream, and
 * what its reports hold, by raw calls, on a device with the rules of Skylake and no set of its own.
 */
#include <poll.h>
#include <time.h>

#include "tests/tap.h"
#include "tests/vm/oa_device.h"

#define RECORD_BYTES 264
#define EUS 24
#define REASON_TIMER 1

static int fd;

struct record {
	struct drm_i915_perf_record_header header;
	uint32_t report[64];
};

static struct record records[4096];

/* A stream whose properties are four good ones, except that @key has @value. */
static long open_with(int node, uint64_t key, uint64_t value)
{
	uint64_t properties[10] = { 2, 1, 3, 2, 4, 10, 5, 12 };
	uint32_t i;

	for (i = 0; i < 4 && properties[2 * i] != key; i++)
		;
	properties[2 * i] = key;
	properties[2 * i + 1] = value;
	return oa_open_stream(node, 0, properties, i < 4 ? 4 : 5);
}

/* Good properties without @key. */
static long open_without(uint64_t key)
{
	const uint64_t all[] = { 2, 1, 3, 2, 4, 10, 5, 12 };
	uint64_t properties[8];
	uint32_t i, count = 0;

	for (i = 0; i < 4; i++) {
		if (all[2 * i] == key)
			continue;
		properties[2 * count] = all[2 * i];
		properties[2 * count++ + 1] = all[2 * i + 1];
	}
	return oa_open_stream(fd, 0, properties, count);
}

static void opens(long stream)
{
	CHECK(stream > 0);
	if (stream > 0)
		close((int)stream);
}

static void test_flags_and_pointer(void)
{
	const uint64_t good[] = { 2, 1 };

	CHECK_EQ(oa_call(fd, DRM_IOCTL_I915_PERF_OPEN, NULL), -EFAULT);
	CHECK_EQ(oa_open_stream(fd, 8, good, 1), -EINVAL);
	CHECK_EQ(oa_open_stream(fd, 0x80000000, good, 1), -EINVAL);
	CHECK_EQ(oa_open_stream(fd, 0, good, 0), -EINVAL);
	CHECK_EQ(oa_open_stream(fd, 0, NULL, 9), -EINVAL);
	CHECK_EQ(oa_open_stream(fd, 0, NULL, 1), -EFAULT);
	CHECK_EQ(oa_open_stream(fd, 0, (uint64_t *)(void *)(oa_edge() - 8), 1), -EFAULT);
}

static void test_properties(void)
{
	CHECK_EQ(open_with(fd, 0, 1), -EINVAL);
	CHECK_EQ(open_with(fd, 9, 0), -EINVAL);
	CHECK_EQ(open_with(fd, UINT64_MAX, 0), -EINVAL);
	CHECK_EQ(open_with(fd, 3, 0), -EINVAL);
	CHECK_EQ(open_with(fd, 3, 99), -EINVAL);
	CHECK_EQ(open_with(fd, 3, 1), -EINVAL);
	opens(open_with(fd, 3, (7ull << 32) + 2)); /* only 32 bits are kept */
	CHECK_EQ(open_with(fd, 4, 0), -EINVAL);
	CHECK_EQ(open_with(fd, 4, 5), -EINVAL); /* Haswell's */
	CHECK_EQ(open_with(fd, 4, 11), -EINVAL);
	CHECK_EQ(open_with(fd, 4, UINT64_MAX), -EINVAL);
	CHECK_EQ(open_with(fd, 5, 32), -EINVAL);
	CHECK_EQ(open_with(fd, 5, UINT64_MAX), -EINVAL);
	opens(open_with(fd, 5, 31));
	CHECK_EQ(open_with(fd, 8, 99999), -EINVAL);
	opens(open_with(fd, 8, 100000));
	opens(open_with(fd, 8, UINT64_MAX));
	CHECK_EQ(open_with(fd, 7, 0), -EFAULT);
}

static void test_sseu(void)
{
	struct drm_i915_gem_context_param_sseu sseu = { 0 };

	CHECK_EQ(open_with(fd, 7, (uintptr_t)&sseu), -EINVAL);
	sseu.slice_mask = 1;
	sseu.subslice_mask = 7;
	sseu.min_eus_per_subslice = 8;
	sseu.max_eus_per_subslice = 8;
	opens(open_with(fd, 7, (uintptr_t)&sseu));
	sseu.subslice_mask = 8;
	CHECK_EQ(open_with(fd, 7, (uintptr_t)&sseu), -EINVAL);
}

static void test_whole_request(void)
{
	long busy;

	CHECK_EQ(open_with(fd, 1, 5), -ENOENT);
	opens(open_with(fd, 1, 0));
	CHECK_EQ(open_with(fd, 6, 1), -EINVAL);
	CHECK_EQ(open_with(fd, 2, 0), -EINVAL);
	CHECK_EQ(open_without(2), -EINVAL);
	CHECK_EQ(open_without(3), -EINVAL);
	CHECK_EQ(open_without(4), -EINVAL);
	busy = open_without(0);
	CHECK(busy > 0);
	CHECK_EQ(open_without(0), -EBUSY);
	CHECK_EQ(open_without(4), -EBUSY); /* busy comes before the format and the set */
	CHECK_EQ(open_with(fd, 3, 99), -EBUSY);
	CHECK_EQ(open_without(2), -EINVAL); /* and after the reports */
	close((int)busy);
	opens(open_without(0));
}

static long user_opens(int node)
{
	const long stream = open_with(node, 5, 12);

	return stream > 0 ? 0 : stream;
}

static long user_opens_fast(int node)
{
	const long stream = open_with(node, 5, 2);

	return stream > 0 ? 0 : stream;
}

static long user_bad_format(int node)
{
	return open_with(node, 4, 99);
}

static void test_privilege(void)
{
	CHECK_EQ(oa_as_user(user_opens, fd), -EACCES);
	CHECK_EQ(oa_as_user(user_bad_format, fd), -EINVAL);
	oa_write_file(PARANOID, "0");
	CHECK_EQ(oa_as_user(user_opens, fd), 0);
	CHECK_EQ(oa_as_user(user_opens_fast, fd), -EACCES);
	oa_write_file(SAMPLE_RATE, "2000000");
	CHECK_EQ(oa_as_user(user_opens_fast, fd), 0);
	oa_write_file(SAMPLE_RATE, "100000");
	oa_write_file(PARANOID, "1");
}

static bool write_refused(const char *path, const char *text)
{
	const int file = open(path, O_WRONLY);
	const bool refused = write(file, text, strlen(text)) < 0 && errno == EINVAL;

	close(file);
	return refused;
}

static void test_sysctls(void)
{
	CHECK(write_refused(PARANOID, "2"));
	CHECK(write_refused(PARANOID, "-1"));
	CHECK(write_refused(SAMPLE_RATE, "6000001"));
	CHECK(write_refused(SAMPLE_RATE, "-1"));
	oa_write_file(SAMPLE_RATE, "6000000");
	oa_write_file(SAMPLE_RATE, "100000");
}

static void test_stream_calls(void)
{
	const long stream = oa_stream(fd, I915_PERF_FLAG_FD_CLOEXEC, 2, 12);
	const int s = (int)stream;
	char link[64] = { 0 }, path[64];

	REQUIRE(stream > 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", s);
	CHECK(readlink(path, link, sizeof(link) - 1) > 0);
	CHECK(!strcmp(link, "anon_inode:[i915_perf]"));
	CHECK_EQ(fcntl(s, F_GETFD), FD_CLOEXEC);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_ENABLE, NULL), 0);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_DISABLE, NULL), 0);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_DISABLE, NULL), 0);
	CHECK_EQ(read(s, records, sizeof(records)), -1);
	CHECK_EQ(errno, EIO);
	CHECK_EQ(oa_call(s, 0x6903, NULL), -EINVAL);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)3), 2);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)3), 3);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)2), 3);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)99), -EINVAL);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, NULL), -EINVAL);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)((1ull << 32) + 2)), -EINVAL);
	close(s);
}

/* Reads into records; returns the bytes, or a negative errno. */
static long read_some(int stream, size_t bytes)
{
	const ssize_t got = read(stream, records, bytes);

	return got < 0 ? -errno : got;
}

static void test_reading(void)
{
	/* 2^22 ticks of 83 ns: a third of a second, so nothing is there at first. */
	const int slow = (int)oa_stream(fd, I915_PERF_FLAG_FD_NONBLOCK, 2, 21);
	struct pollfd poll_slow = { .fd = slow, .events = POLLIN };

	REQUIRE(slow > 0);
	CHECK_EQ(read_some(slow, sizeof(records)), -EAGAIN);
	CHECK_EQ(poll(&poll_slow, 1, 0), 0);
	CHECK_EQ(poll(&poll_slow, 1, 10000), 1);
	CHECK_EQ(poll_slow.revents, POLLIN);
	CHECK_EQ(read_some(slow, RECORD_BYTES - 1), -ENOSPC);
	CHECK_EQ(read_some(slow, 0), -ENOSPC);
	CHECK_EQ(poll(&poll_slow, 1, 0), 1);
	CHECK_EQ(read_some(slow, RECORD_BYTES), RECORD_BYTES);
	close(slow);
}

static void test_blocking(void)
{
	const int s = (int)oa_stream(fd, 0, 2, 12);
	long got;

	REQUIRE(s > 0);
	got = read_some(s, sizeof(records));
	CHECK(got >= RECORD_BYTES);
	CHECK_EQ(got % RECORD_BYTES, 0);
	usleep(20000);
	CHECK_EQ(read_some(s, 2 * RECORD_BYTES + 100), 2 * RECORD_BYTES);
	CHECK_EQ(syscall(0, s, (void *)8, sizeof(records)), -1);
	CHECK_EQ(errno, EFAULT);
	close(s);
}

static void test_no_timer(void)
{
	const uint64_t properties[] = { 2, 1, 3, 2, 4, 10 };
	const int blocking = (int)oa_open_stream(fd, 0, properties, 3);
	int s;

	CHECK_EQ(read_some(blocking, sizeof(records)), -EIO);
	close(blocking);
	s = (int)oa_open_stream(fd, I915_PERF_FLAG_FD_NONBLOCK, properties, 3);
	CHECK_EQ(read_some(s, sizeof(records)), -EAGAIN);
	close(s);
}

static void test_opened_disabled(void)
{
	const int s = (int)oa_stream(fd, I915_PERF_FLAG_DISABLED, 2, 12);

	CHECK_EQ(read_some(s, sizeof(records)), -EIO);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_ENABLE, NULL), 0);
	CHECK(read_some(s, sizeof(records)) >= RECORD_BYTES);
	close(s);
}

/* A blocked reader is told when somebody else disables the stream. */
static void test_disable_wakes(void)
{
	const int s = (int)oa_stream(fd, 0, 2, 31);
	const pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(read_some(s, sizeof(records)) == -EIO ? 0 : 1);
	usleep(200000);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_DISABLE, NULL), 0);
	waitpid(child, &status, 0);
	CHECK_EQ(status, 0);
	close(s);
}

static uint64_t forty(const uint32_t *report, uint32_t i)
{
	return report[4 + i] | (uint64_t)((const uint8_t *)report)[160 + i] << 32;
}

/* Fills records with @count reports of set @id. */
static void take_reports(uint64_t id, uint64_t exponent, int count)
{
	const int s = (int)oa_stream(fd, 0, id, exponent);
	size_t have = 0, want = (size_t)count * RECORD_BYTES;

	while (have < want) {
		const ssize_t got = read(s, (char *)records + have, want - have);

		if (got < 0)
			break;
		have += (size_t)got;
	}
	CHECK_EQ(have, want);
	close(s);
}

static void check_near(uint64_t have, uint64_t numerator, uint64_t denominator)
{
	const uint64_t scaled = have * denominator;

	CHECK(scaled + denominator >= numerator && scaled <= numerator + denominator);
}

static void check_pair(const uint32_t *a, const uint32_t *b)
{
	const uint32_t clock = b[3] - a[3];
	uint32_t i;

	CHECK_EQ(b[1] - a[1], 8192);
	CHECK_EQ(b[0] >> 19 & 0x3f, REASON_TIMER);
	CHECK_EQ(b[2], 0xffffffff);
	check_near(clock, 8192ull * 1000, 12);
	for (i = 0; i < 32; i++)
		CHECK(forty(b, i) - forty(a, i) <= (uint64_t)clock * EUS);
	for (i = 36; i < 40; i++)
		CHECK(b[i] - a[i] <= clock * EUS);
	for (i = 0; i < 8; i++)
		CHECK(b[56 + i] - a[56 + i] <= clock * EUS);
	CHECK_EQ(b[48] - a[48], 0);
	CHECK_EQ(b[49] - a[49], clock);
	CHECK_EQ(b[50] - a[50], clock);
	check_near(b[51] - a[51], clock, 2);
	check_near(b[52] - a[52], clock, 3);
	check_near(b[53] - a[53], clock, 3);
	check_near(b[54] - a[54], clock, 6);
	check_near(b[55] - a[55], 2ull * clock, 3);
}

static void test_laws(void)
{
	int i;

	take_reports(2, 12, 200);
	for (i = 0; i < 200; i++) {
		CHECK_EQ(records[i].header.type, DRM_I915_PERF_RECORD_SAMPLE);
		CHECK_EQ(records[i].header.size, RECORD_BYTES);
		CHECK_EQ(records[i].report[1] % 8192, 0);
		if (i)
			check_pair(records[i - 1].report, records[i].report);
	}
}

/* docs/oa-device.md, once more: what counter @n of a set with one mux register has per 65536 clocks. */
static uint64_t documented_rate(uint32_t address, uint32_t value, uint32_t n)
{
	const uint32_t words[] = { 0, address, value };
	uint64_t x = 0xcbf29ce484222325;
	int i;

	for (i = 0; i < 3; i++)
		x = (x ^ words[i]) * 0x100000001b3;
	x += (n + 1) * 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	x = (x ^ x >> 31) >> 48;
	return n >= 7 && n <= 20 ? x * EUS : x;
}

/* A and C counters keep the documented rates, over many reports at once. */
static void test_rates(void)
{
	const uint32_t *first = records[0].report, *last = records[199].report;
	uint64_t clock;
	uint32_t i;

	take_reports(2, 12, 200);
	clock = last[3] - first[3];
	for (i = 0; i < 32; i++)
		check_near(forty(last, i) - forty(first, i), clock * documented_rate(0x9888, 1, i),
			   65536);
	for (i = 32; i < 36; i++)
		check_near(last[i + 4] - first[i + 4], clock * documented_rate(0x9888, 1, i),
			   65536);
	for (i = 0; i < 8; i++)
		check_near(last[56 + i] - first[56 + i], clock * documented_rate(0x9888, 1, 46 + i),
			   65536);
}

static void test_sets_differ(void)
{
	uint64_t of_a, again, of_b;

	take_reports(2, 12, 100);
	of_a = forty(records[99].report, 7) - forty(records[0].report, 7);
	take_reports(2, 12, 100);
	again = forty(records[99].report, 7) - forty(records[0].report, 7);
	take_reports(3, 12, 100);
	of_b = forty(records[99].report, 7) - forty(records[0].report, 7);
	check_near(again, of_a, 1);
	CHECK(of_a > of_b + 100 || of_b > of_a + 100);
}

/* Counters go on from where they are when the set is changed. */
static void test_change(void)
{
	const int s = (int)oa_stream(fd, 0, 2, 12);
	struct record last;
	size_t i, have;

	CHECK_EQ(read_some(s, RECORD_BYTES), RECORD_BYTES);
	last = records[0];
	usleep(50000);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)3), 2);
	have = (size_t)read_some(s, sizeof(records)) / RECORD_BYTES;
	CHECK(have >= 2 && have <= sizeof(records) / RECORD_BYTES);
	check_pair(last.report, records[0].report);
	for (i = 1; i < have && have <= sizeof(records) / RECORD_BYTES; i++)
		check_pair(records[i - 1].report, records[i].report);
	close(s);
}

/* 2^17 reports in 262 ms, twice what the buffer holds. */
static void test_overrun(void)
{
	const int s = (int)oa_stream(fd, I915_PERF_FLAG_FD_NONBLOCK, 2, 3);
	const uint32_t *words = (const uint32_t *)records;

	usleep(300000);
	CHECK_EQ(read_some(s, 4), -ENOSPC);
	CHECK_EQ(read_some(s, 8), 8);
	CHECK_EQ(words[0], DRM_I915_PERF_RECORD_OA_BUFFER_LOST);
	CHECK_EQ(words[1] >> 16, 8);
	CHECK_EQ(read_some(s, 8), 8);
	CHECK_EQ(words[0], DRM_I915_PERF_RECORD_OA_REPORT_LOST);
	CHECK_EQ(words[1] >> 16, 8);
	close(s);
}

/* A set that was removed lives until its stream closes. */
static void test_removed_set(void)
{
	const int s = (int)oa_stream(fd, 0, 3, 12);

	CHECK_EQ(oa_remove(fd, 3), 0);
	CHECK_EQ(oa_sysfs_id(UUID_B), -ENOENT);
	CHECK(read_some(s, sizeof(records)) >= RECORD_BYTES);
	CHECK_EQ(oa_add_one(fd, UUID_B, 7), 3);
	CHECK_EQ(oa_call(s, I915_PERF_IOCTL_CONFIG, (void *)3), 3);
	close(s);
	CHECK_EQ(open_with(fd, 3, 4), -EINVAL);
}

/* The stream outlives the file that it was opened with. */
static void test_node_closed(void)
{
	const int own = oa_open_node();
	const int s = (int)oa_stream(own, 0, 2, 12);

	close(own);
	CHECK(read_some(s, sizeof(records)) >= RECORD_BYTES);
	close(s);
}

static void test_log(void)
{
	const struct oa_pair mux[] = { { 0x9888, 1 }, { 0xe180, 0xffffffff }, { 0x9888, 2 } };
	const struct oa_pair flex = { 0xe458, 3 };
	struct drm_i915_perf_oa_config config = oa_config(UUID_B, mux, 3);
	char text[512] = { 0 };
	int file;

	config.n_flex_regs = 1;
	config.flex_regs_ptr = (uintptr_t)&flex;
	CHECK_EQ(oa_remove(fd, 3), 0);
	CHECK_EQ(oa_add(fd, &config), 3);
	opens(oa_stream(fd, 0, 3, 12));
	file = open("/sys/kernel/debug/hadal_oa_registers", O_RDONLY);
	CHECK(read(file, text, sizeof(text) - 1) > 0);
	CHECK(!strcmp(text, "set " UUID_B " 3\n"
			    "mux 0x00009888 0x00000001\n"
			    "mux 0x0000e180 0xdfffdfff\n"
			    "mux 0x00009888 0x00000002\n"
			    "flex 0x0000e458 0x00000003\n"));
	close(file);
}

int main(void)
{
	fd = oa_open_node();
	if (oa_add_one(fd, UUID_A, 1) != 2 || oa_add_one(fd, UUID_B, 2) != 3)
		return 2;
	TAP_RUN(test_flags_and_pointer);
	TAP_RUN(test_properties);
	TAP_RUN(test_sseu);
	TAP_RUN(test_whole_request);
	TAP_RUN(test_privilege);
	TAP_RUN(test_sysctls);
	TAP_RUN(test_stream_calls);
	TAP_RUN(test_reading);
	TAP_RUN(test_blocking);
	TAP_RUN(test_no_timer);
	TAP_RUN(test_opened_disabled);
	TAP_RUN(test_disable_wakes);
	TAP_RUN(test_laws);
	TAP_RUN(test_rates);
	TAP_RUN(test_sets_differ);
	TAP_RUN(test_change);
	TAP_RUN(test_overrun);
	TAP_RUN(test_removed_set);
	TAP_RUN(test_node_closed);
	TAP_RUN(test_log);
	oa_remove(fd, 2);
	oa_remove(fd, 3);
	return tap_done();
}
