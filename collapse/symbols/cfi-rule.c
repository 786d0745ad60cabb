/* SPDX-License-Identifier: ISC */
/*
 * Rules for registers; see cfi-rule.h: the pointers of a section, the programs of its
 * entries, which make rules, and the values of rules in a frame.
 */
#include "cfi-rule.h"
#include "budget.h"
#include "elf.h"

struct bytes
cfi_section_at(const struct cfi_section *s, uint64_t offset)
{
	struct bytes b = bytes_of(s->bytes, s->swap);

	bytes_skip(&b, offset);
	return b;
}

/* The address that B is at. */
static uint64_t
address_of(const struct cfi_section *s, const struct bytes *b)
{
	return s->address + bytes_offset(b, s->bytes);
}

/* Sizes by format. 0: an address; 1 and 9: variable length; the upper half is signed;
 * 255: not a format. */
static const unsigned char sizes[16] = { 0, 1, 2, 4, 8, 255, 255, 255, 0, 1, 2, 4, 8, 255,
	255, 255 };

unsigned
cfi_section_pointer_size(const struct cfi_section *s, unsigned encoding)
{
	unsigned format = encoding & CFI_FORMAT;

	if (encoding == CFI_OMIT || encoding == CFI_ALIGNED || sizes[format] == 255 ||
		sizes[format] == 1)
		return 0;
	return sizes[format] ? sizes[format] : s->address_size;
}

static uint64_t
sign_extend(uint64_t v, unsigned size)
{
	uint64_t sign = (uint64_t)1 << (size * 8 - 1);

	return size == 8 ? v : (v ^ sign) - sign;
}

/* Reads a number with the FORMAT of a pointer. */
static uint64_t
read_number(const struct cfi_section *s, struct bytes *b, unsigned format)
{
	unsigned size = sizes[format];
	uint64_t v;

	if (size == 255) {
		bytes_fail(b);
		return 0;
	}
	if (size == 1)
		return format & 8 ? (uint64_t)bytes_sleb(b) : bytes_uleb(b);
	size = size ? size : s->address_size;
	v = bytes_uint(b, size);
	return format & 8 ? sign_extend(v, size) : v;
}

static bool
read_aligned(const struct cfi_section *s, struct bytes *b, uint64_t *value)
{
	bytes_skip(b, -address_of(s, b) & (s->address_size - 1u));
	*value = bytes_uint(b, s->address_size);
	return !b->bad;
}

bool
cfi_section_pointer(
	const struct cfi_section *s, struct bytes *b, unsigned encoding, uint64_t *value)
{
	uint64_t from, base = 0;

	*value = 0;
	if (encoding == CFI_OMIT)
		return false;
	if ((encoding & ~(unsigned)CFI_INDIRECT) == CFI_ALIGNED)
		return read_aligned(s, b, value) && !(encoding & CFI_INDIRECT);
	from = address_of(s, b);
	*value = read_number(s, b, encoding & CFI_FORMAT);
	switch (encoding & CFI_RELATION) {
	case 0x00: break;
	case 0x10: base = from; break;
	case 0x20: base = s->text; break;
	case 0x30: base = s->data; break;
	default: return false; /* relative to the function: not needed here */
	}
	if (!base && encoding & CFI_RELATION)
		return false;
	*value += base;
	if (s->address_size == 4)
		*value &= UINT32_MAX;
	return !b->bad && !(encoding & CFI_INDIRECT);
}

/*
 * The programs of CIEs and FDEs: rows of rules, each for some addresses, stored as
 * changes from row to row (DWARF 5, 6.4.2 and 7.24; numbers above 0x1c are extensions
 * by MIPS, GNU and Arm).
 */

enum { SAVED_MAX = 16, INSTRUCTIONS_MAX = 1 << 20 };

enum {
	CFA_NOP,
	CFA_SET_LOC,
	CFA_ADVANCE_LOC1,
	CFA_ADVANCE_LOC2,
	CFA_ADVANCE_LOC4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_REGISTER,
	CFA_REMEMBER_STATE,
	CFA_RESTORE_STATE,
	CFA_DEF_CFA,
	CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION,
	CFA_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_MIPS_ADVANCE_LOC8 = 0x1d,
	CFA_ARM_NEGATE_STATE_WITH_PC = 0x2c,
	CFA_ARM_NEGATE_STATE = 0x2d, /* GNU_window_save on SPARC */
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
	/* Instructions whose low six bits are an operand. */
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0
};

