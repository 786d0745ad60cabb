/* SPDX-License-Identifier: ISC */
/*
 * Rules for a program counter, in short, which hold for most code and fit a cache, and at
 * length; one step from a frame to its caller by such a rule; the walk from frame to frame,
 * and two caches of rules; see unwind.h.
 *
 * Near: by program counter, direct mapped, one line of the processor's cache
 * for all that a frame needs; what it says of the map is checked against the
 * space each time, so it serves all spaces. Far: by dso and address, rules that
 * took an FDE to read.
 */
#include "unwind.h"
#include "arena.h"
#include "cfi.h"
#include "mem.h"

enum { NO_REGISTER = 0xff };

/* Registers by their numbers in DWARF. */
struct cpu {
	unsigned elf;			/* e_machine */
	unsigned char sp, fp, pc, link; /* link: of the return address, or none */
	unsigned char n;
	const unsigned char *kernel; /* the kernel's number of each of the n first */
};

/* How most functions find their caller. The stack and frame pointers, and the
 * link register, are all that these rules use and give. */
enum cfa_kind {
	CFA_NONE, /* no call frame information: by the frame pointer */
	CFA_SP,	  /* sp + cfa */
	CFA_FP,
	CFA_SP_DEREF, /* what is in memory at sp + cfa, + add */
	CFA_FP_DEREF,
	CFA_OUTERMOST,
	CFA_FULL /* by all registers: struct full_rule */
};

enum saved_kind {
	SAVED_NOT, /* unchanged */
	SAVED_CFA, /* in memory at CFA + fp, or + ra */
	SAVED_SP,
	SAVED_FP
};

struct rule {
	unsigned char cfa_kind, fp_kind, ra_kind; /* ra: SAVED_NOT or _CFA */
	bool signal;
	int32_t cfa, add, fp, ra;
};

/* The same at length: the registers that a row speaks of. */
struct full_rule {
	struct cfi_rule cfa;
	struct cfi_rule ra;
	unsigned return_register;
	size_t n;
	struct saved_register {
		unsigned reg;
		struct cfi_rule rule;
	} registers[];
};

/* Of x86-64: rax rdx rcx rbx rsi rdi rbp rsp r8 to r15 rip. */
static const unsigned char kernel_x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20,
	21, 22, 23, 8 };
/* Of aarch64: x0 to x30, sp, pc. */
static const unsigned char kernel_aarch64[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };

static const struct cpu cpus[] = {
	[UNWIND_X86_64] = { ELF_X86_64, 7, 6, 16, NO_REGISTER, sizeof kernel_x86_64,
		kernel_x86_64 },
	[UNWIND_AARCH64] = { ELF_AARCH64, 31, 29, 32, 30, sizeof kernel_aarch64,
		kernel_aarch64 },
};

/* The first bytes of expressions that are known by sight. */
enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23, OP_LIT0 = 0x30, OP_BREG0 = 0x70 };

static bool
fits(int64_t n)
{
	return n >= INT32_MIN / 2 && n <= INT32_MAX / 2;
}

/* The rule of lazy binding's stubs, as linkers for x86-64 write it: sp + 8, and
 * 8 more from byte LIT of each entry of 16 bytes on, where a number was pushed. */
static bool
match_stub(const struct cfi_rule *rule, uint64_t address, struct rule *r)
{
	/* breg7 8, breg16 0, lit15, and, LIT, ge, lit3, shl, plus */
	static const unsigned char stub[] = { 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0, 0x2a, 0x33,
		0x24, 0x22 };
	const char *x = rule->expression;
	unsigned lit;

	if (rule->n != sizeof stub || memcmp(x, stub, 6) != 0 ||
		memcmp(x + 7, stub + 7, sizeof stub - 7) != 0)
		return false;
	lit = (unsigned char)x[6] - OP_LIT0;
	if (lit > 15)
		return false;
	r->cfa_kind = CFA_SP;
	r->cfa = (address & 15) >= lit ? 16 : 8;
	return true;
}

/* "breg REG N" and nothing else, or what REST then is. */
static bool
match_register(const struct cfi_rule *x, unsigned reg, int64_t *n, struct bytes *rest)
{
	*rest = cfi_rule_expression(x);
	if (reg > 31 || bytes_u8(rest) != OP_BREG0 + reg)
		return false;
	*n = bytes_sleb(rest);
	return !rest->bad && fits(*n);
}

