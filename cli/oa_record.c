// SPDX-License-Identifier: MIT
/* hadal oa record: a stream of OA reports into a file. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/oa.h"
#include "cli/oa_record.h"
#include "hadal/oa_stream.h"

/*
 * struct recorder - one run
 * @file, @set: what to count by
 * @uuid: the set's, as the kernel has it
 * @id, @added: the set in the kernel; it was added for this run
 */
struct recorder {
	const struct oa_request *request;
	struct hadal_oa_gpu gpu;
	int fd;
	struct hadal_oa_facts facts;
	const struct hadal_oa_file *file;
	const struct hadal_oa_set *set;
	char uuid[UUID_TEXT_LENGTH + 1];
	uint64_t id;
	bool added;
	struct hadal_oa_source source;
	uint32_t exponent;
	int stream;
};

/* --- which set --------------------------------------------------------------------------- */

/* Metric files of other GPUs may have sets of the same name. */
static bool is_for(const struct hadal_oa_set *set, const struct hadal_oa_gpu *gpu)
{
	return !gpu->generation || !set->generation || set->generation == gpu->generation;
}

static uint32_t find_sets(struct recorder *recorder, const struct oa_input *input)
{
	uint32_t found = 0;

	for (size_t i = 0; i < input->count; i++) {
		for (uint32_t s = 0; s < input->files[i]->set_count; s++) {
			const struct hadal_oa_set *set = &input->files[i]->sets[s];

			if (!hadal_oa_set_is_called(set, recorder->request->set) ||
			    !is_for(set, &recorder->gpu))
				continue;
			recorder->file = input->files[i];
			recorder->set = set;
			found++;
		}
	}
	return found;
}

static int choose_set(struct recorder *recorder, const struct oa_input *input)
{
	const char *name = recorder->request->set;
	const uint32_t found = find_sets(recorder, input);

	if (found == 0)
		cli_error(name, "'hadal oa check FILE...' lists the sets of a file.",
			  "no set for this GPU has that UUID or symbol name");
	else if (found > 1)
		cli_error(name, "Name it by its UUID, or give only this GPU's metric file.",
			  "%" PRIu32 " sets have that name", found);
	else if (recorder->set->damaged || !recorder->set->hw_config_guid ||
		 hadal_oa_normal_uuid(recorder->set->hw_config_guid, recorder->uuid) < 0)
		cli_error(name, "See what is wrong: hadal oa check FILE",
			  "this set cannot be loaded");
	else
		return STATUS_DONE;
	return STATUS_BAD_INPUT;
}

/* --- having it in the kernel ------------------------------------------------------------- */

static int refuse_other(const struct recorder *recorder)
{
	cli_error(recorder->request->set,
		  "'hadal oa add --replace --set=NAME FILE' puts the file's registers there.",
		  "a set with its UUID %s but other registers is loaded", recorder->uuid);
	return STATUS_NO;
}

/* The same UUID does not say that the registers are the same. */
static int check_loaded(const struct recorder *recorder, const struct hadal_oa_image *image)
{
	struct hadal_oa_image there;
	int err = hadal_oa_read_back(&recorder->gpu, recorder->fd, recorder->uuid, &there);
	bool same;

	if (err == -EOPNOTSUPP) {
		cli_warn("%s is loaded already; this kernel does not tell with which registers",
			 recorder->uuid);
		return STATUS_DONE;
	}
	if (err < 0)
		return oa_gpu_error(&recorder->gpu, HADAL_OA_CALL_QUERY, recorder->uuid, -err);
	same = hadal_oa_image_same(image, &there);
	hadal_oa_image_free(&there);
	return same ? STATUS_DONE : refuse_other(recorder);
}

static int have_image(struct recorder *recorder, const struct hadal_oa_image *image)
{
	int err;

	if (hadal_oa_loaded_id(&recorder->gpu, recorder->uuid, &recorder->id) == 0)
		return check_loaded(recorder, image);
	err = hadal_oa_add(&recorder->gpu, recorder->fd, image, &recorder->id);
	if (err < 0)
		return oa_gpu_error(&recorder->gpu, HADAL_OA_CALL_ADD, recorder->request->set,
				    -err);
	recorder->added = true;
	return STATUS_DONE;
}

