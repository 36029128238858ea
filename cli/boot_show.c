// SPDX-License-Identifier: MIT
/* How a boot is shown, from wherever it was read. */
#include "cli/boot.h"
#include "core/cbmem_abi.h"

static void say_lines(const struct hadal_lines *lines, const char *thing)
{
	for (size_t i = 0; i < lines->count; i++)
		cli_warn("%s: %s", thing, lines->at[i]);
}

void boot_warn(const struct hadal_boot *boot, const char *thing)
{
	say_lines(&boot->damage, thing);
	say_lines(&boot->notes, thing);
}

static int write_boot(const struct hadal_boot *boot, const struct boot_options *opts,
		      const char *thing, const struct report_out *out)
{
	struct timeline line;
	int ret;

	if (opts->list)
		return opts->writer->list(boot, out);
	ret = timeline_init(&line, boot, opts->tick_khz, opts->writer->compatible);
	if (ret < 0)
		return ret;
	if (boot->has_stamps && !line.khz)
		cli_warn("%s: the counter's frequency is unknown, so %s; give it with --tick-khz",
			 thing,
			 opts->writer->needs_time ? "this format leaves the stamps out" :
						    "times are in ticks");
	ret = opts->writer->write(&line, out);
	timeline_free(&line);
	return ret;
}

/* No coreboot table lists CBMEM's own directories. */
static bool is_unlisted(const struct hadal_cbmem_entry *entry)
{
	return !entry->in_table && entry->id != CBMEM_ID_ROOT && entry->id != CBMEM_ID_SMALL;
}

/* The directory itself may know more than the coreboot table, which is what list shows. */
static void say_unlisted(const struct hadal_boot *boot, const struct boot_options *opts,
			 const char *thing)
{
	size_t unlisted = 0;

	for (size_t i = 0; i < boot->directory_count; i++)
		unlisted += is_unlisted(&boot->directory[i]);
	if (opts->list && opts->writer->compatible && boot->has_table && unlisted)
		cli_warn(
			"%s: CBMEM's own directory holds %zu entr%s that the coreboot table does not "
			"list; --format=table shows all",
			thing, unlisted, unlisted == 1 ? "y" : "ies");
}

int boot_show(const struct hadal_boot *boot, const struct boot_options *opts, const char *thing,
	      struct report_out *out, int status)
{
	if (boot->damage.count)
		status = STATUS_BAD_INPUT;
	boot_warn(boot, thing);
	say_unlisted(boot, opts, thing);
	if (write_boot(boot, opts, thing, out) < 0)
		status = boot_out_of_memory(thing);
	return cli_close_output(out, &opts->common, status);
}
