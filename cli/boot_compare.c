// SPDX-License-Identifier: MIT
/* `hadal boot compare`: recordings and the live machine, side by side. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/boot.h"
#include "hadal/boot_live.h"
#include "report/boot_compare.h"

#define LIVE "live"

static const struct compare_writer *const writers[] = { &compare_writer_table,
							&compare_writer_json };

/* struct subject - one of the boots */
struct subject {
	struct input in;
	struct hadal_live *live;
	struct hadal_boot boot;
};

static bool is_live(const char *name)
{
	return strcmp(name, LIVE) == 0;
}

static int open_subject(struct subject *subject, const struct boot_options *opts, const char *name)
{
	if (is_live(name))
		return boot_open_live(&subject->live, opts);
	return boot_input_open(&subject->in, name);
}

static int read_live(struct subject *subject, const struct boot_options *opts)
{
	int ret = hadal_live_read(subject->live, &subject->boot, opts->tick_khz);

	if (ret < 0)
		return boot_out_of_memory(LIVE);
	if (subject->boot.has_stamps || subject->boot.span_count)
		return STATUS_DONE;
	cli_error(LIVE, "`hadal boot` says why.", "nothing tells where this machine's boot went");
	return STATUS_IMPOSSIBLE;
}

static int read_subject(struct subject *subject, const struct boot_options *opts, const char *name)
{
	int status;

	if (subject->live)
		return read_live(subject, opts);
	status = boot_read_recording(&subject->boot, opts, name, &subject->in);
	if (status != STATUS_DONE)
		return status;
	if (subject->boot.has_stamps || subject->boot.span_count)
		return STATUS_DONE;
	cli_error(name, NULL, "holds no timestamps");
	return STATUS_BAD_INPUT;
}

/* Times of unknown frequency cannot be compared with any. */
static int lay_out(struct timeline *line, const struct subject *subject,
		   const struct boot_options *opts, const char *name)
{
	if (timeline_init(line, &subject->boot, opts->tick_khz, false) < 0)
		return boot_out_of_memory(name);
	if (line->khz || !subject->boot.has_stamps)
		return STATUS_DONE;
	cli_error(name, "Give it with --tick-khz.", "its counter's frequency is unknown");
	return STATUS_BAD_INPUT;
}

static int write_result(const struct compare *cmp, const struct boot_options *opts,
			const struct compare_writer *writer)
{
	bool exceeded = opts->has_limit && compare_exceeds(cmp, opts->limit, opts->limit_percent);
	struct report_out out;

	if (cli_open_output(&out, &opts->common, writer->plain) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (writer->write(cmp, opts->has_limit ? &exceeded : NULL, &out) < 0)
		return cli_close_output(&out, &opts->common, boot_out_of_memory(NULL));
	return cli_close_output(&out, &opts->common, exceeded ? STATUS_NO : STATUS_DONE);
}

static int compare(const struct subject *subjects, const struct boot_options *opts,
		   struct timeline *lines, const struct compare_writer *writer)
{
	struct compare cmp;
	int status = STATUS_DONE;

	for (size_t i = 0; i < opts->boot_count && status == STATUS_DONE; i++)
		status = lay_out(&lines[i], &subjects[i], opts, opts->boots[i]);
	if (status != STATUS_DONE)
		return status;
	if (compare_init(&cmp, lines, opts->boots, opts->boot_count) < 0)
		status = boot_out_of_memory(NULL);
	else
		status = write_result(&cmp, opts, writer);
	compare_free(&cmp);
	return status;
}

/* All are opened before privilege goes, which only the live machine needs. */
static int run_all(struct subject *subjects, const struct boot_options *opts,
		   struct timeline *lines, const struct compare_writer *writer)
{
	int status = STATUS_DONE, damaged = STATUS_DONE;

	for (size_t i = 0; i < opts->boot_count && status == STATUS_DONE; i++)
		status = open_subject(&subjects[i], opts, opts->boots[i]);
	if (status == STATUS_DONE)
		status = boot_drop_privilege();
	for (size_t i = 0; i < opts->boot_count && status == STATUS_DONE; i++) {
		status = read_subject(&subjects[i], opts, opts->boots[i]);
		boot_warn(&subjects[i].boot, opts->boots[i]);
		if (subjects[i].boot.damage.count)
			damaged = STATUS_BAD_INPUT;
	}
	if (status == STATUS_DONE)
		status = compare(subjects, opts, lines, writer);
	return status == STATUS_DONE ? damaged : status;
}

static const struct compare_writer *find_writer(const char *name)
{
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++)
		if (!name || strcmp(writers[i]->name, name) == 0)
			return writers[i];
	return NULL;
}

int boot_run_compare(const struct boot_options *opts)
{
	const struct compare_writer *writer = find_writer(opts->common.format);
	struct subject *subjects;
	struct timeline *lines;
	int status;

	if (opts->boot_count < 2)
		return cli_usage(
			"which boots? Name two recordings or more, `live` is this machine");
	if (!writer)
		return cli_usage("--format=%s: compare has table and json", opts->common.format);
	subjects = calloc(opts->boot_count, sizeof(*subjects));
	lines = calloc(opts->boot_count, sizeof(*lines));
	status = subjects && lines ? run_all(subjects, opts, lines, writer) :
				     boot_out_of_memory(NULL);
	for (size_t i = 0; subjects && lines && i < opts->boot_count; i++) {
		timeline_free(&lines[i]);
		hadal_boot_free(&subjects[i].boot);
		boot_input_close(&subjects[i].in);
		if (subjects[i].live)
			hadal_live_close(subjects[i].live);
	}
	free(subjects);
	free(lines);
	return status;
}