static int have_set(struct recorder *recorder)
{
	struct hadal_oa_device device;
	struct hadal_oa_image image;
	int status;

	hadal_oa_facts_variables(&recorder->facts, recorder->gpu.generation, &device);
	if (hadal_oa_image_build(recorder->file, recorder->set, &device, &image) < 0)
		return oa_no_memory();
	status = have_image(recorder, &image);
	hadal_oa_image_free(&image);
	return status;
}

/* Somebody else may have removed it meanwhile, which is just as well. */
static void take_out(const struct recorder *recorder)
{
	int err = hadal_oa_remove(&recorder->gpu, recorder->fd, recorder->uuid, recorder->id);

	if (err && err != -ENOENT)
		cli_error(recorder->uuid, "Remove it: hadal oa remove UUID",
			  "added for this run, and could not be removed again: %s", strerror(-err));
}

/*
 * A set that was added for this run is taken out as soon as the stream has it: the stream keeps
 * what it uses, and however the run ends, the kernel has the sets that it had.
 */
static int open_stream(struct recorder *recorder)
{
	int status = have_set(recorder);

	if (status != STATUS_DONE)
		return status;
	recorder->stream = hadal_oa_stream_open(recorder->fd, &recorder->source, recorder->id,
						recorder->exponent, recorder->facts.perf_revision);
	if (recorder->added)
		take_out(recorder);
	if (recorder->stream >= 0)
		return STATUS_DONE;
	return oa_gpu_error(&recorder->gpu, HADAL_OA_CALL_STREAM, recorder->request->set,
			    -recorder->stream);
}

/* --- recording --------------------------------------------------------------------------- */

static void report_run(const struct oa_record_loop *loop)
{
	if (loop->report_losses || loop->buffer_losses)
		cli_warn("reports were lost %" PRIu64 " time%s, the kernel's whole buffer %" PRIu64
			 " time%s; a longer --period loses fewer",
			 loop->report_losses, report_plural(loop->report_losses),
			 loop->buffer_losses, report_plural(loop->buffer_losses));
	if (loop->reports == 0)
		cli_warn("no report came");
	if (loop->full)
		cli_warn("ended at --max-size, with %" PRIu64 " report%s", loop->reports,
			 report_plural(loop->reports));
}

static int write_head(const struct recorder *recorder, struct oa_record_loop *loop)
{
	uint8_t *head = malloc(HADAL_OA_HEAD_BYTES);
	int bytes;

	if (!head)
		return -ENOMEM;
	bytes = hadal_oa_recording_head(&recorder->source, recorder->facts.topology,
					recorder->facts.topology_bytes, head);
	if (bytes > 0)
		loop->bytes = fwrite(head, 1, (size_t)bytes, loop->out);
	free(head);
	return bytes < 0 ? bytes : 0;
}

static int run_loop(const struct recorder *recorder, FILE *out)
{
	const struct oa_request *request = recorder->request;
	struct oa_record_loop loop = {
		.gpu = recorder->fd,
		.stream = recorder->stream,
		.out = out,
		.duration_ns = request->duration_ns,
		.max_bytes = request->max_bytes,
		.live = isatty(STDERR_FILENO) && !request->options.quiet,
	};
	int err = write_head(recorder, &loop);

	if (!err)
		err = oa_record_wait(&loop);
	report_run(&loop);
	return err < 0 ? oa_gpu_error(&recorder->gpu, HADAL_OA_CALL_STREAM, "the stream", -err) :
			 STATUS_DONE;
}

static int record_stream(const struct recorder *recorder)
{
	struct report_out out;
	int status = cli_open_output(&out, &recorder->request->options, true);

	if (status != STATUS_DONE)
		return status;
	status = run_loop(recorder, out.file);
	return cli_close_output(&out, &recorder->request->options, status);
}

/* --- what is asked for ------------------------------------------------------------------- */

