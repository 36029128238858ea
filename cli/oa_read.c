// SPDX-License-Identifier: MIT
/* hadal oa read: a recording of OA reports as the counters of its metric set. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/oa.h"
#include "cli/signals.h"
#include "hadal/oa_device.h"
#include "report/oa_read.h"

static const struct oa_read_writer *const writers[] = {
	&oa_read_table,
	&oa_read_csv,
	&oa_read_json,
	&oa_read_perfetto,
};

/*
 * struct reading - one run
 * @stop: not 0 after a signal
 * @follows: the recording comes through a pipe, so its end is its writer's affair
 */
struct reading {
	const struct oa_request *request;
	const struct oa_read_writer *writer;
	const char *name;
	int fd;
	const volatile sig_atomic_t *stop;
	bool follows;
	struct hadal_oa_recording *recording;
	struct hadal_oa_decoding what;
	struct hadal_oa_device device;
	struct hadal_oa_decoder *decoder;
};

static int find_writer(struct reading *reading)
{
	const char *format = reading->request->options.format;

	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		if (!format || strcmp(format, writers[i]->name) == 0) {
			reading->writer = writers[i];
			return -1;
		}
	}
	return cli_usage("--format=%s: it is table, csv, json or perfetto", format);
}

/* --- what is to be read ------------------------------------------------------------------ */

static int refuse_file(const char *name, int error)
{
	cli_error(name, "Name a readable recording of OA reports.", "cannot be read: %s",
		  strerror(error));
	return STATUS_BAD_INPUT;
}

static int open_recording(struct reading *reading)
{
	struct stat st;
	int ret;

	if (strcmp(reading->request->names[0], "-") == 0) {
		reading->name = "standard input";
		reading->fd = STDIN_FILENO;
	} else {
		reading->name = reading->request->names[0];
		reading->fd = open(reading->name, O_RDONLY | O_CLOEXEC);
		if (reading->fd < 0)
			return refuse_file(reading->name, errno);
	}
	reading->follows = fstat(reading->fd, &st) == 0 && S_ISFIFO(st.st_mode);
	ret = hadal_oa_recording_open(reading->fd, &reading->recording);
	if (ret == -ENOMEM)
		return oa_no_memory();
	return ret < 0 ? refuse_file(reading->name, -ret) : STATUS_DONE;
}

static void report_damage(const struct reading *reading)
{
	const struct hadal_oa_recording *recording = reading->recording;
	char thing[4200];

	for (uint32_t i = 0; i < recording->damage_count; i++) {
		snprintf(thing, sizeof(thing), "%s: byte %llu", reading->name,
			 (unsigned long long)recording->damage[i].offset);
		cli_error(thing, NULL, "%s", recording->damage[i].text);
	}
	if (recording->damage_total > recording->damage_count)
		cli_warn("%s: %llu more problem%s not shown", reading->name,
			 (unsigned long long)(recording->damage_total - recording->damage_count),
			 report_plural(recording->damage_total - recording->damage_count));
}

/* The recording's set, by its UUID, which names registers; its name is that of one on each GPU. */
static bool find_set(struct reading *reading, const struct oa_input *input)
{
	const char *uuid = reading->recording->source.set_uuid;

	for (size_t i = 0; i < input->count; i++) {
		for (uint32_t s = 0; s < input->files[i]->set_count; s++) {
			const struct hadal_oa_set *set = &input->files[i]->sets[s];

			if (!set->hw_config_guid || !hadal_oa_same_uuid(set->hw_config_guid, uuid))
				continue;
			reading->what.file = input->files[i];
			reading->what.set = set;
			return true;
		}
	}
	return false;
}

static int refuse_set(const struct reading *reading)
{
	const struct hadal_oa_source *source = &reading->recording->source;

	cli_error(reading->name, "Name the metric file of the GPU that it was recorded on.",
		  "its set %s (%s) is in none of the metric files", source->set_name,
		  source->set_uuid);
	return STATUS_BAD_INPUT;
}

static int start_decoder(struct reading *reading)
{
	const struct hadal_oa_source *source = &reading->recording->source;
	struct hadal_oa_decoding *what = &reading->what;
	int ret;

	what->generation = hadal_oa_generation_of(source->device_id);
	if (!what->generation)
		what->generation = what->set->generation;
	what->device = &reading->device;
	if (hadal_oa_recording_variables(reading->recording, what->generation, &reading->device))
		hadal_oa_recording_note(reading->recording,
					"what was recorded as the GPU's topology is none");
	ret = hadal_oa_decoder_open(reading->recording, what, &reading->decoder);
	if (ret != -EOPNOTSUPP)
		return ret == 0 ? STATUS_DONE : oa_no_memory();
	cli_error(reading->name, NULL, "reports of format %u are not known for a GPU of %s",
		  source->format, what->generation ? what->generation->name : "an unknown kind");
	return STATUS_BAD_INPUT;
}

