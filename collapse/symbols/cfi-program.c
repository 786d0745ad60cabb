/* SPDX-License-Identifier: ISC */
/*
 * The programs of CIEs and FDEs: rows of rules, each for some addresses, told as
 * changes from one to the next (DWARF 5, 6.4.2 and 7.24; the numbers above 0x1c
 * are of MIPS, GNU and Arm).
 */
#include "cfi-parts.h"

enum { DEPTH_MAX = 16, STEPS_MAX = 1 << 20 };

enum op {
	OP_NOP,
	OP_SET_LOC,
	OP_ADVANCE_LOC1,
	OP_ADVANCE_LOC2,
	OP_ADVANCE_LOC4,
	OP_OFFSET_EXTENDED,
	OP_RESTORE_EXTENDED,
	OP_UNDEFINED,
	OP_SAME_VALUE,
	OP_REGISTER,
	OP_REMEMBER_STATE,
	OP_RESTORE_STATE,
	OP_DEF_CFA,
	OP_DEF_CFA_REGISTER,
	OP_DEF_CFA_OFFSET,
	OP_DEF_CFA_EXPRESSION,
	OP_EXPRESSION,
	OP_OFFSET_EXTENDED_SF,
	OP_DEF_CFA_SF,
	OP_DEF_CFA_OFFSET_SF,
	OP_VAL_OFFSET,
	OP_VAL_OFFSET_SF,
	OP_VAL_EXPRESSION,
	OP_MIPS_ADVANCE_LOC8 = 0x1d,
	OP_ARM_NEGATE_STATE_WITH_PC = 0x2c,
	OP_ARM_NEGATE_STATE = 0x2d, /* GNU_window_save on SPARC */
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* Those whose low six bits are an operand. */
	OP_ADVANCE_LOC = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0
};

/* Operands: fixed sizes, R a register, U a plain number, F and S one that the
 * data alignment is multiplied with, T a signed plain one, B a block. */
static const char operands[0x30][3] = {
	[OP_ADVANCE_LOC1] = "1",
	[OP_ADVANCE_LOC2] = "2",
	[OP_ADVANCE_LOC4] = "4",
	[OP_OFFSET_EXTENDED] = "RF",
	[OP_RESTORE_EXTENDED] = "R",
	[OP_UNDEFINED] = "R",
	[OP_SAME_VALUE] = "R",
	[OP_REGISTER] = "RU",
	[OP_DEF_CFA] = "RU",
	[OP_DEF_CFA_REGISTER] = "R",
	[OP_DEF_CFA_OFFSET] = "U",
	[OP_DEF_CFA_EXPRESSION] = "B",
	[OP_EXPRESSION] = "RB",
	[OP_OFFSET_EXTENDED_SF] = "RS",
	[OP_DEF_CFA_SF] = "RS",
	[OP_DEF_CFA_OFFSET_SF] = "S",
	[OP_VAL_OFFSET] = "RF",
	[OP_VAL_OFFSET_SF] = "RS",
	[OP_VAL_EXPRESSION] = "RB",
	[OP_MIPS_ADVANCE_LOC8] = "8",
	[OP_GNU_ARGS_SIZE] = "U",
	[OP_GNU_NEGATIVE_OFFSET_EXTENDED] = "RF",
};

struct instruction {
	unsigned op;
	uint64_t reg; /* or the distance of an advance */
	uint64_t n;
	struct str block;
};

struct run {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	const struct cfi_fde *fde; /* NULL: it is the CIE's program */
	uint64_t target, at;
	bool arrived; /* at the target's row */
	struct cfi_state now, saved[DEPTH_MAX];
	unsigned depth;
};

static void
take_operand(
	const struct cfi_cie *cie, struct bytes *b, char kind, struct instruction *in)
{
	uint64_t align = (uint64_t)cie->data_align;

	switch (kind) {
	case '1':
	case '2':
	case '4':
	case '8': in->reg = bytes_uint(b, (unsigned)(kind - '0')); break;
	case 'R': in->reg = bytes_uleb(b); break;
	case 'U': in->n = bytes_uleb(b); break;
	case 'F': in->n = bytes_uleb(b) * align; break;
	case 'S': in->n = (uint64_t)bytes_sleb(b) * align; break;
	case 'B': in->block = bytes_take(b, bytes_uleb(b)); break;
	default: break;
	}
}

