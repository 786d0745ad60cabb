/* SPDX-License-Identifier: ISC */
/*
 * .eh_frame and .debug_frame, and what lies in them: pointers, entries, and the programs of
 * the entries. A CIE says what many functions share, an FDE describes one function and points
 * to its CIE (DWARF 5, 6.4.1).
 *
 *	length id|pointer version augmentation align... program		CIE
 *	length id|pointer start size program				FDE
 */
#include "cfi-entry.h"

struct bytes
cfi_section_at(const struct cfi_section *s, uint64_t offset)
{
	struct str rest = { 0 };

	if (offset <= s->bytes.n)
		rest = str_from(s->bytes, (size_t)offset);
	return bytes_of(rest, s->swap);
}

/* The address of what B is at. */
static uint64_t
place(const struct cfi_section *s, const struct bytes *b)
{
	return s->address + (uint64_t)(b->at - s->bytes.s);
}

/* Sizes by format: 0 an address, 1 and 9 of variable length, the upper half
 * signed; 255 are no formats. */
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

/* The number of a pointer's FORMAT. */
static uint64_t
take_number(const struct cfi_section *s, struct bytes *b, unsigned format)
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
take_aligned(const struct cfi_section *s, struct bytes *b, uint64_t *value)
{
	bytes_skip(b, -place(s, b) & (s->address_size - 1u));
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
		return take_aligned(s, b, value) && !(encoding & CFI_INDIRECT);
	from = place(s, b);
	*value = take_number(s, b, encoding & CFI_FORMAT);
	switch (encoding & CFI_RELATION) {
	case 0x00: break;
	case 0x10: base = from; break;
	case 0x20: base = s->text; break;
	case 0x30: base = s->data; break;
	default: return false; /* within a function: not for what is asked here */
	}
	if (!base && encoding & CFI_RELATION)
		return false;
	*value += base;
	if (s->address_size == 4)
		*value &= UINT32_MAX;
	return !b->bad && !(encoding & CFI_INDIRECT);
}

/* What stands before the program of a CIE takes no more: it is read again for
 * each FDE that points to it. */
enum { HEADER_MAX = 256 };

struct cfi_entry
cfi_entry_at(const struct cfi_section *s, uint64_t offset)
{
	struct cfi_entry e = { .bad = true };
	struct bytes b = cfi_section_at(s, offset);
	uint64_t length = bytes_u32(&b), at, id;
	unsigned size = 4;

	if (length == UINT32_MAX) {
		length = bytes_u64(&b);
		size = 8;
	}
	at = (uint64_t)(b.at - s->bytes.s);
	if (b.bad || length > bytes_left(&b))
		return e;
	e.bad = false;
	e.next = at + length;
	e.end = length == 0;
	if (e.end)
		return e;
	b.end = b.at + length;
	id = bytes_uint(&b, size);
	e.is_cie = id == (s->eh ? 0 : size == 8 ? UINT64_MAX : UINT32_MAX);
	/* In .eh_frame it is a distance back from the pointer itself. */
	e.cie = s->eh ? at - id : id;
	e.bad = b.bad;
	e.rest = b;
	return e;
}

/* Reads the data that the letters of AUGMENTATION, after its 'z', announce. */
static bool
take_augmentation(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	unsigned encoding;
	uint64_t pointer;
	size_t i;

	for (i = 0; i < augmentation.n; i++) {
		switch (augmentation.s[i]) {
		case 'R': cie->encoding = bytes_u8(b); break;
		case 'L': bytes_skip(b, 1); break;
		case 'S': cie->signal = true; break;
		case 'B': /* return addresses are signed with the B key */
		case 'G': /* the stack is tagged */ break;
		case 'P':
			encoding = bytes_u8(b);
			(void)cfi_section_pointer(s, b, encoding, &pointer);
			break;
		default: return false;
		}
	}
	return !b->bad;
}

static bool
take_augmented(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	struct bytes data;
	struct str part;

	if (augmentation.n == 0 || str_eq(augmentation, STR("eh")))
		return true;
	if (augmentation.s[0] != 'z')
		return false;
	cie->sized = true;
	part = bytes_take(b, bytes_uleb(b));
	data = bytes_of(part, b->swap);
	return !b->bad && take_augmentation(s, &data, str_from(augmentation, 1), cie);
}

bool
cfi_entry_cie(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie)
{
	struct cfi_entry e = cfi_entry_at(s, offset);
	struct bytes b = e.rest;
	struct str augmentation;
	unsigned version;

	cie->encoding = CFI_ABSOLUTE;
	cie->sized = cie->signal = false;
	if (e.bad || e.end || !e.is_cie)
		return false;
	if (bytes_left(&b) > HEADER_MAX)
		b.end = b.at + HEADER_MAX;
	version = bytes_u8(&b);
	if (version != 1 && version != 3 && version != 4)
		return false;
	augmentation = bytes_cstr(&b);
	if (str_eq(augmentation, STR("eh")))
		bytes_skip(&b, s->address_size);
	/* The sizes of an address and of a segment selector. */
	if (version == 4 && (bytes_u8(&b) != s->address_size || bytes_u8(&b) != 0))
		return false;
	cie->code_align = bytes_uleb(&b);
	cie->data_align = bytes_sleb(&b);
	cie->return_register = version == 1 ? bytes_u8(&b) : bytes_uleb(&b);
	if (b.bad || cie->return_register >= CFI_REGISTERS ||
		!take_augmented(s, &b, augmentation, cie))
		return false;
	cie->program = (struct str){ b.at, (size_t)(e.rest.end - b.at) };
	return true;
}

bool
cfi_entry_fde(const struct cfi_section *s, struct cfi_entry e, struct cfi_fde *fde)
{
	struct bytes b = e.rest;
	uint64_t size;

	if (!cfi_section_pointer(s, &b, fde->cie->encoding, &fde->start) ||
		!cfi_section_pointer(s, &b, fde->cie->encoding & CFI_FORMAT, &size))
		return false;
	if (fde->cie->sized)
		bytes_skip(&b, bytes_uleb(&b));
	fde->end = fde->start + size;
	fde->program = (struct str){ b.at, bytes_left(&b) };
	return !b.bad && fde->end > fde->start;
}

/*
 * The programs of CIEs and FDEs: rows of rules, each for some addresses, told as
 * changes from one to the next (DWARF 5, 6.4.2 and 7.24; the numbers above 0x1c
 * are of MIPS, GNU and Arm).
 */

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

struct run_program {
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
	struct bytes at = { b->at, b->end, b->swap, b->bad };
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
	if (r->depth == DEPTH_MAX)
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

/* Instructions about one register that give it a rule. */
static bool
make_rule(struct run_program *r, const struct instruction *in)
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
define_cfa(struct run_program *r, const struct instruction *in)
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
step(struct run_program *r, const struct instruction *in, struct bytes *b,
	struct cfi_row *row)
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
run_program(struct run_program *r, struct str program, struct cfi_row *row)
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
	struct run_program r;

	/* Not all of it: the saved states are large and seldom used. */
	r.section = s;
	r.cie = cie;
	r.fde = NULL;
	r.arrived = false;
	r.depth = 0;
	memset(&r.now, 0, sizeof r.now);
	if (!run_program(&r, cie->program, &row))
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
	if (!run_program(&r, fde->program, row))
		return false;
	row->signal = fde->cie->signal;
	row->return_register = (unsigned)fde->cie->return_register;
	row->cfa = r.now.cfa;
	memcpy(row->rules, r.now.rules, sizeof row->rules);
	return row->cfa.kind != CFI_UNSPECIFIED;
}
