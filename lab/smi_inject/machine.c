// SPDX-License-Identifier: GPL-2.0-only
/*
 * The injector writes into SMRAM and stops CPUs: it runs on QEMU's q35 machine and nowhere else.
 * The marks, each of which real hardware lacks or does not have together: Intel's Q35 host bridge
 * with QEMU's subsystem ID, the ICH9 bridge, the fw_cfg device's signature, SMRAM not locked or with
 * the board's handler in it.
 */
#include <linux/io.h>
#include <linux/pci.h>

#include "smi_inject.h"

#define HOST_ID 0x29c0
#define LPC_ID 0x2918
#define QEMU_SUBSYSTEM_VENDOR 0x1af4
#define QEMU_SUBSYSTEM 0x1100

#define HOST_SMRAM 0x9d
#define SMRAM_LOCKED 0x10
#define LPC_PMBASE 0x40
#define LPC_PMBASE_MASK 0xff80

#define FW_CFG_SELECT 0x510
#define FW_CFG_DATA 0x511
#define FW_CFG_SIGNATURE 0

static struct pci_dev *find(unsigned int device, unsigned int function, u16 id)
{
	struct pci_dev *dev = pci_get_domain_bus_and_slot(0, 0, PCI_DEVFN(device, function));

	if (dev && dev->vendor == PCI_VENDOR_ID_INTEL && dev->device == id &&
	    dev->subsystem_vendor == QEMU_SUBSYSTEM_VENDOR &&
	    dev->subsystem_device == QEMU_SUBSYSTEM)
		return dev;
	pci_dev_put(dev);
	return NULL;
}

static bool has_fw_cfg(void)
{
	char signature[4];
	unsigned int i;

	outw(FW_CFG_SIGNATURE, FW_CFG_SELECT);
	for (i = 0; i < sizeof(signature); i++)
		signature[i] = inb(FW_CFG_DATA);
	return memcmp(signature, "QEMU", sizeof(signature)) == 0;
}

static int refuse(const char *reason)
{
	pr_err("smi_inject: runs only on QEMU's emulated q35 machine: %s\n", reason);
	return -ENODEV;
}

static int check(struct smi_machine *machine)
{
	struct pci_dev *lpc;
	u16 pm_base = 0;
	u8 smram = 0;

	machine->host = find(0, 0, HOST_ID);
	if (!machine->host)
		return refuse("this host bridge is another");
	lpc = find(0x1f, 0, LPC_ID);
	if (!lpc)
		return refuse("there is no ICH9 bridge");
	pci_read_config_word(lpc, LPC_PMBASE, &pm_base);
	pci_dev_put(lpc);
	machine->pm_base = pm_base & LPC_PMBASE_MASK;
	if (!machine->pm_base)
		return refuse("its firmware left power management without an address");
	if (!has_fw_cfg())
		return refuse("there is no fw_cfg device");
	pci_read_config_byte(machine->host, HOST_SMRAM, &smram);
	machine->mailbox = 0;
	if (!(smram & SMRAM_LOCKED))
		return 0;
	machine->mailbox = board_mailbox();
	return machine->mailbox ? 0 : refuse("its firmware locked SMRAM");
}

int machine_find(struct smi_machine *machine)
{
	int err = check(machine);

	if (err)
		machine_put(machine);
	return err;
}

void machine_put(struct smi_machine *machine)
{
	pci_dev_put(machine->host);
	machine->host = NULL;
}
