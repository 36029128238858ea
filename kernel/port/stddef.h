/* SPDX-License-Identifier: GPL-2.0-only */
/* Kbuild has no <stddef.h>. */
#include <linux/stddef.h>
