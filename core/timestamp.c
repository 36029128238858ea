// SPDX-License-Identifier: MIT
/* The timestamp library of firmware; timestamp.h says how it is used. */
#include "core/timestamp.h"

#include "core/cbmem_abi.h"
#include "core/error.h"
#include "core/load.h"

/* Chosen by measuring: inlined, the library grows by a quarter. */
#define CALLED __attribute__((noinline))

#define TABLE_BYTES(entries)                                                                       \
	(sizeof(struct timestamp_table) + (entries) * sizeof(struct timestamp_entry))

static struct timestamp_entry *entries_of(struct timestamp_table *table)
{
	return (struct timestamp_entry *)(table + 1);
}

static CALLED void stash_reset(struct timestamp_stash *stash, enum timestamp_cache_state state)
{
	__builtin_memset(stash, 0, sizeof(*stash));
	store_le16(&stash->cache.cache_state, (uint16_t)state);
	store_le16(&stash->cache.table.max_entries, PORT_TIMESTAMP_CACHE_ENTRIES);
}

/* The cache in use, reset if it holds what cannot be true: BSS zeros, or a region's garbage. */
static CALLED struct timestamp_stash *stash_get(struct timestamp_stage *stage)
{
	struct timestamp_stash *stash = port_timestamp_region();

	if (!stash)
		stash = &stage->stash;
	if (load_le16(&stash->cache.cache_state) > TIMESTAMP_CACHE_NOT_NEEDED ||
	    load_le16(&stash->cache.table.max_entries) != PORT_TIMESTAMP_CACHE_ENTRIES ||
	    load_le32(&stash->cache.table.num_entries) > PORT_TIMESTAMP_CACHE_ENTRIES)
		stash_reset(stash, TIMESTAMP_CACHE_UNINITIALIZED);
	return stash;
}

/* The table that takes stamps now. */
static struct timestamp_table *table_get(struct timestamp_stage *stage)
{
	return stage->table ? stage->table : &stash_get(stage)->cache.table;
}

/*
 * Adds to one of the companion's counts, and takes as much from its check. Other CPUs count here
 * while the boot CPU does. Until there is CBMEM the stash keeps the counts and nothing else.
 */
static CALLED void count(struct timestamp_stage *stage, size_t offset, uint32_t by)
{
	struct timestamp_companion *companion = stage->companion;

	if (!companion)
		companion = &stash_get(stage)->companion;
	atomic_add_le32((uint32_t *)((uint8_t *)companion + offset), by);
	atomic_add_le32(&companion->check, -by);
}

static bool is_boot_cpu(struct timestamp_stage *stage)
{
	if (port_is_boot_cpu())
		return true;
	count(stage, offsetof(struct timestamp_companion, refused), 1);
	return false;
}

/* Gives a table without a base one, keeping the times of what it holds. */
static void table_set_base(struct timestamp_table *table, uint64_t base)
{
	struct timestamp_entry *entry = entries_of(table);
	uint32_t left = load_le32(&table->num_entries);

	if (load_le64(&table->base_time))
		return;
	store_le64(&table->base_time, base);
	for (; left; left--, entry++)
		store_le64(&entry->entry_stamp, load_le64(&entry->entry_stamp) - base);
}

/* Appends a stamp, @time being ticks since the counter's zero. Returns how many fitted. */
static CALLED int table_add(struct timestamp_stage *stage, uint32_t id, uint64_t time)
{
	struct timestamp_table *table = table_get(stage);
	uint32_t n = load_le32(&table->num_entries);
	struct timestamp_entry *entry = entries_of(table) + n;

	if (n >= load_le16(&table->max_entries)) {
		count(stage, offsetof(struct timestamp_companion, dropped), 1);
		return 0;
	}
	store_le32(&entry->entry_id, id);
	store_le64(&entry->entry_stamp, time - load_le64(&table->base_time));
	store_le32(&table->num_entries, n + 1);
	return 1;
}

/* The table of the boot before the suspend, moved out of the way of the fresh one. */
static uint32_t keep_presuspend(const struct timestamp_table *table, size_t bytes)
{
	size_t room = bytes;
	void *kept = port_cbmem_entry(CBMEM_ID_TIMESTAMP_PRESUSPEND, &room);

	if (!kept || room < bytes)
		return 0;
	__builtin_memcpy(kept, table, bytes);
	return CBMEM_ID_TIMESTAMP_PRESUSPEND;
}

/* Makes the eight words add up to 0xffffffff, whatever the check was. */
static void companion_seal(struct timestamp_companion *companion)
{
	uint32_t sum = 0;

	for (size_t off = 0; off < sizeof(*companion); off += 4)
		sum += load_le32((uint8_t *)companion + off);
	store_le32(&companion->check, load_le32(&companion->check) + ~sum);
}

