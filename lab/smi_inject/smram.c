// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handler's way into SMRAM and out of it, and the memory that it writes to.
 *
 * A CPU is ours when an SMI on it has been counted by our handler. The boot CPU is by SeaBIOS's
 * choice of SMBASE; the others still have the one of a reset and are moved by an SMI that runs a
 * few bytes put there for a moment, while all CPUs stand still.
 *
 * On the board's firmware all that is done: only the mailbox and the log behind it are mapped.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <asm/smp.h>

#include "smi_inject.h"

#define HOST_SMRAM 0x9d
#define SMRAM_OPEN 0x40

#define SMI_EN 0x30
#define SMI_EN_GLOBAL 0x01
#define SMI_EN_APMC 0x20

#define RINGS_ORDER get_order(sizeof(struct smm_event) * SMM_CPUS * SMM_EVENTS)

static struct smm_mailbox *control;
static struct smm_event *rings;
static void __iomem *smram;
static cpumask_t covered;
static u32 saved_smi_en;
static bool board;

struct smm_mailbox *smram_control(void)
{
	return control;
}

const struct smm_event *smram_events(unsigned int cpu)
{
	return rings + cpu * SMM_EVENTS;
}

bool smram_covers(int cpu)
{
	if (cpu == CPU_ALL)
		return cpumask_subset(cpu_present_mask, &covered);
	return cpu >= 0 && cpu < SMM_CPUS && cpumask_test_cpu(cpu, &covered);
}

bool smram_gathers(void)
{
	return board;
}

static void open_smram(struct smi_machine *machine, bool open)
{
	u8 value = 0;

	pci_read_config_byte(machine->host, HOST_SMRAM, &value);
	value = open ? value | SMRAM_OPEN : value & ~SMRAM_OPEN;
	pci_write_config_byte(machine->host, HOST_SMRAM, value);
}

static void write_handler(struct smi_machine *machine)
{
	unsigned int cpu;

	open_smram(machine, true);
	for (cpu = 0; cpu < SMM_CPUS; cpu++)
		memcpy_toio(smram + SMRAM_ENTRY + cpu * SMRAM_STRIDE, smi_entry,
			    smi_entry_end - smi_entry);
	memcpy_toio(smram + SMRAM_COMMON, smi_common, smi_common_end - smi_common);
	writel(virt_to_phys(control), smram + SMRAM_CONTROL);
	open_smram(machine, false);
}

/*
 * Raises SMIs here until our handler counts one. The first of a CPU whose SMBASE is moved is not
 * counted, and two that come too close become one: wait a while after each.
 */
static bool reaches_handler(const struct smm_cpu *cpu)
{
	unsigned int tries, wait;

	for (tries = 0; tries < 100; tries++) {
		outb(0, SMM_PORT_CONTROL);
		for (wait = 0; wait < 1000; wait++) {
			if (READ_ONCE(cpu->total))
				return true;
			cpu_relax();
		}
	}
	return false;
}

/* Runs on the CPU to move, all others stopped: gives back the memory as it was. */
static int move(void *data)
{
	static u8 saved_code[64], saved_state[RESET_SAVE_SIZE];
	unsigned int cpu = smp_processor_id();
	size_t length = smi_move_end - smi_move;
	u32 base = SMRAM_BASE + cpu * SMRAM_STRIDE;
	void *state = phys_to_virt(RESET_SAVE);
	u8 *code = phys_to_virt(RESET_ENTRY);

	memcpy(saved_code, code, length);
	memcpy(saved_state, state, RESET_SAVE_SIZE);
	memcpy(code, smi_move, length);
	memcpy(code + (smi_move_base - smi_move), &base, sizeof(base));
	if (reaches_handler(&control->cpu[cpu]))
		cpumask_set_cpu(cpu, &covered);
	memcpy(code, saved_code, length);
	memcpy(state, saved_state, RESET_SAVE_SIZE);
	return 0;
}

static int cover_online_cpus(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		if (cpu >= SMM_CPUS)
			break;
		stop_machine(move, NULL, cpumask_of(cpu));
		if (!cpumask_test_cpu(cpu, &covered)) {
			pr_err("smi_inject: SMIs on CPU %u do not reach the handler\n", cpu);
			return -EIO;
		}
	}
	return 0;
}

static int allocate(void)
{
	unsigned int cpu;

	static_assert(sizeof(struct smm_mailbox) <= PAGE_SIZE);
	control = (void *)__get_free_page(GFP_KERNEL | GFP_DMA32 | __GFP_ZERO);
	rings = (void *)__get_free_pages(GFP_KERNEL | GFP_DMA32 | __GFP_ZERO, RINGS_ORDER);
	smram = ioremap(SMRAM_BASE, SMRAM_SIZE);
	if (!control || !rings || !smram)
		return -ENOMEM;
	control->master = SMM_NO_MASTER;
	control->lengths = 1;
	control->tail = SMI_TAIL_INSTRUCTIONS;
	for (cpu = 0; cpu < SMM_CPUS; cpu++)
		control->cpu[cpu].log = virt_to_phys(rings + cpu * SMM_EVENTS);
	return 0;
}

static void release(void)
{
	if (smram)
		iounmap(smram);
	free_pages((unsigned long)rings, RINGS_ORDER);
	free_page((unsigned long)control);
}

static int use_board(const struct smi_machine *machine)
{
	unsigned int cpu;

	control = memremap(machine->mailbox, SMM_BYTES, MEMREMAP_WB);
	if (!control)
		return -ENOMEM;
	rings = (void *)control + SMM_LOG_OFFSET;
	control->master = SMM_NO_MASTER;
	for_each_present_cpu(cpu) {
		if (cpu < SMM_CPUS && cpu_physical_id(cpu) == cpu && control->cpus & BIT(cpu))
			cpumask_set_cpu(cpu, &covered);
	}
	board = true;
	return 0;
}

int smram_install(struct smi_machine *machine)
{
	int err;

	if (machine->mailbox)
		return use_board(machine);
	err = allocate();
	if (err) {
		release();
		return err;
	}
	saved_smi_en = inl(machine->pm_base + SMI_EN);
	outl(saved_smi_en | SMI_EN_GLOBAL | SMI_EN_APMC, machine->pm_base + SMI_EN);
	write_handler(machine);
	err = cover_online_cpus();
	if (err)
		smram_remove(machine);
	return err;
}

/* No CPU is inside the handler while all stand still. */
static int disarm(void *machine)
{
	open_smram(machine, true);
	writel(0, smram + SMRAM_CONTROL);
	open_smram(machine, false);
	return 0;
}

void smram_remove(struct smi_machine *machine)
{
	if (board) {
		memunmap(control);
		return;
	}
	stop_machine(disarm, machine, NULL);
	outl(saved_smi_en, machine->pm_base + SMI_EN);
	release();
}

static bool busy(unsigned int cpu)
{
	u32 total = READ_ONCE(control->cpu[cpu].total);

	return total > 0 && total <= SMM_EVENTS &&
	       READ_ONCE(smram_events(cpu)[total - 1].exit) == 0;
}

void smram_settle(void)
{
	unsigned int cpu;

	for_each_cpu(cpu, &covered)
		while (busy(cpu))
			usleep_range(100, 200);
}
