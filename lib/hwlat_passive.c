// SPDX-License-Identifier: MIT
/*
 * Back end "passive": never spins, only reads what is counted anyway, once a second. Safe where work is
 * done: it looks at its own cost, and looks less often rather than take more than its share.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "lib/hwlat.h"
#include "lib/hwlat_interrupts.h"
#include "lib/hwlat_smi.h"

#define INTERVAL_NS 1000000000ULL

/* A look may take 1/2000 of the time to the next one: half of the promised 0.1 % of one CPU. */
#define COST_SHARE 2000

struct passive_cpu {
	unsigned int cpu;
	struct hwlat_smi smi;
	uint64_t last[HWLAT_COUNTERS];
	uint64_t total[HWLAT_COUNTERS];
};

struct passive_run {
	struct passive_cpu *cpus;
	size_t cpu_count;
	struct proc_file interrupts;
	struct proc_file stat;
	bool hypervisor;
	int timer;
	uint64_t looked_ns;   /* CLOCK_BOOTTIME of the last look */
	uint64_t cpu_time_ns; /* of the process, at the start */
};

/* --- counters ----------------------------------------------------------------------------- */

/* Rows of /proc/interrupts, each with the counter that it belongs to. */
static const struct {
	const char *name;
	enum hwlat_counter counter;
} rows[] = {
	{ "NMI", HWLAT_COUNT_NMI },	{ "MCE", HWLAT_COUNT_MCE },
	{ "THR", HWLAT_COUNT_MCE }, /* corrected errors reached a threshold */
	{ "DFR", HWLAT_COUNT_MCE }, /* deferred errors, AMD */
	{ "TRM", HWLAT_COUNT_THERMAL },
};

/* Adds a row to a counter that may be unknown so far. */
static void add_row(uint64_t *n, uint64_t value)
{
	if (value != HWLAT_UNKNOWN)
		*n = *n == HWLAT_UNKNOWN ? value : *n + value;
}

static void read_cpu(const struct passive_run *run, const struct passive_cpu *cpu,
		     uint64_t now[HWLAT_COUNTERS])
{
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++)
		now[i] = HWLAT_UNKNOWN;
	now[HWLAT_COUNT_SMI] = hwlat_smi_read(&cpu->smi);
	for (size_t i = 0; run->interrupts.text && i < sizeof(rows) / sizeof(rows[0]); i++)
		add_row(&now[rows[i].counter],
			interrupts_row_of_cpu(run->interrupts.text, rows[i].name, cpu->cpu));
	if (run->stat.text)
		now[HWLAT_COUNT_STEAL_NS] = stat_steal_ns(run->stat.text, cpu->cpu);
}

static void read_files(struct passive_run *run)
{
	if (proc_file_read(&run->interrupts))
		proc_file_close(&run->interrupts);
	if (proc_file_read(&run->stat))
		proc_file_close(&run->stat);
}

/* A counter that went back was reset, by a sleep or by a CPU that was off, and has counted since then. */
static uint64_t moved(uint64_t now, uint64_t last)
{
	if (now == HWLAT_UNKNOWN || last == HWLAT_UNKNOWN)
		return HWLAT_UNKNOWN;
	return now >= last ? now - last : now;
}

/* Gives what came since the last look. False: nothing did. */
static bool step_cpu(const struct passive_run *run, struct passive_cpu *cpu,
		     uint64_t diff[HWLAT_COUNTERS])
{
	uint64_t now[HWLAT_COUNTERS];
	bool any = false;

	read_cpu(run, cpu, now);
	for (unsigned int i = 0; i < HWLAT_COUNTERS; i++) {
		diff[i] = moved(now[i], cpu->last[i]);
		if (now[i] != HWLAT_UNKNOWN)
			cpu->last[i] = now[i];
		if (diff[i] == HWLAT_UNKNOWN)
			continue;
		cpu->total[i] += diff[i];
		any = any || diff[i];
	}
	return any;
}

static void look(struct passive_run *run, const struct hwlat_sink *sink)
{
	const uint64_t now = hwlat_now_ns();
	struct hwlat_counts counts = {
		.start_ns = (int64_t)run->looked_ns,
		.duration_ns = now - run->looked_ns,
	};

	read_files(run);
	run->looked_ns = now;
	for (size_t i = 0; i < run->cpu_count; i++) {
		counts.cpu = run->cpus[i].cpu;
		if (step_cpu(run, &run->cpus[i], counts.n))
			sink->counts(sink->context, &counts);
	}
}

/* --- opening ------------------------------------------------------------------------------ */

static void passive_check(struct finding *finding)
{
	struct finding smi;

	hwlat_smi_check(&smi);
	if (smi.state == FINDING_READY)
		finding_set(finding, FINDING_READY, NULL,
			    "reads SMIs, NMIs, machine checks, thermal "
			    "events and steal");
	else
		finding_set(finding, FINDING_READY, smi.next, "without SMIs (%.100s)", smi.reason);
}

