/* SPDX-License-Identifier: MIT */
/* Small text files of the kernel's: one read, one write. */
#ifndef HADAL_LIB_FILE_H
#define HADAL_LIB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads the file into @buf and ends it with a NUL. Returns 0, -EFBIG if it does not fit, or what
 * opening or reading gave.
 */
int file_read(const char *path, char *buf, size_t size);

/* Reads one unsigned decimal number. Returns 0, -EINVAL for anything else, or as file_read(). */
int file_read_u64(const char *path, uint64_t *value);

/* The same for a hexadecimal number with 0x in front. */
int file_read_hex(const char *path, uint64_t *value);

/* Writes @text in one write. Returns 0 or a negative errno. */
int file_write(const char *path, const char *text);

/* Whether the file can be read and @word is in it, between blanks. */
bool file_has_word(const char *path, const char *word);

#endif
