/* SPDX-License-Identifier: ISC */
/* Threads to stacks; see firefox-fold.h. */
#include "firefox-fold.h"
#include "firefox-weigh.h"
#include "mem.h"

#include <math.h>

/* A row that leads to no node, and one that has no place. */
#define NO_NODE UINT32_MAX
#define NO_SPAN UINT32_MAX

/* What a row of frames was seen to call; see judge_calls. */
enum { CALLS_OTHERS = 1, CALLS_ITSELF = 2 };

void
firefox_fold_init(struct firefox_fold *f, struct collapse *c, struct input *in)
{
	*f = (struct firefox_fold){ .c = c, .in = in, .firmware = -1 };
	libraries_init(&f->libraries, c, in);
	f->rows = mem_alloc(FIREFOX_DEEPEST * sizeof *f->rows);
}

void
firefox_fold_release(struct firefox_fold *f)
{
	size_t i;

	for (i = 0; i < f->waiting_n; i++)
		firefox_thread_release(&f->waiting[i]);
	free(f->waiting);
	libraries_release(&f->libraries);
	firefox_memo_release(&f->nodes);
	firefox_memo_release(&f->callers);
	firefox_memo_release(&f->leaves);
	free(f->spans);
	free(f->calls);
	free(f->rows);
}

void
firefox_fold_lose(struct firefox_fold *f, enum collapse_loss kind, const char *why)
{
	if (!f->c->losses[kind]++)
		msg_warn("%s: %s", input_name(f->in), why);
}

/* The item I of a column; -1 when it is shorter. */
static int32_t
item(const struct json_ints *v, int32_t i)
{
	return i >= 0 && (size_t)i < v->n ? v->items[i] : -1;
}

/* The library of row FRAME, which is of function FUNC; -1: none. */
static int32_t
find_lib(const struct firefox_view *v, int32_t frame, int32_t func)
{
	int32_t lib = v->frames->lib.n
		? item(&v->frames->lib, frame)
		: item(&v->resources->lib, item(&v->funcs->resource, func));

	return item(&v->libs->ids, lib);
}

/* Whether NAME is an address, "0x12ab", for which there was no name. */
static bool
is_address(struct str name, uint64_t *address)
{
	return str_starts(name, STR("0x")) && str_hex_to_u64(str_from(name, 2), address);
}

/* Adds the frame of code without a name: SHOWN is its address for people. */
static void
add_unnamed(struct firefox_fold *f, struct library_place *p, double address,
	uint64_t shown, struct str text)
{
	bool relative = address >= 0 && address < 18446744073709551616.0;

	p->shown = str_from(text, 2);
	p->address = relative ? (uint64_t)address : shown;
	p->absolute = !relative;
	/* What is below the first segment has no library there. */
	if (!relative)
		p->lib = f->firmware;
	libraries_name(&f->libraries, p);
}

/* Adds the frame NAME of function FUNC, of native code when it has an ADDRESS. */
static void
add_named(
	struct firefox_fold *f, struct str name, int32_t frame, int32_t func, int32_t lib)
{
	const struct firefox_view *v = &f->view;
	bool is_js =
		func >= 0 && (size_t)func < v->funcs->is_js.n && v->funcs->is_js.s[func];
	bool native = !is_js && (size_t)frame < v->frames->address.n &&
		v->frames->address.items[frame] >= 0;
	struct naming_symbol s = { .name = name,
		.inlined = item(&v->frames->inline_depth, frame) > 0 };

	if (lib >= 0 && (size_t)lib < f->libraries.lib_n)
		s.module = libraries_module(&f->libraries, lib);
	if (native || !name.n)
		naming_add(&f->libraries.stack, &s);
	else
		naming_push(&f->libraries.stack,
			collapse_frame(f->c, name, s.inlined ? COLLAPSE_INLINED : 0));
}

/* Sets the stack of F->libraries to the frames of row FRAME, which P says more of.
 * False when it leads to no name. */
