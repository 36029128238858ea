/* SPDX-License-Identifier: MIT */
/*
 * libhadal, hwlat: stretches of time in which a CPU was taken away from the operating system.
 *
 * A back end does the watching: "module" (ours, /dev/hadal_hwlat), "tracer" (the kernel's own) or
 * "user" (a thread that spins). "passive" does not watch: it reads counters once a second.
 * All of them are used the same way:
 *
 *	hwlat_run_open(&run, backend, &config, &why);	settings are in force, nothing samples yet
 *	hwlat_run_start(run);
 *	while (...) {
 *		poll(hwlat_run_fd(run)) for at most HWLAT_POLL_MS
 *		hwlat_run_read(run, &sink);		hands out what was found since
 *	}
 *	hwlat_run_stop(run, &sink);			hands out the rest
 *	hwlat_run_close(run);				every setting is as it was found
 *
 * A process that dies in between, by whatever signal, leaves every setting as it was found too.
 * Functions that can fail return 0 or a negative errno. Nothing here prints.
 */
#ifndef HADAL_HWLAT_H
#define HADAL_HWLAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hadal/cpus.h"
#include "hadal/finding.h"

/* A count or a time that nobody can tell. */
#define HWLAT_UNKNOWN UINT64_MAX

/* A back end whose hwlat_run_fd() is -1 wants to be read this often. */
#define HWLAT_POLL_MS 100

/* --- what is asked of a run -------------------------------------------------------------- */

/* Which CPU is watched: wherever the scheduler puts the thread, each in its turn, or all. */
enum hwlat_mode { HWLAT_NONE, HWLAT_ROUND_ROBIN, HWLAT_PER_CPU };

/* The mode's name, as the kernel spells it. */
const char *hwlat_mode_name(enum hwlat_mode mode);

/* Returns 0 or -EINVAL. */
int hwlat_mode_parse(const char *name, enum hwlat_mode *mode);

/*
 * struct hwlat_config - settings of a run
 * @width_us: time watched in each window; above 0 and below @window_us
 * @window_us: from the start of one stretch of watching to the start of the next
 * @threshold_us: only longer gaps are told; at least 1
 * @cpus: the CPUs to watch, all online, at least one
 * @all: also hand out the gaps in which the kernel ran; facts.kernel sums them up in any case
 * The passive back end takes only @cpus.
 */
struct hwlat_config {
	uint64_t width_us;
	uint64_t window_us;
	uint64_t threshold_us;
	enum hwlat_mode mode;
	struct cpus cpus;
	bool all;
};

/* All CPUs that are online and not isolated. Returns 0 or a negative errno. */
int hwlat_default_cpus(struct cpus *cpus);

/* --- what comes back --------------------------------------------------------------------- */

enum hwlat_cause {
	HWLAT_SMI,	   /* system management interrupts */
	HWLAT_NMI,	   /* non-maskable interrupts */
	HWLAT_SMI_NMI,	   /* both in one gap */
	HWLAT_STEAL,	   /* the hypervisor, as the guest's steal time says */
	HWLAT_KERNEL,	   /* the operating system itself: an interrupt, a fault, another thread */
	HWLAT_INSEPARABLE, /* a virtual machine: its host, or hardware; nobody here can tell */
	HWLAT_UNEXPLAINED, /* none of the counters moved: a stall of memory, bus or device */
	HWLAT_CAUSES
};

/* "smi", "nmi", "smi+nmi", "steal", "kernel", "inseparable", "unexplained". */
const char *hwlat_cause_name(enum hwlat_cause cause);

/* Whether the kernel ran in a gap. */
enum hwlat_entry {
	HWLAT_NOT_ENTERED, /* it did not: interrupts were off, or the marker is untouched */
	HWLAT_ENTERED,	   /* it did, or nobody can rule it out */
	HWLAT_SWITCHED,	   /* it did, and gave the CPU to another thread */
};

