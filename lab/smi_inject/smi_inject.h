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

/* One SMI or NMI as its handler saw it. Times are TSC ticks; exit is 0 while it runs. */
struct smi_event {
	u64 entry;
	u64 exit;
	u32 asked; /* ticks to spin */
	u32 nmi;   /* the SMI handler posted an NMI */
	u64 reserved;
};

/* A CPU's part of the control block. */
struct smi_cpu {
	u32 total; /* SMIs since the run began, also those that the ring had no room for */
	u32 ring;  /* physical address of its events */
	u32 turn;  /* index of the next length */
	u32 reserved;
};

/* What the module and the SMM handler tell each other, below 4 GiB. */
struct smi_control {
	u32 master;	 /* the CPU that drives the train, NO_MASTER: none does */
	u32 remaining;	 /* SMIs until the train ends */
	u32 hpet_period; /* ticks, 0: not by the HPET */
	u32 tco_port;	 /* TCO1_CNT, 0: not by the TCO */
	u64 hpet_next;
	u32 post_nmi;
	u32 lengths;
	u32 length[SMI_LENGTHS]; /* TSC ticks */
	struct smi_cpu cpu[SMI_CPUS];
	struct smi_event spare;
};

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
	u32 length_ns[SMI_LENGTHS];
	u32 nmi_ns; /* spent in our NMI handler */
};

/* machine.c: what was found of the emulated machine. */
struct smi_machine {
	struct pci_dev *host; /* the host bridge, which has the SMRAM switch */
	u16 pm_base;	      /* I/O ports of the south bridge's power management */
};

/* 0, or -ENODEV with the reason in the log: this is not QEMU's q35 with SMRAM open. */
int machine_find(struct smi_machine *machine);
void machine_put(struct smi_machine *machine);

/* smram.c. Installs the handler and gives every online CPU its SMBASE. */
int smram_install(struct smi_machine *machine);
/* Leaves a handler behind that only returns, and frees the rings. */
void smram_remove(struct smi_machine *machine);
struct smi_control *smram_control(void);
const struct smi_event *smram_events(unsigned int cpu);
/* Whether SMIs on this CPU (CPU_ALL: on every present one) run our handler. */
bool smram_covers(int cpu);
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
const struct smi_event *nmi_events(unsigned int cpu);

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