static bool
name_frame(struct firefox_fold *f, int32_t frame, struct library_place *p)
{
	const struct firefox_view *v = &f->view;
	int32_t func = item(&v->frames->func, frame);
	struct str name;
	uint64_t address;
	double relative = -1;

	f->libraries.stack.n = 0;
	if (!string_table_get(&v->strings->texts, item(&v->funcs->name, func), &name))
		return false;
	p->lib = find_lib(v, frame, func);
	if (!is_address(name, &address)) {
		add_named(f, name, frame, func, p->lib);
		return true;
	}
	if ((size_t)frame < v->frames->address.n)
		relative = v->frames->address.items[frame];
	add_unnamed(f, p, relative, address, name);
	return true;
}

/* Keeps the frames of the stack under way. Returns their place. */
static uint32_t
keep_span(struct firefox_fold *f)
{
	const struct naming *s = &f->libraries.stack;
	size_t at = f->span_n;

	if (s->n + 1 > NO_SPAN - at)
		return NO_SPAN;
	f->spans = mem_grow(f->spans, &f->span_cap, at + s->n + 1, sizeof *f->spans);
	f->spans[at] = (uint32_t)s->n;
	if (s->n)
		memcpy(f->spans + at + 1, s->ids, s->n * sizeof *s->ids);
	f->span_n += s->n + 1;
	return (uint32_t)at;
}

/* The place of the frames of row FRAME. */
static uint32_t
find_span(struct firefox_fold *f, int32_t frame, bool is_root, bool is_leaf)
{
	struct library_place p = { .is_root = is_root, .is_leaf = is_leaf };
	struct firefox_memo *m = is_leaf ? &f->leaves : &f->callers;
	uint32_t span;

	if (frame < 0 || (size_t)frame >= f->view.frames->func.n)
		return NO_SPAN;
	/* What a root has depends on its being one. */
	if (!is_root && firefox_memo_get(m, frame, &span))
		return span;
	span = name_frame(f, frame, &p) ? keep_span(f) : NO_SPAN;
	if (!is_root)
		firefox_memo_set(m, frame, span);
	return span;
}

/* The function that row FRAME is in, as the name of a leaf or of a caller; NO_NODE
 * when it has none. */
static uint32_t
find_function(struct firefox_fold *f, int32_t frame, bool is_leaf)
{
	uint32_t span = find_span(f, frame, false, is_leaf), n, id;

	if (span == NO_SPAN)
		return NO_NODE;
	n = f->spans[span];
	id = n ? f->spans[span + n] : NO_NODE;
	return n && !(collapse_marks_of(f->c, id) & COLLAPSE_BARE) ? id : NO_NODE;
}

/* Which rows are callers of others; the rest are leaves alone. The caller frees
 * it. */
static bool *
find_calling(const struct firefox_stacks *s)
{
	bool *calls = mem_zero(s->frame.n + 1, sizeof *calls);
	int32_t caller;
	size_t i;

	for (i = 0; i < s->frame.n; i++) {
		caller = firefox_stacks_has(s, (int32_t)i)
			? firefox_stacks_caller(s, (int32_t)i)
			: -1;
		if (caller >= 0)
			calls[caller] = true;
	}
	return calls;
}

/* Finds out for each row of frames whether it calls its own function or others.
 * Unwinding by debug information may give a caller twice in a row. So does
 * recursion; but that calls the function it is in, which then shows at other
 * addresses, too, while a call that was seen to lead elsewhere, and never there,
 * leads elsewhere. */
static void
judge_calls(struct firefox_fold *f)
{
	const struct firefox_stacks *s = f->view.stacks;
	bool *calls = find_calling(s);
	size_t n = f->view.frames->func.n, i;
	int32_t row, caller, frame;
	uint32_t from, to;

	f->calls = mem_resize(f->calls, n, 1);
	f->call_n = n;
	if (n)
		memset(f->calls, 0, n);
	for (i = 0; i < s->frame.n; i++) {
		row = (int32_t)i;
		caller = firefox_stacks_has(s, row) ? firefox_stacks_caller(s, row) : -1;
		frame = caller < 0 ? -1 : s->frame.items[caller];
		if (frame < 0 || (size_t)frame >= n || frame == s->frame.items[row])
			continue;
		from = find_function(f, frame, false);
		to = find_function(f, s->frame.items[row], !calls[row]);
		if (from != NO_NODE && to != NO_NODE)
			f->calls[frame] |= from == to ? CALLS_ITSELF : CALLS_OTHERS;
	}
	free(calls);
}

