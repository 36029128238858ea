// SPDX-License-Identifier: MIT
/* One slice of watching from user space: its gaps, and what the counters say of them. */
#include <sys/resource.h>

#include "lib/hwlat_user.h"

/* How exact the steal time of /proc/stat is. */
#define STEAL_STEP_NS 10000000

/* --- counters ----------------------------------------------------------------------------- */

static uint64_t thread_switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static void read_counters(struct user_thread *t, struct user_counters *now)
{
	const unsigned int cpu = (unsigned int)t->cpu;

	*now = (struct user_counters){ HWLAT_UNKNOWN, HWLAT_UNKNOWN, HWLAT_UNKNOWN, HWLAT_UNKNOWN };
	now->smi = hwlat_smi_read(&t->smi);
	if (!proc_file_read(&t->interrupts)) {
		now->nmi = interrupts_row_of_cpu(t->interrupts.text, "NMI", cpu);
		now->interrupts = interrupts_of_cpu(t->interrupts.text, cpu);
	}
	if (t->run->steal_clock && !proc_file_read(&t->stat))
		now->steal_ns = stat_steal_ns(t->stat.text, cpu);
}

static uint64_t moved(uint64_t now, uint64_t last)
{
	if (now == HWLAT_UNKNOWN || last == HWLAT_UNKNOWN)
		return HWLAT_UNKNOWN;
	return now > last ? now - last : 0;
}

static void step_counters(struct user_thread *t, struct user_counters *diff)
{
	struct user_counters now;

	read_counters(t, &now);
	diff->smi = moved(now.smi, t->last.smi);
	diff->nmi = moved(now.nmi, t->last.nmi);
	diff->interrupts = moved(now.interrupts, t->last.interrupts);
	diff->steal_ns = moved(now.steal_ns, t->last.steal_ns);
	t->last = now;
}

void user_counters_move(struct user_thread *t)
{
	if (t->smi_cpu != t->cpu) {
		hwlat_smi_close(&t->smi);
		hwlat_smi_open(&t->smi, (unsigned int)t->cpu);
		t->smi_cpu = t->cpu;
	}
	read_counters(t, &t->last);
}

/* --- watching ----------------------------------------------------------------------------- */

/*
 * Reads what can be told gap by gap, and then the clock from which on gaps are watched. What comes among
 * these reads would be counted with the next gap, so a round that took longer than usual is repeated.
 */
static uint64_t mark(struct user_thread *t, struct user_slice *slice)
{
	const struct user_loop *loop = t->run->loop;
	int tries = 3;
	uint64_t took, now;

	do {
		const uint64_t before = loop->now();

		slice->switches = thread_switches();
		slice->smi = hwlat_smi_read(&t->smi);
		now = loop->now();
		took = now - before;
		if (took < t->least_mark)
			t->least_mark = took;
	} while (took > t->least_mark + t->run->threshold_ticks && --tries);
	return now;
}

/* A switch after the gap leaves the mark of the gap alone; without the mark nobody can tell. */
static void found(struct user_thread *t, struct user_slice *slice, struct gap *gap)
{
	const uint64_t smi = moved(hwlat_smi_read(&t->smi), slice->smi);
	const bool switched = thread_switches() != slice->switches;

	gap->smi = smi == HWLAT_UNKNOWN ? UINT32_MAX : (uint32_t)smi;
	if (switched && (gap->seen & USER_SEEN_ENTRY || !t->run->marker))
		gap->seen |= USER_SEEN_ENTRY | USER_SEEN_SWITCH;
	gap_buffer_add(&slice->found, gap);
}

static void take_anchor(const struct user_thread *t, struct user_slice *slice)
{
	const struct user_loop *loop = t->run->loop;
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 4; i++) {
		const uint64_t before = loop->now();
		const uint64_t ns = hwlat_now_ns();
		const uint64_t after = loop->now();

		if (after - before >= least)
			continue;
		least = after - before;
		slice->anchor = before + least / 2;
		slice->anchor_ns = ns;
	}
}

void user_slice_watch(struct user_thread *t, struct user_slice *slice, uint64_t ticks)
{
	const struct user_run *run = t->run;
	struct gap gap;

	*slice = (struct user_slice){ .found = { .gaps = t->gaps, .size = USER_SLICE_GAPS } };
	take_anchor(t, slice);
	gap_begin(&slice->loop, mark(t, slice), ticks, run->threshold_ticks);
	while (run->loop->find(&slice->loop, &gap)) {
		found(t, slice, &gap);
		if (!gap_is_backward(&gap))
			gap_resume(&slice->loop, mark(t, slice));
	}
	step_counters(t, &slice->moved);
}

/* --- what a gap was ----------------------------------------------------------------------- */

int64_t user_slice_ns(const struct user_thread *t, const struct user_slice *slice, uint64_t tick)
{
	if (tick < slice->anchor)
		return (int64_t)(slice->anchor_ns - user_ns(t->run, slice->anchor - tick));
	return (int64_t)(slice->anchor_ns + user_ns(t->run, tick - slice->anchor));
}

/*
 * Without the mark, a gap is taken for the kernel's if the thread was switched, or if the slice had any
 * interrupt at all.
 */
static enum hwlat_entry entry_of(const struct user_thread *t, const struct user_slice *slice,
				 const struct gap *gap)
{
	if (gap->seen & USER_SEEN_SWITCH)
		return HWLAT_SWITCHED;
	if (gap->seen & USER_SEEN_ENTRY || (!t->run->marker && slice->moved.interrupts))
		return HWLAT_ENTERED;
	return HWLAT_NOT_ENTERED;
}

/*
 * Steal time moves in steps of 10 ms, so it cannot speak for a shorter gap. It covers a longer one if it
 * has room for all gaps of the slice but those in which other threads ran.
 */
static bool is_stolen(const struct user_thread *t, const struct user_slice *slice, uint64_t ns)
{
	const uint64_t steal = slice->moved.steal_ns;
	uint64_t sum = 0;

	if (ns < STEAL_STEP_NS || steal == HWLAT_UNKNOWN || !steal)
		return false;
	for (uint32_t i = 0; i < slice->found.used; i++)
		if (!(slice->found.gaps[i].seen & USER_SEEN_SWITCH))
			sum += user_ns(t->run, gap_length(&slice->found.gaps[i]));
	return sum <= steal + STEAL_STEP_NS;
}

void user_slice_gap(struct hwlat_gap *told, const struct user_thread *t,
		    const struct user_slice *slice, const struct gap *gap)
{
	const uint64_t ns = user_ns(t->run, gap_length(gap));
	const bool believed = !t->run->hypervisor || t->run->smi_moved;

	*told = (struct hwlat_gap){
		.start_ns = user_slice_ns(t, slice, gap->start),
		.duration_ns = ns,
		.smi = gap->smi == UINT32_MAX || (!gap->smi && !believed) ? HWLAT_UNKNOWN :
									    gap->smi,
		.nmi = HWLAT_UNKNOWN,
		.nmi_ns = HWLAT_UNKNOWN,
		.inner_us = HWLAT_UNKNOWN,
		.outer_us = HWLAT_UNKNOWN,
		.count = 1,
		.cpu = (uint32_t)t->cpu,
		.entry = entry_of(t, slice, gap),
		.stolen = is_stolen(t, slice, ns),
		.backward = gap_is_backward(gap),
	};
}
