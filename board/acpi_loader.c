// SPDX-License-Identifier: MIT
/*
 * QEMU's table loader: a list of commands that says which files to load where, which words in them
 * are pointers to one another, and which bytes are checksums. QEMU's hw/acpi/bios-linker-loader.c
 * documents the commands.
 */
#include "board/acpi.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/fw_cfg.h"
#include "board/layout.h"
#include "board/memory.h"
#include "core/load.h"

#define ARENA_BYTES 0x40000
#define FILES_MAX 8
#define NAME_BYTES 56
#define COMMANDS_MAX 128

enum loader_command {
	LOADER_ALLOCATE = 1,
	LOADER_ADD_POINTER = 2,
	LOADER_ADD_CHECKSUM = 3,
	LOADER_WRITE_POINTER = 4,
};

enum loader_zone {
	LOADER_ZONE_FSEG = 2,
};

struct __attribute__((__packed__)) loader_entry {
	uint32_t command;
	union {
		struct __attribute__((__packed__)) {
			char file[NAME_BYTES];
			uint32_t align;
			uint8_t zone;
		} allocate;
		struct __attribute__((__packed__)) {
			char in[NAME_BYTES];
			char to[NAME_BYTES];
			uint32_t offset;
			uint8_t bytes;
		} pointer;
		struct __attribute__((__packed__)) {
			char file[NAME_BYTES];
			uint32_t offset;
			uint32_t start;
			uint32_t bytes;
		} checksum;
		struct __attribute__((__packed__)) {
			char in[NAME_BYTES];
			char to[NAME_BYTES];
			uint32_t offset;
			uint32_t to_offset;
			uint8_t bytes;
		} write;
		uint8_t room[124];
	};
};

_Static_assert(sizeof(struct loader_entry) == 128, "table loader entry");

/* A file that is in memory. */
struct loaded {
	char name[NAME_BYTES];
	uint8_t *at;
	uint32_t bytes;
	uint16_t item;
};

static struct loaded files[FILES_MAX];
static size_t file_count;

/* Two places to load to, each used from its start on. */
static struct {
	uint32_t next;
	uint32_t end;
} arena, fseg = { LAYOUT_FSEG_START, LAYOUT_FSEG_END };

static uint32_t take(uint32_t *next, uint32_t end, uint32_t bytes, uint32_t align)
{
	uint32_t at;

	if (!align || align & (align - 1) || align > 4096)
		console_stop("the table loader wants an odd alignment");
	at = (*next + align - 1) & ~(align - 1);
	if (at > end || bytes > end - at)
		console_stop("no room for ACPI tables");
	*next = at + bytes;
	return at;
}

void *acpi_take(uint32_t bytes, uint32_t align)
{
	return (void *)take(&arena.next, arena.end, bytes, align);
}

uint8_t acpi_checksum(const void *from, size_t bytes)
{
	const uint8_t *byte = from;
	uint8_t sum = 0;

	while (bytes--)
		sum = (uint8_t)(sum + *byte++);
	return (uint8_t)-sum;
}

static struct loaded *find(const char *name)
{
	for (size_t i = 0; i < file_count; i++)
		if (memcmp(files[i].name, name, NAME_BYTES) == 0)
			return &files[i];
	console_stop("the table loader names a file that it has not loaded");
}

/* The @bytes bytes at @offset of a loaded file. */
static uint8_t *inside(const struct loaded *file, uint32_t offset, uint32_t bytes)
{
	if (offset > file->bytes || bytes > file->bytes - offset)
		console_stop("the table loader leaves its files");
	return file->at + offset;
}

static void allocate(const struct loader_entry *entry)
{
	struct fw_cfg_file found;
	struct loaded *file = &files[file_count];

	if (entry->allocate.file[NAME_BYTES - 1] || file_count == FILES_MAX ||
	    !fw_cfg_find(entry->allocate.file, &found))
		console_stop("the table loader names a file that is not there");
	memcpy(file->name, entry->allocate.file, NAME_BYTES);
	file->bytes = found.bytes;
	file->item = found.item;
	if (entry->allocate.zone == LOADER_ZONE_FSEG)
		file->at =
			(uint8_t *)take(&fseg.next, fseg.end, found.bytes, entry->allocate.align);
	else
		file->at = acpi_take(found.bytes, entry->allocate.align);
	fw_cfg_read(found.item, file->at, found.bytes);
	file_count++;
}

/* Adds @by to a little-endian number of 4 or 8 bytes, which holds an offset so far. */
static void add_to(uint8_t *at, uint8_t bytes, uint32_t by)
{
	switch (bytes) {
	case 4:
		store_le32(at, load_le32(at) + by);
		break;
	case 8:
		store_le64(at, load_le64(at) + by);
		break;
	default:
		console_stop("the table loader wants a pointer too short for memory");
	}
}

static void add_pointer(const struct loader_entry *entry)
{
	uint8_t *at = inside(find(entry->pointer.in), entry->pointer.offset, entry->pointer.bytes);

	add_to(at, entry->pointer.bytes, (uint32_t)find(entry->pointer.to)->at);
}

static void add_checksum(const struct loader_entry *entry)
{
	const struct loaded *file = find(entry->checksum.file);
	const uint8_t *from = inside(file, entry->checksum.start, entry->checksum.bytes);
	uint8_t *sum = inside(file, entry->checksum.offset, 1);

	*sum = (uint8_t)(*sum + acpi_checksum(from, entry->checksum.bytes));
}

/* Tells QEMU where a file is, by writing into one of QEMU's. */
static void write_pointer(const struct loader_entry *entry)
{
	uint64_t address = (uint32_t)inside(find(entry->write.to), entry->write.to_offset, 1);
	struct fw_cfg_file in;

	if (entry->write.in[NAME_BYTES - 1] || !fw_cfg_find(entry->write.in, &in) ||
	    entry->write.bytes > sizeof(address))
		console_stop("the table loader names a file that is not there");
	fw_cfg_write(in.item, entry->write.offset, &address, entry->write.bytes);
}

static void run(const struct loader_entry *entry)
{
	switch (entry->command) {
	case LOADER_ALLOCATE:
		allocate(entry);
		break;
	case LOADER_ADD_POINTER:
		add_pointer(entry);
		break;
	case LOADER_ADD_CHECKSUM:
		add_checksum(entry);
		break;
	case LOADER_WRITE_POINTER:
		write_pointer(entry);
		break;
	}
}

uint32_t acpi_load(void)
{
	static const char rsdp[NAME_BYTES] = "etc/acpi/rsdp";
	static struct loader_entry commands[COMMANDS_MAX];
	struct fw_cfg_file script;

	if (!fw_cfg_find("etc/table-loader", &script) || script.bytes > sizeof(commands))
		console_stop("QEMU gives no ACPI tables");
	arena.next = (uint32_t)board_cbmem_add(CBMEM_ID_ACPI, ARENA_BYTES);
	arena.end = arena.next + ARENA_BYTES;
	fw_cfg_read(script.item, commands, script.bytes);
	for (size_t i = 0; i < script.bytes / sizeof(commands[0]); i++)
		run(&commands[i]);
	return (uint32_t)find(rsdp)->at;
}
