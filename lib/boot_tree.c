// SPDX-License-Identifier: MIT
/* Opens and reads files of this machine or of a tree that is another's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/boot_tree.h"

int boot_tree_open(struct boot_tree *tree, const char *path)
{
	*tree = (struct boot_tree){ .root = AT_FDCWD, .path = path ? path : "" };
	if (!path)
		return 0;
	tree->root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return tree->root < 0 ? -errno : 0;
}

void boot_tree_close(struct boot_tree *tree)
{
	if (tree->root >= 0)
		close(tree->root);
	tree->root = AT_FDCWD;
}

bool boot_tree_is_live(const struct boot_tree *tree)
{
	return tree->root == AT_FDCWD;
}

int boot_tree_file(const struct boot_tree *tree, const char *path, int flags)
{
	struct open_how how = { .flags = (unsigned int)(flags | O_CLOEXEC),
				.resolve = RESOLVE_IN_ROOT };
	int fd;

	if (boot_tree_is_live(tree))
		fd = open(path, flags | O_CLOEXEC);
	else
		fd = (int)syscall(SYS_openat2, tree->root, path, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

ssize_t boot_tree_read_fd(int fd, void *buf, size_t size)
{
	size_t len = 0;
	ssize_t got;
	char more;

	while (len < size) {
		got = pread(fd, (char *)buf + len, size - len, (off_t)len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return (ssize_t)len;
		len += (size_t)got;
	}
	return pread(fd, &more, 1, (off_t)len) > 0 ? -EFBIG : (ssize_t)len;
}

ssize_t boot_tree_read(const struct boot_tree *tree, const char *path, void *buf, size_t size)
{
	int fd = boot_tree_file(tree, path, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		return fd;
	len = boot_tree_read_fd(fd, buf, size);
	close(fd);
	return len;
}

ssize_t boot_tree_text(const struct boot_tree *tree, const char *path, char *buf, size_t size)
{
	ssize_t len = boot_tree_read(tree, path, buf, size - 1);

	buf[len > 0 ? len : 0] = '\0';
	if (len > 0 && buf[len - 1] == '\n')
		buf[--len] = '\0';
	return len;
}

bool boot_tree_has(const struct boot_tree *tree, const char *path)
{
	int fd = boot_tree_file(tree, path, O_PATH);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

int boot_tree_each(const struct boot_tree *tree, const char *path,
		   int (*entry)(void *context, const char *name), void *context)
{
	int fd = boot_tree_file(tree, path, O_RDONLY | O_DIRECTORY);
	struct dirent *found;
	int ret = 0;
	DIR *dir;

	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -ENOMEM;
	}
	while (ret == 0 && (found = readdir(dir)) != NULL)
		if (found->d_name[0] != '.')
			ret = entry(context, found->d_name);
	closedir(dir);
	return ret;
}
