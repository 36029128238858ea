/* SPDX-License-Identifier: GPL-2.0-only */
/* Kbuild has no <stdbool.h>. */
#include <linux/types.h>
