// SPDX-License-Identifier: MIT
/*
 * What systemd's manager told the journal: "Startup finished in ...", with the lengths as fields.
 * Journals belong to root, so that root reads them without any capability.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <systemd/sd-journal.h>

#include "lib/boot_systemd.h"

/* SD_MESSAGE_STARTUP_FINISHED, by the system's manager and nobody else. */
#define MESSAGE "MESSAGE_ID=b07a249cd024414a82dd00cd181378ff"
#define MANAGER "_PID=1"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* Longer than any boot; sums of them still are numbers of microseconds. */
#define MAX_USEC (UINT64_MAX / 16)

/* The running boot's ID as a match, without the dashes; nothing if the tree has none. */
static int match_boot(sd_journal *journal, const struct boot_tree *tree)
{
	char text[64], match[80] = "_BOOT_ID=";
	size_t len = strlen(match);

	if (boot_tree_text(tree, BOOT_ID, text, sizeof(text)) <= 0)
		return 0;
	for (const char *p = text; *p; p++)
		if (*p != '-')
			match[len++] = *p;
	return sd_journal_add_match(journal, match, len);
}

/* The number in a field of the entry. 1, 0 if there is no such field, -EBADMSG if it is none. */
static int field(sd_journal *journal, const char *name, uint64_t *usec)
{
	size_t len, skip = strlen(name) + 1;
	const void *data;
	const char *text;

	*usec = 0;
	if (sd_journal_get_data(journal, name, &data, &len) < 0)
		return 0;
	text = data;
	for (size_t i = skip; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' || *usec > MAX_USEC / 10 - 1)
			return -EBADMSG;
		*usec = *usec * 10 + (uint64_t)(text[i] - '0');
	}
	return len > skip ? 1 : -EBADMSG;
}

/* Lengths become marks. A manager in a container knows nothing of a kernel's start. */
static int read_entry(sd_journal *journal, struct boot_systemd *marks)
{
	static const char *const names[] = { "FIRMWARE_USEC", "LOADER_USEC", "KERNEL_USEC",
					     "INITRD_USEC", "USERSPACE_USEC" };
	enum { FIRMWARE, LOADER, KERNEL, INITRD, USERSPACE, LENGTHS };
	uint64_t usec[LENGTHS];

	for (size_t i = 0; i < LENGTHS; i++)
		if (field(journal, names[i], &usec[i]) < 0)
			return -EBADMSG;
	if (!usec[KERNEL])
		return -EBADMSG;
	*marks = (struct boot_systemd){ 0 };
	marks->usec[SYSTEMD_LOADER] = usec[LOADER];
	marks->usec[SYSTEMD_FIRMWARE] = usec[FIRMWARE] + usec[LOADER];
	marks->usec[SYSTEMD_INITRD] = usec[INITRD] ? usec[KERNEL] : 0;
	marks->usec[SYSTEMD_USERSPACE] = usec[KERNEL] + usec[INITRD];
	marks->usec[SYSTEMD_FINISH] = marks->usec[SYSTEMD_USERSPACE] + usec[USERSPACE];
	return 0;
}

/* The last such message of the journal; a manager that was executed again may tell it again. */
static int find_entry(sd_journal *journal, const struct boot_tree *tree, struct boot_systemd *marks)
{
	int ret = sd_journal_add_match(journal, MESSAGE, strlen(MESSAGE));

	if (ret >= 0)
		ret = sd_journal_add_match(journal, MANAGER, strlen(MANAGER));
	if (ret >= 0)
		ret = match_boot(journal, tree);
	if (ret >= 0)
		ret = sd_journal_seek_tail(journal);
	if (ret >= 0)
		ret = sd_journal_previous(journal);
	if (ret == 0)
		return -ENOENT;
	return ret < 0 ? ret : read_entry(journal, marks);
}

static int read_folder(const struct boot_tree *tree, const char *path, struct boot_systemd *marks)
{
	int fd = boot_tree_file(tree, path, O_RDONLY | O_DIRECTORY);
	sd_journal *journal = NULL;
	int ret;

	if (fd < 0)
		return fd;
	ret = sd_journal_open_directory_fd(&journal, fd, 0);
	if (ret >= 0)
		ret = find_entry(journal, tree, marks);
	sd_journal_close(journal);
	close(fd);
	/* Files that may not be read are left out without a word. */
	return ret == -ENOENT && geteuid() != 0 ? -EACCES : ret;
}

/* In memory, or once the journal has been flushed, on disk. */
int boot_systemd_journal(const struct boot_tree *tree, struct boot_systemd *marks)
{
	int ret = read_folder(tree, "/run/log/journal", marks), disk;

	if (ret != -ENOENT && ret != -EACCES)
		return ret;
	disk = read_folder(tree, "/var/log/journal", marks);
	return disk == -ENOENT ? ret : disk;
}
