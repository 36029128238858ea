/* SPDX-License-Identifier: MIT */
/* Instructions that C has no words for: ports, MSRs, CPUID. */
#ifndef HADAL_BOARD_IO_H
#define HADAL_BOARD_IO_H

#include <stdint.h>

static inline void outb(uint16_t port, uint8_t v)
{
	__asm__ volatile("outb %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void outw(uint16_t port, uint16_t v)
{
	__asm__ volatile("outw %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline void outl(uint16_t port, uint32_t v)
{
	__asm__ volatile("outl %0, %1" : : "a"(v), "Nd"(port) : "memory");
}

static inline uint8_t inb(uint16_t port)
{
	uint8_t v;

	__asm__ volatile("inb %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline uint16_t inw(uint16_t port)
{
	uint16_t v;

	__asm__ volatile("inw %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline uint32_t inl(uint16_t port)
{
	uint32_t v;

	__asm__ volatile("inl %1, %0" : "=a"(v) : "Nd"(port) : "memory");
	return v;
}

static inline uint64_t read_msr(uint32_t msr)
{
	uint64_t v;

	__asm__ volatile("rdmsr" : "=A"(v) : "c"(msr) : "memory");
	return v;
}

static inline void write_msr(uint32_t msr, uint64_t v)
{
	__asm__ volatile("wrmsr" : : "c"(msr), "A"(v) : "memory");
}

static inline void halt(void)
{
	__asm__ volatile("cli; hlt" : : : "memory");
}

/* A 32-bit register of a device in memory. */
static inline uint32_t read_reg(uint32_t address)
{
	return *(volatile uint32_t *)address;
}

static inline void write_reg(uint32_t address, uint32_t v)
{
	*(volatile uint32_t *)address = v;
}

#endif
