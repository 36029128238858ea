/* SPDX-License-Identifier: MIT */
/*
 * The first instructions: from the reset vector in 16-bit mode to C in 32-bit mode.
 *
 * A reset CPU starts at physical 0xfffffff0 with a code segment whose base is 0xffff0000
 * (Intel SDM volume 3, 10.1.4), so that in the last 64 KiB of the ROM an offset is the low half of the
 * address. Memory is there from the start on this machine.
 */
#include "board/layout.h"

#define CR0_PE 0x1
#define CR0_CD_NW 0x60000000 /* caches off, as the CPU comes out of reset */
#define CODE 0x10 /* the two selectors that Linux's 32-bit boot protocol asks for */
#define DATA 0x18

	.section .vector, "ax"
	.code16
	.globl reset_vector
reset_vector:
	jmp	start16

	.section .entry, "ax"
	.code16
start16:
	cli
	rdtsc				/* when the boot began: edi low, esi high */
	movl	%eax, %edi
	movl	%edx, %esi
	movl	$gdt_pointer, %ebx
	lgdtl	%cs:(%bx)
	movl	%cr0, %eax
	andl	$~CR0_CD_NW, %eax
	orl	$CR0_PE, %eax
	movl	%eax, %cr0
	ljmpl	$CODE, $start32

	.code32
start32:
	movl	$DATA, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %fs
	movl	%eax, %gs
	movl	%eax, %ss
	movl	$LAYOUT_STACK_TOP, %esp
	pushl	%esi			/* stage_main(reset_time) */
	pushl	%edi
	call	stage_entry

	.balign 8
gdt:
	.quad	0
	.quad	0
	.quad	0x00cf9b000000ffff	/* code, base 0, 4 GiB, ring 0, 32 bits (SDM volume 3, 3.4.5) */
	.quad	0x00cf93000000ffff	/* data, the same */
gdt_end:
gdt_pointer:
	.word	gdt_end - gdt - 1
	.long	gdt

	.section .note.GNU-stack, "", @progbits
