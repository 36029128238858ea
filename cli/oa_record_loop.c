// SPDX-License-Identifier: MIT
/* Recording a stream: reports as they come, both clocks once a second, and a well-made end. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/oa_record.h"
#include "cli/signals.h"
#include "core/load.h"
#include "hadal/oa_stream.h"
#include "report/report.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
#define LIVE_NS (250 * NS_PER_MS)

/* How often the clocks are compared. */
#define CORRELATION_NS NS_PER_S

/* What one read takes at most, and all reads of the end: the kernel's whole buffer. */
#define READ_BYTES (256u << 10)
#define DRAIN_BYTES (16u << 20)

static const volatile sig_atomic_t *signal_seen;
static sigset_t before;

void oa_record_catch_signals(void)
{
	signal_seen = cli_hold_signals(&before);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void write_bytes(struct oa_record_loop *loop, const void *bytes, size_t count)
{
	loop->bytes += fwrite(bytes, 1, count, loop->out);
}

static int write_correlation(struct oa_record_loop *loop)
{
	uint8_t record[HADAL_OA_CORRELATION_BYTES];
	struct hadal_oa_correlation correlation;
	int err = hadal_oa_correlate(loop->gpu, &correlation);

	if (err < 0)
		return err;
	hadal_oa_recording_correlation(&correlation, record);
	write_bytes(loop, record, sizeof(record));
	return 0;
}

static void count_record(struct oa_record_loop *loop, uint32_t type)
{
	loop->reports += type == HADAL_OA_RECORD_SAMPLE;
	loop->report_losses += type == HADAL_OA_RECORD_REPORT_LOST;
	loop->buffer_losses += type == HADAL_OA_RECORD_BUFFER_LOST;
}

/* Is there room for so many bytes more, and for the clocks at the end? */
static bool has_room(const struct oa_record_loop *loop, size_t bytes)
{
	return loop->bytes + bytes <= loop->max_bytes - HADAL_OA_CORRELATION_BYTES;
}

/* Bytes of the whole records at the start of @bytes that the recording has room for, counted. */
static size_t take_records(struct oa_record_loop *loop, const uint8_t *bytes, size_t count)
{
	size_t used = 0;

	while (count - used >= HADAL_OA_RECORD_HEADER_BYTES) {
		size_t size = load_le16(bytes + used + 6);

		if (size < HADAL_OA_RECORD_HEADER_BYTES || size > count - used)
			break;
		loop->full = !has_room(loop, used + size);
		if (loop->full)
			break;
		count_record(loop, load_le32(bytes + used));
		used += size;
	}
	return used;
}

/* Takes what there is, once. Returns the bytes, 0 for none, or a negative errno. */
static ssize_t read_once(struct oa_record_loop *loop)
{
	static uint8_t bytes[READ_BYTES];
	ssize_t got = read(loop->stream, bytes, sizeof(bytes));

	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	write_bytes(loop, bytes, take_records(loop, bytes, (size_t)got));
	return got;
}

/* The reports of the last moment, and the clocks behind them. */
static int finish(struct oa_record_loop *loop)
{
	ssize_t got = 1;

	for (uint64_t all = 0; got > 0 && all < DRAIN_BYTES && !loop->full; all += (uint64_t)got)
		got = read_once(loop);
	return got < 0 ? (int)got : write_correlation(loop);
}

static void show_live(const struct oa_record_loop *loop, uint64_t passed_ns)
{
	fprintf(stderr, "\r\033[K%" PRIu64 " s, %" PRIu64 " report%s, %" PRIu64 " kB",
		passed_ns / NS_PER_S, loop->reports, report_plural(loop->reports),
		loop->bytes / 1000);
	if (loop->report_losses)
		fprintf(stderr, ", lost some %" PRIu64 " time%s", loop->report_losses,
			report_plural(loop->report_losses));
	fflush(stderr);
}

static void clear_live(void)
{
	fputs("\r\033[K", stderr);
	fflush(stderr);
}

/* True: go on. The output's end is polled for nothing but the news that its reader is gone. */
static bool wait_once(const struct oa_record_loop *loop, uint64_t left_ns)
{
	struct pollfd files[] = {
		{ .fd = loop->stream, .events = POLLIN },
		{ .fd = fileno(loop->out) },
	};
	const uint64_t ns = left_ns < LIVE_NS ? left_ns : LIVE_NS;
	const struct timespec timeout = { 0, (long)ns };

	if (ppoll(files, 2, &timeout, &before) < 0)
		files[1].revents = 0;
	return !*signal_seen && !(files[1].revents & POLLERR) && !ferror(loop->out);
}

/* What is written reaches the output at each step, so that one who follows sees it. */
static int step(struct oa_record_loop *loop, uint64_t passed_ns, uint64_t *next_ns)
{
	ssize_t got = read_once(loop);
	int err = 0;

	if (got < 0)
		return (int)got;
	if (!loop->full && passed_ns >= *next_ns) {
		*next_ns = passed_ns + CORRELATION_NS;
		loop->full = !has_room(loop, HADAL_OA_CORRELATION_BYTES);
		err = loop->full ? 0 : write_correlation(loop);
	}
	fflush(loop->out);
	return err;
}

int oa_record_wait(struct oa_record_loop *loop)
{
	const uint64_t start = now_ns();
	uint64_t passed = 0, next = CORRELATION_NS;
	bool shown = false;
	int err = write_correlation(loop);

	while (!err && !loop->full && passed < loop->duration_ns &&
	       wait_once(loop, loop->duration_ns - passed)) {
		err = step(loop, passed, &next);
		passed = now_ns() - start;
		if (loop->live && passed > NS_PER_S) {
			show_live(loop, passed);
			shown = true;
		}
	}
	if (shown)
		clear_live();
	if (!err)
		err = finish(loop);
	cli_release_signals(&before);
	return err;
}
