/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the SMI injector share. One injector, one machine: its state is in a few
 * file-local variables, guarded by the mutex in main.c.
 */
#ifndef SMI_INJECT_H
#define SMI_INJECT_H

#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "layout.h"

enum smi_trigger { TRIGGER_ONCE, TRIGGER_HPET, TRIGGER_TCO };
enum smi_kind { KIND_SMI, KIND_NMI, KIND_SMI_NMI };

#define CPU_ALL (-1)

struct smi_settings {
	enum smi_trigger trigger;
	enum smi_kind event;
	int cpu;   /* or CPU_ALL */
	u32 count; /* 0: until stopped */
	u64 period_ns;
	u32 lengths;
	u32 length_ns[SMM_LENGTHS];
	u32 nmi_ns; /* spent in our NMI handler */
};

/* machine.c: what was found of the emulated machine. */
struct smi_machine {
	struct pci_dev *host; /* the host bridge, which has the SMRAM switch */
	u16 pm_base;	      /* I/O ports of the south bridge's power management */
	u64 mailbox;	      /* of the board's handler; 0: SMRAM is open and ours is used */
};

/*
 * 0, or -ENODEV with the reason in the log: this is not QEMU's q35, or its SMRAM is locked and the
 * handler in it is not the board's.
 */
int machine_find(struct smi_machine *machine);
void machine_put(struct smi_machine *machine);

/* board.c. The address of the mailbox of the board's SMM handler, 0 if there is none. */
u64 board_mailbox(void);

/* smram.c. Uses the board's handler, or installs ours and gives every online CPU its SMBASE. */
int smram_install(struct smi_machine *machine);
/* Leaves a handler behind that only returns, and frees the rings; the board's just stays. */
void smram_remove(struct smi_machine *machine);
struct smm_mailbox *smram_control(void);
const struct smm_event *smram_events(unsigned int cpu);
/* Whether SMIs on this CPU (CPU_ALL: on every present one) run our handler. */
bool smram_covers(int cpu);
/* Whether one SMI can call all CPUs together: the board's handler does that. */
bool smram_gathers(void);
/* Waits until no handler runs. */
void smram_settle(void);

/* handler.S: code for SMRAM. */
extern const u8 smi_entry[], smi_entry_end[];
extern const u8 smi_common[], smi_common_end[];
extern const u8 smi_move[], smi_move_end[], smi_move_base[];

/* nmi.c. All NMIs are counted and claimed as long as the module is loaded. */
int nmi_install(void);
void nmi_remove(void);
/* Begins a run: the log is empty, each NMI takes this long. */
void nmi_reset(u32 ticks);
u32 nmi_total(unsigned int cpu);
const struct smm_event *nmi_events(unsigned int cpu);

/* trigger.c. */
int trigger_map(void);
void trigger_unmap(void);
int trigger_start(const struct smi_settings *settings, const struct smi_machine *machine);
void trigger_stop(const struct smi_machine *machine);
/* The train has made all its events, or none was started. */
bool trigger_idle(void);
/* For the NMI handler: this NMI may have been the train's; arrange the next one. */
void trigger_nmi_arrived(unsigned int cpu);

/* settings.c. */
extern const struct smi_settings settings_default;
/* One line name=value; -EINVAL for what is not known or not in range. */
int settings_set(struct smi_settings *settings, char *line);
/* Checks the settings against each other. */
int settings_check(const struct smi_settings *settings);
void settings_show(struct seq_file *file, const struct smi_settings *settings);

/* truth.c. */
void truth_begin(void);
void truth_show(struct seq_file *file);

/* From ns to TSC ticks. */
u32 smi_ticks(u64 ns);

#endif
