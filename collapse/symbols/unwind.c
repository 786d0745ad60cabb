/* SPDX-License-Identifier: ISC */
/*
 * The walk from frame to frame, and two caches; see unwind.h.
 *
 * Near: by program counter, direct mapped, one line of the processor's cache
 * for all that a frame needs; what it says of the map is checked against the
 * space each time, so it serves all spaces. Far: by dso and address, rules that
 * took an FDE to read.
 */
#include "unwind.h"
#include "mem.h"
#include "unwind-parts.h"

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
far_find(struct unwind *u, unsigned machine, struct dso *dso, uint64_t address)
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
full_find(struct unwind *u, unsigned machine, const struct near *n)
{
	struct far *x = far_find(u, machine, n->dso, n->address);

	if (!x->asked)
		x->full = unwind_full_find(
			&u->arena, &unwind_cpus[machine], n->dso, n->address);
	x->asked = true;
	return x->full;
}

/* What is known of the code at AT. NULL when nothing is mapped there. */
static const struct near *
near_find(struct unwind *u, unsigned machine, struct space *space, uint64_t at)
{
	struct near *n = &u->near[mix(at) & (((size_t)1 << NEAR_BITS) - 1)];
	bool same = n->at == at && n->machine == machine;
	uint32_t version = (uint32_t)space->version;
	const struct space_map *m;

	if (same && version && n->version == version)
		return n;
	m = space_find(space, at);
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
	n->has_address = space_symbol_address(m, at, &n->address);
	if (n->has_address && !n->made)
		n->rule = far_find(u, machine, m->dso, n->address)->rule;
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
made_rule(
	struct unwind *u, const struct unwind_place *p, const struct near *n, uint64_t at)
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
full_rule(struct unwind *u, const struct unwind_place *p, const struct near *n)
{
	if (n && !n->made)
		return full_find(u, p->start->machine, n);
	return u->has_row ? unwind_full_of(&u->brief, &u->row) : NULL;
}

static enum unwind_step
step(struct unwind *u, struct unwind_place *p, const struct near *n,
	const struct unwind_rule *rule)
{
	const struct unwind_full *full;

	if (rule->cfa_kind == UNWIND_CFA_NONE)
		return unwind_step_guess(p, n && n->made);
	if (!p->all || rule->cfa_kind == UNWIND_CFA_OUTERMOST)
		return unwind_step_short(p, rule);
	full = full_rule(u, p, n);
	return full ? unwind_step_full(p, full, rule->signal)
		    : unwind_step_short(p, rule);
}

/* Why there is no memory at P->reach. */
static enum unwind_end
end_outside(const struct unwind_place *p)
{
	enum { LEAST = 4096 }; /* nothing is mapped below */
	uint64_t at = p->reach - p->frame.stack_at;
	bool near = at < p->frame.stack.n + UNWIND_REACH;

	if (!p->frame.stack.n)
		return UNWIND_ABSENT;
	if (p->interrupted)
		return near && p->start->full ? UNWIND_CUT : UNWIND_SWITCHED;
	if (p->reach < LEAST || (at && -at < UNWIND_REACH))
		return UNWIND_BROKEN;
	if (!near)
		return UNWIND_SWITCHED;
	return p->start->full ? UNWIND_CUT : UNWIND_ABSENT;
}

/* Why P, in the code of N, has no caller by S. */
static enum unwind_end
end_of(const struct unwind_place *p, const struct near *n, enum unwind_step s)
{
	if (s == UNWIND_STEP_OUTSIDE)
		return end_outside(p);
	if (s != UNWIND_STEP_UNKNOWN)
		return s == UNWIND_STEP_WHOLE ? UNWIND_WHOLE : UNWIND_BROKEN;
	if (!n)
		return UNWIND_NO_MAP;
	return dso_kind(n->dso) == DSO_FILE && !dso_code(n->dso) ? UNWIND_NO_FILE
								 : UNWIND_NO_RULE;
}

/* False when it came to a rule that takes registers which were not kept. */
static bool
walk(struct unwind *u, struct unwind_place *p, struct unwind_chain *w)
{
	enum unwind_step s;
	const struct unwind_rule *rule;
	const struct near *n;
	uint64_t pc, at;

	for (w->n = 0; w->n < w->cap;) {
		pc = p->frame.regs[p->cpu->pc];
		at = pc - !p->first;
		n = near_find(u, p->start->machine, p->space, at);
		rule = n && !n->made ? &n->rule : made_rule(u, p, n, at);
		if (rule->cfa_kind == UNWIND_CFA_FULL && !p->all)
			return false;
		w->frames[w->n++] = make_frame(n, pc, at);
		s = step(u, p, n, rule);
		if (s != UNWIND_STEP_UP) {
			w->end = end_of(p, n, s);
			return true;
		}
	}
	w->end = UNWIND_DEEP;
	return true;
}

static void
begin(struct unwind_place *p, const struct unwind_start *start, struct space *space)
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
unwind_stack(struct unwind *u, struct space *space, const struct unwind_start *start,
	struct unwind_chain *chain)
{
	struct unwind_place p = { .all = false };

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
