/* SPDX-License-Identifier: ISC */
/* Samples to places in code; see callchain.h. */
#include "callchain.h"
#include "mem.h"

/* More than the kernel walks (sysctl kernel.perf_event_max_stack): each frame has its
 * return address in the copy of the stack, which has at most 64 KiB. */
enum { DEEPEST = 8192 };

/* The marks in a chain. */
#define MARK_HYPERVISOR	  ((uint64_t)-32)
#define MARK_KERNEL	  ((uint64_t)-128)
#define MARK_USER	  RECORDING_MARK_USER
#define MARK_LATER	  RECORDING_MARK_LATER /* a number follows, not an address */
#define MARK_GUEST	  ((uint64_t)-2048)
#define MARK_GUEST_KERNEL ((uint64_t)-2176)
#define MARK_GUEST_USER	  ((uint64_t)-2560)
#define MARK_LEAST	  ((uint64_t)-4095)

/* Address spaces besides CALLCHAIN_KERNEL and CALLCHAIN_USER: ignored ones, a part that
 * comes later, and the result for an unknown mark. */
enum { IGNORED = 0, LATER = -1, UNMARKED = -2 };

/* A chain being read. */
struct walk {
	struct callchain *chain;
	int whose;
	bool exact; /* the next address is not a return address */
};

void
callchain_init(struct callchain *ch, struct process_set *processes, struct str arch)
{
	static const struct {
		const char *arch;
		enum unwind_machine machine;
	} machines[] = {
		{ "aarch64", UNWIND_AARCH64 },
		{ "arm64", UNWIND_AARCH64 },
		{ "riscv64", UNWIND_RISCV64 },
		{ "i386", UNWIND_I386 },
		{ "i586", UNWIND_I386 },
		{ "i686", UNWIND_I386 },
		{ "x86_64", UNWIND_X86_64 },
	};
	bool found = false;
	size_t i;

	*ch = (struct callchain){ .processes = processes, .unwind = unwind_new() };
	ch->frames = mem_zero(DEEPEST, sizeof *ch->frames);
	ch->can_unwind = true;
	ch->arch_known = arch.n > 0;
	for (i = 0; i < sizeof machines / sizeof *machines && !found; i++) {
		found = str_eq(arch, str_of(machines[i].arch));
		ch->machine = machines[i].machine;
	}
	ch->can_unwind = found || !arch.n;
}

void
callchain_release(struct callchain *ch)
{
	if (ch->unwind)
		unwind_free(ch->unwind);
	free(ch->frames);
	free(ch->steps);
	free(ch->user);
	*ch = (struct callchain){ 0 };
}

bool
callchain_is_snapshot(const struct recording_sample *s)
{
	return s->regs_abi && s->event->sample_type & RECORDING_HAS_STACK;
}

/* Whether the branches of S are its call stack. */
static bool
is_branch_stack(const struct recording_sample *s)
{
	return s->branch_n && s->event->branch_type & RECORDING_BRANCH_CALL_STACK;
}

static void
add_step(struct callchain *ch, struct callchain_step step)
{
	if (ch->n == ch->cap)
		ch->steps = mem_grow(ch->steps, &ch->cap, ch->n + 1, sizeof *ch->steps);
	ch->steps[ch->n++] = step;
}

static void
add_address(struct walk *w, uint64_t address)
{
	uint64_t how = (uint64_t)w->whose | (w->exact ? CALLCHAIN_EXACT : 0);

	add_step(w->chain, (struct callchain_step){ address, how, NULL, 0 });
	w->exact = false;
}

/* The address space that follows MARK, or UNMARKED if it is not a mark. */
static int
whose_mark(uint64_t mark)
{
	switch (mark) {
	case MARK_KERNEL: return CALLCHAIN_KERNEL;
	case MARK_USER: return CALLCHAIN_USER;
	case MARK_LATER: return LATER;
	case MARK_HYPERVISOR:
	case MARK_GUEST:
	case MARK_GUEST_KERNEL:
	case MARK_GUEST_USER: return IGNORED;
	default: return UNMARKED;
	}
}

static int
whose_mode(enum recording_mode mode)
{
	if (mode == RECORDING_KERNEL)
		return CALLCHAIN_KERNEL;
	return mode == RECORDING_USER || mode == RECORDING_UNKNOWN ? CALLCHAIN_USER
								   : IGNORED;
}

/* Keeps an address of the user space for later. */
static void
keep_user(struct callchain *ch, uint64_t address)
{
	if (ch->user_n == ch->user_cap)
		ch->user = mem_grow(
			ch->user, &ch->user_cap, ch->user_n + 1, sizeof *ch->user);
	ch->user[ch->user_n++] = address;
}

/* Switches to the address space of the mark VALUE. Returns false if VALUE is an
 * address. Bad frame pointers may yield any address: with APART, an unknown mark in the
 * user part counts as one. */
static bool
cross(struct walk *w, uint64_t value, bool apart)
{
	int whose = whose_mark(value);

	if (value < MARK_LEAST ||
		(whose == UNMARKED && apart && w->whose == CALLCHAIN_USER))
		return false;
	w->exact = true;
	if (whose == UNMARKED)
		w->chain->strays++;
	else
		w->whose = whose;
	return true;
}

