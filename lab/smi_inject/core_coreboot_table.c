// SPDX-License-Identifier: GPL-2.0-only
/* Kbuild compiles only what lies in its own folder. */
#include "../../core/coreboot_table.c"
