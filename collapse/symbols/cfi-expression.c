/* SPDX-License-Identifier: ISC */
/*
 * DWARF expressions (DWARF 5, 2.5), as far as rules for registers have use for
 * them: everything but what names locations, objects, types and other units.
 */
#include "cfi.h"

enum { DEPTH_MAX = 64, STEPS_MAX = 4096 };

enum op {
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
	const char *begin;
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

/* The value AT places below the top. */
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

/* The top goes below the two that follow it. */
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

	if (reg >= CFI_REGISTERS || !(m->frame->has >> reg & 1))
		fail(m, CFI_REFUSED);
	else
		push(m, m->frame->regs[reg] + n);
}

static void
jump(struct machine *m)
{
	int16_t by = (int16_t)bytes_u16(&m->code);
	ptrdiff_t to = m->code.at - m->begin + by;

	if (m->code.bad || to < 0 || to > m->code.end - m->begin)
		fail(m, CFI_REFUSED);
	else
		m->code.at = m->begin + to;
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

/* Division as of signed numbers; what would trap is refused. */
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

/* A op B, A having been pushed first. */
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
	/* An address of the file, which the program may be loaded away from. */
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

enum cfi_result
cfi_evaluate(const struct cfi_expression *x, const struct cfi_frame *f,
	const uint64_t *first, uint64_t *value)
{
	struct machine m;
	unsigned steps;

	/* Not the stack, of which little is used. */
	m.frame = f;
	m.address_size = x->address_size;
	m.code = bytes_of(x->bytes, x->swap);
	m.begin = m.code.at;
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
