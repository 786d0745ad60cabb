/* SPDX-License-Identifier: ISC */
/* Steps on the stacks of a tree; see filter.h. */
#include "filter.h"
#include "frame-stable.h"
#include "frame.h"
#include "functions.h"
#include "mem.h"
#include "sanitize.h"

/* The frame of a stack of which a step has left none. */
#define HIDDEN "[hidden]"

/* A stack on its way through the steps. */
struct stack {
	uint32_t *frames; /* ids of NAMES, root first */
	size_t n;
	struct intern *names;
};

/* What names tell. */

/* The list is that of fg-filter(1). */
static const struct {
	const char *name;
	enum filter_idle idle;
} WAITING[] = {
	/* the idle loops of Linux, FreeBSD and illumos */
	{ "cpu_startup_entry", FILTER_IDLE_LOOP },
	{ "do_idle", FILTER_IDLE_LOOP },
	{ "cpu_idle", FILTER_IDLE_LOOP },
	{ "cpu_idle_loop", FILTER_IDLE_LOOP },
	{ "call_cpuidle", FILTER_IDLE_LOOP },
	{ "cpuidle_enter", FILTER_IDLE_LOOP },
	{ "cpuidle_enter_state", FILTER_IDLE_LOOP },
	{ "default_idle", FILTER_IDLE_LOOP },
	{ "default_idle_call", FILTER_IDLE_LOOP },
	{ "arch_cpu_idle", FILTER_IDLE_LOOP },
	{ "intel_idle", FILTER_IDLE_LOOP },
	{ "intel_idle_irq", FILTER_IDLE_LOOP },
	{ "acpi_idle_enter", FILTER_IDLE_LOOP },
	{ "acpi_idle_do_entry", FILTER_IDLE_LOOP },
	{ "mwait_idle", FILTER_IDLE_LOOP },
	{ "poll_idle", FILTER_IDLE_LOOP },
	{ "native_safe_halt", FILTER_IDLE_LOOP },
	{ "sched_idletd", FILTER_IDLE_LOOP },
	{ "acpi_cpu_idle", FILTER_IDLE_LOOP },
	{ "mach_cpu_idle", FILTER_IDLE_LOOP },
	/* waiting for events or time */
	{ "epoll_wait", FILTER_WAITS },
	{ "__epoll_wait", FILTER_WAITS },
	{ "epoll_pwait", FILTER_WAITS },
	{ "poll", FILTER_WAITS },
	{ "__poll", FILTER_WAITS },
	{ "__GI___poll", FILTER_WAITS },
	{ "ppoll", FILTER_WAITS },
	{ "__ppoll", FILTER_WAITS },
	{ "select", FILTER_WAITS },
	{ "__select", FILTER_WAITS },
	{ "pselect", FILTER_WAITS },
	{ "nanosleep", FILTER_WAITS },
	{ "__nanosleep", FILTER_WAITS },
	{ "clock_nanosleep", FILTER_WAITS },
	{ "__clock_nanosleep", FILTER_WAITS },
	{ "sleep", FILTER_WAITS },
	{ "usleep", FILTER_WAITS },
	{ "pause", FILTER_WAITS },
	{ "kevent", FILTER_WAITS },
	{ "mach_msg_trap", FILTER_WAITS },
	{ "mach_msg2_trap", FILTER_WAITS },
	{ "__semwait_signal", FILTER_WAITS },
	{ "runtime.epollwait", FILTER_WAITS },
	{ "runtime.usleep", FILTER_WAITS },
	/* the same in the kernel, seen when a thread gives its processor up */
	{ "ep_poll", FILTER_SLEEPS },
	{ "do_epoll_wait", FILTER_SLEEPS },
	{ "do_poll", FILTER_SLEEPS },
	{ "do_sys_poll", FILTER_SLEEPS },
	{ "do_select", FILTER_SLEEPS },
	{ "do_nanosleep", FILTER_SLEEPS },
	{ "hrtimer_nanosleep", FILTER_SLEEPS },
	{ "schedule", FILTER_SCHEDULES },
	{ "__schedule", FILTER_SCHEDULES },
	{ "finish_task_switch", FILTER_SCHEDULES },
	{ "schedule_timeout", FILTER_SCHEDULES },
	{ "schedule_hrtimeout_range", FILTER_SCHEDULES },
	{ "schedule_hrtimeout_range_clock", FILTER_SCHEDULES },
	{ "poll_schedule_timeout", FILTER_SCHEDULES },
};

