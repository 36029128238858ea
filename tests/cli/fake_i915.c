// SPDX-License-Identifier: MIT
/*
 * Preloaded into the tool: DRM calls on any file are answered as by i915's driver on a Tiger Lake, and
 * adding and removing also as by xe's, all of whose registers count as mux ones. The sets live below
 * FAKE_ROOT: sys/class/drm/card0/metrics/UUID/id, and store/UUID with the registers. What goes wrong is
 * told in the environment:
 *	FAKE_NAME	the driver's name (i915)
 *	FAKE_FAIL	N:ERRNO: the Nth set that this process tries to add is refused
 *	FAKE_FOREVER	and so are all after it
 *	FAKE_SIGNAL	N: a SIGINT comes while the Nth is added, and the call is interrupted once; it comes
 *			twice, as from timeout(1)
 *	FAKE_CUT	N: the same while the Nth is removed, which is done all the same
 *	FAKE_ECHO	and while the clock of the GPU is read
 *	FAKE_OLD	the query for sets does not exist
 *	FAKE_STUCK	N: removing is refused with EBUSY once N sets were added
 *	FAKE_STREAM	FILE: what a stream gives, and then nothing more; FAKE_ROOT/opened tells of what
 *			it was opened with, a line "KEY VALUE" for each property
 *	FAKE_OPEN	ERRNO: no stream can be opened
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <libdrm/i915_drm.h>

#define PAYLOAD 48
#define MOST 4096

/* Of each class: how many words, then address and value of each register. */
struct store {
	uint32_t counts[3];
	uint32_t words[3][2 * MOST];
};

static struct store store;
static long tried, added, removed;

static long number(const char *name)
{
	const char *text = getenv(name);

	return text ? strtol(text, NULL, 10) : 0;
}

static int answer(int err)
{
	if (err >= 0)
		return err;
	errno = -err;
	return -1;
}

static void path_of(char *path, size_t size, const char *folder, const char *uuid, const char *file)
{
	snprintf(path, size, "%s/%s/%.36s%s", getenv("FAKE_ROOT"), folder, uuid, file);
}

#define METRICS "sys/class/drm/card0/metrics"

static long read_id(const char *uuid)
{
	char path[512], text[32] = "";
	int fd;

	path_of(path, sizeof(path), METRICS, uuid, "/id");
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return -ENOENT;
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	return strtol(text, NULL, 10);
}

static int save(const char *path, const void *bytes, size_t length)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	if (fd < 0 || write(fd, bytes, length) != (ssize_t)length)
		return -EIO;
	return close(fd);
}

/* The lowest id from 2 that no set has: next/ID files tell. */
static long take_id(const char *uuid)
{
	char path[512], text[48];

	for (long id = 2;; id++) {
		int fd;

		snprintf(path, sizeof(path), "%s/ids/%ld", getenv("FAKE_ROOT"), id);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
		if (fd < 0)
			continue;
		snprintf(text, sizeof(text), "%.36s", uuid);
		if (write(fd, text, strlen(text)) < 0)
			abort();
		close(fd);
		return id;
	}
}

static void interrupt(void)
{
	raise(SIGINT);
	raise(SIGINT);
}

static int refusal(void)
{
	const char *fail = getenv("FAKE_FAIL");
	long nth;
	char *end;

	if (number("FAKE_SIGNAL") == tried + 1 && !getenv("FAKE_SIGNALLED")) {
		setenv("FAKE_SIGNALLED", "1", 1);
		interrupt();
		return -EINTR;
	}
	tried++;
	if (!fail)
		return 0;
	nth = strtol(fail, &end, 10);
	return tried == nth || (tried > nth && getenv("FAKE_FOREVER")) ?
		       -(int)strtol(end + 1, NULL, 10) :
		       0;
}

static void fetch(const struct drm_i915_perf_oa_config *config)
{
	const uint32_t counts[3] = { config->n_mux_regs, config->n_boolean_regs,
				     config->n_flex_regs };
	const uint64_t pointers[3] = { config->mux_regs_ptr, config->boolean_regs_ptr,
				       config->flex_regs_ptr };

	memset(&store, 0, sizeof(store));
	for (int cls = 0; cls < 3; cls++) {
		store.counts[cls] = counts[cls];
		if (counts[cls])
			memcpy(store.words[cls], (void *)(uintptr_t)pointers[cls], 8 * counts[cls]);
	}
}

