/* SPDX-License-Identifier: MIT */
/*
 * The kernel's hwlat tracer and what has to be put back after using it.
 *
 *	hwlat_tracer.c		the run: start, read, stop
 *	hwlat_guardian.c	the child process that owns the settings while its parent lives
 *	hwlat_tracer_check.c	whether the tracer can be taken
 *	hwlat_tracer_state.c	the file in /run with the settings as they were found
 *	hwlat_tracer_take.c	taking the tracer and giving it back
 */
#ifndef HADAL_LIB_HWLAT_TRACER_H
#define HADAL_LIB_HWLAT_TRACER_H

#include <sys/types.h>

#include "hadal/hwlat.h"

/* Our own buffer, CPU mask and switch. Width, window, mode and threshold are the machine's. */
#define TRACER_INSTANCE "hadal-hwlat"

/*
 * struct tracer_settings - what was found and is to be found again
 * @last_thresh: what the tracer itself remembered from its last run; shows when it is selected
 *	without a threshold
 */
struct tracer_settings {
	char mode[16];
	uint64_t width;
	uint64_t window;
	uint64_t thresh;
	uint64_t last_thresh;
	bool has_last_thresh;
};

#define TRACER_STATE_FILE "/run/hadal-hwlat.state"

struct tracefs_instance;

/* --- hwlat_tracer_check.c ----------------------------------------------------------------- */

/* Whether the tracer is there, free, and allowed to this user. */
void tracer_check(struct finding *finding);

/* The parts of that. Each returns 0, or a negative errno with @why. */
int tracer_check_reachable(struct finding *why);
int tracer_check_free(struct finding *why);
int tracer_check_width(const struct hwlat_config *config, struct finding *why);

/* -EEXIST if the open state file holds what a dead guardian left. */
int tracer_check_leftover(int state_fd, struct finding *why);

/* Whether the instance (NULL: the top one) has the tracer selected. */
bool tracer_selected_in(struct tracefs_instance *instance);

/* --- hwlat_tracer_state.c ----------------------------------------------------------------- */

/* Opens and locks the file. Returns a descriptor, -EBUSY if somebody has it, or another errno. */
int tracer_state_lock(int flags);

/* The same, with @why in words. */
int tracer_state_open(int flags, struct finding *why);

/* Both return 0 or a negative errno; the last one closes the descriptor too. */
int tracer_state_write(int fd, const struct tracer_settings *set);
int tracer_state_read(int fd, struct tracer_settings *set);
void tracer_state_remove(int fd);

/* The file's text. Parsing returns 0 or -EINVAL. */
int tracer_settings_format(const struct tracer_settings *set, char *buf, size_t size);
int tracer_settings_parse(struct tracer_settings *set, const char *text);

/* --- hwlat_tracer_take.c ------------------------------------------------------------------ */

/*
 * Takes the tracer, which is reachable, with these settings, sampling still off, after writing what it found into the
 * file. On failure everything is as before and the file is gone.
 */
int tracer_take(int state_fd, const struct hwlat_config *config, struct finding *why);

/* Gives the tracer back as the file says, and removes the file. Returns the first error. */
int tracer_give_back(int state_fd, struct finding *why);

/* --- hwlat_guardian.c --------------------------------------------------------------------- */

struct guardian {
	pid_t pid;
	int life; /* while this end is open, the guardian waits */
};

/* Returns 0 when the tracer is taken; on failure nothing is left, no process either. */
int guardian_start(struct guardian *guardian, const struct hwlat_config *config,
		   struct finding *why);

/* Lets the guardian put everything back and waits for it. Returns what failed. */
int guardian_end(struct guardian *guardian);

#endif