/* The C function that NAME is a clone of or calls through a stub. Its name has neither '+' nor '@',
 * so that these begin offsets ("+0x1b", "+28") and versions. */
static struct str
cut_to_function(struct str name)
{
	(void)frame_cut_annotation(&name);
	name = frame_cut_module(frame_cut_place(name));
	name = frame_cut_version(str_head(name, str_find(name, '+')));
	return str_head(name, frame_find_suffix(name, FRAME_CLONE));
}

/* "swapper/3", "swapper-0", "swapper/3-0/3": the idle thread with its numbers. */
static bool
is_swapper(struct str name)
{
	static const struct str swapper = { "swapper", 7 };

	return str_starts(name, swapper) &&
		(name.n == swapper.n ||
			(name.n > swapper.n + 1 && strchr("/-", name.s[swapper.n])));
}

enum filter_idle
filter_idle(struct str name)
{
	struct str bare = cut_to_function(name);
	size_t i;

	for (i = 0; i < sizeof WAITING / sizeof *WAITING; i++)
		if (str_eq(bare, str_of(WAITING[i].name)))
			return WAITING[i].idle;
	return is_swapper(bare) ? FILTER_IDLE_LOOP : FILTER_BUSY;
}

/* Whether TEXT, in parentheses at the end of a name, can be a file rather than
 * the arguments of a function. */
static bool
is_file(struct str text)
{
	static const char *const types[] = { "void", "bool", "char", "short", "int",
		"long", "float", "double", "unsigned", "const" };
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (str_eq(text, str_of(types[i])))
			return false;
	for (i = 0; i < text.n; i++)
		if (strchr(" \t,*&()", text.s[i]) || text.s[i] == ':')
			return false;
	return text.n > 0;
}

/* The file of "function (file)" and "function (in file)". */
static struct str
in_parentheses(struct str name)
{
	struct str none = { 0 };
	size_t at = str_rfind(name, '(');

	if (!str_ends(name, STR(")")) || at < 2 || name.s[at - 1] != ' ')
		return none;
	name = str_head(str_from(name, at + 1), name.n - at - 2);
	if (str_starts(name, STR("in ")))
		name = str_from(name, 3);
	return is_file(name) ? str_base(name) : none;
}

/* The file of what stands in brackets, "file" or "file <2601>". */
static struct str
cut_file(struct str inside)
{
	inside = str_head(inside, str_search(inside, STR(" <")));
	return str_eq(inside, STR("unknown")) ? (struct str){ 0 } : str_base(inside);
}

struct str
filter_module(struct str name, bool *inlined)
{
	char letter = frame_cut_annotation(&name);
	struct str module = frame_module(name);

	*inlined = letter == 'i';
	if (!module.n && frame_in_brackets(name).n)
		module = cut_file(frame_in_brackets(name));
	else if (!module.n)
		module = in_parentheses(name);
	if (!module.n && letter == 'k')
		module = STR("kernel");
	if (!module.n && letter == 'j')
		module = STR("jit");
	return module;
}

/* What each kind of step does to one stack. */

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
matches(struct filter_step *s, const struct stack *st, size_t i)
{
	uint32_t *k = know(s, st->frames[i]);

	if (*k == NOT_ASKED)
		*k = match_has(s->match, intern_str(st->names, st->frames[i])) ? YES : NO;
	return *k == YES;
}

