/* SPDX-License-Identifier: ISC */
/*
 * Rules for a program counter, in short, which hold for most code and fit a cache, and at
 * length; and the processors that have them. They come from call frame information (cfi.h), or
 * are known by the code itself: stubs of linkers, what a signal handler returns to, trampolines
 * of CPython.
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
	UNWIND_I386, /* also processes of 32 bits on x86-64 */
	UNWIND_MACHINES
};

enum { UNWIND_NO_REGISTER = 0xff };

/* Registers by their numbers in DWARF. */
struct unwind_cpu {
	unsigned elf;			/* e_machine */
	unsigned char sp, fp, pc, link; /* link: of the return address, or none */
	unsigned char word;		/* bytes of an address */
	signed char pair; /* from fp: where fp of the caller and the return address are */
	unsigned char n;
	const unsigned char *kernel; /* the kernel's number of each of the n first */
};

/* Where the caller's stack pointer was before the call, the canonical frame address. */
enum {
	UNWIND_CFA_NONE, /* no call frame information: by the frame pointer */
	UNWIND_CFA_SP,	 /* sp + cfa */
	UNWIND_CFA_FP,
	UNWIND_CFA_SP_DEREF, /* what is in memory at sp + cfa, + add */
	UNWIND_CFA_FP_DEREF,
	UNWIND_CFA_OUTERMOST,
	UNWIND_CFA_FULL /* by all registers: struct unwind_full */
};

enum {
	UNWIND_SAVED_NOT, /* unchanged */
	UNWIND_SAVED_CFA, /* in memory at CFA + fp, or + ra */
	UNWIND_SAVED_SP,
	UNWIND_SAVED_FP
};

/* How most functions find their caller. The stack and frame pointers, and the
 * link register, are all that these rules use and give. */
struct unwind_rule {
	unsigned char cfa_kind, fp_kind, ra_kind; /* ra: UNWIND_SAVED_NOT or _CFA */
	bool signal;
	bool switched; /* the caller is on another stack */
	int32_t cfa, add, fp, ra;
};

/* The same at length: the registers that a row speaks of. */
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

/* Sets *ROW to what that rule is made of; false when it is not of a row. */
bool unwind_rule_row(const struct unwind_cpu *cpu, struct dso *d, uint64_t address,
	struct cfi_row *row);

/* Sets *RULE to the rule at ADDRESS of the code M. True when it is made of a row, *ROW. */
bool unwind_rule_made(const struct unwind_cpu *cpu, const struct jit_code *m,
	uint64_t address, struct unwind_rule *rule, struct cfi_row *row);

/* ROW at length, in A. */
const struct unwind_full *unwind_rule_lengthen(
	struct arena *a, const struct cfi_row *row);

#endif
