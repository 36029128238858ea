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
#include <sys/stat.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "lib/hwlat_tracer.h"

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
	long long number = 0;

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

/* Each of the two may only be written while it stays on its side of the other. */
static int write_times(uint64_t width, uint64_t window)
{
	uint64_t present = 0;
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
		err = tracer_state_write(state_fd, set);
	if (!err)
		err = configure(instance, config);
	tracefs_instance_free(instance);
	return err;
}

int tracer_take(int state_fd, const struct hwlat_config *config, struct finding *why)
{
	struct tracer_settings set = { 0 };
	struct finding ignored;
	int err = tracer_check_leftover(state_fd, why);

	if (err) {
		close(state_fd);
		return err;
	}
	err = tracer_check_free(why);
	if (!err)
		err = tracer_check_width(config, why);
	if (!err) {
		finding_set(why, FINDING_BLOCKED, NULL,
			    "the tracer's settings cannot be read or kept");
		err = read_settings(&set);
	}
	if (!err)
		err = tracer_state_write(state_fd, &set);
	if (err) {
		tracer_state_remove(state_fd);
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
	if (tracer_selected_in(instance)) {
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
	struct tracer_settings set = { 0 };
	int err = tracer_state_read(state_fd, &set);

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
			    "Look into " TRACER_STATE_FILE
			    " for what was found; remove it when all is well.",
			    "not all of the tracer's settings could be put back: %s",
			    strerror(-err));
		close(state_fd);
		return err;
	}
	tracer_state_remove(state_fd);
	return 0;
}

int hwlat_restore(struct finding *why)
{
	int fd = tracer_state_lock(O_RDWR);
	struct stat stat;

	if (fd == -ENOENT)
		return fd;
	if (fd == -EBUSY)
		finding_set(why, FINDING_BLOCKED, "It puts the settings back when its run ends.",
			    "a living guardian has the settings");
	else if (fd < 0)
		finding_set(why, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat --restore",
			    "%s: %s", TRACER_STATE_FILE, strerror(-fd));
	if (fd < 0)
		return fd;
	if (fstat(fd, &stat) == 0 && stat.st_size == 0) {
		tracer_state_remove(fd);
		return -ENOENT;
	}
	return tracer_give_back(fd, why);
}
