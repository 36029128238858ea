// SPDX-License-Identifier: GPL-2.0-only
/*
 * What raises the events: a write to the APM port, the ICH9's TCO timer, or timer 2 of the HPET
 * through a free pin of the I/O APIC whose delivery mode is SMI or NMI. The HPET is used as one-shot
 * and armed again by the handler, because QEMU's periodic mode fires twice a period under a counted
 * clock.
 */
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/smp.h>
#include <linux/stop_machine.h>
#include <asm/smp.h>
#include <asm/tsc.h>

#include "smi_inject.h"

#define HPET_CAPABILITY_PERIOD 0x004 /* femtoseconds per tick */
#define HPET_CONFIG 0x010
#define HPET_CONFIG_ENABLE 0x01
#define HPET_COUNTER HPET_COUNTER_LOW
#define HPET_T2_CONFIG 0x140
#define HPET_T2_ROUTES 0x144 /* bit N: can go to pin N */
#define HPET_T_ENABLE 0x04
#define HPET_T_ROUTE_SHIFT 9
#define HPET_SIZE 0x400
#define HPET_FIRST_NS 1000000 /* from start to the first event, if the period is longer */

#define IOAPIC_ADDRESS 0xfec00000
#define IOAPIC_SIZE 0x20
#define IOAPIC_DATA 0x10
#define IOAPIC_ENTRY(pin) (0x10 + 2 * (pin))
#define IOAPIC_MASKED 0x10000
#define IOAPIC_SMI 0x200
#define IOAPIC_NMI 0x400
#define IOAPIC_TO_ALL 0xff
#define IOAPIC_FIRST_PIN 16 /* those below belong to ISA interrupts */
#define IOAPIC_LAST_PIN 23

#define LAPIC_SIZE 4

#define SMI_EN 0x30
#define SMI_EN_TCO 0x2000
#define TCO_RELOAD 0x60
#define TCO1_STATUS 0x64
#define TCO1_STATUS_TIMEOUT 0x08
#define TCO2_STATUS 0x66
#define TCO2_STATUS_SECOND 0x02
#define TCO1_CONTROL 0x68
#define TCO_TIMER 0x72
#define TCO_TICK_NS 600000000

struct pin {
	unsigned int number; /* 0: none taken */
	u32 low, high;
};

static void __iomem *hpet;
static void __iomem *ioapic;
static void __iomem *lapic_icr;

static struct pin ours, saved;
static u32 saved_t2_config;
static u64 saved_t2_comparator;

static bool tco_taken;
static u16 saved_tco_control, saved_tco_timer;

/* The train of NMIs; master is SMM_NO_MASTER when there is none. */
static struct {
	u32 master, remaining, period;
	u64 next;
} nmi_train = { .master = SMM_NO_MASTER };

u32 smi_ticks(u64 ns)
{
	return mul_u64_u32_div(ns, tsc_khz, 1000000);
}

static u64 hpet_read64(unsigned int offset)
{
	u32 high, low;

	do {
		high = readl(hpet + offset + 4);
		low = readl(hpet + offset);
	} while (readl(hpet + offset + 4) != high);
	return (u64)high << 32 | low;
}

/* High half first when it changes: the comparator must not pass through a value in the past. */
static void hpet_set_next(u64 next)
{
	if (readl(hpet + HPET_T2_COMPARATOR + 4) != upper_32_bits(next))
		writel(upper_32_bits(next), hpet + HPET_T2_COMPARATOR + 4);
	writel(lower_32_bits(next), hpet + HPET_T2_COMPARATOR);
}

static u32 hpet_ticks(u64 ns)
{
	return div_u64(ns * 1000000, readl(hpet + HPET_CAPABILITY_PERIOD));
}

static u32 ioapic_read(unsigned int index)
{
	writel(index, ioapic);
	return readl(ioapic + IOAPIC_DATA);
}

static void ioapic_write(unsigned int index, u32 value)
{
	writel(index, ioapic);
	writel(value, ioapic + IOAPIC_DATA);
}

