/* SPDX-License-Identifier: ISC */
/*
 * Call frame information: how the registers of a caller are found from those of
 * the function at an address. From .eh_frame, by way of PT_GNU_EH_FRAME, and
 * from .debug_frame (DWARF 5, section 6.4; Linux Standard Base, eh_frame).
 *
 * Of an FDE that is damaged, too deep or of an augmentation that is not known,
 * nothing is believed: its addresses have no row.
 */
#ifndef CFI_H
#define CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "elf.h"
#include "str.h"

struct cfi;

/* The tables of CODE, and of DEBUG (or NULL) for what CODE lacks; both must
 * outlive the result. NULL when neither has any. */
struct cfi *cfi_new(struct elf *code, struct elf *debug);
void cfi_free(struct cfi *c);

/* Registers by their numbers in DWARF. Rules of those above (vectors) are read
 * and dropped. */
enum { CFI_REGISTERS = 33 };

/* A DWARF expression, borrowed from the file it is in. */
struct cfi_expression {
	struct str bytes;
	bool swap;
	unsigned char address_size;
};

enum cfi_kind {
	CFI_UNSPECIFIED,      /* nothing said: unchanged, but for the stack pointer */
	CFI_UNDEFINED,	      /* lost */
	CFI_SAME,	      /* unchanged */
	CFI_OFFSET,	      /* in memory at CFA + n */
	CFI_VALUE_OFFSET,     /* CFA + n */
	CFI_REGISTER,	      /* in register reg; of the CFA itself: reg + n */
	CFI_EXPRESSION,	      /* in memory at what it gives */
	CFI_VALUE_EXPRESSION, /* what it gives */
};

struct cfi_rule {
	unsigned char kind; /* enum cfi_kind */
	unsigned char reg;  /* CFI_REGISTERS: one of those above */
	bool swap;	    /* these two are of the expression */
	unsigned char address_size;
	int64_t n; /* of an expression: its length */
	const char *expression;
};

static inline struct cfi_expression
cfi_rule_expression(const struct cfi_rule *r)
{
	return (struct cfi_expression){ { r->expression, (size_t)r->n }, r->swap,
		r->address_size };
}

/* The rules that hold for addresses from start to before end. */
struct cfi_row {
	uint64_t start, end;
	bool signal;		  /* the frame was made by a signal, not by a call */
	unsigned return_register; /* < CFI_REGISTERS */
	struct cfi_rule cfa;	  /* CFI_REGISTER or CFI_VALUE_EXPRESSION */
	struct cfi_rule rules[CFI_REGISTERS];
};

/* Sets *ROW to the rules at ADDRESS, as the symbols of the file count. False
 * when there are none. */
bool cfi_find(struct cfi *c, uint64_t address, struct cfi_row *row);

/* Code of SIZE bytes that was made at run time for MACHINE, with an .eh_frame of its
 * own. */
struct cfi_made {
	struct str frames;
	uint64_t size;
	uint16_t machine;
	bool swap;
};

/* The same at OFFSET in M, by its first FDE, whatever addresses that has. */
bool cfi_find_made(const struct cfi_made *m, uint64_t offset, struct cfi_row *row);

/* What is known of a frame: registers, and memory from STACK_AT on. */
struct cfi_frame {
	uint64_t regs[CFI_REGISTERS];
	uint64_t has;	  /* bit I: regs[I] is known */
	struct str stack; /* a snapshot */
	uint64_t stack_at;
	bool swap; /* its words are not in this machine's byte order */
};

enum cfi_result {
	CFI_DONE,
	CFI_OUTSIDE, /* it takes memory that is not in the snapshot */
	CFI_REFUSED  /* it takes a register that is not known, or is malformed */
};

/* SIZE bytes (1, 2, 4 or 8) at ADDRESS of F's memory into *VALUE. */
static inline enum cfi_result
cfi_read(const struct cfi_frame *f, uint64_t address, unsigned size, uint64_t *value)
{
	uint64_t at = address - f->stack_at;
	struct bytes b = { f->stack.s, f->stack.s, f->swap, false };

	if (f->stack.n < size || at > f->stack.n - size)
		return CFI_OUTSIDE;
	b.at += at;
	b.end = b.at + size;
	*value = bytes_uint(&b, size);
	return b.bad ? CFI_REFUSED : CFI_DONE;
}

/* The value of X in F, with *FIRST (unless NULL) on the stack before it begins.
 * The number of steps and the depth of the stack are bounded. */
enum cfi_result cfi_evaluate(const struct cfi_expression *x, const struct cfi_frame *f,
	const uint64_t *first, uint64_t *value);

#endif
