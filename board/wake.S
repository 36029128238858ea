/* SPDX-License-Identifier: MIT */
/*
 * Back to 16-bit mode, and on to where the sleeping system wants to wake up.
 * ACPI Specification 6.4, 16.3.2: real mode, code segment vector >> 4, offset vector & 15.
 * This code is in the low MiB, so that a real-mode segment reaches it.
 */
#include "board/layout.h"

#define CR0_PE 0x1
#define CODE16 0x08
#define DATA16 0x10
#define REACHED(symbol) ((symbol) - LAYOUT_RAMSTAGE) /* by segment LAYOUT_RAMSTAGE >> 4 */

	.text
	.code32
	.globl wake_jump
wake_jump:			/* wake_jump(vector) */
	movl	4(%esp), %eax
	movl	%eax, %edx
	andl	$0xf, %eax
	shrl	$4, %edx
	movw	%ax, wake_pointer
	movw	%dx, wake_pointer + 2
	lgdtl	wake_gdt_pointer
	lidtl	wake_idt_pointer
	ljmpl	$CODE16, $REACHED(1f)

	.code16
1:	movw	$DATA16, %ax
	movw	%ax, %ds
	movw	%ax, %es
	movw	%ax, %fs
	movw	%ax, %gs
	movw	%ax, %ss
	movl	%cr0, %eax
	andb	$~CR0_PE, %al
	movl	%eax, %cr0
	ljmpl	$(LAYOUT_RAMSTAGE >> 4), $REACHED(2f)
2:	movw	%cs, %ax
	movw	%ax, %ds
	movw	%ax, %ss
	movl	$REACHED(wake_pointer), %ebx
	ljmpw	*(%bx)

	.data
	.balign 8
wake_gdt:
	.quad	0
	.quad	0x00009b000000ffff | LAYOUT_RAMSTAGE << 16	/* code, 64 KiB, 16 bits */
	.quad	0x000093000000ffff | LAYOUT_RAMSTAGE << 16	/* data, the same */
wake_gdt_end:
wake_gdt_pointer:
	.word	wake_gdt_end - wake_gdt - 1
	.long	wake_gdt
wake_idt_pointer:			/* real mode's interrupt table */
	.word	0x3ff
	.long	0
wake_pointer:
	.word	0, 0

	.section .note.GNU-stack, "", @progbits
