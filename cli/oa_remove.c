// SPDX-License-Identifier: MIT
/* hadal oa remove: takes metric sets out of the driver, by UUID, by id, or all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/oa.h"
#include "cli/signals.h"
#include "report/oa_remove.h"

/*
 * struct removing - what is loaded, and what of it is to go
 * @removals: room for all sets
 */
struct removing {
	const struct oa_request *request;
	struct hadal_oa_gpu gpu;
	int fd;
	struct hadal_oa_loaded *sets;
	size_t set_count;
	struct oa_removal *removals;
	size_t count;
};

static void choose(struct removing *r, const struct hadal_oa_loaded *set)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->removals[i].set == set)
			return;
	r->removals[r->count++] = (struct oa_removal){ set, OA_REMOVAL_UNTRIED, 0 };
}

static const struct hadal_oa_loaded *find_id(const struct removing *r, uint64_t id)
{
	for (size_t i = 0; i < r->set_count; i++)
		if (r->sets[i].id == id)
			return &r->sets[i];
	return NULL;
}

/* The set with exactly this UUID, else the only one that differs in case. @count: how many do. */
static const struct hadal_oa_loaded *find_uuid(const struct removing *r, const char *name,
					       size_t *count)
{
	const struct hadal_oa_loaded *found = NULL;

	*count = 0;
	for (size_t i = 0; i < r->set_count; i++) {
		if (!hadal_oa_same_uuid(r->sets[i].uuid, name))
			continue;
		found = &r->sets[i];
		if (strcmp(found->uuid, name) == 0) {
			*count = 1;
			return found;
		}
		++*count;
	}
	return found;
}

static int choose_named(struct removing *r, const char *name)
{
	const struct hadal_oa_loaded *set;
	size_t count = 0;
	uint64_t id;

	if (cli_parse_u64(name, &id) == 0)
		set = find_id(r, id);
	else
		set = find_uuid(r, name, &count);
	if (count > 1) {
		cli_error(name, "Write it exactly as 'hadal oa list' does, or give the id.",
			  "%zu sets have this UUID in different case", count);
		return STATUS_NO;
	}
	if (!set) {
		cli_error(name, "'hadal oa list' shows what is loaded.",
			  "no loaded set has this UUID or id");
		return STATUS_NO;
	}
	choose(r, set);
	return STATUS_DONE;
}

/* "all" leaves out what is known to be the driver's own. */
static void choose_all(struct removing *r)
{
	for (size_t i = 0; i < r->set_count; i++)
		if (r->sets[i].origin != HADAL_OA_BUILT_IN)
			choose(r, &r->sets[i]);
}

/* All names are looked up before anything is removed. */
static int choose_sets(struct removing *r)
{
	int status = STATUS_DONE;

	r->count = 0;
	for (size_t i = 0; i < r->request->count; i++) {
		if (strcmp(r->request->names[i], "all") == 0)
			choose_all(r);
		else if (choose_named(r, r->request->names[i]) != STATUS_DONE)
			status = STATUS_NO;
	}
	return status;
}

/* The driver denies that a set of its own is there, while sysfs goes on showing it. */
static bool is_built_in(const struct removing *r, const struct hadal_oa_loaded *set, int err)
{
	uint64_t id;

	return err == -ENOENT && r->gpu.driver != HADAL_OA_XE &&
	       hadal_oa_loaded_id(&r->gpu, set->uuid, &id) == 0 && id == set->id;
}

static int remove_one(struct removing *r, struct oa_removal *removal, bool named)
{
	const struct hadal_oa_loaded *set = removal->set;
	int err = hadal_oa_remove(&r->gpu, r->fd, set->uuid, set->id);

	if (err == 0) {
		removal->outcome = OA_REMOVED;
		return STATUS_DONE;
	}
	if (is_built_in(r, set, err)) {
		removal->outcome = OA_STAYS;
		return named ? STATUS_NO : STATUS_DONE;
	}
	removal->outcome = OA_REMOVAL_FAILED;
	removal->error = -err;
	return oa_gpu_error(&r->gpu, HADAL_OA_CALL_REMOVE, set->uuid, -err);
}

static bool asks_for_all(const struct oa_request *request)
{
	for (size_t i = 0; i < request->count; i++)
		if (strcmp(request->names[i], "all") == 0)
			return true;
	return false;
}

static int report_interruption(void)
{
	cli_error(NULL, NULL, "interrupted: sets not yet tried stay");
	return STATUS_IMPOSSIBLE;
}

/* Goes on after a failure, but not after one that every set would meet. */
static int remove_all(struct removing *r)
{
	const volatile sig_atomic_t *stop = cli_catch_signals(false);
	const bool named = !asks_for_all(r->request);
	int status = STATUS_DONE;

	for (size_t i = 0; i < r->count && status != STATUS_IMPOSSIBLE; i++) {
		int one = *stop ? report_interruption() : remove_one(r, &r->removals[i], named);

		status = one > status ? one : status;
	}
	return status;
}

static int remove_and_write(struct removing *r)
{
	const struct oa_request *request = r->request;
	struct report_out out;
	int status;

	if (cli_open_output(&out, &request->options, request->json) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	status = remove_all(r);
	if (!request->json)
		report_oa_remove_table(r->removals, r->count, &out);
	else if (report_oa_remove_json(&r->gpu, r->removals, r->count, &out) < 0)
		status = oa_no_memory();
	return cli_close_output(&out, &request->options, status);
}

static int prepare(struct removing *r)
{
	int err = hadal_oa_loaded_list(&r->gpu, &r->sets, &r->set_count);

	if (err == 0) {
		r->removals = calloc(r->set_count + 1, sizeof(*r->removals));
		err = r->removals ? 0 : -ENOMEM;
	}
	if (err == -ENOMEM)
		return oa_no_memory();
	if (err)
		return oa_gpu_error(&r->gpu, HADAL_OA_CALL_QUERY, r->gpu.card, -err);
	return choose_sets(r);
}

int oa_remove_run(const struct oa_request *request)
{
	struct removing r = { .request = request };
	int status;

	if (request->count == 0)
		return cli_usage("which set? a UUID, an id, or all");
	status = oa_gpu_open(request, &r.gpu, &r.fd);
	if (status != STATUS_DONE)
		return status;
	status = prepare(&r);
	if (status == STATUS_DONE)
		status = remove_and_write(&r);
	free(r.sets);
	free(r.removals);
	close(r.fd);
	return status;
}
