/* SPDX-License-Identifier: ISC */
/* From a frame to its caller; see unwind-parts.h. */
#include "unwind-parts.h"

static bool
has(const struct cfi_frame *f, unsigned reg)
{
	return reg < CFI_REGISTERS && f->has >> reg & 1;
}

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

static enum unwind_step
step_of(enum cfi_result r)
{
	return r == CFI_OUTSIDE ? UNWIND_STEP_OUTSIDE : UNWIND_STEP_UNKNOWN;
}

/* The address within ra, whose upper bits may be a signature (Armv8.3). User
 * addresses have 48 bits, or 52. */
static uint64_t
strip(struct unwind_place *p, uint64_t ra)
{
	uint64_t wide = ra & (((uint64_t)1 << 52) - 1),
		 plain = ra & (((uint64_t)1 << 48) - 1);

	if (p->cpu->elf != ELF_AARCH64 || ra == plain)
		return ra;
	return wide != plain && space_find(p->space, wide) ? wide : plain;
}

/* The caller is at RA with the stack pointer SP. */
static enum unwind_step
arrive(struct unwind_place *p, uint64_t ra, uint64_t sp, bool signal)
{
	struct cfi_frame *f = &p->frame;
	uint64_t old_sp = f->regs[p->cpu->sp], old_pc = f->regs[p->cpu->pc];
	bool first = p->first;

	ra = strip(p, ra);
	set(f, p->cpu->sp, sp);
	set(f, p->cpu->pc, ra);
	p->first = p->interrupted = signal;
	if (ra == 0)
		return UNWIND_STEP_WHOLE;
	if (sp > old_sp || (signal && (sp != old_sp || ra != old_pc)))
		return UNWIND_STEP_UP;
	/* A leaf whose return address is in a register has nothing on the stack. */
	if (sp == old_sp && first && ra != old_pc)
		return UNWIND_STEP_UP;
	return UNWIND_STEP_BROKEN;
}

