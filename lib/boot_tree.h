/* SPDX-License-Identifier: MIT */
/* The files of a machine: this one's, or another's below a folder, whose links stay inside it. */
#ifndef HADAL_LIB_BOOT_TREE_H
#define HADAL_LIB_BOOT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * struct boot_tree - where the files are
 * @root: the root folder, or AT_FDCWD where it is this machine's own
 * @path: the root folder's name, "" for this machine's own
 */
struct boot_tree {
	int root;
	const char *path;
};

/* Opens the tree below @path, which must outlive it; NULL is this machine. 0 or -errno. */
int boot_tree_open(struct boot_tree *tree, const char *path);
void boot_tree_close(struct boot_tree *tree);

/* True if it is the machine that we run on. */
bool boot_tree_is_live(const struct boot_tree *tree);

/* Opens the file whose absolute path on its machine is @path. A descriptor or -errno. */
int boot_tree_file(const struct boot_tree *tree, const char *path, int flags);

/*
 * Reads a file from its start, at most @size bytes of it. The size or -errno; -EFBIG if there is
 * more. The second form takes an open file and leaves it open.
 */
ssize_t boot_tree_read(const struct boot_tree *tree, const char *path, void *buf, size_t size);
ssize_t boot_tree_read_fd(int fd, void *buf, size_t size);

/* The same for text: the line end is cut off, and @buf ends with a NUL. */
ssize_t boot_tree_text(const struct boot_tree *tree, const char *path, char *buf, size_t size);

/* True if there is something at @path. */
bool boot_tree_has(const struct boot_tree *tree, const char *path);

/*
 * Calls @entry with each name in the folder at @path, hidden ones left out, until it returns
 * other than 0. Returns what the last call did, or -errno.
 */
int boot_tree_each(const struct boot_tree *tree, const char *path,
		   int (*entry)(void *context, const char *name), void *context);

#endif
