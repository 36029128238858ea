// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/sys/dev/i915: perf_stream_paranoid and oa_max_sample_rate, where no driver owns them.
 *
 * Whoever registers these names second takes the first one's files away. So they are left alone
 * while the real i915 is there, and given back before it comes: the settings are then our defaults.
 */
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/notifier.h>
#include <linux/sysctl.h>

#include "../compat.h"
#include "oa.h"

#define MAX_SAMPLE_RATE_DEFAULT 100000

/* Files in the folder. */
#define FILES 2

int oa_paranoid = 1;
int oa_max_sample_rate = MAX_SAMPLE_RATE_DEFAULT;

static int sample_rate_limit;

/* Older kernels want an empty entry at the end, newer ones the number of those before it. */
static struct ctl_table table[FILES + 1] = {
	{
		.procname = "perf_stream_paranoid",
		.data = &oa_paranoid,
		.maxlen = sizeof(oa_paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
	{
		.procname = "oa_max_sample_rate",
		.data = &oa_max_sample_rate,
		.maxlen = sizeof(oa_max_sample_rate),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = &sample_rate_limit,
	},
};

static DEFINE_MUTEX(lock);
static struct ctl_table_header *header;

static bool exists(const char *name)
{
	struct path path;

	if (kern_path(name, LOOKUP_FOLLOW, &path))
		return false;
	path_put(&path);
	return true;
}

static int take(void)
{
	int err = 0;

	mutex_lock(&lock);
	if (!header) {
		header = compat_register_sysctl("dev/i915", table, FILES);
		err = header ? 0 : -ENOMEM;
	}
	mutex_unlock(&lock);
	return err;
}

static void give_back(void)
{
	mutex_lock(&lock);
	if (header)
		unregister_sysctl_table(header);
	header = NULL;
	oa_paranoid = 1;
	oa_max_sample_rate = MAX_SAMPLE_RATE_DEFAULT;
	mutex_unlock(&lock);
}

/* COMING is told before a module's own start, GOING after its own end. */
static int on_module(struct notifier_block *block, unsigned long state, void *data)
{
	const struct module *module = data;

	if (strcmp(module->name, "i915"))
		return NOTIFY_DONE;
	if (state == MODULE_STATE_COMING)
		give_back();
	else if (state == MODULE_STATE_GOING && take())
		pr_warn("hadal_oa: no memory for the sysctls\n");
	return NOTIFY_OK;
}

static struct notifier_block watcher = { .notifier_call = on_module };

int oa_sysctl_init(void)
{
	int err;

	sample_rate_limit = oa_settings.platform->timestamp_hz / 2;
	err = register_module_notifier(&watcher);
	if (err)
		return err;
	if (exists("/sys/module/i915") || exists("/proc/sys/dev/i915"))
		return 0;
	err = take();
	if (err)
		unregister_module_notifier(&watcher);
	return err;
}

void oa_sysctl_exit(void)
{
	unregister_module_notifier(&watcher);
	give_back();
}
