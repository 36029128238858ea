// SPDX-License-Identifier: MIT
/* Checks that need all files: UUIDs used twice, and registers against guids.xml. */
#include <errno.h>
#include <md5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/oa_file.h"

/* A set's UUID, and where it stands. */
struct entry {
	const char *uuid;
	size_t place;
	struct oa_file *file;
	struct hadal_oa_set *set;
};

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->uuid, y->uuid);

	if (order)
		return order;
	return x->place < y->place ? -1 : x->place > y->place;
}

static size_t count_sets(struct hadal_oa_file *const *files, size_t count)
{
	size_t sets = 0;

	for (size_t i = 0; i < count; i++)
		sets += files[i]->set_count;
	return sets;
}

static size_t list_uuids(struct hadal_oa_file *const *files, size_t count, struct entry *entries)
{
	size_t n = 0;

	for (size_t f = 0; f < count; f++) {
		for (uint32_t s = 0; s < files[f]->set_count; s++) {
			struct hadal_oa_set *set = &files[f]->sets[s];

			if (!set->hw_config_guid)
				continue;
			entries[n] =
				(struct entry){ set->hw_config_guid, n, oa_file_of(files[f]), set };
			n++;
		}
	}
	return n;
}

static void report_duplicate(const struct entry *first, const struct entry *again)
{
	struct oa_place place = { .line = again->set->line, .set = hadal_oa_set_name(again->set) };
	char text[OA_PROBLEM_TEXT];

	snprintf(text, sizeof(text), "UUID %.36s is that of %.100s at %.300s:%u too", again->uuid,
		 hadal_oa_set_name(first->set), first->file->pub.path, first->set->line);
	again->set->again = true;
	oa_file_problem(again->file, &place, text);
}

int hadal_oa_find_duplicates(struct hadal_oa_file *const *files, size_t count)
{
	struct entry *entries = calloc(count_sets(files, count) + 1, sizeof(*entries));
	const struct entry *first;
	size_t n;

	if (!entries)
		return -ENOMEM;
	n = list_uuids(files, count, entries);
	qsort(entries, n, sizeof(*entries), compare_entries);
	first = entries;
	for (size_t i = 1; i < n; i++) {
		if (strcmp(entries[i].uuid, first->uuid) == 0)
			report_duplicate(first, &entries[i]);
		else
			first = &entries[i];
	}
	free(entries);
	return 0;
}

/*
 * The hash that guids.xml keeps: MD5 over one line per register in the order of the file, "block
 * id,priority,availability,address,value", with 0 for an absent id or priority, and numbers in
 * decimal.
 */
static void hash_block(MD5_CTX *md5, const struct hadal_oa_file *file,
		       const struct hadal_oa_block *block)
{
	const char *id = block->id ? block->id : "0";
	const char *priority = block->priority_text ? block->priority_text : "0";
	const char *availability = block->availability ? block->availability : "";
	const struct hadal_oa_register *reg = &file->registers[block->first_register];

	for (uint32_t i = 0; i < block->register_count; i++, reg++) {
		char numbers[32];
		int length =
			snprintf(numbers, sizeof(numbers), ",%u,%u\n", reg->address, reg->value);

		MD5Update(md5, (const uint8_t *)id, strlen(id));
		MD5Update(md5, (const uint8_t *)",", 1);
		MD5Update(md5, (const uint8_t *)priority, strlen(priority));
		MD5Update(md5, (const uint8_t *)",", 1);
		MD5Update(md5, (const uint8_t *)availability, strlen(availability));
		MD5Update(md5, (const uint8_t *)numbers, (size_t)length);
	}
}

static void hash_set(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
		     char hex[MD5_DIGEST_STRING_LENGTH])
{
	MD5_CTX md5;

	MD5Init(&md5);
	for (uint32_t b = 0; b < set->block_count; b++)
		hash_block(&md5, file, &file->blocks[set->first_block + b]);
	MD5End(&md5, hex);
}

static int compare_guids(const void *a, const void *b)
{
	const struct hadal_oa_guid *const *x = a, *const *y = b;

	return strcasecmp((*x)->id, (*y)->id);
}

/* All entries of guids.xml files that have a hash, sorted by UUID. NULL for want of memory. */
static const struct hadal_oa_guid **sort_guids(struct hadal_oa_file *const *files, size_t count,
					       size_t *n)
{
	const struct hadal_oa_guid **guids;
	size_t room = 1;

	for (size_t f = 0; f < count; f++)
		room += files[f]->guid_count;
	guids = calloc(room, sizeof(*guids));
	*n = 0;
	for (size_t f = 0; guids && f < count; f++)
		for (uint32_t g = 0; g < files[f]->guid_count; g++)
			if (files[f]->guids[g].config_hash)
				guids[(*n)++] = &files[f]->guids[g];
	if (guids)
		qsort(guids, *n, sizeof(*guids), compare_guids);
	return guids;
}

static void check_hash(struct hadal_oa_file *file, const struct hadal_oa_set *set,
		       const struct hadal_oa_guid **guids, size_t n)
{
	struct oa_place place = { .warning = true,
				  .line = set->line,
				  .set = hadal_oa_set_name(set) };
	struct hadal_oa_guid key = { .id = set->hw_config_guid };
	const struct hadal_oa_guid *wanted = &key, **found;
	char hex[MD5_DIGEST_STRING_LENGTH];
	char text[OA_PROBLEM_TEXT];

	if (!key.id || set->damaged)
		return;
	found = bsearch(&wanted, guids, n, sizeof(*guids), compare_guids);
	if (!found)
		return;
	hash_set(file, set, hex);
	if (strcasecmp(hex, (*found)->config_hash) == 0)
		return;
	snprintf(text, sizeof(text), "registers have hash %s, guids.xml has %.40s for this UUID",
		 hex, (*found)->config_hash);
	oa_file_problem(oa_file_of(file), &place, text);
}

int hadal_oa_check_hashes(struct hadal_oa_file *const *files, size_t count)
{
	const struct hadal_oa_guid **guids;
	size_t n;

	guids = sort_guids(files, count, &n);
	if (!guids)
		return -ENOMEM;
	for (size_t f = 0; n && f < count; f++)
		for (uint32_t s = 0; s < files[f]->set_count; s++)
			check_hash(files[f], &files[f]->sets[s], guids, n);
	free(guids);
	return 0;
}
