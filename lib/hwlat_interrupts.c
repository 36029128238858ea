// SPDX-License-Identifier: MIT
/* /proc/interrupts and /proc/stat, read again and again: what came on each CPU. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/hwlat_interrupts.h"

#define FIRST_ROOM 16384

/* What /proc/stat counts in: a hundredth of a second, on every kernel (USER_HZ). */
#define STAT_NS 10000000

/* The value behind user, nice, system, idle, iowait, irq and softirq. */
#define STEAL_FIELD 8

/* --- files -------------------------------------------------------------------------------- */

int proc_file_open(struct proc_file *file, const char *path)
{
	*file = (struct proc_file){ .fd = open(path, O_RDONLY | O_CLOEXEC), .room = FIRST_ROOM };
	if (file->fd < 0)
		return -errno;
	file->text = malloc(file->room);
	return file->text ? 0 : -ENOMEM;
}

static int grow(struct proc_file *file)
{
	char *larger = realloc(file->text, file->room * 2);

	if (!larger)
		return -ENOMEM;
	file->text = larger;
	file->room *= 2;
	return 0;
}

int proc_file_read(struct proc_file *file)
{
	size_t used = 0;
	ssize_t got;

	if (!file->text)
		return -EBADF;
	while ((got = pread(file->fd, file->text + used, file->room - used - 1, (off_t)used)) > 0) {
		used += (size_t)got;
		if (used == file->room - 1 && grow(file))
			return -ENOMEM;
	}
	file->text[used] = '\0';
	return got < 0 ? -errno : 0;
}

void proc_file_close(struct proc_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->text);
	*file = (struct proc_file){ .fd = -1 };
}

/* --- lines -------------------------------------------------------------------------------- */

static const char *next_line(const char *text)
{
	const char *end = strchr(text, '\n');

	return end ? end + 1 : NULL;
}

/* The number behind blanks, on the same line. Moves @text behind it. */
static bool next_number(const char **text, uint64_t *value)
{
	const char *digits = *text + strspn(*text, " ");
	char *end;

	if (*digits < '0' || *digits > '9')
		return false;
	*value = strtoull(digits, &end, 10);
	*text = end;
	return true;
}

/* --- /proc/interrupts --------------------------------------------------------------------- */

/* The head names the CPUs that have a column: "CPU0 CPU1 CPU3". Moves @text behind the name. */
static bool next_column(const char **text, uint64_t *cpu)
{
	const char *name = *text + strspn(*text, " ");

	if (strncmp(name, "CPU", 3) != 0)
		return false;
	*text = name + 3;
	return next_number(text, cpu);
}

/* The text behind "NAME:", or NULL. */
static const char *find_row(const char *text, const char *name)
{
	const size_t length = strlen(name);

	for (; text; text = next_line(text)) {
		text += strspn(text, " ");
		if (strncmp(text, name, length) == 0 && text[length] == ':')
			return text + length + 1;
	}
	return NULL;
}

/* A row without CPUs, such as ERR, has one value that belongs to none: it is taken for the first. */
struct cpus interrupts_add_row(const char *text, const char *name, uint64_t counts[CPUS_MAX])
{
	const char *row = find_row(text, name);
	struct cpus known = { 0 };
	uint64_t cpu, value;

	while (row && next_column(&text, &cpu) && next_number(&row, &value)) {
		if (cpu >= CPUS_MAX)
			break;
		counts[cpu] += value;
		cpus_add(&known, (unsigned int)cpu);
	}
	return known;
}

/* How many columns stand before that of @cpu, or -1. */
static int column_of(const char *text, unsigned int cpu)
{
	uint64_t number;

	for (int column = 0; next_column(&text, &number); column++)
		if (number == cpu)
			return column;
	return -1;
}

/* The value in that column of a row, 0 where it has none. */
static uint64_t value_at(const char *row, int column)
{
	uint64_t value;

	for (; next_number(&row, &value); column--)
		if (column == 0)
			return value;
	return 0;
}

uint64_t interrupts_row_of_cpu(const char *text, const char *name, unsigned int cpu)
{
	const char *row = find_row(text, name);
	const int column = column_of(text, cpu);

	return row && column >= 0 ? value_at(row, column) : HWLAT_UNKNOWN;
}

uint64_t interrupts_of_cpu(const char *text, unsigned int cpu)
{
	const int column = column_of(text, cpu);
	uint64_t sum = 0;

	if (column < 0)
		return HWLAT_UNKNOWN;
	while ((text = next_line(text))) {
		const size_t name = strcspn(text, ":\n");

		if (text[name] == ':')
			sum += value_at(text + name + 1, column);
	}
	return sum;
}

/* --- /proc/stat --------------------------------------------------------------------------- */

/* The steal field of the line that begins with @name and a blank. */
static uint64_t steal_of(const char *text, const char *name)
{
	const size_t length = strlen(name);
	uint64_t value = 0;

	while (text && (strncmp(text, name, length) != 0 || text[length] != ' '))
		text = next_line(text);
	if (!text)
		return HWLAT_UNKNOWN;
	text += length;
	for (int field = 0; field < STEAL_FIELD; field++)
		if (!next_number(&text, &value))
			return HWLAT_UNKNOWN;
	return value * STAT_NS;
}

uint64_t stat_steal_ns(const char *text, unsigned int cpu)
{
	char name[16];

	snprintf(name, sizeof(name), "cpu%u", cpu);
	return steal_of(text, name);
}

uint64_t stat_steal_total_ns(const char *text)
{
	const uint64_t steal = steal_of(text, "cpu");

	return steal == HWLAT_UNKNOWN ? 0 : steal;
}
