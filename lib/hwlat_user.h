/* SPDX-License-Identifier: MIT */
/*
 * Watching from user space: threads that spin on the clock.
 *
 *	hwlat_user.c		the back end: opens, starts, hands out, stops
 *	hwlat_user_check.c	what this machine and this user allow: CPUs, priority, memory
 *	hwlat_user_loop.c	core/gap with each pair of clock and mark that there is
 *	hwlat_user_marker.c	does the mark work here?
 *	hwlat_user_slice.c	one slice: its gaps, and what the counters say of them
 *	hwlat_user_thread.c	the thread: windows of slices
 */
#ifndef HADAL_LIB_HWLAT_USER_H
#define HADAL_LIB_HWLAT_USER_H

#include <pthread.h>

#include "core/gap.h"
#include "lib/boot_counter.h"
#include "lib/hwlat.h"
#include "lib/hwlat_interrupts.h"
#include "lib/hwlat_smi.h"

/* A bit of struct gap's @seen, as enum hwlat_entry has them: the mark was wiped. */
#define USER_SEEN_ENTRY 1
#define USER_SEEN_SWITCH 2

/* A step this much longer than the loop's own is worth calling a gap (core/gap.h). */
#define USER_FLOOR_FACTOR 5

/* --- hwlat_user_loop.c -------------------------------------------------------------------- */

/*
 * struct user_loop - core/gap for one clock and one mark
 * @now: the clock, in ticks; sets the mark before it reads
 * @find: as gap_find()
 * @floor: as gap_measure_floor()
 */
struct user_loop {
	uint64_t (*now)(void);
	bool (*find)(struct gap_loop *loop, struct gap *gap);
	void (*floor)(struct gap_floor *floor);
};

const struct user_loop *user_loop(bool os_clock, bool marker);

/* --- hwlat_user_marker.c ------------------------------------------------------------------ */

enum user_mark {
	USER_MARK_NONE,	  /* of no use on this machine */
	USER_MARK_SHARED, /* wiped by the kernel, and by a hypervisor too */
	USER_MARK_EXACT,  /* wiped by the kernel and by nothing else */
};

/* Tries the mark on the CPU that the caller is pinned to. Takes some ticks. */
enum user_mark user_try_mark(unsigned int cpu);

/* --- hwlat_user_check.c ------------------------------------------------------------------- */

/* The kernel's limit for real-time threads: @runtime of each @period; no limit: 0 and 0. */
struct user_throttle {
	uint64_t runtime_ns;
	uint64_t period_ns;
};

void user_check(struct finding *finding);

/* Keeps this thread on one CPU, or on a set. Returns 0 or a negative errno. */
int user_pin(unsigned int cpu);
int user_pin_to(const struct cpus *cpus);

void user_read_throttle(struct user_throttle *throttle);

/* Asks for a real-time priority for this thread. True if it has one. */
bool user_become_realtime(const struct user_throttle *throttle, uint64_t width_us);

/* --- the run ------------------------------------------------------------------------------ */

#define USER_RECORDS 8192
#define USER_SLICE_GAPS 1024

/* So that no flood of gaps keeps the reader from learning what was watched. */
#define USER_RESERVED_RECORDS 64

struct user_record {
	bool is_window;
	union {
		struct hwlat_gap gap;
		struct hwlat_window window;
	};
};

struct user_thread;

struct user_run {
	struct hwlat_config config;
	const struct user_loop *loop;
	struct counter_rate rate;
	struct user_throttle throttle;
	uint64_t threshold_ticks;
	uint64_t slice_ticks;
	uint64_t floor_ns;
	bool marker;
	bool os_clock;
	bool steal_clock;
	bool hypervisor;
	bool locked;
	int event_fd;

	struct user_thread *threads;
	unsigned int thread_count;

	pthread_mutex_t lock; /* what follows */
	pthread_cond_t stopped;
	bool stop;
	bool smi_moved;
	unsigned int realtime; /* threads that got the priority */
	struct hwlat_kernel kernel;
	uint64_t head, tail; /* records put and taken */
	struct user_record *records;
};

/* Readings of one CPU's counters; HWLAT_UNKNOWN where there is none. */
struct user_counters {
	uint64_t smi;
	uint64_t nmi;
	uint64_t interrupts;
	uint64_t steal_ns;
};

struct user_thread {
	pthread_t id;
	bool started;
	struct user_run *run;
	int home; /* its only CPU, or -1 */
	int cpu;  /* of the present window */
	bool realtime;
	unsigned int seed;
	struct hwlat_smi smi;
	int smi_cpu; /* whose counter is open, or -1 */
	struct proc_file interrupts;
	struct proc_file stat;
	struct user_counters last; /* at the end of the last slice */
	uint64_t least_mark;
	struct gap gaps[USER_SLICE_GAPS];
};

/*
 * struct user_slice - one stretch of the loop, and what the counters moved by
 * @anchor_ns: CLOCK_BOOTTIME at @anchor ticks
 */
struct user_slice {
	struct gap_loop loop;
	struct gap_buffer found;
	uint64_t anchor;
	uint64_t anchor_ns;
	uint64_t switches;
	uint64_t smi;
	struct user_counters moved;
};

static inline uint64_t user_ns(const struct user_run *run, uint64_t ticks)
{
	const struct counter_rate *rate = &run->rate;
	const uint64_t whole = ticks >> rate->shift;
	const uint64_t rest = ticks - (whole << rate->shift);

	return whole * rate->mult + (rest * rate->mult >> rate->shift);
}

static inline uint64_t user_ticks(const struct user_run *run, uint64_t us)
{
	return us / 1000 * run->rate.khz + us % 1000 * run->rate.khz / 1000;
}

/* --- hwlat_user_slice.c ------------------------------------------------------------------- */

/* Opens the counters of the CPU that the thread is on, and reads them. */
void user_counters_move(struct user_thread *thread);

/* Watches for @ticks, then reads the counters. */
void user_slice_watch(struct user_thread *thread, struct user_slice *slice, uint64_t ticks);

/* CLOCK_BOOTTIME of a tick in or near the slice. */
int64_t user_slice_ns(const struct user_thread *thread, const struct user_slice *slice,
		      uint64_t tick);

/* A gap of the slice as the library tells it, but for the cause. */
void user_slice_gap(struct hwlat_gap *told, const struct user_thread *thread,
		    const struct user_slice *slice, const struct gap *gap);

/* --- hwlat_user_thread.c ------------------------------------------------------------------ */

/* The thread's function; wants a struct user_thread. */
void *user_thread(void *context);

#endif