static CALLED void companion_open(struct timestamp_stage *stage, bool resumed, uint32_t kept_id)
{
	size_t bytes = sizeof(struct timestamp_companion);
	struct timestamp_companion *companion = port_cbmem_entry(CBMEM_ID_HADAL, &bytes);

	if (!companion)
		return;
	stage->companion = companion;
	if (load_le16(&companion->version) == TIMESTAMP_COMPANION_VERSION && !resumed)
		return;
	store_le16(&companion->version, TIMESTAMP_COMPANION_VERSION);
	store_le16(&companion->bytes, sizeof(*companion));
	companion->dropped = 0;
	companion->refused = 0;
	companion->khz = 0;
	store_le32(&companion->generation, load_le32(&companion->generation) + 1);
	store_le16(&companion->counter, (uint16_t)(PORT_TIMESTAMP_COUNTER | resumed << 8));
	store_le32(&companion->kept_id, kept_id);
	companion_seal(companion);
}

/*
 * Finds or creates this boot's table in CBMEM. The first stage of a resume finds the table of the
 * boot before it there, and resets it.
 */
static CALLED bool table_open(struct timestamp_stage *stage)
{
	size_t bytes = TABLE_BYTES(PORT_TIMESTAMP_TABLE_ENTRIES);
	struct timestamp_table *table = port_cbmem_entry(CBMEM_ID_TIMESTAMP, &bytes);
	bool resumed = port_resumed();
	uint32_t kept_id = 0;
	size_t max, room;
	uint32_t khz;

	if (!table || bytes < sizeof(*table))
		return false;
	if (PORT_TIMESTAMP_KEEP_PRESUSPEND && resumed)
		kept_id = keep_presuspend(table, bytes);

	room = (bytes - sizeof(*table)) / sizeof(struct timestamp_entry);
	max = load_le16(&table->max_entries);
	/* A max of 0, which is a new table's, wraps around and is above any room. */
	if (resumed || max - 1 >= room || load_le32(&table->num_entries) > max) {
		__builtin_memset(table, 0, bytes);
		store_le16(&table->max_entries, (uint16_t)room);
	}
	companion_open(stage, resumed, kept_id);
	if (!table->tick_freq_mhz) {
		khz = port_clock_khz();
		store_le16(&table->tick_freq_mhz, (uint16_t)(khz / 1000));
		count(stage, offsetof(struct timestamp_companion, khz), khz);
	}
	stage->table = table;
	return true;
}

int timestamp_sync(void)
{
	struct timestamp_stage *stage = port_timestamp_stage();
	struct timestamp_stash *stash = stash_get(stage);
	const struct timestamp_table *cached = &stash->cache.table;
	const struct timestamp_entry *entry = stash->cache.entries;
	uint64_t base = load_le64(&cached->base_time);
	uint32_t left = load_le32(&cached->num_entries);
	int moved = 0;

	if (!is_boot_cpu(stage))
		return -CORE_EPERM;
	if (!stage->table && !table_open(stage))
		return -CORE_ENODEV;

	table_set_base(stage->table, base);
	for (; left; left--, entry++)
		moved += table_add(stage, load_le32(&entry->entry_id),
				   load_le64(&entry->entry_stamp) + base);
	for (size_t off = offsetof(struct timestamp_companion, dropped);
	     off <= offsetof(struct timestamp_companion, refused); off += 4)
		count(stage, off, load_le32((uint8_t *)&stash->companion + off));
	stash_reset(stash, TIMESTAMP_CACHE_NOT_NEEDED);
	return moved;
}
PORT_CBMEM_READY_HOOK(timestamp_sync)

void timestamp_init(uint64_t base)
{
	struct timestamp_stage *stage = port_timestamp_stage();
	struct timestamp_stash *stash = stash_get(stage);

	if (!is_boot_cpu(stage))
		return;
	if (!stage->table) {
		if (port_timestamp_region())
			stash_reset(stash, TIMESTAMP_CACHE_UNINITIALIZED);
		store_le16(&stash->cache.cache_state, TIMESTAMP_CACHE_INITIALIZED);
	}
	table_set_base(table_get(stage), base);
}

void timestamp_add(uint32_t id, uint64_t time)
{
	struct timestamp_stage *stage = port_timestamp_stage();

	if (is_boot_cpu(stage))
		table_add(stage, id, time);
}

void timestamp_add_now(uint32_t id)
{
	timestamp_add(id, port_clock());
}

static CALLED void rescale(void *field, uint32_t n, uint32_t m)
{
	uint64_t ticks = load_le64(field);
	bool negative = (int64_t)ticks < 0;

	ticks = port_div_u64(negative ? -ticks : ticks, m) * n;
	store_le64(field, negative ? -ticks : ticks);
}

void timestamp_rescale(uint32_t n, uint32_t m)
{
	struct timestamp_table *table = table_get(port_timestamp_stage());
	struct timestamp_entry *entry = entries_of(table);
	uint32_t left = load_le32(&table->num_entries);

	if (!n || !m)
		return;
	rescale(&table->base_time, n, m);
	for (; left; left--, entry++)
		rescale(&entry->entry_stamp, n, m);
}

uint32_t timestamp_us_since_boot(void)
{
	struct timestamp_table *table = table_get(port_timestamp_stage());
	uint16_t mhz = load_le16(&table->tick_freq_mhz);

	if (!mhz)
		return 0;
	return (uint32_t)port_div_u64(port_clock() - load_le64(&table->base_time), mhz);
}
