// SPDX-License-Identifier: MIT
/* `hadal boot` on the machine in front of us. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/boot.h"
#include "hadal/boot_live.h"
#include "report/boot_in.h"

/* What messages call it. */
static const char *thing_of(const struct boot_options *opts)
{
	return opts->root ? opts->root : "this machine";
}

int boot_open_live(struct hadal_live **live, const struct boot_options *opts)
{
	int ret = hadal_live_open(live, opts->root, opts->source);

	if (ret == 0)
		return STATUS_DONE;
	if (ret == -ENOMEM)
		return boot_out_of_memory(thing_of(opts));
	cli_error(thing_of(opts), "Name a folder that holds another machine's files.",
		  "cannot be opened: %s", strerror(-ret));
	return ret == -EACCES ? STATUS_IMPOSSIBLE : STATUS_BAD_INPUT;
}

static void say_source(const struct hadal_boot_source *source)
{
	fprintf(stderr, "  %-10s  %s%s\n", source->name, source->used ? "used: " : "",
		source->finding.reason);
	if (!source->used && *source->finding.next)
		fprintf(stderr, "  %-10s  %s\n", "", source->finding.next);
}

static void say_sources(const struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->source_count; i++)
		say_source(&boot->sources[i]);
}

/* The one source that was asked for, if it gave nothing. */
static const struct hadal_boot_source *failed_source(const struct hadal_boot *boot,
						     const struct boot_options *opts)
{
	for (size_t i = 0; opts->source && i < boot->source_count; i++)
		if (strcmp(boot->sources[i].name, opts->source) == 0 && !boot->sources[i].used)
			return &boot->sources[i];
	return NULL;
}

/* What was asked for could not be had: says why, for each source. */
static int say_nothing(const struct hadal_boot *boot, const struct boot_options *opts)
{
	const struct hadal_boot_source *failed = failed_source(boot, opts);

	if (failed) {
		cli_error(failed->name, *failed->finding.next ? failed->finding.next : NULL, "%s",
			  failed->finding.reason);
		return STATUS_IMPOSSIBLE;
	}
	cli_error(thing_of(opts), NULL,
		  opts->list		   ? "its CBMEM, if it has one, cannot be read" :
		  opts->writer->compatible ? "no firmware timestamps, which this format is for" :
					     "nothing tells where the boot went before the kernel");
	say_sources(boot);
	return STATUS_IMPOSSIBLE;
}

static bool has_answer(const struct hadal_boot *boot, const struct boot_options *opts,
		       bool before_kernel)
{
	if (opts->list)
		return boot->directory_count > 0;
	if (opts->writer->compatible)
		return boot->has_stamps;
	return opts->source ? !failed_source(boot, opts) : before_kernel;
}

/* Without an answer, what there is after the kernel's start is still shown. */
static int show(const struct hadal_boot *boot, const struct boot_options *opts, bool before_kernel,
		struct report_out *out)
{
	int status = STATUS_DONE;

	if (!has_answer(boot, opts, before_kernel))
		status = say_nothing(boot, opts);
	else if (opts->common.verbose)
		say_sources(boot);
	if (status != STATUS_DONE &&
	    (opts->list || opts->writer->compatible || (!boot->has_stamps && !boot->span_count))) {
		boot_warn(boot, thing_of(opts));
		return cli_close_output(out, &opts->common, status);
	}
	return boot_show(boot, opts, thing_of(opts), out, status);
}

/* Reads and shows without privilege. @names may have no bytes. */
static int read_and_show(struct hadal_live *live, const struct boot_options *opts,
			 const struct input *names, struct report_out *out)
{
	struct hadal_boot boot = { 0 };
	int ret = hadal_live_read(live, &boot, opts->tick_khz), status;

	if (ret >= 0 && names->len && boot_in_names(&boot, names->bytes, names->len) < 0)
		ret = -ENOMEM;
	if (ret < 0)
		status = cli_close_output(out, &opts->common, boot_out_of_memory(thing_of(opts)));
	else
		status = show(&boot, opts, ret > 0, out);
	hadal_boot_free(&boot);
	return status;
}

int boot_drop_privilege(void)
{
	if (hadal_live_drop_privilege() == 0)
		return STATUS_DONE;
	cli_error(NULL, NULL, "the process cannot give up its privilege, so it reads nothing");
	return STATUS_IMPOSSIBLE;
}

/* All that may need privilege is open when it is given up, the output file too. */
static int run_opened(struct hadal_live *live, const struct boot_options *opts,
		      const struct input *names)
{
	struct report_out out;

	if (cli_open_output(&out, &opts->common, opts->writer->plain) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (boot_drop_privilege() != STATUS_DONE)
		return cli_close_output(&out, &opts->common, STATUS_IMPOSSIBLE);
	return read_and_show(live, opts, names, &out);
}

int boot_run_live(const struct boot_options *opts)
{
	struct input names = { 0 };
	struct hadal_live *live;
	int status = STATUS_DONE;

	if (opts->names)
		status = boot_input_open(&names, opts->names);
	if (status == STATUS_DONE)
		status = boot_open_live(&live, opts);
	if (status == STATUS_DONE) {
		status = run_opened(live, opts, &names);
		hadal_live_close(live);
	}
	boot_input_close(&names);
	return status;
}
