/* SPDX-License-Identifier: ISC */
/* Samples to places in code; see chain.h. */
#include "chain.h"
#include "mem.h"

/* More than the kernel walks (sysctl kernel.perf_event_max_stack), for stacks
 * that recursion made deep. */
enum { DEEPEST = 1024 };

/* The marks in a chain. */
#define MARK_HYPERVISOR	  ((uint64_t)-32)
#define MARK_KERNEL	  ((uint64_t)-128)
#define MARK_USER	  ((uint64_t)-512)
#define MARK_LATER	  ((uint64_t)-640) /* a number follows, not an address */
#define MARK_GUEST	  ((uint64_t)-2048)
#define MARK_GUEST_KERNEL ((uint64_t)-2176)
#define MARK_GUEST_USER	  ((uint64_t)-2560)
#define MARK_LEAST	  ((uint64_t)-4095)

/* Whose addresses are read. */
enum whose { NOBODY, KERNEL, USER, LATER };

/* A chain under way. */
struct walk {
	struct chain *chain;
	struct process_image *image;
	enum whose whose;
	bool exact; /* the next address is no return address */
};

void
chain_init(struct chain *ch, struct process_set *processes, struct str arch)
{
	*ch = (struct chain){ .processes = processes, .unwind = unwind_new() };
	ch->frames = mem_zero(DEEPEST, sizeof *ch->frames);
	ch->can_unwind = true;
	if (str_eq(arch, STR("aarch64")) || str_eq(arch, STR("arm64")))
		ch->machine = UNWIND_AARCH64;
	else if (!arch.n || str_eq(arch, STR("x86_64")))
		ch->machine = UNWIND_X86_64;
	else
		ch->can_unwind = false;
}

void
chain_release(struct chain *ch)
{
	if (ch->unwind)
		unwind_free(ch->unwind);
	free(ch->frames);
	free(ch->places);
	*ch = (struct chain){ 0 };
}

bool
chain_is_snapshot(const struct reader_sample *s)
{
	return s->regs_abi && s->event->sample_type & READER_HAS_STACK;
}

/* Whether the branches of S are those of its call stack. */
static bool
is_branch_stack(const struct reader_sample *s)
{
	return s->branch_n && s->event->branch_type & READER_BRANCH_CALL_STACK;
}

bool
chain_is_plain(const struct reader_sample *s)
{
	return !chain_is_snapshot(s) && !is_branch_stack(s);
}

static struct chain_place *
add_place(struct chain *ch)
{
	struct chain_place *p;

	ch->places = mem_grow(ch->places, &ch->cap, ch->n + 1, sizeof *ch->places);
	p = &ch->places[ch->n++];
	memset(p, 0, sizeof *p);
	return p;
}

/* What perf prints for ADDRESS in M: where it is in the file, if there is one. */
static uint64_t
shown(const struct space_map *m, uint64_t address)
{
	enum dso_kind kind = dso_kind(m->dso);

	return kind == DSO_FILE || kind == DSO_VDSO ? address - m->start + m->offset
						    : address;
}

static void
add_mapped(struct chain *ch, const struct space_map *m, uint64_t address, bool is_return)
{
	struct chain_place *p = add_place(ch);

	p->shown = p->address = address;
	if (!m)
		return;
	p->dso = m->dso;
	p->shown = ch->show ? shown(m, address) : 0;
	/* What the call is in may end with it. */
	p->is_return = is_return && address > m->start;
	p->known = space_symbol_address(m, address - p->is_return, &p->address);
	p->address += p->is_return;
}

static void
add_kernel(struct chain *ch, uint64_t address)
{
	const struct process_piece *piece = process_kernel_piece(ch->processes, address);
	struct chain_place *p;

	if (!piece) {
		add_mapped(
			ch, process_kernel_map(ch->processes, address), address, false);
		return;
	}
	p = add_place(ch);
	p->name = piece->name;
	p->shown = ch->show ? address : 0;
}

static void
add_address(struct walk *w, uint64_t address)
{
	const struct space_map *m = NULL;

	struct chain *ch = w->chain;

	if (w->whose == KERNEL) {
		add_kernel(ch, address);
	} else {
		if (w->whose == USER)
			m = space_find(&w->image->space, address);
		add_mapped(ch, m, address, !w->exact);
		/* Memory that became code later has no map. */
		if (w->whose == USER && (!m || dso_kind(m->dso) == DSO_JIT))
			ch->places[ch->n - 1].jitdump = w->image->jitdump;
	}
	w->exact = false;
}

/* Goes to the address space that MARK says. */
static void
cross(struct walk *w, uint64_t mark)
{
	w->exact = true;
	switch (mark) {
	case MARK_KERNEL: w->whose = KERNEL; break;
	case MARK_USER: w->whose = USER; break;
	case MARK_LATER: w->whose = LATER; break;
	case MARK_HYPERVISOR:
	case MARK_GUEST:
	case MARK_GUEST_KERNEL:
	case MARK_GUEST_USER: w->whose = NOBODY; break;
	default: w->chain->counts.strays++; break;
	}
}

