// SPDX-License-Identifier: MIT
/* hadal oa add: gives metric sets to the driver, all of them or none. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/oa_plan.h"
#include "cli/signals.h"

static bool wants_all(const struct oa_request *request)
{
	return !request->set || strcmp(request->set, "all") == 0;
}

static size_t count_planned(const struct oa_adding *adding, enum oa_plan plan)
{
	size_t count = 0;

	for (size_t i = 0; i < adding->count; i++)
		count += adding->additions[i].plan == plan;
	return count;
}

/* Sets for other GPUs are passed over if all of a file were asked for, and some fit. */
static bool passes_over(const struct oa_adding *adding)
{
	return wants_all(adding->request) &&
	       count_planned(adding, OA_PLAN_OTHER_GPU) < adding->count;
}

/* How many sets cannot be added. */
static size_t count_obstacles(const struct oa_adding *adding)
{
	size_t count = count_planned(adding, OA_PLAN_DIFFERENT) +
		       count_planned(adding, OA_PLAN_UNCOMPARED) +
		       count_planned(adding, OA_PLAN_REFUSED) +
		       count_planned(adding, OA_PLAN_UNUSABLE);

	return passes_over(adding) ? count : count + count_planned(adding, OA_PLAN_OTHER_GPU);
}

static void report_obstacles(const struct oa_adding *adding)
{
	const size_t other = count_planned(adding, OA_PLAN_OTHER_GPU);

	if (other && passes_over(adding))
		cli_warn("%zu set%s made for other GPUs passed over", other, report_plural(other));
	else if (other)
		cli_error(NULL, "With --gen the rules of a generation decide, not the name.",
			  "%s made for another GPU than this, which is %s",
			  other == 1 ? "the set is" : "the sets are", adding->gpu.generation->name);
	if (count_planned(adding, OA_PLAN_DIFFERENT) || count_planned(adding, OA_PLAN_UNCOMPARED))
		cli_error(NULL, "--replace puts these in place of what is there.",
			  "UUIDs are loaded already, and not with the same registers");
}

/* What the plan alone makes of the exit status. */
static int plan_status(const struct oa_adding *adding)
{
	if (count_planned(adding, OA_PLAN_UNUSABLE) ||
	    (adding->input.bad && wants_all(adding->request)))
		return STATUS_BAD_INPUT;
	return count_obstacles(adding) ? STATUS_NO : STATUS_DONE;
}

/* The kernel would say so at the first set. */
static int check_privilege(const struct oa_adding *adding)
{
	if (adding->change_count == 0 || hadal_oa_may(&adding->gpu))
		return STATUS_DONE;
	return oa_gpu_error(&adding->gpu, HADAL_OA_CALL_ADD, adding->gpu.card, EACCES);
}

/* --- doing it ---------------------------------------------------------------------------- */

static int report_left(const struct hadal_oa_change *change)
{
	cli_error(change->image.uuid,
		  change->replaces ? "Add the set that was there before: hadal oa add FILE" :
				     "Remove it: hadal oa remove UUID",
		  change->replaces ? "what was there before could not be put back: %s" :
				     "could not be taken back: %s",
		  strerror(change->error));
	return STATUS_IMPOSSIBLE;
}

static int report_changes(const struct oa_adding *adding, int err)
{
	int status = STATUS_DONE;

	for (size_t i = 0; i < adding->change_count; i++) {
		const struct hadal_oa_change *change = &adding->changes[i];
		int one = STATUS_DONE;

		if (change->outcome == HADAL_OA_FAILED)
			one = oa_gpu_error(&adding->gpu, HADAL_OA_CALL_ADD, change->image.uuid,
					   change->error);
		if (change->outcome == HADAL_OA_LEFT)
			one = report_left(change);
		status = one > status ? one : status;
	}
	if (err == -EINTR) {
		cli_error(NULL, NULL, "interrupted%s",
			  status == STATUS_IMPOSSIBLE ? "" : ": what was added is taken back");
		status = STATUS_IMPOSSIBLE;
	}
	return status;
}

/* Returns the status; @complete is false if a signal cut it short. */
static int make_changes(struct oa_adding *adding, bool *complete)
{
	int err =
		hadal_oa_change_all(&adding->gpu, adding->fd, adding->changes, adding->change_count,
				    adding->request->keep_going, cli_catch_signals(false));

	*complete = err != -EINTR;
	return report_changes(adding, err);
}

/* Nothing is done if not all can be, unless what can be done is to be. */
static int carry_out(struct oa_adding *adding, bool *complete)
{
	const struct oa_request *request = adding->request;
	int status = plan_status(adding), done;

	*complete = true;
	if (status != STATUS_DONE && !request->keep_going)
		return status;
	done = request->dry_run ? check_privilege(adding) : make_changes(adding, complete);
	return done > status ? done : status;
}

static void unlink_changes(struct oa_adding *adding)
{
	for (size_t i = 0; i < adding->count; i++)
		adding->additions[i].change = NULL;
}

static int add_and_write(struct oa_adding *adding)
{
	const struct oa_request *request = adding->request;
	struct oa_add_report report = {
		.gpu = &adding->gpu,
		.additions = adding->additions,
		.count = adding->count,
		.dry = request->dry_run,
		.all_refusals = request->options.verbose > 0,
	};
	struct report_out out;
	int status;

	if (cli_open_output(&out, &request->options, request->json) != STATUS_DONE)
		return STATUS_IMPOSSIBLE;
	report_obstacles(adding);
	status = carry_out(adding, &report.complete);
	if (request->dry_run)
		unlink_changes(adding);
	if (!request->json)
		report_oa_add_table(&report, &out);
	else if (report_oa_add_json(&report, &out) < 0)
		status = oa_no_memory();
	return cli_close_output(&out, &request->options, status);
}

int oa_add_run(const struct oa_request *request)
{
	struct oa_adding adding = { .request = request };
	int status;

	if (request->count == 0)
		return cli_usage("which FILE?");
	status = oa_gpu_open(request, &adding.gpu, &adding.fd);
	if (status != STATUS_DONE)
		return status;
	status = oa_plan_make(&adding);
	if (status == STATUS_DONE)
		status = add_and_write(&adding);
	oa_plan_free(&adding);
	close(adding.fd);
	return status;
}