/* Operands: digits are sizes, R a register, U an unsigned number, F and S an unsigned
 * and a signed number that the data alignment multiplies, B a block. */
static const char operands[0x30][3] = {
	[CFA_ADVANCE_LOC1] = "1",
	[CFA_ADVANCE_LOC2] = "2",
	[CFA_ADVANCE_LOC4] = "4",
	[CFA_OFFSET_EXTENDED] = "RF",
	[CFA_RESTORE_EXTENDED] = "R",
	[CFA_UNDEFINED] = "R",
	[CFA_SAME_VALUE] = "R",
	[CFA_REGISTER] = "RU",
	[CFA_DEF_CFA] = "RU",
	[CFA_DEF_CFA_REGISTER] = "R",
	[CFA_DEF_CFA_OFFSET] = "U",
	[CFA_DEF_CFA_EXPRESSION] = "B",
	[CFA_EXPRESSION] = "RB",
	[CFA_OFFSET_EXTENDED_SF] = "RS",
	[CFA_DEF_CFA_SF] = "RS",
	[CFA_DEF_CFA_OFFSET_SF] = "S",
	[CFA_VAL_OFFSET] = "RF",
	[CFA_VAL_OFFSET_SF] = "RS",
	[CFA_VAL_EXPRESSION] = "RB",
	[CFA_MIPS_ADVANCE_LOC8] = "8",
	[CFA_GNU_ARGS_SIZE] = "U",
	[CFA_GNU_NEGATIVE_OFFSET_EXTENDED] = "RF",
};

struct instruction {
	unsigned op;
	uint64_t reg; /* or the distance of an advance */
	uint64_t n;
	struct str block;
};

struct run_program {
	const struct cfi_section *section;
	const struct cfi_cie *cie;
	const struct cfi_fde *fde; /* NULL for the CIE's program */
	uint64_t target, at;
	bool arrived; /* at the target's row */
	struct cfi_state now, saved[SAVED_MAX];
	unsigned depth;
};

