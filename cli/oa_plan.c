// SPDX-License-Identifier: MIT
/* What `hadal oa add` is to do: which sets, and what stands in their way. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/oa_plan.h"

/* --- which sets -------------------------------------------------------------------------- */

static const struct hadal_oa_set *set_of(const struct oa_addition *a)
{
	return &a->checked->file->sets[a->set];
}

static bool is_wanted(const struct hadal_oa_set *set, const char *name)
{
	return !name || strcmp(name, "all") == 0 || hadal_oa_set_is_called(set, name);
}

static int choose(struct oa_adding *adding)
{
	const char *name = adding->request->set;
	const struct oa_input *input = &adding->input;

	adding->count = 0;
	for (size_t i = 0; i < input->count; i++)
		for (uint32_t s = 0; s < input->files[i]->set_count; s++)
			if (is_wanted(&input->files[i]->sets[s], name))
				adding->additions[adding->count++] = (struct oa_addition){
					.checked = &input->checked[i],
					.set = s,
				};
	if (adding->count)
		return STATUS_DONE;
	if (name && strcmp(name, "all") != 0)
		cli_error(name, "'hadal oa check FILE...' lists the sets of a file.",
			  "no set has that UUID or symbol name");
	else
		cli_error(NULL, "Name a metric XML file, as Mesa and igt-gpu-tools have them.",
			  "no set in the files");
	return STATUS_BAD_INPUT;
}

/* --- what stands in the way -------------------------------------------------------------- */

/* What is loaded under this UUID: with the very same characters, or with others. */
static void find_loaded(const struct oa_adding *adding, struct oa_addition *a)
{
	for (size_t i = 0; i < adding->loaded_count; i++) {
		const struct hadal_oa_loaded *loaded = &adding->loaded[i];

		if (strcmp(loaded->uuid, a->uuid) == 0)
			a->loaded = *loaded;
		else if (strcasecmp(loaded->uuid, a->uuid) == 0)
			a->twin = *loaded;
	}
}

static bool is_for_other(const struct oa_adding *adding, const struct hadal_oa_set *set)
{
	return !adding->request->question.generation && adding->gpu.generation && set->generation &&
	       set->generation != adding->gpu.generation;
}

/* What the files and the rules say, before the device is looked at. */
static enum oa_plan judge(const struct oa_adding *adding, struct oa_addition *a)
{
	const struct hadal_oa_set *set = set_of(a);
	const char *uuid = set->hw_config_guid ? set->hw_config_guid : "";

	if (set->damaged || set->again || hadal_oa_normal_uuid(uuid, a->uuid) < 0)
		return OA_PLAN_UNUSABLE;
	if (is_for_other(adding, set))
		return OA_PLAN_OTHER_GPU;
	if (a->checked->results[a->set].verdict == HADAL_OA_REFUSED)
		return OA_PLAN_REFUSED;
	return OA_PLAN_ADD;
}

/* Compares with the set @there, whose registers replace what is in change->old. */
static enum oa_plan compare(const struct oa_adding *adding, const struct oa_addition *a,
			    struct hadal_oa_change *change)
{
	int err = hadal_oa_read_back(&adding->gpu, adding->fd, a->loaded.uuid, &change->old);

	if (err == -ENOENT) /* removed since it was listed */
		return OA_PLAN_ADD;
	if (err)
		return adding->request->replace ? OA_PLAN_REPLACE : OA_PLAN_UNCOMPARED;
	if (hadal_oa_image_same(&change->image, &change->old))
		return OA_PLAN_PRESENT;
	return adding->request->replace ? OA_PLAN_REPLACE : OA_PLAN_DIFFERENT;
}

static void clear_change(struct hadal_oa_change *change)
{
	hadal_oa_image_free(&change->image);
	hadal_oa_image_free(&change->old);
	memset(change, 0, sizeof(*change));
}

