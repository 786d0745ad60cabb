/* SPDX-License-Identifier: ISC */
/* Places in code to frames; see frames.h. */
#include "frames.h"
#include "mem.h"
#include "symbols/dso.h"

#include <inttypes.h>
#include <stdio.h>

enum { MEMO_BITS = 13, MEMO_IDS = 1 << 20, LATE_MOST = 1 << 17 };
/* Values of struct key's inlined. */
enum { KEY_LATE = 2, KEY_LATE_RETURN = 3 };

/* The key of a frame. Within a dso, names at one address are equal. */
struct key {
	const struct dso *dso;
	const char *name;
	size_t n;
	uint64_t shown; /* without a name; for late names, the address */
	uint64_t inlined;
	const char *place, *code;
};

void
frames_release(struct frames *f)
{
	frame_names_release(&f->stack);
	free(f->memos);
	free(f->ids);
	free(f->late);
}

/* Whether NAME is the code that the kernel makes a signal handler return to: it was
 * never called, so no call precedes its first instruction. */
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

/* Finds the frames at P. A return address follows its call, which may be the last
 * instruction of a function, so the names are the call's. */
static size_t
find_names(const struct callchain_place *p, uint64_t time, bool inlines,
	const struct dso_frame **frames)
{
	unsigned want = DSO_LINES | DSO_CODE | (inlines ? DSO_INLINES : 0u);
	size_t n;

	/* Ask missing files too, as they count requests. A file without that place
	 * could only give wrong names. */
	if (!p->known && dso_code(p->dso))
		return 0;
	if (p->is_return) {
		n = dso_frames(p->dso, p->address, time, 0, frames);
		if (!n || !is_trampoline((*frames)[n - 1].name)) {
			n = dso_frames(p->dso, p->address - 1, time, want, frames);
			if (n)
				return n;
		}
	}
	return dso_frames(p->dso, p->address, time, want, frames);
}

/* Adds the frame S of D at SHOWN. */
static void
add_frame(struct frames *f, const struct dso *d, struct frame_names_symbol *s,
	uint64_t shown)
{
	struct key key = { d, s->name.s, s->name.n, s->name.n ? 0 : shown, s->inlined,
		s->srcline.s, s->code.s };
	struct str_digest digest = str_digest((struct str){ (char *)&key, sizeof key });
	size_t first = f->stack.n;
	char address[24];

	if (frame_names_recall(&f->stack, digest))
		return;
	snprintf(address, sizeof address, "%" PRIx64, shown);
	s->address = str_of(address);
	frame_names_add(&f->stack, s);
	frame_names_keep(&f->stack, digest, first);
}

/* Adds a frame for P that frames_settle will name. Returns false if P is not in
 * generated code, or if too many places wait already. */
static bool
add_late(struct frames *f, const struct callchain_place *p)
{
	struct key key = { p->dso, NULL, 0, p->address,
		p->is_return ? KEY_LATE_RETURN : KEY_LATE, NULL, NULL };
	struct str_digest digest = str_digest((struct str){ (char *)&key, sizeof key });
	size_t first = f->stack.n;
	uint32_t id;

	if (f->settling || !p->dso || dso_kind(p->dso) != DSO_JIT)
		return false;
	if (frame_names_recall(&f->stack, digest))
		return true;
	if (f->late_n == LATE_MOST)
		return false;
	id = collapse_late_frame(f->stack.c, f->late_n);
	frame_names_push(&f->stack, id);
	frame_names_keep(&f->stack, digest, first);
	*MEM_ADD(f->late, f->late_n, f->late_cap) =
		(struct frames_late){ *p, f->time, id, f->stack.java };
	return true;
}