static int add(const struct drm_i915_perf_oa_config *config)
{
	char path[512], text[24];
	long id;
	int err = refusal();

	if (err == 0 && read_id(config->uuid) >= 0)
		err = -EADDRINUSE;
	if (err)
		return err;
	added++;
	id = take_id(config->uuid);
	path_of(path, sizeof(path), METRICS, config->uuid, "");
	mkdir(path, 0755);
	fetch(config);
	path_of(path, sizeof(path), "store", config->uuid, "");
	err = save(path, &store, sizeof(store));
	snprintf(text, sizeof(text), "%ld\n", id);
	path_of(path, sizeof(path), METRICS, config->uuid, "/id");
	return err || save(path, text, strlen(text)) ? -EIO : (int)id;
}

static int remove_id(uint64_t id)
{
	char path[512], uuid[40] = "";
	int fd;

	if (number("FAKE_STUCK") && added >= number("FAKE_STUCK"))
		return -EBUSY;
	snprintf(path, sizeof(path), "%s/ids/%llu", getenv("FAKE_ROOT"), (unsigned long long)id);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, uuid, 36) != 36)
		return -ENOENT;
	close(fd);
	if (++removed == number("FAKE_CUT"))
		interrupt();
	unlink(path);
	path_of(path, sizeof(path), METRICS, uuid, "/id");
	unlink(path);
	path_of(path, sizeof(path), METRICS, uuid, "");
	rmdir(path);
	path_of(path, sizeof(path), "store", uuid, "");
	unlink(path);
	return 0;
}

/* --- queries ----------------------------------------------------------------------------- */

/* One class of a set: how many there are, and all of them if there is room for some. */
static int give(uint32_t *count, uint64_t pointer, int cls)
{
	if (*count && *count < store.counts[cls])
		return -EINVAL;
	if (*count)
		memcpy((void *)(uintptr_t)pointer, store.words[cls], 8 * store.counts[cls]);
	*count = store.counts[cls];
	return 0;
}

static int give_set(char *data)
{
	struct drm_i915_perf_oa_config config;
	char path[512];
	int fd, err;

	path_of(path, sizeof(path), "store", data, "");
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, &store, sizeof(store)) != sizeof(store))
		return -ENOENT;
	close(fd);
	memcpy(&config, data + PAYLOAD, sizeof(config));
	err = give(&config.n_mux_regs, config.mux_regs_ptr, 0);
	err = err ? err : give(&config.n_boolean_regs, config.boolean_regs_ptr, 1);
	err = err ? err : give(&config.n_flex_regs, config.flex_regs_ptr, 2);
	memcpy(data + PAYLOAD, &config, sizeof(config));
	return err;
}

static int query_sets(const struct drm_i915_query_item *item)
{
	char *data = (void *)(uintptr_t)item->data_ptr;
	int err;

	if (getenv("FAKE_OLD"))
		return -EINVAL;
	if (item->length == 0)
		return PAYLOAD + (int)sizeof(struct drm_i915_perf_oa_config);
	err = give_set(data);
	return err ? err : item->length;
}

/* One slice with six subslices of sixteen EUs. */
static int query_topology(const struct drm_i915_query_item *item)
{
	static const uint8_t topology[] = {
		0, 0, 1, 0, 6, 0, 16, 0, 1, 0, 1, 0, 2, 0, 2, 0, 1, 0x3f, [18 ... 29] = 0xff
	};

	if (item->length)
		memcpy((void *)(uintptr_t)item->data_ptr, topology, sizeof(topology));
	return sizeof(topology);
}

static int query(const struct drm_i915_query *ask)
{
	struct drm_i915_query_item *item = (void *)(uintptr_t)ask->items_ptr;

	if (item->query_id == DRM_I915_QUERY_PERF_CONFIG)
		item->length = query_sets(item);
	else if (item->query_id == DRM_I915_QUERY_TOPOLOGY_INFO)
		item->length = query_topology(item);
	else
		item->length = -EINVAL;
	return 0;
}

