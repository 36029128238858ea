// SPDX-License-Identifier: MIT
/* Files and pipes that hold recordings. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/boot.h"

/* More than any image of memory that makes sense through a pipe. */
#define PIPE_BYTES_MAX ((size_t)1 << 30)

void boot_input_close(struct input *in)
{
	if (in->mapped)
		munmap(in->bytes, in->len);
	else
		free(in->bytes);
	*in = (struct input){ 0 };
}

static int read_all(struct input *in, int fd)
{
	size_t room = 0;
	ssize_t got;
	void *grown;

	do {
		if (in->len == room) {
			room = room ? room * 2 : 65536;
			if (room > PIPE_BYTES_MAX)
				return -EFBIG;
			grown = realloc(in->bytes, room);
			if (!grown)
				return -ENOMEM;
			in->bytes = grown;
		}
		got = read(fd, (char *)in->bytes + in->len, room - in->len);
		if (got < 0 && errno != EINTR)
			return -errno;
		in->len += got > 0 ? (size_t)got : 0;
	} while (got != 0);
	return 0;
}

/* Regular files are mapped: images of memory are large and mostly empty. */
static int input_load(struct input *in, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode) || st.st_size == 0)
		return read_all(in, fd);
	in->bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (in->bytes == MAP_FAILED) {
		in->bytes = NULL;
		return -errno;
	}
	in->len = (size_t)st.st_size;
	in->mapped = true;
	return 0;
}

static int input_open(struct input *in, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	*in = (struct input){ 0 };
	if (fd < 0)
		return -errno;
	ret = input_load(in, fd);
	if (ret < 0)
		boot_input_close(in);
	if (!is_stdin)
		close(fd);
	return ret;
}

/* A file that is none is bad input, not a poor machine. */
int boot_input_open(struct input *in, const char *path)
{
	int ret = input_open(in, path);

	if (ret == 0)
		return STATUS_DONE;
	cli_error(path,
		  ret == -EACCES ? "Read it as a user who may, or copy it first." :
				   "Name a recording with -i, or - for standard input.",
		  "cannot be read: %s", strerror(-ret));
	return ret == -EACCES || ret == -ENOMEM ? STATUS_IMPOSSIBLE : STATUS_BAD_INPUT;
}
