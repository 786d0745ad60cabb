/* SPDX-License-Identifier: ISC */
/*
 * What is written in assembly, for each processor: the first instructions, where
 * start-m.c does not do that, and a function without a type and a size.
 */
	.cfi_sections .debug_frame

#if defined(__arm__)

	.syntax unified
#if !defined(__thumb__)
	.section .start, "ax"
	.global _start
_start:
	ldr	sp, =stack_top
	mov	fp, #0
	mov	lr, #0
	bl	work_forever
	b	.
#endif
	.section .text.churn, "ax"
	.global churn
#if defined(__thumb__)
	.thumb_func
#endif
churn:
	.cfi_startproc
	push	{r4, r5, r6, lr}
	.cfi_def_cfa_offset 16
	.cfi_offset 4, -16
	.cfi_offset 5, -12
	.cfi_offset 6, -8
	.cfi_offset 14, -4
	movs	r4, r1
1:	bl	work_stir
	subs	r4, r4, #1
	bne	1b
	pop	{r4, r5, r6, pc}
	.cfi_endproc

#elif defined(__aarch64__)

	.section .start, "ax"
	.global _start
_start:
	ldr	x0, =stack_top
	mov	sp, x0
	mov	x29, xzr
	mov	x30, xzr
	bl	work_forever
	b	.

	.section .text.churn, "ax"
	.global churn
churn:
	.cfi_startproc
	stp	x29, x30, [sp, #-32]!
	.cfi_def_cfa_offset 32
	.cfi_offset 29, -32
	.cfi_offset 30, -24
	str	x19, [sp, #16]
	.cfi_offset 19, -16
	mov	w19, w1
1:	bl	work_stir
	subs	w19, w19, #1
	b.ne	1b
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc

#elif defined(__riscv)

#if __riscv_xlen == 64
#define STORE sd
#define LOAD  ld
#else
#define STORE sw
#define LOAD  lw
#endif

	/* Each hart has a stack of its own. */
	.section .start, "ax"
	.global _start
_start:
	la	sp, stack_top
	csrr	t0, mhartid
	slli	t0, t0, 12
	sub	sp, sp, t0
	li	ra, 0
	call	work_forever
	j	.

	.section .text.churn, "ax"
	.global churn
churn:
	.cfi_startproc
	addi	sp, sp, -16
	.cfi_def_cfa_offset 16
	STORE	ra, 8(sp)
	.cfi_offset ra, -8
	STORE	s0, 0(sp)
	.cfi_offset s0, -16
	mv	s0, a1
1:	call	work_stir
	addi	s0, s0, -1
	bnez	s0, 1b
	LOAD	s0, 0(sp)
	LOAD	ra, 8(sp)
	addi	sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
	.cfi_endproc

#endif
