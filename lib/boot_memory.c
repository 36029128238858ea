// SPDX-License-Identifier: MIT
/*
 * /dev/mem, mapped only: read() fails for addresses above the kernel's own mapping of memory.
 * Which of the many ways to be shut out of it applies is said here.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/boot_iomem.h"
#include "lib/boot_memory.h"

#define PATH "/dev/mem"

/* The word in brackets is the one that holds. */
static bool locked_down(const struct boot_tree *tree, const char **level)
{
	char text[80];

	if (boot_tree_text(tree, "/sys/kernel/security/lockdown", text, sizeof(text)) < 0)
		return false;
	*level = strstr(text, "[integrity]")	   ? "integrity" :
		 strstr(text, "[confidentiality]") ? "confidentiality" :
						     NULL;
	return *level != NULL;
}

/* EPERM has two causes: the kernel's lockdown, and a process without CAP_SYS_RAWIO. */
static void say_not_permitted(const struct boot_tree *tree, struct finding *finding)
{
	const char *level;

	if (locked_down(tree, &level))
		finding_set(
			finding, FINDING_BLOCKED,
			"Turn Secure Boot off in the firmware's setup, or use a kernel of 6.2 or "
			"later with CONFIG_GOOGLE_CBMEM, which needs no " PATH ".",
			PATH " is closed by kernel lockdown (%s), which Secure Boot turns on",
			level);
	else
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal boot",
			    PATH " needs the capability CAP_SYS_RAWIO");
}

static void say_open(const struct boot_tree *tree, int err, struct finding *finding)
{
	if (err == -ENOENT)
		finding_set(finding, FINDING_ABSENT,
			    "Run hadal on the host if this is a container; else use a kernel with "
			    "CONFIG_DEVMEM or CONFIG_GOOGLE_CBMEM.",
			    "there is no " PATH ": a container, or a kernel without CONFIG_DEVMEM");
	else if (err == -EACCES)
		finding_set(finding, FINDING_BLOCKED, "Run it as root: sudo hadal boot",
			    PATH " may be read by root only");
	else if (err == -EPERM)
		say_not_permitted(tree, finding);
	else
		finding_set(finding, FINDING_BLOCKED, "See why: sudo dmesg | tail",
			    PATH " cannot be opened: %s", strerror(-err));
}

int boot_memory_open(struct boot_memory *mem, const struct boot_tree *tree, bool writable,
		     struct finding *finding)
{
	struct stat st;

	mem->fd = boot_tree_file(tree, PATH, writable ? O_RDWR : O_RDONLY);
	mem->end = UINT64_MAX;
	if (mem->fd < 0) {
		say_open(tree, mem->fd, finding);
		return mem->fd;
	}
	if (fstat(mem->fd, &st) == 0 && S_ISREG(st.st_mode))
		mem->end = (uint64_t)st.st_size;
	mem->iomem = boot_iomem_open(tree);
	return 0;
}

void boot_memory_close(struct boot_memory *mem)
{
	if (mem->fd < 0)
		return;
	if (mem->iomem >= 0)
		close(mem->iomem);
	close(mem->fd);
	mem->fd = -1;
}

/* struct window - the whole pages around a piece of memory */
struct window {
	uint8_t *pages;
	size_t len;
	size_t skip;
};

static int map(const struct boot_memory *mem, uint64_t address, size_t len, int prot,
	       struct window *win)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t start = address & ~(page - 1);

	if (!len || len > BOOT_MEMORY_MAX)
		return -EINVAL;
	if (address > INT64_MAX - BOOT_MEMORY_MAX || address > mem->end || len > mem->end - address)
		return -EFAULT;
	win->skip = (size_t)(address - start);
	win->len = win->skip + len;
	win->pages = mmap(NULL, win->len, prot, MAP_SHARED, mem->fd, (off_t)start);
	return win->pages == MAP_FAILED ? -errno : 0;
}

/* Some CPUs fault on loads from such memory that are not aligned. */
static void copy_aligned(uint8_t *to, const uint8_t *from, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		size_t in_word = (uintptr_t)(from + i) % sizeof(uint32_t);
		const volatile uint32_t *word = (const void *)(from + i - in_word);
		uint32_t value = *word;

		to[i] = ((const uint8_t *)&value)[in_word];
	}
}

int boot_memory_copy(const struct boot_memory *mem, uint64_t address, size_t len, void *buf)
{
	struct window win;
	int ret = map(mem, address, len, PROT_READ, &win);

	if (ret < 0)
		return ret;
	copy_aligned(buf, win.pages + win.skip, len);
	munmap(win.pages, win.len);
	return 0;
}

int boot_memory_store(const struct boot_memory *mem, uint64_t address, size_t len,
		      const void *bytes)
{
	struct window win;
	int ret = map(mem, address, len, PROT_READ | PROT_WRITE, &win);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < len; i++)
		((volatile uint8_t *)win.pages)[win.skip + i] = ((const uint8_t *)bytes)[i];
	munmap(win.pages, win.len);
	return 0;
}

void boot_memory_say(struct finding *finding, int err, const char *what, uint64_t address)
{
	if (err == -EPERM)
		finding_set(finding, FINDING_BLOCKED,
			    "The firmware or its payload should report that memory as reserved; a "
			    "kernel without CONFIG_STRICT_DEVMEM would let it be read.",
			    "%s at 0x%" PRIx64
			    " is in memory that the kernel uses (CONFIG_STRICT_DEVMEM)",
			    what, address);
	else if (err == -EFAULT)
		finding_set(finding, FINDING_ABSENT, "Report it to the firmware's makers.",
			    "%s is said to be at 0x%" PRIx64 ", where there is no memory", what,
			    address);
	else
		finding_set(finding, FINDING_BLOCKED, "See why: sudo dmesg | tail",
			    "%s at 0x%" PRIx64 " cannot be mapped: %s", what, address,
			    strerror(-err));
}
