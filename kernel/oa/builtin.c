// SPDX-License-Identifier: GPL-2.0-only
/* Sets that were there from the start: those of the metric files for the GPU that is played. */
#include <linux/string.h>

#include "oa.h"

int oa_builtin_add(struct oa_sets *sets)
{
	struct oa_set *set;
	u32 i;
	int err;

	for (i = 0; i < oa_builtin_count; i++) {
		if (strcmp(oa_builtins[i].gen, oa_settings.platform->name))
			continue;
		set = oa_set_build(&oa_builtins[i]);
		if (!set)
			return -ENOMEM;
		err = oa_sets_add_builtin(sets, set);
		if (err) {
			oa_set_put(set);
			return err;
		}
	}
	return 0;
}
