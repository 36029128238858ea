/* SPDX-License-Identifier: MIT */
/*
 * The way into the SMM handler and out of it. RSM brings all registers back, so all are free here.
 * What is read first and last is the clock.
 */
#include "board/layout.h"
#include "board/smm.h"
#include "core/smm_abi.h"

#define CR0_PE 0x1
#define CODE 0x08
#define DATA 0x10

	.section .entry, "ax"
	.globl smm_image_mailbox, smm_image_cpus, stage_entry
smm_image_mailbox:
	.long	0
smm_image_cpus:
	.long	0

/* Each CPU's entry is a copy of this; its code segment, SMBASE >> 4, tells which CPU it is. */
	.code16
stage_entry:
	rdtsc
	movl	%eax, %esi
	movl	%edx, %edi
	xorl	%ebp, %ebp
	movw	%cs, %bp
	subw	$(LAYOUT_SMRAM >> 4), %bp
	shrw	$(SMM_STRIDE_SHIFT - 4), %bp
	movl	$gdt_pointer, %eax
	lgdtl	(%eax)
	movl	%cr0, %eax
	orl	$CR0_PE, %eax
	movl	%eax, %cr0
	ljmpl	$CODE, $enter32

	.text
	.code32
enter32:
	movl	$DATA, %eax
	movl	%eax, %ds
	movl	%eax, %es
	movl	%eax, %ss
	movl	%ebp, %eax
	shll	$SMM_STACK_SHIFT, %eax
	movl	$LAYOUT_SMM_STACKS_TOP, %esp
	subl	%eax, %esp
	pushl	%ebp			/* smm_handle(entry time, cpu) */
	pushl	%edi
	pushl	%esi
	call	smm_handle
	movl	%eax, %ecx
	rdtsc				/* SMM_TAIL in smm.c counts what follows */
	movl	%eax, SMM_EVENT_EXIT(%ecx)
	movl	%edx, SMM_EVENT_EXIT + 4(%ecx)
	rsm

	.balign 8
gdt:
	.quad	0
	.quad	0x00cf9b000000ffff	/* code, base 0, 4 GiB, 32 bits (SDM volume 3, 3.4.5) */
	.quad	0x00cf93000000ffff	/* data, the same */
gdt_end:
gdt_pointer:
	.word	gdt_end - gdt - 1
	.long	gdt

	.section .note.GNU-stack, "", @progbits