/* "breg sp|fp N, deref[, plus_uconst ADD]" */
static bool
match_deref(const struct cpu *cpu, const struct cfi_rule *x, struct rule *r)
{
	struct bytes rest;
	int64_t n;
	uint64_t add = 0;

	if (match_register(x, cpu->sp, &n, &rest))
		r->cfa_kind = CFA_SP_DEREF;
	else if (match_register(x, cpu->fp, &n, &rest))
		r->cfa_kind = CFA_FP_DEREF;
	else
		return false;
	if (bytes_u8(&rest) != OP_DEREF || x->address_size != 8)
		return false;
	if (bytes_left(&rest)) {
		if (bytes_u8(&rest) != OP_PLUS_UCONST)
			return false;
		add = bytes_uleb(&rest);
	}
	r->cfa = (int32_t)n;
	r->add = (int32_t)(add & INT32_MAX);
	return !rest.bad && add <= INT32_MAX && bytes_left(&rest) == 0;
}

static bool
shorten_cfa(const struct cpu *cpu, const struct cfi_row *row, uint64_t address,
	struct rule *r)
{
	if (row->cfa.kind == CFI_VALUE_EXPRESSION)
		return (cpu->elf == ELF_X86_64 && match_stub(&row->cfa, address, r)) ||
			match_deref(cpu, &row->cfa, r);
	if (row->cfa.kind != CFI_REGISTER || !fits(row->cfa.n))
		return false;
	r->cfa_kind = row->cfa.reg == cpu->sp ? CFA_SP : CFA_FP;
	r->cfa = (int32_t)row->cfa.n;
	return row->cfa.reg == cpu->sp || row->cfa.reg == cpu->fp;
}

static bool
shorten_fp(const struct cpu *cpu, const struct cfi_rule *rule, struct rule *r)
{
	struct bytes rest;
	int64_t n = rule->n;

	switch (rule->kind) {
	case CFI_UNSPECIFIED:
	case CFI_SAME: r->fp_kind = SAVED_NOT; return true;
	case CFI_OFFSET: r->fp_kind = SAVED_CFA; break;
	case CFI_EXPRESSION:
		if (match_register(rule, cpu->sp, &n, &rest))
			r->fp_kind = SAVED_SP;
		else if (match_register(rule, cpu->fp, &n, &rest))
			r->fp_kind = SAVED_FP;
		else
			return false;
		if (bytes_left(&rest))
			return false;
		break;
	default: return false;
	}
	r->fp = (int32_t)n;
	return fits(n);
}

static bool
shorten_ra(const struct cpu *cpu, const struct cfi_rule *rule, struct rule *r)
{
	int64_t n = rule->kind == CFI_OFFSET ? rule->n : -8;

	if (rule->kind != CFI_OFFSET && rule->kind != CFI_UNSPECIFIED &&
		rule->kind != CFI_SAME)
		return false;
	if (rule->kind == CFI_SAME && cpu->link == NO_REGISTER)
		return false;
	r->ra_kind = rule->kind == CFI_OFFSET || cpu->link == NO_REGISTER ? SAVED_CFA
									  : SAVED_NOT;
	r->ra = (int32_t)n;
	return fits(n);
}

static struct rule
shorten(const struct cpu *cpu, const struct cfi_row *row, uint64_t address)
{
	static const struct rule full = { .cfa_kind = CFA_FULL };
	const struct cfi_rule *ra = &row->rules[row->return_register];
	const struct cfi_rule *sp = &row->rules[cpu->sp];
	unsigned own = cpu->link == NO_REGISTER ? cpu->pc : cpu->link;
	struct rule r = { .signal = row->signal };

	if (ra->kind == CFI_UNDEFINED) {
		r.cfa_kind = CFA_OUTERMOST;
		return r;
	}
	if (!row->signal && row->return_register == own &&
		shorten_cfa(cpu, row, address, &r) &&
		shorten_fp(cpu, &row->rules[cpu->fp], &r) && shorten_ra(cpu, ra, &r) &&
		(sp->kind == CFI_UNSPECIFIED ||
			(sp->kind == CFI_VALUE_OFFSET && sp->n == 0)))
		return r;
	r = full;
	r.signal = row->signal;
	return r;
}

/* Whether S is the function _init or _fini, which is made of pieces. */
static bool
is_glue(const struct elf_section *s)
{
	return str_eq(s->name, STR(".init")) || str_eq(s->name, STR(".fini"));
}

