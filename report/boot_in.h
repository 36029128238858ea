/* SPDX-License-Identifier: MIT */
/* Readers of recordings in the forms that our writers and other tools print. */
#ifndef HADAL_REPORT_BOOT_IN_H
#define HADAL_REPORT_BOOT_IN_H

#include "hadal/boot.h"

/*
 * Reads a recording of any kind: a document of our own, a listing of coreboot's tool pasted from
 * somewhere, or a dump (see hadal_boot_read_image() for @base). The first character decides.
 *
 * -EBADMSG: it is none of them, or so damaged that nothing can be shown; boot->damage may say
 * more. -ENOMEM. Zero @boot before and free it with hadal_boot_free() after, also on failure.
 */
int boot_in_read(struct hadal_boot *boot, const void *bytes, size_t len, const uint64_t *base);

/* A document that `hadal boot --format=json` wrote. */
int boot_in_json(struct hadal_boot *boot, const char *text, size_t len);

/*
 * A listing of coreboot's or u-root's tool, of any release: what `cbmem -t` or `-T` prints, with
 * quote marks, carriage returns and text around it.
 */
int boot_in_text(struct hadal_boot *boot, const char *text, size_t len);

/* Reads a names file, lines of "ID name", into @boot. Bad lines are named in boot->damage. */
int boot_in_names(struct hadal_boot *boot, const char *text, size_t len);

#endif
