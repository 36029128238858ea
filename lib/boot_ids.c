// SPDX-License-Identifier: MIT
/* Names of the IDs that firmware uses, as data. */
#include <stdio.h>
#include <string.h>

#include "core/timestamp_ids.h"
#include "hadal/boot.h"

#define ROW(id, name, end, label, range) { id, end, #name, label, range },
const struct hadal_boot_id hadal_boot_ids[] = { TIMESTAMP_IDS(ROW) };
#undef ROW

const size_t hadal_boot_id_count = sizeof(hadal_boot_ids) / sizeof(hadal_boot_ids[0]);

/* What coreboot's tool printed in earlier releases; the last release is noted behind each. */
static const struct {
	uint32_t id;
	const char *label;
} old_labels[] = {
	{ 1, "start of rom stage" },			      /* 4.6 */
	{ 2, "before ram initialization" },		      /* 4.11 */
	{ 3, "after ram initialization" },		      /* 4.11 */
	{ 508, "finished loading body (ignore for x86)" },    /* 4.12 */
	{ 90, "load payload" },				      /* 4.14 */
	{ 550, "starting to load Chrome OS VPD" },	      /* 4.17 */
	{ 551, "finished loading Chrome OS VPD (RO)" },	      /* 4.17 */
	{ 552, "finished loading Chrome OS VPD (RW)" },	      /* 4.17 */
	{ 940, "waiting for ME acknowledgement of raminit" }, /* 4.21 */
	{ 30, HADAL_OLD_ID_30_LABEL },			      /* 25.03 */
	{ 992, "ESE completed AUnit loading" },		      /* 26.03 */
};

const struct hadal_boot_id *hadal_boot_id_find(uint32_t id)
{
	for (size_t i = 0; i < hadal_boot_id_count; i++)
		if (hadal_boot_ids[i].id == id)
			return &hadal_boot_ids[i];
	return NULL;
}

static size_t trimmed(const char *label, size_t len)
{
	while (len && label[len - 1] == ' ')
		len--;
	return len;
}

/* Equal but for blanks at the end, which pasting loses. */
static bool same_label(const char *known, const char *label, size_t len)
{
	len = trimmed(label, len);
	return trimmed(known, strlen(known)) == len && memcmp(known, label, len) == 0;
}

bool hadal_boot_label_known(uint32_t id, const char *label, size_t len)
{
	const struct hadal_boot_id *row = hadal_boot_id_find(id);

	if (row && same_label(row->label, label, len))
		return true;
	for (size_t i = 0; i < sizeof(old_labels) / sizeof(old_labels[0]); i++)
		if (old_labels[i].id == id && same_label(old_labels[i].label, label, len))
			return true;
	return false;
}