/* The section of E with ADDRESS, when it is called .plt, .plt.got, .plt.sec, .iplt,
 * .init or .fini. */
static const struct elf_section *
find_stubs(const struct elf *e, uint64_t address)
{
	const struct elf_section *s;
	size_t i;

	for (i = 0; i < e->section_n; i++) {
		s = &e->sections[i];
		if (s->flags & ELF_FLAG_EXEC && address - s->address < s->size &&
			(str_starts(s->name, STR(".plt")) ||
				str_eq(s->name, STR(".iplt")) || is_glue(s)))
			return s;
	}
	return NULL;
}

/* Stubs of linkers that describe none: lld, and GNU ld for aarch64; and _init and
 * _fini. */
static struct rule
stub_rule(const struct cpu *cpu, const struct elf *e, uint64_t address)
{
	struct rule r = { .cfa_kind = CFA_NONE };
	const struct elf_section *s = find_stubs(e, address);
	uint64_t at;

	if (!s || (is_glue(s) && cpu->elf == ELF_AARCH64))
		return r;
	r.cfa_kind = CFA_SP;
	if (cpu->elf == ELF_AARCH64)
		return r; /* the link register */
	r.ra_kind = SAVED_CFA;
	r.ra = -8;
	r.cfa = 8;
	/* sub $8,%rsp first, maybe after endbr64; then calls. */
	if (is_glue(s))
		r.cfa = address - s->address < 8 ? 8 : 16;
	if (!str_eq(s->name, STR(".plt")))
		return r;
	/* jmp, push of a number (at 6 to 11), jmp to the first entry, which itself
	 * pushes one more. */
	at = address - s->address;
	if (at < 16)
		r.cfa = at < 6 ? 16 : 24;
	else
		r.cfa = (at & 15) < 11 ? 8 : 16;
	return r;
}

static bool
find_row(const struct cpu *cpu, struct dso *d, uint64_t address, struct cfi_row *row)
{
	struct elf *e = dso_code(d);
	struct cfi *c;

	if (e && e->machine != cpu->elf)
		return false;
	c = dso_cfi(d);
	return c && cfi_find(c, address, row);
}

/* The rule at ADDRESS of D. */
static struct rule
find_rule(const struct cpu *cpu, struct dso *d, uint64_t address)
{
	struct cfi_row row;
	struct elf *e;

	if (find_row(cpu, d, address, &row))
		return shorten(cpu, &row, address);
	e = dso_code(d);
	if (e && e->machine == cpu->elf)
		return stub_rule(cpu, e, address);
	return (struct rule){ .cfa_kind = CFA_NONE };
}

/* The rule of CPython's trampolines, which a perf map has as "py::..." (Python/
 * asm_trampoline.S), at OFFSET of SIZE bytes:
 *
 *	[endbr64]  sub $8,%rsp  call *%rcx  add $8,%rsp  ret
 */
static struct rule
trampoline_rule(uint64_t offset, uint64_t size)
{
	enum { PLAIN = 11, ENDBR = 4 };
	uint64_t begin = size >= PLAIN + ENDBR ? ENDBR : 0;
	struct rule r = { .cfa_kind = CFA_SP, .cfa = 16 };

	r.ra_kind = SAVED_CFA;
	r.ra = -8;
	if (offset <= begin || offset == begin + PLAIN - 1)
		r.cfa = 8;
	return r;
}

/* The rule at ADDRESS of the code M. *ROW is what it was made of; false when there is
 * no such row. */
static bool
find_made_rule(const struct cpu *cpu, const struct jit_code *m, uint64_t address,
	struct rule *rule, struct cfi_row *row)
{
	struct cfi_made made = { m->frames, m->end - m->start, (uint16_t)cpu->elf,
		m->swap };

	*rule = (struct rule){ .cfa_kind = CFA_NONE };
	if (m->frames.n && cfi_find_made(&made, address - m->start, row)) {
		*rule = shorten(cpu, row, address - m->start);
		return true;
	}
	if (cpu->elf == ELF_X86_64 && str_starts(m->name, STR("py::")))
		*rule = trampoline_rule(address - m->start, made.size);
	return false;
}

