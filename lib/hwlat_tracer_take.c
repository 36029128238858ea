// SPDX-License-Identifier: MIT
/*
 * Taking the kernel's hwlat tracer and giving it back.
 *
 * The order of writes matters. Writing the mode restarts a selected tracer, so it comes before the
 * selection. Selecting overwrites the threshold, so that comes after it. What the tracer remembers
 * from its last run shows only when it is selected with a threshold of 0, and is remembered again
 * from whatever the threshold is when it is left.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat_tracer.h"

#define STATE_FILE "/run/hadal-hwlat.state"

#define WIDTH "hwlat_detector/width"
#define WINDOW "hwlat_detector/window"
#define MODE "hwlat_detector/mode"
#define THRESH "tracing_thresh"
#define TRACER "current_tracer"

/* Another reader of the instance's buffer may be about to close it. */
#define DESTROY_TRIES 50

/* --- single files ------------------------------------------------------------------------- */

static int write_text(struct tracefs_instance *instance, const char *file, const char *text)
{
	errno = 0;
	if (tracefs_instance_file_write(instance, file, text) == (int)strlen(text))
		return 0;
	return errno ? -errno : -EIO;
}

static int write_number(const char *file, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return write_text(NULL, file, text);
}

static int read_number(const char *file, uint64_t *value)
{
	long long number;

	errno = 0;
	if (tracefs_instance_file_read_number(NULL, file, &number))
		return errno ? -errno : -EIO;
	*value = (uint64_t)number;
	return 0;
}

/* The word in brackets. Kernels before 5.14 have no modes: an empty word. */
static int read_mode(char *mode, size_t size)
{
	char *text, *word, *end;

	mode[0] = '\0';
	if (!tracefs_file_exists(NULL, MODE))
		return 0;
	text = tracefs_instance_file_read(NULL, MODE, NULL);
	if (!text)
		return -EIO;
	word = strchr(text, '[');
	end = word ? strchr(word, ']') : NULL;
	if (end)
		snprintf(mode, size, "%.*s", (int)(end - word - 1), word + 1);
	free(text);
	return end ? 0 : -EIO;
}

static bool has_tracer(struct tracefs_instance *instance)
{
	char *text = tracefs_instance_file_read(instance, TRACER, NULL);
	const bool has = text && strncmp(text, "hwlat", strcspn(text, "\n")) == 0 && *text == 'h';

	free(text);
	return has;
}

/* Each of the two may only be written while it stays on its side of the other. */
static int write_times(uint64_t width, uint64_t window)
{
	uint64_t present;
	int err = read_number(WIDTH, &present);

	if (err)
		return err;
	if (window >= present) {
		err = write_number(WINDOW, window);
		return err ? err : write_number(WIDTH, width);
	}
	err = write_number(WIDTH, width);
	return err ? err : write_number(WINDOW, window);
}

static int write_mode(const char *mode)
{
	char present[16];
	int err = read_mode(present, sizeof(present));

	if (err || strcmp(present, mode) == 0)
		return err;
	return *present ? write_text(NULL, MODE, mode) : -EOPNOTSUPP;
}

/* --- can it be taken ---------------------------------------------------------------------- */

struct search {
	char user[64];
};

static int look_at_instance(const char *name, void *context)
{
	struct tracefs_instance *instance = tracefs_instance_alloc(NULL, name);
	struct search *search = context;

	if (instance && has_tracer(instance))
		snprintf(search->user, sizeof(search->user), "instances/%s/", name);
	tracefs_instance_free(instance);
	return *search->user != '\0';
}

/* Which instance has the tracer selected; empty if none. */
static void find_user(struct search *search)
{
	search->user[0] = '\0';
	if (has_tracer(NULL))
		snprintf(search->user, sizeof(search->user), "./");
	else
		tracefs_instances_walk(look_at_instance, search);
}

static int check_free(struct finding *why)
{
	struct search search;

	find_user(&search);
	if (!*search.user)
		return 0;
	finding_set(why, FINDING_BLOCKED,
		    "If nobody needs that run: echo nop | sudo tee "
		    "/sys/kernel/tracing/<that folder>/current_tracer",
		    "busy: hwlat is selected in tracefs' %scurrent_tracer", search.user);
	return -EBUSY;
}

static int check_mounted(struct finding *why)
{
	const char *path;

	if (tracefs_tracing_dir_is_mounted(false, &path) > 0)
		return 0;
	finding_set(why, FINDING_BLOCKED,
		    "Mount it: sudo mount -t tracefs nodev /sys/kernel/tracing",
		    "tracefs is not mounted");
	return -ENOENT;
}

static int check_present(struct finding *why)
{
	const char *dir = tracefs_tracing_dir();

	if (access(dir, X_OK) != 0) {
		finding_set(why, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat",
			    "%s is closed to this user", dir);
		return -EACCES;
	}
	if (!tracefs_tracer_available(NULL, "hwlat")) {
		finding_set(why, FINDING_ABSENT,
			    "Boot a kernel with CONFIG_HWLAT_TRACER, such as Debian's rt flavour, or use "
			    "the module back end.",
			    "this kernel has no hwlat tracer");
		return -ENODEV;
	}
	return 0;
}

