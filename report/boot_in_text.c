// SPDX-License-Identifier: MIT
/*
 * Reads listings that people paste: what coreboot's cbmem -t and -T, or u-root's tool, print.
 *
 * Times there are whole microseconds since the counter's zero. Releases before July 2015 have no
 * row for the base, and times since it; before May 2018 rows are in stored order.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "report/boot_in.h"

/* struct listing_row - one line; the label is not terminated */
struct listing_row {
	uint32_t id;
	uint64_t us;
	const char *label;
	size_t label_len;
};

/*
 * struct listing - what the lines so far amount to
 * @claimed: what "N entries total" says, if @has_claimed
 * @rows: lines that are rows; those past the limit of stamps are counted only
 * @base_us: the base's time, if @has_base
 * @lowest_us: the earliest time of all rows; before the base's, the listing's zero is not the
 *	counter's
 */
struct listing {
	struct hadal_boot *boot;
	uint64_t claimed;
	bool has_claimed;
	size_t rows;
	uint64_t base_us;
	uint64_t lowest_us;
	bool has_base;
};

/* Reads a number with or without thousands separators, and moves past it. */
static bool read_number(const char **p, const char *end, uint64_t *value)
{
	const char *start = *p;
	uint64_t v = 0;

	for (; *p < end && (isdigit((unsigned char)**p) || (**p == ',' && *p > start)); ++*p) {
		if (**p == ',')
			continue;
		if (v > (INT64_MAX - 9) / 10)
			return false;
		v = v * 10 + (uint64_t)(**p - '0');
	}
	*value = v;
	return *p > start;
}

/* IDs are printed as signed 32-bit numbers, or as unsigned ones. */
static bool read_id(const char **p, const char *end, uint32_t *id)
{
	bool negative = *p < end && **p == '-';
	uint64_t v;

	*p += negative;
	if (!read_number(p, end, &v) || v > (negative ? 0x80000000u : UINT32_MAX))
		return false;
	*id = negative ? 0 - (uint32_t)v : (uint32_t)v;
	return true;
}

static const char *trim_left(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	return p;
}

static const char *trim_right(const char *start, const char *end)
{
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	return end;
}

/* Takes " (STEP)" off the end, if it is there. */
static const char *drop_step(const char *start, const char *end)
{
	const char *p = end;

	if (p == start || p[-1] != ')')
		return end;
	for (p--; p > start && (isdigit((unsigned char)p[-1]) || p[-1] == ','); p--)
		;
	if (p == start || p[-1] != '(')
		return end;
	return trim_right(start, p - 1);
}

/* "ID:LABEL   TIME (STEP)", as -t prints it. */
static bool read_listing_row(const char *p, const char *end, struct listing_row *row)
{
	const char *number, *label_end;

	if (!read_id(&p, end, &row->id) || p == end || *p != ':')
		return false;
	row->label = trim_left(p + 1, end);
	end = drop_step(row->label, end);
	number = end;
	while (number > row->label && (isdigit((unsigned char)number[-1]) || number[-1] == ','))
		number--;
	label_end = trim_right(row->label, number);
	if (label_end == number)
		return false;
	row->label_len = (size_t)(label_end - row->label);
	return read_number(&number, end, &row->us) && number == end;
}

/* "ID<tab>TIME<tab>STEP<tab>LABEL", as -T prints it. */
static bool read_parseable_row(const char *p, const char *end, struct listing_row *row)
{
	uint64_t step;

	if (!read_id(&p, end, &row->id) || p == end || *p++ != '\t')
		return false;
	if (!read_number(&p, end, &row->us) || p == end || *p++ != '\t')
		return false;
	if (!read_number(&p, end, &step) || p == end || *p++ != '\t')
		return false;
	row->label = trim_left(p, end);
	row->label_len = (size_t)(end - row->label);
	return true;
}