/* ROW at length, in A. */
static const struct full_rule *
lengthen(struct arena *a, const struct cfi_row *row)
{
	struct full_rule *f;
	unsigned i;
	size_t n = 0;

	for (i = 0; i < CFI_REGISTERS; i++)
		n += row->rules[i].kind != CFI_UNSPECIFIED;
	f = arena_alloc(a, sizeof *f + n * sizeof *f->registers);
	f->cfa = row->cfa;
	f->return_register = row->return_register;
	f->ra = row->rules[row->return_register];
	f->n = 0;
	for (i = 0; i < CFI_REGISTERS; i++)
		if (row->rules[i].kind != CFI_UNSPECIFIED && i != row->return_register)
			f->registers[f->n++] =
				(struct saved_register){ i, row->rules[i] };
	return f;
}

/* A frame and what it is in. */
struct cursor {
	const struct cpu *cpu;
	struct address_space *space;
	const struct unwind_start *start;
	struct cfi_frame frame; /* its pc is frame.regs[cpu->pc] */
	bool first;		/* the innermost, or interrupted by a signal */
	bool all;		/* all registers are kept, not only sp, fp and link */
	bool interrupted;	/* by a signal */
	uint64_t reach;		/* where memory was read last, about */
};

/* A stack that goes on beyond its snapshot does so within this. */
enum { REACH_MOST = 8 << 20 };

enum step {
	STEP_UP, /* the cursor is now at the caller's */
	STEP_WHOLE,
	STEP_OUTSIDE, /* takes memory, at reach, that is not in the snapshot */
	STEP_UNKNOWN,
	STEP_BROKEN
};

static void
set(struct cfi_frame *f, unsigned reg, uint64_t value)
{
	f->regs[reg] = value;
	f->has |= (uint64_t)1 << reg;
}

static void
forget(struct cfi_frame *f, unsigned reg)
{
	f->has &= ~((uint64_t)1 << reg);
}

static enum step
step_of(enum cfi_result r)
{
	return r == CFI_OUTSIDE ? STEP_OUTSIDE : STEP_UNKNOWN;
}

/* The address within ra, whose upper bits may be a signature (Armv8.3). User
 * addresses have 48 bits, or 52. */
static uint64_t
strip(struct cursor *c, uint64_t ra)
{
	uint64_t wide = ra & (((uint64_t)1 << 52) - 1),
		 plain = ra & (((uint64_t)1 << 48) - 1);

	if (c->cpu->elf != ELF_AARCH64 || ra == plain)
		return ra;
	return wide != plain && address_space_find(c->space, wide) ? wide : plain;
}

/* The caller is at RA with the stack pointer SP. */
static enum step
arrive(struct cursor *c, uint64_t ra, uint64_t sp, bool signal)
{
	struct cfi_frame *f = &c->frame;
	uint64_t old_sp = f->regs[c->cpu->sp], old_pc = f->regs[c->cpu->pc];
	bool first = c->first;

	ra = strip(c, ra);
	set(f, c->cpu->sp, sp);
	set(f, c->cpu->pc, ra);
	c->first = c->interrupted = signal;
	if (ra == 0)
		return STEP_WHOLE;
	if (sp > old_sp || (signal && (sp != old_sp || ra != old_pc)))
		return STEP_UP;
	/* A leaf whose return address is in a register has nothing on the stack. */
	if (sp == old_sp && first && ra != old_pc)
		return STEP_UP;
	return STEP_BROKEN;
}

static enum step
find_cfa(struct cursor *c, const struct rule *rule, uint64_t *cfa)
{
	const struct cfi_frame *f = &c->frame;
	bool by_fp = rule->cfa_kind == CFA_FP || rule->cfa_kind == CFA_FP_DEREF;
	unsigned reg = by_fp ? c->cpu->fp : c->cpu->sp;
	enum cfi_result r;

	if (!cfi_has(f, reg))
		return STEP_UNKNOWN;
	*cfa = f->regs[reg] + (uint64_t)(int64_t)rule->cfa;
	c->reach = *cfa;
	if (rule->cfa_kind == CFA_SP || rule->cfa_kind == CFA_FP)
		return STEP_UP;
	r = cfi_read(f, *cfa, 8, cfa);
	*cfa += (uint64_t)(int64_t)rule->add;
	return r == CFI_DONE ? STEP_UP : step_of(r);
}

/* Sets REG to the word at AT. Below the stack pointer are the places of
 * registers that were taken back already, so it is unchanged then. */
static void
restore(struct cfi_frame *f, unsigned reg, uint64_t at, uint64_t sp)
{
	uint64_t value;

	if (at < sp)
		return;
	if (cfi_read(f, at, 8, &value) == CFI_DONE)
		set(f, reg, value);
	else
		forget(f, reg);
}