static void
read_operand(
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
read_instruction(const struct cfi_cie *cie, struct bytes *b)
{
	unsigned byte = bytes_u8(b);
	struct instruction in = { .op = byte };

	if (byte & 0xc0) {
		in.op = byte & 0xc0;
		in.reg = byte & 0x3f;
		if (in.op == CFA_OFFSET)
			read_operand(cie, b, 'F', &in);
	} else if (byte < sizeof operands / sizeof *operands) {
		read_operand(cie, b, operands[byte][0], &in);
		if (operands[byte][0])
			read_operand(cie, b, operands[byte][1], &in);
	}
	return in;
}

/* Advances to the row that begins at TO. */
static bool
advance(struct run_program *r, uint64_t to, struct cfi_row *row)
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
set_location(struct run_program *r, struct bytes *b, struct cfi_row *row)
{
	struct bytes at = *b;
	uint64_t to;
	bool known = cfi_section_pointer(r->section, &at, r->cie->encoding, &to);

	*b = at;
	return known && advance(r, to, row);
}

static bool
set_rule(struct run_program *r, uint64_t reg, struct cfi_rule rule)
{
	if (reg < CFI_REGISTERS)
		r->now.rules[reg] = rule;
	return true;
}

static bool
set_cfa(struct run_program *r, uint64_t reg, uint64_t n)
{
	if (reg >= CFI_REGISTERS)
		return false;
	r->now.cfa = (struct cfi_rule){
		.kind = CFI_REGISTER, .reg = (unsigned char)reg, .n = (int64_t)n
	};
	return true;
}

static bool
restore_rule(struct run_program *r, uint64_t reg)
{
	static const struct cfi_rule none = { .kind = CFI_UNSPECIFIED };

	if (reg >= CFI_REGISTERS)
		return true;
	return set_rule(r, reg, r->fde ? r->cie->first.rules[reg] : none);
}

static bool
remember(struct run_program *r)
{
	if (r->depth == SAVED_MAX)
		return false;
	r->saved[r->depth++] = r->now;
	return true;
}

static bool
recall(struct run_program *r)
{
	if (!r->depth)
		return false;
	r->now = r->saved[--r->depth];
	return true;
}

/* A rule with the expression of IN. */
static struct cfi_rule
expression_rule(
	const struct run_program *r, enum cfi_kind kind, const struct instruction *in)
{
	return (struct cfi_rule){ .kind = (unsigned char)kind,
		.swap = r->section->swap,
		.address_size = r->section->address_size,
		.n = (int64_t)in->block.n,
		.expression = in->block.s };
}

/* Instructions that give one register a rule. */
static bool
make_rule(struct run_program *r, const struct instruction *in)
{
	struct cfi_rule rule = { .n = (int64_t)in->n };

	switch (in->op) {
	case CFA_OFFSET:
	case CFA_OFFSET_EXTENDED:
	case CFA_OFFSET_EXTENDED_SF: rule.kind = CFI_OFFSET; break;
	case CFA_GNU_NEGATIVE_OFFSET_EXTENDED:
		rule.kind = CFI_OFFSET;
		rule.n = (int64_t)-in->n;
		break;
	case CFA_VAL_OFFSET:
	case CFA_VAL_OFFSET_SF: rule.kind = CFI_VALUE_OFFSET; break;
	case CFA_UNDEFINED: rule.kind = CFI_UNDEFINED; break;
	case CFA_SAME_VALUE: rule.kind = CFI_SAME; break;
	case CFA_REGISTER:
		rule.kind = CFI_REGISTER;
		rule.reg = in->n < CFI_REGISTERS ? (unsigned char)in->n : CFI_REGISTERS;
		rule.n = 0;
		break;
	case CFA_EXPRESSION: rule = expression_rule(r, CFI_EXPRESSION, in); break;
	case CFA_VAL_EXPRESSION:
		rule = expression_rule(r, CFI_VALUE_EXPRESSION, in);
		break;
	default: return false;
	}
	return set_rule(r, in->reg, rule);
}

/* Instructions about the CFA. */
static bool
define_cfa(struct run_program *r, const struct instruction *in)
{
	struct cfi_rule *cfa = &r->now.cfa;

	switch (in->op) {
	case CFA_DEF_CFA:
	case CFA_DEF_CFA_SF: return set_cfa(r, in->reg, in->n);
	/* RISC-V assemblers emit this first, for an offset of 0. */
	case CFA_DEF_CFA_REGISTER:
		return (cfa->kind == CFI_REGISTER || cfa->kind == CFI_UNSPECIFIED) &&
			set_cfa(r, in->reg, (uint64_t)cfa->n);
	case CFA_DEF_CFA_OFFSET:
	case CFA_DEF_CFA_OFFSET_SF:
		return cfa->kind == CFI_REGISTER && set_cfa(r, cfa->reg, in->n);
	case CFA_DEF_CFA_EXPRESSION:
		*cfa = expression_rule(r, CFI_VALUE_EXPRESSION, in);
		return true;
	default: return make_rule(r, in);
	}
}

static bool
follow(struct run_program *r, const struct instruction *in, struct bytes *b,
	struct cfi_row *row)
{
	switch (in->op) {
	case CFA_NOP:
	case CFA_GNU_ARGS_SIZE: return true;
	case CFA_SET_LOC: return set_location(r, b, row);
	case CFA_ADVANCE_LOC:
	case CFA_ADVANCE_LOC1:
	case CFA_ADVANCE_LOC2:
	case CFA_ADVANCE_LOC4:
	case CFA_MIPS_ADVANCE_LOC8:
		return advance(r, r->at + in->reg * r->cie->code_align, row);
	case CFA_RESTORE:
	case CFA_RESTORE_EXTENDED: return restore_rule(r, in->reg);
	case CFA_REMEMBER_STATE: return remember(r);
	case CFA_RESTORE_STATE: return recall(r);
	/* These toggle the signing of return addresses, whose signatures are stripped
	 * anyway. */
	case CFA_ARM_NEGATE_STATE:
	case CFA_ARM_NEGATE_STATE_WITH_PC: return r->section->machine == ELF_AARCH64;
	default: return define_cfa(r, in);
	}
}

static bool
run_program(struct run_program *r, struct str program, struct cfi_row *row)
{
	struct bytes b = bytes_of(program, r->section->swap);
	struct instruction in;
	unsigned steps;

	for (steps = 0; bytes_left(&b) && !r->arrived; steps++) {
		in = read_instruction(r->cie, &b);
		if (steps == INSTRUCTIONS_MAX || b.bad || !follow(r, &in, &b, row))
			return false;
	}
	return true;
}

bool
cfi_program_begin(const struct cfi_section *s, struct cfi_cie *cie)
{
	struct cfi_row row;
	struct run_program r;

	/* Not the saved states, which are large and rarely used. */
	r.section = s;
	r.cie = cie;
	r.fde = NULL;
	r.arrived = false;
	r.depth = 0;
	memset(&r.now, 0, sizeof r.now);
	if (!budget_draw(BUDGET_STEPS, cie->program.n) ||
		!run_program(&r, cie->program, &row))
		return false;
	cie->first = r.now;
	return true;
}

bool
cfi_program_run(const struct cfi_section *s, const struct cfi_fde *fde, uint64_t address,
	struct cfi_row *row)
{
	struct run_program r;

	r.section = s;
	r.cie = fde->cie;
	r.fde = fde;
	r.target = address;
	r.at = row->start = fde->start;
	row->end = fde->end;
	r.arrived = false;
	r.depth = 0;
	r.now = fde->cie->first;
	if (!budget_draw(BUDGET_STEPS, fde->program.n) ||
		!run_program(&r, fde->program, row))
		return false;
	row->signal = fde->cie->signal;
	row->switched = false;
	row->return_register = (unsigned)fde->cie->return_register;
	row->cfa = r.now.cfa;
	memcpy(row->rules, r.now.rules, sizeof row->rules);
	return row->cfa.kind != CFI_UNSPECIFIED;
}

/*
 * Values of rules in a frame, by DWARF expressions (DWARF 5, 2.5) as far as rules need
 * them: all operations except for locations, objects, types and other units.
 */

enum { DEPTH_MAX = 64, STEPS_MAX = 4096 };

enum {
	OP_ADDR = 0x03,
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST8S = 0x0f,
	OP_CONSTU = 0x10,
	OP_CONSTS,
	OP_DUP,
	OP_DROP,
	OP_OVER,
	OP_PICK,
	OP_SWAP,
	OP_ROT,
	OP_ABS = 0x19,
	OP_AND,
	OP_DIV,
	OP_MINUS,
	OP_MOD,
	OP_MUL,
	OP_NEG,
	OP_NOT,
	OP_OR,
	OP_PLUS,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_SHR,
	OP_SHRA,
	OP_XOR,
	OP_BRA,
	OP_EQ,
	OP_GE,
	OP_GT,
	OP_LE,
	OP_LT,
	OP_NE,
	OP_SKIP,
	OP_LIT0,
	OP_LIT31 = OP_LIT0 + 31,
	OP_BREG0 = 0x70,
	OP_BREG31 = OP_BREG0 + 31,
	OP_BREGX = 0x92,
	OP_DEREF_SIZE = 0x94,
	OP_NOP = 0x96
};

struct machine {
	const struct cfi_frame *frame;
	unsigned address_size;
	struct bytes code;
	struct bytes whole;
	uint64_t stack[DEPTH_MAX];
	unsigned n;
	enum cfi_result result;
};

static void
fail(struct machine *m, enum cfi_result why)
{
	if (m->result == CFI_DONE)
		m->result = why;
}

static void
push(struct machine *m, uint64_t v)
{
	if (m->n == DEPTH_MAX)
		fail(m, CFI_REFUSED);
	else
		m->stack[m->n++] = m->address_size == 4 ? v & UINT32_MAX : v;
}

static uint64_t
pop(struct machine *m)
{
	if (m->n)
		return m->stack[--m->n];
	fail(m, CFI_REFUSED);
	return 0;
}

/* Pushes the value AT places below the top. */
static void
pick(struct machine *m, unsigned at)
{
	if (at < m->n)
		push(m, m->stack[m->n - 1 - at]);
	else
		fail(m, CFI_REFUSED);
}

static void
swap_top(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m);

	push(m, a);
	push(m, b);
}

