// SPDX-License-Identifier: MIT
/* The boot model: what readers fill in and writers read. */
#include <errno.h>
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hadal/boot.h"

/* Makes room for one more element behind @count of them. Returns the array or NULL. */
static void *grow(void *array, size_t count, size_t size)
{
	/* Powers of two: grow only where the count has just filled one. */
	if (count & (count - 1))
		return array;
	return reallocarray(array, count ? count * 2 : 1, size);
}

int hadal_stamps_add(struct hadal_stamps *stamps, uint32_t id, int64_t ticks)
{
	void *at = grow(stamps->at, stamps->count, sizeof(*stamps->at));

	if (!at)
		return -ENOMEM;
	stamps->at = at;
	stamps->at[stamps->count++] = (struct hadal_stamp){ id, ticks };
	return 0;
}

/* The bytes of the UTF-8 character at @p, or 0 if there is none that may reach a terminal. */
static size_t character_bytes(const unsigned char *p)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	if (n == 1)
		return p[0] >= 0x20 && p[0] != 0x7f;
	/* Overlong forms, surrogates, beyond U+10FFFF, and the control characters U+0080-009F. */
	if (p[0] > 0xf4 || (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f) ||
	    (p[0] == 0xc2 && p[1] < 0xa0))
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Texts come from firmware and files: what is no character becomes a question mark. */
static void make_printable(char *text)
{
	size_t n;

	for (; *text; text += n) {
		n = character_bytes((const unsigned char *)text);
		if (!n) {
			*text = '?';
			n = 1;
		}
	}
}

int hadal_lines_add(struct hadal_lines *lines, const char *fmt, ...)
{
	void *at = grow(lines->at, lines->count, sizeof(*lines->at));
	char *line;
	va_list ap;
	int len;

	if (!at)
		return -ENOMEM;
	lines->at = at;
	va_start(ap, fmt);
	len = vasprintf(&line, fmt, ap);
	va_end(ap);
	if (len < 0)
		return -ENOMEM;
	make_printable(line);
	lines->at[lines->count++] = line;
	return 0;
}

int hadal_boot_add_span(struct hadal_boot *boot, const char *source, enum hadal_clock clock,
			const char *name, int64_t start_ns, int64_t duration_ns)
{
	struct hadal_span span = { .clock = clock,
				   .start_ns = start_ns,
				   .duration_ns = duration_ns };
	void *at = grow(boot->spans, boot->span_count, sizeof(*boot->spans));

	if (!at)
		return -ENOMEM;
	boot->spans = at;
	span.name = strdup(name);
	span.source = strdup(source);
	if (!span.name || !span.source) {
		free(span.name);
		free(span.source);
		return -ENOMEM;
	}
	make_printable(span.name);
	make_printable(span.source);
	boot->spans[boot->span_count++] = span;
	return 0;
}

int hadal_span_doubt(struct hadal_span *span, const char *fmt, ...)
{
	va_list ap;
	int len;

	if (span->doubtful)
		return 0;
	va_start(ap, fmt);
	len = vasprintf(&span->doubtful, fmt, ap);
	va_end(ap);
	if (len < 0) {
		span->doubtful = NULL;
		return -ENOMEM;
	}
	make_printable(span->doubtful);
	return 0;
}

int hadal_boot_add_entry(struct hadal_boot *boot, const struct hadal_cbmem_entry *entry)
{
	void *at = grow(boot->directory, boot->directory_count, sizeof(*entry));

	if (!at)
		return -ENOMEM;
	boot->directory = at;
	boot->directory[boot->directory_count++] = *entry;
	return 0;
}

struct name {
	uint32_t id;
	char *text;
};

static int compare_names(const void *pa, const void *pb)
{
	const struct name *a = pa, *b = pb;

	return a->id < b->id ? -1 : a->id > b->id;
}

static void free_name(void *name)
{
	free(((struct name *)name)->text);
	free(name);
}

int hadal_boot_add_name(struct hadal_boot *boot, uint32_t id, const char *text, size_t len)
{
	struct name *name = malloc(sizeof(*name));
	struct name **node = NULL;

	if (name) {
		*name = (struct name){ id, strndup(text, len) };
		if (name->text)
			node = tsearch(name, &boot->names, compare_names);
		if (!node)
			free_name(name);
	}
	if (!node)
		return -ENOMEM;
	make_printable(name->text);
	if (*node != name) {
		free_name(*node);
		*node = name;
	}
	return 0;
}

const char *hadal_boot_name(const struct hadal_boot *boot, uint32_t id)
{
	const struct name key = { id, NULL };
	struct name **node = tfind(&key, &boot->names, compare_names);

	return node ? (*node)->text : NULL;
}

static void free_lines(struct hadal_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		free(lines->at[i]);
	free(lines->at);
}

static void free_spans(struct hadal_boot *boot)
{
	for (size_t i = 0; i < boot->span_count; i++) {
		free(boot->spans[i].name);
		free(boot->spans[i].source);
		free(boot->spans[i].doubtful);
	}
	free(boot->spans);
}

void hadal_boot_free(struct hadal_boot *boot)
{
	tdestroy(boot->names, free_name);
	free(boot->stamps.at);
	free(boot->leftovers.at);
	free(boot->presuspend.at);
	free(boot->directory);
	free_spans(boot);
	free_lines(&boot->damage);
	free_lines(&boot->notes);
	memset(boot, 0, sizeof(*boot));
}
