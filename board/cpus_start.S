/* SPDX-License-Identifier: MIT */
/*
 * What the other CPUs run: 16-bit code in the page LAYOUT_AP_TRAMPOLINE, with the code segment set
 * to it; and what every CPU's first SMI runs.
 */
#include "board/cpus.h"
#include "board/layout.h"
#include "board/smm.h"
#include "core/smm_abi.h"

	.section .rodata
	.code16
	.globl cpus_start, cpus_start_end, cpus_move, cpus_move_end

cpus_start:
	cli
	movw	%cs, %ax
	movw	%ax, %ds

	/* The same MTRRs on all CPUs. */
	movl	CPUS_SHARED + CPUS_MSR_COUNT, %ebp
	movw	$(CPUS_SHARED + CPUS_MSRS), %si
1:	movl	(%si), %ecx
	movl	4(%si), %eax
	movl	8(%si), %edx
	wrmsr
	addw	$12, %si
	decl	%ebp
	jnz	1b

	/* One at a time: until it is moved, each saves its state where the others do. */
	movl	$1, %ebx
	lock xaddl %ebx, CPUS_SHARED + CPUS_LINE
2:	pause
	cmpl	CPUS_SHARED + CPUS_TURN, %ebx
	jne	2b
	movl	CPUS_SHARED + CPUS_MOVED, %ecx
	xorl	%eax, %eax
	outb	%al, $SMM_PORT_CONTROL
3:	pause
	cmpl	CPUS_SHARED + CPUS_MOVED, %ecx
	je	3b
	lock incl CPUS_SHARED + CPUS_TURN

	/* Until Linux sends INIT. An SMI comes back to here. */
4:	hlt
	jmp	4b
cpus_start_end:

/* At SMM_RESET_SMBASE + SMM_ENTRY: takes the place in SMRAM that goes with the APIC ID. */
cpus_move:
	movl	$LAPIC_ID, %ebx
	movl	(%ebx), %ecx
	shrl	$24, %ecx
	movl	%ecx, %eax
	shll	$SMM_STRIDE_SHIFT, %eax
	addl	$LAYOUT_SMRAM, %eax
	movl	$(SMM_RESET_SMBASE + SMM_STATE_SMBASE), %ebx
	movl	%eax, (%ebx)
	movl	$(LAYOUT_AP_TRAMPOLINE + CPUS_SHARED), %ebx
	lock btsl %ecx, CPUS_MOVED(%ebx)
	rsm
cpus_move_end:

	.section .note.GNU-stack, "", @progbits