static int passive_close(void *state)
{
	struct passive_run *run = state;

	for (size_t i = 0; i < run->cpu_count; i++)
		hwlat_smi_close(&run->cpus[i].smi);
	proc_file_close(&run->interrupts);
	proc_file_close(&run->stat);
	if (run->timer >= 0)
		close(run->timer);
	free(run->cpus);
	free(run);
	return 0;
}

static int make_room(struct passive_run *run, const struct cpus *cpus)
{
	run->cpus = calloc(cpus_count(cpus), sizeof(run->cpus[0]));
	if (!run->cpus)
		return -ENOMEM;
	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu)) {
		struct passive_cpu *entry = &run->cpus[run->cpu_count++];

		entry->cpu = (unsigned int)cpu;
		hwlat_smi_open(&entry->smi, entry->cpu);
	}
	return 0;
}

static int passive_open(void **state, const struct hwlat_config *config, struct finding *why)
{
	struct passive_run *run = calloc(1, sizeof(*run));
	int err;

	if (!run)
		return -ENOMEM;
	run->hypervisor = hwlat_hypervisor();
	proc_file_open(&run->interrupts, "/proc/interrupts");
	proc_file_open(&run->stat, "/proc/stat");
	run->timer = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	err = run->timer < 0 ? -errno : make_room(run, &config->cpus);
	if (err) {
		finding_set(why, FINDING_BLOCKED, NULL, "cannot be started: %s", strerror(-err));
		passive_close(run);
		return err;
	}
	*state = run;
	return 0;
}

/* --- running ------------------------------------------------------------------------------ */

static uint64_t cpu_time_ns(clockid_t clock)
{
	struct timespec used;

	if (clock_gettime(clock, &used))
		return 0;
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static int set_timer(const struct passive_run *run, uint64_t ns)
{
	const struct itimerspec when = {
		.it_value = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) },
	};

	return timerfd_settime(run->timer, 0, &when, NULL) ? -errno : 0;
}

static int passive_start(void *state, int64_t real_to_boot_ns)
{
	struct passive_run *run = state;

	(void)real_to_boot_ns;
	run->cpu_time_ns = cpu_time_ns(CLOCK_PROCESS_CPUTIME_ID);
	read_files(run);
	run->looked_ns = hwlat_now_ns();
	for (size_t i = 0; i < run->cpu_count; i++)
		read_cpu(run, &run->cpus[i], run->cpus[i].last);
	return set_timer(run, INTERVAL_NS);
}

static int passive_fd(const void *state)
{
	return ((const struct passive_run *)state)->timer;
}

/* Ready once its time has come, and then again only after the next look was arranged. */
static int passive_read(void *state, const struct hwlat_sink *sink)
{
	const uint64_t before = cpu_time_ns(CLOCK_THREAD_CPUTIME_ID);
	struct passive_run *run = state;
	uint64_t expired, cost;

	if (read(run->timer, &expired, sizeof(expired)) < 0)
		return errno == EAGAIN ? 0 : -errno;
	look(run, sink);
	cost = (cpu_time_ns(CLOCK_THREAD_CPUTIME_ID) - before) * COST_SHARE;
	return set_timer(run, cost > INTERVAL_NS ? cost : INTERVAL_NS);
}

static int passive_stop(void *state, const struct hwlat_sink *sink, struct hwlat_facts *facts)
{
	struct passive_run *run = state;

	look(run, sink);
	facts->cost_ns = cpu_time_ns(CLOCK_PROCESS_CPUTIME_ID) - run->cpu_time_ns;
	return 0;
}

/* Whether the counter went on on any CPU during the run. */
static bool any_moved(const struct passive_run *run, enum hwlat_counter counter)
{
	for (size_t i = 0; i < run->cpu_count; i++)
		if (run->cpus[i].total[counter])
			return true;
	return false;
}

/*
 * In a virtual machine a counter of SMIs that stands still may be one that nobody counts, and so may steal
 * time that has never been more than 0.
 */
static bool is_doubtful(const struct passive_run *run, enum hwlat_counter counter)
{
	if (!run->hypervisor || any_moved(run, counter))
		return false;
	return counter == HWLAT_COUNT_SMI ||
	       (counter == HWLAT_COUNT_STEAL_NS &&
		(!run->stat.text || !stat_steal_total_ns(run->stat.text)));
}

static uint64_t passive_count(const void *state, enum hwlat_counter counter, unsigned int number)
{
	const struct passive_run *run = state;

	for (size_t i = 0; i < run->cpu_count; i++) {
		const struct passive_cpu *cpu = &run->cpus[i];

		if (cpu->cpu != number)
			continue;
		if (cpu->last[counter] == HWLAT_UNKNOWN || is_doubtful(run, counter))
			return HWLAT_UNKNOWN;
		return cpu->total[counter];
	}
	return HWLAT_UNKNOWN;
}

const struct hwlat_backend hwlat_passive = {
	.name = "passive",
	.passive = true,
	.os_clock = true,
	.check = passive_check,
	.open = passive_open,
	.start = passive_start,
	.fd = passive_fd,
	.read = passive_read,
	.stop = passive_stop,
	.count = passive_count,
	.close = passive_close,
};
