// SPDX-License-Identifier: MIT
/* hadal oa check and hadal oa show: what metric files hold, and what the kernel would say. */
#include <stdlib.h>
#include <string.h>

#include "cli/oa.h"

static struct oa_report report_of(const struct oa_request *request, const struct oa_input *input)
{
	return (struct oa_report){
		.question = &request->question,
		.files = input->checked,
		.file_count = input->count,
		.all_refusals = request->options.verbose > 0,
	};
}

/* The answer to all sets of all files. */
static int verdict_status(const struct oa_input *input)
{
	int status = input->bad ? STATUS_BAD_INPUT : STATUS_DONE;

	for (size_t i = 0; i < input->count; i++) {
		for (uint32_t s = 0; s < input->files[i]->set_count; s++) {
			enum hadal_oa_verdict verdict = input->checked[i].results[s].verdict;

			if (verdict == HADAL_OA_UNJUDGED)
				return STATUS_BAD_INPUT;
			if (verdict == HADAL_OA_REFUSED && status == STATUS_DONE)
				status = STATUS_NO;
		}
	}
	return status;
}

static int write_check(const struct oa_request *request, const struct oa_input *input)
{
	struct oa_report report = report_of(request, input);
	int status = verdict_status(input);
	struct report_out out;

	if (cli_open_output(&out, &request->options, request->json) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (!request->json)
		report_oa_check_table(&report, &out);
	else if (report_oa_check_json(&report, &out) < 0)
		status = oa_no_memory();
	return cli_close_output(&out, &request->options, status);
}

int oa_check_run(const struct oa_request *request)
{
	struct oa_input input;
	int status;

	if (request->count == 0)
		return cli_usage("which FILE?");
	status = oa_input_read(&input, request->names, request->count, &request->question);
	if (status == STATUS_DONE)
		status = write_check(request, &input);
	oa_input_free(&input);
	return status;
}

/* --- show -------------------------------------------------------------------------------- */

static size_t find_sets(const struct oa_input *input, const char *name, struct oa_shown *found)
{
	size_t count = 0;

	for (size_t i = 0; i < input->count; i++)
		for (uint32_t s = 0; s < input->files[i]->set_count; s++)
			if (hadal_oa_set_is_called(&input->files[i]->sets[s], name))
				found[count++] = (struct oa_shown){ &input->checked[i], s };
	return count;
}

static int write_show(const struct oa_request *request, const struct oa_input *input,
		      const struct oa_shown *sets, size_t count)
{
	struct oa_report report = report_of(request, input);
	int status = input->bad ? STATUS_BAD_INPUT : STATUS_DONE;
	struct report_out out;
	int ret;

	if (cli_open_output(&out, &request->options, request->json) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	ret = request->json ? report_oa_show_json(&report, sets, count, &out) :
			      report_oa_show_table(&report, sets, count, &out);
	if (ret < 0)
		status = oa_no_memory();
	return cli_close_output(&out, &request->options, status);
}

static int show(const struct oa_request *request, const struct oa_input *input)
{
	struct oa_shown *sets = calloc(oa_input_sets(input) + 1, sizeof(*sets));
	size_t count;
	int status;

	if (!sets)
		return oa_no_memory();
	count = find_sets(input, request->names[0], sets);
	if (count) {
		status = write_show(request, input, sets, count);
	} else {
		cli_error(request->names[0], "'hadal oa check FILE...' lists the sets of a file.",
			  "no set has that UUID or symbol name");
		status = STATUS_BAD_INPUT;
	}
	free(sets);
	return status;
}

int oa_show_run(const struct oa_request *request)
{
	struct oa_input input;
	int status;

	if (request->count < 2)
		return cli_usage(request->count ? "which FILE?" : "which SET?");
	status = oa_input_read(&input, request->names + 1, request->count - 1, &request->question);
	if (status == STATUS_DONE)
		status = show(request, &input);
	oa_input_free(&input);
	return status;
}
