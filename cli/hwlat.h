/* SPDX-License-Identifier: MIT */
/*
 * The pieces of `hadal hwlat`: what was asked for, and the loop that waits for records.
 *
 *	hwlat.c			the verb: from the options to the document
 *	hwlat_input.c		the same for a recording
 *	hwlat_options.c		reading and checking the options
 *	hwlat_loop.c		waiting, signals, the live line
 */
#ifndef HADAL_CLI_HWLAT_H
#define HADAL_CLI_HWLAT_H

#include "cli/cli.h"
#include "hadal/hwlat.h"
#include "report/hwlat_result.h"

enum hwlat_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_HWLATDETECT,
	FORMAT_HIST,
	FORMAT_PERFETTO,
	FORMAT_OPENMETRICS,
	FORMAT_HTML,
};

struct hwlat_options {
	struct cli_options common;
	struct hwlat_config config;
	uint64_t duration_ns;
	uint64_t limit_ns; /* HWLAT_UNKNOWN: none */
	uint64_t max_records;
	const char *backend; /* NULL: the first that works */
	const char *cpu_list;
	const char *input;
	const char *live_option; /* the first that makes no sense with a recording; NULL: none */
	bool times_given;	 /* --width or --window */
	const char *sampling_option; /* without dashes, of those that say how to watch; or NULL */
	enum hwlat_format format;
	bool watch;
	bool restore;
};

/* Returns -1 when the run should go on, else the status to end with, after a message. */
int hwlat_options_read(struct hwlat_options *opts, int argc, char **argv);

/* Writes the whole document in the format that was asked for. Returns 0 or -ENOMEM. */
int hwlat_show(const struct hwlat_options *opts, const struct hwlat_result *result,
	       const struct report_out *out);

/* The status that the limit makes of a result. */
int hwlat_status_of(const struct hwlat_result *result);

/* `hadal hwlat -i`. Returns a status. */
int hwlat_run_input(const struct hwlat_options *opts);

/*
 * struct hwlat_loop - a run that is being waited for
 * @out_fd: where the output goes, so that a reader that goes away ends the run
 * @live: show a line on the terminal, from @result
 * @ended_by: the signal that ended it, 0 if none did
 * @output_lost: nobody reads the output any more, or it cannot be written
 */
struct hwlat_loop {
	struct hwlat_run *run;
	const struct hwlat_sink *sink;
	const struct hwlat_result *result;
	FILE *out;
	uint64_t duration_ns;
	bool live;
	int ended_by;
	bool output_lost;
};

/* From here on the usual signals end a loop and not the process. */
void hwlat_loop_catch_signals(void);

/*
 * Waits until the time is over, a signal comes, or the output is lost. A second signal then ends
 * the process at once, settings restored. Returns 0 or a negative errno of the run's.
 */
int hwlat_loop_wait(struct hwlat_loop *loop);

#endif
