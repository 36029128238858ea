// SPDX-License-Identifier: GPL-2.0-only
/* What hardware and kernel count by themselves: SMIs, NMIs, and the time in NMI handlers. */
#include <linux/hardirq.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include <asm/msr.h>
#include <asm/processor.h>

#include "hwlat.h"

DEFINE_PER_CPU(struct hwlat_cpu, hwlat_cpus);

static struct tracepoint *hwlat_nmi_tp;
static bool hwlat_smi_readable; /* under emulation, this alone proves nothing */
static bool hwlat_smi_moved;	/* during this run */

static void hwlat_nmi_probe(void *data, void *handler, s64 delta_ns, int handled)
{
	this_cpu_add(hwlat_cpus.nmi_ns, delta_ns);
}

static void hwlat_find_nmi_tp(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, "nmi_handler"))
		hwlat_nmi_tp = tp;
}

void hwlat_counters_init(void)
{
	u64 count;

	hwlat_smi_readable = !rdmsrl_safe(MSR_SMI_COUNT, &count);
	for_each_kernel_tracepoint(hwlat_find_nmi_tp, NULL);
	if (hwlat_nmi_tp && tracepoint_probe_register(hwlat_nmi_tp, hwlat_nmi_probe, NULL))
		hwlat_nmi_tp = NULL;
}

void hwlat_counters_exit(void)
{
	if (hwlat_nmi_tp)
		tracepoint_probe_unregister(hwlat_nmi_tp, hwlat_nmi_probe, NULL);
	tracepoint_synchronize_unregister();
}

bool hwlat_nmi_timed(void)
{
	return hwlat_nmi_tp;
}

/*
 * Intel SDM volume 4: MSR 34H counts SMIs, and a processor without it faults on the read. Only a
 * hypervisor answers without counting, so elsewhere a counter that stands still means no SMI.
 */
bool hwlat_smi_believed(void)
{
	return READ_ONCE(hwlat_smi_moved) ||
	       (hwlat_smi_readable && boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
		!boot_cpu_has(X86_FEATURE_HYPERVISOR));
}

void hwlat_counters_read(struct hwlat_counters *now)
{
	u64 smi = 0;

	if (hwlat_smi_readable)
		rdmsrl_safe(MSR_SMI_COUNT, &smi);
	now->smi = smi;
	now->nmi = this_cpu_read(irq_stat.__nmi_count);
	now->nmi_ns = this_cpu_read(hwlat_cpus.nmi_ns);
}

/* Reads the counters, gives what came since @last, and makes the reading the new @last. */
struct hwlat_counters hwlat_counters_step(struct hwlat_counters *last)
{
	const struct hwlat_counters old = *last;

	hwlat_counters_read(last);
	if (last->smi != old.smi)
		WRITE_ONCE(hwlat_smi_moved, true);
	return (struct hwlat_counters){
		.smi = last->smi - old.smi,
		.nmi = last->nmi - old.nmi,
		.nmi_ns = last->nmi_ns - old.nmi_ns,
	};
}

/* What this CPU counted since its last window record. Interrupts are off in all of these. */
struct hwlat_counters hwlat_counters_account(void)
{
	struct hwlat_cpu *cpu = this_cpu_ptr(&hwlat_cpus);
	const struct hwlat_counters diff = hwlat_counters_step(&cpu->last);

	cpu->smi_total += diff.smi;
	return diff;
}

/* A run begins: nothing is known of any CPU yet. */
void hwlat_counters_forget(void)
{
	int cpu;

	hwlat_smi_moved = false;
	for_each_possible_cpu(cpu) {
		per_cpu(hwlat_cpus.known, cpu) = false;
		per_cpu(hwlat_cpus.smi_total, cpu) = 0;
		per_cpu(hwlat_cpus.dropped, cpu) = 0;
	}
}

/* This CPU's counters count for the run from here on: it starts, comes online, or wakes up. */
void hwlat_counters_open(void *unused)
{
	struct hwlat_cpu *cpu = this_cpu_ptr(&hwlat_cpus);

	hwlat_counters_read(&cpu->last);
	cpu->known = true;
}

/* And up to here: the end of the run, an unplug, or a sleep that resets the hardware. */
void hwlat_counters_close(void *unused)
{
	hwlat_counters_account();
}

static void hwlat_peek(void *smi)
{
	struct hwlat_counters last = this_cpu_ptr(&hwlat_cpus)->last;

	*(u32 *)smi = hwlat_counters_step(&last).smi;
}

/* SMIs of a CPU over the run so far. Returns -ENODATA if nobody can know. */
int hwlat_smi_total(int cpu, bool running, u64 *total)
{
	u32 smi = 0;

	if (running && per_cpu(hwlat_cpus.known, cpu))
		smp_call_function_single(cpu, hwlat_peek, &smi, true);
	*total = per_cpu(hwlat_cpus.smi_total, cpu) + smi;
	return per_cpu(hwlat_cpus.known, cpu) && hwlat_smi_believed() ? 0 : -ENODATA;
}
