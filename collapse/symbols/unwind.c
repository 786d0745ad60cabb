/* SPDX-License-Identifier: ISC */
/*
 * One step from a frame to its caller, the walk from frame to frame, and two caches of rules;
 * see unwind.h.
 *
 * Near: by program counter, direct mapped, one line of the processor's cache
 * for all that a frame needs; what it says of the map is checked against the
 * space each time, so it serves all spaces. Far: by dso and address, rules that
 * took an FDE to read.
 */
#include "unwind.h"
#include "mem.h"
#include "unwind-rule.h"

/* A frame and what it is in. */
struct place {
	const struct unwind_cpu *cpu;
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
	STEP_UP, /* the place is now the caller's */
	STEP_WHOLE,
	STEP_OUTSIDE, /* takes memory, at reach, that is not in the snapshot */
	STEP_UNKNOWN,
	STEP_BROKEN
};

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

static enum step
step_of(enum cfi_result r)
{
	return r == CFI_OUTSIDE ? STEP_OUTSIDE : STEP_UNKNOWN;
}

/* The address within ra, whose upper bits may be a signature (Armv8.3). User
 * addresses have 48 bits, or 52. */
static uint64_t
strip(struct place *p, uint64_t ra)
{
	uint64_t wide = ra & (((uint64_t)1 << 52) - 1),
		 plain = ra & (((uint64_t)1 << 48) - 1);

	if (p->cpu->elf != ELF_AARCH64 || ra == plain)
		return ra;
	return wide != plain && address_space_find(p->space, wide) ? wide : plain;
}

