// SPDX-License-Identifier: MIT
/* Appends one stamp to the table that firmware left. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/timestamp_table.h"
#include "hadal/boot_add.h"
#include "lib/boot_counter.h"
#include "lib/boot_table_find.h"

#define SYSFS_MEM "/sys/bus/coreboot/devices/cbmem-54494d45/mem"
#define DEVICETREE_REG "/proc/device-tree/firmware/coreboot/reg"

/* struct hadal_add - the open table: the bus's file if @fd is not -1, else memory */
struct hadal_add {
	struct boot_tree tree;
	int fd;
	struct boot_memory mem;
	uint64_t address;
};

int hadal_add_open(struct hadal_add **result, const char *root, struct finding *finding)
{
	struct hadal_add *add = malloc(sizeof(*add));
	int ret;

	if (!add)
		return -ENOMEM;
	*add = (struct hadal_add){ .fd = -1, .mem = { .fd = -1 } };
	ret = boot_tree_open(&add->tree, root);
	if (ret < 0)
		finding_set(finding, FINDING_ABSENT, "Name the folder where the host's files are.",
			    "%s: %s", root, strerror(-ret));
	if (ret == 0) {
		add->fd = boot_tree_file(&add->tree, SYSFS_MEM, O_RDWR);
		if (add->fd < 0)
			ret = boot_memory_open(&add->mem, &add->tree, true, finding);
	}
	if (ret < 0)
		hadal_add_close(add);
	else
		*result = add;
	return ret;
}

void hadal_add_close(struct hadal_add *add)
{
	if (add->fd >= 0)
		close(add->fd);
	boot_memory_close(&add->mem);
	boot_tree_close(&add->tree);
	free(add);
}

/* Reads @len bytes of the table from @off on. Less is an error. */
static int load(const struct hadal_add *add, size_t off, size_t len, void *buf)
{
	ssize_t got;

	if (add->fd < 0)
		return boot_memory_copy(&add->mem, add->address + off, len, buf);
	got = pread(add->fd, buf, len, (off_t)off);
	return got < 0 ? -errno : (size_t)got == len ? 0 : -EBADMSG;
}

static int store(const struct hadal_add *add, size_t off, size_t len, const void *bytes)
{
	ssize_t put;

	if (add->fd < 0)
		return boot_memory_store(&add->mem, add->address + off, len, bytes);
	put = pwrite(add->fd, bytes, len, (off_t)off);
	return put < 0 ? -errno : (size_t)put == len ? 0 : -EIO;
}

/* Where firmware's first table is, by the device tree where there is one. */
static int first_table(const struct hadal_add *add, uint64_t *address, struct finding *finding)
{
	uint8_t reg[32];
	ssize_t len = boot_tree_read(&add->tree, DEVICETREE_REG, reg, sizeof(reg));

	if (len >= 0 && boot_devicetree_table(reg, (size_t)len, address) == 0)
		return 0;
	return boot_table_search(&add->mem, address, finding);
}

/* Finds the table in memory; add->address becomes its. */
static int find_table(struct hadal_add *add, struct finding *finding)
{
	struct boot_gather gather = { 0 };
	uint64_t address;
	int ret = first_table(add, &address, finding);

	if (ret == 0)
		ret = boot_table_gather(&add->mem, address, &gather, finding);
	if (ret == 0 && !gather.stamps) {
		finding_set(finding, FINDING_ABSENT,
			    "Build the firmware with CONFIG_COLLECT_TIMESTAMPS.",
			    "coreboot's table at 0x%" PRIx64 " leads to no timestamps",
			    gather.table);
		ret = -ENOENT;
	}
	add->address = gather.stamps;
	boot_gather_free(&gather);
	return ret;
}

/* The time of now in ticks of a table at @mhz, 0 unknown and so the counter's own. */
static int now_in_ticks(uint16_t mhz, uint64_t *ticks, struct finding *finding)
{
	struct counter_rate rate = { 0 };
	uint64_t khz = (uint64_t)mhz * 1000, off;

	if (counter_readable() && mhz)
		counter_find_rate(&rate);
	if (!counter_readable() || (mhz && !rate.khz)) {
		finding_set(finding, FINDING_BLOCKED, "Nothing can be done: stamps need a counter.",
			    "this CPU's counter cannot be read by programs");
		return -EOPNOTSUPP;
	}
	*ticks = counter_now();
	off = khz > rate.khz ? khz - rate.khz : rate.khz - khz;
	/* Whole MHz are never quite the counter's rate; only another counter is further away. */
	if (mhz && off > rate.khz / 100)
		*ticks = (uint64_t)((unsigned __int128)*ticks * khz / rate.khz);
	return 0;
}