/* A name that no release of coreboot's tool has for this ID is the recording's own. */
static int keep_label(struct hadal_boot *boot, const struct listing_row *row)
{
	static const char unknown[] = "<unknown>";

	if (hadal_boot_label_known(row->id, row->label, row->label_len) || !row->label_len ||
	    (row->label_len == sizeof(unknown) - 1 &&
	     memcmp(row->label, unknown, row->label_len) == 0))
		return 0;
	return hadal_boot_add_name(boot, row->id, row->label, row->label_len);
}

static int add_row(struct listing *listing, const struct listing_row *row)
{
	struct hadal_boot *boot = listing->boot;

	if (!listing->rows++ || row->us < listing->lowest_us)
		listing->lowest_us = row->us;
	if (row->id == 30 && row->label_len == strlen(HADAL_OLD_ID_30_LABEL) &&
	    memcmp(row->label, HADAL_OLD_ID_30_LABEL, row->label_len) == 0)
		boot->old_id_30 = true;
	/* The first row with ID 0 is the base; further ones were stored. */
	if (row->id == 0 && !listing->has_base) {
		listing->has_base = true;
		listing->base_us = row->us;
		return 0;
	}
	if (boot->stamps.count == HADAL_BOOT_MAX_STAMPS)
		return 0;
	if (keep_label(boot, row) < 0)
		return -ENOMEM;
	return hadal_stamps_add(&boot->stamps, row->id, (int64_t)row->us);
}

/* "N entries total:" */
static void read_claim(struct listing *listing, const char *p, const char *end)
{
	static const char words[] = " entries total:";
	uint64_t n;

	if (read_number(&p, end, &n) && (size_t)(end - p) == sizeof(words) - 1 &&
	    memcmp(p, words, sizeof(words) - 1) == 0) {
		listing->claimed = n;
		listing->has_claimed = true;
	}
}

static int read_line(struct listing *listing, const char *p, const char *end)
{
	struct listing_row row;

	/* Quote marks of mail and issue trackers. */
	while (p < end && (isspace((unsigned char)*p) || *p == '>' || *p == '|'))
		p++;
	end = trim_right(p, end);
	if (read_listing_row(p, end, &row) || read_parseable_row(p, end, &row))
		return add_row(listing, &row);
	read_claim(listing, p, end);
	return 0;
}

/* Makes the times relative to the base, which is only known at the end. */
static int finish(struct listing *listing)
{
	struct hadal_boot *boot = listing->boot;
	bool counter_zero = listing->lowest_us == listing->base_us;

	if (!listing->rows)
		return -EBADMSG;
	for (size_t i = 0; i < boot->stamps.count; i++)
		boot->stamps.at[i].ticks -= (int64_t)listing->base_us;
	boot->base = counter_zero ? listing->base_us : 0;
	boot->has_stamps = true;
	/* u-root's tool counts the base's row, coreboot's does not. */
	if (listing->rows > HADAL_BOOT_MAX_STAMPS + 1)
		return hadal_lines_add(&boot->damage, "listing: %zu entries, only %u are shown",
				       listing->rows, HADAL_BOOT_MAX_STAMPS);
	if (listing->has_claimed && listing->claimed != boot->stamps.count &&
	    listing->claimed != listing->rows)
		return hadal_lines_add(&boot->damage,
				       "listing: says %" PRIu64 " entries, %zu are here",
				       listing->claimed, boot->stamps.count);
	return 0;
}

int boot_in_text(struct hadal_boot *boot, const char *text, size_t len)
{
	struct listing listing = { .boot = boot };
	int ret = 0;

	boot->source = "pasted listing";
	boot->microseconds = true;
	boot->khz = 1000;
	boot->khz_from = "listing in microseconds";
	while (len && ret == 0) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : len;

		ret = read_line(&listing, text, text + line_len);
		len -= line_len + (end != NULL);
		text += line_len + (end != NULL);
	}
	return ret < 0 ? ret : finish(&listing);
}
