// SPDX-License-Identifier: MIT
/* `hadal hwlat -i`: somebody else's recording, understood and shown as a run on this machine is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/boot.h"
#include "cli/hwlat.h"
#include "report/hwlat_in.h"
#include "report/hwlat_out.h"

/* Lines of damage that are told; the rest is counted. */
#define DAMAGE_LINES 20

static void show_hwlatdetect(const struct hwlat_options *opts, const struct hwlat_result *result,
			     const struct report_out *out)
{
	const struct hwlatdetect detect = {
		.duration_ns = result->facts.duration_ns,
		.cpu_list = opts->cpu_list,
	};

	hwlatdetect_head(&detect, result, out);
	hwlatdetect_tail(&detect, result, out, true);
}

int hwlat_show(const struct hwlat_options *opts, const struct hwlat_result *result,
	       const struct report_out *out)
{
	switch (opts->format) {
	case FORMAT_JSON:
		return hwlat_write_json(result, out);
	case FORMAT_PERFETTO:
		return hwlat_write_perfetto(result, out);
	case FORMAT_HWLATDETECT:
		show_hwlatdetect(opts, result, out);
		return 0;
	case FORMAT_HIST:
		hwlat_write_hist(result, out);
		return 0;
	case FORMAT_OPENMETRICS:
		hwlat_write_openmetrics(result, out);
		return 0;
	case FORMAT_HTML:
		hwlat_write_html(result, out);
		return 0;
	case FORMAT_TABLE:
		hwlat_write_table(result, out, opts->common.verbose > 0);
	}
	return 0;
}

int hwlat_status_of(const struct hwlat_result *result)
{
	switch (hwlat_result_verdict(result)) {
	case HWLAT_EXCEEDED:
		return STATUS_NO;
	case HWLAT_EXCEEDED_INSEPARABLE:
		return STATUS_IMPOSSIBLE;
	default:
		return STATUS_DONE;
	}
}

/* Frees the lines as well. */
static void tell_damage(const char *path, struct hadal_lines *damage)
{
	for (size_t i = 0; i < damage->count; i++) {
		if (i < DAMAGE_LINES)
			cli_error(path, NULL, "%s", damage->at[i]);
		free(damage->at[i]);
	}
	if (damage->count > DAMAGE_LINES)
		cli_error(path, "What is sound is shown.", "%zu more such line%s",
			  damage->count - DAMAGE_LINES,
			  report_plural(damage->count - DAMAGE_LINES));
	free(damage->at);
}

static int out_of_memory(const char *path)
{
	cli_error(path, "Split the recording.", "%s", strerror(ENOMEM));
	return STATUS_IMPOSSIBLE;
}

/* Reads the recording, says what is wrong with it, and returns a status; 4 may still have a part. */
static int read_recording(struct hwlat_result *result, const struct hwlat_options *opts,
			  const char *path, bool *readable)
{
	const struct hwlat_in_options in_options = {
		.width_us = opts->times_given ? opts->config.width_us : 0,
		.window_us = opts->times_given ? opts->config.window_us : 0,
		.limit_ns = opts->limit_ns,
		.max_records = opts->max_records,
	};
	struct hadal_lines damage = { 0 };
	struct input in;
	int err, status = boot_input_open(&in, opts->input);
	bool damaged;

	*readable = false;
	if (status != STATUS_DONE)
		return status;
	err = hwlat_in_read(result, &in_options, in.bytes, in.len, &damage);
	boot_input_close(&in);
	damaged = damage.count > 0;
	tell_damage(path, &damage);
	if (err == -ENOMEM)
		return out_of_memory(path);
	*readable = !err;
	if (err && !damaged)
		cli_error(path,
			  "Name a trace of the hwlat tracer or of hadal's module, a report of "
			  "hwlatdetect, or a document of hadal hwlat.",
			  "there is no record of a gap in it");
	return err || damaged ? STATUS_BAD_INPUT : STATUS_DONE;
}

static int show(const struct hwlat_options *opts, struct hwlat_result *result, const char *path,
		int status)
{
	struct report_out out;
	int shown = cli_open_output(&out, &opts->common, opts->format != FORMAT_TABLE);

	if (shown != STATUS_DONE)
		return shown;
	if (hwlat_result_analyse(result) || hwlat_show(opts, result, &out))
		status = out_of_memory(path);
	else if (status == STATUS_DONE)
		status = hwlat_status_of(result);
	return cli_close_output(&out, &opts->common, status);
}

int hwlat_run_input(const struct hwlat_options *opts)
{
	const char *path = strcmp(opts->input, "-") == 0 ? "standard input" : opts->input;
	struct hwlat_result result = { .record_count = 0 };
	bool readable;
	int status = read_recording(&result, opts, path, &readable);

	if (readable)
		status = show(opts, &result, path, status);
	hwlat_result_free(&result);
	return status;
}
