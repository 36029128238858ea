// SPDX-License-Identifier: MIT
/* The devices of bus 0. PCI Local Bus Specification 3.0, 6.2.5.1: how a BAR tells its size. */
#include "board/pci_devices.h"

#include <stdbool.h>
#include <stddef.h>

#include "board/console.h"
#include "board/layout.h"
#include "board/pci.h"

#define FUNCTIONS_MAX 64

static uint32_t functions[FUNCTIONS_MAX];
static size_t function_count;

static uint32_t next_io = LAYOUT_PCI_IO;
static uint32_t next_memory = LAYOUT_PCI_MEMORY;

static bool is_present(uint32_t function)
{
	return pci_read16(function, PCI_VENDOR_ID) != 0xffff;
}

static void device_enumerate(uint32_t device)
{
	bool multi;

	if (!is_present(PCI_FUNCTION(device, 0)))
		return;
	multi = pci_read8(PCI_FUNCTION(device, 0), PCI_HEADER_TYPE) & PCI_HEADER_MULTIFUNCTION;
	for (uint32_t i = 0; i < (multi ? 8 : 1) && function_count < FUNCTIONS_MAX; i++)
		if (is_present(PCI_FUNCTION(device, i)))
			functions[function_count++] = PCI_FUNCTION(device, i);
}

void pci_enumerate(void)
{
	for (uint32_t device = 0; device < 32; device++)
		device_enumerate(device);
	console_value("board: functions on PCI bus 0:", function_count);
}

/* The next place of @bytes bytes, a power of two, aligned to itself; 0 if there is none. */
static uint32_t take(uint32_t *next, uint32_t end, uint32_t bytes)
{
	uint32_t at = (*next + bytes - 1) & ~(bytes - 1);

	if (at < *next || at > end || bytes > end - at)
		return 0;
	*next = at + bytes;
	return at;
}

/* Returns how many registers the BAR has. */
static uint32_t bar_assign(uint32_t function, uint32_t reg)
{
	uint32_t kind, mask, at;

	kind = pci_read32(function, reg);
	pci_write32(function, reg, ~0u);
	mask = pci_read32(function, reg);
	if (!mask)
		return 1;
	if (mask & PCI_BAR_IO)
		at = take(&next_io, LAYOUT_PCI_IO_END, (~(mask & ~3u) + 1) & 0xffff);
	else
		at = take(&next_memory, LAYOUT_PCI_MEMORY_END, ~(mask & ~15u) + 1);
	pci_write32(function, reg, at);
	if ((kind & (PCI_BAR_IO | PCI_BAR_64)) != PCI_BAR_64)
		return 1;
	pci_write32(function, reg + 4, 0);
	return 2;
}

void pci_assign(void)
{
	uint32_t n;

	for (size_t i = 0; i < function_count; i++) {
		if (pci_read8(functions[i], PCI_HEADER_TYPE) & ~PCI_HEADER_MULTIFUNCTION)
			continue;
		for (n = 0; n < PCI_BARS;)
			n += bar_assign(functions[i], PCI_BAR0 + 4 * n);
	}
}

void pci_enable(void)
{
	for (size_t i = 0; i < function_count; i++)
		pci_write16(functions[i], PCI_COMMAND,
			    pci_read16(functions[i], PCI_COMMAND) | PCI_COMMAND_IO |
				    PCI_COMMAND_MEMORY);
}
