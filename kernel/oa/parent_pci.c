// SPDX-License-Identifier: GPL-2.0-only
/*
 * A PCI bus of its own with one function on it, which has a configuration space and no BARs: what
 * libdrm and the tools above it take for a GPU's.
 */
#include <linux/pci.h>

#include "core/load.h"

#include "../compat.h"
#include "oa.h"

/* User space knows domains of at most four hexadecimal digits. */
#define DOMAIN_FIRST 0x1000
#define DOMAIN_LAST 0xffff

static u8 config_space[PCI_CFG_SPACE_SIZE];
static struct pci_sysdata sysdata = { .node = NUMA_NO_NODE };
static struct resource bus_numbers = {
	.name = "hadal_oa",
	.start = 0,
	.end = 0,
	.flags = IORESOURCE_BUS,
};
static struct pci_bus *bus;

static void fill_config_space(void)
{
	memset(config_space, 0, sizeof(config_space));
	store_le16(config_space + PCI_VENDOR_ID, OA_VENDOR);
	store_le16(config_space + PCI_DEVICE_ID, oa_settings.devid);
	store_le16(config_space + PCI_CLASS_DEVICE, PCI_CLASS_DISPLAY_OTHER);
	store_le16(config_space + PCI_SUBSYSTEM_VENDOR_ID, OA_VENDOR);
	store_le16(config_space + PCI_SUBSYSTEM_ID, oa_settings.devid);
	config_space[PCI_REVISION_ID] = oa_settings.revision;
}

static bool is_inside(unsigned int devfn, int where, int size)
{
	return !devfn && where >= 0 && where + size <= sizeof(config_space);
}

static int config_read(struct pci_bus *on, unsigned int devfn, int where, int size, u32 *value)
{
	u32 all = ~0u;

	if (!is_inside(devfn, where, size)) {
		*value = all;
		return PCIBIOS_DEVICE_NOT_FOUND;
	}
	memcpy(&all, config_space + where, size);
	*value = size == 4 ? all : all & ((1u << 8 * size) - 1);
	return PCIBIOS_SUCCESSFUL;
}

/* Only what the PCI core sets and reads back keeps a value. */
static bool is_writable(int where)
{
	return where == PCI_COMMAND || where == PCI_COMMAND + 1 || where == PCI_INTERRUPT_LINE ||
	       where == PCI_CACHE_LINE_SIZE || where == PCI_LATENCY_TIMER;
}

static int config_write(struct pci_bus *on, unsigned int devfn, int where, int size, u32 value)
{
	int i;

	if (!is_inside(devfn, where, size))
		return PCIBIOS_DEVICE_NOT_FOUND;
	for (i = 0; i < size; i++)
		if (is_writable(where + i))
			config_space[where + i] = value >> 8 * i;
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops config_ops = {
	.read = config_read,
	.write = config_write,
};

static int oa_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	return oa_device_create(&pdev->dev);
}

static void oa_pci_remove(struct pci_dev *pdev)
{
	oa_device_destroy(&pdev->dev);
}

/* Matches no device by its numbers, so that a real GPU is never taken. */
static struct pci_driver driver = {
	.name = "hadal_oa",
	.probe = oa_pci_probe,
	.remove = oa_pci_remove,
};

static int find_free_domain(void)
{
	int domain;

	for (domain = DOMAIN_FIRST; domain <= DOMAIN_LAST; domain++)
		if (!pci_find_bus(domain, 0))
			return domain;
	return -ENOSPC;
}

/* The override keeps the real i915 away from the function, whose numbers it knows. */
static int override_drivers(void)
{
	struct pci_dev *pdev;
	int err = 0;

	list_for_each_entry(pdev, &bus->devices, bus_list)
		err = err ? err : compat_override_driver(pdev, driver.name);
	return err;
}

static void remove_bus(void)
{
	pci_stop_root_bus(bus);
	pci_remove_root_bus(bus);
}

/* Is there a function on the bus, and has it got its DRM device? */
static bool is_driven(void)
{
	struct pci_dev *pdev = pci_get_slot(bus, 0);
	bool driven = pdev && dev_get_drvdata(&pdev->dev);

	pci_dev_put(pdev);
	return driven;
}

static int add_bus(void)
{
	LIST_HEAD(resources);
	int err = find_free_domain();

	if (err < 0)
		return err;
	sysdata.domain = err;
	pci_add_resource(&resources, &bus_numbers);
	bus = pci_create_root_bus(NULL, 0, &config_ops, &sysdata, &resources);
	if (!bus) {
		pci_free_resource_list(&resources);
		return -ENOMEM;
	}
	pci_scan_child_bus(bus);
	err = override_drivers();
	if (!err) {
		pci_bus_add_devices(bus);
		err = is_driven() ? 0 : -ENODEV;
	}
	if (err)
		remove_bus();
	return err;
}

int oa_parent_pci_init(void)
{
	int err;

	fill_config_space();
	err = pci_register_driver(&driver);
	if (err)
		return err;
	pci_lock_rescan_remove();
	err = add_bus();
	pci_unlock_rescan_remove();
	if (err)
		pci_unregister_driver(&driver);
	return err;
}

void oa_parent_pci_exit(void)
{
	pci_lock_rescan_remove();
	remove_bus();
	pci_unlock_rescan_remove();
	pci_unregister_driver(&driver);
}