/* Moves the top below the next two values. */
static void
rotate(struct machine *m)
{
	uint64_t a = pop(m), b = pop(m), c = pop(m);

	push(m, a);
	push(m, c);
	push(m, b);
}

static int64_t
as_signed(const struct machine *m, uint64_t v)
{
	return m->address_size == 4 ? (int32_t)(uint32_t)v : (int64_t)v;
}

static void
deref(struct machine *m, unsigned size)
{
	uint64_t v = 0;
	enum cfi_result r;

	if (size > m->address_size) {
		fail(m, CFI_REFUSED);
		return;
	}
	r = cfi_read(m->frame, pop(m), size, &v);
	if (r != CFI_DONE)
		fail(m, r);
	push(m, v);
}

static void
push_register(struct machine *m, uint64_t reg)
{
	uint64_t n = (uint64_t)bytes_sleb(&m->code);

	if (cfi_has(m->frame, reg))
		push(m, m->frame->regs[reg] + n);
	else
		fail(m, CFI_REFUSED);
}

static void
jump(struct machine *m)
{
	int16_t by = (int16_t)bytes_u16(&m->code);
	uint64_t to = bytes_between(&m->whole, &m->code) + (uint64_t)(int64_t)by;

	if (m->code.bad)
		return;
	/* A place before the beginning becomes a large number, so that the code is
	 * bad. */
	m->code = m->whole;
	bytes_skip(&m->code, to);
}