/* Adds the addresses of S's chain, but keeps user addresses APART. */
static void
add_chain(struct walk *w, const struct recording_sample *s, bool apart)
{
	size_t i;

	w->chain->user_n = 0;
	for (i = 0; i < s->callchain_n; i++) {
		if (cross(w, s->chain[i], apart) || w->whose == LATER)
			continue;
		if (w->whose == CALLCHAIN_USER && apart)
			keep_user(w->chain, s->chain[i]);
		else
			add_address(w, s->chain[i]);
	}
}

/* Adds the user part of a processor's call stack, whose innermost address is LEAF.
 * Branches have the address of the call itself, not a return address. */
static void
add_branches(struct walk *w, const struct recording_sample *s, uint64_t leaf)
{
	size_t i;

	if (!leaf)
		return;
	w->whose = CALLCHAIN_USER;
	w->exact = true;
	add_address(w, leaf);
	for (i = 0; i < s->branch_n; i++) {
		w->exact = true;
		if (s->branches[i].from)
			add_address(w, s->branches[i].from);
	}
}

/* Copies the registers of S by their numbers. */
static void
read_registers(struct unwind_start *start, const struct recording_sample *s)
{
	uint64_t mask = s->event->user_regs;
	size_t at = 0;
	int i;

	start->mask = mask;
	for (i = 0; i < 64; i++)
		if (mask >> i & 1)
			start->regs[i] = s->regs[at++];
}

/* The program counter of START, or 0. */
static uint64_t
program_counter(const struct unwind_start *start)
{
	const struct unwind_cpu *cpu = unwind_rule_cpu(start->machine);
	unsigned number = cpu->kernel[cpu->pc];

	return start->mask >> number & 1 ? start->regs[number] : 0;
}

/* Guesses the machine from its registers MASK, if no header names it: x86 lacks the
 * numbers 24 to 31, RISC-V those above. */
static enum unwind_machine
guess_machine(uint64_t mask)
{
	if (!(mask >> 24 & 0xff))
		return UNWIND_X86_64;
	return mask >> 32 ? UNWIND_AARCH64 : UNWIND_RISCV64;
}

/* Sets the machine of S. Returns false if it cannot be unwound here. */
static bool
find_machine(const struct callchain *ch, const struct recording_sample *s,
	enum unwind_machine *m)
{
	enum { ABI_32 = 1, ABI_64 };

	*m = ch->arch_known ? ch->machine : guess_machine(s->event->user_regs);
	if (!ch->can_unwind)
		return false;
	if (s->regs_abi == ABI_64)
		return *m != UNWIND_I386;
	if (s->regs_abi != ABI_32 || (*m != UNWIND_X86_64 && *m != UNWIND_I386))
		return false;
	*m = UNWIND_I386;
	return true;
}

static void
add_unwound(struct callchain *ch, const struct unwind_frame *f)
{
	uint64_t how = CALLCHAIN_USER | CALLCHAIN_UNWOUND |
		(f->has_address ? CALLCHAIN_KNOWN : 0);

	add_step(ch, (struct callchain_step){ f->pc, how, f->dso, f->address });
}

/* Adds the chain by frame pointers from AT on, up to an address that is not mapped:
 * there the frame pointer was invalid. */
static void
add_user(struct walk *w, size_t at)
{
	struct callchain *ch = w->chain;

	w->whose = CALLCHAIN_USER;
	w->exact = at == 0;
	for (; at < ch->user_n && address_space_find(&ch->image->space, ch->user[at]);
		at++) {
		add_address(w, ch->user[at]);
		ch->spliced = true;
	}
}

/* The number of addresses up to the step AT in the chain by frame pointers, 0 if it is
 * missing. FIRST is the innermost step; a recursive function occurs several times in
 * both. */
static size_t
find_in_user(const struct callchain *ch, size_t first, size_t at)
{
	uint64_t pc = ch->steps[at].pc;
	size_t times = 0, found = 0, i;

	for (i = 0; i < ch->user_n; i++)
		if (ch->user[i] == pc)
			break;
	if (i == ch->user_n)
		return 0;
	for (; first <= at; first++)
		times += ch->steps[first].pc == pc;
	for (; i < ch->user_n && times; i++) {
		if (ch->user[i] != pc)
			continue;
		found = i + 1;
		times--;
	}
	return found;
}

/* Extends the steps from FIRST on, which do not reach the outermost frame, by the outer
 * part of the chain by frame pointers. */
static void
splice(struct walk *w, size_t first)
{
	struct callchain *ch = w->chain;
	size_t i, at = 0;

	for (i = ch->n; i-- > first && !at;)
		at = find_in_user(ch, first, i);
	/* The same innermost address alone does not show where the chains meet again. */
	if (at && (i + 1 > first || ch->n == first + 1))
		add_user(w, at);
}

