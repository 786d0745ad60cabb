/* SPDX-License-Identifier: ISC */
/* Places in code to frames; see frames.h. */
#include "frames.h"
#include "mem.h"
#include "symbols/dso.h"

#include <inttypes.h>
#include <stdio.h>

/* What decides the frames of a place. */
struct key {
	struct chain_place place;
	uint64_t inlines;
};

/* What decides the frames of a name: of one dso, names at one address are one. */
struct name_key {
	const struct dso *dso;
	const char *name;
	size_t n;
	uint64_t inlined;
};

void
frames_release(struct frames *f)
{
	naming_release(&f->stack);
	free(f->memos);
}

/* Whether NAME is the code that the kernel makes a signal handler return to: it
 * was never called, so nothing is before its first instruction. */
static bool
is_trampoline(struct str name)
{
	static const char *const names[] = { "__restore_rt", "__restore",
		"__kernel_rt_sigreturn", "__kernel_sigreturn", "__vdso_rt_sigreturn",
		"__default_rt_sa_restorer", "__default_sa_restorer" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_eq(name, str_of(names[i])))
			return true;
	return false;
}

/* The frames at P. A return address stands after its call, which may be the last
 * instruction of a function: the call is what has names. */
static size_t
find_names(const struct chain_place *p, uint64_t time, bool inlines,
	const struct dso_frame **frames)
{
	size_t n;

	/* A file that is not there is asked too, since it counts what it was
	 * asked for; one that has no such place could only be wrong. */
	if (!p->known && dso_code(p->dso))
		return 0;
	if (p->is_return) {
		n = dso_frames(p->dso, p->address, time, false, frames);
		if (!n || !is_trampoline((*frames)[n - 1].name)) {
			n = dso_frames(p->dso, p->address - 1, time, inlines, frames);
			if (n)
				return n;
		}
	}
	return dso_frames(p->dso, p->address, time, inlines, frames);
}

/* Adds the frame FOUND of D as S, whose module is set. */
static void
add_found(struct frames *f, const struct dso *d, const struct dso_frame *found,
	struct naming_symbol *s)
{
	struct name_key key = { d, found->name.s, found->name.n, found->inlined };
	struct str_digest digest = str_digest((struct str){ (char *)&key, sizeof key });
	size_t first = f->stack.n;

	if (naming_recall(&f->stack, digest))
		return;
	s->name = found->name;
	s->inlined = found->inlined;
	naming_add(&f->stack, s);
	naming_keep(&f->stack, digest, first);
}

static void
add_names(struct frames *f, const struct chain_place *p)
{
	char address[24] = "";
	struct naming_symbol s = { .address = { address, 0 } };
	const struct dso_frame *frames = NULL;
	const struct dso *d = p->dso;
	size_t n = 0, i;

	if (p->jitdump)
		n = dso_frames(
			p->jitdump, p->address - p->is_return, f->time, false, &frames);
	if (n) {
		/* Generated code is code with a perf map, whatever its number. */
		s.module = STR("/tmp/perf-0.map");
		d = p->jitdump;
	} else if (d) {
		s.module = dso_name(d);
		n = find_names(p, f->time, f->inlines, &frames);
	} else if (p->name) {
		s.module = STR("[bpf]");
		s.name = str_of(p->name);
	}
	for (i = 0; i < n; i++)
		add_found(f, d, &frames[i], &s);
	if (n)
		return;
	if (p->shown)
		s.address.n =
			(size_t)snprintf(address, sizeof address, "%" PRIx64, p->shown);
	naming_add(&f->stack, &s);
}

/* Puts the frames of P on the empty stack. */
static void
put_place(struct frames *f, const struct chain_place *p)
{
	struct key key = { *p, f->inlines };
	struct str_digest digest = str_digest((struct str){ (char *)&key, sizeof key });

	if (naming_recall(&f->stack, digest))
		return;
	add_names(f, p);
	naming_keep(&f->stack, digest, 0);
}

/* Where STEP is noted, if it is. */
static struct frames_memo *
find_memo(struct frames *f, const struct chain_step *step)
{
	enum { BITS = 13 };
	uint64_t hash = (step->pc + step->address) * UINT64_C(0x9e3779b97f4a7c15);

	if (!f->memos)
		f->memos = mem_zero((size_t)1 << BITS, sizeof *f->memos);
	return &f->memos[hash >> (64 - BITS)];
}

uint32_t
frames_descend(struct frames *f, struct chain *ch, size_t at, uint32_t node)
{
	const struct chain_step *step = &ch->steps[at];
	struct frames_memo *memo = find_memo(f, step), now = { .step = *step };
	struct chain_place place;

	now.version = step->how & CHAIN_KERNEL ? ch->processes->kernel.version
					       : ch->image->version;
	now.flags = f->inlines | f->stack.java << 1;
	if (f->steady && memo->version == now.version && memo->flags == now.flags &&
		memcmp(&memo->step, step, sizeof *step) == 0)
		return collapse_path(f->stack.c, node, &memo->id, 1);
	place = chain_place(ch, at);
	f->stack.n = 0;
	if (f->steady)
		put_place(f, &place);
	else
		add_names(f, &place);
	if (f->steady && f->stack.n == 1) {
		*memo = now;
		memo->id = f->stack.ids[0];
	}
	return collapse_path(f->stack.c, node, f->stack.ids, f->stack.n);
}