/* const1u, const1s, const2u ... const8s */
static void
push_constant(struct machine *m, unsigned op)
{
	unsigned size = 1u << (op - OP_CONST1U) / 2;
	uint64_t v = bytes_uint(&m->code, size), sign = (uint64_t)1 << (size * 8 - 1);

	if ((op - OP_CONST1U) & 1)
		v = (v ^ sign) - sign;
	push(m, v);
}

/* Signed division; cases that would trap are refused. */
static uint64_t
divide(struct machine *m, uint64_t a, uint64_t b)
{
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	if (y == 0)
		fail(m, CFI_REFUSED);
	if (y == 0 || y == -1)
		return 0 - a;
	return (uint64_t)(x / y);
}

static uint64_t
remainder_of(struct machine *m, uint64_t a, uint64_t b)
{
	if (b == 0)
		fail(m, CFI_REFUSED);
	return b ? a % b : 0;
}

static uint64_t
shift_arithmetic(const struct machine *m, uint64_t a, uint64_t b)
{
	uint64_t ones = as_signed(m, a) < 0 ? UINT64_MAX : 0;

	a = (uint64_t)as_signed(m, a);
	if (b == 0)
		return a;
	return b < 64 ? a >> b | ones << (64 - b) : ones;
}

/* A op B, where A was pushed first. */
static uint64_t
calculate(struct machine *m, unsigned op, uint64_t a, uint64_t b)
{
	int64_t x = as_signed(m, a), y = as_signed(m, b);

	switch (op) {
	case OP_AND: return a & b;
	case OP_DIV: return divide(m, a, b);
	case OP_MINUS: return a - b;
	case OP_MOD: return remainder_of(m, a, b);
	case OP_MUL: return a * b;
	case OP_OR: return a | b;
	case OP_PLUS: return a + b;
	case OP_SHL: return b < 64 ? a << b : 0;
	case OP_SHR: return b < 64 ? a >> b : 0;
	case OP_SHRA: return shift_arithmetic(m, a, b);
	case OP_XOR: return a ^ b;
	case OP_EQ: return x == y;
	case OP_GE: return x >= y;
	case OP_GT: return x > y;
	case OP_LE: return x <= y;
	case OP_LT: return x < y;
	case OP_NE: return x != y;
	default: fail(m, CFI_REFUSED); return 0;
	}
}