/* Adds the user part of a stack by unwinding the snapshot of S. */
static void
unwind(struct walk *w, const struct unwind_start *start)
{
	struct callchain *ch = w->chain;
	struct unwind_chain up = { ch->frames, DEEPEST, 0, UNWIND_WHOLE };
	size_t first = ch->n, n, i;

	unwind_stack(ch->unwind, &ch->image->space, start, &up);
	n = up.n;
	/* An address without a map is not a caller: it lies above a first function that
	 * the unwind information does not mark as first. */
	if (n > 1 && !ch->frames[n - 1].dso)
		n--;
	for (i = 0; i < n; i++)
		add_unwound(ch, &ch->frames[i]);
	ch->end = up.end;
	ch->end_dso = n ? ch->frames[n - 1].dso : NULL;
	if (up.end != UNWIND_WHOLE)
		splice(w, first);
}

static void
add_snapshot(struct walk *w, const struct recording_sample *s)
{
	struct callchain *ch = w->chain;
	struct unwind_start start = { .stack = s->stack, .full = s->stack_full };

	start.time = s->has_time ? s->time : 0;
	start.made = ch->image->jitdump;

	ch->unwound = true;
	read_registers(&start, s);
	if (find_machine(ch, s, &start.machine)) {
		unwind(w, &start);
	} else {
		ch->end = UNWIND_FOREIGN;
		add_user(w, 0);
	}
	if (ch->end == UNWIND_FOREIGN && !ch->spliced) {
		w->whose = CALLCHAIN_USER;
		w->exact = true;
		add_address(w, program_counter(&start));
	}
}

void
callchain_take(struct callchain *ch, const struct recording_sample *s,
	struct process_image *image)
{
	struct walk w = { ch, whose_mode(s->mode), true };
	bool snapshot = callchain_is_snapshot(s),
	     branches = !snapshot && is_branch_stack(s);
	uint64_t leaf;

	ch->n = 0;
	ch->image = image;
	ch->unwound = ch->spliced = false;
	ch->end = UNWIND_WHOLE;
	ch->end_dso = NULL;
	add_chain(&w, s, snapshot || branches);
	leaf = ch->user_n ? ch->user[0] : 0;
	if (snapshot)
		add_snapshot(&w, s);
	else if (branches)
		add_branches(&w, s, leaf ? leaf : s->mode == RECORDING_USER ? s->ip : 0);
	if (ch->n || !s->has_ip)
		return;
	/* Recorded without chains, or with a chain without addresses. */
	w.whose = whose_mode(s->mode);
	w.exact = true;
	add_address(&w, s->ip);
	ch->steps[0].how |= CALLCHAIN_BARE;
}

/* ADDRESS in M as perf prints it: as an offset in the file, if there is one. */
static uint64_t
shown(const struct address_space_map *m, uint64_t address)
{
	enum dso_kind kind = dso_kind(m->dso);

	return kind == DSO_FILE || kind == DSO_VDSO ? address - m->start + m->offset
						    : address;
}

/* Sets P to the place of ADDRESS in M. */
static void
place_mapped(struct callchain_place *p, const struct address_space_map *m,
	uint64_t address, bool is_return)
{
	p->dso = m->dso;
	/* The call may be the last instruction of its function. */
	p->is_return = is_return && address > m->start;
	p->known = address_space_symbol_address(m, address - p->is_return, &p->address);
	p->address += p->is_return;
}

static void
place_unwound(struct callchain_place *p, const struct callchain_step *step)
{
	p->dso = step->dso;
	if (!p->dso)
		return;
	p->address = step->address;
	p->known = step->how & CALLCHAIN_KNOWN;
}

/* The map of STEP, NULL if there is none or the address space is ignored. */
static const struct address_space_map *
find_map(struct callchain *ch, const struct callchain_step *step)
{
	if (step->how & CALLCHAIN_KERNEL)
		return process_kernel_map(ch->processes, step->pc);
	return step->how & CALLCHAIN_USER
		? address_space_find(&ch->image->space, step->pc)
		: NULL;
}

struct callchain_place
callchain_place(struct callchain *ch, size_t at)
{
	const struct callchain_step *step = &ch->steps[at];
	const struct address_space_map *m = NULL;
	struct callchain_place p;

	memset(&p, 0, sizeof p);
	p.address = step->pc;
	if (step->how & CALLCHAIN_KERNEL)
		p.name = process_kernel_piece(ch->processes, step->pc);
	if (!p.name.s && (ch->show || !(step->how & CALLCHAIN_UNWOUND)))
		m = find_map(ch, step);
	if (step->how & CALLCHAIN_UNWOUND)
		place_unwound(&p, step);
	else if (m)
		place_mapped(&p, m, step->pc,
			!(step->how & (CALLCHAIN_EXACT | CALLCHAIN_KERNEL)));
	if (ch->show)
		p.shown = m && !(step->how & CALLCHAIN_BARE) ? shown(m, step->pc)
							     : step->pc;
	/* Memory that became code later has no map. */
	if (step->how & CALLCHAIN_USER && (!p.dso || dso_kind(p.dso) == DSO_JIT))
		p.jitdump = ch->image->jitdump;
	/* All unknown addresses are one place. */
	if (!p.dso && !p.jitdump)
		p.address = 0;
	return p;
}
