/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SMM handler: looks at the clock, spins for the length whose turn it is, writes both times into
 * this CPU's ring. Data for the module, which copies it into SMRAM.
 *
 * A CPU enters in 16-bit mode with flat 4 GiB data segments. RSM brings all registers back, so all
 * are free here, the stack pointer as well; there is no stack.
 */
#include <linux/linkage.h>
#include "layout.h"

	.section .rodata
	.code16

/* One copy for each CPU: its number follows from the code segment, which is SMBASE >> 4. */
SYM_DATA_START(smi_entry)
	rdtsc
	movl	%eax, %esi
	movl	%edx, %edi
	xorl	%ebp, %ebp
	movw	%cs, %bp
	subw	$(SMRAM_BASE >> 4), %bp
	shrw	$6, %bp			/* SMRAM_STRIDE >> 4 is 1 << 6 */
	ljmp	$(SMRAM_BASE >> 4), $SMRAM_COMMON
SYM_DATA_END_LABEL(smi_entry, SYM_L_GLOBAL, smi_entry_end)

/* esi, edi: entry time; ebp: CPU; then ebx: control, ecx: this CPU's part, esp: event */
SYM_DATA_START(smi_common)
	movl	$(SMRAM_BASE + SMRAM_CONTROL), %ebx
	movl	(%ebx), %ebx
	testl	%ebx, %ebx
	jz	resume

	movl	%ebp, %ecx
	shll	$SMM_CPU_SHIFT, %ecx
	leal	SMM_CPU(%ebx, %ecx), %ecx

	/* The next event of the ring, or a spare one when it is full. */
	movl	SMM_CPU_TOTAL(%ecx), %eax
	incl	SMM_CPU_TOTAL(%ecx)
	leal	SMM_SPARE(%ebx), %esp
	cmpl	$SMM_EVENTS, %eax
	jae	1f
	shll	$SMM_EVENT_SHIFT, %eax
	addl	SMM_CPU_LOG(%ecx), %eax
	movl	%eax, %esp
1:	movl	%esi, SMM_EVENT_ENTRY(%esp)
	movl	%edi, SMM_EVENT_ENTRY + 4(%esp)

	/* Only one CPU drives the train. */
	cmpl	SMM_MASTER(%ebx), %ebp
	jne	train_done
	decl	SMM_REMAINING(%ebx)
	jz	train_over

	movl	SMM_HPET_PERIOD(%ebx), %edi
	testl	%edi, %edi
	jz	train_done
	movl	$HPET_ADDRESS, %ebp
2:	addl	%edi, SMM_HPET_NEXT(%ebx)
	adcl	$0, SMM_HPET_NEXT + 4(%ebx)
	movl	SMM_HPET_NEXT(%ebx), %eax
	subl	HPET_COUNTER_LOW(%ebp), %eax
	cmpl	$HPET_MARGIN, %eax
	jl	2b

	/*
	 * A half-written comparator must not lie in the past: the high half first when it changes,
	 * not at all when it does not.
	 */
	movl	SMM_HPET_NEXT + 4(%ebx), %eax
	cmpl	HPET_T2_COMPARATOR + 4(%ebp), %eax
	je	3f
	movl	%eax, HPET_T2_COMPARATOR + 4(%ebp)
3:	movl	SMM_HPET_NEXT(%ebx), %eax
	movl	%eax, HPET_T2_COMPARATOR(%ebp)
	jmp	train_done

train_over:
	movl	$SMM_NO_MASTER, SMM_MASTER(%ebx)
	movl	SMM_TCO_PORT(%ebx), %edx
	testl	%edx, %edx
	jz	train_done
	inw	%dx, %ax
	orw	$TCO1_HALT, %ax
	outw	%ax, %dx

train_done:
	/* An NMI to this CPU, held back by the hardware until RSM. */
	movl	SMM_POST_NMI(%ebx), %eax
	movl	%eax, SMM_EVENT_NMI(%esp)
	testl	%eax, %eax
	jz	4f
	movl	$LAPIC_ICR, %edx
	movl	$LAPIC_SELF_NMI, (%edx)

4:	movl	SMM_CPU_TURN(%ecx), %eax
	movl	SMM_LENGTH(%ebx, %eax, 4), %ebp
	movl	%ebp, SMM_EVENT_ASKED(%esp)
	incl	%eax
	cmpl	SMM_LENGTH_COUNT(%ebx), %eax
	jb	5f
	xorl	%eax, %eax
5:	movl	%eax, SMM_CPU_TURN(%ecx)

6:	rdtsc
	movl	%eax, %edi
	subl	%esi, %edi
	cmpl	%ebp, %edi
	jb	6b
	movl	%eax, SMM_EVENT_EXIT(%esp)
	movl	%edx, SMM_EVENT_EXIT + 4(%esp)
resume:	rsm
SYM_DATA_END_LABEL(smi_common, SYM_L_GLOBAL, smi_common_end)

/* For the entry of a CPU whose SMBASE nobody has moved: the module fills in where to. */
SYM_DATA_START(smi_move)
	movl	$RESET_SAVE_SMBASE, %eax
	.byte	0x67, 0x66, 0xc7, 0x00	/* movl $..., (%eax) */
SYM_DATA(smi_move_base, .long 0)
	rsm
SYM_DATA_END_LABEL(smi_move, SYM_L_GLOBAL, smi_move_end)

	.code64
