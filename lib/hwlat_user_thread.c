// SPDX-License-Identifier: MIT
/*
 * The thread that watches from user space: windows of slices with a pause of varying length between, as the
 * kernel module has them (kernel/hwlat/sample.c), but with interrupts on.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lib/hwlat_user.h"

#define NS_PER_US 1000
#define REST_MIN_NS 1000000

/* --- records ------------------------------------------------------------------------------ */

/* With the lock held. False: there is no room. */
static bool put(struct user_run *run, const struct user_record *record)
{
	const uint64_t room = USER_RECORDS - (run->head - run->tail);

	if (room <= (record->is_window ? 0 : USER_RESERVED_RECORDS))
		return false;
	run->records[run->head++ % USER_RECORDS] = *record;
	return true;
}

/*
 * The kernel takes a real-time thread off the CPU when it has used its share of a period. What is left of
 * the period is then one gap with a switch.
 */
static bool is_throttling(const struct user_thread *t, const struct hwlat_gap *gap)
{
	const struct user_throttle *throttle = &t->run->throttle;

	return t->realtime && throttle->period_ns && gap->entry == HWLAT_SWITCHED &&
	       gap->duration_ns > (throttle->period_ns - throttle->runtime_ns) / 2;
}

/* With the lock held. */
static void sum_up(const struct user_thread *t, const struct hwlat_gap *gap,
		   struct hwlat_window *window)
{
	struct hwlat_kernel *kernel = &t->run->kernel;

	kernel->gaps++;
	kernel->ns += gap->duration_ns;
	if (gap->duration_ns > kernel->max_ns)
		kernel->max_ns = gap->duration_ns;
	if (gap->entry != HWLAT_SWITCHED && gap->duration_ns > kernel->alone_max_ns)
		kernel->alone_max_ns = gap->duration_ns;
	if (is_throttling(t, gap))
		kernel->throttled_ns += gap->duration_ns;
	/* Whatever else took the CPU in this time is not told. */
	window->watched_ns -= gap->duration_ns;
}

static void report_gap(struct user_thread *t, const struct user_slice *slice, const struct gap *gap,
		       struct hwlat_window *window)
{
	struct user_run *run = t->run;
	struct user_record record = { .is_window = false };
	bool kernel;

	run->smi_moved = run->smi_moved || (gap->smi && gap->smi != UINT32_MAX);
	user_slice_gap(&record.gap, t, slice, gap);
	kernel = !record.gap.backward &&
		 hwlat_cause_of(&record.gap, run->hypervisor) == HWLAT_KERNEL;
	if (kernel)
		sum_up(t, &record.gap, window);
	if ((!kernel || run->config.all) && !put(run, &record))
		window->dropped++;
}

static void report_slice(struct user_thread *t, const struct user_slice *slice,
			 struct hwlat_window *window)
{
	window->watched_ns += user_ns(t->run, slice->loop.watched);
	window->dropped += slice->found.dropped;
	pthread_mutex_lock(&t->run->lock);
	for (uint32_t i = 0; i < slice->found.used; i++)
		report_gap(t, slice, &slice->found.gaps[i], window);
	pthread_mutex_unlock(&t->run->lock);
}

static void report_window(struct user_run *run, const struct hwlat_window *window)
{
	const struct user_record record = { .is_window = true, .window = *window };
	const uint64_t one = 1;

	pthread_mutex_lock(&run->lock);
	put(run, &record);
	pthread_mutex_unlock(&run->lock);
	/* A counter that is full has told the reader already. */
	if (write(run->event_fd, &one, sizeof(one)) != sizeof(one))
		return;
}

/* --- windows ------------------------------------------------------------------------------ */

static bool is_stopped(struct user_run *run)
{
	bool stop;

	pthread_mutex_lock(&run->lock);
	stop = run->stop;
	pthread_mutex_unlock(&run->lock);
	return stop;
}

static void add_moved(uint64_t *sum, uint64_t moved)
{
	*sum = moved == HWLAT_UNKNOWN || *sum == HWLAT_UNKNOWN ? HWLAT_UNKNOWN : *sum + moved;
}

static void count_slice(const struct user_thread *t, const struct user_slice *slice,
			struct hwlat_window *window, bool first)
{
	if (first)
		window->start_ns = user_slice_ns(t, slice, slice->loop.first);
	window->duration_ns =
		(uint64_t)(user_slice_ns(t, slice, slice->loop.last) - window->start_ns);
	add_moved(&window->smi, slice->moved.smi);
	add_moved(&window->nmi, slice->moved.nmi);
}

/* A CPU that went offline has given the thread to another one. */
static void watch_window(struct user_thread *t, uint64_t width_ticks)
{
	struct hwlat_window window = { .cpu = (uint32_t)t->cpu };
	const uint64_t most = t->run->slice_ticks;
	struct user_slice slice;
	bool first = true;

	while (width_ticks && sched_getcpu() == t->cpu && !is_stopped(t->run)) {
		const uint64_t ticks = width_ticks < most ? width_ticks : most;

		user_slice_watch(t, &slice, ticks);
		count_slice(t, &slice, &window, first);
		report_slice(t, &slice, &window);
		width_ticks -= ticks;
		first = false;
	}
	if (!first)
		report_window(t->run, &window);
}

/* The CPU of the next window. Returns 0 or a negative errno. */
static int settle(struct user_thread *t)
{
	const struct cpus *cpus = &t->run->config.cpus;
	int cpu = t->home;

	if (cpu < 0 && t->run->config.mode == HWLAT_ROUND_ROBIN) {
		cpu = cpus_next(cpus, t->cpu);
		if (cpu < 0)
			cpu = cpus_next(cpus, -1);
	} else if (cpu < 0) {
		user_pin_to(cpus);
		cpu = sched_getcpu();
	}
	t->cpu = cpu;
	return user_pin((unsigned int)cpu);
}

/* What is left of the window, give or take a quarter, so that no period of the machine's hides in it. */
static uint64_t rest_ns(struct user_thread *t, uint64_t used_ns)
{
	const uint64_t window_ns = t->run->config.window_us * NS_PER_US;
	const uint64_t left_ns = window_ns > used_ns ? window_ns - used_ns : 0;
	const uint64_t rest = left_ns / 1024 * (768 + (unsigned int)rand_r(&t->seed) % 513);

	return rest > REST_MIN_NS ? rest : REST_MIN_NS;
}

static void rest(struct user_thread *t, uint64_t ns)
{
	struct user_run *run = t->run;
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	ns += (uint64_t)until.tv_nsec;
	until.tv_sec += (time_t)(ns / 1000000000);
	until.tv_nsec = (long)(ns % 1000000000);
	pthread_mutex_lock(&run->lock);
	while (!run->stop && pthread_cond_timedwait(&run->stopped, &run->lock, &until) != ETIMEDOUT)
		;
	pthread_mutex_unlock(&run->lock);
}

void *user_thread(void *context)
{
	struct user_thread *t = context;
	struct user_run *run = t->run;
	const uint64_t ticks = user_ticks(run, run->config.width_us);

	t->realtime = user_become_realtime(&run->throttle, run->config.width_us);
	pthread_mutex_lock(&run->lock);
	run->realtime += t->realtime;
	pthread_mutex_unlock(&run->lock);
	while (!is_stopped(run)) {
		const uint64_t start = hwlat_now_ns();

		if (!settle(t)) {
			user_counters_move(t);
			watch_window(t, ticks);
		}
		rest(t, rest_ns(t, hwlat_now_ns() - start));
	}
	return NULL;
}
