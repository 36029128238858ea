// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's side of the truth: every NMI of a CPU, when its handler began and ended. The handler
 * claims all of them, so that the kernel does not complain about NMIs from nowhere.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/nmi.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "smi_inject.h"

struct nmi_log {
	u32 total;
	struct smm_event events[SMM_EVENTS];
};

static struct nmi_log *logs;
static u32 nmi_ticks;

u32 nmi_total(unsigned int cpu)
{
	return READ_ONCE(logs[cpu].total);
}

const struct smm_event *nmi_events(unsigned int cpu)
{
	return logs[cpu].events;
}

void nmi_reset(u32 ticks)
{
	memset(logs, 0, SMM_CPUS * sizeof(*logs));
	WRITE_ONCE(nmi_ticks, ticks);
}

static int handle_nmi(unsigned int command, struct pt_regs *regs)
{
	unsigned int cpu = smp_processor_id();
	u32 ticks = READ_ONCE(nmi_ticks);
	struct nmi_log *log;
	u64 entry = rdtsc();
	u64 now;
	u32 n;

	trigger_nmi_arrived(cpu);
	do {
		now = rdtsc();
	} while (now - entry < ticks);
	if (cpu >= SMM_CPUS)
		return NMI_HANDLED;
	log = &logs[cpu];
	n = log->total;
	if (n < SMM_EVENTS) {
		log->events[n].entry = entry;
		log->events[n].exit = now;
		log->events[n].asked = ticks;
	}
	WRITE_ONCE(log->total, n + 1);
	return NMI_HANDLED;
}

int nmi_install(void)
{
	int err;

	logs = vzalloc(SMM_CPUS * sizeof(*logs));
	if (!logs)
		return -ENOMEM;
	err = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "smi_inject");
	if (err)
		vfree(logs);
	return err;
}

void nmi_remove(void)
{
	unregister_nmi_handler(NMI_LOCAL, "smi_inject");
	vfree(logs);
}