/* The kernel uses the same index and data registers: these two run while all CPUs stand still. */
static int take_pin(void *unused)
{
	u32 routes = readl(hpet + HPET_T2_ROUTES);
	unsigned int pin;

	for (pin = IOAPIC_LAST_PIN; pin >= IOAPIC_FIRST_PIN; pin--) {
		saved.low = ioapic_read(IOAPIC_ENTRY(pin));
		if (!(routes & BIT(pin)) || !(saved.low & IOAPIC_MASKED))
			continue;
		saved.high = ioapic_read(IOAPIC_ENTRY(pin) + 1);
		saved.number = pin;
		ioapic_write(IOAPIC_ENTRY(pin) + 1, ours.high);
		ioapic_write(IOAPIC_ENTRY(pin), ours.low);
		return 0;
	}
	return -EBUSY;
}

static int give_pin_back(void *unused)
{
	ioapic_write(IOAPIC_ENTRY(saved.number), saved.low | IOAPIC_MASKED);
	ioapic_write(IOAPIC_ENTRY(saved.number) + 1, saved.high);
	saved.number = 0;
	return 0;
}

static u32 master_of(const struct smi_settings *settings)
{
	return settings->cpu == CPU_ALL ? 0 : settings->cpu;
}

/* A handler that gathers the CPUs itself is told by one; each of them alone has to be told. */
static bool master_calls_others(const struct smi_settings *settings)
{
	return smram_gathers() && settings->event != KIND_NMI;
}

static u32 ioapic_destination(const struct smi_settings *settings)
{
	if (settings->cpu == CPU_ALL && !master_calls_others(settings))
		return IOAPIC_TO_ALL << 24;
	return cpu_physical_id(master_of(settings)) << 24;
}

static u8 command_of(const struct smi_settings *settings)
{
	return settings->cpu == CPU_ALL ? SMM_COMMAND_SPIN_ALL : SMM_COMMAND_SPIN;
}

static u32 remaining_of(const struct smi_settings *settings)
{
	return settings->count ? settings->count : U32_MAX;
}

static void arm(const struct smi_settings *settings, u64 next, u32 period)
{
	struct smm_mailbox *control = smram_control();

	if (settings->event == KIND_NMI) {
		nmi_train.remaining = remaining_of(settings);
		nmi_train.period = period;
		nmi_train.next = next;
		smp_store_release(&nmi_train.master, master_of(settings));
		return;
	}
	control->remaining = remaining_of(settings);
	control->hpet_period = period;
	control->hpet_next = next;
	smp_store_release(&control->master, master_of(settings));
}

static int hpet_start(const struct smi_settings *settings)
{
	u64 next;
	int err;

	if (!(readl(hpet + HPET_CONFIG) & HPET_CONFIG_ENABLE)) {
		pr_err("smi_inject: the kernel has not started the HPET\n");
		return -ENODEV;
	}
	ours.low = settings->event == KIND_NMI ? IOAPIC_NMI : IOAPIC_SMI;
	ours.high = ioapic_destination(settings);
	err = stop_machine(take_pin, NULL, NULL);
	if (err)
		return err;
	saved_t2_config = readl(hpet + HPET_T2_CONFIG);
	saved_t2_comparator = hpet_read64(HPET_T2_COMPARATOR);
	next = hpet_read64(HPET_COUNTER) +
	       hpet_ticks(max_t(u64, settings->period_ns, HPET_FIRST_NS));
	arm(settings, next, hpet_ticks(settings->period_ns));
	hpet_set_next(next);
	writel(HPET_T_ENABLE | saved.number << HPET_T_ROUTE_SHIFT, hpet + HPET_T2_CONFIG);
	return 0;
}

static void hpet_stop(void)
{
	if (!saved.number)
		return;
	writel(0, hpet + HPET_T2_CONFIG);
	stop_machine(give_pin_back, NULL, NULL);
	hpet_set_next(saved_t2_comparator);
	writel(saved_t2_config, hpet + HPET_T2_CONFIG);
}

