/* SPDX-License-Identifier: MIT */
/*
 * PCI configuration space through ports 0xcf8 and 0xcfc. PCI Local Bus Specification 3.0, 3.2.2.3.
 */
#ifndef HADAL_BOARD_PCI_H
#define HADAL_BOARD_PCI_H

#include <stdint.h>

#include "board/io.h"

#define PCI_ADDRESS 0xcf8
#define PCI_DATA 0xcfc
#define PCI_ENABLE 0x80000000u

/* A function of bus 0, which is where all that firmware touches lies. */
#define PCI_FUNCTION(device, function) ((device) << 11 | (function) << 8)
#define PCI_HOST_BRIDGE PCI_FUNCTION(0, 0)
#define PCI_LPC PCI_FUNCTION(0x1f, 0)

/* Registers of the common header. */
#define PCI_VENDOR_ID 0x00
#define PCI_COMMAND 0x04
#define PCI_COMMAND_IO 0x1
#define PCI_COMMAND_MEMORY 0x2
#define PCI_HEADER_TYPE 0x0e
#define PCI_HEADER_MULTIFUNCTION 0x80
#define PCI_BAR0 0x10
#define PCI_BARS 6
#define PCI_BAR_IO 0x1
#define PCI_BAR_64 0x4 /* a memory BAR whose upper half is the next */

static inline void pci_select(uint32_t function, uint32_t reg)
{
	outl(PCI_ADDRESS, PCI_ENABLE | function | (reg & 0xfc));
}

static inline uint32_t pci_read32(uint32_t function, uint32_t reg)
{
	pci_select(function, reg);
	return inl(PCI_DATA);
}

static inline uint16_t pci_read16(uint32_t function, uint32_t reg)
{
	pci_select(function, reg);
	return inw((uint16_t)(PCI_DATA + (reg & 2)));
}

static inline uint8_t pci_read8(uint32_t function, uint32_t reg)
{
	pci_select(function, reg);
	return inb((uint16_t)(PCI_DATA + (reg & 3)));
}

static inline void pci_write32(uint32_t function, uint32_t reg, uint32_t v)
{
	pci_select(function, reg);
	outl(PCI_DATA, v);
}

static inline void pci_write16(uint32_t function, uint32_t reg, uint16_t v)
{
	pci_select(function, reg);
	outw((uint16_t)(PCI_DATA + (reg & 2)), v);
}

static inline void pci_write8(uint32_t function, uint32_t reg, uint8_t v)
{
	pci_select(function, reg);
	outb((uint16_t)(PCI_DATA + (reg & 3)), v);
}

#endif
