// SPDX-License-Identifier: MIT
/* The memory map that the operating system gets. */
#include "board/e820.h"

#include "board/cbmem.h"
#include "board/console.h"
#include "board/fw_cfg.h"
#include "board/layout.h"

struct reserved {
	uint64_t start;
	uint64_t end;
};

static void add(struct e820_map *map, uint64_t start, uint64_t end, uint32_t type)
{
	if (start >= end)
		return;
	if (map->count == E820_MAX)
		console_stop("the memory map is full");
	map->entries[map->count++] = (struct e820_entry){ start, end - start, type };
}

/* What is left of memory from @start to @end beside the @count reserved parts, in their order. */
static void add_ram(struct e820_map *map, uint64_t start, uint64_t end,
		    const struct reserved *reserved, size_t count)
{
	for (; count; count--, reserved++) {
		if (reserved->end <= start || reserved->start >= end)
			continue;
		add(map, start, reserved->start, E820_RAM);
		start = reserved->end;
	}
	add(map, start, end, E820_RAM);
}

void e820_build(struct e820_map *map)
{
	const struct reserved reserved[] = {
		{ 0, LAYOUT_PAGE0_END },
		{ LAYOUT_LOW_START, LAYOUT_FSEG_END },
		{ board_memory_top() - LAYOUT_CBMEM_BYTES, board_memory_top() },
		{ LAYOUT_MMCONFIG, LAYOUT_MMCONFIG + (uint64_t)LAYOUT_MMCONFIG_BYTES },
		{ LAYOUT_RCBA, LAYOUT_RCBA + LAYOUT_RCBA_BYTES },
		{ LAYOUT_ROM_RAMSTAGE, LAYOUT_ROM_RAMSTAGE + (uint64_t)LAYOUT_ROM_BYTES },
	};
	const size_t count = sizeof(reserved) / sizeof(reserved[0]);
	struct e820_entry given[E820_MAX];
	struct fw_cfg_file file;
	size_t n;

	map->count = 0;
	if (!fw_cfg_find("etc/e820", &file) || file.bytes > sizeof(given))
		console_stop("QEMU gives no memory map");
	fw_cfg_read(file.item, given, file.bytes);
	n = file.bytes / sizeof(given[0]);
	for (size_t i = 0; i < n; i++) {
		if (given[i].type == E820_RAM)
			add_ram(map, given[i].start, given[i].start + given[i].bytes, reserved,
				count);
		else
			add(map, given[i].start, given[i].start + given[i].bytes, given[i].type);
	}
	for (size_t i = 0; i < count; i++)
		add(map, reserved[i].start, reserved[i].end, E820_RESERVED);
}