static int tco_start(const struct smi_settings *settings, u16 pm_base)
{
	struct smm_mailbox *control = smram_control();

	saved_tco_control = inw(pm_base + TCO1_CONTROL);
	saved_tco_timer = inw(pm_base + TCO_TIMER);
	tco_taken = true;
	outw(saved_tco_control | TCO1_HALT, pm_base + TCO1_CONTROL);
	outw(TCO1_STATUS_TIMEOUT, pm_base + TCO1_STATUS);
	outw(TCO2_STATUS_SECOND, pm_base + TCO2_STATUS);
	outl(inl(pm_base + SMI_EN) | SMI_EN_TCO, pm_base + SMI_EN);
	outw(div_u64(settings->period_ns, TCO_TICK_NS), pm_base + TCO_TIMER);
	control->tco_port = pm_base + TCO1_CONTROL;
	arm(settings, 0, 0);
	outw(saved_tco_control & ~TCO1_HALT, pm_base + TCO1_CONTROL);
	outw(1, pm_base + TCO_RELOAD);
	return 0;
}

static void tco_stop(u16 pm_base)
{
	if (!tco_taken)
		return;
	outw(saved_tco_control | TCO1_HALT, pm_base + TCO1_CONTROL);
	outl(inl(pm_base + SMI_EN) & ~SMI_EN_TCO, pm_base + SMI_EN);
	outw(saved_tco_timer, pm_base + TCO_TIMER);
	outw(saved_tco_control, pm_base + TCO1_CONTROL);
	tco_taken = false;
}

static void raise_smi(void *settings)
{
	outb(command_of(settings), SMM_PORT_COMMAND);
	outb(0, SMM_PORT_CONTROL);
}

static void raise_nmi(void *unused)
{
	writel(LAPIC_SELF_NMI, lapic_icr);
}

static int raise_once(const struct smi_settings *settings)
{
	smp_call_func_t raise = settings->event == KIND_NMI ? raise_nmi : raise_smi;
	void *data = (void *)settings;

	if (settings->cpu != CPU_ALL || master_calls_others(settings))
		return smp_call_function_single(master_of(settings), raise, data, true);
	on_each_cpu(raise, data, true);
	return 0;
}

int trigger_start(const struct smi_settings *settings, const struct smi_machine *machine)
{
	struct smm_mailbox *control = smram_control();
	unsigned int i;

	for (i = 0; i < settings->lengths; i++)
		control->length[i] = smi_ticks(settings->length_ns[i]);
	control->lengths = settings->lengths;
	control->post_nmi = settings->event == KIND_SMI_NMI;
	control->command = command_of(settings);
	control->hpet_period = 0;
	control->tco_port = 0;
	switch (settings->trigger) {
	case TRIGGER_HPET:
		return hpet_start(settings);
	case TRIGGER_TCO:
		return tco_start(settings, machine->pm_base);
	default:
		return raise_once(settings);
	}
}

void trigger_stop(const struct smi_machine *machine)
{
	WRITE_ONCE(nmi_train.master, SMM_NO_MASTER);
	WRITE_ONCE(smram_control()->master, SMM_NO_MASTER);
	hpet_stop();
	tco_stop(machine->pm_base);
	smram_settle();
}

bool trigger_idle(void)
{
	return READ_ONCE(smram_control()->master) == SMM_NO_MASTER &&
	       READ_ONCE(nmi_train.master) == SMM_NO_MASTER;
}

void trigger_nmi_arrived(unsigned int cpu)
{
	if (smp_load_acquire(&nmi_train.master) != cpu ||
	    hpet_read64(HPET_COUNTER) < nmi_train.next)
		return;
	if (--nmi_train.remaining == 0) {
		WRITE_ONCE(nmi_train.master, SMM_NO_MASTER);
		return;
	}
	do {
		nmi_train.next += nmi_train.period;
	} while (nmi_train.next < hpet_read64(HPET_COUNTER) + HPET_MARGIN);
	hpet_set_next(nmi_train.next);
}

int trigger_map(void)
{
	hpet = ioremap(HPET_ADDRESS, HPET_SIZE);
	ioapic = ioremap(IOAPIC_ADDRESS, IOAPIC_SIZE);
	lapic_icr = ioremap(LAPIC_ICR, LAPIC_SIZE);
	if (hpet && ioapic && lapic_icr)
		return 0;
	trigger_unmap();
	return -ENOMEM;
}

void trigger_unmap(void)
{
	if (lapic_icr)
		iounmap(lapic_icr);
	if (ioapic)
		iounmap(ioapic);
	if (hpet)
		iounmap(hpet);
}
