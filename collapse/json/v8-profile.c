/* SPDX-License-Identifier: ISC */
/* Profiles of V8; see v8-profile.h. */
#include "v8-profile.h"

#include <math.h>

/* Moments further from 0, in us, are damage. */
#define FURTHEST 9e15

/* What folding needs to know of the samples before. */
struct folder {
	struct v8_profile *v;
	struct input *in;
	struct collapse *c;
	struct collapse_sample s;
	uint32_t root;
	uint32_t below;	    /* the stack of the last sample that was a call; root: none */
	uint32_t on_top[2]; /* nodes on top of that */
	unsigned on_top_n;
};

void
v8_profile_release(struct v8_profile *v)
{
	v8_tree_release(&v->tree);
	json_ints_release(&v->samples);
	json_doubles_release(&v->deltas);
	free(v->parts);
	*v = (struct v8_profile){ 0 };
}

void
v8_profile_clear(struct v8_profile *v)
{
	v->tree.n = v->tree.link_n = 0;
	v->samples.n = v->deltas.n = v->part_n = 0;
	v->has_start = v->has_end = v->moments = false;
}

bool
v8_profile_take(
	struct v8_profile *v, struct json_reader *p, struct collapse *c, struct str key)
{
	if (str_eq(key, STR("nodes"))) {
		v8_tree_read_all(&v->tree, p, c);
	} else if (str_eq(key, STR("head"))) {
		v8_tree_read(&v->tree, p, c);
	} else if (str_eq(key, STR("samples"))) {
		(void)json_read_ints(p, &v->samples, V8_NO_ID);
	} else if (str_eq(key, STR("timeDeltas")) || str_eq(key, STR("timestamps"))) {
		v->moments = str_eq(key, STR("timestamps"));
		/* Some writers of timelines have them in two places. */
		if (v->deltas.n)
			json_skip(p);
		else
			(void)json_read_doubles(p, &v->deltas, NAN);
	} else if (str_eq(key, STR("startTime"))) {
		v->has_start |= json_read_double(p, &v->start);
	} else if (str_eq(key, STR("endTime"))) {
		v->has_end |= json_read_double(p, &v->end);
	} else {
		return false;
	}
	return true;
}

/* Adds N items of FROM, from item AT on. */
static void
append_ints(struct json_ints *to, const struct json_ints *from, size_t at, size_t n)
{
	if (!n)
		return;
	to->items = mem_grow(to->items, &to->cap, to->n + n, sizeof *to->items);
	memcpy(to->items + to->n, from->items + at, n * sizeof *from->items);
	to->n += n;
}

static void
append_numbers(
	struct json_doubles *to, const struct json_doubles *from, size_t at, size_t n)
{
	if (!n)
		return;
	to->items = mem_grow(to->items, &to->cap, to->n + n, sizeof *to->items);
	memcpy(to->items + to->n, from->items + at, n * sizeof *from->items);
	to->n += n;
}

void
v8_profile_move(struct v8_profile *v, struct v8_profile *more, double time)
{
	v8_tree_move(&v->tree, &more->tree);
	append_ints(&v->samples, &more->samples, 0, more->samples.n);
	append_numbers(&v->deltas, &more->deltas, 0, more->deltas.n);
	v->parts = mem_grow(v->parts, &v->part_cap, v->part_n + 1, sizeof *v->parts);
	v->parts[v->part_n] =
		(struct v8_part){ time, v->part_n, more->samples.n, more->deltas.n };
	v->part_n++;
	if (more->has_start)
		v->start = more->start;
	if (more->has_end)
		v->end = more->end;
	v->has_start |= more->has_start;
	v->has_end |= more->has_end;
	v->moments |= more->moments;
	v8_profile_clear(more);
}