static struct instruction
take_instruction(const struct cfi_cie *cie, struct bytes *b)
{
	unsigned byte = bytes_u8(b);
	struct instruction in = { .op = byte };

	if (byte & 0xc0) {
		in.op = byte & 0xc0;
		in.reg = byte & 0x3f;
		if (in.op == OP_OFFSET)
			take_operand(cie, b, 'F', &in);
	} else if (byte < sizeof operands / sizeof *operands) {
		take_operand(cie, b, operands[byte][0], &in);
		if (operands[byte][0])
			take_operand(cie, b, operands[byte][1], &in);
	}
	return in;
}

/* Goes on to the row that begins at TO. */
static bool
advance(struct run *r, uint64_t to, struct cfi_row *row)
{
	if (!r->fde || to < r->at)
		return false;
	if (to > r->target) {
		row->end = to < row->end ? to : row->end;
		r->arrived = true;
		return true;
	}
	row->start = r->at = to;
	return true;
}

static bool
set_location(struct run *r, struct bytes *b, struct cfi_row *row)
{
	struct bytes at = { b->at, b->end, b->swap, b->bad };
	uint64_t to;
	bool known = cfi_section_pointer(r->section, &at, r->cie->encoding, &to);

	*b = at;
	return known && advance(r, to, row);
}

static bool
set_rule(struct run *r, uint64_t reg, struct cfi_rule rule)
{
	if (reg < CFI_REGISTERS)
		r->now.rules[reg] = rule;
	return true;
}

static bool
set_cfa(struct run *r, uint64_t reg, uint64_t n)
{
	if (reg >= CFI_REGISTERS)
		return false;
	r->now.cfa = (struct cfi_rule){
		.kind = CFI_REGISTER, .reg = (unsigned char)reg, .n = (int64_t)n
	};
	return true;
}

static bool
restore_rule(struct run *r, uint64_t reg)
{
	static const struct cfi_rule none = { .kind = CFI_UNSPECIFIED };

	if (reg >= CFI_REGISTERS)
		return true;
	return set_rule(r, reg, r->fde ? r->cie->first.rules[reg] : none);
}

static bool
remember(struct run *r)
{
	if (r->depth == DEPTH_MAX)
		return false;
	r->saved[r->depth++] = r->now;
	return true;
}

static bool
recall(struct run *r)
{
	if (!r->depth)
		return false;
	r->now = r->saved[--r->depth];
	return true;
}

/* A rule with the expression of IN. */
static struct cfi_rule
expression_rule(const struct run *r, enum cfi_kind kind, const struct instruction *in)
{
	return (struct cfi_rule){ .kind = (unsigned char)kind,
		.swap = r->section->swap,
		.address_size = r->section->address_size,
		.n = (int64_t)in->block.n,
		.expression = in->block.s };
}

/* Instructions about one register that give it a rule. */
static bool
make_rule(struct run *r, const struct instruction *in)
{
	struct cfi_rule rule = { .n = (int64_t)in->n };

	switch (in->op) {
	case OP_OFFSET:
	case OP_OFFSET_EXTENDED:
	case OP_OFFSET_EXTENDED_SF: rule.kind = CFI_OFFSET; break;
	case OP_GNU_NEGATIVE_OFFSET_EXTENDED:
		rule.kind = CFI_OFFSET;
		rule.n = (int64_t)-in->n;
		break;
	case OP_VAL_OFFSET:
	case OP_VAL_OFFSET_SF: rule.kind = CFI_VALUE_OFFSET; break;
	case OP_UNDEFINED: rule.kind = CFI_UNDEFINED; break;
	case OP_SAME_VALUE: rule.kind = CFI_SAME; break;
	case OP_REGISTER:
		rule.kind = CFI_REGISTER;
		rule.reg = in->n < CFI_REGISTERS ? (unsigned char)in->n : CFI_REGISTERS;
		rule.n = 0;
		break;
	case OP_EXPRESSION: rule = expression_rule(r, CFI_EXPRESSION, in); break;
	case OP_VAL_EXPRESSION:
		rule = expression_rule(r, CFI_VALUE_EXPRESSION, in);
		break;
	default: return false;
	}
	return set_rule(r, in->reg, rule);
}

