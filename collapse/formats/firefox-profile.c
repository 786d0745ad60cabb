/* SPDX-License-Identifier: ISC */
/* Folds profiles of Firefox. */
#include "firefox-profile.h"
#include "frame.h"
#include "mem.h"
#include "msg.h"

#include <math.h>
#include <stdio.h>

/* In place of an unknown function, and of unknown frames. */
#define NO_NAME UINT32_MAX
#define NO_SPAN UINT32_MAX

/* Bits for the functions that a row of frames calls; see judge_calls. */
enum { CALLS_OTHERS = 1, CALLS_ITSELF = 2 };

static void
release_tables(struct firefox_tables *t)
{
	json_ints_release(&t->stacks.prefix);
	json_ints_release(&t->stacks.frame);
	stack_table_release(&t->stacks.table);
	json_ints_release(&t->frames.func);
	json_ints_release(&t->frames.inline_depth);
	json_ints_release(&t->frames.lib);
	json_ints_release(&t->frames.line);
	json_doubles_release(&t->frames.address);
	json_ints_release(&t->funcs.name);
	json_ints_release(&t->funcs.resource);
	json_ints_release(&t->funcs.file);
	json_ints_release(&t->funcs.source);
	json_ints_release(&t->funcs.line);
	json_ints_release(&t->sources.file);
	buf_release(&t->funcs.is_js);
	json_ints_release(&t->resources.lib);
	json_texts_release(&t->strings.texts);
	json_ints_release(&t->libs.ids);
	*t = (struct firefox_tables){ .frames = { .given = false } };
}

void
firefox_thread_release(struct firefox_thread *t)
{
	struct firefox_samples *s;
	int kind;

	for (kind = 0; kind < FIREFOX_KINDS; kind++) {
		s = t->samples[kind];
		if (!s)
			continue;
		json_ints_release(&s->stack);
		json_doubles_release(&s->time);
		free(s->weight.items);
		free(s);
	}
	if (t->own)
		release_tables(t->own);
	free(t->own);
	*t = (struct firefox_thread){ .own = NULL };
}

struct firefox_samples *
firefox_thread_samples(struct firefox_thread *t, enum firefox_kind kind)
{
	if (!t->samples[kind])
		t->samples[kind] = mem_zero(1, sizeof **t->samples);
	return t->samples[kind];
}

struct firefox_tables *
firefox_thread_tables(struct firefox_thread *t)
{
	if (!t->own)
		t->own = mem_zero(1, sizeof *t->own);
	return t->own;
}

void
firefox_fold_begin(struct firefox_fold *f, struct input *in, struct collapse *c)
{
	*f = (struct firefox_fold){ .c = c, .in = in, .firmware = -1 };
	f->timed = collapse_needs_times(c);
	json_profile_begin(&f->file, in, c);
	libraries_init(&f->libraries, c, in);
}

struct str
firefox_fold_text(struct firefox_fold *f, struct json_reader *p)
{
	char text[40];
	struct str s = { 0 };
	double number;

	if (json_peek(p) == JSON_NUMBER && json_read_double(p, &number)) {
		snprintf(text, sizeof text, "%.17g", number);
		return arena_str(&f->arena, str_of(text));
	}
	if (!json_read_null(p))
		(void)json_read_string(p, &s);
	return arena_str(&f->arena, s);
}

bool
firefox_fold_identity(struct firefox_fold *f, struct firefox_thread *t, struct str key,
	struct json_reader *p)
{
	if (str_eq(key, STR("name")))
		t->name = firefox_fold_text(f, p);
	else if (str_eq(key, STR("pid")))
		t->pid = firefox_fold_text(f, p);
	else if (str_eq(key, STR("tid")))
		t->tid = firefox_fold_text(f, p);
	else
		return false;
	return true;
}

/* Counts a loss; for the first one warns WHY. */
static void
lose(struct firefox_fold *f, enum collapse_loss kind, const char *why)
{
	if (collapse_lose_quietly(f->c, kind, 1))
		msg_warn("%s: %s", input_name(f->in), why);
}

/* Returns item I of a column; -1 if the column is shorter. */
static int32_t
item(const struct json_ints *v, int32_t i)
{
	return i >= 0 && (size_t)i < v->n ? v->items[i] : -1;
}