static const struct {
	uint32_t id;
	const char *label;
} cbmem_labels[] = {
	{ 0x04efc0de, "REFCODE" },
	{ 0x05430095, "RAMOOPS" },
	{ 0x07e9acee, "SMM BACKUP" },
	{ 0x3353504f, "OPAL S3 SCR" },
	{ 0x41435049, "ACPI" },
	{ 0x41474553, "AGESA RSVD" },
	{ 0x4153494c, "OPENSIL DATA" },
	{ 0x42444154, "ACPI BDAT" },
	{ 0x42455254, "ACPI BERT" },
	{ 0x42455343, "CSE BP INFO" },
	{ 0x43425442, "COREBOOT" },
	{ 0x43425443, "COREBOOTFWD" },
	{ 0x434e5653, "CHROMEOS NVS" },
	{ 0x434f4e53, "CONSOLE" },
	{ 0x4350555f, "CPU CRASHLOG (deprecated)" },
	{ 0x43524220, "TPM CRB" },
	{ 0x444d5442, "BOOT MODE" },
	{ 0x4544524d, "EARLY DRAM USAGE" },
	{ 0x454c4f47, "ELOG" },
	{ 0x4553435f, "CSE SPECIFIC INFO" },
	{ 0x464d4150, "FMAP" },
	{ 0x46524545, "FREE SPACE" },
	{ 0x46535052, "FSP MEMORY" },
	{ 0x47434f56, "COVERAGE" },
	{ 0x474e5653, "ACPI GNVS" },
	{ 0x47545352, "ROMSTAGE" },
	{ 0x48455354, "ACPI HEST" },
	{ 0x484f4221, "HOB" },
	{ 0x494d454d, "MEM INFO" },
	{ 0x494d454e, "AMDMEM INFO" },
	{ 0x49525154, "IRQ TABLE" },
	{ 0x4c474454, "GDT" },
	{ 0x4c4f474f, "BMP LOGO" },
	{ 0x4d4d4144, "MMA DATA" },
	{ 0x4d4d4353, "MMC STATUS" },
	{ 0x4d524344, "MRC DATA" },
	{ 0x4d524345, "VARMRC DATA" },
	{ 0x4efc0de5, "REFCODE $" },
	{ 0x4f444749, "IGD OPREGION" },
	{ 0x5048434d, "MEM CHIP INFO" },
	{ 0x504d435f, "PMC CRASHLOG (deprecated)" },
	{ 0x50524249, "PCI RB INFO" },
	{ 0x50535454, "POWER STATE" },
	{ 0x52455343, "ACPISCRATCH" },
	{ 0x5245534d, "ACPI RESUME" },
	{ 0x524d5346, "RO MCACHE" },
	{ 0x524f4d30, "VGA ROM #0" },
	{ 0x524f4d31, "VGA ROM #1" },
	{ 0x524f4d32, "VGA ROM #2" },
	{ 0x524f4d33, "VGA ROM #3" },
	{ 0x52505346, "FSP RUNTIME" },
	{ 0x534d4254, "SMBIOS" },
	{ 0x534d5054, "SMP TABLE" },
	{ 0x53534d32, "SMM COMBUFFER" },
	{ 0x53545354, "SELF TEST" },
	{ 0x53746f72, "SD/MMC/eMMC" },
	{ 0x53a11439, "IMD SMALL" },
	{ 0x54435041, "TPM CB LOG" },
	{ 0x54445041, "TCPA TCGLOG" },
	{ 0x54494d45, "TIME STAMP" },
	{ 0x54504d32, "TPM2 TCGLOG" },
	{ 0x54505049, "TPM PPI" },
	{ 0x54595045, "TYPE_C INFO" },
	{ 0x55435349, "ACPI UCSI" },
	{ 0x56504420, "VPD" },
	{ 0x56505346, "FSPM VERSION" },
	{ 0x57494649, "WIFI CLBR" },
	{ 0x574d5346, "RW MCACHE" },
	{ 0x5f32504d, "AMD MP2 BUFFER" },
	{ 0x5f425453, "AMD STB" },
	{ 0x5f43524d, "MRC VERSION" },
	{ 0x63ccbbc3, "EC HOSTEVENT" },
	{ 0x666d7670, "PVMFW" },
	{ 0x6873484d, "METADATA HASH" },
	{ 0x69866684, "EXT VBT" },
	{ 0x78007343, "VBOOT WORK" },
	{ 0x780074f0, "VBOOT" },
	{ 0x780074f1, "VBOOT SEL" },
	{ 0x90357ac4, "ROMSTG STCK" },
	{ 0x9a357a9e, "RAMSTAGE" },
	{ 0x9a3ca54e, "RAMSTAGE $" },
	{ 0xc4787a93, "AFTER CAR" },
	{ 0xcac4e6a3, "CAR GLOBALS" },
	{ 0xcb31d31c, "MTC" },
	{ 0xe4c1deb9, "USBDEBUG" },
	{ 0xf08b4b9d, "AGESA MTRR" },
	{ 0xff4007ff, "CBMEM ROOT" },
	{ 0xff4017ff, "IMD ROOT" },
};

#define CBMEM_ID_STAGE_META 0x57a9e000u
#define CBMEM_ID_STAGE_CACHE 0x57a9e100u
#define CBMEM_STAGES 10u

const char *hadal_cbmem_label(uint32_t id, char *buf)
{
	if (id - CBMEM_ID_STAGE_META < CBMEM_STAGES) {
		sprintf(buf, "STAGE%u META", id - CBMEM_ID_STAGE_META);
		return buf;
	}
	if (id - CBMEM_ID_STAGE_CACHE < CBMEM_STAGES) {
		sprintf(buf, "STAGE%u $", id - CBMEM_ID_STAGE_CACHE);
		return buf;
	}
	for (size_t i = 0; i < sizeof(cbmem_labels) / sizeof(cbmem_labels[0]); i++)
		if (cbmem_labels[i].id == id)
			return cbmem_labels[i].label;
	return "(unknown)";
}
