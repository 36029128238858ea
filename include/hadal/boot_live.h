/* SPDX-License-Identifier: MIT */
/*
 * libhadal, the live boot: reads every source of boot times that a machine has.
 *
 * In two steps, so that nothing that others wrote is looked at with privilege: open what needs
 * it, drop it, read.
 */
#ifndef HADAL_BOOT_LIVE_H
#define HADAL_BOOT_LIVE_H

#include "hadal/boot.h"

struct hadal_live;

/* Names of the sources in the order in which they are tried, up to a NULL. */
extern const char *const hadal_live_sources[];

/*
 * Opens the sources of this machine or, if @root is not NULL, those below that folder. @source:
 * only the one of that name; NULL: all. Both strings must outlive *@live. A source that cannot be
 * opened is no error; what came of it is in the boot's list of sources. -ENOMEM, or why @root
 * cannot be opened.
 */
int hadal_live_open(struct hadal_live **live, const char *root, const char *source);

/*
 * Gives up all capabilities for good. The caller opens what it needs before. 0 or -errno: it
 * could not.
 */
int hadal_live_drop_privilege(void);

/*
 * Reads what was opened into @boot, which is zeroed before and freed after by the caller, relates
 * the clocks, and marks what is doubtful. @tick_khz: the counter's frequency if the user knows it
 * better, or 0. Returns 1 if any source tells about the time before the kernel, 0 if none, or
 * -ENOMEM.
 */
int hadal_live_read(struct hadal_live *live, struct hadal_boot *boot, uint32_t tick_khz);

void hadal_live_close(struct hadal_live *live);

/*
 * struct hadal_counter - the machine's counter and the kernel's zero on it
 * @khz: its frequency, as the kernel or a measurement has it; 0 unknown
 * @khz_from: who says so; a static string
 * @has_zero: @zero_ns is known
 * @zero_ns: when CLOCK_MONOTONIC was 0, in nanoseconds after the counter's zero
 * @why: why it is not known; empty if it is
 */
struct hadal_counter {
	uint32_t khz;
	const char *khz_from;
	bool has_zero;
	int64_t zero_ns;
	char why[160];
};

/* Reads this machine's counter. */
void hadal_counter_read(struct hadal_counter *counter);

/*
 * Relates the clocks of @boot: sets has_kernel_zero or says why not, and marks what cannot be
 * right. @counter is NULL if the boot is another machine's. 0 or -ENOMEM.
 */
int hadal_boot_relate(struct hadal_boot *boot, const struct hadal_counter *counter);

#endif