static enum whose
whose_mode(enum reader_mode mode)
{
	if (mode == READER_KERNEL)
		return KERNEL;
	return mode == READER_USER || mode == READER_UNKNOWN ? USER : NOBODY;
}

/* Adds the addresses of S's chain: all, or without those of the USER space.
 * Returns the first of these, 0 when there is none. */
static uint64_t
add_chain(struct walk *w, const struct reader_sample *s, bool user)
{
	uint64_t first = 0;
	size_t i;

	for (i = 0; i < s->chain_n; i++) {
		if (s->chain[i] >= MARK_LEAST) {
			cross(w, s->chain[i]);
		} else if (w->whose == LATER) {
			continue;
		} else if (w->whose != USER || user) {
			add_address(w, s->chain[i]);
		} else if (!first) {
			first = s->chain[i];
		}
	}
	return first;
}

/* Adds the user part of a processor's call stack, whose innermost address is
 * LEAF: a branch was taken from where it says, no call to look before. */
static void
add_branches(struct walk *w, const struct reader_sample *s, uint64_t leaf)
{
	size_t i;

	if (!leaf)
		return;
	w->whose = USER;
	w->exact = true;
	add_address(w, leaf);
	for (i = 0; i < s->branch_n; i++) {
		w->exact = true;
		if (s->branches[i].from)
			add_address(w, s->branches[i].from);
	}
}

/* The registers of S by their number. */
static void
read_registers(struct unwind_start *start, const struct reader_sample *s)
{
	uint64_t mask = s->event->user_regs;
	size_t at = 0;
	int i;

	start->mask = mask;
	for (i = 0; i < 64; i++)
		if (mask >> i & 1)
			start->regs[i] = s->regs[at++];
}

/* The program counter among REGS: x86's is the same for 32 bits. */
static uint64_t
program_counter(const struct unwind_start *start, enum unwind_machine machine)
{
	int number = machine == UNWIND_AARCH64 ? 32 : 8;

	return start->mask >> number & 1 ? start->regs[number] : 0;
}

static void
add_unwound(struct walk *w, const struct unwind_frame *f)
{
	const struct space_map *m;
	struct chain_place *p;

	p = add_place(w->chain);
	p->shown = p->address = f->pc;
	p->dso = f->dso;
	if (!f->dso || dso_kind(f->dso) == DSO_JIT)
		p->jitdump = w->image->jitdump;
	if (!f->dso)
		return;
	p->address = f->address;
	p->known = f->has_address;
	m = w->chain->show ? space_find(&w->image->space, f->pc) : NULL;
	p->shown = m ? shown(m, f->pc) : 0;
}

/* Adds the user part of a stack by unwinding the snapshot of S. */
static void
add_snapshot(struct walk *w, const struct reader_sample *s)
{
	struct chain *ch = w->chain;
	struct unwind_start start = { .machine = ch->machine, .stack = s->stack };
	struct unwind_chain up = { ch->frames, DEEPEST, 0, UNWIND_WHOLE };
	size_t n, i;

	read_registers(&start, s);
	if (!ch->can_unwind || s->regs_abi != 2) {
		ch->counts.foreign++;
		w->whose = USER;
		w->exact = true;
		add_address(w, program_counter(&start, ch->machine));
		return;
	}
	unwind_stack(ch->unwind, &w->image->space, &start, &up);
	n = up.n;
	/* Where nothing is mapped is no caller: what stands above a first function
	 * whose unwind information does not say that it is the first. */
	if (n > 1 && !ch->frames[n - 1].dso)
		n--;
	for (i = 0; i < n; i++)
		add_unwound(w, &ch->frames[i]);
	ch->counts.snapshots++;
	ch->counts.ends[up.end < UNWIND_ENDS ? up.end : UNWIND_BROKEN]++;
}

void
chain_take(struct chain *ch, const struct reader_sample *s, struct process_image *image)
{
	struct walk w = { ch, image, whose_mode(s->mode), true };
	bool plain = chain_is_plain(s);
	uint64_t leaf;

	ch->n = 0;
	leaf = add_chain(&w, s, plain);
	if (chain_is_snapshot(s))
		add_snapshot(&w, s);
	else if (!plain)
		add_branches(&w, s, leaf ? leaf : s->mode == READER_USER ? s->ip : 0);
	if (ch->n || !s->has_ip)
		return;
	/* Recorded without chains, or with one that has no address in it. */
	w.whose = whose_mode(s->mode);
	w.exact = true;
	add_address(&w, s->ip);
	ch->places[0].shown = s->ip;
}