/* The place of the first frame that matches, or the last; the number of frames when
 * none does. */
static size_t
find(const struct filter *f, struct filter_step *s, const struct stack *st)
{
	size_t i, found = st->n;

	for (i = 0; i < st->n && (f->last || found == st->n); i++)
		if (matches(s, st, i))
			found = i;
	return found;
}

/* Drops the first N frames. */
static void
cut_head(struct stack *st, size_t n)
{
	st->n -= n;
	memmove(st->frames, st->frames + n, st->n * sizeof *st->frames);
}

/* A stack of which all frames have gone keeps its weight. */
static void
mark_hidden(struct stack *st)
{
	if (st->n)
		return;
	st->frames[0] = intern_id(st->names, STR(HIDDEN));
	st->n = 1;
}

static bool
focus(struct filter *f, struct filter_step *s, struct stack *st)
{
	return find(f, s, st) < st->n;
}

static bool
ignore(struct filter *f, struct filter_step *s, struct stack *st)
{
	return find(f, s, st) == st->n;
}

static bool
root(struct filter *f, struct filter_step *s, struct stack *st)
{
	size_t at = find(f, s, st);

	if (at == st->n)
		return false;
	cut_head(st, at);
	return true;
}

static bool
cut_above(struct filter *f, struct filter_step *s, struct stack *st)
{
	size_t at = find(f, s, st);

	if (at < st->n)
		cut_head(st, at);
	return true;
}

static bool
cut_below(struct filter *f, struct filter_step *s, struct stack *st)
{
	size_t at = find(f, s, st);

	if (at < st->n)
		st->n = at + 1;
	return true;
}

static bool
cut_depth(struct filter *f, struct filter_step *s, struct stack *st)
{
	(void)f;
	if (st->n > s->depth)
		st->n = (size_t)s->depth;
	return true;
}

/* Drops the frames for which the expression matches, or does not. */
static void
drop_frames(struct filter_step *s, struct stack *st, bool matching)
{
	size_t i, n = 0;

	for (i = 0; i < st->n; i++)
		if (matches(s, st, i) != matching)
			st->frames[n++] = st->frames[i];
	st->n = n;
	mark_hidden(st);
}

static bool
hide(struct filter *f, struct filter_step *s, struct stack *st)
{
	(void)f;
	drop_frames(s, st, true);
	return true;
}

static bool
show(struct filter *f, struct filter_step *s, struct stack *st)
{
	(void)f;
	drop_frames(s, st, false);
	return true;
}

static void
put_without_place(struct str name, struct buf *b)
{
	struct str bare = frame_bare(name);

	buf_str(b, frame_cut_place(bare));
	buf_str(b, str_from(name, bare.n));
}

/* Adds what the step S makes of NAME. False when it leaves NAME as it is. */
static bool
put_name(struct filter_step *s, struct str name, struct buf *b)
{
	if (s->kind == FILTER_RENAME)
		return edit_put(s->edit, name, b);
	if (s->kind == FILTER_LINES)
		put_without_place(name, b);
	else
		frame_put_stable(b, name);
	return true;
}

/* What the name ID becomes, in terms of what is known. */
static uint32_t
renamed(struct filter_step *s, struct intern *names, uint32_t id)
{
	struct buf b = { 0 }, frame = { 0 };
	uint32_t to = id + FIRST_ID;

	if (put_name(s, intern_str(names, id), &b)) {
		folded_put_frame(&frame, buf_view(&b));
		to = frame.n ? intern_id(names, buf_view(&frame)) + FIRST_ID : GONE;
	}
	buf_release(&b);
	buf_release(&frame);
	return to;
}

static bool
rename_frames(struct filter *f, struct filter_step *s, struct stack *st)
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
	struct str module = filter_module(intern_str(names, id), &inlined);

	f->modules |= module.n > 0;
	if (!module.n)
		return inlined ? GONE : id + FIRST_ID;
	return intern_id(names, module) + FIRST_ID;
}

