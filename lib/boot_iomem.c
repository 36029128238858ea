// SPDX-License-Identifier: MIT
/* The kernel's list of what is where in physical memory, a line for each piece. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "lib/boot_iomem.h"

/* A line has some 40 bytes; the largest machines have a few thousand. */
#define LIST_BYTES 0x100000u

/* coreboot's ACPI device, and the same where the firmware's vendor is ChromeOS. */
static const char *const devices[] = { " : BOOT0000:", " : GOOGCB00:" };

int boot_iomem_open(const struct boot_tree *tree)
{
	return boot_tree_file(tree, "/proc/iomem", O_RDONLY);
}

/* The address at the start of the line in which @device is found first. */
static int find_device(const char *text, const char *device, uint64_t *address)
{
	const char *line = strstr(text, device);
	char *end;

	if (!line)
		return -ENOENT;
	while (line > text && line[-1] != '\n')
		line--;
	*address = strtoull(line, &end, 16);
	return *end == '-' && *address ? 0 : -ENOENT;
}

int boot_iomem_table(int fd, uint64_t *address)
{
	char *text = malloc(LIST_BYTES + 1);
	ssize_t len;
	int ret;

	if (!text)
		return -ENOMEM;
	len = boot_tree_read_fd(fd, text, LIST_BYTES);
	ret = len < 0 ? (int)len : -ENOENT;
	text[len < 0 ? 0 : len] = '\0';
	for (size_t i = 0; ret == -ENOENT && i < sizeof(devices) / sizeof(devices[0]); i++)
		ret = find_device(text, devices[i], address);
	free(text);
	return ret;
}
