// SPDX-License-Identifier: MIT
/* Tells what kind of recording it is, and reads names files. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "report/boot_in.h"

/* Text has no NUL in it; a table, even an empty one, starts with many. */
#define TEXT_PROBE_BYTES 4096u

int boot_in_read(struct hadal_boot *boot, const void *bytes, size_t len, const uint64_t *base)
{
	const char *text = bytes;
	size_t i = 0;

	if (memchr(bytes, 0, len < TEXT_PROBE_BYTES ? len : TEXT_PROBE_BYTES))
		return hadal_boot_read_image(boot, bytes, len, base);
	while (i < len && isspace((unsigned char)text[i]))
		i++;
	if (i < len && text[i] == '{')
		return boot_in_json(boot, text + i, len - i);
	return boot_in_text(boot, text, len);
}

static size_t skip_blanks(const char *line, size_t i, size_t len)
{
	while (i < len && isspace((unsigned char)line[i]))
		i++;
	return i;
}

static int read_name(struct hadal_boot *boot, const char *line, size_t len, unsigned int number)
{
	size_t i = skip_blanks(line, 0, len);
	uint64_t id = 0;
	size_t digits;

	while (len > i && isspace((unsigned char)line[len - 1]))
		len--;
	if (i == len || line[i] == '#')
		return 0;
	for (digits = i; i < len && isdigit((unsigned char)line[i]) && id <= UINT32_MAX; i++)
		id = id * 10 + (uint64_t)(line[i] - '0');
	digits = i - digits;
	if (!digits || id > UINT32_MAX || i == len || !isspace((unsigned char)line[i]))
		return hadal_lines_add(&boot->damage, "names, line %u: not an ID and a name",
				       number);
	i = skip_blanks(line, i, len);
	return hadal_boot_add_name(boot, (uint32_t)id, line + i, len - i);
}

int boot_in_names(struct hadal_boot *boot, const char *text, size_t len)
{
	unsigned int number = 0;
	int ret = 0;

	while (len && ret == 0) {
		const char *end = memchr(text, '\n', len);
		size_t line_len = end ? (size_t)(end - text) : len;

		ret = read_name(boot, text, line_len, ++number);
		len -= line_len + (end != NULL);
		text += line_len + (end != NULL);
	}
	return ret;
}
