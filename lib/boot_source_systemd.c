// SPDX-License-Identifier: MIT
/* systemd's marks: over a bus from the manager, else from the journal. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/boot_source.h"
#include "lib/boot_systemd.h"

/*
 * struct systemd - where to ask
 * @fd: the bus's socket, or -errno
 * @private: it is the manager's own
 */
struct systemd {
	const struct boot_tree *tree;
	int fd;
	int private;
};

static void *systemd_open(const struct boot_tree *tree, struct finding *finding)
{
	struct systemd *systemd = malloc(sizeof(*systemd));

	if (!systemd)
		return boot_source_no_memory(finding);
	systemd->tree = tree;
	systemd->fd = boot_systemd_connect(tree->path, &systemd->private);
	return systemd;
}

static void systemd_close(void *state)
{
	struct systemd *systemd = state;

	if (systemd->fd >= 0)
		close(systemd->fd);
	free(systemd);
}

/* Neither way led anywhere: @bus is what came of the one, @journal of the other. */
static void say_nothing(int bus, int journal, struct finding *finding)
{
	if (journal == -EBADMSG)
		finding_set(finding, FINDING_ABSENT,
			    "Run hadal on the host if this is a container.",
			    "what systemd told the journal has no times of a kernel in it");
	else if (journal == -EACCES)
		finding_set(
			finding, FINDING_BLOCKED, "Run it as root: sudo hadal boot",
			"no system bus, and nothing of this boot in what you may read of the journal");
	else if (bus == -ENOENT || bus == -ECONNREFUSED)
		finding_set(
			finding, FINDING_ABSENT,
			"Run hadal on the host if this is a container; other init systems leave no marks.",
			"there is no system bus and nothing of this boot in a journal: systemd is "
			"not running, or this is a container");
	else
		finding_set(
			finding, FINDING_ABSENT, "See why: systemctl status",
			"no systemd manager answers on the system bus (%s), and the journal has "
			"nothing of this boot",
			strerror(-bus));
}

/* Fills @marks and says in @from where they are from. 0, or -errno after setting @finding. */
static int read_marks(struct systemd *systemd, struct boot_systemd *marks, const char **from,
		      struct finding *finding)
{
	int bus = systemd->fd, journal;

	*from = systemd->private ? "the manager's marks, over its own socket" :
				   "the manager's marks, over the bus";
	if (bus >= 0)
		bus = boot_systemd_ask(&systemd->fd, systemd->private, marks);
	if (bus == 0)
		return 0;
	*from = "what the manager told the journal";
	journal = boot_systemd_journal(systemd->tree, marks);
	if (journal < 0)
		say_nothing(bus, journal, finding);
	return journal;
}

static int add(struct hadal_boot *boot, enum hadal_clock clock, const char *name, uint64_t start,
	       uint64_t end)
{
	const uint64_t max = INT64_MAX / 1000;

	if (!end)
		return 0;
	if (end > max || start > end)
		return hadal_lines_add(&boot->damage,
				       "systemd: %s from %" PRIu64 " to %" PRIu64 " us cannot be",
				       name, start, end);
	return hadal_boot_add_span(boot, "systemd", clock, name, (int64_t)start * 1000,
				   (int64_t)(end - start) * 1000);
}

/* True if it is known where systemd has its numbers about firmware from. */
static bool has_original(const struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->span_count; i++)
		if (strcmp(boot->spans[i].source, "fpdt") == 0 ||
		    strcmp(boot->spans[i].source, "loader") == 0)
			return true;
	return false;
}

static int add_firmware(struct hadal_boot *boot, uint64_t total, uint64_t loader)
{
	int ret;

	if (total < loader || has_original(boot))
		return 0;
	ret = add(boot, HADAL_CLOCK_COUNTER, "firmware", 0, total - loader);
	if (ret == 0 && loader)
		ret = add(boot, HADAL_CLOCK_COUNTER, "boot loader", total - loader, total);
	return ret;
}

/* What the manager did from @start to @end, a 0 meaning now: the pairs of marks at @usec. */
static int add_details(struct hadal_boot *boot, const uint64_t *usec, uint64_t start, uint64_t end)
{
	static const char *const names[] = { "loading the security policy", "running generators",
					     "loading units" };
	size_t before = boot->span_count;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < 3; i++, usec += 2)
		if (usec[0] && start <= usec[0] && (!end || usec[1] <= end))
			ret = add(boot, HADAL_CLOCK_KERNEL, names[i], usec[0], usec[1]);
	for (size_t i = before; i < boot->span_count; i++)
		boot->spans[i].depth = 1;
	return ret;
}

static int add_spans(struct hadal_boot *boot, const uint64_t *usec)
{
	uint64_t initrd = usec[SYSTEMD_INITRD], userspace = usec[SYSTEMD_USERSPACE];
	int ret = add_firmware(boot, usec[SYSTEMD_FIRMWARE], usec[SYSTEMD_LOADER]);

	if (ret == 0)
		ret = add(boot, HADAL_CLOCK_KERNEL, "kernel", 0, initrd ? initrd : userspace);
	if (ret == 0 && initrd)
		ret = add(boot, HADAL_CLOCK_KERNEL, "initrd", initrd, userspace);
	if (ret == 0 && initrd)
		ret = add_details(boot, &usec[SYSTEMD_INITRD_SECURITY], initrd, userspace);
	if (ret == 0)
		ret = add(boot, HADAL_CLOCK_KERNEL, "user space", userspace, usec[SYSTEMD_FINISH]);
	if (ret == 0)
		ret = add_details(boot, &usec[SYSTEMD_SECURITY], userspace, usec[SYSTEMD_FINISH]);
	return ret;
}

static int systemd_read(void *state, struct hadal_boot *boot, struct finding *finding)
{
	struct boot_systemd marks = { 0 };
	const char *from;

	if (read_marks(state, &marks, &from, finding) < 0)
		return 0;
	if (add_spans(boot, marks.usec) < 0)
		return -ENOMEM;
	if (marks.usec[SYSTEMD_FINISH])
		finding_set(finding, FINDING_READY, NULL, "%s", from);
	else
		finding_set(finding, FINDING_READY,
			    "systemctl list-jobs shows what is being waited for.",
			    "%s; user space has not finished yet", from);
	return 1;
}

const struct boot_source boot_source_systemd = {
	.name = "systemd",
	.open = systemd_open,
	.read = systemd_read,
	.close = systemd_close,
};
