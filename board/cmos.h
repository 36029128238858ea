/* SPDX-License-Identifier: MIT */
/* The battery-backed memory of the MC146818 clock, where QEMU and old firmware leave numbers. */
#ifndef HADAL_BOARD_CMOS_H
#define HADAL_BOARD_CMOS_H

#include <stdint.h>

#include "board/io.h"

#define CMOS_ADDRESS 0x70
#define CMOS_NMI_OFF 0x80
#define CMOS_DATA 0x71

#define CMOS_SHUTDOWN_STATUS 0x0f
#define CMOS_SHUTDOWN_S3 0xfe	   /* QEMU's: this reset is a wake from S3 */
#define CMOS_EXTENDED_MEMORY 0x30  /* u16, KiB above 1 MiB, at most 63 MiB */
#define CMOS_EXTENDED2_MEMORY 0x34 /* u16, 64 KiB units above 16 MiB, below 4 GiB */

static inline uint8_t cmos_read(uint8_t reg)
{
	outb(CMOS_ADDRESS, reg | CMOS_NMI_OFF);
	return inb(CMOS_DATA);
}

static inline void cmos_write(uint8_t reg, uint8_t v)
{
	outb(CMOS_ADDRESS, reg | CMOS_NMI_OFF);
	outb(CMOS_DATA, v);
}

static inline uint16_t cmos_read16(uint8_t reg)
{
	return (uint16_t)(cmos_read(reg) | cmos_read((uint8_t)(reg + 1)) << 8);
}

#endif
