/* SPDX-License-Identifier: ISC */
/* What each kind of step does to one stack; see filter-step.h. */
#include "filter-step.h"
#include "filter-name.h"
#include "mem.h"

/* Cycles may have so many frames; looking for longer ones takes too long. */
enum { CYCLE = 64 };

/* What is known of a name: whether an expression matches, or what it becomes: its
 * new id + FIRST_ID, or one of these. */
enum { NOT_ASKED, NO, YES, GONE, FIRST_ID };

/* The place for what S knows of the name ID. */
static uint32_t *
know(struct filter_step *s, uint32_t id)
{
	size_t had = s->known.cap;

	if (id >= had) {
		s->known.of = mem_grow(
			s->known.of, &s->known.cap, (size_t)id + 1, sizeof *s->known.of);
		memset(s->known.of + had, 0, (s->known.cap - had) * sizeof *s->known.of);
	}
	return &s->known.of[id];
}

static bool
matches(struct filter_step *s, const struct filter_stack *st, size_t i)
{
	uint32_t *k = know(s, st->frames[i]);

	if (*k == NOT_ASKED)
		*k = match_has(s->match, intern_str(st->names, st->frames[i])) ? YES : NO;
	return *k == YES;
}

/* The place of the first frame that matches, or the last; the number of frames when
 * none does. */
static size_t
find(const struct filter *f, struct filter_step *s, const struct filter_stack *st)
{
	size_t i, found = st->n;

	for (i = 0; i < st->n && (f->last || found == st->n); i++)
		if (matches(s, st, i))
			found = i;
	return found;
}

/* Drops the first N frames. */
static void
cut_head(struct filter_stack *st, size_t n)
{
	st->n -= n;
	memmove(st->frames, st->frames + n, st->n * sizeof *st->frames);
}

/* A stack of which all frames have gone keeps its weight. */
static void
mark_hidden(struct filter_stack *st)
{
	if (st->n)
		return;
	st->frames[0] = intern_id(st->names, STR(FILTER_HIDDEN));
	st->n = 1;
}

static bool
focus(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	return find(f, s, st) < st->n;
}

static bool
ignore(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	return find(f, s, st) == st->n;
}

static bool
root(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t at = find(f, s, st);

	if (at == st->n)
		return false;
	cut_head(st, at);
	return true;
}

static bool
cut_above(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t at = find(f, s, st);

	if (at < st->n)
		cut_head(st, at);
	return true;
}

static bool
cut_below(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t at = find(f, s, st);

	if (at < st->n)
		st->n = at + 1;
	return true;
}

static bool
cut_depth(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	(void)f;
	if (st->n > s->depth)
		st->n = (size_t)s->depth;
	return true;
}

/* Drops the frames for which the expression matches, or does not. */
static void
drop_frames(struct filter_step *s, struct filter_stack *st, bool matching)
{
	size_t i, n = 0;

	for (i = 0; i < st->n; i++)
		if (matches(s, st, i) != matching)
			st->frames[n++] = st->frames[i];
	st->n = n;
	mark_hidden(st);
}

static bool
hide(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	(void)f;
	drop_frames(s, st, true);
	return true;
}

static bool
show(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	(void)f;
	drop_frames(s, st, false);
	return true;
}

/* What the name ID becomes, in terms of what is known. */
static uint32_t
renamed(struct filter_step *s, struct intern *names, uint32_t id)
{
	struct buf b = { 0 }, frame = { 0 };
	uint32_t to = id + FIRST_ID;

	if (match_edit_put(s->edit, intern_str(names, id), &b)) {
		folded_put_frame(&frame, buf_view(&b));
		to = frame.n ? intern_id(names, buf_view(&frame)) + FIRST_ID : GONE;
	}
	buf_release(&b);
	buf_release(&frame);
	return to;
}

static bool
rename_frames(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t i, n = 0;
	uint32_t *k;

	(void)f;
	for (i = 0; i < st->n; i++) {
		k = know(s, st->frames[i]);
		if (*k == NOT_ASKED)
			*k = renamed(s, st->names, st->frames[i]);
		if (*k != GONE)
			st->frames[n++] = *k - FIRST_ID;
	}
	st->n = n;
	mark_hidden(st);
	return true;
}

