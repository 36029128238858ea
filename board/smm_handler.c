// SPDX-License-Identifier: MIT
/*
 * What a CPU does in system management mode: it writes down when it came, stays as long as the
 * mailbox says, and goes. core/smm_abi.h has the mailbox, which the operating system writes: nothing
 * from it is used as an address or as an unchecked index.
 */
#include <stdbool.h>

#include "board/io.h"
#include "board/layout.h"
#include "board/smm.h"
#include "core/smm_abi.h"

#define HPET_COUNTER 0xfed000f0u
#define HPET_T2_COMPARATOR 0xfed00148u
#define HPET_MARGIN 100 /* ticks that a new comparator value must lie ahead */

#define TCO1_CONTROL (LAYOUT_PMBASE + 0x68)
#define TCO1_HALT 0x800

struct smm_event *smm_handle(uint64_t entry, uint32_t cpu);

extern const uint32_t smm_image_mailbox;
extern const uint32_t smm_image_cpus;

/*
 * A gathering of all CPUs. The one that calls it counts the others in, keeps them, lets them go and
 * counts them out.
 */
static volatile struct {
	uint32_t busy;
	uint32_t number; /* of the last gathering called */
	uint32_t ticks;
	uint32_t arrived;
	uint32_t ended; /* number of the last one that is over */
	uint32_t left;
} gathering;

/* The last gathering that each CPU was at. */
static uint32_t attended[SMM_CPUS];

static inline void pause(void)
{
	__asm__ volatile("pause" : : : "memory");
}

static inline void stay(uint64_t since, uint32_t ticks)
{
	while (__builtin_ia32_rdtsc() - since < ticks)
		;
}

static struct smm_event *log_event(volatile struct smm_mailbox *box, uint32_t cpu, uint64_t entry)
{
	struct smm_event *log = (struct smm_event *)(smm_image_mailbox + SMM_LOG_OFFSET);
	uint32_t n = box->cpu[cpu].total++;
	struct smm_event *event = (struct smm_event *)&box->spare;

	if (n < SMM_EVENTS)
		event = log + cpu * SMM_EVENTS + n;
	event->entry = entry;
	event->asked = 0;
	event->nmi = box->post_nmi;
	if (event->nmi)
		write_reg(LAPIC_ICR, LAPIC_NMI_TO_SELF); /* held back by the CPU until RSM */
	return event;
}

static uint32_t next_length(volatile struct smm_mailbox *box, uint32_t cpu)
{
	uint32_t turn = box->cpu[cpu].turn % SMM_LENGTHS;

	box->cpu[cpu].turn = turn + 1 < box->lengths ? turn + 1 : 0;
	return box->length[turn];
}

/* A half-written comparator must not lie in the past: the high half is written only to change it. */
static void hpet_go_on(volatile struct smm_mailbox *box)
{
	uint64_t next = box->hpet_next;

	do {
		next += box->hpet_period;
	} while ((int32_t)((uint32_t)next - read_reg(HPET_COUNTER)) < HPET_MARGIN);
	box->hpet_next = next;
	if (read_reg(HPET_T2_COMPARATOR + 4) != (uint32_t)(next >> 32))
		write_reg(HPET_T2_COMPARATOR + 4, (uint32_t)(next >> 32));
	write_reg(HPET_T2_COMPARATOR, (uint32_t)next);
}

static void train_go_on(volatile struct smm_mailbox *box)
{
	if (--box->remaining) {
		if (box->hpet_period)
			hpet_go_on(box);
		return;
	}
	box->master = SMM_NO_MASTER;
	if (box->tco_port)
		outw(TCO1_CONTROL, inw(TCO1_CONTROL) | TCO1_HALT);
}

/* What this SMI is for: the port says so, or it is the train's, or nobody's. */
static uint32_t take_command(volatile struct smm_mailbox *box, uint32_t cpu)
{
	uint32_t command = inb(SMM_PORT_COMMAND);

	if (command) {
		outb(SMM_PORT_COMMAND, SMM_COMMAND_NONE);
		return command;
	}
	if (box->master != cpu)
		return SMM_COMMAND_NONE;
	command = box->command;
	train_go_on(box);
	return command;
}

/* Goes to the gathering that another CPU has called, if there is one. */
static bool attend(uint32_t cpu, struct smm_event *event)
{
	uint32_t number = gathering.number;

	if (attended[cpu] == number)
		return false;
	attended[cpu] = number;
	event->asked = gathering.ticks;
	__atomic_fetch_add(&gathering.arrived, 1, __ATOMIC_SEQ_CST);
	while (gathering.ended != number)
		pause();
	__atomic_fetch_add(&gathering.left, 1, __ATOMIC_SEQ_CST);
	return true;
}

/* Nobody leaves before the last is in, and has been in for @ticks. */
static void gather(uint32_t cpu, struct smm_event *event, uint32_t ticks)
{
	uint32_t others = smm_image_cpus - 1;

	while (__atomic_exchange_n(&gathering.busy, 1, __ATOMIC_SEQ_CST))
		if (!attend(cpu, event))
			pause();
	event->asked = ticks;
	gathering.ticks = ticks;
	gathering.arrived = 0;
	gathering.left = 0;
	attended[cpu] = gathering.number + 1;
	gathering.number = attended[cpu];
	write_reg(LAPIC_ICR, LAPIC_SMI_TO_OTHERS);
	while (gathering.arrived != others)
		pause();
	stay(__builtin_ia32_rdtsc(), ticks);
	gathering.ended = gathering.number;
	while (gathering.left != others)
		pause();
	gathering.busy = 0;
}

struct smm_event *smm_handle(uint64_t entry, uint32_t cpu)
{
	volatile struct smm_mailbox *box = (volatile struct smm_mailbox *)smm_image_mailbox;
	struct smm_event *event = log_event(box, cpu, entry);
	uint32_t command;

	if (attend(cpu, event))
		return event;
	command = take_command(box, cpu);
	if (command != SMM_COMMAND_SPIN && command != SMM_COMMAND_SPIN_ALL)
		return event;
	event->asked = next_length(box, cpu);
	if (command == SMM_COMMAND_SPIN)
		stay(entry, event->asked);
	else
		gather(cpu, event, event->asked);
	return event;
}
