// SPDX-License-Identifier: MIT
/* `hadal boot add`: a stamp of now in firmware's own table. */
#include <errno.h>
#include <inttypes.h>

#include "cli/boot.h"
#include "hadal/boot_add.h"

/* A number, or an enum's name. */
static int parse_id(const char *text, uint32_t *id)
{
	const struct hadal_boot_id *known = hadal_boot_id_by_name(text);
	uint64_t number;

	if (known) {
		*id = known->id;
		return -1;
	}
	if (cli_parse_u64(text, &number) < 0 || number > UINT32_MAX)
		return cli_usage("'%s' is neither an ID nor a name like TS_KERNEL_START", text);
	*id = (uint32_t)number;
	return -1;
}

static int refuse(const struct finding *finding, int err)
{
	cli_error("this machine", *finding->next ? finding->next : NULL, "%s", finding->reason);
	return err == -EBADMSG ? STATUS_BAD_INPUT : STATUS_IMPOSSIBLE;
}

static int add_stamp(struct hadal_add *add, uint32_t id, bool verbose)
{
	struct finding finding;
	int64_t ticks;
	int ret = hadal_add_stamp(add, id, &ticks, &finding);

	if (ret < 0)
		return refuse(&finding, ret);
	if (verbose)
		fprintf(stderr, "hadal boot add: ID %u, %" PRId64 " ticks after the base\n", id,
			ticks);
	return STATUS_DONE;
}

int boot_run_add(const struct boot_options *opts)
{
	struct finding finding;
	struct hadal_add *add;
	uint32_t id = 0;
	int status, ret;

	if (opts->boot_count != 1)
		return cli_usage("which stamp? Name one ID or name like TS_KERNEL_START");
	status = parse_id(opts->boots[0], &id);
	if (status >= 0)
		return status;
	ret = hadal_add_open(&add, opts->root, &finding);
	if (ret == -ENOMEM)
		return boot_out_of_memory(NULL);
	if (ret < 0)
		return refuse(&finding, ret);
	status = boot_drop_privilege();
	if (status == STATUS_DONE)
		status = add_stamp(add, id, opts->common.verbose);
	hadal_add_close(add);
	return status;
}
