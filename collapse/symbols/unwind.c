/* SPDX-License-Identifier: ISC */
/*
 * Steps from a frame to its caller by a rule (unwind-rule.h), the walk from frame to
 * frame, and two caches of rules; see unwind.h.
 *
 * Near: by program counter, direct mapped, one line of the processor's cache for all
 * data of a frame. Its map is checked against the space each time, so it serves all
 * spaces. Far: by dso and address, rules that took an FDE to read.
 */
#include "unwind.h"
#include "arena.h"
#include "mem.h"

/* A frame, and its context. */
struct cursor {
	const struct unwind_cpu *cpu;
	struct address_space *space;
	const struct unwind_start *start;
	struct cfi_frame frame; /* the program counter is frame.regs[cpu->pc] */
	bool first;		/* the innermost, or interrupted by a signal */
	bool all;		/* keep all registers, not only sp, fp and link */
	bool interrupted;	/* by a signal */
	bool apart;		/* on a stack that may be outside the snapshot */
	uint64_t reach;		/* about the last memory that was read */
};

/* Limits on the distance to the rest of a stack beyond its snapshot, and on the
 * kernel's data on the stack for a signal, mostly registers. */
enum { REACH_MOST = 8 << 20, SIGNAL_MOST = 64 << 10 };

enum step {
	STEP_UP, /* the cursor is now at the caller */
	STEP_WHOLE,
	STEP_OUTSIDE, /* needs memory, at reach, outside the snapshot */
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

/* The address in RA, whose upper bits may be a signature (Armv8.3). User addresses have
 * 48 bits, or 52. */
static uint64_t
strip(struct cursor *c, uint64_t ra)
{
	uint64_t wide = ra & (((uint64_t)1 << 52) - 1),
		 plain = ra & (((uint64_t)1 << 48) - 1);

	if (c->cpu->elf != ELF_AARCH64 || ra == plain)
		return ra;
	return wide != plain && address_space_find(c->space, wide) ? wide : plain;
}

/* Whether SP, of the interrupted code, is on another stack than the signal handler. */
static bool
is_apart(const struct cursor *c, uint64_t sp)
{
	const struct cfi_frame *f = &c->frame;
	uint64_t left = f->stack_at + f->stack.n - f->regs[c->cpu->sp];

	return sp - f->regs[c->cpu->sp] > left + SIGNAL_MOST;
}

/* Moves to the caller at RA with the stack pointer SP, by RULE. */
static enum step
arrive(struct cursor *c, uint64_t ra, uint64_t sp, const struct unwind_rule *rule)
{
	struct cfi_frame *f = &c->frame;
	uint64_t old_sp = f->regs[c->cpu->sp], old_pc = f->regs[c->cpu->pc];
	bool first = c->first;

	ra = strip(c, ra);
	if (rule->signal)
		c->apart |= is_apart(c, sp);
	set(f, c->cpu->sp, sp);
	set(f, c->cpu->pc, ra);
	c->first = c->interrupted = rule->signal;
	if (ra == 0)
		return STEP_WHOLE;
	if (sp > old_sp || rule->switched ||
		(rule->signal && (sp != old_sp || ra != old_pc)))
		return STEP_UP;
	/* A leaf with its return address in a register may have nothing on the stack. */
	if (sp == old_sp && first && ra != old_pc)
		return STEP_UP;
	return STEP_BROKEN;
}

static enum step
find_cfa(struct cursor *c, const struct unwind_rule *rule, uint64_t *cfa)
{
	const struct cfi_frame *f = &c->frame;
	bool by_fp =
		rule->cfa_kind == UNWIND_CFA_FP || rule->cfa_kind == UNWIND_CFA_FP_DEREF;
	unsigned reg = by_fp ? c->cpu->fp : c->cpu->sp;
	enum cfi_result r;

	if (!cfi_has(f, reg))
		return STEP_UNKNOWN;
	*cfa = f->regs[reg] + (uint64_t)(int64_t)rule->cfa;
	c->reach = *cfa;
	if (rule->cfa_kind == UNWIND_CFA_SP || rule->cfa_kind == UNWIND_CFA_FP)
		return STEP_UP;
	r = cfi_word(f, *cfa, cfa);
	*cfa += (uint64_t)(int64_t)rule->add;
	return r == CFI_DONE ? STEP_UP : step_of(r);
}

/* Sets REG to the word at AT. Places below the stack pointer are registers that were
 * restored already, so REG is unchanged then. */
static void
restore(struct cfi_frame *f, unsigned reg, uint64_t at, uint64_t sp)
{
	uint64_t value;

	if (at < sp)
		return;
	if (cfi_word(f, at, &value) == CFI_DONE)
		set(f, reg, value);
	else
		forget(f, reg);
}

static void
restore_fp(struct cursor *c, const struct unwind_rule *rule, uint64_t cfa)
{
	struct cfi_frame *f = &c->frame;
	uint64_t sp = f->regs[c->cpu->sp], from = cfa;

	if (rule->fp_kind == UNWIND_SAVED_NOT)
		return;
	if (rule->fp_kind == UNWIND_SAVED_SP)
		from = sp;
	else if (rule->fp_kind == UNWIND_SAVED_FP) {
		if (!cfi_has(f, c->cpu->fp))
			return;
		from = f->regs[c->cpu->fp];
	}
	restore(f, c->cpu->fp, from + (uint64_t)(int64_t)rule->fp, sp);
}

/* Steps to the caller by RULE, which is not UNWIND_CFA_FULL. */
static enum step
step_short(struct cursor *c, const struct unwind_rule *rule)
{
	struct cfi_frame *f = &c->frame;
	uint64_t cfa, ra, at;
	enum step s;
	enum cfi_result r;

	if (rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return STEP_WHOLE;
	s = find_cfa(c, rule, &cfa);
	if (s != STEP_UP)
		return s;
	c->reach = at = cfa + (uint64_t)(int64_t)rule->ra;
	if (rule->ra_kind == UNWIND_SAVED_NOT ||
		(c->cpu->link != UNWIND_NO_REGISTER && at < f->regs[c->cpu->sp])) {
		if (!c->first || !cfi_has(f, c->cpu->link))
			return STEP_UNKNOWN;
		ra = f->regs[c->cpu->link];
	} else {
		r = cfi_word(f, at, &ra);
		if (r != CFI_DONE)
			return step_of(r);
		if (c->cpu->link != UNWIND_NO_REGISTER)
			set(f, c->cpu->link, ra);
	}
	restore_fp(c, rule, cfa);
	return arrive(c, ra, cfa, rule);
}

/* Restores register R->reg of the caller in UP, which starts as a copy of DOWN. */
static void
restore_register(struct cfi_frame *up, const struct cfi_frame *down,
	const struct unwind_saved *r, uint64_t cfa, uint64_t sp)
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
find_return(
	const struct cursor *c, const struct unwind_full *f, uint64_t cfa, uint64_t *ra)
{
	const struct cfi_frame *down = &c->frame;
	bool link = c->cpu->link != UNWIND_NO_REGISTER;
	bool unchanged = f->ra.kind == CFI_UNSPECIFIED || f->ra.kind == CFI_SAME ||
		(f->ra.kind == CFI_OFFSET && link &&
			cfa + (uint64_t)f->ra.n < down->regs[c->cpu->sp]);

	if (!unchanged)
		return cfi_rule_value(&f->ra, down, &cfa, ra);
	if (!link)
		return cfi_word(down, cfa - down->word, ra);
	if (!c->first || !cfi_has(down, f->return_register))
		return CFI_REFUSED;
	*ra = down->regs[f->return_register];
	return CFI_DONE;
}

/* Steps to the caller by F, the full form of RULE. */
static enum step
step_full(struct cursor *c, const struct unwind_full *f, const struct unwind_rule *rule)
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
	if (c->cpu->link != UNWIND_NO_REGISTER)
		set(&c->frame, c->cpu->link, ra);
	for (i = 0; i < f->n; i++)
		if (f->registers[i].reg != c->cpu->sp ||
			f->registers[i].rule.kind != CFI_SAME)
			restore_register(&c->frame, &down, &f->registers[i], cfa, sp);
	cfa = c->frame.regs[c->cpu->sp];
	set(&c->frame, c->cpu->sp, sp);
	return arrive(c, ra, cfa, rule);
}

/* Forgets all registers except for those that a guess yields. */
static void
keep_few(struct cursor *c)
{
	c->frame.has &= (uint64_t)1 << c->cpu->sp | (uint64_t)1 << c->cpu->fp |
		(uint64_t)1 << c->cpu->pc;
}

/* Whether the code at RA has call frame information: it is then not in the current
 * function, which has none. */
static bool
is_described(struct cursor *c, uint64_t ra)
{
	const struct address_space_map *m = address_space_find(c->space, ra - 1);
	uint64_t address;

	return m && address_space_symbol_address(m, ra - 1, &address) &&
		unwind_rule_find(c->cpu, m->dso, address).cfa_kind != UNWIND_CFA_NONE;
}

/* A function, and its place in the process. */
struct place {
	struct dso *dso;
	struct dso_function function;
	uint64_t start;
};

/* Finds the function at PC by symbols. Returns false without one. */
static bool
find_place(const struct cursor *c, uint64_t pc, struct place *p)
{
	const struct address_space_map *m = address_space_find(c->space, pc);
	uint64_t address;

	if (!m || !address_space_symbol_address(m, pc, &address) ||
		!dso_function(m->dso, address, &p->function))
		return false;
	p->dso = m->dso;
	p->start = pc - (address - p->function.start);
	return true;
}

/* Whether the code at RA and at PC belong to different functions. */
static bool
is_elsewhere(const struct cursor *c, uint64_t pc, uint64_t ra)
{
	struct place here, there;

	return find_place(c, pc, &here) && find_place(c, ra - 1, &there) &&
		(here.dso != there.dso || here.start != there.start);
}

/* Whether this is a leaf without call frame information: its return address is still in
 * the link register, and fp is the caller's. The link register is valid, and not left
 * from an earlier call, if it is in code that has such information or, by the symbols,
 * in another function. */
static bool
is_leaf(struct cursor *c, uint64_t saved)
{
	uint64_t ra;

	if (c->cpu->link == UNWIND_NO_REGISTER || !c->first ||
		!cfi_has(&c->frame, c->cpu->link))
		return false;
	ra = strip(c, c->frame.regs[c->cpu->link]);
	return ra && ra != strip(c, saved) &&
		(is_described(c, ra) || is_elsewhere(c, c->frame.regs[c->cpu->pc], ra));
}

/* The target of a direct call right before RA, on x86; 0 without such a call. */
static uint64_t
called_before(const struct cursor *c, uint64_t ra)
{
	enum { CALL = 0xe8, SIZE = 5 };
	const struct address_space_map *m = address_space_find(c->space, ra - SIZE);
	struct elf *e = m ? dso_code(m->dso) : NULL;
	struct bytes b;
	uint64_t at, to;

	if (!e || e->machine != c->cpu->elf ||
		!address_space_symbol_address(m, ra - SIZE, &at))
		return 0;
	b = bytes_of(elf_from(e, at), e->swap);
	if (bytes_u8(&b) != CALL)
		return 0;
	to = ra + (uint64_t)(int64_t)(int32_t)bytes_u32(&b);
	return b.bad ? 0 : c->cpu->word == 4 ? to & UINT32_MAX : to;
}

/* Whether RA follows a direct call of P, or of a stub that jumps to it. */
static bool
is_call_of(const struct cursor *c, uint64_t ra, const struct place *p)
{
	uint64_t to = called_before(c, ra);
	struct str end = STR("@plt"), name;
	struct place stub;

	if (!to || to == p->start)
		return to != 0;
	if (!find_place(c, to, &stub) || stub.start != to)
		return false;
	name = stub.function.name;
	return str_ends(name, end) &&
		str_eq(str_head(name, name.n - end.n), p->function.name);
}

/* Steps to the caller of a leaf without call frame information, by the first word near
 * the stack pointer that follows a direct call of this very function, from code that
 * has such information. Words further up, or less certain, are usually left from
 * earlier calls. */
static enum step
step_bridge(struct cursor *c)
{
	enum { WORDS = 64 };
	static const struct unwind_rule none = { .cfa_kind = UNWIND_CFA_NONE };
	struct cfi_frame *f = &c->frame;
	uint64_t at = f->regs[c->cpu->sp], end, ra;
	struct place p;

	if (!find_place(c, f->regs[c->cpu->pc], &p))
		return STEP_UNKNOWN;
	for (end = at + WORDS * f->word; at < end; at += f->word) {
		if (cfi_word(f, at, &ra) != CFI_DONE)
			return STEP_UNKNOWN;
		if (!is_call_of(c, ra, &p) || !is_described(c, ra))
			continue;
		/* It may have pushed any registers. */
		if (at != f->regs[c->cpu->sp])
			keep_few(c);
		return arrive(c, ra, at + f->word, &none);
	}
	return STEP_UNKNOWN;
}

/* On RISC-V, a leaf keeps its caller's frame pointer, SAVED, where other functions have
 * the return address, which is still in the link register. */
static bool
is_leaf_with_frame(struct cursor *c, uint64_t saved)
{
	const struct cfi_frame *f = &c->frame;
	unsigned link = c->cpu->link;

	return c->cpu->pair && c->first && cfi_has(f, link) &&
		saved > f->regs[c->cpu->fp] && saved - f->stack_at <= f->stack.n &&
		address_space_find(c->space, f->regs[link] - 1);
}

/* Steps without a rule: by the frame pointer, or the link register. MADE: the code was
 * generated at run time, and may use the frame pointer for anything. */
static enum step
step_guess(struct cursor *c, bool made)
{
	static const struct unwind_rule none = { .cfa_kind = UNWIND_CFA_NONE };
	struct cfi_frame *f = &c->frame;
	uint64_t fp = f->regs[c->cpu->fp], sp = f->regs[c->cpu->sp], ra = 0, next = 0;
	uint64_t at = fp + (uint64_t)(int64_t)c->cpu->pair;
	bool inside;

	if (!cfi_has(f, c->cpu->fp))
		return STEP_UNKNOWN;
	inside = at >= sp && cfi_word(f, at, &next) == CFI_DONE &&
		cfi_word(f, at + f->word, &ra) == CFI_DONE;
	if (inside && is_leaf_with_frame(c, ra)) {
		set(f, c->cpu->fp, ra);
		ra = f->regs[c->cpu->link];
		keep_few(c);
		return arrive(c, ra, fp, &none);
	}
	if (is_leaf(c, ra)) {
		ra = f->regs[c->cpu->link];
		keep_few(c);
		return arrive(c, ra, sp, &none);
	}
	if (fp == 0)
		return made || c->first ? STEP_UNKNOWN : STEP_WHOLE;
	c->reach = at;
	if (!inside)
		return c->start->full && at >= sp && at - sp < REACH_MOST &&
				fp % f->word == 0
			? STEP_OUTSIDE
			: STEP_UNKNOWN;
	if (ra != 0 && !address_space_find(c->space, strip(c, ra) - 1))
		return STEP_UNKNOWN;
	keep_few(c);
	set(f, c->cpu->fp, next);
	return arrive(c, ra, at + 2 * f->word, &none);
}

enum { NEAR_BITS = 12, LINE = 64, FAR_MIN = 512, FAR_MAX = 1 << 20 };

struct near {
	uint64_t at;   /* the address looked up, 0: free */
	uint64_t bias; /* of the map: its start - its offset */
	uint64_t address;
	struct dso *dso;
	uint32_t version; /* of the space it was found in, 0: unknown */
	bool has_address;
	unsigned char machine;
	bool made; /* generated code: the rule may change */
	struct unwind_rule rule;
};

_Static_assert(sizeof(struct near) == LINE, "one line of the cache");

struct far {
	struct dso *dso; /* NULL: free */
	uint64_t address;
	const struct unwind_full *full; /* if it was needed */
	struct unwind_rule rule;
	unsigned char machine;
	bool asked;
};

struct unwind {
	struct near *near; /* in block, at a boundary of cache lines */
	char *block;
	struct far *far;
	size_t far_n, far_size; /* a power of 2 */
	struct arena arena;	/* for full rules */
	/* The last generated code. */
	struct unwind_rule made;
	bool has_row;
	struct cfi_row row; /* its source */
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

/* Doubles the far cache, or empties it if it is large enough. */
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
	x->rule = unwind_rule_find(unwind_rule_cpu(machine), dso, address);
	return x;
}

static const struct unwind_full *
find_full(struct unwind *u, unsigned machine, const struct near *n)
{
	struct far *x = find_far(u, machine, n->dso, n->address);
	struct cfi_row row;

	if (!x->asked &&
		unwind_rule_row(unwind_rule_cpu(machine), n->dso, n->address, &row))
		x->full = unwind_rule_lengthen(&u->arena, &row);
	x->asked = true;
	return x->full;
}

/* The data of the code at AT, NULL if nothing is mapped there. */
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

/* Names belong to the call, one byte before the return address; but the code that a
 * signal handler returns to begins at the address itself. */
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

/* The rule at AT, in generated code with the map N, or without a map. Borrowed until
 * the next call. */
static const struct unwind_rule *
made_rule(struct unwind *u, const struct cursor *c, const struct near *n, uint64_t at)
{
	struct dso *d = c->start->made;
	struct jit_code m;

	u->made = (struct unwind_rule){ .cfa_kind = UNWIND_CFA_NONE };
	u->has_row = false;
	if ((d && dso_find_made(d, at, c->start->time, &m)) ||
		(n && dso_find_made(n->dso, at, c->start->time, &m)))
		u->has_row = unwind_rule_made(c->cpu, &m, at, &u->made, &u->row);
	return &u->made;
}

/* The full rule of the code N, or NULL. */
static const struct unwind_full *
full_rule(struct unwind *u, const struct cursor *c, const struct near *n)
{
	if (n && !n->made)
		return find_full(u, c->start->machine, n);
	return u->has_row ? unwind_rule_lengthen(&u->brief, &u->row) : NULL;
}

static enum step
go_up(struct unwind *u, struct cursor *c, const struct near *n,
	const struct unwind_rule *rule)
{
	const struct unwind_full *full;
	enum step s;

	c->apart |= rule->switched;
	if (rule->cfa_kind == UNWIND_CFA_NONE) {
		s = c->first && c->cpu->link == UNWIND_NO_REGISTER && n && !n->made
			? step_bridge(c)
			: STEP_UNKNOWN;
		return s == STEP_UP ? s : step_guess(c, n && n->made);
	}
	if (!c->all || rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return step_short(c, rule);
	full = full_rule(u, c, n);
	return full ? step_full(c, full, rule) : step_short(c, rule);
}

/* Why memory at C->reach is missing. */
static enum unwind_end
end_outside(const struct cursor *c)
{
	enum { LEAST = 4096 }; /* nothing is mapped below */
	uint64_t at = c->reach - c->frame.stack_at;
	bool near = at < c->frame.stack.n + REACH_MOST;

	if (!c->frame.stack.n)
		return UNWIND_ABSENT;
	if (c->apart)
		return UNWIND_SWITCHED;
	if (c->interrupted)
		return near && c->start->full ? UNWIND_CUT : UNWIND_SWITCHED;
	if (c->reach < LEAST || (at && -at < REACH_MOST))
		return UNWIND_BROKEN;
	if (!near)
		return UNWIND_SWITCHED;
	return c->start->full ? UNWIND_CUT : UNWIND_ABSENT;
}

/* Why C, in the code of N, has no caller, given S. */
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

/* Returns false at a rule that needs registers which were not kept. */
static bool
walk(struct unwind *u, struct cursor *c, struct unwind_chain *w)
{
	enum step s;
	const struct unwind_rule *rule;
	const struct near *n;
	uint64_t pc, at;

	for (w->n = 0; w->n < w->cap;) {
		pc = c->frame.regs[c->cpu->pc];
		at = pc - !c->first;
		n = find_near(u, c->start->machine, c->space, at);
		rule = n && !n->made ? &n->rule : made_rule(u, c, n, at);
		if (rule->cfa_kind == UNWIND_CFA_FULL && !c->all)
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
	const struct unwind_cpu *cpu = unwind_rule_cpu(start->machine);
	unsigned i;

	c->cpu = cpu;
	c->space = space;
	c->first = true;
	c->interrupted = c->apart = false;
	c->start = start;
	c->frame.has = 0;
	c->frame.word = cpu->word;
	for (i = 0; i < cpu->n; i++) {
		c->frame.regs[i] =
			start->regs[cpu->kernel[i]] & UINT64_MAX >> (64 - 8 * cpu->word);
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