/* Whether ROW is its caller once more. */
static bool
is_repeated(const struct firefox_fold *f, int32_t row)
{
	const struct firefox_stacks *s = f->view.stacks;
	int32_t caller = firefox_stacks_caller(s, row), frame = s->frame.items[row];

	return caller >= 0 && frame >= 0 && frame == s->frame.items[caller] &&
		(size_t)frame < f->call_n && f->calls[frame] == CALLS_OTHERS;
}

/* The node of ROW below NODE. */
static uint32_t
descend(struct firefox_fold *f, uint32_t node, int32_t row, bool is_leaf)
{
	const struct firefox_stacks *s = f->view.stacks;
	bool is_root = f->probe_rs && firefox_stacks_caller(s, row) < 0;
	uint32_t span;

	if (node == NO_NODE || (f->probe_rs && is_repeated(f, row)))
		return node;
	span = find_span(f, s->frame.items[row], is_root, is_leaf);
	if (span == NO_SPAN)
		return NO_NODE;
	return collapse_path(f->c, node, f->spans + span + 1, f->spans[span]);
}

/* The node of ROW as a caller. */
static uint32_t
find_caller(struct firefox_fold *f, int32_t row)
{
	const struct firefox_stacks *s = f->view.stacks;
	uint32_t node = f->root;
	int n = 0;

	for (; row >= 0 && !firefox_memo_get(&f->nodes, row, &node); node = f->root) {
		f->rows[n++] = row;
		row = firefox_stacks_caller(s, row);
	}
	while (n > 0) {
		row = f->rows[--n];
		node = descend(f, node, row, false);
		firefox_memo_set(&f->nodes, row, node);
	}
	return node;
}

/* The node of ROW where a stack ends, NO_NODE when it leads to none. */
static uint32_t
find_node(struct firefox_fold *f, int32_t row)
{
	const struct firefox_stacks *s = f->view.stacks;

	if (!firefox_stacks_has(s, row))
		return NO_NODE;
	/* Names that are there are those of the leaf, too. */
	if (f->libraries.callers == LIBRARIES_IN_CALL)
		return find_caller(f, row);
	return descend(f, find_caller(f, firefox_stacks_caller(s, row)), row, true);
}

/* MS as ns; what is before the beginning is at it. */
static uint64_t
nanoseconds(double ms)
{
	double ns = round(ms * 1e6);

	return ns > 0 && ns < 9e18 ? (uint64_t)ns : 0;
}

/* Adds sample I of S, which TO says more of and the options want. */
static void
add_sample(struct firefox_fold *f, const struct firefox_samples *s, size_t i,
	struct collapse_sample *to)
{
	int32_t row = s->stack.items[i];
	uint32_t node;

	if (row < 0) {
		collapse_lose(f->c, f->in, COLLAPSE_NO_STACK);
		return;
	}
	node = find_node(f, row);
	if (node == NO_NODE)
		firefox_fold_lose(f, COLLAPSE_MALFORMED,
			"skipping a sample whose stack leads nowhere");
	else if (!collapse_add(f->c, node, to))
		collapse_lose(f->c, f->in, COLLAPSE_OVERFLOW);
}

/* Pours S, the samples of a thread that TO says more of. */
static void
fold_samples(struct firefox_fold *f, const struct firefox_samples *s,
	struct collapse_sample *to)
{
	double time = 0;
	size_t i;

	for (i = 0; i < s->stack.n; i++) {
		to->has_time = i < s->time.n;
		if (to->has_time) {
			time = s->time.items[i] + (s->by_delta ? time : 0);
			to->time = nanoseconds(time);
		}
		if (firefox_weigh(f, s, i, to) && (to->period || !s->weighed) &&
			collapse_wants(f->c, to))
			add_sample(f, s, i, to);
	}
}