/* Decides what to do with @a; what is to be done becomes one more change. */
static int plan_one(struct oa_adding *adding, struct oa_addition *a)
{
	struct hadal_oa_change *change = &adding->changes[adding->change_count];
	int err;

	a->plan = judge(adding, a);
	find_loaded(adding, a);
	if (a->plan != OA_PLAN_ADD)
		return 0;
	err = hadal_oa_image_build(a->checked->file, set_of(a), &adding->device, &change->image);
	if (err)
		return err;
	if (a->loaded.uuid[0])
		a->plan = compare(adding, a, change);
	if (a->plan != OA_PLAN_ADD && a->plan != OA_PLAN_REPLACE) {
		clear_change(change);
		return 0;
	}
	change->replaces = a->plan == OA_PLAN_REPLACE;
	change->old_id = a->loaded.id;
	a->change = change;
	adding->change_count++;
	return 0;
}

static void warn_of_twin(const struct oa_addition *a)
{
	if (a->twin.uuid[0])
		cli_warn("%s: id %llu has the same UUID in another case, %s: for the kernel these "
			 "are two sets",
			 hadal_oa_set_name(set_of(a)), (unsigned long long)a->twin.id,
			 a->twin.uuid);
}

static int plan_all(struct oa_adding *adding)
{
	int err = 0;

	for (size_t i = 0; err == 0 && i < adding->count; i++) {
		err = plan_one(adding, &adding->additions[i]);
		if (err == 0)
			warn_of_twin(&adding->additions[i]);
	}
	if (err)
		return oa_no_memory();
	return STATUS_DONE;
}

/* --- all of it --------------------------------------------------------------------------- */

static int ask_gpu(struct oa_adding *adding)
{
	struct hadal_oa_facts facts;
	int err = hadal_oa_gpu_facts(&adding->gpu, adding->fd, &facts);

	if (err == 0)
		err = hadal_oa_loaded_list(&adding->gpu, &adding->loaded, &adding->loaded_count);
	if (err == -ENOMEM)
		return oa_no_memory();
	if (err)
		return oa_gpu_error(&adding->gpu, HADAL_OA_CALL_QUERY, adding->gpu.card, -err);
	if (hadal_oa_facts_variables(&facts, adding->gpu.generation, &adding->device))
		cli_warn("%s: its topology makes no sense and is left out", adding->gpu.card);
	adding->question = adding->request->question;
	adding->question.device = &adding->device;
	adding->question.by_xe = adding->gpu.driver == HADAL_OA_XE;
	if (!adding->question.generation)
		adding->question.generation = adding->gpu.generation;
	return STATUS_DONE;
}

static int read_files(struct oa_adding *adding)
{
	const struct oa_request *request = adding->request;
	int status = oa_input_open(&adding->input, request->names, request->count);

	for (size_t i = 0; status == STATUS_DONE && i < adding->input.count; i++)
		if (hadal_oa_normalise(adding->input.files[i]))
			status = oa_no_memory();
	return status == STATUS_DONE ? oa_input_judge(&adding->input, &adding->question) : status;
}

int oa_plan_make(struct oa_adding *adding)
{
	int status = ask_gpu(adding);
	size_t room;

	if (status == STATUS_DONE)
		status = read_files(adding);
	if (status != STATUS_DONE)
		return status;
	room = oa_input_sets(&adding->input) + 1;
	adding->additions = calloc(room, sizeof(*adding->additions));
	adding->changes = calloc(room, sizeof(*adding->changes));
	if (!adding->additions || !adding->changes)
		return oa_no_memory();
	status = choose(adding);
	return status == STATUS_DONE ? plan_all(adding) : status;
}

void oa_plan_free(struct oa_adding *adding)
{
	for (size_t i = 0; i < adding->change_count; i++)
		clear_change(&adding->changes[i]);
	free(adding->changes);
	free(adding->additions);
	free(adding->loaded);
	oa_input_free(&adding->input);
}
