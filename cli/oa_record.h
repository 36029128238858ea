/* SPDX-License-Identifier: MIT */
/* A recording while it is made: what the loop has to know of it. */
#ifndef HADAL_CLI_OA_RECORD_H
#define HADAL_CLI_OA_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Least size that --max-size may ask for: what stands around the reports, and some. */
#define OA_RECORD_MIN_SIZE 4096u

/*
 * Reads a number of bytes with a suffix of k, M or G (thousands) or without. Returns 0, -EINVAL for
 * anything else or less than OA_RECORD_MIN_SIZE, or -ERANGE.
 */
int oa_record_size(const char *text, uint64_t *bytes);

/*
 * struct oa_record_loop - one run
 * @gpu: descriptor of the GPU, for the clocks
 * @stream: of reports
 * @out: what is written to
 * @duration_ns: how long, UINT64_MAX until a signal
 * @max_bytes: of the recording, UINT64_MAX for any
 * @live: show progress
 * @bytes: written so far
 * @reports, @report_losses, @buffer_losses: in what was written
 * @full: it ended because of @max_bytes
 */
struct oa_record_loop {
	int gpu;
	int stream;
	FILE *out;
	uint64_t duration_ns;
	uint64_t max_bytes;
	bool live;
	uint64_t bytes;
	uint64_t reports;
	uint64_t report_losses;
	uint64_t buffer_losses;
	bool full;
};

/* Holds SIGINT, SIGTERM and SIGHUP back until the loop, which they end. */
void oa_record_catch_signals(void);

/*
 * Records until the time is over, the recording is large enough, a signal comes or the output's
 * reader is gone, and completes the recording. Returns 0 or what the stream said, negative; failed
 * writes show in the stream @out.
 */
int oa_record_wait(struct oa_record_loop *loop);

#endif