static void
restore_fp(struct cursor *c, const struct rule *rule, uint64_t cfa)
{
	struct cfi_frame *f = &c->frame;
	uint64_t sp = f->regs[c->cpu->sp], from = cfa;

	if (rule->fp_kind == SAVED_NOT)
		return;
	if (rule->fp_kind == SAVED_SP)
		from = sp;
	else if (rule->fp_kind == SAVED_FP) {
		if (!cfi_has(f, c->cpu->fp))
			return;
		from = f->regs[c->cpu->fp];
	}
	restore(f, c->cpu->fp, from + (uint64_t)(int64_t)rule->fp, sp);
}

/* Goes to the caller by RULE, which is not CFA_FULL. */
static enum step
step_short(struct cursor *c, const struct rule *rule)
{
	struct cfi_frame *f = &c->frame;
	uint64_t cfa, ra, at;
	enum step s;
	enum cfi_result r;

	if (rule->cfa_kind == CFA_OUTERMOST)
		return STEP_WHOLE;
	s = find_cfa(c, rule, &cfa);
	if (s != STEP_UP)
		return s;
	c->reach = at = cfa + (uint64_t)(int64_t)rule->ra;
	if (rule->ra_kind == SAVED_NOT ||
		(c->cpu->link != NO_REGISTER && at < f->regs[c->cpu->sp])) {
		if (!c->first || !cfi_has(f, c->cpu->link))
			return STEP_UNKNOWN;
		ra = f->regs[c->cpu->link];
	} else {
		r = cfi_read(f, at, 8, &ra);
		if (r != CFI_DONE)
			return step_of(r);
		if (c->cpu->link != NO_REGISTER)
			set(f, c->cpu->link, ra);
	}
	restore_fp(c, rule, cfa);
	return arrive(c, ra, cfa, rule->signal);
}

/* Register R->reg of the caller, into UP, which is a copy of DOWN so far. */
static void
restore_register(struct cfi_frame *up, const struct cfi_frame *down,
	const struct saved_register *r, uint64_t cfa, uint64_t sp)
{
	uint64_t value;

	if (r->rule.kind == CFI_SAME)
		return;
	if (r->rule.kind == CFI_OFFSET && cfa + (uint64_t)r->rule.n < sp)
		return;
	if (cfi_rule_value(&r->rule, down, &cfa, &value) == CFI_DONE)
		set(up, r->reg, value);
	else
		forget(up, r->reg);
}

static enum cfi_result
find_return(const struct cursor *c, const struct full_rule *f, uint64_t cfa, uint64_t *ra)
{
	const struct cfi_frame *down = &c->frame;
	bool link = c->cpu->link != NO_REGISTER;
	bool unchanged = f->ra.kind == CFI_UNSPECIFIED || f->ra.kind == CFI_SAME ||
		(f->ra.kind == CFI_OFFSET && link &&
			cfa + (uint64_t)f->ra.n < down->regs[c->cpu->sp]);

	if (!unchanged)
		return cfi_rule_value(&f->ra, down, &cfa, ra);
	if (!link)
		return cfi_read(down, cfa - 8, 8, ra);
	if (!c->first || !cfi_has(down, f->return_register))
		return CFI_REFUSED;
	*ra = down->regs[f->return_register];
	return CFI_DONE;
}

/* Goes to the caller by F. SIGNAL: the frame was made by a signal. */
static enum step
step_full(struct cursor *c, const struct full_rule *f, bool signal)
{
	struct cfi_frame down = c->frame;
	uint64_t cfa, ra, sp = down.regs[c->cpu->sp];
	enum cfi_result r;
	size_t i;

	if (f->ra.kind == CFI_UNDEFINED)
		return STEP_WHOLE;
	c->reach = sp;
	r = cfi_rule_value(&f->cfa, &down, NULL, &cfa);
	if (r != CFI_DONE)
		return step_of(r);
	c->reach = cfa;
	r = find_return(c, f, cfa, &ra);
	if (r != CFI_DONE)
		return step_of(r);
	set(&c->frame, c->cpu->sp, cfa);
	if (c->cpu->link != NO_REGISTER)
		set(&c->frame, c->cpu->link, ra);
	for (i = 0; i < f->n; i++)
		if (f->registers[i].reg != c->cpu->sp ||
			f->registers[i].rule.kind != CFI_SAME)
			restore_register(&c->frame, &down, &f->registers[i], cfa, sp);
	cfa = c->frame.regs[c->cpu->sp];
	set(&c->frame, c->cpu->sp, sp);
	return arrive(c, ra, cfa, signal);
}

