/* SPDX-License-Identifier: ISC */
/*
 * Processors, and rules for addresses of code; see unwind-rule.h: short forms of rows
 * of call frame information, and code that is recognised by its bytes.
 */
#include "unwind-rule.h"
#include "cfi.h"

/* The kernel's numbers (arch/ARCH/include/uapi/asm/perf_regs.h) for x86-64: rax rdx rcx
 * rbx rsi rdi rbp rsp r8 to r15 rip. */
static const unsigned char kernel_x86_64[] = { 0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20,
	21, 22, 23, 8 };
/* For i386: eax ecx edx ebx esp ebp esi edi eip. */
static const unsigned char kernel_i386[] = { 0, 2, 3, 1, 7, 6, 4, 5, 8 };
/* For aarch64: x0 to x30, sp, pc. */
static const unsigned char kernel_aarch64[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 };
/* For riscv: x0, which is always 0 and missing there, x1 to x31, pc. */
static const unsigned char kernel_riscv[] = { 63, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
	13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0 };

static const struct unwind_cpu cpus[] = {
	[UNWIND_X86_64] = { ELF_X86_64, 7, 6, 16, UNWIND_NO_REGISTER, 8, 0,
		sizeof kernel_x86_64, kernel_x86_64 },
	[UNWIND_AARCH64] = { ELF_AARCH64, 31, 29, 32, 30, 8, 0, sizeof kernel_aarch64,
		kernel_aarch64 },
	[UNWIND_RISCV64] = { ELF_RISCV, 2, 8, 32, 1, 8, -16, sizeof kernel_riscv,
		kernel_riscv },
	[UNWIND_I386] = { ELF_386, 4, 5, 8, UNWIND_NO_REGISTER, 4, 0, sizeof kernel_i386,
		kernel_i386 },
};

const struct unwind_cpu *
unwind_rule_cpu(enum unwind_machine machine)
{
	return &cpus[machine];
}

/* The first bytes of expressions that are recognised. */
enum { OP_DEREF = 0x06, OP_PLUS_UCONST = 0x23, OP_LIT0 = 0x30, OP_BREG0 = 0x70 };

static bool
fits(int64_t n)
{
	return n >= INT32_MIN / 2 && n <= INT32_MAX / 2;
}

/* Matches the rule of stubs for lazy binding, as linkers for x86-64 write it: sp + 8,
 * and 8 more from byte LIT of each entry of 16 bytes on, where a number was pushed. */
static bool
match_stub(const struct cfi_rule *rule, uint64_t address, struct unwind_rule *r)
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
	r->cfa_kind = UNWIND_CFA_SP;
	r->cfa = (address & 15) >= lit ? 16 : 8;
	return true;
}

/* Matches "breg REG N"; REST is the part behind it. */
static bool
match_register(const struct cfi_rule *x, unsigned reg, int64_t *n, struct bytes *rest)
{
	*rest = cfi_rule_expression(x);
	if (reg > 31 || bytes_u8(rest) != OP_BREG0 + reg)
		return false;
	*n = bytes_sleb(rest);
	return !rest->bad && fits(*n);
}

