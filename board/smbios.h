/* SPDX-License-Identifier: MIT */
/* SMBIOS: who made this machine. */
#ifndef HADAL_BOARD_SMBIOS_H
#define HADAL_BOARD_SMBIOS_H

/* Puts QEMU's tables into CBMEM and their anchor into the BIOS area. */
void smbios_init(void);

#endif