/* The module that the name ID becomes; GONE for its caller's. */
static uint32_t
module_of(struct filter *f, struct intern *names, uint32_t id)
{
	bool inlined;
	struct str module = filter_name_module(intern_str(names, id), &inlined);

	f->modules |= module.n > 0;
	if (!module.n)
		return inlined ? GONE : id + FIRST_ID;
	return intern_id(names, module) + FIRST_ID;
}

/* Frames of one module become one, inlined ones with their callers. */
static bool
by_module(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	bool inside = false, same;
	uint32_t *k, frame;
	size_t i, n = 0;

	for (i = 0; i < st->n; i++) {
		k = know(s, st->frames[i]);
		if (*k == NOT_ASKED)
			*k = module_of(f, st->names, st->frames[i]);
		frame = *k == GONE ? st->frames[i] : *k - FIRST_ID;
		same = inside && (*k == GONE || frame == st->frames[n - 1]);
		inside = same || frame != st->frames[i];
		if (!same)
			st->frames[n++] = frame;
	}
	st->n = n;
	return true;
}

static bool
collapse_recursion(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t i, n = 1;

	(void)f;
	(void)s;
	for (i = 1; i < st->n; i++)
		if (st->frames[i] != st->frames[n - 1])
			st->frames[n++] = st->frames[i];
	st->n = n;
	return true;
}

/* The length of the cycle that the last of N frames ends, which is there twice; 0
 * when it ends none. */
static size_t
ended_cycle(const uint32_t *frames, size_t n)
{
	size_t k, most = n / 2 < CYCLE ? n / 2 : CYCLE;

	for (k = 1; k <= most; k++)
		if (frames[n - 1] == frames[n - 1 - k] &&
			memcmp(frames + n - k, frames + n - 2 * k, k * sizeof *frames) ==
				0)
			return k;
	return 0;
}

static bool
collapse_cycles(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	size_t i, n = 0;

	(void)f;
	(void)s;
	for (i = 0; i < st->n; i++) {
		st->frames[n++] = st->frames[i];
		n -= ended_cycle(st->frames, n);
	}
	st->n = n;
	return true;
}

static enum filter_name_idle
idleness(struct filter_step *s, const struct filter_stack *st, size_t i)
{
	uint32_t *k = know(s, st->frames[i]);

	if (*k == NOT_ASKED)
		*k = filter_name_idle(intern_str(st->names, st->frames[i]));
	return (enum filter_name_idle) * k;
}

static bool
drop_idle(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	enum filter_name_idle leaf;
	size_t i;

	(void)f;
	for (i = 0; i < st->n; i++)
		if (idleness(s, st, i) == FILTER_NAME_IDLE)
			return false;
	for (i = st->n - 1; i > 0 && idleness(s, st, i) == FILTER_NAME_SCHEDULES;)
		i--;
	leaf = idleness(s, st, i);
	return leaf != FILTER_NAME_WAITS &&
		(leaf != FILTER_NAME_SLEEPS || i + 1 == st->n);
}

static bool
reverse(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	uint32_t *a = st->frames, *b = st->frames + st->n - 1, frame;

	(void)f;
	(void)s;
	for (; a < b; a++, b--) {
		frame = *a;
		*a = *b;
		*b = frame;
	}
	return true;
}

typedef bool take_stack(struct filter *, struct filter_step *, struct filter_stack *);

static take_stack *const TAKE[FILTER_KINDS] = {
	[FILTER_FOCUS] = focus,
	[FILTER_IGNORE] = ignore,
	[FILTER_ROOT] = root,
	[FILTER_IDLE] = drop_idle,
	[FILTER_BELOW] = cut_below,
	[FILTER_ABOVE] = cut_above,
	[FILTER_DEPTH] = cut_depth,
	[FILTER_HIDE] = hide,
	[FILTER_SHOW] = show,
	[FILTER_RENAME] = rename_frames,
	[FILTER_MODULE] = by_module,
	[FILTER_RECURSION] = collapse_recursion,
	[FILTER_CYCLES] = collapse_cycles,
	[FILTER_REVERSE] = reverse,
};

bool
filter_step_take(struct filter *f, struct filter_step *s, struct filter_stack *st)
{
	return TAKE[s->kind](f, s, st);
}