/* Instructions about the CFA. */
static bool
define_cfa(struct run *r, const struct instruction *in)
{
	struct cfi_rule *cfa = &r->now.cfa;

	switch (in->op) {
	case OP_DEF_CFA:
	case OP_DEF_CFA_SF: return set_cfa(r, in->reg, in->n);
	case OP_DEF_CFA_REGISTER:
		return cfa->kind == CFI_REGISTER && set_cfa(r, in->reg, (uint64_t)cfa->n);
	case OP_DEF_CFA_OFFSET:
	case OP_DEF_CFA_OFFSET_SF:
		return cfa->kind == CFI_REGISTER && set_cfa(r, cfa->reg, in->n);
	case OP_DEF_CFA_EXPRESSION:
		*cfa = expression_rule(r, CFI_VALUE_EXPRESSION, in);
		return true;
	default: return make_rule(r, in);
	}
}

static bool
step(struct run *r, const struct instruction *in, struct bytes *b, struct cfi_row *row)
{
	switch (in->op) {
	case OP_NOP:
	case OP_GNU_ARGS_SIZE: return true;
	case OP_SET_LOC: return set_location(r, b, row);
	case OP_ADVANCE_LOC:
	case OP_ADVANCE_LOC1:
	case OP_ADVANCE_LOC2:
	case OP_ADVANCE_LOC4:
	case OP_MIPS_ADVANCE_LOC8:
		return advance(r, r->at + in->reg * r->cie->code_align, row);
	case OP_RESTORE:
	case OP_RESTORE_EXTENDED: return restore_rule(r, in->reg);
	case OP_REMEMBER_STATE: return remember(r);
	case OP_RESTORE_STATE: return recall(r);
	/* Whether return addresses are signed: they are stripped in any case. */
	case OP_ARM_NEGATE_STATE:
	case OP_ARM_NEGATE_STATE_WITH_PC: return r->section->machine == ELF_AARCH64;
	default: return define_cfa(r, in);
	}
}

static bool
run(struct run *r, struct str program, struct cfi_row *row)
{
	struct bytes b = bytes_of(program, r->section->swap);
	struct instruction in;
	unsigned steps;

	for (steps = 0; bytes_left(&b) && !r->arrived; steps++) {
		in = take_instruction(r->cie, &b);
		if (steps == STEPS_MAX || b.bad || !step(r, &in, &b, row))
			return false;
	}
	return true;
}

bool
cfi_program_begin(const struct cfi_section *s, struct cfi_cie *cie)
{
	struct cfi_row row;
	struct run r;

	/* Not all of it: the saved states are large and seldom used. */
	r.section = s;
	r.cie = cie;
	r.fde = NULL;
	r.arrived = false;
	r.depth = 0;
	memset(&r.now, 0, sizeof r.now);
	if (!run(&r, cie->program, &row))
		return false;
	cie->first = r.now;
	return true;
}

bool
cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde, uint64_t address,
	struct cfi_row *row)
{
	struct run r;

	r.section = s;
	r.cie = fde->cie;
	r.fde = fde;
	r.target = address;
	r.at = row->start = fde->start;
	row->end = fde->end;
	r.arrived = false;
	r.depth = 0;
	r.now = fde->cie->first;
	if (!run(&r, fde->program, row))
		return false;
	row->signal = fde->cie->signal;
	row->return_register = (unsigned)fde->cie->return_register;
	row->cfa = r.now.cfa;
	memcpy(row->rules, r.now.rules, sizeof row->rules);
	return row->cfa.kind != CFI_UNSPECIFIED;
}
