// SPDX-License-Identifier: GPL-2.0-only
/* One run at a time: its threads, and what unplugging a CPU or suspending does to them. */
#include <linux/cpu.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/suspend.h>

#include "hwlat.h"

#define HWLAT_RECORDS 4096

struct hwlat_run *hwlat_run;
struct hwlat_result hwlat_result;

static DEFINE_MUTEX(hwlat_mutex);
static bool hwlat_asleep;
static int hwlat_hotplug_state;

/* The order is the hotplug core's: its callbacks come with the first lock held. */
void hwlat_lock(void)
{
	cpus_read_lock();
	mutex_lock(&hwlat_mutex);
}

void hwlat_unlock(void)
{
	mutex_unlock(&hwlat_mutex);
	cpus_read_unlock();
}

static struct task_struct *hwlat_spawn(struct hwlat_thread *t)
{
	if (t->home < 0)
		return kthread_create(hwlat_thread_fn, t, "hadal_hwlat");
	return kthread_create_on_cpu(hwlat_thread_fn, t, t->home, "hadal_hwlat/%u");
}

static int hwlat_start_thread(struct hwlat_run *run, int home)
{
	struct hwlat_thread *t = kzalloc(sizeof(*t), GFP_KERNEL);

	if (!t)
		return -ENOMEM;
	t->run = run;
	t->home = home;
	t->mark_ticks = S64_MAX;
	t->task = hwlat_spawn(t);
	if (IS_ERR(t->task)) {
		const int err = PTR_ERR(t->task);

		kfree(t);
		return err;
	}
	list_add(&t->node, &run->threads);
	wake_up_process(t->task);
	return 0;
}

static void hwlat_stop_thread(struct hwlat_thread *t)
{
	kthread_stop(t->task);
	list_del(&t->node);
	kfree(t);
}

static void hwlat_stop_threads(struct hwlat_run *run)
{
	struct hwlat_thread *t, *next;

	list_for_each_entry_safe(t, next, &run->threads, node)
		hwlat_stop_thread(t);
}

static int hwlat_start_threads(struct hwlat_run *run)
{
	int cpu, err = 0;

	if (hwlat_asleep)
		return 0;
	if (run->set.mode != HWLAT_MODE_PER_CPU)
		return hwlat_start_thread(run, -1);
	for_each_cpu_and(cpu, &run->set.cpus, cpu_online_mask) {
		err = hwlat_start_thread(run, cpu);
		if (err)
			break;
	}
	if (err)
		hwlat_stop_threads(run);
	return err;
}

static int hwlat_make_room(struct hwlat_run *run)
{
	const size_t bytes = HWLAT_RECORDS * sizeof(union hadal_hwlat_record);
	void *records = kvmalloc(bytes, GFP_KERNEL);

	return records ? kfifo_init(&run->records, records, bytes) : -ENOMEM;
}

/* A run with its own copy of the settings, not started. @keep: somebody will read its records. */
struct hwlat_run *hwlat_run_create(bool keep)
{
	struct hwlat_run *run;

	if (hwlat_run)
		return ERR_PTR(-EBUSY);
	run = kzalloc(sizeof(*run), GFP_KERNEL);
	if (!run)
		return ERR_PTR(-ENOMEM);
	if (keep && hwlat_make_room(run)) {
		kfree(run);
		return ERR_PTR(-ENOMEM);
	}
	run->keep = keep;
	run->set = hwlat_settings;
	run->last_cpu = -1;
	run->next_wake = jiffies;
	INIT_LIST_HEAD(&run->threads);
	spin_lock_init(&run->lock);
	mutex_init(&run->read_lock);
	init_waitqueue_head(&run->wait);
	hwlat_run = run;
	return run;
}

