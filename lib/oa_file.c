// SPDX-License-Identifier: MIT
/* A metric file in memory: getting its bytes, keeping its texts, lines and problems. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/oa_file.h"

/* Texts are kept in pieces of about the size of their file, within these bounds. */
#define CHUNK_MIN 4096u
#define CHUNK_MAX (256u << 10)

/* Grain of the line index. */
#define PAGE_BYTES 4096u

struct oa_chunk {
	struct oa_chunk *next;
	size_t used;
	size_t size;
	char memory[];
};

static struct oa_chunk *add_chunk(struct oa_file *file, size_t size)
{
	size_t room = file->length;
	struct oa_chunk *chunk;

	if (room < CHUNK_MIN)
		room = CHUNK_MIN;
	if (room > CHUNK_MAX)
		room = CHUNK_MAX;
	if (room < size)
		room = size;
	chunk = malloc(sizeof(*chunk) + room);
	if (!chunk) {
		file->no_memory = true;
		return NULL;
	}
	chunk->next = file->chunks;
	chunk->used = 0;
	chunk->size = room;
	file->chunks = chunk;
	return chunk;
}

void *oa_file_alloc(struct oa_file *file, size_t size)
{
	struct oa_chunk *chunk = file->chunks;
	void *memory;

	if (!chunk || chunk->size - chunk->used < size)
		chunk = add_chunk(file, size);
	if (!chunk)
		return NULL;
	memory = chunk->memory + chunk->used;
	chunk->used += size;
	return memory;
}

