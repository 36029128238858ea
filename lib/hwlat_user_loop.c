// SPDX-License-Identifier: MIT
/*
 * core/gap in user space. Clock and mark are part of the loop, so that a step calls nothing: there is one
 * loop for each pair of them.
 */
#include <time.h>

#include "lib/hwlat_user.h"
#include "lib/port/counter.h"
#include "lib/port/marker.h"

GAP_INLINE uint64_t counter_clock(void)
{
	return port_counter();
}

/* Where the kernel does not trust the counter: its own clock, which is a call that stays in user space. */
GAP_INLINE uint64_t os_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * A wiped mark is set again at once, so that it speaks for one step only. An entry between the look and
 * the setting is lost, and the look has already told one for the same step.
 */
GAP_INLINE uint32_t marker_look(void)
{
	if (__builtin_expect(!port_marker_wiped(), 1))
		return 0;
	port_marker_arm();
	return USER_SEEN_ENTRY;
}

GAP_INLINE uint32_t no_look(void)
{
	return 0;
}

#define USER_LOOP(name, clock, look)                                                               \
	static uint64_t name##_now(void)                                                           \
	{                                                                                          \
		(void)look();                                                                      \
		return clock();                                                                    \
	}                                                                                          \
	static bool name##_find(struct gap_loop *loop, struct gap *gap)                            \
	{                                                                                          \
		return gap_find(loop, gap, clock, look);                                           \
	}                                                                                          \
	static void name##_floor(struct gap_floor *floor)                                          \
	{                                                                                          \
		gap_measure_floor(floor, clock, look);                                             \
	}                                                                                          \
	static const struct user_loop name = { name##_now, name##_find, name##_floor }

USER_LOOP(counter_marker, counter_clock, marker_look);
USER_LOOP(counter_alone, counter_clock, no_look);
USER_LOOP(os_marker, os_clock, marker_look);
USER_LOOP(os_alone, os_clock, no_look);

const struct user_loop *user_loop(bool os_clock_wanted, bool marker)
{
	if (os_clock_wanted)
		return marker ? &os_marker : &os_alone;
	return marker ? &counter_marker : &counter_alone;
}
