// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling thread.
 *
 *	|<------------------------- window ------------------------>|
 *	 slice  slice  slice ... slice     sleep, jittered, >= 1 ms
 *	|<------- width: slices ------>|
 *
 * A slice runs core/gap with interrupts off for a few milliseconds. In the breath after it pending
 * interrupts and whatever else waits for this CPU run, and the slice's gaps become records.
 */
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include <asm/tsc.h>

#include "../compat.h"
#include "hwlat.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/*
 * The longest time with interrupts off, and so the longest wait of another CPU for an answer from
 * this one: a scheduler tick at 250 Hz, far below every watchdog.
 */
#define HWLAT_SLICE_US 4000
#define HWLAT_REST_MIN_US 1000ULL

/* So that no flood of gaps can keep the reader from learning what was watched. */
#define HWLAT_RESERVED_RECORDS 64

struct hwlat_slice {
	struct gap_loop loop;
	struct gap_buffer found;
	struct hwlat_counters last;
	u64 ns;	     /* CLOCK_BOOTTIME ... */
	u64 tsc;     /* ... at this counter value */
	u64 longest; /* gap, in ticks */
};

static inline uint64_t hwlat_clock(void)
{
	return rdtsc();
}

/* With interrupts off there is nothing more to see at a step. */
static inline uint32_t hwlat_look(void)
{
	return 0;
}

void hwlat_measure_floor(void)
{
	struct gap_floor floor;

	local_irq_disable();
	gap_measure_floor(&floor, hwlat_clock, hwlat_look);
	local_irq_enable();
	hwlat_result.floor_ns = hwlat_ns(floor.usual);
}

static u64 hwlat_slice_ns(const struct hwlat_slice *slice, u64 tsc)
{
	return tsc < slice->tsc ? slice->ns - hwlat_ns(slice->tsc - tsc) :
				  slice->ns + hwlat_ns(tsc - slice->tsc);
}

/*
 * Reads the counters and the time, and then the counter from which on gaps are watched. An SMI
 * among these reads would be counted with the next gap or shift its time, so a round that took
 * longer than they do is repeated.
 */
static u64 hwlat_mark(struct hwlat_thread *t, struct hwlat_slice *slice, u64 thresh)
{
	int tries = 3;
	u64 took;

	do {
		const u64 before = hwlat_clock();

		hwlat_counters_read(&slice->last);
		slice->ns = ktime_get_boottime_ns();
		slice->tsc = hwlat_clock();
		took = slice->tsc - before;
		t->mark_ticks = min(t->mark_ticks, took);
	} while (took > t->mark_ticks + thresh && --tries);
	return slice->tsc;
}

/*
 * What comes after the gap, but before its counters were read, cannot be told from it: the two are
 * one gap, so that each has the counts of what is inside it.
 */
static void hwlat_read_counters(struct hwlat_thread *t, struct hwlat_slice *slice, struct gap *gap)
{
	const u64 limit = t->mark_ticks + slice->loop.threshold;
	int tries = 3;

	do {
		const struct hwlat_counters diff = hwlat_counters_step(&slice->last);
		const u64 now = hwlat_clock();

		gap->smi += diff.smi;
		gap->nmi += diff.nmi;
		gap->nmi_ns += diff.nmi_ns;
		if (gap_is_backward(gap) || now - gap->end <= limit)
			return;
		gap_extend(&slice->loop, gap, now);
	} while (--tries);
}

static void hwlat_found(struct hwlat_thread *t, struct hwlat_slice *slice, struct gap *gap)
{
	hwlat_read_counters(t, slice, gap);
	if (!gap_is_backward(gap))
		slice->longest = max(slice->longest, gap_length(gap));
	gap_buffer_add(&slice->found, gap);
}

static void hwlat_watch(struct hwlat_thread *t, struct hwlat_slice *slice, u64 ticks, u64 thresh)
{
	struct gap gap;

	gap_begin(&slice->loop, hwlat_mark(t, slice, thresh), ticks, thresh);
	while (gap_find(&slice->loop, &gap, hwlat_clock, hwlat_look)) {
		hwlat_found(t, slice, &gap);
		if (!gap_is_backward(&gap))
			gap_resume(&slice->loop, hwlat_mark(t, slice, thresh));
	}
}