static int check_allowed(struct finding *why)
{
	char *path = tracefs_get_tracing_file(WIDTH);
	const bool allowed = path && access(path, W_OK) == 0;

	tracefs_put_tracing_file(path);
	if (allowed)
		return 0;
	finding_set(why, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat",
		    "the tracer's settings are closed to this user");
	return -EACCES;
}

static int check_reachable(struct finding *why)
{
	int err = check_mounted(why);

	if (!err)
		err = check_present(why);
	return err ? err : check_allowed(why);
}

/*
 * The tracer keeps interrupts off for the whole width. kernel/watchdog.c takes a CPU for dead after
 * watchdog_thresh seconds; other CPUs' requests wait as long.
 */
static int check_width(const struct hwlat_config *config, struct finding *why)
{
	uint64_t seconds;

	if (file_read_u64("/proc/sys/kernel/watchdog_thresh", &seconds) || !seconds)
		seconds = 10;
	if (config->width_us <= seconds * 1000000 / 2)
		return 0;
	finding_set(why, FINDING_BLOCKED, "Choose a smaller --width, or the module back end.",
		    "it would keep interrupts off for more than %" PRIu64
		    " ms, and the kernel's watchdogs take the CPU for dead",
		    seconds * 500);
	return -EINVAL;
}

static int check_leftover(int fd, struct finding *why)
{
	struct stat stat;

	if (fstat(fd, &stat) || stat.st_size == 0)
		return 0;
	finding_set(why, FINDING_BLOCKED, "Put them back: sudo hadal hwlat --restore",
		    "the tracer still has the settings of a run that was killed with its guardian");
	return -EEXIST;
}

void tracer_check(struct finding *finding)
{
	int fd;

	if (check_reachable(finding))
		return;
	fd = tracer_state_open(O_RDONLY, finding);
	if (fd >= 0) {
		const int err = check_leftover(fd, finding);

		close(fd);
		if (err)
			return;
	} else if (fd != -ENOENT) {
		return;
	}
	if (check_free(finding))
		return;
	finding_set(finding, FINDING_READY, NULL, "in the kernel, and free");
}

/* --- the file ----------------------------------------------------------------------------- */

static int open_locked(int flags)
{
	struct stat stat;
	int fd;

	for (;;) {
		fd = open(STATE_FILE, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			const int err = errno == EWOULDBLOCK ? -EBUSY : -errno;

			close(fd);
			return err;
		}
		/* Removed by its guardian between the two calls: that was not ours. */
		if (fstat(fd, &stat) == 0 && stat.st_nlink)
			return fd;
		close(fd);
	}
}

int tracer_state_open(int flags, struct finding *why)
{
	const int fd = open_locked(flags);

	if (fd == -EBUSY)
		finding_set(why, FINDING_BLOCKED, "Wait until the other run has ended.",
			    "busy: another hadal run has it");
	else if (fd < 0)
		finding_set(why, FINDING_BLOCKED,
			    "The tracer's settings are kept there while it is used; make room for it.",
			    "%s: %s", STATE_FILE, strerror(-fd));
	return fd;
}

int tracer_settings_format(const struct tracer_settings *set, char *buf, size_t size)
{
	int length = snprintf(buf, size,
			      "width=%" PRIu64 "\nwindow=%" PRIu64 "\nthresh=%" PRIu64 "\nmode=%s\n",
			      set->width, set->window, set->thresh, set->mode);

	if (set->has_last_thresh)
		length += snprintf(buf + length, size - (size_t)length,
				   "last_thresh=%" PRIu64 "\n", set->last_thresh);
	return length;
}

int tracer_settings_parse(struct tracer_settings *set, const char *text)
{
	int used = 0;

	*set = (struct tracer_settings){ 0 };
	if (sscanf(text, "width=%" SCNu64 "\nwindow=%" SCNu64 "\nthresh=%" SCNu64 "\nmode=%n",
		   &set->width, &set->window, &set->thresh, &used) != 3 || !used)
		return -EINVAL;
	text += used;
	if (sscanf(text, "%15[a-z-]%n", set->mode, &used) == 1)
		text += used;
	if (*text != '\n')
		return -EINVAL;
	set->has_last_thresh = sscanf(text, "\nlast_thresh=%" SCNu64, &set->last_thresh) == 1;
	return 0;
}

static int state_write(int fd, const struct tracer_settings *set)
{
	char text[256];
	const int length = tracer_settings_format(set, text, sizeof(text));

	if (pwrite(fd, text, (size_t)length, 0) != length)
		return errno ? -errno : -ENOSPC;
	return 0;
}

static int state_read(int fd, struct tracer_settings *set)
{
	char text[256] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) < 0)
		return -errno;
	return tracer_settings_parse(set, text);
}

static void state_remove(int fd)
{
	unlink(STATE_FILE);
	close(fd);
}

