/* SPDX-License-Identifier: MIT */
/*
 * Bytes of the timestamp table and of its companion entry: what firmware leaves in CBMEM for
 * everybody after it. All values are little-endian whatever the CPU.
 *
 * The table is the one that coreboot has written since August 2015. Until then max_entries had
 * 32 bits; its upper half was always 0, which is "frequency unknown" in today's layout, so one
 * reader serves both.
 */
#ifndef HADAL_CORE_TIMESTAMP_ABI_H
#define HADAL_CORE_TIMESTAMP_ABI_H

#include <stddef.h>
#include <stdint.h>

struct __attribute__((__packed__)) timestamp_entry {
	uint32_t entry_id;
	int64_t entry_stamp; /* ticks since base_time; negative is before it */
};

/* The header; max_entries entries follow it. */
struct __attribute__((__packed__)) timestamp_table {
	uint64_t base_time; /* ticks since the counter's zero */
	uint16_t max_entries;
	uint16_t tick_freq_mhz; /* 0 is unknown */
	uint32_t num_entries;
};

_Static_assert(sizeof(struct timestamp_entry) == 12, "timestamp entry");
_Static_assert(offsetof(struct timestamp_entry, entry_stamp) == 4, "timestamp entry");
_Static_assert(sizeof(struct timestamp_table) == 16, "timestamp table");
_Static_assert(offsetof(struct timestamp_table, max_entries) == 8, "timestamp table");
_Static_assert(offsetof(struct timestamp_table, tick_freq_mhz) == 10, "timestamp table");
_Static_assert(offsetof(struct timestamp_table, num_entries) == 12, "timestamp table");

/* Which counter the stamps come from. */
enum timestamp_counter {
	TIMESTAMP_COUNTER_UNKNOWN = 0,
	TIMESTAMP_COUNTER_TSC = 1,
	TIMESTAMP_COUNTER_ARM_GENERIC = 2,
	TIMESTAMP_COUNTER_MICROSECONDS = 3,
};

enum timestamp_boot_kind {
	TIMESTAMP_BOOT_FRESH = 0,
	TIMESTAMP_BOOT_RESUME = 1,
};

/*
 * What the table has no room for: one more CBMEM entry, CBMEM_ID_HADAL. 4-byte aligned.
 */
struct timestamp_companion {
	uint16_t version;    /* 1 */
	uint16_t bytes;	     /* 32 */
	uint32_t dropped;    /* stamps that did not fit in cache or table */
	uint32_t refused;    /* adds that came from another CPU */
	uint32_t khz;	     /* counter frequency, 0 is unknown */
	uint32_t generation; /* 1 at first boot, one more for each resume */
	uint8_t counter;     /* enum timestamp_counter */
	uint8_t boot_kind;   /* enum timestamp_boot_kind */
	uint16_t zero;
	uint32_t kept_id; /* CBMEM ID of the kept pre-suspend table, or 0 */
	uint32_t check;	  /* makes the eight 32-bit words add up to 0xffffffff */
};

#define TIMESTAMP_COMPANION_VERSION 1

_Static_assert(sizeof(struct timestamp_companion) == 32, "companion");
_Static_assert(offsetof(struct timestamp_companion, dropped) == 4, "companion");
_Static_assert(offsetof(struct timestamp_companion, refused) == 8, "companion");
_Static_assert(offsetof(struct timestamp_companion, khz) == 12, "companion");
_Static_assert(offsetof(struct timestamp_companion, generation) == 16, "companion");
_Static_assert(offsetof(struct timestamp_companion, counter) == 20, "companion");
_Static_assert(offsetof(struct timestamp_companion, boot_kind) == 21, "companion");
_Static_assert(offsetof(struct timestamp_companion, kept_id) == 24, "companion");
_Static_assert(offsetof(struct timestamp_companion, check) == 28, "companion");

#endif