/* Returns the library of row FRAME, whose function is FUNC; -1: none. */
static int32_t
find_lib(const struct firefox_view *v, int32_t frame, int32_t func)
{
	int32_t lib = v->frames->lib.n
		? item(&v->frames->lib, frame)
		: item(&v->resources->lib, item(&v->funcs->resource, func));

	return item(&v->libs->ids, lib);
}

/* Adds the frame of unnamed code. ADDRESS is relative to the library or -1, SHOWN the absolute
 * address, TEXT the latter as "0x...". */
static void
add_unnamed(struct firefox_fold *f, struct library_place *p, double address,
	uint64_t shown, struct str text)
{
	bool relative = address >= 0 && address < 18446744073709551616.0;

	p->shown = str_from(text, 2);
	p->address = relative ? (uint64_t)address : shown;
	p->absolute = !relative;
	/* probe-rs names no library for addresses below the first segment. */
	if (!relative)
		p->lib = f->firmware;
	libraries_name(&f->libraries, p);
}

/* Appends the place of row FRAME, whose function is FUNC, to B: "file:line" or nothing. */
static void
put_place(struct buf *b, const struct firefox_fold *f, int32_t frame, int32_t func)
{
	const struct firefox_view *v = &f->view;
	int32_t line = item(&v->frames->line, frame);
	int32_t text = item(&v->funcs->file, func);
	struct str file;

	if (line < 0)
		line = item(&v->funcs->line, func);
	if (text < 0)
		text = item(&v->sources->file, item(&v->funcs->source, func));
	if (line <= 0 || !json_texts_get(&v->strings->texts, text, &file) || !file.n)
		return;
	buf_str(b, collapse_options(f->c)->full_names ? file : str_base(file));
	buf_char(b, ':');
	buf_u64(b, (uint64_t)line);
}

/* Adds the frame NAME of function FUNC. It is native code if it has an address. */
static void
add_named(
	struct firefox_fold *f, struct str name, int32_t frame, int32_t func, int32_t lib)
{
	const struct firefox_view *v = &f->view;
	bool is_js =
		func >= 0 && (size_t)func < v->funcs->is_js.n && v->funcs->is_js.s[func];
	bool native = !is_js && (size_t)frame < v->frames->address.n &&
		v->frames->address.items[frame] >= 0;
	struct frame_names_symbol s = { .name = name,
		.inlined = item(&v->frames->inline_depth, frame) > 0 };

	struct buf text = { 0 };

	if (lib >= 0 && (size_t)lib < f->libraries.lib_n)
		s.module = libraries_module(&f->libraries, lib);
	put_place(&text, f, frame, func);
	s.srcline = buf_view(&text);
	if (native || !name.n) {
		frame_names_add(&f->libraries.stack, &s);
	} else {
		if (text.n) {
			buf_clear(&f->name);
			buf_str(&f->name, name);
			buf_char(&f->name, ':');
			buf_str(&f->name, s.srcline);
			name = buf_view(&f->name);
		}
		frame_names_push(&f->libraries.stack,
			collapse_frame(f->c, name, s.inlined ? COLLAPSE_INLINED : 0));
	}
	buf_release(&text);
}

/* Sets the stack of F->libraries to the frames of row FRAME. P says whether it is root or leaf.
 * Returns false if the row leads to no name. */
static bool
name_frame(struct firefox_fold *f, int32_t frame, struct library_place *p)
{
	const struct firefox_view *v = &f->view;
	int32_t func = item(&v->frames->func, frame);
	struct str name;
	uint64_t address;
	double relative = -1;

	f->libraries.stack.n = 0;
	if (!json_texts_get(&v->strings->texts, item(&v->funcs->name, func), &name))
		return false;
	p->lib = find_lib(v, frame, func);
	if (!frame_is_address(name, &address)) {
		add_named(f, name, frame, func, p->lib);
		return true;
	}
	if ((size_t)frame < v->frames->address.n)
		relative = v->frames->address.items[frame];
	add_unnamed(f, p, relative, address, name);
	return true;
}