/* Keeps of all registers those that a guess gives. */
static void
keep_few(struct cursor *c)
{
	c->frame.has &= (uint64_t)1 << c->cpu->sp | (uint64_t)1 << c->cpu->fp |
		(uint64_t)1 << c->cpu->pc;
}

/* Whether the code at RA has call frame information: it is then not in the
 * function we are in, which has none. */
static bool
is_described(struct cursor *c, uint64_t ra)
{
	const struct address_space_map *m = address_space_find(c->space, ra - 1);
	uint64_t address;

	return m && address_space_symbol_address(m, ra - 1, &address) &&
		find_rule(c->cpu, m->dso, address).cfa_kind != CFA_NONE;
}

/* A leaf without call frame information, called by code that has some: its
 * return address is still in the link register, and fp is the caller's. */
static bool
is_leaf(struct cursor *c, uint64_t saved)
{
	uint64_t ra;

	if (c->cpu->link == NO_REGISTER || !c->first || !cfi_has(&c->frame, c->cpu->link))
		return false;
	ra = strip(c, c->frame.regs[c->cpu->link]);
	return ra && ra != strip(c, saved) && is_described(c, ra);
}

/* Without any rule: by the frame pointer, or the link register. MADE: the code was
 * made at run time, which may use the frame pointer for anything. */
static enum step
step_guess(struct cursor *c, bool made)
{
	struct cfi_frame *f = &c->frame;
	uint64_t fp = f->regs[c->cpu->fp], sp = f->regs[c->cpu->sp], ra = 0, next = 0;
	bool inside;

	if (!cfi_has(f, c->cpu->fp))
		return STEP_UNKNOWN;
	inside = fp >= sp && cfi_read(f, fp, 8, &next) == CFI_DONE &&
		cfi_read(f, fp + 8, 8, &ra) == CFI_DONE;
	if (is_leaf(c, ra)) {
		ra = f->regs[c->cpu->link];
		keep_few(c);
		return arrive(c, ra, sp, false);
	}
	if (fp == 0)
		return made || c->first ? STEP_UNKNOWN : STEP_WHOLE;
	c->reach = fp;
	if (!inside)
		return c->start->full && fp >= sp && fp - sp < REACH_MOST && fp % 8 == 0
			? STEP_OUTSIDE
			: STEP_UNKNOWN;
	if (ra != 0 && !address_space_find(c->space, strip(c, ra) - 1))
		return STEP_UNKNOWN;
	keep_few(c);
	set(f, c->cpu->fp, next);
	return arrive(c, ra, fp + 16, false);
}

enum { NEAR_BITS = 12, LINE = 64, FAR_MIN = 512, FAR_MAX = 1 << 20 };

struct near {
	uint64_t at;   /* the address looked up, 0: free */
	uint64_t bias; /* of the map: its start - its offset */
	uint64_t address;
	struct dso *dso;
	uint32_t version; /* of the space it was found in, 0: not known */
	bool has_address;
	unsigned char machine;
	bool made; /* at run time: the rule may change */
	struct rule rule;
};

_Static_assert(sizeof(struct near) == LINE, "one line of the cache");

struct far {
	struct dso *dso; /* NULL: free */
	uint64_t address;
	const struct full_rule *full; /* when it was asked for */
	struct rule rule;
	unsigned char machine;
	bool asked;
};

struct unwind {
	struct near *near; /* in block, at a boundary of cache lines */
	char *block;
	struct far *far;
	size_t far_n, far_size; /* a power of 2 */
	struct arena arena;	/* of the rules at length */
	/* Of the last code that was made at run time. */
	struct rule made;
	bool has_row;
	struct cfi_row row; /* that it comes from */
	struct arena brief; /* for one chain */
};

struct unwind *
unwind_new(void)
{
	struct unwind *u = mem_zero(1, sizeof *u);

	u->block = mem_zero(((size_t)1 << NEAR_BITS) + 1, sizeof *u->near);
	u->near = (struct near *)(void *)(u->block + (-(uintptr_t)u->block & (LINE - 1)));
	u->far_size = FAR_MIN;
	u->far = mem_zero(u->far_size, sizeof *u->far);
	return u;
}

