/* SPDX-License-Identifier: MIT */
/*
 * Adding metric sets to a GPU's driver, removing them, reading them back, and doing several so that
 * all or none are done.
 *
 * Functions return 0 (or what they say) or a negative errno. Nothing here prints.
 */
#ifndef HADAL_OA_LOAD_H
#define HADAL_OA_LOAD_H

#include <signal.h>

#include "hadal/oa_device.h"

/* --- one set ----------------------------------------------------------------------------- */

/*
 * struct hadal_oa_image - a set as a driver takes or gives it
 * @counts: registers of each class
 * @registers: those of all classes, one class after the other; owned by the image
 */
struct hadal_oa_image {
	char uuid[UUID_TEXT_LENGTH + 1];
	uint32_t counts[OA_CLASSES];
	struct oa_register *registers;
};

/*
 * Writes @text as the kernel wants a UUID and tools look for it: without braces, in lower case.
 * Returns 0, or -EINVAL if it is no UUID even so; @uuid is then not touched.
 */
int hadal_oa_normal_uuid(const char *text, char uuid[UUID_TEXT_LENGTH + 1]);

/* True if the two texts are one UUID, in whatever case, with braces or without. */
bool hadal_oa_same_uuid(const char *a, const char *b);

/* True if @name is the symbol name of @set, or its UUID in any such form. */
bool hadal_oa_set_is_called(const struct hadal_oa_set *set, const char *name);

/*
 * Writes the UUIDs of all sets of @file that way, with a warning among its problems for each that
 * changes. Errors: -ENOMEM.
 */
int hadal_oa_normalise(struct hadal_oa_file *file);

/*
 * Joins the blocks of @set that apply to @device, as hadal_oa_combine() orders them. The set's UUID
 * must be one that hadal_oa_normal_uuid() takes. @image is to be freed with hadal_oa_image_free().
 * Errors: -ENOMEM; -EINVAL for the UUID.
 */
int hadal_oa_image_build(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
			 const struct hadal_oa_device *device, struct hadal_oa_image *image);

/* Frees what @image holds, not @image. */
void hadal_oa_image_free(struct hadal_oa_image *image);

/*
 * True if @there, read back, is what adding @wanted makes: the same registers in the same order,
 * with the values that the driver alters silently.
 */
bool hadal_oa_image_same(const struct hadal_oa_image *wanted, const struct hadal_oa_image *there);

/* False if this build lacks the header of @driver's interface: sets can then only be listed. */
bool hadal_oa_driver_usable(enum hadal_oa_driver driver);

/* False if the driver has no way to tell a set's registers. */
bool hadal_oa_driver_reads_back(enum hadal_oa_driver driver);

/*
 * Adds a set; calls again while signals interrupt. On success @id is its id. @fd: from
 * hadal_oa_gpu_open(). Errors: of the driver; -EOPNOTSUPP if hadal_oa_driver_usable() says so.
 */
int hadal_oa_add(const struct hadal_oa_gpu *gpu, int fd, const struct hadal_oa_image *image,
		 uint64_t *id);

/*
 * Removes the set with this id, if that is still the one of @uuid: ids are handed out again at
 * once. Errors as above; -ENOENT if it is not, or if the set is the driver's own.
 */
int hadal_oa_remove(const struct hadal_oa_gpu *gpu, int fd, const char *uuid, uint64_t id);

/*
 * Reads the set with these very characters. @image is to be freed with hadal_oa_image_free().
 * Errors: -ENOENT; -EOPNOTSUPP the driver, or this kernel's, cannot tell; -ENOMEM.
 */
int hadal_oa_read_back(const struct hadal_oa_gpu *gpu, int fd, const char *uuid,
		       struct hadal_oa_image *image);

/* --- several ----------------------------------------------------------------------------- */

enum hadal_oa_outcome {
	HADAL_OA_UNTRIED,    /* an earlier one failed, or a signal came */
	HADAL_OA_ADDED,	     /* is there now */
	HADAL_OA_REPLACED,   /* is there now, in place of what had its UUID */
	HADAL_OA_FAILED,     /* the driver refused */
	HADAL_OA_TAKEN_BACK, /* was there, and is not any more: as it was before */
	HADAL_OA_LEFT,	     /* was to be taken back, which failed */
};

/*
 * struct hadal_oa_change - one set to add
 * @image: the set
 * @replaces: the set with this UUID is to be removed first
 * @old_id: its id
 * @old: what it is, to be put back if the new one cannot be added; no registers if not known
 * @outcome, @error, @id: the answer; @error positive, of a FAILED or LEFT one
 */
struct hadal_oa_change {
	struct hadal_oa_image image;
	struct hadal_oa_image old;
	bool replaces;
	uint64_t old_id;
	enum hadal_oa_outcome outcome;
	int error;
	uint64_t id;
};

/*
 * Makes the changes in order. Stops at the first that fails and takes back those before it; with
 * @keep_going it stops only where no other could be made either, and keeps what was made. Stops and
 * takes back too when @*stop is not 0, which a signal handler may set. A set whose id meanwhile
 * belongs to another UUID is not touched.
 * Returns 0 if none failed; -EINTR if stopped; else the negative errno of the first that failed.
 */
int hadal_oa_change_all(const struct hadal_oa_gpu *gpu, int fd, struct hadal_oa_change *changes,
			size_t count, bool keep_going, const volatile sig_atomic_t *stop);

#endif