/* --- taking ------------------------------------------------------------------------------- */

static int read_settings(struct tracer_settings *set)
{
	int err = read_number(WIDTH, &set->width);

	if (!err)
		err = read_number(WINDOW, &set->window);
	if (!err)
		err = read_number(THRESH, &set->thresh);
	return err ? err : read_mode(set->mode, sizeof(set->mode));
}

/* Whoever selects it first has the settings; until then nothing else has been changed for others. */
static int select_tracer(struct tracefs_instance *instance, struct tracer_settings *set)
{
	int err = write_number(THRESH, 0);

	if (!err)
		err = write_text(instance, "tracing_on", "0");
	if (!err)
		err = write_text(instance, TRACER, "hwlat");
	if (!err)
		err = read_number(THRESH, &set->last_thresh);
	set->has_last_thresh = !err;
	return err;
}

static int configure(struct tracefs_instance *instance, const struct hwlat_config *config)
{
	char mask[CPUS_MASK_BYTES];
	int err = write_times(config->width_us, config->window_us);

	if (!err)
		err = write_number(THRESH, config->threshold_us);
	return err ? err : write_text(instance, "tracing_cpumask", cpus_mask(&config->cpus, mask));
}

static int take_all(int state_fd, struct tracer_settings *set, const struct hwlat_config *config)
{
	struct tracefs_instance *instance;
	int err = write_mode(hwlat_mode_name(config->mode));

	if (err)
		return err;
	instance = tracefs_instance_create(TRACER_INSTANCE);
	if (!instance)
		return errno ? -errno : -EIO;
	err = select_tracer(instance, set);
	if (!err)
		err = state_write(state_fd, set);
	if (!err)
		err = configure(instance, config);
	tracefs_instance_free(instance);
	return err;
}

int tracer_take(int state_fd, const struct hwlat_config *config, struct finding *why)
{
	struct tracer_settings set = { 0 };
	struct finding ignored;
	int err = check_leftover(state_fd, why);

	if (err) {
		close(state_fd);
		return err;
	}
	err = check_reachable(why);
	if (!err)
		err = check_free(why);
	if (!err)
		err = check_width(config, why);
	if (!err) {
		finding_set(why, FINDING_BLOCKED, NULL, "the tracer's settings cannot be read or kept");
		err = read_settings(&set);
	}
	if (!err)
		err = state_write(state_fd, &set);
	if (err) {
		state_remove(state_fd);
		return err;
	}
	err = take_all(state_fd, &set, config);
	if (err) {
		finding_set(why, FINDING_BLOCKED, NULL, "the tracer refused the settings: %s",
			    strerror(-err));
		tracer_give_back(state_fd, &ignored);
	}
	return err;
}

/* --- giving back -------------------------------------------------------------------------- */

static int destroy(struct tracefs_instance *instance)
{
	const struct timespec pause = { .tv_nsec = 20000000 };

	for (int i = 0; i < DESTROY_TRIES; i++) {
		if (tracefs_instance_destroy(instance) == 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	return errno ? -errno : -EBUSY;
}

static int leave_instance(const struct tracer_settings *set)
{
	struct tracefs_instance *instance;
	int err = 0;

	if (!tracefs_instance_exists(TRACER_INSTANCE))
		return 0;
	instance = tracefs_instance_alloc(NULL, TRACER_INSTANCE);
	if (!instance)
		return -ENOMEM;
	if (has_tracer(instance)) {
		if (set->has_last_thresh)
			err = write_number(THRESH, set->last_thresh);
		if (!err)
			err = write_text(instance, TRACER, "nop");
	}
	if (!err)
		err = destroy(instance);
	tracefs_instance_free(instance);
	return err;
}

int tracer_give_back(int state_fd, struct finding *why)
{
	struct tracer_settings set;
	int err = state_read(state_fd, &set);

	if (!err)
		err = leave_instance(&set);
	if (!err)
		err = write_times(set.width, set.window);
	if (!err)
		err = write_number(THRESH, set.thresh);
	if (!err)
		err = write_mode(set.mode);
	if (err) {
		finding_set(why, FINDING_BLOCKED,
			    "Look into " STATE_FILE " for what was found; remove it when all is well.",
			    "not all of the tracer's settings could be put back: %s", strerror(-err));
		close(state_fd);
		return err;
	}
	state_remove(state_fd);
	return 0;
}

int hwlat_restore(struct finding *why)
{
	int fd = open_locked(O_RDWR);
	struct stat stat;

	if (fd == -ENOENT)
		return fd;
	if (fd == -EBUSY)
		finding_set(why, FINDING_BLOCKED, "It puts the settings back when its run ends.",
			    "a living guardian has the settings");
	else if (fd < 0)
		finding_set(why, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat --restore",
			    "%s: %s", STATE_FILE, strerror(-fd));
	if (fd < 0)
		return fd;
	if (fstat(fd, &stat) == 0 && stat.st_size == 0) {
		state_remove(fd);
		return -ENOENT;
	}
	return tracer_give_back(fd, why);
}