/* Frames of one module become one, inlined ones with their callers. */
static bool
by_module(struct filter *f, struct filter_step *s, struct stack *st)
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
collapse_recursion(struct filter *f, struct filter_step *s, struct stack *st)
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
collapse_cycles(struct filter *f, struct filter_step *s, struct stack *st)
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

static enum filter_idle
idleness(struct filter_step *s, const struct stack *st, size_t i)
{
	uint32_t *k = know(s, st->frames[i]);

	if (*k == NOT_ASKED)
		*k = filter_idle(intern_str(st->names, st->frames[i]));
	return (enum filter_idle) * k;
}

static bool
drop_idle(struct filter *f, struct filter_step *s, struct stack *st)
{
	enum filter_idle leaf;
	size_t i;

	(void)f;
	for (i = 0; i < st->n; i++)
		if (idleness(s, st, i) == FILTER_IDLE_LOOP)
			return false;
	for (i = st->n - 1; i > 0 && idleness(s, st, i) == FILTER_SCHEDULES;)
		i--;
	leaf = idleness(s, st, i);
	return leaf != FILTER_WAITS && (leaf != FILTER_SLEEPS || i + 1 == st->n);
}

static bool
reverse(struct filter *f, struct filter_step *s, struct stack *st)
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

typedef bool take_step(struct filter *, struct filter_step *, struct stack *);

static take_step *const TAKE[FILTER_KINDS] = {
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
	[FILTER_LINES] = rename_frames,
	[FILTER_STABLE] = rename_frames,
	[FILTER_MODULE] = by_module,
	[FILTER_RECURSION] = collapse_recursion,
	[FILTER_CYCLES] = collapse_cycles,
	[FILTER_REVERSE] = reverse,
};

/* Changes ST as the step S of F does, which is none of FILTER_SHARE. False when it is
 * filtered out. A stack never becomes longer. */
static bool
change_stack(struct filter *f, struct filter_step *s, struct stack *st)
{
	return TAKE[s->kind](f, s, st);
}

/* What an option of each kind takes. */
enum takes { NOTHING, EXPRESSION, SUBSTITUTION, NUMBER, PERCENTAGE };

static const struct {
	const char *option;
	enum takes takes;
} KINDS[FILTER_KINDS] = {
	[FILTER_FOCUS] = { "focus", EXPRESSION },
	[FILTER_IGNORE] = { "ignore", EXPRESSION },
	[FILTER_ROOT] = { "root", EXPRESSION },
	[FILTER_IDLE] = { "drop-idle", NOTHING },
	[FILTER_BELOW] = { "trim-below", EXPRESSION },
	[FILTER_ABOVE] = { "trim-above", EXPRESSION },
	[FILTER_DEPTH] = { "depth", NUMBER },
	[FILTER_HIDE] = { "hide", EXPRESSION },
	[FILTER_SHOW] = { "show", EXPRESSION },
	[FILTER_RENAME] = { "rename", SUBSTITUTION },
	[FILTER_STABLE] = { "stable-names", NOTHING },
	[FILTER_LINES] = { "no-lines", NOTHING },
	[FILTER_MODULE] = { "by-module", NOTHING },
	[FILTER_RECURSION] = { "collapse-recursion", NOTHING },
	[FILTER_CYCLES] = { "collapse-cycles", NOTHING },
	[FILTER_REVERSE] = { "reverse", NOTHING },
	[FILTER_SHARE] = { "min-share", PERCENTAGE },
};

static void
release_step(struct filter_step *s)
{
	match_free(s->match);
	edit_free(s->edit);
	free(s->known.of);
}

void
filter_release(struct filter *f)
{
	while (f->n)
		release_step(&f->steps[--f->n]);
	free(f->steps);
	where_release(&f->where);
	*f = (struct filter){ .n = 0 };
}