/* The caller is at RA with the stack pointer SP. */
static enum step
arrive(struct place *p, uint64_t ra, uint64_t sp, bool signal)
{
	struct cfi_frame *f = &p->frame;
	uint64_t old_sp = f->regs[p->cpu->sp], old_pc = f->regs[p->cpu->pc];
	bool first = p->first;

	ra = strip(p, ra);
	set(f, p->cpu->sp, sp);
	set(f, p->cpu->pc, ra);
	p->first = p->interrupted = signal;
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
find_cfa(struct place *p, const struct unwind_rule *rule, uint64_t *cfa)
{
	const struct cfi_frame *f = &p->frame;
	bool by_fp =
		rule->cfa_kind == UNWIND_CFA_FP || rule->cfa_kind == UNWIND_CFA_FP_DEREF;
	unsigned reg = by_fp ? p->cpu->fp : p->cpu->sp;
	enum cfi_result r;

	if (!has(f, reg))
		return STEP_UNKNOWN;
	*cfa = f->regs[reg] + (uint64_t)(int64_t)rule->cfa;
	p->reach = *cfa;
	if (rule->cfa_kind == UNWIND_CFA_SP || rule->cfa_kind == UNWIND_CFA_FP)
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
restore_fp(struct place *p, const struct unwind_rule *rule, uint64_t cfa)
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

/* Goes to the caller by RULE, which is not UNWIND_CFA_FULL. */
static enum step
step_short(struct place *p, const struct unwind_rule *rule)
{
	struct cfi_frame *f = &p->frame;
	uint64_t cfa, ra, at;
	enum step s;
	enum cfi_result r;

	if (rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return STEP_WHOLE;
	s = find_cfa(p, rule, &cfa);
	if (s != STEP_UP)
		return s;
	p->reach = at = cfa + (uint64_t)(int64_t)rule->ra;
	if (rule->ra_kind == UNWIND_SAVED_NOT ||
		(p->cpu->link != UNWIND_NO_REGISTER && at < f->regs[p->cpu->sp])) {
		if (!p->first || !has(f, p->cpu->link))
			return STEP_UNKNOWN;
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
find_return(
	const struct place *p, const struct unwind_full *f, uint64_t cfa, uint64_t *ra)
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

/* Goes to the caller by F. SIGNAL: the frame was made by a signal. */
static enum step
step_full(struct place *p, const struct unwind_full *f, bool signal)
{
	struct cfi_frame down = p->frame;
	uint64_t cfa, ra, sp = down.regs[p->cpu->sp];
	struct cfi_expression x;
	enum cfi_result r;
	size_t i;

	if (f->ra.kind == CFI_UNDEFINED)
		return STEP_WHOLE;
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
keep_few(struct place *p)
{
	p->frame.has &= (uint64_t)1 << p->cpu->sp | (uint64_t)1 << p->cpu->fp |
		(uint64_t)1 << p->cpu->pc;
}

/* Whether the code at RA has call frame information: it is then not in the
 * function we are in, which has none. */
static bool
is_described(struct place *p, uint64_t ra)
{
	const struct address_space_map *m = address_space_find(p->space, ra - 1);
	uint64_t address;

	return m && address_space_symbol_address(m, ra - 1, &address) &&
		unwind_rule_find(p->cpu, m->dso, address).cfa_kind != UNWIND_CFA_NONE;
}

/* A leaf without call frame information, called by code that has some: its
 * return address is still in the link register, and fp is the caller's. */
static bool
is_leaf(struct place *p, uint64_t saved)
{
	uint64_t ra;

	if (p->cpu->link == UNWIND_NO_REGISTER || !p->first ||
		!has(&p->frame, p->cpu->link))
		return false;
	ra = strip(p, p->frame.regs[p->cpu->link]);
	return ra && ra != strip(p, saved) && is_described(p, ra);
}

/* Without any rule: by the frame pointer, or the link register. MADE: the code was
 * made at run time, which may use the frame pointer for anything. */
static enum step
step_guess(struct place *p, bool made)
{
	struct cfi_frame *f = &p->frame;
	uint64_t fp = f->regs[p->cpu->fp], sp = f->regs[p->cpu->sp], ra = 0, next = 0;
	bool inside;

	if (!has(f, p->cpu->fp))
		return STEP_UNKNOWN;
	inside = fp >= sp && cfi_read(f, fp, 8, &next) == CFI_DONE &&
		cfi_read(f, fp + 8, 8, &ra) == CFI_DONE;
	if (is_leaf(p, ra)) {
		ra = f->regs[p->cpu->link];
		keep_few(p);
		return arrive(p, ra, sp, false);
	}
	if (fp == 0)
		return made || p->first ? STEP_UNKNOWN : STEP_WHOLE;
	p->reach = fp;
	if (!inside)
		return p->start->full && fp >= sp && fp - sp < REACH_MOST && fp % 8 == 0
			? STEP_OUTSIDE
			: STEP_UNKNOWN;
	if (ra != 0 && !address_space_find(p->space, strip(p, ra) - 1))
		return STEP_UNKNOWN;
	keep_few(p);
	set(f, p->cpu->fp, next);
	return arrive(p, ra, fp + 16, false);
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
	struct unwind_rule rule;
};

_Static_assert(sizeof(struct near) == LINE, "one line of the cache");

struct far {
	struct dso *dso; /* NULL: free */
	uint64_t address;
	const struct unwind_full *full; /* when it was asked for */
	struct unwind_rule rule;
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
	struct unwind_rule made;
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

/* The place of DSO and ADDRESS, taken or free. */
static struct far *
far_place(struct unwind *u, unsigned machine, struct dso *dso, uint64_t address)
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
			*far_place(u, old[i].machine, old[i].dso, old[i].address) =
				old[i];
	free(old);
}

static struct far *
find_far(struct unwind *u, unsigned machine, struct dso *dso, uint64_t address)
{
	struct far *x = far_place(u, machine, dso, address);

	if (x->dso)
		return x;
	if (u->far_n >= u->far_size / 2) {
		far_grow(u);
		x = far_place(u, machine, dso, address);
	}
	u->far_n++;
	*x = (struct far){
		.dso = dso, .address = address, .machine = (unsigned char)machine
	};
	x->rule = unwind_rule_find(&unwind_cpus[machine], dso, address);
	return x;
}

static const struct unwind_full *
find_full(struct unwind *u, unsigned machine, const struct near *n)
{
	struct far *x = find_far(u, machine, n->dso, n->address);

	if (!x->asked)
		x->full = unwind_full_find(
			&u->arena, &unwind_cpus[machine], n->dso, n->address);
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
static const struct unwind_rule *
made_rule(struct unwind *u, const struct place *p, const struct near *n, uint64_t at)
{
	struct dso *d = p->start->made;
	struct dso_made m;

	u->made = (struct unwind_rule){ .cfa_kind = UNWIND_CFA_NONE };
	u->has_row = false;
	if ((d && dso_find_made(d, at, p->start->time, &m)) ||
		(n && dso_find_made(n->dso, at, p->start->time, &m)))
		u->has_row = unwind_rule_made(p->cpu, &m, at, &u->made, &u->row);
	return &u->made;
}

/* The rule of the code N at length; NULL when there is no more to it. */
static const struct unwind_full *
full_rule(struct unwind *u, const struct place *p, const struct near *n)
{
	if (n && !n->made)
		return find_full(u, p->start->machine, n);
	return u->has_row ? unwind_full_of(&u->brief, &u->row) : NULL;
}

static enum step
go_up(struct unwind *u, struct place *p, const struct near *n,
	const struct unwind_rule *rule)
{
	const struct unwind_full *full;

	if (rule->cfa_kind == UNWIND_CFA_NONE)
		return step_guess(p, n && n->made);
	if (!p->all || rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return step_short(p, rule);
	full = full_rule(u, p, n);
	return full ? step_full(p, full, rule->signal) : step_short(p, rule);
}

/* Why there is no memory at P->reach. */
static enum unwind_end
end_outside(const struct place *p)
{
	enum { LEAST = 4096 }; /* nothing is mapped below */
	uint64_t at = p->reach - p->frame.stack_at;
	bool near = at < p->frame.stack.n + REACH_MOST;

	if (!p->frame.stack.n)
		return UNWIND_ABSENT;
	if (p->interrupted)
		return near && p->start->full ? UNWIND_CUT : UNWIND_SWITCHED;
	if (p->reach < LEAST || (at && -at < REACH_MOST))
		return UNWIND_BROKEN;
	if (!near)
		return UNWIND_SWITCHED;
	return p->start->full ? UNWIND_CUT : UNWIND_ABSENT;
}

/* Why P, in the code of N, has no caller by S. */
static enum unwind_end
end_of(const struct place *p, const struct near *n, enum step s)
{
	if (s == STEP_OUTSIDE)
		return end_outside(p);
	if (s != STEP_UNKNOWN)
		return s == STEP_WHOLE ? UNWIND_WHOLE : UNWIND_BROKEN;
	if (!n)
		return UNWIND_NO_MAP;
	return dso_kind(n->dso) == DSO_FILE && !dso_code(n->dso) ? UNWIND_NO_FILE
								 : UNWIND_NO_RULE;
}

/* False when it came to a rule that takes registers which were not kept. */
static bool
walk(struct unwind *u, struct place *p, struct unwind_chain *w)
{
	enum step s;
	const struct unwind_rule *rule;
	const struct near *n;
	uint64_t pc, at;

	for (w->n = 0; w->n < w->cap;) {
		pc = p->frame.regs[p->cpu->pc];
		at = pc - !p->first;
		n = find_near(u, p->start->machine, p->space, at);
		rule = n && !n->made ? &n->rule : made_rule(u, p, n, at);
		if (rule->cfa_kind == UNWIND_CFA_FULL && !p->all)
			return false;
		w->frames[w->n++] = make_frame(n, pc, at);
		s = go_up(u, p, n, rule);
		if (s != STEP_UP) {
			w->end = end_of(p, n, s);
			return true;
		}
	}
	w->end = UNWIND_DEEP;
	return true;
}

static void
begin(struct place *p, const struct unwind_start *start, struct address_space *space)
{
	const struct unwind_cpu *cpu = &unwind_cpus[start->machine];
	unsigned i;

	p->cpu = cpu;
	p->space = space;
	p->first = true;
	p->interrupted = false;
	p->start = start;
	p->frame.has = 0;
	for (i = 0; i < cpu->n; i++) {
		p->frame.regs[i] = start->regs[cpu->kernel[i]];
		p->frame.has |= (start->mask >> cpu->kernel[i] & 1) << i;
	}
	p->frame.stack_at = p->frame.regs[cpu->sp];
	if (p->frame.has >> cpu->sp & 1)
		p->frame.stack = start->stack;
	p->frame.swap = start->swap;
}

void
unwind_stack(struct unwind *u, struct address_space *space,
	const struct unwind_start *start, struct unwind_chain *chain)
{
	struct place p = { .all = false };

	chain->n = 0;
	chain->end = UNWIND_NO_RULE;
	begin(&p, start, space);
	if (p.frame.has >> p.cpu->pc & 1 && !walk(u, &p, chain)) {
		begin(&p, start, space);
		p.all = true;
		(void)walk(u, &p, chain);
	}
	if (u->brief.blocks)
		arena_release(&u->brief);
}
