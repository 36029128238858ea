// SPDX-License-Identifier: MIT
/* UUIDs as people and files write them, in the form that tools look for. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "hadal/oa_load.h"
#include "lib/oa_file.h"

int hadal_oa_normal_uuid(const char *text, char uuid[UUID_TEXT_LENGTH + 1])
{
	const size_t length = strlen(text);
	const bool braces =
		length == UUID_TEXT_LENGTH + 2 && text[0] == '{' && text[length - 1] == '}';
	const char *bare = braces ? text + 1 : text;

	if ((!braces && length != UUID_TEXT_LENGTH) || !uuid_valid(bare))
		return -EINVAL;
	for (size_t i = 0; i < UUID_TEXT_LENGTH; i++)
		uuid[i] = bare[i] >= 'A' && bare[i] <= 'F' ? (char)(bare[i] - 'A' + 'a') : bare[i];
	uuid[UUID_TEXT_LENGTH] = '\0';
	return 0;
}

bool hadal_oa_same_uuid(const char *a, const char *b)
{
	char x[UUID_TEXT_LENGTH + 1], y[UUID_TEXT_LENGTH + 1];

	/* What is no UUID, as files may have it, can still be named. */
	if (strcasecmp(a, b) == 0)
		return true;
	return hadal_oa_normal_uuid(a, x) == 0 && hadal_oa_normal_uuid(b, y) == 0 &&
	       strcmp(x, y) == 0;
}

bool hadal_oa_set_is_called(const struct hadal_oa_set *set, const char *name)
{
	return (set->symbol_name && strcmp(set->symbol_name, name) == 0) ||
	       (set->hw_config_guid && hadal_oa_same_uuid(set->hw_config_guid, name));
}

static void normalise_set(struct oa_file *file, struct hadal_oa_set *set)
{
	const struct oa_place place = { true, set->line, hadal_oa_set_name(set), NULL };
	char uuid[UUID_TEXT_LENGTH + 1], text[OA_PROBLEM_TEXT];
	char *kept;

	if (!set->hw_config_guid || hadal_oa_normal_uuid(set->hw_config_guid, uuid) < 0 ||
	    strcmp(set->hw_config_guid, uuid) == 0)
		return;
	snprintf(text, sizeof(text), "UUID %.40s is taken as %s", set->hw_config_guid, uuid);
	oa_file_problem(file, &place, text);
	kept = oa_file_text(file, uuid, UUID_TEXT_LENGTH);
	if (kept)
		set->hw_config_guid = kept;
}

int hadal_oa_normalise(struct hadal_oa_file *pub)
{
	struct oa_file *file = oa_file_of(pub);

	for (uint32_t i = 0; i < pub->set_count; i++)
		normalise_set(file, &pub->sets[i]);
	return file->no_memory ? -ENOMEM : 0;
}