/* Reads "12.5" or "12.5%". */
static bool
read_percentage(const char *text, double *percent)
{
	char *end;

	*percent = strtod(text, &end);
	return end != text && str_is_digit(*text) && !end[*end == '%'] && *percent <= 100;
}

/* Gives S its argument. */
static bool
take_argument(struct filter_step *s, struct buf *why)
{
	struct str text = str_of(s->text);

	switch (KINDS[s->kind].takes) {
	case NOTHING: return true;
	case EXPRESSION:
		buf_str(why, STR("is not a valid expression: "));
		return (s->match = match_new(text, 0, why)) != NULL;
	case SUBSTITUTION:
		buf_str(why, STR("is not a valid substitution, s/EXPRESSION/NEW/: "));
		return (s->edit = edit_new(text, why)) != NULL;
	case NUMBER:
		buf_str(why, STR("is not a number of frames from 1 up"));
		return str_to_u64(text, &s->depth) && s->depth;
	case PERCENTAGE:
		buf_str(why, STR("is not a percentage from 0 to 100"));
		return read_percentage(s->text, &s->percent);
	}
	return false;
}

bool
filter_add(struct filter *f, enum filter_kind kind, const char *text, struct buf *why)
{
	struct filter_step s = { .kind = kind, .text = text };

	if (!take_argument(&s, why)) {
		release_step(&s);
		return false;
	}
	f->steps = mem_grow(f->steps, &f->cap, f->n + 1, sizeof *f->steps);
	f->steps[f->n++] = s;
	return true;
}

/* Stacks on their way from one tree to another. */
struct pass {
	struct filter *filter;
	size_t first, end; /* of the steps that are taken */
	const struct tree *from;
	struct tree *to;
	uint32_t *path;	    /* of the walk, root first */
	uint32_t *frames;   /* of the stack that steps change */
	uint32_t *had, *at; /* the stack before: its frames, their nodes */
	size_t depth;	    /* of that */
};

/* The node of ST; what it shares with the stack before need not be looked for. */
static uint32_t
find_node(struct pass *p, const struct stack *st)
{
	uint32_t node = TREE_ROOT;
	size_t i = 0;

	while (i < st->n && i < p->depth && st->frames[i] == p->had[i])
		i++;
	if (i)
		node = p->at[i - 1];
	for (; i < st->n; i++) {
		node = tree_child_id(p->to, node, st->frames[i]);
		p->had[i] = st->frames[i];
		p->at[i] = node;
	}
	p->depth = st->n;
	return node;
}

/* Makes the first frame of ST one that a line can begin with: not without a name and
 * alone, and not a '#', with which a comment begins. */
static void
settle(struct stack *st)
{
	struct str first = intern_str(st->names, st->frames[0]);
	struct buf b = { 0 };

	if (st->n == 1 && !first.n) {
		st->frames[0] = intern_id(st->names, STR("[unknown]"));
	} else if (str_starts(first, STR("#"))) {
		buf_char(&b, ' ');
		buf_str(&b, first);
		st->frames[0] = intern_id(st->names, buf_view(&b));
		buf_release(&b);
	}
}

/* Whether ST, with LEAD frames of dimensions, is of a thread that the kernel runs when there is
 * nothing to do. */
static bool
is_idle_thread(const struct filter *f, const struct stack *st, size_t lead)
{
	size_t i;

	for (i = 0; i < lead; i++)
		if (dimensions_is_thread(f->by->name[i]) &&
			is_swapper(intern_str(st->names, st->frames[i])))
			return true;
	return false;
}

/* Takes ST, the first LEAD frames of which are dimensions, through the step S. False when it is
 * filtered out. */
