// SPDX-License-Identifier: GPL-2.0-only
/* The truth about a run as JSON: what each CPU counted, and every event, one to a line. */
#include <linux/cpumask.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "smi_inject.h"

static u64 msr_at_start[SMM_CPUS];

/* The architecture's own count of a CPU's SMIs. */
static u64 smi_count(unsigned int cpu)
{
	u64 count = 0;

	rdmsrl_safe_on_cpu(cpu, MSR_SMI_COUNT, &count);
	return count;
}

void truth_begin(void)
{
	struct smm_mailbox *control = smram_control();
	unsigned int cpu;

	for (cpu = 0; cpu < SMM_CPUS; cpu++) {
		control->cpu[cpu].total = 0;
		control->cpu[cpu].turn = 0;
		memset((void *)smram_events(cpu), 0, SMM_EVENTS * sizeof(struct smm_event));
		if (cpu_online(cpu))
			msr_at_start[cpu] = smi_count(cpu);
	}
}

static void show_cpus(struct seq_file *file)
{
	const char *comma = "";
	unsigned int cpu;
	u32 smi, nmi;

	seq_puts(file, "\"cpus\": [");
	for_each_online_cpu(cpu) {
		if (!smram_covers(cpu))
			continue;
		smi = READ_ONCE(smram_control()->cpu[cpu].total);
		nmi = nmi_total(cpu);
		seq_printf(file, "%s\n{\"cpu\": %u, \"smi\": %u, \"nmi\": %u, \"msr_smi\": %llu, ",
			   comma, cpu, smi, nmi, smi_count(cpu) - msr_at_start[cpu]);
		seq_printf(file, "\"lost\": %u}",
			   (smi > SMM_EVENTS ? smi - SMM_EVENTS : 0) +
				   (nmi > SMM_EVENTS ? nmi - SMM_EVENTS : 0));
		comma = ",";
	}
	seq_puts(file, "],\n");
}

static const char *show_events(struct seq_file *file, const char *comma, unsigned int cpu,
			       const struct smm_event *event, u32 total, bool nmi)
{
	u32 i;

	for (i = 0; i < min_t(u32, total, SMM_EVENTS); i++) {
		seq_printf(file, "%s\n{\"cpu\": %u, \"kind\": \"%s\", \"entry_tsc\": %llu, ", comma,
			   cpu,
			   nmi		? "nmi" :
			   event[i].nmi ? "smi+nmi" :
					  "smi",
			   event[i].entry);
		seq_printf(file, "\"exit_tsc\": %llu, \"asked_ticks\": %u}", event[i].exit,
			   event[i].asked);
		comma = ",";
	}
	return comma;
}

void truth_show(struct seq_file *file)
{
	const char *comma = "";
	unsigned int cpu;

	seq_printf(file, "{\"tsc_khz\": %u, \"running\": %s, \"smi_tail_instructions\": %u,\n",
		   tsc_khz, trigger_idle() ? "false" : "true", smram_control()->tail);
	show_cpus(file);
	seq_puts(file, "\"events\": [");
	for (cpu = 0; cpu < SMM_CPUS; cpu++) {
		comma = show_events(file, comma, cpu, smram_events(cpu),
				    READ_ONCE(smram_control()->cpu[cpu].total), false);
		comma = show_events(file, comma, cpu, nmi_events(cpu), nmi_total(cpu), true);
	}
	seq_puts(file, "]}\n");
}
