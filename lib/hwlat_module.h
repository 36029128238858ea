/* SPDX-License-Identifier: MIT */
/* The pieces of the module back end that need no module: bytes to facts, facts to text. */
#ifndef HADAL_LIB_HWLAT_MODULE_H
#define HADAL_LIB_HWLAT_MODULE_H

#include "hadal/hwlat.h"
#include "uapi/hadal_hwlat.h"

/* One record as the library tells it, but for the cause. */
void hwlat_module_gap(struct hwlat_gap *gap, const struct hadal_hwlat_gap *record);
void hwlat_module_window(struct hwlat_window *window, const struct hadal_hwlat_window *record);

/* The lines that are written to the device; *@text is to be freed. Returns 0 or -ENOMEM. */
int hwlat_module_settings(char **text, const struct hwlat_config *config);

/* Whether the module is there, loaded, free, and allowed to this user. */
void hwlat_module_check(struct finding *finding);

#endif