/* --- reading ----------------------------------------------------------------------------- */

static int decode(struct reading *reading, struct oa_read *read, struct oa_read_state *state)
{
	struct hadal_oa_interval interval;
	int ret;

	while ((ret = hadal_oa_decoder_next(reading->decoder, &interval)) > 0) {
		oa_read_interval(state, &interval);
		if ((*reading->stop && !reading->follows) || ferror(state->out->file))
			break;
	}
	read->complete = ret == 0 && !reading->recording->damage_total;
	oa_read_end(state);
	if (ret >= 0)
		return STATUS_DONE;
	cli_error(reading->name, NULL, "cannot be read to its end: %s", strerror(-ret));
	return STATUS_IMPOSSIBLE;
}

static int write_all(struct reading *reading)
{
	struct oa_read read = {
		.path = reading->name,
		.generation = reading->what.generation,
		.decoder = reading->decoder,
	};
	const struct cli_options *options = &reading->request->options;
	struct oa_read_state state;
	struct report_out out;
	int status;

	if (cli_open_output(&out, options, reading->writer->plain) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (oa_read_begin(&state, reading->writer, &read, &out) == 0)
		status = decode(reading, &read, &state);
	else
		status = oa_no_memory();
	oa_read_free(&state);
	return cli_close_output(&out, options, status);
}

static void report_losses(const struct reading *reading)
{
	const struct hadal_oa_decoder *decoder = reading->decoder;

	if (decoder->report_losses || decoder->buffer_losses)
		cli_warn("%s: reports were lost %llu time%s while it was recorded, the kernel's "
			 "whole buffer %llu time%s; a longer --period loses fewer",
			 reading->name, (unsigned long long)decoder->report_losses,
			 report_plural(decoder->report_losses),
			 (unsigned long long)decoder->buffer_losses,
			 report_plural(decoder->buffer_losses));
	if (reading->recording->unknown)
		cli_warn("%s: %llu record%s of unknown type%s passed over", reading->name,
			 (unsigned long long)reading->recording->unknown,
			 report_plural(reading->recording->unknown),
			 report_plural(reading->recording->unknown));
}

static int read_with(struct reading *reading, const struct oa_input *input)
{
	int status;

	if (!find_set(reading, input))
		return refuse_set(reading);
	status = start_decoder(reading);
	if (status != STATUS_DONE)
		return status;
	status = write_all(reading);
	report_losses(reading);
	hadal_oa_decoder_close(reading->decoder);
	if (status == STATUS_DONE && (input->bad || reading->recording->damage_total))
		return STATUS_BAD_INPUT;
	return status;
}

static int read_sets(struct reading *reading)
{
	const struct oa_request *request = reading->request;
	struct oa_input input;
	int status;

	status = oa_input_read(&input, request->names + 1, request->count - 1, &request->question);
	if (status == STATUS_DONE)
		status = read_with(reading, &input);
	oa_input_free(&input);
	return status;
}

static int read_recording(struct reading *reading)
{
	int status;

	if (reading->recording->has_source) {
		status = read_sets(reading);
		report_damage(reading);
		return status;
	}
	report_damage(reading);
	cli_error(reading->name, "i915-perf-recorder and 'hadal oa record' make recordings.",
		  "does not say which GPU it is of");
	return STATUS_BAD_INPUT;
}

static int check_names(const struct oa_request *request)
{
	if (request->count == 0)
		return cli_usage("which recording?");
	if (request->count == 1)
		return cli_usage("which metric FILE has the recording's set?");
	for (size_t i = 1; i < request->count; i++)
		if (strcmp(request->names[0], "-") == 0 && strcmp(request->names[i], "-") == 0)
			return cli_usage("standard input is one thing only");
	return -1;
}

int oa_read_run(const struct oa_request *request)
{
	struct reading reading = { .request = request, .fd = -1 };
	int status = check_names(request);

	if (status < 0)
		status = find_writer(&reading);
	if (status >= 0)
		return status;
	reading.stop = cli_catch_signals(true);
	status = open_recording(&reading);
	if (status == STATUS_DONE)
		status = read_recording(&reading);
	hadal_oa_recording_close(reading.recording);
	if (reading.fd > STDIN_FILENO)
		close(reading.fd);
	return status;
}