/* Operations on the top one or two values. */
static void
operate(struct machine *m, unsigned op)
{
	uint64_t b = pop(m), a;

	switch (op) {
	case OP_ABS: push(m, as_signed(m, b) < 0 ? 0 - b : b); break;
	case OP_NEG: push(m, 0 - b); break;
	case OP_NOT: push(m, ~b); break;
	case OP_PLUS_UCONST: push(m, b + bytes_uleb(&m->code)); break;
	case OP_BRA:
		if (b)
			jump(m);
		else
			bytes_skip(&m->code, 2);
		break;
	default: a = pop(m); push(m, calculate(m, op, a, b));
	}
}

static void
step(struct machine *m, unsigned op)
{
	switch (op) {
	/* An address in the file: the program may be loaded elsewhere. */
	case OP_ADDR: fail(m, CFI_REFUSED); break;
	case OP_DEREF: deref(m, m->address_size); break;
	case OP_DEREF_SIZE: deref(m, bytes_u8(&m->code)); break;
	case OP_CONSTU: push(m, bytes_uleb(&m->code)); break;
	case OP_CONSTS: push(m, (uint64_t)bytes_sleb(&m->code)); break;
	case OP_DUP: pick(m, 0); break;
	case OP_DROP: (void)pop(m); break;
	case OP_OVER: pick(m, 1); break;
	case OP_PICK: pick(m, bytes_u8(&m->code)); break;
	case OP_SWAP: swap_top(m); break;
	case OP_ROT: rotate(m); break;
	case OP_SKIP: jump(m); break;
	case OP_BREGX: push_register(m, bytes_uleb(&m->code)); break;
	case OP_NOP: break;
	default:
		if (op >= OP_CONST1U && op <= OP_CONST8S)
			push_constant(m, op);
		else if (op >= OP_LIT0 && op <= OP_LIT31)
			push(m, op - OP_LIT0);
		else if (op >= OP_BREG0 && op <= OP_BREG31)
			push_register(m, op - OP_BREG0);
		else
			operate(m, op);
	}
}

/* Sets *VALUE to the value of R's expression in F, with *FIRST (unless NULL) on the
 * stack at the start. The steps and the depth of the stack are bounded. */
static enum cfi_result
evaluate(const struct cfi_rule *r, const struct cfi_frame *f, const uint64_t *first,
	uint64_t *value)
{
	struct machine m;
	unsigned steps;

	/* Not the stack, which is mostly unused. */
	m.frame = f;
	m.address_size = r->address_size;
	m.whole = m.code = cfi_rule_expression(r);
	m.n = 0;
	m.result = CFI_DONE;
	if (first)
		push(&m, *first);
	for (steps = 0; bytes_left(&m.code) && m.result == CFI_DONE; steps++) {
		if (steps == STEPS_MAX)
			fail(&m, CFI_REFUSED);
		step(&m, bytes_u8(&m.code));
		if (m.code.bad)
			fail(&m, CFI_REFUSED);
	}
	*value = pop(&m);
	return m.result;
}

enum cfi_result
cfi_rule_value(const struct cfi_rule *rule, const struct cfi_frame *f,
	const uint64_t *cfa, uint64_t *value)
{
	uint64_t from = cfa ? *cfa : 0;
	enum cfi_result r;

	switch (rule->kind) {
	case CFI_OFFSET: return cfi_word(f, from + (uint64_t)rule->n, value);
	case CFI_VALUE_OFFSET: *value = from + (uint64_t)rule->n; return CFI_DONE;
	case CFI_REGISTER:
		if (!cfi_has(f, rule->reg))
			return CFI_REFUSED;
		*value = f->regs[rule->reg] + (uint64_t)rule->n;
		return CFI_DONE;
	case CFI_VALUE_EXPRESSION: return evaluate(rule, f, cfa, value);
	case CFI_EXPRESSION:
		r = evaluate(rule, f, cfa, value);
		return r == CFI_DONE ? cfi_word(f, *value, value) : r;
	default: return CFI_REFUSED;
	}
}
