// SPDX-License-Identifier: MIT
/* Back end "user": threads that spin on the clock, and know when the kernel ran. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/hwlat_user.h"

/* Long enough for the reads between slices to cost little, short enough for a stop to be quick. */
#define SLICE_US 100000

#define FLOOR_ROUNDS 5

/* --- opening ------------------------------------------------------------------------------ */

static int check_cpus(const struct cpus *cpus, struct finding *why)
{
	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu)) {
		const int err = user_pin((unsigned int)cpu);

		if (err) {
			finding_set(why, FINDING_BLOCKED,
				    "Name the CPUs that are allowed with --cpus: grep "
				    "Cpus_allowed_list /proc/self/status",
				    "CPU %d is not for this process: %s", cpu, strerror(-err));
			return err;
		}
	}
	return 0;
}

/* The least that was measured: other programs, a hypervisor can only make it longer. */
static void measure_floor(struct user_run *run)
{
	uint64_t least = UINT64_MAX;
	struct gap_floor floor;

	for (int i = 0; i < FLOOR_ROUNDS; i++) {
		run->loop->floor(&floor);
		if (floor.usual < least)
			least = floor.usual;
	}
	run->floor_ns = user_ns(run, least);
}

static int check_threshold(const struct user_run *run, struct finding *why)
{
	const uint64_t least_ns = run->floor_ns * USER_FLOOR_FACTOR;

	if (run->config.threshold_us * 1000 >= least_ns)
		return 0;
	finding_set(why, FINDING_BLOCKED, NULL,
		    "a threshold of %" PRIu64
		    " us would find the loop itself, of which one step takes "
		    "%" PRIu64 " ns here",
		    run->config.threshold_us, run->floor_ns);
	snprintf(why->next, sizeof(why->next), "Choose --threshold=%" PRIu64 "us or more.",
		 (least_ns + 999) / 1000);
	return -EINVAL;
}

static void choose_clock(struct user_run *run)
{
	struct finding ignored;

	run->os_clock = !counter_readable() || hwlat_clock_check(&ignored);
	if (!run->os_clock)
		counter_find_rate(&run->rate);
	if (run->os_clock || !run->rate.mult) {
		run->os_clock = true;
		run->rate = (struct counter_rate){ .mult = 1, .khz = 1000000 };
	}
}

/* Whether the host tells how long it took: then some time of some CPU has been stolen since the boot. */
static bool has_steal_clock(void)
{
	struct proc_file stat;
	const bool moved = !proc_file_open(&stat, "/proc/stat") && !proc_file_read(&stat) &&
			   stat_steal_total_ns(stat.text);

	proc_file_close(&stat);
	return moved;
}

/* On the first CPU; the thread that calls this is put back where it was. */
static int try_out(struct user_run *run, struct finding *why)
{
	const unsigned int cpu = (unsigned int)cpus_next(&run->config.cpus, -1);
	cpu_set_t *before = CPU_ALLOC(CPUS_MAX);
	enum user_mark mark;
	int err;

	if (!before)
		return -ENOMEM;
	sched_getaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), before);
	err = check_cpus(&run->config.cpus, why);
	if (!err)
		err = user_pin(cpu);
	if (!err) {
		mark = user_try_mark(cpu);
		run->marker = mark != USER_MARK_NONE;
		run->kernel.shared = mark == USER_MARK_SHARED;
		run->loop = user_loop(run->os_clock, run->marker);
		measure_floor(run);
		err = check_threshold(run, why);
	}
	sched_setaffinity(0, CPU_ALLOC_SIZE(CPUS_MAX), before);
	CPU_FREE(before);
	return err;
}

static int make_room(struct user_run *run)
{
	const unsigned int count =
		run->config.mode == HWLAT_PER_CPU ? cpus_count(&run->config.cpus) : 1;
	int cpu = -1;

	run->records = calloc(USER_RECORDS, sizeof(run->records[0]));
	run->threads = calloc(count, sizeof(run->threads[0]));
	if (!run->records || !run->threads)
		return -ENOMEM;
	for (unsigned int i = 0; i < count; i++) {
		struct user_thread *t = &run->threads[i];

		if (run->config.mode == HWLAT_PER_CPU)
			cpu = cpus_next(&run->config.cpus, cpu);
		t->run = run;
		t->home = cpu;
		t->cpu = -1;
		t->smi = (struct hwlat_smi){ .fd = -1 };
		t->smi_cpu = -1;
		t->seed = (unsigned int)hwlat_now_ns() + i;
		t->least_mark = UINT64_MAX / 2;
		proc_file_open(&t->interrupts, "/proc/interrupts");
		proc_file_open(&t->stat, "/proc/stat");
		run->thread_count++;
	}
	return 0;
}

