// SPDX-License-Identifier: MIT
/* Can the kernel's hwlat tracer be taken: is it there, allowed to this user, and free? */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "lib/file.h"
#include "lib/hwlat_tracer.h"

bool tracer_selected_in(struct tracefs_instance *instance)
{
	char *text = tracefs_instance_file_read(instance, "current_tracer", NULL);
	const bool has = text && strncmp(text, "hwlat", strcspn(text, "\n")) == 0 && *text == 'h';

	free(text);
	return has;
}

struct search {
	char user[64];
};

static int look_at_instance(const char *name, void *context)
{
	struct tracefs_instance *instance = tracefs_instance_alloc(NULL, name);
	struct search *search = context;

	if (instance && tracer_selected_in(instance))
		snprintf(search->user, sizeof(search->user), "instances/%s/", name);
	tracefs_instance_free(instance);
	return *search->user != '\0';
}

/* Which instance has the tracer selected; empty if none. */
static void find_user(struct search *search)
{
	search->user[0] = '\0';
	if (tracer_selected_in(NULL))
		snprintf(search->user, sizeof(search->user), "./");
	else
		tracefs_instances_walk(look_at_instance, search);
}

int tracer_check_free(struct finding *why)
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
		finding_set(
			why, FINDING_ABSENT,
			"Boot a kernel with CONFIG_HWLAT_TRACER, such as Debian's rt flavour, or use "
			"the module back end.",
			"this kernel has no hwlat tracer");
		return -ENODEV;
	}
	return 0;
}

static int check_allowed(struct finding *why)
{
	char *path = tracefs_get_tracing_file("hwlat_detector/width");
	const bool allowed = path && access(path, W_OK) == 0;

	tracefs_put_tracing_file(path);
	if (allowed)
		return 0;
	finding_set(why, FINDING_BLOCKED, "Run it as root: sudo hadal hwlat",
		    "the tracer's settings are closed to this user");
	return -EACCES;
}

int tracer_check_reachable(struct finding *why)
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
int tracer_check_width(const struct hwlat_config *config, struct finding *why)
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

int tracer_check_leftover(int fd, struct finding *why)
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

	if (tracer_check_reachable(finding))
		return;
	fd = tracer_state_open(O_RDONLY, finding);
	if (fd >= 0) {
		const int err = tracer_check_leftover(fd, finding);

		close(fd);
		if (err)
			return;
	} else if (fd != -ENOENT) {
		return;
	}
	if (tracer_check_free(finding))
		return;
	finding_set(finding, FINDING_READY, NULL, "in the kernel, and free");
}
