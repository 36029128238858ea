/* SPDX-License-Identifier: MIT */
/*
 * libhadal, boot: what firmware, loader, kernel and init left about the boot, read out of a
 * recording; hadal/boot_live.h reads it from a machine.
 *
 * A recording is bytes that nobody has checked. What is sound in them is handed out; what is not
 * is named in the list of damage. Functions that can fail return 0 or a negative errno.
 */
#ifndef HADAL_BOOT_H
#define HADAL_BOOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hadal/finding.h"

/* One stored stamp: ticks since the base, negative before it. */
struct hadal_stamp {
	uint32_t id;
	int64_t ticks;
};

/* Stamps in the order in which they were stored. */
struct hadal_stamps {
	struct hadal_stamp *at;
	size_t count;
};

/*
 * struct hadal_cbmem_entry - a line of the CBMEM directory
 * @id: CBMEM ID
 * @address: physical address, if @has_address
 * @size: bytes
 * @in_table: the coreboot table lists it
 * @in_directory: CBMEM's own directory lists it
 */
struct hadal_cbmem_entry {
	uint32_t id;
	uint32_t size;
	uint64_t address;
	bool has_address;
	bool in_table;
	bool in_directory;
};

/* What a span's times count from. */
enum hadal_clock {
	HADAL_CLOCK_COUNTER, /* the last reset of the counter that the stamps are from */
	HADAL_CLOCK_KERNEL,  /* the zero of the kernel's CLOCK_MONOTONIC */
};

/*
 * struct hadal_span - a part of the boot that somebody else than the timestamp table knows
 * @name: what happened
 * @source: which source says so
 * @start_ns, @duration_ns: in @clock; neither is negative
 * @depth: how many spans of its source it is a part of
 * @doubtful: why the numbers should not be believed, or NULL
 */
struct hadal_span {
	char *name;
	char *source;
	enum hadal_clock clock;
	int64_t start_ns;
	int64_t duration_ns;
	unsigned int depth;
	char *doubtful;
};

/*
 * Firmware's first mark this long after the counter's zero is doubtful: no machine takes so long
 * to reach its first instructions, but a counter that a warm reboot did not reset looks like it.
 */
#define HADAL_FIRST_CODE "before firmware's first code"
#define HADAL_LATE_START_NS INT64_C(120000000000)
#define HADAL_LATE_START                                                                           \
	"longer than two minutes: the counter was probably not reset by a warm reboot"

/*
 * struct hadal_boot_source - what came of one source
 * @name: as --source= has it
 * @used: it is in the result
 * @finding: why, and what changes that
 */
struct hadal_boot_source {
	char name[16];
	bool used;
	struct finding finding;
};

/* More sources than there are. */
#define HADAL_BOOT_MAX_SOURCES 16

/* Lines of text: what is damaged, what is worth knowing. */
struct hadal_lines {
	char **at;
	size_t count;
};

/*
 * struct hadal_boot - what a recording holds
 * @source: what it was read from, in a word or two; a static string
 * @has_stamps: a timestamp table was found, if only an empty one
 * @base: ticks since the counter's zero when the boot's base was taken
 * @stamps: the sound entries
 * @leftovers: entries behind the counted ones; another boot's, relative among themselves only
 * @presuspend: the table that was kept over a resume, relative to @presuspend_base
 * @microseconds: ticks are microseconds, whatever the counter was
 * @old_id_30: ID 30 has its meaning of before April 2025, "device enumeration"
 * @khz: the counter's frequency, 0 is unknown
 * @khz_from: who says so; a static string
 * @has_companion: the companion entry was read; the next five are from it
 * @dropped: stamps that did not fit
 * @refused: stamps that another CPU than the boot CPU tried to add
 * @generation: 1 at first boot, one more for each resume
 * @resumed: this is a resume's table
 * @counter: enum timestamp_counter
 * @directory: what CBMEM holds, first as the coreboot table lists it
 * @has_table: a coreboot table was read
 * @spans: what other sources know
 * @sources: what came of each, if it was a machine that was read
 * @has_kernel_zero: it is known when CLOCK_MONOTONIC was 0: @kernel_zero_ns after the counter
 * @apart: why the kernel's clock cannot be related to the counter, or empty
 * @stamps_doubtful: why the stamps should not be believed, or empty
 * @names: names for IDs, a search tree; see hadal_boot_name()
 * @damage: what is wrong with the recording
 * @notes: what a reader should know but is not wrong
 *
 * Zero it, read into it once, and free it with hadal_boot_free().
 */