static bool
change_functions(struct filter *f, struct filter_step *s, struct stack *st, size_t lead)
{
	struct stack functions = { st->frames + lead, st->n - lead, st->names };
	bool stays;

	/* The idle thread is known by the name of its thread, too. */
	if (s->kind == FILTER_IDLE && is_idle_thread(f, st, lead))
		return false;
	stays = change_stack(f, s, &functions);
	st->n = lead + functions.n;
	if (!lead && stays)
		settle(st);
	return stays;
}

/* Completes ST, which ends among the LEAD frames of dimensions, with the mark of no value for the
 * others and the function NONE. */
static void
complete(struct stack *st, size_t lead, uint32_t none)
{
	while (st->n < lead)
		st->frames[st->n++] = intern_id(st->names, DIMENSIONS_NO_VALUE);
	st->frames[st->n++] = none;
}

/* Takes NODE, whose path has DEPTH frames, through the steps. */
static void
take_stack(struct pass *p, uint32_t node, uint32_t depth)
{
	struct stack st = { p->frames, depth, &p->to->names };
	struct filter *f = p->filter;
	size_t lead = f->by->n, i;
	uint32_t none = lead ? intern_id(st.names, DIMENSIONS_NO_FUNCTION) : 0;
	bool stays = true;
	uint32_t to;
	int c;

	memcpy(st.frames, p->path, depth * sizeof *st.frames);
	if (lead && depth <= lead)
		complete(&st, lead, none);
	for (i = p->first; i < p->end && stays; i++)
		stays = change_functions(f, &f->steps[i], &st, lead);
	if (lead && depth <= lead && st.n == lead + 1 && st.frames[lead] == none)
		st.n = depth;
	to = stays ? find_node(p, &st) : TREE_ROOT;
	for (c = 0; c < p->to->columns; c++)
		if (stays)
			tree_add(p->to, to, c, p->from->self[c][node]);
		else
			f->dropped[c] += p->from->self[c][node];
}

static bool
has_weight(const struct tree *t, uint32_t node)
{
	return t->self[0][node] || (t->columns > 1 && t->self[1][node]);
}

/* Takes every stack of the tree through the steps. */
static void
walk(struct pass *p)
{
	const struct tree *t = p->from;
	struct tree_walk w;
	uint32_t i, deepest = 1;

	tree_walk_init(&w, t, TREE_AS_ADDED);
	for (i = 0; i < w.n; i++)
		deepest = w.depth[i] > deepest ? w.depth[i] : deepest;
	/* a stack that ends among them is completed */
	deepest += (uint32_t)p->filter->by->n + 1;
	p->path = mem_alloc(4 * (size_t)deepest * sizeof *p->path);
	p->frames = p->path + deepest;
	p->had = p->frames + deepest;
	p->at = p->had + deepest;
	for (i = 0; i < w.n; i++) {
		p->path[w.depth[i] - 1] = t->nodes[w.node[i]].name;
		if (has_weight(t, w.node[i]))
			take_stack(p, w.node[i], w.depth[i]);
	}
	free(p->path);
	tree_walk_release(&w);
}

/* Puts the stacks that the steps from FIRST to END make of those of T in their place. */
static void
change(struct filter *f, struct tree *t, size_t first, size_t end)
{
	struct tree from = *t;
	struct pass p = {
		.filter = f, .first = first, .end = end, .from = &from, .to = t
	};

	tree_init(t, from.columns);
	t->scale = from.scale;
	t->names = from.names;
	from.names = (struct intern){ 0 };
	walk(&p);
	tree_release(&from);
}

/* Whether the totals of a node are all less than the share of S. */
static bool
is_small(const struct filter *f, const struct filter_step *s, const struct tree *t,
	const uint64_t total[TREE_COLUMNS])
{
	uint64_t whole;
	int c;

	for (c = 0; c < t->columns; c++) {
		whole = f->keep_total ? f->whole[c] : t->sum[c];
		if ((double)total[c] * 100 >= s->percent * (double)whole && total[c])
			return false;
	}
	return true;
}