static int
by_time(const void *a, const void *b)
{
	const struct v8_part *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

/* Puts samples and deltas into the order of the times of their parts. */
static void
sort_parts(struct v8_profile *v)
{
	struct v8_part *sorted = mem_alloc((v->part_n + 1) * sizeof *sorted);
	size_t *sample = mem_alloc((v->part_n + 1) * sizeof *sample);
	size_t *delta = mem_alloc((v->part_n + 1) * sizeof *delta), i, order;
	struct json_ints samples = { 0 };
	struct json_doubles deltas = { 0 };

	sample[0] = delta[0] = 0;
	for (i = 0; i < v->part_n; i++) {
		sorted[i] = v->parts[i];
		sample[i + 1] = sample[i] + sorted[i].samples;
		delta[i + 1] = delta[i] + sorted[i].deltas;
	}
	qsort(sorted, v->part_n, sizeof *sorted, by_time);
	for (i = 0; i < v->part_n; i++) {
		order = sorted[i].order;
		append_ints(&samples, &v->samples, sample[order], sorted[i].samples);
		append_numbers(&deltas, &v->deltas, delta[order], sorted[i].deltas);
	}
	json_ints_release(&v->samples);
	json_doubles_release(&v->deltas);
	v->samples = samples;
	v->deltas = deltas;
	free(sorted);
	free(sample);
	free(delta);
}

/* Deltas to moments in us; those that are no numbers do not count. */
static void
add_up(struct v8_profile *v)
{
	double sum = v->moments ? 0 : v->start, *item;
	size_t i;

	for (i = 0; i < v->deltas.n; i++) {
		item = &v->deltas.items[i];
		if (v->moments)
			sum = isfinite(*item) ? *item : sum;
		else
			sum += isfinite(*item) ? *item : 0;
		sum = fmin(fmax(sum, -FURTHEST), FURTHEST);
		*item = sum;
	}
}

/* V8 writes samples as they come, and some come late. As in speedscope, a run of
 * samples of one node begins no earlier than the run before it. */
static void
straighten(struct v8_profile *v)
{
	const int32_t *node = v->samples.items;
	double *at = v->deltas.items, begun;
	size_t i;

	begun = v->deltas.n ? at[0] : 0;
	for (i = 1; i < v->deltas.n; i++) {
		if (i < v->samples.n && node[i] == node[i - 1]) {
			at[i] = fmax(at[i], at[i - 1]);
		} else {
			at[i] = fmax(at[i], begun);
			begun = at[i];
		}
	}
	for (; i > 1; i--)
		at[i - 2] = fmin(at[i - 2], at[i - 1]);
}

/* How long sample I lasts, in ns. */
static uint64_t
duration(const struct v8_profile *v, size_t i)
{
	const struct json_doubles *d = &v->deltas;
	double until;

	if (i >= d->n)
		return 0;
	until = d->items[i];
	if (i + 1 < d->n)
		until = d->items[i + 1];
	else if (!v->moments && v->start > 0 && v->has_end && v->end > until)
		until = fmin(v->end, FURTHEST);
	return (uint64_t)llround((until - d->items[i]) * 1000);
}

/* The stack of a sample of KIND, whose frame is NAME, which V8 knows no caller
 * of: it is on top of the last one. */
static uint32_t
stack_on_top(struct folder *f, uint32_t node)
{
	const struct v8_node *nodes = f->v->tree.nodes;
	uint32_t path = f->below;
	unsigned i;

	for (i = 0; i < f->on_top_n && nodes[f->on_top[i]].kind != nodes[node].kind; i++)
		;
	f->on_top[i] = node;
	f->on_top_n = i + 1;
	for (i = 0; i < f->on_top_n; i++)
		path = collapse_path(f->c, path, &nodes[f->on_top[i]].name, 1);
	return path;
}

/* The stack of a sample of NODE: f->root when it has none, V8_NONE when it
 * cannot be known. */
static uint32_t
find_stack(struct folder *f, uint32_t node)
{
	const struct v8_node *n = &f->v->tree.nodes[node];

	if (n->kind == V8_PROGRAM || n->kind == V8_COLLECTOR)
		return stack_on_top(f, node);
	f->on_top_n = 0;
	if (n->kind == V8_NOTHING)
		return f->below = f->root;
	f->below = v8_tree_path(&f->v->tree, f->c, f->root, node);
	if (f->below != V8_NONE)
		return f->below;
	f->below = f->root;
	return V8_NONE;
}

static void
fold_sample(struct folder *f, uint32_t node)
{
	uint32_t path = node == V8_NONE ? V8_NONE : find_stack(f, node);

	if (path == V8_NONE)
		collapse_lose(f->c, f->in, COLLAPSE_MALFORMED);
	else if (path != f->root && collapse_wants(f->c, &f->s) &&
		!collapse_add(f->c, path, &f->s))
		collapse_lose(f->c, f->in, COLLAPSE_OVERFLOW);
}

static void
fold_samples(struct folder *f)
{
	struct v8_profile *v = f->v;
	bool timed = v->deltas.n > 0;
	size_t i;

	if (v->part_n)
		sort_parts(v);
	add_up(v);
	straighten(v);
	for (i = 0; i < v->samples.n; i++) {
		if (timed && i >= v->deltas.n) {
			collapse_lose(f->c, f->in, COLLAPSE_MALFORMED);
			continue;
		}
		f->s.has_period = timed;
		f->s.period = duration(v, i);
		f->s.has_time = timed && v->deltas.items[i] >= 0;
		if (f->s.has_time)
			f->s.time = (uint64_t)llround(v->deltas.items[i] * 1000);
		fold_sample(f, v8_tree_find(&v->tree, v->samples.items[i]));
	}
}

/* Without samples: how often each node was seen. */
static void
fold_hits(struct folder *f)
{
	size_t i;

	for (i = 0; i < f->v->tree.n; i++) {
		f->s.has_period = false;
		f->s.count = f->v->tree.nodes[i].weight;
		if (f->s.count)
			fold_sample(f, (uint32_t)i);
		f->on_top_n = 0;
		f->below = f->root;
	}
}

void
v8_profile_fold(struct v8_profile *v, struct input *in, struct collapse *c,
	struct collapse_sample s)
{
	struct folder f = { .v = v, .in = in, .c = c, .s = s };

	f.root = f.below = collapse_root(c, &s);
	c->losses[COLLAPSE_MALFORMED] += v8_tree_link(&v->tree);
	if (v->samples.n && v->deltas.n)
		collapse_unit(c, STR("ns"));
	if (v->samples.n)
		fold_samples(&f);
	else
		fold_hits(&f);
}
