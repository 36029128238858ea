/* SPDX-License-Identifier: MIT */
/*
 * Error numbers of the core, which has no <errno.h>. Functions return the negative value, and the
 * values are Linux's, so that a home passes them on as they are.
 */
#ifndef HADAL_CORE_ERROR_H
#define HADAL_CORE_ERROR_H

enum core_error {
	CORE_EPERM = 1,
	CORE_ENOENT = 2,
	CORE_ENOMEM = 12,
	CORE_EEXIST = 17,
	CORE_ENODEV = 19,
	CORE_EINVAL = 22,
	CORE_ENOSPC = 28,
	CORE_ERANGE = 34,
	CORE_EBADMSG = 74,
	CORE_EOVERFLOW = 75,
};

#endif
