/* SPDX-License-Identifier: ISC */
/*
 * Rules of call frame information: how to compute a caller's registers from the
 * callee's (DWARF 5, section 6.4). Programs make them: a CIE's for many functions, an
 * FDE's for one. A frame gives them values. cfi.h finds the entries.
 */
#ifndef CFI_RULE_H
#define CFI_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"
#include "str.h"

/* Registers by their numbers in DWARF. Rules of higher ones (vectors) are read and
 * dropped. */
enum { CFI_REGISTERS = 33 };

enum cfi_kind {
	CFI_UNSPECIFIED,      /* not mentioned: unchanged, except for the stack pointer */
	CFI_UNDEFINED,	      /* lost */
	CFI_SAME,	      /* unchanged */
	CFI_OFFSET,	      /* in memory at CFA + n */
	CFI_VALUE_OFFSET,     /* CFA + n */
	CFI_REGISTER,	      /* in register reg; of the CFA itself: reg + n */
	CFI_EXPRESSION,	      /* in memory at the expression's value */
	CFI_VALUE_EXPRESSION, /* the expression's value */
};

struct cfi_rule {
	unsigned char kind; /* enum cfi_kind */
	unsigned char reg;  /* CFI_REGISTERS: a higher one */
	bool swap;	    /* this and address_size are the expression's */
	unsigned char address_size;
	int64_t n; /* of an expression: its length */
	const char *expression;
};

/* A cursor in the expression of R. */
static inline struct bytes
cfi_rule_expression(const struct cfi_rule *r)
{
	return bytes_of((struct str){ r->expression, (size_t)r->n }, r->swap);
}

/* The rules for addresses in [start, end). */
struct cfi_row {
	uint64_t start, end;
	bool signal;		  /* a signal made the frame, not a call */
	bool switched;		  /* the caller is on another stack */
	unsigned return_register; /* < CFI_REGISTERS */
	struct cfi_rule cfa;	  /* CFI_REGISTER or CFI_VALUE_EXPRESSION */
	struct cfi_rule rules[CFI_REGISTERS];
};

/* The encodings of pointers in .eh_frame (Linux Standard Base, DWARF extensions): a
 * format, a base, and one flag. */
enum {
	CFI_ABSOLUTE = 0x00,
	CFI_FORMAT = 0x0f,
	CFI_RELATION = 0x70,
	CFI_ALIGNED = 0x50,
	CFI_INDIRECT = 0x80,
	CFI_OMIT = 0xff
};

struct cfi_section {
	struct str bytes;
	uint64_t address;    /* of the first byte, when the program runs */
	uint64_t text, data; /* bases of textrel and datarel pointers, or 0 */
	bool eh;	     /* .eh_frame, otherwise .debug_frame */
	bool swap;
	unsigned char address_size; /* 4 or 8 */
	uint16_t machine;
};

/* A cursor over S from OFFSET on. */
struct bytes cfi_section_at(const struct cfi_section *s, uint64_t offset);

/* Reads the pointer at B, a cursor in S. Returns false if the file does not determine
 * it; B is then behind it, or bad. */
bool cfi_section_pointer(
	const struct cfi_section *s, struct bytes *b, unsigned encoding, uint64_t *value);

/* The bytes of a pointer with ENCODING, 0 if they vary. */
unsigned cfi_section_pointer_size(const struct cfi_section *s, unsigned encoding);

/* The state that instructions change and remember_state saves. */
struct cfi_state {
	struct cfi_rule cfa;
	struct cfi_rule rules[CFI_REGISTERS];
};

struct cfi_cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_register;
	unsigned char encoding; /* of the pointers in its FDEs */
	bool sized;		/* its FDEs have augmentation data */
	bool signal;
	struct str program;
	struct cfi_state first; /* after the program; by cfi_program_begin */
};

struct cfi_fde {
	const struct cfi_cie *cie;
	uint64_t start, end;
	struct str program;
};

/* Runs the program of CIE. Returns false if it is malformed. */
bool cfi_program_begin(const struct cfi_section *s, struct cfi_cie *cie);

/* Runs the program of FDE for ADDRESS, which it covers. */
bool cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde,
	uint64_t address, struct cfi_row *row);

/* The known part of a frame: registers, and memory from STACK_AT on. */
struct cfi_frame {
	uint64_t regs[CFI_REGISTERS];
	uint64_t has;	  /* bit I: regs[I] is known */
	struct str stack; /* a snapshot */
	uint64_t stack_at;
	unsigned char word; /* bytes of a saved register: 4 or 8 */
	bool swap;	    /* its words are not in this machine's byte order */
};

enum cfi_result {
	CFI_DONE,
	CFI_OUTSIDE, /* it needs memory outside the snapshot */
	CFI_REFUSED  /* it needs an unknown register, or is malformed */
};

/* Whether register REG of F is known. */
static inline bool
cfi_has(const struct cfi_frame *f, uint64_t reg)
{
	return reg < CFI_REGISTERS && f->has >> reg & 1;
}

/* Reads SIZE bytes (1, 2, 4 or 8) at ADDRESS of F's memory into *VALUE. */
static inline enum cfi_result
cfi_read(const struct cfi_frame *f, uint64_t address, unsigned size, uint64_t *value)
{
	uint64_t at = address - f->stack_at;
	struct bytes b;

	if (f->stack.n < size || at > f->stack.n - size)
		return CFI_OUTSIDE;
	b = bytes_of((struct str){ f->stack.s + at, size }, f->swap);
	*value = bytes_uint(&b, size);
	return b.bad ? CFI_REFUSED : CFI_DONE;
}

/* Reads the word at ADDRESS, like cfi_read. */
static inline enum cfi_result
cfi_word(const struct cfi_frame *f, uint64_t address, uint64_t *value)
{
	return f->word == 8 ? cfi_read(f, address, 8, value)
			    : cfi_read(f, address, 4, value);
}

/* Sets *VALUE to the value of RULE in F, the callee's frame, whose canonical frame
 * address is *CFA (NULL for that address's own rule). Work is bounded. */
enum cfi_result cfi_rule_value(const struct cfi_rule *rule, const struct cfi_frame *f,
	const uint64_t *cfa, uint64_t *value);

#endif