/* Keeps the frames of the current stack. Returns their place in spans. */
static uint32_t
keep_span(struct firefox_fold *f)
{
	const struct frame_names *s = &f->libraries.stack;
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

/* Returns the place in spans of the frames of row FRAME. */
static uint32_t
find_span(struct firefox_fold *f, int32_t frame, bool is_root, bool is_leaf)
{
	struct library_place p = { .is_root = is_root, .is_leaf = is_leaf };
	struct stack_memo *m = is_leaf ? &f->leaves : &f->callers;
	uint32_t span;

	if (frame < 0 || (size_t)frame >= f->view.frames->func.n)
		return NO_SPAN;
	/* A root is not cached: its frames differ from a caller's. */
	if (!is_root && stack_memo_get(m, (uint32_t)frame, &span))
		return span;
	span = name_frame(f, frame, &p) ? keep_span(f) : NO_SPAN;
	if (!is_root)
		stack_memo_set(m, (uint32_t)frame, span);
	return span;
}

/* Returns the function of row FRAME, as the name of a leaf or of a caller; NO_NAME if it has
 * none. */
static uint32_t
find_function(struct firefox_fold *f, int32_t frame, bool is_leaf)
{
	uint32_t span = find_span(f, frame, false, is_leaf), n, id;

	if (span == NO_SPAN)
		return NO_NAME;
	n = f->spans[span];
	id = n ? f->spans[span + n] : NO_NAME;
	return n && !collapse_is_bare(f->c, id) ? id : NO_NAME;
}

/* Returns, by row of T, whether it calls others; the rest are only leaves. The caller frees it. */
static bool *
find_calling(const struct stack_table *t)
{
	bool *calls = mem_zero(t->n + 1, sizeof *calls);
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->rows[i].caller < t->n)
			calls[t->rows[i].caller] = true;
	return calls;
}

/* Returns the row of frames of ROW's caller; -1: none. */
static int32_t
find_caller_frame(const struct stack_table *t, uint32_t row)
{
	uint32_t caller = t->rows[row].caller;

	return caller < t->n ? (int32_t)t->rows[caller].frame : -1;
}

/* Finds out for each row of frames whether it calls its own function or others. Unwinding by debug
 * information may give a caller twice in a row. So does recursion; but a recursive call also shows
 * at other addresses of its function, while a call that only ever leads to other functions is not
 * recursive. */
static void
judge_calls(struct firefox_fold *f)
{
	const struct stack_table *t = f->view.stacks;
	size_t n = f->view.frames->func.n, i;
	bool *calls = find_calling(t);
	uint32_t from, to;
	int32_t frame, own;

	f->calls = mem_resize(f->calls, n, 1);
	f->call_n = n;
	if (n)
		memset(f->calls, 0, n);
	for (i = 0; i < t->n; i++) {
		frame = find_caller_frame(t, (uint32_t)i);
		own = (int32_t)t->rows[i].frame;
		if (frame < 0 || (size_t)frame >= n || frame == own)
			continue;
		from = find_function(f, frame, false);
		to = find_function(f, own, !calls[i]);
		if (from != NO_NAME && to != NO_NAME)
			f->calls[frame] |= collapse_same_function(f->c, from, to)
				? CALLS_ITSELF
				: CALLS_OTHERS;
	}
	free(calls);
}

/* Whether ROW repeats its caller. */
static bool
is_repeated(const struct firefox_fold *f, uint32_t row)
{
	int32_t frame = (int32_t)f->view.stacks->rows[row].frame;

	return frame >= 0 && frame == find_caller_frame(f->view.stacks, row) &&
		(size_t)frame < f->call_n && f->calls[frame] == CALLS_OTHERS;
}

/* Returns the node of ROW below NODE. */
static uint32_t
descend(struct firefox_fold *f, uint32_t node, uint32_t row, bool is_leaf)
{
	const struct stack_row *r = &f->view.stacks->rows[row];
	bool is_root = f->probe_rs && r->caller == STACK_EMPTY;
	uint32_t span;

	if (node == STACK_NOWHERE || (f->probe_rs && is_repeated(f, row)))
		return node;
	span = find_span(f, (int32_t)r->frame, is_root, is_leaf);
	if (span == NO_SPAN)
		return STACK_NOWHERE;
	return collapse_path(f->c, node, f->spans + span + 1, f->spans[span]);
}

static uint32_t
descend_to_caller(void *context, uint32_t node, uint32_t row)
{
	return descend(context, node, row, false);
}