static enum unwind_step
find_cfa(struct unwind_place *p, const struct unwind_rule *rule, uint64_t *cfa)
{
	const struct cfi_frame *f = &p->frame;
	bool by_fp =
		rule->cfa_kind == UNWIND_CFA_FP || rule->cfa_kind == UNWIND_CFA_FP_DEREF;
	unsigned reg = by_fp ? p->cpu->fp : p->cpu->sp;
	enum cfi_result r;

	if (!has(f, reg))
		return UNWIND_STEP_UNKNOWN;
	*cfa = f->regs[reg] + (uint64_t)(int64_t)rule->cfa;
	p->reach = *cfa;
	if (rule->cfa_kind == UNWIND_CFA_SP || rule->cfa_kind == UNWIND_CFA_FP)
		return UNWIND_STEP_UP;
	r = cfi_read(f, *cfa, 8, cfa);
	*cfa += (uint64_t)(int64_t)rule->add;
	return r == CFI_DONE ? UNWIND_STEP_UP : step_of(r);
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
restore_fp(struct unwind_place *p, const struct unwind_rule *rule, uint64_t cfa)
{
	struct cfi_frame *f = &p->frame;
	uint64_t sp = f->regs[p->cpu->sp], from = cfa;

	if (rule->fp_kind == UNWIND_SAVED_NOT)
		return;
	if (rule->fp_kind == UNWIND_SAVED_SP)
		from = sp;
	else if (rule->fp_kind == UNWIND_SAVED_FP) {
		if (!has(f, p->cpu->fp))
			return;
		from = f->regs[p->cpu->fp];
	}
	restore(f, p->cpu->fp, from + (uint64_t)(int64_t)rule->fp, sp);
}

enum unwind_step
unwind_step_short(struct unwind_place *p, const struct unwind_rule *rule)
{
	struct cfi_frame *f = &p->frame;
	uint64_t cfa, ra, at;
	enum unwind_step s;
	enum cfi_result r;

	if (rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return UNWIND_STEP_WHOLE;
	s = find_cfa(p, rule, &cfa);
	if (s != UNWIND_STEP_UP)
		return s;
	p->reach = at = cfa + (uint64_t)(int64_t)rule->ra;
	if (rule->ra_kind == UNWIND_SAVED_NOT ||
		(p->cpu->link != UNWIND_NO_REGISTER && at < f->regs[p->cpu->sp])) {
		if (!p->first || !has(f, p->cpu->link))
			return UNWIND_STEP_UNKNOWN;
		ra = f->regs[p->cpu->link];
	} else {
		r = cfi_read(f, at, 8, &ra);
		if (r != CFI_DONE)
			return step_of(r);
		if (p->cpu->link != UNWIND_NO_REGISTER)
			set(f, p->cpu->link, ra);
	}
	restore_fp(p, rule, cfa);
	return arrive(p, ra, cfa, rule->signal);
}

/* The value of a register that RULE describes, in F, the callee's frame. */
static enum cfi_result
value_of(const struct cfi_frame *f, const struct cfi_rule *rule, uint64_t cfa,
	uint64_t *value)
{
	struct cfi_expression x = cfi_rule_expression(rule);
	enum cfi_result r;

	switch (rule->kind) {
	case CFI_OFFSET: return cfi_read(f, cfa + (uint64_t)rule->n, 8, value);
	case CFI_VALUE_OFFSET: *value = cfa + (uint64_t)rule->n; return CFI_DONE;
	case CFI_REGISTER:
		if (!has(f, rule->reg))
			return CFI_REFUSED;
		*value = f->regs[rule->reg] + (uint64_t)rule->n;
		return CFI_DONE;
	case CFI_VALUE_EXPRESSION: return cfi_evaluate(&x, f, &cfa, value);
	case CFI_EXPRESSION:
		r = cfi_evaluate(&x, f, &cfa, value);
		return r == CFI_DONE ? cfi_read(f, *value, 8, value) : r;
	default: return CFI_REFUSED;
	}
}

/* Register R->reg of the caller, into UP, which is a copy of DOWN so far. */
static void
restore_register(struct cfi_frame *up, const struct cfi_frame *down,
	const struct unwind_register *r, uint64_t cfa, uint64_t sp)
{
	uint64_t value;

	if (r->rule.kind == CFI_SAME)
		return;
	if (r->rule.kind == CFI_OFFSET && cfa + (uint64_t)r->rule.n < sp)
		return;
	if (value_of(down, &r->rule, cfa, &value) == CFI_DONE)
		set(up, r->reg, value);
	else
		forget(up, r->reg);
}

static enum cfi_result
find_return(const struct unwind_place *p, const struct unwind_full *f, uint64_t cfa,
	uint64_t *ra)
{
	const struct cfi_frame *down = &p->frame;
	bool link = p->cpu->link != UNWIND_NO_REGISTER;
	bool unchanged = f->ra.kind == CFI_UNSPECIFIED || f->ra.kind == CFI_SAME ||
		(f->ra.kind == CFI_OFFSET && link &&
			cfa + (uint64_t)f->ra.n < down->regs[p->cpu->sp]);

	if (!unchanged)
		return value_of(down, &f->ra, cfa, ra);
	if (!link)
		return cfi_read(down, cfa - 8, 8, ra);
	if (!p->first || !has(down, f->return_register))
		return CFI_REFUSED;
	*ra = down->regs[f->return_register];
	return CFI_DONE;
}

enum unwind_step
unwind_step_full(struct unwind_place *p, const struct unwind_full *f, bool signal)
{
	struct cfi_frame down = p->frame;
	uint64_t cfa, ra, sp = down.regs[p->cpu->sp];
	struct cfi_expression x;
	enum cfi_result r;
	size_t i;

	if (f->ra.kind == CFI_UNDEFINED)
		return UNWIND_STEP_WHOLE;
	p->reach = sp;
	x = cfi_rule_expression(&f->cfa);
	r = f->cfa.kind == CFI_REGISTER ? value_of(&down, &f->cfa, 0, &cfa)
					: cfi_evaluate(&x, &down, NULL, &cfa);
	if (r != CFI_DONE)
		return step_of(r);
	p->reach = cfa;
	r = find_return(p, f, cfa, &ra);
	if (r != CFI_DONE)
		return step_of(r);
	set(&p->frame, p->cpu->sp, cfa);
	if (p->cpu->link != UNWIND_NO_REGISTER)
		set(&p->frame, p->cpu->link, ra);
	for (i = 0; i < f->n; i++)
		if (f->registers[i].reg != p->cpu->sp ||
			f->registers[i].rule.kind != CFI_SAME)
			restore_register(&p->frame, &down, &f->registers[i], cfa, sp);
	cfa = p->frame.regs[p->cpu->sp];
	set(&p->frame, p->cpu->sp, sp);
	return arrive(p, ra, cfa, signal);
}

/* Keeps of all registers those that a guess gives. */
static void
keep_few(struct unwind_place *p)
{
	p->frame.has &= (uint64_t)1 << p->cpu->sp | (uint64_t)1 << p->cpu->fp |
		(uint64_t)1 << p->cpu->pc;
}

/* Whether the code at RA has call frame information: it is then not in the
 * function we are in, which has none. */
static bool
is_described(struct unwind_place *p, uint64_t ra)
{
	const struct space_map *m = space_find(p->space, ra - 1);
	uint64_t address;

	return m && space_symbol_address(m, ra - 1, &address) &&
		unwind_rule_find(p->cpu, m->dso, address).cfa_kind != UNWIND_CFA_NONE;
}

/* A leaf without call frame information, called by code that has some: its
 * return address is still in the link register, and fp is the caller's. */
static bool
is_leaf(struct unwind_place *p, uint64_t saved)
{
	uint64_t ra;

	if (p->cpu->link == UNWIND_NO_REGISTER || !p->first ||
		!has(&p->frame, p->cpu->link))
		return false;
	ra = strip(p, p->frame.regs[p->cpu->link]);
	return ra && ra != strip(p, saved) && is_described(p, ra);
}

enum unwind_step
unwind_step_guess(struct unwind_place *p, bool made)
{
	struct cfi_frame *f = &p->frame;
	uint64_t fp = f->regs[p->cpu->fp], sp = f->regs[p->cpu->sp], ra = 0, next = 0;
	bool inside;

	if (!has(f, p->cpu->fp))
		return UNWIND_STEP_UNKNOWN;
	inside = fp >= sp && cfi_read(f, fp, 8, &next) == CFI_DONE &&
		cfi_read(f, fp + 8, 8, &ra) == CFI_DONE;
	if (is_leaf(p, ra)) {
		ra = f->regs[p->cpu->link];
		keep_few(p);
		return arrive(p, ra, sp, false);
	}
	if (fp == 0)
		return made || p->first ? UNWIND_STEP_UNKNOWN : UNWIND_STEP_WHOLE;
	p->reach = fp;
	if (!inside)
		return p->start->full && fp >= sp && fp - sp < UNWIND_REACH && fp % 8 == 0
			? UNWIND_STEP_OUTSIDE
			: UNWIND_STEP_UNKNOWN;
	if (ra != 0 && !space_find(p->space, strip(p, ra) - 1))
		return UNWIND_STEP_UNKNOWN;
	keep_few(p);
	set(f, p->cpu->fp, next);
	return arrive(p, ra, fp + 16, false);
}
