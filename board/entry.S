/* SPDX-License-Identifier: MIT */
/* The first instructions of every stage in 32-bit mode: reset.S, or the stage before, calls it. */
	.section .entry, "ax"
	.globl stage_entry
stage_entry:
	cld
	movl	$__bss_start, %edi
	movl	$__bss_end, %ecx
	subl	%edi, %ecx
	xorl	%eax, %eax
	rep stosb
	jmp	stage_main

	.section .note.GNU-stack, "", @progbits