/* Refuses what cannot be appended to. */
static int check(const struct timestamp_view *view, struct finding *finding)
{
	if (view->bytes.big || !view->max || view->claimed > view->max) {
		finding_set(finding, FINDING_BLOCKED, "`hadal boot` shows what is sound in it.",
			    "the timestamp table is damaged, or another kind of CPU's");
		return -EBADMSG;
	}
	if (view->claimed < view->max)
		return 0;
	finding_set(finding, FINDING_BLOCKED, "Build firmware with a larger table.",
		    "the timestamp table is full: %u of %u", view->claimed, view->max);
	return -ENOSPC;
}

/* The entry first, the count after it: a reader in between sees the table as it was. */
static int append(const struct hadal_add *add, const struct timestamp_view *view, uint32_t id,
		  int64_t ticks)
{
	uint8_t entry[sizeof(struct timestamp_entry)], count[4];
	size_t off = sizeof(struct timestamp_table) + (size_t)view->claimed * sizeof(entry);
	int ret;

	store_le32(entry, id);
	store_le64(entry + offsetof(struct timestamp_entry, entry_stamp), (uint64_t)ticks);
	store_le32(count, view->claimed + 1);
	/* A slot that cannot be read is not the table's, whatever its header says. */
	ret = load(add, off, sizeof(entry), (uint8_t[sizeof(entry)]){ 0 });
	if (ret == 0)
		ret = store(add, off, sizeof(entry), entry);
	if (ret == 0)
		ret = store(add, offsetof(struct timestamp_table, num_entries), sizeof(count),
			    count);
	return ret;
}

int hadal_add_stamp(struct hadal_add *add, uint32_t id, int64_t *ticks, struct finding *finding)
{
	uint8_t header[sizeof(struct timestamp_table)];
	const struct bytes bytes = { header, sizeof(header), false };
	struct timestamp_view view = { 0 };
	uint64_t now;
	int ret = add->fd < 0 ? find_table(add, finding) : 0;

	if (ret < 0)
		return ret;
	ret = load(add, 0, sizeof(header), header);
	if (ret == 0)
		ret = timestamp_view_open(&view, &bytes);
	if (ret < 0) {
		finding_set(finding, FINDING_BLOCKED,
			    "`hadal boot -v` says what can be read of it.",
			    "the timestamp table cannot be read: %s", strerror(-ret));
		return ret;
	}
	ret = check(&view, finding);
	if (ret == 0)
		ret = now_in_ticks(view.mhz, &now, finding);
	if (ret < 0)
		return ret;
	*ticks = (int64_t)(now - view.base_time);
	ret = append(add, &view, id, *ticks);
	if (ret < 0)
		finding_set(finding, FINDING_BLOCKED, "See why: sudo dmesg | tail",
			    "the timestamp table cannot be written: %s", strerror(-ret));
	return ret;
}

static const struct hadal_boot_id *find_name(const char *name)
{
	for (size_t i = 0; i < hadal_boot_id_count; i++)
		if (strcmp(hadal_boot_ids[i].name, name) == 0)
			return &hadal_boot_ids[i];
	return NULL;
}

/* TS_WORD_REST becomes TS_REST_WORD: names began with START and END until 2022. */
static const struct hadal_boot_id *find_turned(const char *name, const char *word)
{
	size_t len = strlen(word);
	char turned[64];

	if (strncmp(name, "TS_", 3) != 0 || strncmp(name + 3, word, len) != 0 ||
	    name[3 + len] != '_' || strlen(name) >= sizeof(turned))
		return NULL;
	snprintf(turned, sizeof(turned), "TS_%s_%s", name + 3 + len + 1, word);
	return find_name(turned);
}

const struct hadal_boot_id *hadal_boot_id_by_name(const char *name)
{
	const struct hadal_boot_id *id = find_name(name);
	size_t len = strlen(name);
	char ended[64];

	if (!id)
		id = find_turned(name, "START");
	if (!id)
		id = find_turned(name, "END");
	if (id || len < 5 || len >= sizeof(ended) || strcmp(name + len - 5, "_DONE") != 0)
		return id;
	snprintf(ended, sizeof(ended), "%.*s_END", (int)len - 5, name);
	return find_name(ended);
}