struct hadal_boot {
	const char *source;
	bool has_stamps;
	uint64_t base;
	struct hadal_stamps stamps;
	struct hadal_stamps leftovers;
	struct hadal_stamps presuspend;
	uint64_t presuspend_base;
	bool microseconds;
	bool old_id_30;
	uint32_t khz;
	const char *khz_from;
	bool has_companion;
	uint32_t dropped;
	uint32_t refused;
	uint32_t generation;
	bool resumed;
	uint8_t counter;
	struct hadal_cbmem_entry *directory;
	size_t directory_count;
	bool has_table;
	struct hadal_span *spans;
	size_t span_count;
	struct hadal_boot_source sources[HADAL_BOOT_MAX_SOURCES];
	size_t source_count;
	bool has_kernel_zero;
	int64_t kernel_zero_ns;
	char apart[160];
	char stamps_doubtful[160];
	void *names;
	struct hadal_lines damage;
	struct hadal_lines notes;
};

/*
 * Reads a timestamp table, a coreboot table, a CBMEM area or an image of physical memory; which
 * of them it is shows. @base is the physical address of the first byte, or NULL if unknown.
 * -EBADMSG: none of these. -ENOMEM.
 */
int hadal_boot_read_image(struct hadal_boot *boot, const void *bytes, size_t len,
			  const uint64_t *base);

/*
 * The same for pieces of memory laid out in @bytes as they are in memory, what is between them
 * being zero. @table is the address of the coreboot table.
 */
int hadal_boot_read_memory(struct hadal_boot *boot, const void *bytes, size_t len, uint64_t base,
			   uint64_t table);

/* True if the stamps are of a resume: the time before them is no part of a boot. */
bool hadal_boot_is_resume(const struct hadal_boot *boot);

/* Frees what the boot holds and zeroes it. */
void hadal_boot_free(struct hadal_boot *boot);

/* What a table can hold: its max_entries has 16 bits. Readers of other forms keep to it. */
#define HADAL_BOOT_MAX_STAMPS 65535u

/*
 * Used by readers. All return 0 or -ENOMEM; texts are copied, and made printable. A name replaces
 * an earlier one for the same ID.
 */
int hadal_stamps_add(struct hadal_stamps *stamps, uint32_t id, int64_t ticks);
int hadal_lines_add(struct hadal_lines *lines, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int hadal_boot_add_span(struct hadal_boot *boot, const char *source, enum hadal_clock clock,
			const char *name, int64_t start_ns, int64_t duration_ns);
int hadal_boot_add_entry(struct hadal_boot *boot, const struct hadal_cbmem_entry *entry);
int hadal_boot_add_name(struct hadal_boot *boot, uint32_t id, const char *name, size_t len);

/* Marks @span doubtful, once; a second reason is not kept. 0 or -ENOMEM. */
int hadal_span_doubt(struct hadal_span *span, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The recording's or the user's own name for @id, or NULL. */
const char *hadal_boot_name(const struct hadal_boot *boot, uint32_t id);

/* --- IDs --------------------------------------------------------------------------------- */

/*
 * struct hadal_boot_id - a timestamp ID that is in use upstream
 * @id: the number
 * @end: the ID that closes the range this one opens, 0 for none
 * @name: the enum's name
 * @label: what coreboot's tool prints
 * @range: name of the range, NULL if it opens none
 */
struct hadal_boot_id {
	uint32_t id;
	uint32_t end;
	const char *name;
	const char *label;
	const char *range;
};

/* ID 30 as it was until April 2025. */
#define HADAL_OLD_ID_30_LABEL "device enumeration"
#define HADAL_OLD_ID_30_END 40

/* All of them, and how many. */
extern const struct hadal_boot_id hadal_boot_ids[];
extern const size_t hadal_boot_id_count;

/* The ID's row, or NULL. */
const struct hadal_boot_id *hadal_boot_id_find(uint32_t id);

/* True if coreboot's tool has ever printed @label, @len bytes long, for @id. */
bool hadal_boot_label_known(uint32_t id, const char *label, size_t len);

/*
 * The label of a CBMEM ID as coreboot's tool prints it, written to @buf of at least 21 bytes
 * where it is made from a number. Never NULL: "(unknown)".
 */
const char *hadal_cbmem_label(uint32_t id, char *buf);

#endif