/* Matches "breg sp|fp N, deref[, plus_uconst ADD]". */
static bool
match_deref(const struct unwind_cpu *cpu, const struct cfi_rule *x, struct unwind_rule *r)
{
	struct bytes rest;
	int64_t n;
	uint64_t add = 0;

	if (match_register(x, cpu->sp, &n, &rest))
		r->cfa_kind = UNWIND_CFA_SP_DEREF;
	else if (match_register(x, cpu->fp, &n, &rest))
		r->cfa_kind = UNWIND_CFA_FP_DEREF;
	else
		return false;
	if (bytes_u8(&rest) != OP_DEREF || x->address_size != cpu->word)
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
shorten_cfa(const struct unwind_cpu *cpu, const struct cfi_row *row, uint64_t address,
	struct unwind_rule *r)
{
	if (row->cfa.kind == CFI_VALUE_EXPRESSION)
		return (cpu->elf == ELF_X86_64 && match_stub(&row->cfa, address, r)) ||
			match_deref(cpu, &row->cfa, r);
	if (row->cfa.kind != CFI_REGISTER || !fits(row->cfa.n))
		return false;
	r->cfa_kind = row->cfa.reg == cpu->sp ? UNWIND_CFA_SP : UNWIND_CFA_FP;
	r->cfa = (int32_t)row->cfa.n;
	return row->cfa.reg == cpu->sp || row->cfa.reg == cpu->fp;
}

static bool
shorten_fp(
	const struct unwind_cpu *cpu, const struct cfi_rule *rule, struct unwind_rule *r)
{
	struct bytes rest;
	int64_t n = rule->n;

	switch (rule->kind) {
	case CFI_UNSPECIFIED:
	case CFI_SAME: r->fp_kind = UNWIND_SAVED_NOT; return true;
	case CFI_OFFSET: r->fp_kind = UNWIND_SAVED_CFA; break;
	case CFI_EXPRESSION:
		if (match_register(rule, cpu->sp, &n, &rest))
			r->fp_kind = UNWIND_SAVED_SP;
		else if (match_register(rule, cpu->fp, &n, &rest))
			r->fp_kind = UNWIND_SAVED_FP;
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
shorten_ra(
	const struct unwind_cpu *cpu, const struct cfi_rule *rule, struct unwind_rule *r)
{
	int64_t n = rule->kind == CFI_OFFSET ? rule->n : -cpu->word;

	if (rule->kind != CFI_OFFSET && rule->kind != CFI_UNSPECIFIED &&
		rule->kind != CFI_SAME)
		return false;
	if (rule->kind == CFI_SAME && cpu->link == UNWIND_NO_REGISTER)
		return false;
	r->ra_kind = rule->kind == CFI_OFFSET || cpu->link == UNWIND_NO_REGISTER
		? UNWIND_SAVED_CFA
		: UNWIND_SAVED_NOT;
	r->ra = (int32_t)n;
	return fits(n);
}

static struct unwind_rule
shorten(const struct unwind_cpu *cpu, const struct cfi_row *row, uint64_t address)
{
	static const struct unwind_rule full = { .cfa_kind = UNWIND_CFA_FULL };
	const struct cfi_rule *ra = &row->rules[row->return_register];
	const struct cfi_rule *sp = &row->rules[cpu->sp];
	unsigned own = cpu->link == UNWIND_NO_REGISTER ? cpu->pc : cpu->link;
	struct unwind_rule r = { .signal = row->signal, .switched = row->switched };

	if (ra->kind == CFI_UNDEFINED) {
		r.cfa_kind = UNWIND_CFA_OUTERMOST;
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

/* Whether S is the function _init or _fini, which consists of pieces. */
static bool
is_glue(const struct elf_section *s)
{
	return str_eq(s->name, STR(".init")) || str_eq(s->name, STR(".fini"));
}

/* The section of E with ADDRESS, if it is .plt, .plt.got, .plt.sec, .iplt, .init or
 * .fini. */
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

/* The rule for _init, _fini, and stubs of linkers that do not describe theirs: lld, and
 * GNU ld for aarch64 and riscv. */
static struct unwind_rule
stub_rule(const struct unwind_cpu *cpu, const struct elf *e, uint64_t address)
{
	const struct elf_section *s = find_stubs(e, address);
	struct unwind_rule r = { .cfa_kind = UNWIND_CFA_NONE };
	int word = cpu->word;
	uint64_t at;

	if (!s || (is_glue(s) && cpu->link != UNWIND_NO_REGISTER))
		return r;
	r.cfa_kind = UNWIND_CFA_SP;
	if (cpu->link != UNWIND_NO_REGISTER)
		return r;
	r.ra_kind = UNWIND_SAVED_CFA;
	r.ra = -word;
	r.cfa = word;
	/* sub $8,%rsp first, possibly after endbr64; then calls. */
	if (is_glue(s))
		r.cfa = address - s->address < 8 ? word : 16;
	if (!str_eq(s->name, STR(".plt")))
		return r;
	/* jmp, push of a number (at 6 to 11), jmp to the first entry, which itself
	 * pushes one more. */
	at = address - s->address;
	if (at < 16)
		r.cfa = at < 6 ? 2 * word : 3 * word;
	else
		r.cfa = (at & 15) < 11 ? word : 2 * word;
	return r;
}

/* The code that a signal handler returns to: it asks the kernel to restore all
 * registers from the stack. Libraries with call frame information describe it; musl and
 * Go do not. */
struct sigreturn {
	struct str code;
	unsigned step;		       /* offset of its last instruction */
	int64_t base;		       /* offset of the registers from sp */
	const unsigned char slots[33]; /* the word of each register there */
};

static const struct sigreturn sigreturns[UNWIND_MACHINES] = {
	/* mov $15,%rax; syscall */
	[UNWIND_X86_64] = { { "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9 }, 7, 40,
		{ 13, 12, 14, 11, 9, 8, 10, 15, 0, 1, 2, 3, 4, 5, 6, 7, 16 } },
	/* mov x8,#139; svc #0 */
	[UNWIND_AARCH64] = { { "\x68\x11\x80\xd2\x01\0\0\xd4", 8 }, 4, 312,
		{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
			20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32 } },
	/* li a7,139; ecall */
	[UNWIND_RISCV64] = { { "\x93\x08\xb0\x08\x73\0\0\0", 8 }, 4, 304,
		{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
			20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0 } },
};

static bool
has_code(const struct elf *e, uint64_t address, struct str code)
{
	return str_starts(elf_from(e, address), code);
}

/* Sets *ROW if ADDRESS is in such code, or before it like the place of a call. */
static bool
find_sigreturn(const struct unwind_cpu *cpu, const struct elf *e, uint64_t address,
	struct cfi_row *row)
{
	const struct sigreturn *s = &sigreturns[cpu - cpus];
	unsigned i;

	if (!s->code.n ||
		(!has_code(e, address + 1, s->code) && !has_code(e, address, s->code) &&
			!has_code(e, address - s->step, s->code)))
		return false;
	*row = (struct cfi_row){ .start = address,
		.end = address + 1,
		.signal = true,
		.return_register = cpu->pc,
		.cfa = { .kind = CFI_REGISTER, .reg = cpu->sp } };
	for (i = 0; i < cpu->n; i++)
		row->rules[i] = (struct cfi_rule){ .kind = CFI_OFFSET,
			.n = s->base + cpu->word * s->slots[i] };
	return true;
}

bool
unwind_rule_row(const struct unwind_cpu *cpu, struct dso *d, uint64_t address,
	struct cfi_row *row)
{
	struct elf *e = dso_code(d);
	struct cfi *c;

	if (e && e->machine != cpu->elf)
		return false;
	c = dso_cfi(d);
	return (c && cfi_find(c, address, row)) ||
		(e && find_sigreturn(cpu, e, address, row));
}

/* The kernel's code for system calls of 32-bit processes (__kernel_vsyscall), whose
 * file is not kept. Samples are behind its system call: ecx, edx and ebp are on the
 * stack. */
static struct unwind_rule
vdso_rule(const struct unwind_cpu *cpu)
{
	struct unwind_rule r = { .cfa_kind = UNWIND_CFA_SP };

	r.cfa = 4 * cpu->word;
	r.fp_kind = r.ra_kind = UNWIND_SAVED_CFA;
	r.fp = -4 * cpu->word;
	r.ra = -cpu->word;
	return r;
}

struct unwind_rule
unwind_rule_find(const struct unwind_cpu *cpu, struct dso *d, uint64_t address)
{
	struct cfi_row row;
	struct elf *e;

	if (unwind_rule_row(cpu, d, address, &row))
		return shorten(cpu, &row, address);
	e = dso_code(d);
	if (e && e->machine == cpu->elf)
		return stub_rule(cpu, e, address);
	if (cpu->elf == ELF_386 && dso_kind(d) == DSO_VDSO)
		return vdso_rule(cpu);
	return (struct unwind_rule){ .cfa_kind = UNWIND_CFA_NONE };
}

/* The rule of CPython's trampolines, "py::..." in a perf map (Python/asm_trampoline.S),
 * at OFFSET of SIZE bytes:
 *
 *	[endbr64]  sub $8,%rsp  call *%rcx  add $8,%rsp  ret
 */
static struct unwind_rule
trampoline_rule(uint64_t offset, uint64_t size)
{
	enum { PLAIN = 11, ENDBR = 4 };
	uint64_t begin = size >= PLAIN + ENDBR ? ENDBR : 0;
	struct unwind_rule r = { .cfa_kind = UNWIND_CFA_SP, .cfa = 16 };

	r.ra_kind = UNWIND_SAVED_CFA;
	r.ra = -8;
	if (offset <= begin || offset == begin + PLAIN - 1)
		r.cfa = 8;
	return r;
}

bool
unwind_rule_made(const struct unwind_cpu *cpu, const struct jit_code *m, uint64_t address,
	struct unwind_rule *rule, struct cfi_row *row)
{
	struct cfi_made made = { m->frames, m->end - m->start, (uint16_t)cpu->elf,
		m->swap };

	*rule = (struct unwind_rule){ .cfa_kind = UNWIND_CFA_NONE };
	if (m->frames.n && cfi_find_made(&made, address - m->start, row)) {
		*rule = shorten(cpu, row, address - m->start);
		return true;
	}
	if (cpu->elf == ELF_X86_64 && str_starts(m->name, STR("py::")))
		*rule = trampoline_rule(address - m->start, made.size);
	return false;
}

const struct unwind_full *
unwind_rule_lengthen(struct arena *a, const struct cfi_row *row)
{
	struct unwind_full *f;
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
			f->registers[f->n++] = (struct unwind_saved){ i, row->rules[i] };
	return f;
}
