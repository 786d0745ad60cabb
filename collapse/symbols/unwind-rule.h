/* SPDX-License-Identifier: ISC */
/*
 * How the caller of a frame is found at a program counter: rules in short, which hold for
 * most code and fit a cache, and at length.
 */
#ifndef UNWIND_RULE_H
#define UNWIND_RULE_H

#include <stdbool.h>

#include "arena.h"
#include "cfi.h"
#include "unwind.h"

enum { UNWIND_NO_REGISTER = 0xff };

/* Registers by their numbers in DWARF. */
struct unwind_cpu {
	unsigned elf;			/* e_machine */
	unsigned char sp, fp, pc, link; /* link: of the return address, or none */
	unsigned char n;
	const unsigned char *kernel; /* the kernel's number of each of the n first */
};

extern const struct unwind_cpu unwind_cpus[];

/* How most functions find their caller. The stack and frame pointers, and the
 * link register, are all that these rules use and give. */
enum unwind_cfa {
	UNWIND_CFA_NONE, /* no call frame information: by the frame pointer */
	UNWIND_CFA_SP,	 /* sp + cfa */
	UNWIND_CFA_FP,
	UNWIND_CFA_SP_DEREF, /* what is in memory at sp + cfa, + add */
	UNWIND_CFA_FP_DEREF,
	UNWIND_CFA_OUTERMOST,
	UNWIND_CFA_FULL /* by all registers: struct unwind_full */
};

enum unwind_saved {
	UNWIND_SAVED_NOT, /* unchanged */
	UNWIND_SAVED_CFA, /* in memory at CFA + fp, or + ra */
	UNWIND_SAVED_SP,
	UNWIND_SAVED_FP
};

struct unwind_rule {
	unsigned char cfa_kind, fp_kind, ra_kind; /* ra: UNWIND_SAVED_NOT or _CFA */
	bool signal;
	int32_t cfa, add, fp, ra;
};

/* The same at length: the registers that a row speaks of. */
struct unwind_full {
	struct cfi_rule cfa;
	struct cfi_rule ra;
	unsigned return_register;
	size_t n;
	struct unwind_register {
		unsigned reg;
		struct cfi_rule rule;
	} registers[];
};

/* The rule at ADDRESS of D. */
struct unwind_rule unwind_rule_find(
	const struct unwind_cpu *cpu, struct dso *d, uint64_t address);

/* The rule at ADDRESS of the code M. *ROW is what it was made of; false when there is
 * no such row. */
bool unwind_rule_made(const struct unwind_cpu *cpu, const struct dso_made *m,
	uint64_t address, struct unwind_rule *rule, struct cfi_row *row);

/* ROW at length, in A. */
const struct unwind_full *unwind_full_of(struct arena *a, const struct cfi_row *row);

/* The same at length, in A; NULL when the call frame information has none. */
const struct unwind_full *unwind_full_find(
	struct arena *a, const struct unwind_cpu *cpu, struct dso *d, uint64_t address);

#endif
