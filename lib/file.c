// SPDX-License-Identifier: MIT
/* Small text files of the kernel's: one read, one write. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/file.h"

static int read_all(int fd, char *buf, size_t size)
{
	size_t used = 0;

	while (used < size) {
		const ssize_t got = read(fd, buf + used, size - used);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0) {
			buf[used] = '\0';
			return 0;
		}
		used += (size_t)got;
	}
	return -EFBIG;
}

int file_read(const char *path, char *buf, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = read_all(fd, buf, size);
	close(fd);
	return err;
}

static int read_number(const char *path, int base, uint64_t *value)
{
	char text[64] = "", *end;
	int err = file_read(path, text, sizeof(text));

	if (err)
		return err;
	if (text[0] < '0' || text[0] > '9') /* strtoull() takes blanks and signs */
		return -EINVAL;
	errno = 0;
	*value = strtoull(text, &end, base);
	if (*end && *end != '\n')
		return -EINVAL;
	return -errno;
}

int file_read_u64(const char *path, uint64_t *value)
{
	return read_number(path, 10, value);
}

int file_read_hex(const char *path, uint64_t *value)
{
	return read_number(path, 16, value);
}

int file_write(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const size_t length = strlen(text);
	ssize_t done;
	int err = 0;

	if (fd < 0)
		return -errno;
	do
		done = write(fd, text, length);
	while (done < 0 && errno == EINTR);
	if (done != (ssize_t)length)
		err = done < 0 ? -errno : -EIO;
	close(fd);
	return err;
}

bool file_has_word(const char *path, const char *word)
{
	char text[4096], *save, *found;

	if (file_read(path, text, sizeof(text)))
		return false;
	for (found = strtok_r(text, " \n", &save); found; found = strtok_r(NULL, " \n", &save))
		if (strcmp(found, word) == 0)
			return true;
	return false;
}
