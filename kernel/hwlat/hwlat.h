/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the hardware latency detector.
 *
 *	settings.c	what a run is told: names, values, checks
 *	counters.c	what the hardware and the kernel count: SMIs, NMIs and their time
 *	sample.c	the thread: windows of slices, gaps to records
 *	run.c		one run at a time: its threads, hotplug, suspend
 *	device.c	/dev/hadal_hwlat, the open file is the run
 *	sysfs.c		/sys/kernel/hadal_hwlat/, for hands and scripts
 *
 * hwlat_lock() is taken around everything that starts, changes or ends a run. The threads take
 * only run->lock: while they live, the settings they read do not change.
 */
#ifndef HADAL_HWLAT_H
#define HADAL_HWLAT_H

#include <linux/cpumask.h>
#include <linux/kfifo.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "core/gap.h"
#include "uapi/hadal_hwlat.h"

#define HWLAT_THRESH_DEFAULT_US 10

/* Eleven days: no run is told from a longer one, and no product of it overflows. */
#define HWLAT_MAX_US 1000000000000ULL

enum hwlat_mode {
	HWLAT_MODE_NONE,
	HWLAT_MODE_ROUND_ROBIN,
	HWLAT_MODE_PER_CPU,
};

/* Any value of 64 bits is accepted as the tracer does; hwlat_ticks() limits what is used. */
struct hwlat_settings {
	u64 width_us;
	u64 window_us;
	u64 thresh_us;
	enum hwlat_mode mode;
	struct cpumask cpus;
};

/* Results of the present run, or of the last one. */
struct hwlat_result {
	u64 count; /* gaps found, dropped ones too */
	u64 max_ns;
	u64 floor_ns; /* what a step of the loop costs on this machine */
};

struct hwlat_run {
	struct hwlat_settings set;
	struct list_head threads;
	bool started;
	int last_cpu; /* of round-robin, kept when the threads are started anew */

	spinlock_t lock; /* what follows, and hwlat_result */
	u64 seq;
	unsigned long next_wake; /* jiffies */
	bool keep;		 /* somebody reads: records go into the fifo */
	DECLARE_KFIFO_PTR(records, union hadal_hwlat_record);
	struct mutex read_lock; /* one reader at a time, which is all the fifo asks */
	wait_queue_head_t wait;
};

#define HWLAT_SLICE_GAPS 64

struct hwlat_thread {
	struct list_head node;
	struct hwlat_run *run;
	struct task_struct *task;
	int home;	/* its only CPU, or -1 */
	int cpu;	/* where the present window is sampled */
	u64 mark_ticks; /* the least that hwlat_mark() has taken */
	struct gap gaps[HWLAT_SLICE_GAPS];
};

/* Counters of one CPU as read together, on that CPU, with interrupts off. */
struct hwlat_counters {
	u32 smi;
	u32 nmi;
	u64 nmi_ns;
};

struct hwlat_cpu {
	struct hwlat_counters last; /* at the last window record, or the start of the run */
	u64 smi_total;		    /* of the run, up to that reading */
	u64 nmi_ns;		    /* ever growing, written by the NMI itself */
	u32 dropped;		    /* gaps without a record that no window record has told yet */
	bool known;		    /* online during the run */
};

DECLARE_PER_CPU(struct hwlat_cpu, hwlat_cpus);

/* settings.c */
extern struct hwlat_settings hwlat_settings;
extern u64 hwlat_last_thresh_us;
void hwlat_settings_init(void);
int hwlat_settings_parse(struct hwlat_settings *set, const char *name, const char *value);
int hwlat_settings_check(const struct hwlat_settings *set);
int hwlat_settings_show(const struct hwlat_settings *set, const char *name, char *buf);
u64 hwlat_ticks(u64 us);
u64 hwlat_ns(u64 ticks);

/* counters.c */
void hwlat_counters_init(void);
void hwlat_counters_exit(void);
void hwlat_counters_read(struct hwlat_counters *now);
struct hwlat_counters hwlat_counters_step(struct hwlat_counters *last);
struct hwlat_counters hwlat_counters_account(void);
void hwlat_counters_forget(void);
void hwlat_counters_open(void *unused);
void hwlat_counters_close(void *unused);
bool hwlat_smi_believed(void);
bool hwlat_nmi_timed(void);
int hwlat_smi_total(int cpu, bool running, u64 *total);

/* sample.c */
void hwlat_measure_floor(void);
int hwlat_thread_fn(void *data);

/* run.c */
extern struct hwlat_run *hwlat_run;
extern struct hwlat_result hwlat_result;
void hwlat_lock(void);
void hwlat_unlock(void);
struct hwlat_run *hwlat_run_create(bool keep);
int hwlat_run_start(struct hwlat_run *run);
int hwlat_run_apply(struct hwlat_run *run, const struct hwlat_settings *set);
void hwlat_run_destroy(struct hwlat_run *run);
int hwlat_run_init(void);
void hwlat_run_exit(void);

/* device.c */
int hwlat_device_init(void);
void hwlat_device_exit(void);

/* sysfs.c */
int hwlat_sysfs_init(void);
void hwlat_sysfs_exit(void);

#endif
