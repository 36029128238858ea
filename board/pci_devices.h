/* SPDX-License-Identifier: MIT */
/*
 * The devices of bus 0: found, given addresses, switched on. What lies behind bridges is left to
 * the operating system, which can do it all by itself.
 */
#ifndef HADAL_BOARD_PCI_DEVICES_H
#define HADAL_BOARD_PCI_DEVICES_H

/* Finds the functions on bus 0. */
void pci_enumerate(void);

/* Gives each of them the addresses it asks for. */
void pci_assign(void);

/* Lets each of them answer to these addresses. */
void pci_enable(void);

#endif
