/* SPDX-License-Identifier: GPL-2.0-only */
/* Kbuild has no <stdint.h>: the kernel's own types and limits under the standard names. */
#ifndef HADAL_KERNEL_STDINT_H
#define HADAL_KERNEL_STDINT_H

#include <linux/limits.h>
#include <linux/types.h>

#define UINT8_MAX U8_MAX
#define UINT16_MAX U16_MAX
#define UINT32_MAX U32_MAX
#define UINT64_MAX U64_MAX
#define INT32_MAX S32_MAX
#define INT64_MAX S64_MAX

#endif
