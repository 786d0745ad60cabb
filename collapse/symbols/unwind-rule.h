/* SPDX-License-Identifier: ISC */
/*
 * Rules for a program counter: short ones, which suit most code and fit a cache, and
 * full ones; and processors. Rules come from call frame information (cfi.h), or from
 * recognised code: stubs of linkers, returns of signal handlers, trampolines of
 * CPython.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "cfi-rule.h"
#include "dso.h"

enum unwind_machine {
	UNWIND_X86_64,
	UNWIND_AARCH64,
	UNWIND_RISCV64,
	UNWIND_I386, /* also 32-bit processes on x86-64 */
	UNWIND_MACHINES
};

enum { UNWIND_NO_REGISTER = 0xff };

/* Registers by their numbers in DWARF. */
struct unwind_cpu {
	unsigned elf;			/* e_machine */
	unsigned char sp, fp, pc, link; /* link: the return address's, or none */
	unsigned char word;		/* bytes of an address */
	signed char pair; /* offset from fp: the caller's fp and the return address */
	unsigned char n;
	const unsigned char *kernel; /* the kernel's numbers of the first n */
};

/* The caller's stack pointer before the call: the canonical frame address. */
enum {
	UNWIND_CFA_NONE, /* no call frame information: use the frame pointer */
	UNWIND_CFA_SP,	 /* sp + cfa */
	UNWIND_CFA_FP,
	UNWIND_CFA_SP_DEREF, /* the word at sp + cfa, + add */
	UNWIND_CFA_FP_DEREF,
	UNWIND_CFA_OUTERMOST,
	UNWIND_CFA_FULL /* needs all registers: struct unwind_full */
};

enum {
	UNWIND_SAVED_NOT, /* unchanged */
	UNWIND_SAVED_CFA, /* in memory at CFA + fp, or + ra */
	UNWIND_SAVED_SP,
	UNWIND_SAVED_FP
};

/* The rule of most functions. It uses and yields only the stack and frame pointers and
 * the link register. */
struct unwind_rule {
	unsigned char cfa_kind, fp_kind, ra_kind; /* ra: UNWIND_SAVED_NOT or _CFA */
	bool signal;
	bool switched; /* the caller is on another stack */
	int32_t cfa, add, fp, ra;
};

/* The full rule: the registers in a row. */
struct unwind_full {
	struct cfi_rule cfa;
	struct cfi_rule ra;
	unsigned return_register;
	size_t n;
	struct unwind_saved {
		unsigned reg;
		struct cfi_rule rule;
	} registers[];
};

const struct unwind_cpu *unwind_rule_cpu(enum unwind_machine machine);

/* The rule at ADDRESS of D, as its symbols count. */
struct unwind_rule unwind_rule_find(
	const struct unwind_cpu *cpu, struct dso *d, uint64_t address);

/* Sets *ROW to the row of that rule. Returns false if it does not come from a row. */
bool unwind_rule_row(const struct unwind_cpu *cpu, struct dso *d, uint64_t address,
	struct cfi_row *row);

/* Sets *RULE to the rule at ADDRESS of the code M. Returns whether it comes from a row,
 * *ROW. */
bool unwind_rule_made(const struct unwind_cpu *cpu, const struct jit_code *m,
	uint64_t address, struct unwind_rule *rule, struct cfi_row *row);

/* The full rule of ROW, in A. */
const struct unwind_full *unwind_rule_lengthen(
	struct arena *a, const struct cfi_row *row);

#endif
