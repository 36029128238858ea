/* SPDX-License-Identifier: GPL-2.0-only */
/* Kbuild has no <limits.h>. */
#include <linux/limits.h>
