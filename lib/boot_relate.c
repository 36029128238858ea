// SPDX-License-Identifier: MIT
/*
 * Relates the clocks, and doubts numbers that cannot be right. Firmware's numbers are believed
 * by too many tools: counters that a warm reboot did not reset, ticks given as nanoseconds and
 * wrong frequencies are all common.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "hadal/boot_live.h"

#define MS INT64_C(1000000)
#define HOUR (3600000 * MS)
#define TOO_LONG                                                                                   \
	"longer than an hour: a counter that a warm reboot did not reset, or ticks taken for "     \
	"nanoseconds"

/* A stamp that the kernel's start does not follow by more than this is not later, only rounded. */
#define TOLERANCE (2 * MS)

#define ID_WAKE_JUMP 98

/* Ticks of the stamps' counter as nanoseconds, signed. */
static int64_t stamp_ns(const struct hadal_boot *boot, int64_t ticks)
{
	__int128 ns = (__int128)ticks * 1000000 / boot->khz;

	return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

/* When the last stamp was, after the counter's zero; 0 if that is unknown. */
static int64_t last_stamp_ns(const struct hadal_boot *boot)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < boot->stamps.count; i++)
		if (boot->stamps.at[i].ticks > last)
			last = boot->stamps.at[i].ticks;
	if (!boot->khz || !boot->stamps.count)
		return 0;
	return stamp_ns(boot, (int64_t)(boot->base + (uint64_t)last));
}

bool hadal_boot_is_resume(const struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->stamps.count; i++)
		if (boot->stamps.at[i].id == ID_WAKE_JUMP)
			return true;
	return boot->resumed;
}

static void say_apart(struct hadal_boot *boot, const char *why)
{
	snprintf(boot->apart, sizeof(boot->apart), "%s", why);
}

/* The frequency: firmware's, if it gave one that the kernel's does not contradict. */
static void check_frequency(struct hadal_boot *boot, const struct hadal_counter *counter)
{
	uint64_t off;

	if (!counter || !counter->khz || !boot->has_stamps)
		return;
	if (!boot->khz) {
		boot->khz = counter->khz;
		boot->khz_from = counter->khz_from;
		return;
	}
	/* A table in microseconds counts with a clock of its own, or with a converted one. */
	if (boot->khz == 1000)
		return;
	off = boot->khz > counter->khz ? boot->khz - counter->khz : counter->khz - boot->khz;
	if (off > counter->khz / 100)
		snprintf(boot->stamps_doubtful, sizeof(boot->stamps_doubtful),
			 "the counter runs at %u kHz by firmware, at %u by %s: one is wrong",
			 boot->khz, counter->khz, counter->khz_from);
}

/* True if @ns are more likely ticks: as those they fit before the kernel's zero. */
static bool looks_like_ticks(const struct hadal_counter *counter, int64_t ns)
{
	return counter && counter->has_zero && counter->khz > 1000000 &&
	       (__int128)ns * 1000000 / counter->khz <= counter->zero_ns + TOLERANCE;
}

static int doubt_span(struct hadal_span *span, const struct hadal_counter *counter)
{
	int64_t end = span->start_ns + span->duration_ns;

	if (span->clock == HADAL_CLOCK_KERNEL)
		return 0;
	if (counter && counter->has_zero && end > counter->zero_ns + TOLERANCE)
		return looks_like_ticks(counter, end) ?
			       hadal_span_doubt(span, "after the kernel's start, so probably "
						      "ticks taken for nanoseconds") :
			       hadal_span_doubt(span,
						"it ends %" PRId64
						" ms after the kernel's start: another counter",
						(end - counter->zero_ns) / MS);
	/* Where the kernel's start is known, a late span may be a late boot on a counter that runs. */
	if (span->duration_ns > HOUR || (!counter && end > HOUR))
		return hadal_span_doubt(span, TOO_LONG);
	if (strcmp(span->name, HADAL_FIRST_CODE) == 0 && span->duration_ns > HADAL_LATE_START_NS)
		return hadal_span_doubt(span, HADAL_LATE_START);
	return 0;
}

/* The end of all that is sound before the kernel. */
static int64_t last_mark(const struct hadal_boot *boot)
{
	int64_t last = *boot->stamps_doubtful ? 0 : last_stamp_ns(boot), end;

	for (size_t i = 0; i < boot->span_count; i++) {
		const struct hadal_span *span = &boot->spans[i];

		end = span->start_ns + span->duration_ns;
		if (span->clock == HADAL_CLOCK_COUNTER && end > last &&
		    (!span->doubtful || strcmp(span->doubtful, HADAL_LATE_START) == 0))
			last = end;
	}
	return last;
}

/* The time between firmware's or the loader's last word and the kernel's first. */
static int add_gap(struct hadal_boot *boot)
{
	int64_t last = last_mark(boot);
	int ret;

	if (last >= boot->kernel_zero_ns)
		return 0;
	ret = hadal_boot_add_span(boot, "kernel", HADAL_CLOCK_COUNTER,
				  last ? "from the last mark to the kernel" : "before the kernel",
				  last, boot->kernel_zero_ns - last);
	if (ret == 0 && boot->kernel_zero_ns - last > HOUR)
		ret = hadal_span_doubt(&boot->spans[boot->span_count - 1],
				       "longer than an hour: the counter was not reset with this "
				       "boot (a warm reboot, or a virtual machine's host)");
	return ret;
}

/* True if the kernel's zero can be told on the stamps' counter; says why not. */
static bool can_relate(struct hadal_boot *boot, const struct hadal_counter *counter)
{
	int64_t late;

	if (!counter) {
		say_apart(boot, "the machine's own counter was not read");
		return false;
	}
	if (hadal_boot_is_resume(boot)) {
		say_apart(boot, "the stamps are of a resume, not of the kernel's start");
		return false;
	}
	if (!counter->has_zero) {
		say_apart(boot, counter->why);
		return false;
	}
	late = last_stamp_ns(boot) - counter->zero_ns;
	if (late > TOLERANCE && !*boot->stamps_doubtful)
		snprintf(boot->stamps_doubtful, sizeof(boot->stamps_doubtful),
			 "the last stamp is %" PRId64
			 " ms after the kernel's start: another counter, or a wrong frequency",
			 late / MS);
	return true;
}

int hadal_boot_relate(struct hadal_boot *boot, const struct hadal_counter *counter)
{
	check_frequency(boot, counter);
	boot->has_kernel_zero = can_relate(boot, counter);
	for (size_t i = 0; i < boot->span_count; i++)
		if (doubt_span(&boot->spans[i], boot->has_kernel_zero ? counter : NULL) < 0)
			return -ENOMEM;
	if (!boot->has_kernel_zero)
		return 0;
	boot->kernel_zero_ns = counter->zero_ns;
	return add_gap(boot);
}
