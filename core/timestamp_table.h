/* SPDX-License-Identifier: MIT */
/*
 * Reading a timestamp table out of bytes that nobody has checked: short, damaged, or written by a
 * CPU of the other byte order.
 */
#ifndef HADAL_CORE_TIMESTAMP_TABLE_H
#define HADAL_CORE_TIMESTAMP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/load.h"
#include "core/timestamp_abi.h"

/*
 * struct timestamp_view - a table as found
 * @bytes: the bytes it was opened on, with the byte order it turned out to have
 * @base_time: ticks since the counter's zero
 * @max: entries it says it can hold
 * @claimed: entries it says it holds
 * @mhz: its counter's frequency, 0 unknown
 * @count: entries that can be read: no more than @claimed, @max, and what the bytes hold
 * @room: entries that the table's own size or the bytes end, whichever is first
 */
struct timestamp_view {
	struct bytes bytes;
	uint64_t base_time;
	uint32_t max;
	uint32_t claimed;
	uint16_t mhz;
	uint32_t count;
	uint32_t room;
};

/*
 * Opens the table at the start of @bytes; where the CBMEM entry's size is known, @bytes ends with
 * it. Little-endian unless only the other order makes sense. -CORE_EBADMSG: shorter than a header.
 */
int timestamp_view_open(struct timestamp_view *view, const struct bytes *bytes);

/*
 * Reads the entry in slot @index, which is below view->room. Slots from view->count on hold
 * nothing, or leftovers of an earlier boot.
 */
void timestamp_view_entry(const struct timestamp_view *view, uint32_t index, uint32_t *id,
			  int64_t *stamp);

/* True if the header could be one: for telling a table from any other bytes. */
bool timestamp_view_plausible(const struct timestamp_view *view);

/*
 * Reads a companion entry. -CORE_EBADMSG: too short, not version 1, or its words do not add up;
 * @companion, in the CPU's own order, is then not set.
 */
int timestamp_companion_read(const struct bytes *bytes, struct timestamp_companion *companion);

#endif