/* Returns the node of ROW as the end of a stack, or STACK_NOWHERE. */
static uint32_t
find_node(struct firefox_fold *f, uint32_t row)
{
	struct stack_table *t = f->view.stacks;
	uint32_t node;

	if (!stack_table_has(t, row))
		return STACK_NOWHERE;
	/* Named frames are the same for leaves and callers. */
	if (f->libraries.callers == LIBRARIES_IN_CALL)
		return stack_table_node(t, row, descend_to_caller, f);
	if (stack_table_leaf(t, row, &node))
		return node;
	node = stack_table_node(t, t->rows[row].caller, descend_to_caller, f);
	node = descend(f, node, row, true);
	stack_table_keep_leaf(t, row, node);
	return node;
}

/* Rounds VALUE; fast for whole numbers, which are the rule. */
static inline double
round_off(double value)
{
	const double exact = 0x1p53;

	if (value > -exact && value < exact && value == (double)(int64_t)value)
		return value;
	return round(value);
}

/* Returns the weight of sample I, NAN if it has none. */
static double
find_weight(const struct firefox_samples *s, size_t i)
{
	if (i >= s->weight.n)
		return NAN;
	return s->weight.items ? s->weight.items[i] : 1;
}

/* Sets the weight of TO from sample I of S, in samples, ns or bytes. Counts an invalid weight as
 * lost and returns false. */
static bool
weigh(struct firefox_fold *f, const struct firefox_samples *s, size_t i,
	struct collapse_sample *to)
{
	static const double limit = 18446744073709551616.0;
	double weight = s->weighed ? round_off(find_weight(s, i) * f->times) : 1;

	if (weight >= 0 && weight < limit) {
		to->period = to->count = (uint64_t)weight;
		if (to->has_period)
			to->count = 1;
		return true;
	}
	if (isnan(weight))
		lose(f, COLLAPSE_MALFORMED,
			"skipping a sample: its weight is not a number");
	else
		collapse_lose(f->c, weight < 0 ? COLLAPSE_NEGATIVE : COLLAPSE_OVERFLOW);
	return false;
}

/* Whether a weight of S has decimals. */
static bool
has_fractions(const struct firefox_samples *s)
{
	size_t i;

	for (i = 0; s->weight.items && i < s->weight.n; i++)
		if (isfinite(s->weight.items[i]) &&
			s->weight.items[i] != floor(s->weight.items[i]))
			return true;
	return false;
}

/* Announces the unit of S's weights to the sink. Numbers of samples are counts, not weights, unless
 * they have decimals. Sets TO->has_period. */
static void
begin_weights(struct firefox_fold *f, const struct firefox_samples *s,
	struct collapse_sample *to)
{
	static const struct {
		struct str name;
		double times;
	} units[] = {
		[FIREFOX_SAMPLES] = { { "samples", 7 }, 1 },
		[FIREFOX_MS] = { { "ns", 2 }, 1e6 },
		[FIREFOX_BYTES] = { { "bytes", 5 }, 1 },
	};
	enum { DECIMALS = 3 };
	bool fractions = s->unit != FIREFOX_MS && has_fractions(s);

	(void)collapse_decimals(f->c, 0);
	f->times = units[s->unit].times;
	to->has_period = s->weighed && (s->unit != FIREFOX_SAMPLES || fractions);
	if (to->has_period)
		collapse_unit(f->c, units[s->unit].name);
	if (fractions && collapse_decimals(f->c, DECIMALS))
		f->times = 1e3;
}

/* Returns MS in ns; times before the beginning become 0. */
static uint64_t
nanoseconds(double ms)
{
	double ns = round_off(ms * 1e6);

	return ns > 0 && ns < 9e18 ? (uint64_t)ns : 0;
}

/* Adds sample I of S with the fields of TO, which the options want. */
static void
add_sample(struct firefox_fold *f, const struct firefox_samples *s, size_t i,
	struct collapse_sample *to)
{
	int32_t row = s->stack.items[i];
	uint32_t node;

	if (row < 0) {
		collapse_lose(f->c, COLLAPSE_NO_STACK);
		return;
	}
	node = find_node(f, (uint32_t)row);
	if (node == STACK_NOWHERE)
		lose(f, COLLAPSE_MALFORMED,
			"skipping a sample: its stack is not in the stack table");
	else
		collapse_add(f->c, node, to);
}