int oa_record_size(const char *text, uint64_t *bytes)
{
	static const char suffixes[] = "kMG";
	char digits[24];
	size_t length = strspn(text, "0123456789");
	const char *suffix = text[length] ? strchr(suffixes, text[length]) : NULL;

	if (length == 0 || length >= sizeof(digits) ||
	    (text[length] && (!suffix || text[length + 1])))
		return -EINVAL;
	memcpy(digits, text, length);
	digits[length] = '\0';
	if (cli_parse_u64(digits, bytes) < 0)
		return -ERANGE;
	for (const char *s = suffixes; suffix && s <= suffix; s++)
		if (__builtin_mul_overflow(*bytes, UINT64_C(1000), bytes))
			return -ERANGE;
	return *bytes < OA_RECORD_MIN_SIZE ? -EINVAL : 0;
}

static int choose_period(struct recorder *recorder)
{
	const uint64_t wanted = recorder->request->period_ns;
	uint64_t period;

	if (!recorder->facts.timestamp_hz) {
		cli_error(recorder->gpu.card, "A newer kernel tells it.",
			  "the kernel does not tell the frequency of the GPU's timestamps");
		return STATUS_IMPOSSIBLE;
	}
	recorder->exponent = hadal_oa_exponent(recorder->facts.timestamp_hz, wanted);
	period = hadal_oa_period_ns(recorder->facts.timestamp_hz, recorder->exponent);
	if (recorder->request->options.verbose)
		fprintf(stderr, "hadal oa record: a report each %" PRIu64 " ns\n", period);
	return STATUS_DONE;
}

static int open_gpu(struct recorder *recorder)
{
	int status = oa_gpu_open(recorder->request, &recorder->gpu, &recorder->fd);
	int err;

	if (status != STATUS_DONE)
		return status;
	if (recorder->gpu.driver == HADAL_OA_XE) {
		cli_error(recorder->gpu.card, "igt-gpu-tools has a recorder for xe.",
			  "streams of the xe driver are not supported");
		return STATUS_IMPOSSIBLE;
	}
	err = hadal_oa_gpu_facts(&recorder->gpu, recorder->fd, &recorder->facts);
	if (err < 0)
		return oa_gpu_error(&recorder->gpu, HADAL_OA_CALL_QUERY, recorder->gpu.card, -err);
	return choose_period(recorder);
}

static int record_by(struct recorder *recorder, const struct oa_input *input)
{
	int status = choose_set(recorder, input);

	if (status != STATUS_DONE)
		return status;
	hadal_oa_source_of(&recorder->facts, recorder->gpu.generation, recorder->set,
			   recorder->uuid, &recorder->source);
	oa_record_catch_signals();
	status = open_stream(recorder);
	if (status == STATUS_DONE)
		status = record_stream(recorder);
	if (recorder->stream >= 0)
		close(recorder->stream);
	return status;
}

static int record_sets(struct recorder *recorder)
{
	const struct oa_request *request = recorder->request;
	struct oa_input input;
	int status = oa_input_read(&input, request->names, request->count, &request->question);

	if (status == STATUS_DONE)
		status = record_by(recorder, &input);
	if (status == STATUS_DONE && input.bad)
		status = STATUS_BAD_INPUT;
	oa_input_free(&input);
	return status;
}

static int check_request(const struct oa_request *request)
{
	if (!request->set)
		return cli_usage("which set? --set=NAME or --set=UUID");
	if (request->count == 0)
		return cli_usage("which metric FILE has the set?");
	if (request->options.format)
		return cli_usage("--format: there is one format; 'hadal oa read' makes others");
	if (!request->options.output && isatty(STDOUT_FILENO))
		return cli_usage("where to? -o FILE");
	return -1;
}

int oa_record_run(const struct oa_request *request)
{
	struct recorder recorder = { .request = request, .fd = -1, .stream = -1 };
	int status = check_request(request);

	if (status >= 0)
		return status;
	status = open_gpu(&recorder);
	if (status == STATUS_DONE)
		status = record_sets(&recorder);
	if (recorder.fd >= 0)
		close(recorder.fd);
	return status;
}