static int parameter(const struct drm_i915_getparam *ask)
{
	static const struct {
		int number;
		int value;
	} known[] = { { 4, 0x9a49 }, { 32, 1 }, { 51, 19200000 }, { 54, 5 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (known[i].number == ask->param) {
			*ask->value = known[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

static int version(struct drm_version *ask)
{
	const char *name = getenv("FAKE_NAME");

	name = name ? name : "i915";
	if (ask->name)
		snprintf(ask->name, ask->name_len, "%s", name);
	ask->name_len = strlen(name);
	return 0;
}

/* DRM_IOCTL_XE_OBSERVATION, by numbers, for want of a header on older systems. */
#define XE_OBSERVATION 0x4020644bul
#define XE_OBSERVATION_ADD 1
#define XE_OBSERVATION_REMOVE 2

struct xe_param {
	uint64_t extensions;
	uint64_t type;
	uint64_t op;
	uint64_t param;
};

struct xe_config {
	uint64_t extensions;
	char uuid[36];
	uint32_t count;
	uint64_t registers;
};

static int xe_observation(const struct xe_param *ask)
{
	const struct xe_config *given = (void *)(uintptr_t)ask->param;
	struct drm_i915_perf_oa_config config = { .n_mux_regs = 0 };

	if (ask->extensions || ask->type)
		return -EINVAL;
	if (ask->op == XE_OBSERVATION_REMOVE)
		return remove_id(*(uint64_t *)(uintptr_t)ask->param);
	if (ask->op != XE_OBSERVATION_ADD || given->extensions || !given->count)
		return -EINVAL;
	memcpy(config.uuid, given->uuid, sizeof(config.uuid));
	config.n_mux_regs = given->count;
	config.mux_regs_ptr = given->registers;
	return add(&config);
}

/* --- streams ----------------------------------------------------------------------------- */

/* Stream contents: less than a pipe holds at most. */
#define STREAM_BYTES (512 << 10)

static int note_properties(const struct drm_i915_perf_open_param *open_param)
{
	const uint64_t *properties = (void *)(uintptr_t)open_param->properties_ptr;
	char path[512], text[1024];
	int length = 0, known = -EINVAL;

	for (uint32_t i = 0; i < open_param->num_properties; i++) {
		const unsigned long long key = properties[2 * i], value = properties[2 * i + 1];

		length += snprintf(text + length, sizeof(text) - (size_t)length, "%llu %llu\n", key,
				   value);
		snprintf(path, sizeof(path), "%s/ids/%llu", getenv("FAKE_ROOT"), value);
		if (key == DRM_I915_PERF_PROP_OA_METRICS_SET && access(path, F_OK) == 0)
			known = 0;
	}
	snprintf(path, sizeof(path), "%s/opened", getenv("FAKE_ROOT"));
	return known ? known : save(path, text, (size_t)length);
}

/* The end to write to stays open, so that the stream runs dry instead of ending. */
static int open_stream(const struct drm_i915_perf_open_param *open_param)
{
	static char bytes[STREAM_BYTES];
	int err = number("FAKE_OPEN") ? -(int)number("FAKE_OPEN") : note_properties(open_param);
	const char *path = getenv("FAKE_STREAM");
	int file, ends[2];
	ssize_t length;

	if (err)
		return err;
	if (!path)
		abort();
	file = open(path, O_RDONLY);
	length = read(file, bytes, sizeof(bytes));
	close(file);
	if (length < 0 || pipe2(ends, O_NONBLOCK | O_CLOEXEC) ||
	    fcntl(ends[1], F_SETPIPE_SZ, 2 * STREAM_BYTES) < 0 ||
	    write(ends[1], bytes, (size_t)length) != length)
		abort();
	return ends[0];
}

/* The timestamp register: 19.2 MHz, in step with the CPU's clock. */
static int read_register(struct drm_i915_reg_read *ask)
{
	struct timespec now;

	if (getenv("FAKE_ECHO"))
		interrupt();
	clock_gettime(CLOCK_MONOTONIC, &now);
	ask->val = (uint64_t)now.tv_sec * 19200000 + (uint64_t)now.tv_nsec * 192 / 10000;
	return ask->offset == 0x2359 ? 0 : -EINVAL;
}

int ioctl(int fd, unsigned long request, ...)
{
	int (*real)(int, unsigned long, void *) =
		(int (*)(int, unsigned long, void *))dlsym(RTLD_NEXT, "ioctl");
	void *arg;
	va_list ap;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	switch (request) {
	case DRM_IOCTL_VERSION:
		return answer(version(arg));
	case DRM_IOCTL_I915_GETPARAM:
		return answer(parameter(arg));
	case DRM_IOCTL_I915_QUERY:
		return answer(query(arg));
	case DRM_IOCTL_I915_PERF_ADD_CONFIG:
		return answer(add(arg));
	case DRM_IOCTL_I915_PERF_REMOVE_CONFIG:
		return answer(remove_id(*(uint64_t *)arg));
	case XE_OBSERVATION:
		return answer(xe_observation(arg));
	case DRM_IOCTL_I915_PERF_OPEN:
		return answer(open_stream(arg));
	case DRM_IOCTL_I915_REG_READ:
		return answer(read_register(arg));
	default:
		return real(fd, request, arg);
	}
}
