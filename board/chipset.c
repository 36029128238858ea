// SPDX-License-Identifier: MIT
/*
 * The q35 host bridge and its south bridge. Registers: Intel 3 Series Express Chipset Family data
 * sheet (MCH, 5.1) and ICH9 data sheet (LPC bridge, 13.1).
 */
#include "board/chipset.h"

#include "board/layout.h"
#include "board/pci.h"

#define MCH_PCIEXBAR 0x60 /* u64; bits 2:1 are 0 for 256 MiB */
#define MCH_PCIEXBAR_ENABLE 0x1
#define MCH_PAM0 0x90 /* bits 5:4: what reads and writes of 0xf0000-0xfffff reach */
#define MCH_PAM_RAM 0x30

#define ICH9_PMBASE 0x40
#define ICH9_PMBASE_IO 0x1
#define ICH9_ACPI_CNTL 0x44
#define ICH9_ACPI_CNTL_ENABLE 0x80   /* bits 2:0 are 0: SCI is IRQ 9 */
#define ICH9_PIRQA 0x60		     /* A to D */
#define ICH9_PIRQE 0x68		     /* E to H */
#define ICH9_PIRQ_ROUTES 0x0b0b0a0au /* one byte each: IRQ 10, 10, 11, 11 */
#define ICH9_RCBA 0xf0
#define ICH9_RCBA_ENABLE 0x1

/*
 * The keyboard controller, an 8042. Bit 6 of its command byte makes it translate scan codes as PC
 * software expects, bits 0 and 1 are the interrupts of its two ports.
 */
#define KBC_DATA 0x60
#define KBC_COMMAND 0x64
#define KBC_WRITE_COMMAND_BYTE 0x60
#define KBC_TRANSLATE_IRQ1_IRQ12 0x43

void chipset_init(void)
{
	pci_write32(PCI_HOST_BRIDGE, MCH_PCIEXBAR + 4, 0);
	pci_write32(PCI_HOST_BRIDGE, MCH_PCIEXBAR, LAYOUT_MMCONFIG | MCH_PCIEXBAR_ENABLE);
	pci_write8(PCI_HOST_BRIDGE, MCH_PAM0, MCH_PAM_RAM);

	pci_write32(PCI_LPC, ICH9_PMBASE, LAYOUT_PMBASE | ICH9_PMBASE_IO);
	pci_write8(PCI_LPC, ICH9_ACPI_CNTL, ICH9_ACPI_CNTL_ENABLE);
	pci_write32(PCI_LPC, ICH9_PIRQA, ICH9_PIRQ_ROUTES);
	pci_write32(PCI_LPC, ICH9_PIRQE, ICH9_PIRQ_ROUTES);
	pci_write32(PCI_LPC, ICH9_RCBA, LAYOUT_RCBA | ICH9_RCBA_ENABLE);

	outb(KBC_COMMAND, KBC_WRITE_COMMAND_BYTE);
	outb(KBC_DATA, KBC_TRANSLATE_IRQ1_IRQ12);
}