static int user_close(void *state);

static int prepare(struct user_run *run, struct finding *why)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&run->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&run->stopped, &monotonic);
	pthread_condattr_destroy(&monotonic);
	run->event_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (run->event_fd < 0)
		return -errno;
	choose_clock(run);
	run->hypervisor = hwlat_hypervisor();
	run->steal_clock = has_steal_clock();
	run->threshold_ticks = user_ticks(run, run->config.threshold_us);
	run->slice_ticks = user_ticks(run, SLICE_US);
	user_read_throttle(&run->throttle);
	return try_out(run, why) ?: make_room(run);
}

static int user_open(void **state, const struct hwlat_config *config, struct finding *why)
{
	struct user_run *run = calloc(1, sizeof(*run));
	int err;

	if (!run)
		return -ENOMEM;
	run->config = *config;
	err = prepare(run, why);
	if (err) {
		user_close(run);
		return err;
	}
	*state = run;
	return 0;
}

/* --- running ------------------------------------------------------------------------------ */

static void stop_threads(struct user_run *run)
{
	pthread_mutex_lock(&run->lock);
	run->stop = true;
	pthread_cond_broadcast(&run->stopped);
	pthread_mutex_unlock(&run->lock);
	for (unsigned int i = 0; i < run->thread_count; i++)
		if (run->threads[i].started)
			pthread_join(run->threads[i].id, NULL);
}

/* Signals are for the thread that waits for the run. */
static int user_start(void *state, int64_t real_to_boot_ns)
{
	struct user_run *run = state;
	sigset_t all, before;
	int err = 0;

	(void)real_to_boot_ns;
	run->locked = mlockall(MCL_CURRENT) == 0 ||
		      mlock(run->threads, run->thread_count * sizeof(run->threads[0])) == 0;
	run->kernel.told = run->marker ? HWLAT_TOLD_MARKER : HWLAT_TOLD_COUNTERS;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (unsigned int i = 0; !err && i < run->thread_count; i++) {
		struct user_thread *t = &run->threads[i];

		err = -pthread_create(&t->id, NULL, user_thread, t);
		t->started = !err;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int user_fd(const void *state)
{
	return ((const struct user_run *)state)->event_fd;
}

static uint64_t records_put(struct user_run *run)
{
	uint64_t head;

	pthread_mutex_lock(&run->lock);
	head = run->head;
	pthread_mutex_unlock(&run->lock);
	return head;
}

static void take(struct user_run *run, struct user_record *record)
{
	pthread_mutex_lock(&run->lock);
	*record = run->records[run->tail++ % USER_RECORDS];
	pthread_mutex_unlock(&run->lock);
}

/* Only what is there now: threads that are faster than the sink would keep the caller for ever. */
static int user_read(void *state, const struct hwlat_sink *sink)
{
	struct user_run *run = state;
	struct user_record record;
	uint64_t ignored, end;

	if (read(run->event_fd, &ignored, sizeof(ignored)) < 0 && errno != EAGAIN)
		return -errno;
	end = records_put(run);
	while (run->tail != end) {
		take(run, &record);
		if (record.is_window)
			sink->window(sink->context, &record.window);
		else
			sink->gap(sink->context, &record.gap);
	}
	return 0;
}

static int user_stop(void *state, const struct hwlat_sink *sink, struct hwlat_facts *facts)
{
	struct user_run *run = state;

	stop_threads(run);
	facts->floor_ns = run->floor_ns;
	facts->kernel = run->kernel;
	facts->realtime = run->thread_count && run->realtime == run->thread_count;
	facts->locked = run->locked;
	facts->os_clock = run->os_clock;
	return user_read(run, sink);
}

static int user_close(void *state)
{
	struct user_run *run = state;

	for (unsigned int i = 0; i < run->thread_count; i++) {
		hwlat_smi_close(&run->threads[i].smi);
		proc_file_close(&run->threads[i].interrupts);
		proc_file_close(&run->threads[i].stat);
	}
	if (run->locked)
		munlockall();
	if (run->event_fd >= 0)
		close(run->event_fd);
	pthread_cond_destroy(&run->stopped);
	pthread_mutex_destroy(&run->lock);
	free(run->threads);
	free(run->records);
	free(run);
	return 0;
}

const struct hwlat_backend hwlat_user = {
	.name = "user",
	.tells_windows = true,
	.os_clock = true,
	.check = user_check,
	.open = user_open,
	.start = user_start,
	.fd = user_fd,
	.read = user_read,
	.stop = user_stop,
	.close = user_close,
};