void
unwind_free(struct unwind *u)
{
	if (!u)
		return;
	free(u->block);
	free(u->far);
	arena_release(&u->arena);
	arena_release(&u->brief);
	free(u);
}

static uint64_t
mix(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15;
	return x ^ x >> 32;
}

/* The slot of DSO and ADDRESS, taken or free. */
static struct far *
far_slot(struct unwind *u, unsigned machine, struct dso *dso, uint64_t address)
{
	size_t mask = u->far_size - 1;
	size_t at = (size_t)mix(address ^ mix((uint64_t)(uintptr_t)dso)) & mask;

	while (u->far[at].dso &&
		(u->far[at].dso != dso || u->far[at].address != address ||
			u->far[at].machine != machine))
		at = (at + 1) & mask;
	return &u->far[at];
}

/* Makes the far cache twice as large, or empty when it is large enough. */
static void
far_grow(struct unwind *u)
{
	struct far *old = u->far;
	size_t i, n = u->far_size;

	if (n >= FAR_MAX) {
		memset(u->far, 0, n * sizeof *u->far);
		arena_release(&u->arena);
		u->far_n = 0;
		return;
	}
	u->far_size = n * 2;
	u->far = mem_zero(u->far_size, sizeof *u->far);
	for (i = 0; i < n; i++)
		if (old[i].dso)
			*far_slot(u, old[i].machine, old[i].dso, old[i].address) = old[i];
	free(old);
}

static struct far *
find_far(struct unwind *u, unsigned machine, struct dso *dso, uint64_t address)
{
	struct far *x = far_slot(u, machine, dso, address);

	if (x->dso)
		return x;
	if (u->far_n >= u->far_size / 2) {
		far_grow(u);
		x = far_slot(u, machine, dso, address);
	}
	u->far_n++;
	*x = (struct far){
		.dso = dso, .address = address, .machine = (unsigned char)machine
	};
	x->rule = find_rule(&cpus[machine], dso, address);
	return x;
}

static const struct full_rule *
find_full(struct unwind *u, unsigned machine, const struct near *n)
{
	struct far *x = find_far(u, machine, n->dso, n->address);
	struct cfi_row row;

	if (!x->asked && find_row(&cpus[machine], n->dso, n->address, &row))
		x->full = lengthen(&u->arena, &row);
	x->asked = true;
	return x->full;
}

/* What is known of the code at AT. NULL when nothing is mapped there. */
static const struct near *
find_near(struct unwind *u, unsigned machine, struct address_space *space, uint64_t at)
{
	struct near *n = &u->near[mix(at) & (((size_t)1 << NEAR_BITS) - 1)];
	bool same = n->at == at && n->machine == machine;
	uint32_t version = (uint32_t)space->version;
	const struct address_space_map *m;

	if (same && version && n->version == version)
		return n;
	m = address_space_find(space, at);
	if (!m)
		return NULL;
	if (same && m->dso == n->dso && m->start - m->offset == n->bias) {
		n->version = version;
		return n;
	}
	*n = (struct near){ .at = at,
		.bias = m->start - m->offset,
		.dso = m->dso,
		.version = version,
		.machine = (unsigned char)machine,
		.made = dso_kind(m->dso) == DSO_JIT };
	n->has_address = address_space_symbol_address(m, at, &n->address);
	if (n->has_address && !n->made)
		n->rule = find_far(u, machine, m->dso, n->address)->rule;
	return n;
}

/* Names are those of the call, one byte before the return address; but the code
 * that a signal returns to begins where the kernel says. */
static struct unwind_frame
make_frame(const struct near *n, uint64_t pc, uint64_t at)
{
	struct unwind_frame f = { .pc = pc };

	if (!n)
		return f;
	f.dso = n->dso;
	f.has_address = n->has_address;
	f.address = n->address + (n->rule.signal ? pc - at : 0);
	return f;
}

/* The rule at AT, in code that was made at run time and is mapped as N says, or not
 * at all. Borrowed until the next call. */
static const struct rule *
made_rule(struct unwind *u, const struct cursor *c, const struct near *n, uint64_t at)
{
	struct dso *d = c->start->made;
	struct jit_code m;

	u->made = (struct rule){ .cfa_kind = CFA_NONE };
	u->has_row = false;
	if ((d && dso_find_made(d, at, c->start->time, &m)) ||
		(n && dso_find_made(n->dso, at, c->start->time, &m)))
		u->has_row = find_made_rule(c->cpu, &m, at, &u->made, &u->row);
	return &u->made;
}

