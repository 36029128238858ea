/* SPDX-License-Identifier: MIT */
/*
 * What an SMM handler that can be commanded and its commander tell each other: settings and counts
 * in a mailbox, a log of every SMI behind it. Assembler reads the offsets.
 *
 * The board's firmware has such a handler and publishes mailbox and logs as CBMEM entry
 * CBMEM_ID_SMM; docs/board.md has the protocol. The lab's injector brings another one along for
 * machines whose firmware leaves SMRAM open.
 *
 * CPUs are told apart by their APIC ID, which on the emulated machine is Linux's number as well.
 */
#ifndef HADAL_CORE_SMM_ABI_H
#define HADAL_CORE_SMM_ABI_H

#define SMM_CPUS 8
#define SMM_EVENTS 4096 /* logged for each CPU */
#define SMM_LENGTHS 16
#define SMM_NO_MASTER 0xffffffff

/* A write to the first port is the SMI (ICH9 data sheet, APM_CNT); the second says what it is for. */
#define SMM_PORT_CONTROL 0xb2
#define SMM_PORT_COMMAND 0xb3
#define SMM_COMMAND_NONE 0 /* also the handler's answer: done */
#define SMM_COMMAND_SPIN 1 /* this CPU stays for the length whose turn it is */
#define SMM_COMMAND_SPIN_ALL                                                                       \
	2 /* all CPUs come in, and stay for it from the last one's arrival on */

#define SMM_MAILBOX_MAGIC 0x314d4d53 /* "SMM1" */
#define SMM_LOG_OFFSET 0x1000	     /* from the mailbox to CPU 0's log */
#define SMM_BYTES (SMM_LOG_OFFSET + (SMM_CPUS * SMM_EVENTS << SMM_EVENT_SHIFT))

/* struct smm_mailbox */
#define SMM_MASTER 0x00
#define SMM_REMAINING 0x04
#define SMM_HPET_PERIOD 0x08
#define SMM_TCO_PORT 0x0c
#define SMM_HPET_NEXT 0x10
#define SMM_POST_NMI 0x18
#define SMM_LENGTH_COUNT 0x1c
#define SMM_LENGTH 0x20
#define SMM_CPU 0x60
#define SMM_SPARE 0xe0

/* struct smm_cpu */
#define SMM_CPU_TOTAL 0x0
#define SMM_CPU_LOG 0x4
#define SMM_CPU_TURN 0x8
#define SMM_CPU_SHIFT 4

/* struct smm_event */
#define SMM_EVENT_ENTRY 0x00
#define SMM_EVENT_EXIT 0x08
#define SMM_EVENT_ASKED 0x10
#define SMM_EVENT_NMI 0x14
#define SMM_EVENT_SHIFT 5

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/*
 * struct smm_event - one SMI as its handler saw it
 * @entry, @exit: TSC; exit is 0 while it runs
 * @asked: TSC ticks to stay
 * @nmi: the handler posted an NMI to its own CPU
 */
struct smm_event {
	uint64_t entry;
	uint64_t exit;
	uint32_t asked;
	uint32_t nmi;
	uint64_t reserved;
};

/*
 * struct smm_cpu - a CPU's part of the mailbox
 * @total: SMIs since somebody set it to 0, also those that the log had no room for
 * @log: physical address of its log
 * @turn: index of the next length
 */
struct smm_cpu {
	uint32_t total;
	uint32_t log;
	uint32_t turn;
	uint32_t reserved;
};

/*
 * struct smm_mailbox - settings and counts; below 4 GiB
 * @master: the CPU that drives a train of SMIs, SMM_NO_MASTER: none does
 * @remaining: SMIs until the train ends
 * @hpet_period: of a train by the HPET's timer 2, in its ticks, else 0
 * @tco_port: TCO1_CNT if the train is by the TCO, else 0
 * @hpet_next: the comparator's next value
 * @post_nmi: each SMI posts an NMI to its own CPU
 * @lengths, @length: how long SMIs take, in TSC ticks, in turn
 * @magic, @cpus, @tail: by the board only: SMM_MAILBOX_MAGIC; bit N: CPU N runs the handler;
 *	instructions from a handler's last look at the clock to the interrupted code
 * @command: what each SMI of a train does, an SMM_COMMAND
 */
struct smm_mailbox {
	uint32_t master;
	uint32_t remaining;
	uint32_t hpet_period;
	uint32_t tco_port;
	uint64_t hpet_next;
	uint32_t post_nmi;
	uint32_t lengths;
	uint32_t length[SMM_LENGTHS];
	struct smm_cpu cpu[SMM_CPUS];
	struct smm_event spare;
	uint32_t magic;
	uint32_t cpus;
	uint32_t tail;
	uint32_t command;
};

_Static_assert(sizeof(struct smm_event) == 1 << SMM_EVENT_SHIFT, "SMM event");
_Static_assert(offsetof(struct smm_event, entry) == SMM_EVENT_ENTRY, "SMM event");
_Static_assert(offsetof(struct smm_event, exit) == SMM_EVENT_EXIT, "SMM event");
_Static_assert(offsetof(struct smm_event, asked) == SMM_EVENT_ASKED, "SMM event");
_Static_assert(offsetof(struct smm_event, nmi) == SMM_EVENT_NMI, "SMM event");
_Static_assert(sizeof(struct smm_cpu) == 1 << SMM_CPU_SHIFT, "SMM CPU");
_Static_assert(offsetof(struct smm_cpu, total) == SMM_CPU_TOTAL, "SMM CPU");
_Static_assert(offsetof(struct smm_cpu, log) == SMM_CPU_LOG, "SMM CPU");
_Static_assert(offsetof(struct smm_cpu, turn) == SMM_CPU_TURN, "SMM CPU");
_Static_assert(offsetof(struct smm_mailbox, master) == SMM_MASTER, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, remaining) == SMM_REMAINING, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, hpet_period) == SMM_HPET_PERIOD, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, tco_port) == SMM_TCO_PORT, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, hpet_next) == SMM_HPET_NEXT, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, post_nmi) == SMM_POST_NMI, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, lengths) == SMM_LENGTH_COUNT, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, length) == SMM_LENGTH, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, cpu) == SMM_CPU, "SMM mailbox");
_Static_assert(offsetof(struct smm_mailbox, spare) == SMM_SPARE, "SMM mailbox");
_Static_assert(sizeof(struct smm_mailbox) <= SMM_LOG_OFFSET, "SMM mailbox");

#endif
#endif
