// SPDX-License-Identifier: MIT
/* The file in /run that holds the tracer's settings as they were found, locked by who will restore. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/hwlat_tracer.h"

int tracer_state_lock(int flags)
{
	struct stat stat;
	int fd;

	for (;;) {
		fd = open(TRACER_STATE_FILE, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
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
	const int fd = tracer_state_lock(flags);

	if (fd == -EBUSY)
		finding_set(why, FINDING_BLOCKED, "Wait until the other run has ended.",
			    "busy: another hadal run has it");
	else if (fd < 0)
		finding_set(
			why, FINDING_BLOCKED,
			"The tracer's settings are kept there while it is used; make room for it.",
			"%s: %s", TRACER_STATE_FILE, strerror(-fd));
	return fd;
}

int tracer_settings_format(const struct tracer_settings *set, char *buf, size_t size)
{
	int length =
		snprintf(buf, size,
			 "width=%" PRIu64 "\nwindow=%" PRIu64 "\nthresh=%" PRIu64 "\nmode=%s\n",
			 set->width, set->window, set->thresh, set->mode);

	if (set->has_last_thresh)
		length += snprintf(buf + length, size - (size_t)length, "last_thresh=%" PRIu64 "\n",
				   set->last_thresh);
	return length;
}

/* Takes "NAME=NUMBER\n" off the text. */
static int take_number(const char **text, const char *name, uint64_t *value)
{
	const size_t length = strlen(name);
	char *end;

	if (strncmp(*text, name, length) != 0)
		return -EINVAL;
	errno = 0;
	*value = strtoull(*text + length, &end, 10);
	if (errno || end == *text + length || *end != '\n')
		return -EINVAL;
	*text = end + 1;
	return 0;
}

static int take_mode(const char **text, char *mode, size_t size)
{
	const size_t name = strlen("mode=");
	size_t length;

	if (strncmp(*text, "mode=", name) != 0)
		return -EINVAL;
	length = strcspn(*text + name, "\n");
	if (length >= size || (*text)[name + length] != '\n')
		return -EINVAL;
	memcpy(mode, *text + name, length);
	*text += name + length + 1;
	return 0;
}

int tracer_settings_parse(struct tracer_settings *set, const char *text)
{
	*set = (struct tracer_settings){ 0 };
	if (take_number(&text, "width=", &set->width) ||
	    take_number(&text, "window=", &set->window) ||
	    take_number(&text, "thresh=", &set->thresh) ||
	    take_mode(&text, set->mode, sizeof(set->mode)))
		return -EINVAL;
	set->has_last_thresh = take_number(&text, "last_thresh=", &set->last_thresh) == 0;
	return *text ? -EINVAL : 0;
}

int tracer_state_write(int fd, const struct tracer_settings *set)
{
	char text[256];
	const int length = tracer_settings_format(set, text, sizeof(text));

	if (pwrite(fd, text, (size_t)length, 0) != length)
		return errno ? -errno : -ENOSPC;
	return 0;
}

int tracer_state_read(int fd, struct tracer_settings *set)
{
	char text[256] = "";

	if (pread(fd, text, sizeof(text) - 1, 0) < 0)
		return -errno;
	return tracer_settings_parse(set, text);
}

void tracer_state_remove(int fd)
{
	unlink(TRACER_STATE_FILE);
	close(fd);
}