/* Sets the view to the tables of T and, where it has none, to those of all. */
static void
set_view(struct firefox_fold *f, struct firefox_thread *t, struct firefox_tables *shared)
{
	struct firefox_tables *own = t->own ? t->own : shared;
	struct firefox_stacks *stacks =
		own->stacks.given ? &own->stacks : &shared->stacks;
	struct firefox_view v = {
		.stacks = stacks,
		.frames = own->frames.given ? &own->frames : &shared->frames,
		.funcs = own->funcs.given ? &own->funcs : &shared->funcs,
		.resources = own->resources.given ? &own->resources : &shared->resources,
		.strings = own->strings.given ? &own->strings : &shared->strings,
		.libs = own->libs.given ? &own->libs : &shared->libs,
	};

	firefox_stacks_settle(stacks);
	if (!memcmp(&v, &f->view, sizeof v))
		return;
	f->view = v;
	f->root = NO_NODE;
	f->span_n = 0;
	firefox_memo_forget(&f->callers, v.frames->func.n);
	if (f->libraries.callers != LIBRARIES_IN_CALL)
		firefox_memo_forget(&f->leaves, v.frames->func.n);
	/* What all threads share is judged once. */
	if (f->probe_rs && (stacks != &shared->stacks || !f->judged))
		judge_calls(f);
	f->judged |= stacks == &shared->stacks;
}

/* Sets the node that stacks begin at. */
static void
set_root(struct firefox_fold *f, uint32_t root)
{
	if (f->root != root)
		firefox_memo_forget(&f->nodes, f->view.stacks->frame.n);
	f->root = root;
}

void
firefox_fold_thread(struct firefox_fold *f, struct firefox_thread *t,
	struct firefox_tables *shared, enum firefox_kind kind)
{
	static const struct str events[FIREFOX_KINDS] = {
		[FIREFOX_JS_ALLOCATIONS] = { "js-allocations", 14 },
		[FIREFOX_NATIVE_ALLOCATIONS] = { "native-allocations", 18 },
	};
	const struct firefox_samples *s = t->samples[kind];
	struct collapse_sample to = { .comm = t->name, .pid = t->pid, .tid = t->tid };
	struct str core = t->name;

	if (!s)
		return;
	to.event = events[kind];
	/* "Thread <0>" is a core. */
	if (f->probe_rs && str_starts(core, STR("Thread <")))
		to.cpu = str_head(str_from(core, 8), str_find(str_from(core, 8), '>'));
	set_view(f, t, shared);
	set_root(f, collapse_root(f->c, &to));
	firefox_weigh_begin(f, s, &to);
	fold_samples(f, s, &to);
	/* What comes next may have its tables at the same place. */
	if (t->own)
		f->view = (struct firefox_view){ .stacks = NULL };
}

void
firefox_fold_wait(struct firefox_fold *f, const struct firefox_thread *t)
{
	f->waiting = mem_grow(
		f->waiting, &f->waiting_cap, f->waiting_n + 1, sizeof *f->waiting);
	f->waiting[f->waiting_n++] = *t;
}

/* Tells the sink when the first sample was, when the times were read. */
static void
tell_origin(struct firefox_fold *f)
{
	const struct firefox_samples *s;
	uint64_t time;
	size_t i;

	for (i = 0; i < f->waiting_n; i++) {
		s = f->waiting[i].samples[FIREFOX_TIMER];
		if (!s || !s->time.n)
			continue;
		time = nanoseconds(s->time.items[0]);
		if (!f->c->has_origin || time < f->c->origin)
			f->c->origin = time;
		f->c->has_origin = true;
	}
}

void
firefox_fold_waiting(struct firefox_fold *f, struct firefox_tables *shared)
{
	size_t i;
	int kind;

	tell_origin(f);
	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		for (i = 0; i < f->waiting_n; i++)
			firefox_fold_thread(f, &f->waiting[i], shared, kind);
	libraries_explain(&f->libraries);
}
