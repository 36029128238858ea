// SPDX-License-Identifier: MIT
/* hadal oa list: GPUs with OA, and the metric sets that are loaded there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/oa.h"
#include "report/oa_list.h"

/* The name of a set in a metric file, or in a guids.xml; NULL if it is in neither. */
static const char *find_name(const struct oa_input *input, const char *uuid)
{
	for (size_t i = 0; i < input->count; i++) {
		const struct hadal_oa_file *file = input->files[i];

		for (uint32_t s = 0; s < file->set_count; s++)
			if (file->sets[s].hw_config_guid &&
			    hadal_oa_same_uuid(file->sets[s].hw_config_guid, uuid))
				return hadal_oa_set_name(&file->sets[s]);
		for (uint32_t g = 0; g < file->guid_count; g++)
			if (file->guids[g].id && hadal_oa_same_uuid(file->guids[g].id, uuid))
				return file->guids[g].name;
	}
	return NULL;
}

static int list_gpu(const struct oa_input *input, struct oa_listed *listed)
{
	int err = hadal_oa_loaded_list(&listed->gpu, &listed->sets, &listed->count);

	if (err && err != -ENOENT)
		return err;
	listed->names = calloc(listed->count + 1, sizeof(*listed->names));
	if (!listed->names)
		return -ENOMEM;
	for (size_t i = 0; i < listed->count; i++)
		listed->names[i] = find_name(input, listed->sets[i].uuid);
	return 0;
}

static int write_list(const struct oa_request *request, const struct oa_listed *gpus, size_t count,
		      int status)
{
	struct report_out out;

	if (cli_open_output(&out, &request->options, request->json) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	if (!request->json)
		report_oa_list_table(gpus, count, request->count > 0, &out);
	else if (report_oa_list_json(gpus, count, &out) < 0)
		status = oa_no_memory();
	return cli_close_output(&out, &request->options, status);
}

static int list(const struct oa_request *request, const struct oa_input *input,
		struct oa_listed *gpus, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int err = list_gpu(input, &gpus[i]);

		if (err == -ENOMEM)
			return oa_no_memory();
		if (err) {
			cli_error(gpus[i].gpu.card, NULL, "its sets cannot be read: %s",
				  strerror(-err));
			return STATUS_IMPOSSIBLE;
		}
	}
	return write_list(request, gpus, count, input->bad ? STATUS_BAD_INPUT : STATUS_DONE);
}

/* Stores the GPU that --device names, or all. Returns how many, or a negative status. */
static int find_gpus(const struct oa_request *request, struct oa_listed *listed)
{
	struct hadal_oa_gpu gpus[HADAL_OA_MAX_GPUS];
	int count = request->device ? 0 : hadal_oa_gpu_list(request->root, gpus);

	if (count <= 0)
		return oa_gpu_find(request, &listed->gpu) == STATUS_DONE ? 1 : -STATUS_IMPOSSIBLE;
	for (int i = 0; i < count; i++)
		listed[i].gpu = gpus[i];
	return count;
}

int oa_list_run(const struct oa_request *request)
{
	struct oa_listed gpus[HADAL_OA_MAX_GPUS] = { 0 };
	int count = find_gpus(request, gpus), status;
	struct oa_input input;

	if (count < 0)
		return -count;
	status = oa_input_open(&input, request->names, request->count);
	if (status == STATUS_DONE)
		status = list(request, &input, gpus, (size_t)count);
	for (int i = 0; i < count; i++) {
		free(gpus[i].sets);
		free(gpus[i].names);
	}
	oa_input_free(&input);
	return status;
}