/* Folds S, the samples of the thread in TO. */
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
		if (weigh(f, s, i, to) && (to->period || !s->weighed) &&
			collapse_wants(f->c, to))
			add_sample(f, s, i, to);
	}
}

static void
settle_stacks(struct firefox_stacks *s)
{
	if (s->settled)
		return;
	stack_table_add_columns(&s->table, &s->prefix, &s->frame, s->by_offset);
	stack_table_settle(&s->table, FIREFOX_DEEPEST);
	json_ints_release(&s->prefix);
	json_ints_release(&s->frame);
	s->settled = true;
}

/* Sets the view to the tables of T, or to the shared ones where T has none. */
static void
set_view(struct firefox_fold *f, struct firefox_thread *t)
{
	struct firefox_tables *shared = &f->shared;
	struct firefox_tables *own = t->own ? t->own : shared;
	struct firefox_stacks *stacks =
		own->stacks.given ? &own->stacks : &shared->stacks;
	struct firefox_view v = {
		.stacks = &stacks->table,
		.frames = own->frames.given ? &own->frames : &shared->frames,
		.funcs = own->funcs.given ? &own->funcs : &shared->funcs,
		.resources = own->resources.given ? &own->resources : &shared->resources,
		.sources = own->sources.given ? &own->sources : &shared->sources,
		.strings = own->strings.given ? &own->strings : &shared->strings,
		.libs = own->libs.given ? &own->libs : &shared->libs,
	};

	settle_stacks(stacks);
	if (!memcmp(&v, &f->view, sizeof v))
		return;
	f->view = v;
	f->span_n = 0;
	stack_table_forget(v.stacks);
	stack_memo_forget(&f->callers, v.frames->func.n);
	if (f->libraries.callers != LIBRARIES_IN_CALL)
		stack_memo_forget(&f->leaves, v.frames->func.n);
	/* The shared tables are judged once. */
	if (f->probe_rs && (stacks != &shared->stacks || !f->judged))
		judge_calls(f);
	f->judged |= stacks == &shared->stacks;
}

void
firefox_fold_thread(
	struct firefox_fold *f, struct firefox_thread *t, enum firefox_kind kind)
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
	/* probe-rs writes a core as "Thread <0>". */
	if (f->probe_rs && str_starts(core, STR("Thread <")))
		to.cpu = str_head(str_from(core, 8), str_find(str_from(core, 8), '>'));
	set_view(f, t);
	stack_table_root(f->view.stacks, collapse_root(f->c, &to));
	begin_weights(f, s, &to);
	fold_samples(f, s, &to);
	/* The next thread's tables may be at the same address. */
	if (t->own)
		f->view = (struct firefox_view){ .stacks = NULL };
}

void
firefox_fold_wait(struct firefox_fold *f, const struct firefox_thread *t)
{
	*MEM_ADD(f->waiting, f->waiting_n, f->waiting_cap) = *t;
}

/* Announces the time of the first sample, if times were read. */
static void
set_origin(struct firefox_fold *f)
{
	const struct firefox_samples *s;
	size_t i;

	for (i = 0; i < f->waiting_n; i++) {
		s = f->waiting[i].samples[FIREFOX_TIMER];
		if (!s || !s->time.n)
			continue;
		collapse_origin(f->c, nanoseconds(s->time.items[0]));
	}
}

bool
firefox_fold_end(struct firefox_fold *f)
{
	size_t i;
	int kind;

	set_origin(f);
	for (kind = 0; kind < FIREFOX_KINDS; kind++)
		for (i = 0; i < f->waiting_n; i++)
			firefox_fold_thread(f, &f->waiting[i], kind);
	libraries_explain(&f->libraries);
	for (i = 0; i < f->waiting_n; i++)
		firefox_thread_release(&f->waiting[i]);
	free(f->waiting);
	release_tables(&f->shared);
	libraries_release(&f->libraries);
	stack_memo_release(&f->callers);
	stack_memo_release(&f->leaves);
	free(f->spans);
	free(f->calls);
	arena_release(&f->arena);
	buf_release(&f->name);
	return json_profile_end(&f->file, true);
}