/* The rule of the code N at length; NULL when there is no more to it. */
static const struct full_rule *
full_rule(struct unwind *u, const struct cursor *c, const struct near *n)
{
	if (n && !n->made)
		return find_full(u, c->start->machine, n);
	return u->has_row ? lengthen(&u->brief, &u->row) : NULL;
}

static enum step
go_up(struct unwind *u, struct cursor *c, const struct near *n, const struct rule *rule)
{
	const struct full_rule *full;

	if (rule->cfa_kind == CFA_NONE)
		return step_guess(c, n && n->made);
	if (!c->all || rule->cfa_kind == CFA_OUTERMOST)
		return step_short(c, rule);
	full = full_rule(u, c, n);
	return full ? step_full(c, full, rule->signal) : step_short(c, rule);
}

/* Why there is no memory at C->reach. */
static enum unwind_end
end_outside(const struct cursor *c)
{
	enum { LEAST = 4096 }; /* nothing is mapped below */
	uint64_t at = c->reach - c->frame.stack_at;
	bool near = at < c->frame.stack.n + REACH_MOST;

	if (!c->frame.stack.n)
		return UNWIND_ABSENT;
	if (c->interrupted)
		return near && c->start->full ? UNWIND_CUT : UNWIND_SWITCHED;
	if (c->reach < LEAST || (at && -at < REACH_MOST))
		return UNWIND_BROKEN;
	if (!near)
		return UNWIND_SWITCHED;
	return c->start->full ? UNWIND_CUT : UNWIND_ABSENT;
}

/* Why C, in the code of N, has no caller by S. */
static enum unwind_end
end_of(const struct cursor *c, const struct near *n, enum step s)
{
	if (s == STEP_OUTSIDE)
		return end_outside(c);
	if (s != STEP_UNKNOWN)
		return s == STEP_WHOLE ? UNWIND_WHOLE : UNWIND_BROKEN;
	if (!n)
		return UNWIND_NO_MAP;
	return dso_kind(n->dso) == DSO_FILE && !dso_code(n->dso) ? UNWIND_NO_FILE
								 : UNWIND_NO_RULE;
}

/* False when it came to a rule that takes registers which were not kept. */
static bool
walk(struct unwind *u, struct cursor *c, struct unwind_chain *w)
{
	enum step s;
	const struct rule *rule;
	const struct near *n;
	uint64_t pc, at;

	for (w->n = 0; w->n < w->cap;) {
		pc = c->frame.regs[c->cpu->pc];
		at = pc - !c->first;
		n = find_near(u, c->start->machine, c->space, at);
		rule = n && !n->made ? &n->rule : made_rule(u, c, n, at);
		if (rule->cfa_kind == CFA_FULL && !c->all)
			return false;
		w->frames[w->n++] = make_frame(n, pc, at);
		s = go_up(u, c, n, rule);
		if (s != STEP_UP) {
			w->end = end_of(c, n, s);
			return true;
		}
	}
	w->end = UNWIND_DEEP;
	return true;
}

static void
begin(struct cursor *c, const struct unwind_start *start, struct address_space *space)
{
	const struct cpu *cpu = &cpus[start->machine];
	unsigned i;

	c->cpu = cpu;
	c->space = space;
	c->first = true;
	c->interrupted = false;
	c->start = start;
	c->frame.has = 0;
	for (i = 0; i < cpu->n; i++) {
		c->frame.regs[i] = start->regs[cpu->kernel[i]];
		c->frame.has |= (start->mask >> cpu->kernel[i] & 1) << i;
	}
	c->frame.stack_at = c->frame.regs[cpu->sp];
	if (c->frame.has >> cpu->sp & 1)
		c->frame.stack = start->stack;
	c->frame.swap = start->swap;
}

void
unwind_stack(struct unwind *u, struct address_space *space,
	const struct unwind_start *start, struct unwind_chain *chain)
{
	struct cursor c = { .all = false };

	chain->n = 0;
	chain->end = UNWIND_NO_RULE;
	begin(&c, start, space);
	if (c.frame.has >> c.cpu->pc & 1 && !walk(u, &c, chain)) {
		begin(&c, start, space);
		c.all = true;
		(void)walk(u, &c, chain);
	}
	if (u->brief.blocks)
		arena_release(&u->brief);
}
