/* SPDX-License-Identifier: MIT */
/* What the parts of `hadal boot` share. */
#ifndef HADAL_CLI_BOOT_H
#define HADAL_CLI_BOOT_H

#include "cli/cli.h"
#include "hadal/boot.h"
#include "report/boot_out.h"

/*
 * struct boot_options - what the command line says
 * @boots: what compare is to compare, or add to add
 * @limit: per cent if @limit_percent, else nanoseconds
 */
struct boot_options {
	struct cli_options common;
	const char *input;
	const char *names;
	const char *root;
	const char *source;
	uint64_t base;
	bool has_base;
	uint32_t tick_khz;
	bool list;
	const struct boot_writer *writer;
	bool compare;
	bool add;
	const char *const *boots;
	size_t boot_count;
	bool has_limit;
	bool limit_percent;
	double limit;
};

struct hadal_live;

/* struct input - a file's bytes, mapped or read */
struct input {
	void *bytes;
	size_t len;
	bool mapped;
};

/* Opens a file, - for standard input, or says why it cannot be. Returns a status. */
int boot_input_open(struct input *in, const char *path);
void boot_input_close(struct input *in);

/* Reads the recording @in into @boot, or says why it cannot be. Returns a status. */
int boot_read_recording(struct hadal_boot *boot, const struct boot_options *opts, const char *path,
			const struct input *in);

/* Warns of what is damaged or worth knowing in @boot, which is @thing to messages. */
void boot_warn(const struct hadal_boot *boot, const char *thing);

/* Says that there is not enough memory. Returns STATUS_IMPOSSIBLE. */
int boot_out_of_memory(const char *thing);

/*
 * Shows @boot, which is @thing to messages, on @out, which it closes. @status is what it returns
 * if nothing is wrong.
 */
int boot_show(const struct hadal_boot *boot, const struct boot_options *opts, const char *thing,
	      struct report_out *out, int status);

/* Opens the machine's sources, or says why that cannot be. Returns a status. */
int boot_open_live(struct hadal_live **live, const struct boot_options *opts);

/* Gives up all privilege, or says that it cannot. Returns a status. */
int boot_drop_privilege(void);

/* `hadal boot add`. Returns a status. */
int boot_run_add(const struct boot_options *opts);

/* `hadal boot compare`. Returns a status. */
int boot_run_compare(const struct boot_options *opts);

/* `hadal boot` and `hadal boot list` without -i. Returns a status. */
int boot_run_live(const struct boot_options *opts);

#endif
