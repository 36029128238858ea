/* SPDX-License-Identifier: MIT */
/* Readers of recordings of gaps, ours and those that other tools print. */
#ifndef HADAL_REPORT_HWLAT_IN_H
#define HADAL_REPORT_HWLAT_IN_H

#include "hadal/boot.h"
#include "report/hwlat_result.h"

/*
 * struct hwlat_in_options - what a recording does not say, and what is to be kept of it
 * @width_us, @window_us: how it was watched, 0: as the recording says, or as the tracer does by itself
 */
struct hwlat_in_options {
	uint64_t width_us;
	uint64_t window_us;
	uint64_t limit_ns;
	size_t max_records;
};

/*
 * Reads a recording of any kind into @result: a document or the lines of `hadal hwlat`, or text, in
 * which lines of ftrace with records of the hwlat tracer or of our module are looked for and those of
 * hwlatdetect's reports. Damaged lines are named in @damage, and the sound ones are kept.
 *
 * -EBADMSG: there is nothing of the kind in it. -ENOMEM. @result is to be freed with
 * hwlat_result_free() in all cases.
 */
int hwlat_in_read(struct hwlat_result *result, const struct hwlat_in_options *options,
		  const void *bytes, size_t len, struct hadal_lines *damage);

/* --- between the readers ----------------------------------------------------------------------- */

/* Which clock a recording's times are on; two of them have nothing to do with each other. */
enum hwlat_in_clock { HWLAT_IN_NONE, HWLAT_IN_WALL, HWLAT_IN_BOOT, HWLAT_IN_RUN };

/*
 * struct hwlat_in - what has been read so far
 * @recognised: there was something that only such recordings have
 * @omitted: records that the recording itself left out
 * @cpus: totals of CPUs that the recording knows them of
 */
struct hwlat_in {
	struct hwlat_config config;
	struct hwlat_facts facts;
	struct hwlat_gap *gaps;
	size_t gap_count;
	size_t gap_room;
	struct hwlat_window *windows;
	size_t window_count;
	size_t window_room;
	const char *kind;
	enum hwlat_in_clock clock;
	bool recognised;
	bool incomplete;
	uint64_t omitted;
	struct hadal_lines *damage;
	struct hwlat_cpu *cpus;
	size_t cpu_count;
};

/* Take a record, whose CPU joins those of the run. 0 or -ENOMEM. */
int hwlat_in_gap(struct hwlat_in *in, const struct hwlat_gap *gap);
int hwlat_in_window(struct hwlat_in *in, const struct hwlat_window *window);

/* Both return 0 or -ENOMEM. */
int hwlat_in_text(struct hwlat_in *in, const char *text, size_t len);
int hwlat_in_json(struct hwlat_in *in, const char *text, size_t len);

#endif