static void
add_place(struct frames *f, const struct callchain_place *p)
{
	struct frame_names_symbol s = { .inlined = false };
	const struct dso_frame *frames = NULL;
	const struct dso *d = p->dso;
	size_t n = 0, i;

	if (p->jitdump)
		n = dso_frames(
			p->jitdump, p->address - p->is_return, f->time, 0, &frames);
	if (n) {
		/* A perf map, of any process, marks generated code. */
		s.module = STR("/tmp/perf-0.map");
		d = p->jitdump;
	} else if (d) {
		s.module = dso_name(d);
		n = find_names(p, f->time, f->inlines, &frames);
	} else if (p->name.s) {
		s.module = STR("[bpf]");
		s.name = p->name;
	}
	for (i = 0; i < n; i++) {
		s.name = frames[i].name;
		s.inlined = frames[i].inlined;
		s.srcline = frames[i].place;
		s.code = frames[i].code;
		add_frame(f, d, &s, p->shown);
	}
	if (!n && !add_late(f, p))
		add_frame(f, d, &s, p->shown);
}

/* The memo for STEP, which may hold another step. */
static struct frames_memo *
find_memo(struct frames *f, const struct callchain_step *step)
{
	uint64_t hash = (step->pc + step->address) * UINT64_C(0x9e3779b97f4a7c15);

	if (!f->memos)
		f->memos = mem_zero((size_t)1 << MEMO_BITS, sizeof *f->memos);
	return &f->memos[hash >> (64 - MEMO_BITS)];
}

/* Keeps the frames on the stack in MEMO, for the step of NOW. */
static void
note(struct frames *f, struct frames_memo *memo, struct frames_memo now)
{
	size_t n = f->stack.n;

	if (n > UINT16_MAX)
		return;
	if (f->id_n + n > MEMO_IDS) {
		memset(f->memos, 0, sizeof *f->memos << MEMO_BITS);
		f->id_n = 0;
	}
	f->ids = mem_grow(f->ids, &f->id_cap, f->id_n + n, sizeof *f->ids);
	memcpy(f->ids + f->id_n, f->stack.ids, n * sizeof *f->ids);
	now.first = (uint32_t)f->id_n;
	now.n = (uint16_t)n;
	*memo = now;
	f->id_n += n;
}

const uint32_t *
frames_names(struct frames *f, struct callchain *ch, size_t at, size_t *n)
{
	const struct callchain_step *step = &ch->steps[at];
	struct frames_memo *memo = find_memo(f, step);
	struct callchain_place place;
	uint64_t version = step->how & CALLCHAIN_KERNEL
		? ch->processes->kernel.space.version
		: ch->image->space.version;
	uint16_t flags = (uint16_t)(f->inlines | f->stack.java << 1);

	if (memo->version == version && memo->flags == flags &&
		callchain_is_same(&memo->step, step) && f->steady) {
		*n = memo->n;
		/* Even 0 must not be added to NULL. */
		return memo->n ? f->ids + memo->first : f->ids;
	}
	place = callchain_place(ch, at);
	f->stack.n = 0;
	add_place(f, &place);
	if (f->steady)
		note(f, memo, (struct frames_memo){ *step, version, 0, 0, flags });
	*n = f->stack.n;
	return f->stack.ids;
}

uint32_t
frames_descend(struct frames *f, struct callchain *ch, size_t at, uint32_t node)
{
	size_t n;
	const uint32_t *ids = frames_names(f, ch, at, &n);

	return collapse_path(f->stack.c, node, ids, n);
}

void
frames_settle(struct frames *f)
{
	const struct frames_late *late;
	size_t i;

	f->settling = true;
	for (i = 0; i < f->late_n; i++) {
		late = &f->late[i];
		dso_refresh(late->place.dso);
		f->time = late->time;
		f->stack.java = late->java;
		f->stack.n = 0;
		add_place(f, &late->place);
		collapse_name_late(f->stack.c, late->id, f->stack.ids, f->stack.n);
	}
	if (f->late_n)
		collapse_rename(f->stack.c);
	f->late_n = 0;
	f->settling = false;
}