/*
 * struct hwlat_gap - one record of a gap
 * @start_ns: from the start of the run; negative for what had begun before
 * @duration_ns: the gap's length, or by how much the clock went back
 * @smi, @nmi: how many of these came in the gap, or HWLAT_UNKNOWN
 * @nmi_ns: time in the NMI handlers, or HWLAT_UNKNOWN
 * @inner_us, @outer_us: the tracer's two maxima of a window, else HWLAT_UNKNOWN
 * @count: gaps that this record stands for: 1, or all of the tracer's window
 * @entry: whether the kernel ran
 * @stolen: the guest's steal time covers this gap
 * @backward: the clock went back; this is no latency and counts nowhere as one
 */
struct hwlat_gap {
	int64_t start_ns;
	uint64_t duration_ns;
	uint64_t smi;
	uint64_t nmi;
	uint64_t nmi_ns;
	uint64_t inner_us;
	uint64_t outer_us;
	uint64_t count;
	uint32_t cpu;
	enum hwlat_cause cause;
	enum hwlat_entry entry;
	bool stolen;
	bool backward;
};

/*
 * struct hwlat_window - what was watched in one window, told also when nothing was found
 * @start_ns: from the start of the run
 * @duration_ns: first to last look at the clock
 * @watched_ns: time really watched in between
 * @smi, @nmi: on this CPU since its previous window, watched or not, or HWLAT_UNKNOWN
 * @dropped: gaps that found no room on their way here
 */
struct hwlat_window {
	int64_t start_ns;
	uint64_t duration_ns;
	uint64_t watched_ns;
	uint64_t smi;
	uint64_t nmi;
	uint64_t dropped;
	uint32_t cpu;
};

/* What the machine counts by itself, per CPU. */
enum hwlat_counter {
	HWLAT_COUNT_SMI,
	HWLAT_COUNT_NMI,
	HWLAT_COUNT_MCE,      /* machine checks, corrected ones too */
	HWLAT_COUNT_THERMAL,  /* thermal events */
	HWLAT_COUNT_STEAL_NS, /* time that the hypervisor took, in ns */
	HWLAT_COUNTERS
};

/* "smi", "nmi", "mce", "thermal", "steal_ns". */
const char *hwlat_counter_name(enum hwlat_counter counter);

/*
 * struct hwlat_counts - what came on one CPU since the record before; from "passive" only, and only
 *	when something came
 * @start_ns: of the interval, from the start of the run
 * @n: by enum hwlat_counter, each a difference or HWLAT_UNKNOWN
 */
struct hwlat_counts {
	int64_t start_ns;
	uint64_t duration_ns;
	uint64_t n[HWLAT_COUNTERS];
	uint32_t cpu;
};

/*
 * struct hwlat_sink - who takes the records, in the order of their arrival
 * Each function may be NULL. The records are the sink's for the time of the call.
 */
struct hwlat_sink {
	void (*gap)(void *context, const struct hwlat_gap *gap);
	void (*window)(void *context, const struct hwlat_window *window);
	void *context;
	void (*counts)(void *context, const struct hwlat_counts *counts);
};

/* How a back end tells whether the kernel ran in a gap. */
enum hwlat_told {
	HWLAT_TOLD_OFF,	     /* it cannot have: interrupts were off */
	HWLAT_TOLD_MARKER,   /* a mark in the CPU that every entry wipes, looked at in each step */
	HWLAT_TOLD_COUNTERS, /* thread switches a gap, interrupts a window: no single gap is sure */
};

/*
 * struct hwlat_kernel - the gaps in which the kernel ran, listed or not; all 0 if @told is OFF. They
 *	are no part of what was watched: what else took the CPU meanwhile is not told.
 * @shared: a hypervisor wipes the mark too, so that its gaps are among these
 * @gaps, @ns, @max_ns: how many, their time together, the longest
 * @alone_max_ns: the longest without a thread switch. A stall that ends in an interrupt looks so.
 * @throttled_ns: of @ns, what the kernel's limit for real-time threads took
 */
struct hwlat_kernel {
	enum hwlat_told told;
	bool shared;
	uint64_t gaps;
	uint64_t ns;
	uint64_t max_ns;
	uint64_t alone_max_ns;
	uint64_t throttled_ns;
};