/* Gives what NODE weighs for itself to the node TO. */
static void
move_weight(struct tree *t, uint32_t node, uint32_t to)
{
	int c;

	for (c = 0; c < t->columns; c++) {
		t->self[c][to] += t->self[c][node];
		t->self[c][node] = 0;
	}
}

/* Gives a name to a stack of one frame that has none, as settle does. */
static void
settle_lone(struct tree *t)
{
	uint32_t i, n = t->n;

	for (i = 1; i < n; i++)
		if (t->nodes[i].parent == TREE_ROOT && has_weight(t, i) &&
			!intern_str(&t->names, t->nodes[i].name).n)
			move_weight(t, i, tree_child(t, TREE_ROOT, STR("[unknown]")));
}

/* Gives the weights of small frames to their callers. What a small frame calls is
 * small too, so that its own weight is its total by the time it is looked at. A frame
 * without a caller keeps its weight. Frames of several values of a dimension are one. */
static void
prune(const struct filter *f, const struct filter_step *s, struct tree *t)
{
	uint64_t *totals[TREE_COLUMNS] = { NULL }, total[TREE_COLUMNS] = { 0 };
	struct functions functions;
	uint32_t i, at;
	int c;

	functions_init(&functions, t, f->by->n);
	for (c = 0; c < t->columns; c++)
		totals[c] = tree_totals(functions.tree, c);
	for (i = t->n - 1; i > 0; i--) {
		at = functions.node ? functions.node[i] : i;
		for (c = 0; c < t->columns; c++)
			total[c] = totals[c][at];
		if (at != TREE_ROOT && functions.tree->nodes[at].parent != TREE_ROOT &&
			is_small(f, s, t, total))
			move_weight(t, i, t->nodes[i].parent);
	}
	for (c = 0; c < t->columns; c++)
		free(totals[c]);
	functions_release(&functions);
	settle_lone(t);
}

/* Whether no expression of S was given up. */
static bool
is_sound(const struct filter_step *s)
{
	const char *why = s->match ? match_failure(s->match)
		: s->edit	   ? edit_failure(s->edit)
				   : NULL;

	if (why)
		msg_error(
			"--%s '%s': giving up: %s", KINDS[s->kind].option, s->text, why);
	return !why;
}

/* Puts back what was filtered out. */
static void
keep_dropped(const struct filter *f, struct tree *t)
{
	uint32_t node = TREE_ROOT;
	size_t i;
	int c;

	if (!f->dropped[0] && !f->dropped[1])
		return;
	for (i = 0; i < f->by->n; i++)
		node = tree_child(t, node, DIMENSIONS_NO_VALUE);
	node = tree_child(t, node, STR("[filtered]"));
	for (c = 0; c < t->columns; c++)
		tree_add(t, node, c, f->dropped[c]);
}

bool
filter_run(struct filter *f, struct tree *t, const struct dimensions *d)
{
	size_t first, end;

	sanitize_names(t);
	f->by = d;
	memcpy(f->whole, t->sum, sizeof f->whole);
	if (f->where.n && !where_take(&f->where, d, t, f->dropped))
		return false;
	for (first = 0; first < f->n; first = end) {
		end = first;
		while (end < f->n && f->steps[end].kind != FILTER_SHARE)
			end++;
		if (end > first)
			change(f, t, first, end);
		else
			prune(f, &f->steps[end++], t);
	}
	for (first = 0; first < f->n; first++)
		if (!is_sound(&f->steps[first]))
			return false;
	if (f->keep_total)
		keep_dropped(f, t);
	return true;
}

void
filter_adjust(const struct filter *f, const struct tree *t, struct folded_info *info)
{
	struct weight whole[TREE_COLUMNS];
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		whole[c] = weight_of(f->whole[c], t->scale);
	folded_info_keep(info, t, whole);
	folded_info_forget_tests(info);
}
