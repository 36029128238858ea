// SPDX-License-Identifier: MIT
/* Reading a timestamp table and its companion out of bytes that nobody has checked. */
#include "core/timestamp_table.h"

#include "core/error.h"

#define HEADER_BYTES sizeof(struct timestamp_table)
#define ENTRY_BYTES sizeof(struct timestamp_entry)

static void read_header(struct timestamp_view *view)
{
	const struct bytes *b = &view->bytes;
	size_t fit = (b->len - HEADER_BYTES) / ENTRY_BYTES;

	view->base_time = bytes_u64(b, 0);
	view->max = bytes_u16(b, 8);
	view->mhz = bytes_u16(b, 10);
	view->claimed = bytes_u32(b, 12);
	view->room = fit < view->max ? (uint32_t)fit : view->max;
	view->count = view->claimed < view->room ? view->claimed : view->room;
}

bool timestamp_view_plausible(const struct timestamp_view *view)
{
	return view->max && view->claimed <= view->max;
}

/*
 * A header that makes no sense may be one of the other byte order, or a lie. A table's bytes are
 * just enough for its max_entries, which tells the two apart.
 */
static bool is_swapped(const struct timestamp_view *view, const struct timestamp_view *swapped)
{
	size_t fit = (view->bytes.len - HEADER_BYTES) / ENTRY_BYTES;

	return !timestamp_view_plausible(view) && timestamp_view_plausible(swapped) &&
	       (swapped->max == fit || view->max > fit || !view->max);
}

int timestamp_view_open(struct timestamp_view *view, const struct bytes *bytes)
{
	struct timestamp_view swapped;

	if (bytes->len < HEADER_BYTES)
		return -CORE_EBADMSG;
	*view = (struct timestamp_view){ .bytes = *bytes };
	view->bytes.big = false;
	read_header(view);
	swapped = *view;
	swapped.bytes.big = true;
	read_header(&swapped);
	if (is_swapped(view, &swapped))
		*view = swapped;
	return 0;
}

void timestamp_view_entry(const struct timestamp_view *view, uint32_t index, uint32_t *id,
			  int64_t *stamp)
{
	size_t at = HEADER_BYTES + index * ENTRY_BYTES;

	*id = bytes_u32(&view->bytes, at);
	*stamp = (int64_t)bytes_u64(&view->bytes, at + 4);
}

int timestamp_companion_read(const struct bytes *bytes, struct timestamp_companion *companion)
{
	const struct bytes b = { bytes->data, bytes->len, false };
	uint32_t sum = 0;

	if (b.len < sizeof(*companion) || bytes_u16(&b, 0) != TIMESTAMP_COMPANION_VERSION ||
	    bytes_u16(&b, 2) != sizeof(*companion))
		return -CORE_EBADMSG;
	for (size_t off = 0; off < sizeof(*companion); off += 4)
		sum += bytes_u32(&b, off);
	if (sum != UINT32_MAX)
		return -CORE_EBADMSG;
	*companion = (struct timestamp_companion){
		.version = bytes_u16(&b, 0),
		.bytes = bytes_u16(&b, 2),
		.dropped = bytes_u32(&b, 4),
		.refused = bytes_u32(&b, 8),
		.khz = bytes_u32(&b, 12),
		.generation = bytes_u32(&b, 16),
		.counter = b.data[20],
		.boot_kind = b.data[21],
		.kept_id = bytes_u32(&b, 24),
		.check = bytes_u32(&b, 28),
	};
	return 0;
}