/* The seed's rule: without a threshold the last one counts, the default the first time. */
int hwlat_run_start(struct hwlat_run *run)
{
	int err;

	if (!run->set.thresh_us)
		run->set.thresh_us = hwlat_last_thresh_us;
	hwlat_result = (struct hwlat_result){ 0 };
	hwlat_measure_floor();
	hwlat_counters_forget();
	on_each_cpu(hwlat_counters_open, NULL, true);
	err = hwlat_start_threads(run);
	run->started = !err;
	return err;
}

/* New settings for a run that may be going on: it continues with the next window. */
int hwlat_run_apply(struct hwlat_run *run, const struct hwlat_settings *set)
{
	hwlat_stop_threads(run);
	run->set = *set;
	return run->started ? hwlat_start_threads(run) : 0;
}

void hwlat_run_destroy(struct hwlat_run *run)
{
	hwlat_stop_threads(run);
	if (run->started && !hwlat_asleep)
		on_each_cpu(hwlat_counters_close, NULL, true);
	hwlat_run = NULL;
	if (run->keep)
		kvfree(run->records.kfifo.data);
	kfree(run);
}

/* These two are called on the CPU that comes or goes. */
static int hwlat_cpu_online(unsigned int cpu)
{
	mutex_lock(&hwlat_mutex);
	if (hwlat_run && hwlat_run->started && !hwlat_asleep) {
		local_irq_disable();
		hwlat_counters_open(NULL);
		local_irq_enable();
		if (hwlat_run->set.mode == HWLAT_MODE_PER_CPU &&
		    cpumask_test_cpu(cpu, &hwlat_run->set.cpus) &&
		    hwlat_start_thread(hwlat_run, cpu))
			pr_warn("hadal_hwlat: CPU %u is not watched: no memory\n", cpu);
	}
	mutex_unlock(&hwlat_mutex);
	return 0;
}

static int hwlat_cpu_offline(unsigned int cpu)
{
	struct hwlat_thread *t, *next;

	mutex_lock(&hwlat_mutex);
	if (hwlat_run && hwlat_run->started && !hwlat_asleep) {
		list_for_each_entry_safe(t, next, &hwlat_run->threads, node)
			if (t->home == cpu)
				hwlat_stop_thread(t);
		local_irq_disable();
		hwlat_counters_close(NULL);
		local_irq_enable();
	}
	mutex_unlock(&hwlat_mutex);
	return 0;
}

/* Nothing samples while the machine goes to sleep, and the sleep may reset the SMI counter. */
static int hwlat_pm_event(struct notifier_block *block, unsigned long event, void *data)
{
	const bool asleep = event == PM_SUSPEND_PREPARE || event == PM_HIBERNATION_PREPARE ||
			    event == PM_RESTORE_PREPARE;

	hwlat_lock();
	if (hwlat_run && hwlat_run->started && asleep != hwlat_asleep) {
		if (asleep)
			hwlat_stop_threads(hwlat_run);
		on_each_cpu(asleep ? hwlat_counters_close : hwlat_counters_open, NULL, true);
	}
	hwlat_asleep = asleep;
	if (hwlat_run && hwlat_run->started && !asleep && list_empty(&hwlat_run->threads) &&
	    hwlat_start_threads(hwlat_run))
		pr_warn("hadal_hwlat: the run does not go on after the sleep: no memory\n");
	hwlat_unlock();
	return NOTIFY_DONE;
}

static struct notifier_block hwlat_pm_block = { .notifier_call = hwlat_pm_event };

int hwlat_run_init(void)
{
	int err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "hadal/hwlat:online",
					    hwlat_cpu_online, hwlat_cpu_offline);

	if (err < 0)
		return err;
	hwlat_hotplug_state = err;
	err = register_pm_notifier(&hwlat_pm_block);
	if (err)
		cpuhp_remove_state_nocalls(hwlat_hotplug_state);
	return err;
}

void hwlat_run_exit(void)
{
	unregister_pm_notifier(&hwlat_pm_block);
	cpuhp_remove_state_nocalls(hwlat_hotplug_state);
}