/* False if the thread is not where the window began: an unplug or a user has moved it. */
static bool hwlat_slice(struct hwlat_thread *t, struct hwlat_slice *slice, u64 ticks, u64 thresh)
{
	bool in_place;

	*slice = (struct hwlat_slice){ .found = { .gaps = t->gaps, .size = HWLAT_SLICE_GAPS } };
	local_irq_disable();
	in_place = smp_processor_id() == t->cpu;
	if (in_place) {
		hwlat_watch(t, slice, ticks, thresh);
		compat_rcu_momentary_eqs();
	}
	local_irq_enable();
	return in_place;
}

/*
 * Gives the record its number and keeps it for a reader. False: there is one, but no room. A reader
 * on this CPU works in the breaths, where nothing is watched: it is not woken for every gap.
 */
static bool hwlat_keep(struct hwlat_run *run, union hadal_hwlat_record *record)
{
	const bool window = record->type == HADAL_HWLAT_WINDOW;
	bool kept = true, wake;

	spin_lock(&run->lock);
	record->gap.seq = ++run->seq;
	if (run->keep) {
		kept = kfifo_avail(&run->records) > (window ? 0 : HWLAT_RESERVED_RECORDS);
		if (kept)
			kfifo_put(&run->records, *record);
	}
	wake = window || time_after(jiffies, run->next_wake);
	if (wake)
		run->next_wake = jiffies + HZ / 10;
	spin_unlock(&run->lock);
	if (wake)
		wake_up_interruptible(&run->wait);
	return kept;
}

static void hwlat_report_gap(struct hwlat_thread *t, const struct hwlat_slice *slice,
			     const struct gap *gap)
{
	union hadal_hwlat_record record;

	record.gap = (struct hadal_hwlat_gap){
		.type = HADAL_HWLAT_GAP,
		.cpu = t->cpu,
		.start_ns = hwlat_slice_ns(slice, gap->start),
		.start_tsc = gap->start,
		.duration_ns = hwlat_ns(gap_length(gap)),
		.smi = gap->smi,
		.nmi = gap->nmi,
		.nmi_ns = gap->nmi_ns,
	};
	if (hwlat_smi_believed())
		record.gap.flags |= HADAL_HWLAT_SMI_BELIEVED;
	if (gap_is_backward(gap))
		record.gap.flags |= HADAL_HWLAT_BACKWARD;
	if (hwlat_nmi_timed())
		record.gap.flags |= HADAL_HWLAT_NMI_TIME;
	if (!hwlat_keep(t->run, &record))
		per_cpu(hwlat_cpus.dropped, t->cpu)++;
	trace_hwlat_gap(&record.gap);
}

static void hwlat_report_slice(struct hwlat_thread *t, const struct hwlat_slice *slice)
{
	u32 i;

	if (!slice->found.used)
		return;
	spin_lock(&t->run->lock);
	hwlat_result.count += slice->found.used + slice->found.dropped;
	hwlat_result.max_ns = max(hwlat_result.max_ns, hwlat_ns(slice->longest));
	spin_unlock(&t->run->lock);
	per_cpu(hwlat_cpus.dropped, t->cpu) += slice->found.dropped;
	for (i = 0; i < slice->found.used; i++)
		hwlat_report_gap(t, slice, &slice->found.gaps[i]);
}

/* The last reading of an absent CPU's counters stays: its next window record makes up for it. */
static void hwlat_account(const struct hwlat_thread *t, struct hadal_hwlat_window *window)
{
	struct hwlat_counters diff = { 0 };

	local_irq_disable();
	if (smp_processor_id() == t->cpu)
		diff = hwlat_counters_account();
	local_irq_enable();
	window->smi = diff.smi;
	window->nmi = diff.nmi;
}

