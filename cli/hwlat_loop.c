// SPDX-License-Identifier: MIT
/* Waiting for a hwlat run: records, the end of its time, signals, and a line for those who watch. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "cli/hwlat.h"
#include "cli/signals.h"

#define LIVE_MS 250
#define NS_PER_MS 1000000

static const volatile sig_atomic_t *signal_seen;
static sigset_t before;

void hwlat_loop_catch_signals(void)
{
	signal_seen = cli_hold_signals(&before);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void show_live(const struct hwlat_loop *loop, uint64_t left_ns)
{
	fprintf(stderr,
		"\r\033[K%" PRIu64 " s left, %" PRIu64 " gap%s, worst %" PRIu64 ".%03" PRIu64 " us",
		left_ns / 1000000000, loop->result->gaps, report_plural(loop->result->gaps),
		loop->result->max_ns / 1000, loop->result->max_ns % 1000);
	fflush(stderr);
}

static void clear_live(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}

static int wait_ms(const struct hwlat_loop *loop, uint64_t left_ns)
{
	uint64_t ms = left_ns / NS_PER_MS + 1;

	if (hwlat_run_fd(loop->run) < 0 && ms > HWLAT_POLL_MS)
		ms = HWLAT_POLL_MS;
	if (loop->live && ms > LIVE_MS)
		ms = LIVE_MS;
	return ms > 1000 ? 1000 : (int)ms;
}

/* True: go on. The output's end is polled for nothing but the news that its reader is gone. */
static bool wait_once(struct hwlat_loop *loop, uint64_t left_ns)
{
	struct pollfd files[] = {
		{ .fd = hwlat_run_fd(loop->run), .events = POLLIN },
		{ .fd = fileno(loop->out) },
	};
	const int ms = wait_ms(loop, left_ns);
	const struct timespec timeout = { ms / 1000, ms % 1000 * NS_PER_MS };

	if (ppoll(files, 2, &timeout, &before) < 0)
		files[1].revents = 0;
	loop->ended_by = *signal_seen;
	loop->output_lost = files[1].revents & POLLERR || ferror(loop->out);
	return !loop->ended_by && !loop->output_lost;
}

int hwlat_loop_wait(struct hwlat_loop *loop)
{
	const uint64_t start = now_ns();
	uint64_t passed = 0;
	bool shown = false;
	int err = 0;

	while (!err && passed < loop->duration_ns && wait_once(loop, loop->duration_ns - passed)) {
		err = hwlat_run_read(loop->run, loop->sink);
		passed = now_ns() - start;
		if (loop->live && passed > 1000000000 && passed < loop->duration_ns) {
			show_live(loop, loop->duration_ns - passed);
			shown = true;
		}
	}
	if (shown)
		clear_live();
	cli_release_signals(&before);
	return err;
}