char *oa_file_text(struct oa_file *file, const char *text, size_t length)
{
	char *copy = oa_file_alloc(file, length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void *oa_file_grow(struct oa_file *file, void *array, uint32_t *room, uint32_t count, uint32_t more,
		   size_t size)
{
	uint32_t wanted = *room ? *room : 16;
	void *moved;

	if (array && count + more <= *room)
		return array;
	while (wanted < count + more)
		wanted *= 2;
	if (wanted == *room)
		wanted *= 2;
	moved = reallocarray(array, wanted, size);
	if (!moved) {
		file->no_memory = true;
		return NULL;
	}
	*room = wanted;
	return moved;
}

static uint32_t count_lines(const char *at, const char *end)
{
	uint32_t lines = 0;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		lines++;
		at++;
	}
	return lines;
}

static int index_lines(struct oa_file *file)
{
	size_t pages = file->length / PAGE_BYTES + 1;
	uint32_t lines = 0;

	file->page_lines = calloc(pages, sizeof(*file->page_lines));
	if (!file->page_lines)
		return -ENOMEM;
	for (size_t page = 0; page < pages; page++) {
		const char *start = file->bytes + page * PAGE_BYTES;

		file->page_lines[page] = lines;
		if (page + 1 < pages)
			lines += count_lines(start, start + PAGE_BYTES);
	}
	return 0;
}

uint32_t oa_file_line(struct oa_file *file, size_t offset)
{
	size_t page;

	if (offset > file->length)
		offset = file->length;
	page = offset / PAGE_BYTES;
	return 1 + file->page_lines[page] +
	       count_lines(file->bytes + page * PAGE_BYTES, file->bytes + offset);
}

void oa_file_problem(struct oa_file *file, const struct oa_place *place, const char *text)
{
	struct hadal_oa_problem *problems;
	char *kept;

	file->pub.problem_total++;
	if (!place->warning)
		file->pub.error_total++;
	if (file->pub.problem_count == HADAL_OA_MAX_PROBLEMS)
		return;
	kept = oa_file_text(file, text, strlen(text));
	problems = oa_file_grow(file, file->pub.problems, &file->problem_room,
				file->pub.problem_count, 1, sizeof(*problems));
	if (!problems)
		return;
	file->pub.problems = problems;
	problems[file->pub.problem_count++] = (struct hadal_oa_problem){
		.warning = place->warning,
		.line = place->line,
		.set = place->set,
		.text = kept ? kept : "",
		.hint = place->hint,
	};
}

const char *hadal_oa_set_name(const struct hadal_oa_set *set)
{
	if (set->symbol_name)
		return set->symbol_name;
	return set->name ? set->name : "(no name)";
}

void hadal_oa_free(struct hadal_oa_file *pub)
{
	struct oa_file *file = oa_file_of(pub);

	if (!file)
		return;
	while (file->chunks) {
		struct oa_chunk *next = file->chunks->next;

		free(file->chunks);
		file->chunks = next;
	}
	free(pub->sets);
	free(pub->blocks);
	free(pub->counters);
	free(pub->registers);
	free(pub->guids);
	free(pub->problems);
	free(pub->words);
	free(file->page_lines);
	free(file->bytes);
	free(file);
}

/* Flat arrays exist even if they stay empty, so that a place in them is always an address. */
static void reserve_arrays(struct oa_file *file)
{
	struct hadal_oa_file *pub = &file->pub;

	pub->blocks = oa_file_grow(file, NULL, &file->block_room, 0, 1, sizeof(*pub->blocks));
	pub->counters = oa_file_grow(file, NULL, &file->counter_room, 0, 1, sizeof(*pub->counters));
	pub->registers =
		oa_file_grow(file, NULL, &file->register_room, 0, 1, sizeof(*pub->registers));
	pub->words = oa_file_grow(file, NULL, &file->word_room, 0, 1, sizeof(*pub->words));
}

/* Reads the file whose @bytes these are; they are the file's from now on, also on failure. */
static int read_bytes(const char *name, char *bytes, size_t length, struct hadal_oa_file **result)
{
	struct oa_file *file = calloc(1, sizeof(*file));

	if (!file) {
		free(bytes);
		return -ENOMEM;
	}
	file->bytes = bytes;
	file->length = length;
	file->pub.path = oa_file_text(file, name, strlen(name));
	reserve_arrays(file);
	if (!file->no_memory && index_lines(file) == 0)
		oa_xml_read(file);
	if (file->no_memory || !file->page_lines) {
		hadal_oa_free(&file->pub);
		return -ENOMEM;
	}
	*result = &file->pub;
	return 0;
}

int hadal_oa_parse(const char *name, const void *bytes, size_t length, struct hadal_oa_file **file)
{
	char *copy;

	if (length > HADAL_OA_MAX_FILE_BYTES)
		return -EFBIG;
	copy = malloc(length + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, bytes, length);
	copy[length] = '\0';
	return read_bytes(name, copy, length, file);
}

/* Room for the whole file if its size is known, else a start. */
static int first_room(int fd, size_t *room)
{
	struct stat st;

	*room = 64u << 10;
	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (S_ISREG(st.st_mode) && st.st_size > HADAL_OA_MAX_FILE_BYTES)
		return -EFBIG;
	if (S_ISREG(st.st_mode) && st.st_size > 0)
		*room = (size_t)st.st_size + 1;
	return 0;
}

static int double_room(char **bytes, size_t *room)
{
	char *moved = realloc(*bytes, *room * 2);

	if (!moved)
		return -ENOMEM;
	*bytes = moved;
	*room *= 2;
	return 0;
}

/* Reads to the end into @*bytes, which grows; one byte stays free behind. */
static int fill(int fd, char **bytes, size_t *room, size_t *length)
{
	for (;;) {
		ssize_t got;

		if (*length + 1 >= *room && double_room(bytes, room) < 0)
			return -ENOMEM;
		got = read(fd, *bytes + *length, *room - *length - 1);
		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return -errno;
		*length += got > 0 ? (size_t)got : 0;
		if (*length > HADAL_OA_MAX_FILE_BYTES)
			return -EFBIG;
	}
}

int hadal_oa_read_fd(int fd, const char *name, struct hadal_oa_file **file)
{
	size_t length = 0, room;
	char *bytes;
	int ret;

	ret = first_room(fd, &room);
	if (ret < 0)
		return ret;
	bytes = malloc(room);
	if (!bytes)
		return -ENOMEM;
	ret = fill(fd, &bytes, &room, &length);
	if (ret < 0) {
		free(bytes);
		return ret;
	}
	bytes[length] = '\0';
	return read_bytes(name, bytes, length, file);
}

int hadal_oa_read(const char *path, struct hadal_oa_file **file)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = hadal_oa_read_fd(fd, path, file);
	close(fd);
	return ret;
}