static void hwlat_report_window(struct hwlat_thread *t, union hadal_hwlat_record *record)
{
	u32 *dropped = &per_cpu(hwlat_cpus.dropped, t->cpu);

	hwlat_account(t, &record->window);
	record->window.dropped = *dropped;
	if (hwlat_keep(t->run, record))
		*dropped = 0;
	trace_hwlat_window(&record->window);
}

static void hwlat_window(struct hwlat_thread *t)
{
	const struct hwlat_settings *set = &t->run->set;
	const u64 thresh = hwlat_ticks(max(set->thresh_us, 1ULL));
	union hadal_hwlat_record record;
	struct hadal_hwlat_window *window = &record.window;
	u64 left = hwlat_ticks(set->width_us);
	struct hwlat_slice slice;

	*window = (struct hadal_hwlat_window){ .type = HADAL_HWLAT_WINDOW, .cpu = t->cpu };
	do {
		const u64 ticks = min(left, hwlat_ticks(HWLAT_SLICE_US));

		if (!hwlat_slice(t, &slice, ticks, thresh))
			break;
		if (!window->slices++) {
			window->start_ns = hwlat_slice_ns(&slice, slice.loop.first);
			window->start_tsc = slice.loop.first;
		}
		window->duration_ns =
			hwlat_slice_ns(&slice, max(slice.loop.last, slice.tsc)) - window->start_ns;
		window->watched_ns += hwlat_ns(slice.loop.watched);
		hwlat_report_slice(t, &slice);
		cond_resched_tasks_rcu_qs();
		left -= ticks;
	} while (left && !kthread_should_stop());

	if (window->slices)
		hwlat_report_window(t, &record);
}

static int hwlat_next_cpu(struct hwlat_run *run)
{
	int cpu = cpumask_next_and(run->last_cpu, &run->set.cpus, cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		cpu = cpumask_first_and(&run->set.cpus, cpu_online_mask);
	run->last_cpu = cpu;
	return cpu;
}

/* Chooses the CPU of the next window and stays there. False: none can be had just now. */
static bool hwlat_settle(struct hwlat_thread *t)
{
	if (t->home >= 0) {
		t->cpu = t->home;
		return true;
	}
	if (t->run->set.mode == HWLAT_MODE_ROUND_ROBIN)
		t->cpu = hwlat_next_cpu(t->run);
	else if (!set_cpus_allowed_ptr(current, &t->run->set.cpus))
		t->cpu = raw_smp_processor_id();
	else
		return false;
	return t->cpu < nr_cpu_ids && !set_cpus_allowed_ptr(current, cpumask_of(t->cpu));
}

static void hwlat_rest(u64 us)
{
	ktime_t time = ns_to_ktime(us * NSEC_PER_USEC);

	set_current_state(TASK_INTERRUPTIBLE);
	if (!kthread_should_stop())
		schedule_hrtimeout_range(&time, 0, HRTIMER_MODE_REL);
	__set_current_state(TASK_RUNNING);
}

/*
 * What is left of the window, give or take a quarter: a source whose period is that of the windows
 * would otherwise be seen always or never.
 */
static u64 hwlat_rest_us(const struct hwlat_settings *set, s64 used_us)
{
	const u64 window_us = min(set->window_us, HWLAT_MAX_US);
	const u64 left_us = window_us > used_us ? window_us - used_us : 0;

	return max(left_us * (768 + get_random_u32() % 513) / 1024, HWLAT_REST_MIN_US);
}

int hwlat_thread_fn(void *data)
{
	struct hwlat_thread *t = data;
	const struct hwlat_settings *set = &t->run->set;

	hwlat_rest(HWLAT_REST_MIN_US);
	while (!kthread_should_stop()) {
		const ktime_t start = ktime_get();

		if (hwlat_settle(t))
			hwlat_window(t);
		if (set->mode == HWLAT_MODE_NONE)
			set_cpus_allowed_ptr(current, &set->cpus);
		hwlat_rest(hwlat_rest_us(set, ktime_us_delta(ktime_get(), start)));
	}
	return 0;
}