/*
 * struct hwlat_facts - what is known of a run beside its records
 * @started_ns: CLOCK_REALTIME at its start, which is where the records' times count from
 * @duration_ns: from start to stop
 * @floor_ns: what one look at the clock costs, or HWLAT_UNKNOWN
 * @tells_windows: the back end gives a record for each window, so that watched time is known
 * @hypervisor: this is a virtual machine
 * @c_states_off: the CPUs were kept from sleeping deeply
 * @lost: records that were overwritten before they were read
 * @cost_ns: CPU time of the whole process from start to stop, or HWLAT_UNKNOWN; from "passive"
 * @kernel: from "user"
 * @passive: nothing was watched; there are counts, no gaps and no windows
 * @realtime: the threads that watched had a real-time priority
 * @locked: their memory was locked
 * @os_clock: they read the kernel's clock, because it does not trust the CPU's counter
 */
struct hwlat_facts {
	const char *backend;
	int64_t started_ns;
	uint64_t duration_ns;
	uint64_t floor_ns;
	uint64_t lost;
	uint64_t cost_ns;
	struct hwlat_kernel kernel;
	bool tells_windows;
	bool hypervisor;
	bool c_states_off;
	bool passive;
	bool realtime;
	bool locked;
	bool os_clock;
};

/* --- back ends and runs ------------------------------------------------------------------ */

struct hwlat_backend;
struct hwlat_run;

/* The @index-th back end in the order in which they are preferred; NULL after the last. */
const struct hwlat_backend *hwlat_backend_at(size_t index);

/* By name; NULL if there is none of that name. */
const struct hwlat_backend *hwlat_backend_find(const char *name);

const char *hwlat_backend_name(const struct hwlat_backend *backend);

/* Whether it reads counters only: its runs have no gaps, and it is never chosen by itself. */
bool hwlat_backend_is_passive(const struct hwlat_backend *backend);

/* Whether this machine and this user can run it now. */
void hwlat_backend_check(const struct hwlat_backend *backend, struct finding *finding);

/*
 * Prepares a run. On success *@run is to be closed with hwlat_run_close(). On failure nothing has
 * been changed, and @why says what stood in the way: -EBUSY, -EACCES, -ENOENT and so on.
 */
int hwlat_run_open(struct hwlat_run **run, const struct hwlat_backend *backend,
		   const struct hwlat_config *config, struct finding *why);

/* Starts the watching. */
int hwlat_run_start(struct hwlat_run *run);

/* A descriptor that becomes readable with records, or -1: look every HWLAT_POLL_MS. */
int hwlat_run_fd(const struct hwlat_run *run);

/* Hands out what has come since the last call; does not wait. -ENODEV: the back end went away. */
int hwlat_run_read(struct hwlat_run *run, const struct hwlat_sink *sink);

/* Ends the watching, which may take as long as one width, and hands out the rest. */
int hwlat_run_stop(struct hwlat_run *run, const struct hwlat_sink *sink);

/* What is known of the run; complete after hwlat_run_stop(). */
const struct hwlat_facts *hwlat_run_facts(const struct hwlat_run *run);

/*
 * How many SMIs or NMIs a CPU had from start to stop, watched or not, or HWLAT_UNKNOWN. To be asked
 * after hwlat_run_stop().
 */
uint64_t hwlat_run_smi(const struct hwlat_run *run, unsigned int cpu);
uint64_t hwlat_run_nmi(const struct hwlat_run *run, unsigned int cpu);

/* The same for any counter. Back ends other than "passive" know SMIs and NMIs. */
uint64_t hwlat_run_count(const struct hwlat_run *run, enum hwlat_counter counter, unsigned int cpu);

/* Puts everything back and frees the run. Returns what could not be put back as an errno. */
int hwlat_run_close(struct hwlat_run *run);

/* --- a guardian that died ---------------------------------------------------------------- */

/*
 * The tracer's settings are the machine's, so a child process holds the old ones and puts them back
 * when its parent is gone. This does its work after both have been killed.
 * Returns 0, -ENOENT if there is nothing to restore, -EBUSY if a living guardian will do it, or what
 * failed, with @why in words.
 */
int hwlat_restore(struct finding *why);

#endif
