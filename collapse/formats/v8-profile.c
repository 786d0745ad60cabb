/* SPDX-License-Identifier: ISC */
/* V8 profiles and their call trees; see v8-profile.h. */
#include "v8-profile.h"
#include "mem.h"
#include "stacks/frame-names.h"

#include <math.h>

struct frame {
	struct buf function, url;
	int64_t line; /* 0-based; negative: unknown */
};

void
v8_tree_release(struct v8_tree *t)
{
	free(t->nodes);
	free(t->links);
	free(t->small);
	intern_release(&t->ids);
	free(t->by_id);
	stack_table_release(&t->stacks);
	*t = (struct v8_tree){ 0 };
}

static enum v8_kind
kind_of(struct str function, struct str url)
{
	static const struct {
		const char *name;
		enum v8_kind kind;
	} kinds[] = { { "(root)", V8_NOTHING }, { "(idle)", V8_NOTHING },
		{ "(program)", V8_PROGRAM }, { "(garbage collector)", V8_COLLECTOR } };
	size_t i;

	/* V8 runs this script when it begins to record. */
	if (str_eq(url, STR("native dummy.js")))
		return V8_NOTHING;
	if (!str_starts(function, STR("(")))
		return V8_CALL;
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_eq(function, str_of(kinds[i].name)))
			return kinds[i].kind;
	return V8_CALL;
}

/* Names F: "f", "(anonymous b.js:13)", and with --srcline "f:b.js:13". */
static uint32_t
name_frame(struct collapse *c, const struct frame *f)
{
	struct frame_names_script function = { .name = buf_view(&f->function),
		.file = buf_view(&f->url) };

	if (f->line >= 0 && f->line < INT32_MAX)
		function.line = (uint64_t)f->line + 1;
	return frame_names_script(c, &function);
}

static int32_t
read_id(struct json_reader *p)
{
	int64_t id;

	return json_read_i64(p, &id) && id > V8_NO_ID && id <= INT32_MAX ? (int32_t)id
									 : V8_NO_ID;
}

static uint64_t
read_weight(struct json_reader *p, struct collapse *c)
{
	uint64_t weight;

	if (json_read_u64(p, &weight))
		return weight;
	if (!json_failed(p))
		collapse_lose(c, COLLAPSE_MALFORMED);
	return 0;
}

/* Reads the value of KEY. Returns false if it is not part of a call frame. */
static bool
read_frame_part(struct json_reader *p, struct str key, struct frame *f)
{
	if (str_eq(key, STR("functionName")))
		json_read_text(p, &f->function);
	else if (str_eq(key, STR("url")))
		json_read_text(p, &f->url);
	else if (!str_eq(key, STR("lineNumber")) || !json_read_i64(p, &f->line))
		return false;
	return true;
}

static void
read_frame(struct json_reader *p, struct frame *f)
{
	struct str key;

	if (json_read_object(p))
		while (json_next_key(p, &key))
			(void)read_frame_part(p, key, f);
}

static struct v8_node *
add_node(struct v8_tree *t, uint32_t parent)
{
	t->nodes = mem_grow(t->nodes, &t->cap, t->n + 1, sizeof *t->nodes);
	t->nodes[t->n] = (struct v8_node){
		.parent = parent, .id = V8_NO_ID, .parent_id = V8_NO_ID
	};
	return &t->nodes[t->n++];
}

static void read_below(
	struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t parent);

/* Children are node numbers, or the nodes themselves. */
static void
read_children(struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t node)
{
	int32_t id;

	if (!json_read_array(p))
		return;
	while (json_next_element(p)) {
		if (json_peek(p) == JSON_OBJECT) {
			read_below(t, p, c, node);
			continue;
		}
		id = read_id(p);
		*MEM_ADD(t->links, t->link_n, t->link_cap) = (struct v8_link){ node, id };
	}
}

/* Recursion is bounded by the JSON reader's depth limit. */
static void
read_below(struct v8_tree *t, struct json_reader *p, struct collapse *c, uint32_t parent)
{
	struct frame f = { .line = -1 };
	uint32_t node = (uint32_t)t->n;
	struct str key;

	if (!json_read_object(p))
		return;
	add_node(t, parent);
	while (json_next_key(p, &key)) {
		if (str_eq(key, STR("callFrame")))
			read_frame(p, &f);
		else if (str_eq(key, STR("id")))
			t->nodes[node].id = read_id(p);
		else if (str_eq(key, STR("parent")))
			t->nodes[node].parent_id = read_id(p);
		else if (str_eq(key, STR("hitCount")) || str_eq(key, STR("selfSize")))
			t->nodes[node].weight = read_weight(p, c);
		else if (str_eq(key, STR("children")))
			read_children(t, p, c, node);
		else
			(void)read_frame_part(p, key, &f);
	}
	t->nodes[node].name = name_frame(c, &f);
	t->nodes[node].kind =
		(unsigned char)kind_of(buf_view(&f.function), buf_view(&f.url));
	buf_release(&f.function);
	buf_release(&f.url);
}

void
v8_tree_read(struct v8_tree *t, struct json_reader *p, struct collapse *c)
{
	read_below(t, p, c, V8_NONE);
}

static void
read_nodes(struct v8_tree *t, struct json_reader *p, struct collapse *c)
{
	if (json_read_array(p))
		while (json_next_element(p))
			read_below(t, p, c, V8_NONE);
}

void
v8_tree_add(struct v8_tree *t, uint32_t name, int32_t id, int32_t parent_id)
{
	struct v8_node *node = add_node(t, V8_NONE);

	node->name = name;
	node->id = id;
	node->parent_id = parent_id;
}

/* Appends the nodes of MORE to T. */
static void
move_nodes(struct v8_tree *t, struct v8_tree *more)
{
	uint32_t first = (uint32_t)t->n;
	size_t i;

	t->nodes = mem_grow(t->nodes, &t->cap, t->n + more->n, sizeof *t->nodes);
	for (i = 0; i < more->n; i++) {
		t->nodes[t->n] = more->nodes[i];
		if (more->nodes[i].parent != V8_NONE)
			t->nodes[t->n].parent += first;
		t->n++;
	}
	t->links = mem_grow(
		t->links, &t->link_cap, t->link_n + more->link_n, sizeof *t->links);
	for (i = 0; i < more->link_n; i++)
		t->links[t->link_n++] = (struct v8_link){ more->links[i].node + first,
			more->links[i].id };
	more->n = more->link_n = 0;
}

static struct str
bytes_of(const int32_t *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

/* The slot for the node ID. */
static uint32_t *
find_place(struct v8_tree *t, int32_t id)
{
	uint32_t known = t->ids.n, at;

	if (id >= 0 && id < t->small_n)
		return &t->small[id];
	at = intern_id(&t->ids, bytes_of(&id));
	if (at == known) {
		*MEM_AT(t->by_id, t->by_id_cap, at) = V8_NONE;
	}
	return &t->by_id[at];
}

uint32_t
v8_tree_find(struct v8_tree *t, int32_t id)
{
	return *find_place(t, id);
}

/* Maps ids to nodes; the first node with an id counts. */
static void
index_nodes(struct v8_tree *t)
{
	enum { MORE = 1024, MOST = 1 << 28 };
	uint32_t *place;
	size_t i;

	/* Most writers count from 1. */
	t->small_n = (int32_t)(t->n < MOST ? t->n * 2 + MORE : MOST);
	t->small = mem_alloc((size_t)t->small_n * sizeof *t->small);
	for (i = 0; i < (size_t)t->small_n; i++)
		t->small[i] = V8_NONE;
	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].id == V8_NO_ID)
			continue;
		place = find_place(t, t->nodes[i].id);
		if (*place == V8_NONE)
			*place = (uint32_t)i;
	}
}

/* Turns parents into stacks. Nodes that are not frames pass on their caller. */
static void
list_stacks(struct v8_tree *t)
{
	const struct v8_node *n;

	for (n = t->nodes; n && n < t->nodes + t->n; n++)
		stack_table_add(&t->stacks, n->parent,
			n->kind == V8_NOTHING ? STACK_NO_FRAME : n->name);
	stack_table_settle(&t->stacks, STACK_ANY_DEPTH);
}

uint64_t
v8_tree_link(struct v8_tree *t)
{
	uint64_t missing = 0;
	uint32_t other;
	size_t i;

	index_nodes(t);
	for (i = 0; i < t->link_n; i++) {
		other = v8_tree_find(t, t->links[i].id);
		if (other != V8_NONE)
			t->nodes[other].parent = t->links[i].node;
		missing += other == V8_NONE;
	}
	for (i = 0; i < t->n; i++) {
		if (t->nodes[i].parent_id == V8_NO_ID)
			continue;
		t->nodes[i].parent = v8_tree_find(t, t->nodes[i].parent_id);
		missing += t->nodes[i].parent == V8_NONE;
	}
	list_stacks(t);
	return missing;
}

uint32_t
v8_tree_path(struct v8_tree *t, struct collapse *c, uint32_t root, uint32_t node)
{
	stack_table_root(&t->stacks, root);
	return stack_table_path(&t->stacks, node, c);
}

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
		read_nodes(&v->tree, p, c);
	} else if (str_eq(key, STR("head"))) {
		v8_tree_read(&v->tree, p, c);
	} else if (str_eq(key, STR("samples"))) {
		(void)json_read_ints(p, &v->samples, V8_NO_ID);
	} else if (str_eq(key, STR("timeDeltas")) || str_eq(key, STR("timestamps"))) {
		v->moments = str_eq(key, STR("timestamps"));
		/* Some writers of timelines repeat them. */
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

/* Appends the N items of FROM that begin at AT. */
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
	move_nodes(&v->tree, &more->tree);
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

/* Sorts samples and deltas by the times of their parts. */
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

/* Times beyond this, in us, are malformed. */
#define FURTHEST 9e15

/* Faster than fmax and fmin, which handle NaN; neither argument is NaN. */
static inline double
larger(double a, double b)
{
	return a > b ? a : b;
}

static inline double
smaller(double a, double b)
{
	return a < b ? a : b;
}

/* US in ns, rounded; US is from 0 to twice FURTHEST. */
static inline uint64_t
nanoseconds(double us)
{
	double ns = us * 1000;
	uint64_t whole = (uint64_t)ns;

	return whole + (ns - (double)whole >= 0.5);
}

/* Turns deltas into times in us; ignores invalid ones. */
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
		sum = smaller(larger(sum, -FURTHEST), FURTHEST);
		*item = sum;
	}
}

/* V8 writes samples as they come, and some come late. As in speedscope, a run of samples
 * of one node cannot begin before the previous run. */
static void
straighten(struct v8_profile *v)
{
	const int32_t *node = v->samples.items;
	double *at = v->deltas.items, begun;
	size_t i;

	begun = v->deltas.n ? at[0] : 0;
	for (i = 1; i < v->deltas.n; i++) {
		if (i < v->samples.n && node[i] == node[i - 1]) {
			at[i] = larger(at[i], at[i - 1]);
		} else {
			at[i] = larger(at[i], begun);
			begun = at[i];
		}
	}
	for (; i > 1; i--)
		at[i - 2] = smaller(at[i - 2], at[i - 1]);
}

/* The duration of sample I, in ns. */
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
		until = smaller(v->end, FURTHEST);
	return nanoseconds(until - d->items[i]);
}

/* State carried between samples. */
struct folder {
	struct v8_profile *v;
	struct collapse *c;
	struct collapse_sample s;
	uint32_t root;
	uint32_t below;	    /* the stack of the last call; root: none */
	uint32_t on_top[2]; /* nodes on top of it */
	unsigned on_top_n;
};

/* The stack for NODE, whose caller V8 does not know: on top of the last call. */
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

/* The stack for a sample of NODE; f->root without a stack, STACK_NOWHERE if unknown. */
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
	if (f->below != STACK_NOWHERE)
		return f->below;
	f->below = f->root;
	return STACK_NOWHERE;
}

static void
fold_sample(struct folder *f, uint32_t node)
{
	uint32_t path = node == V8_NONE ? STACK_NOWHERE : find_stack(f, node);

	if (path == STACK_NOWHERE)
		collapse_lose(f->c, COLLAPSE_MALFORMED);
	else if (path != f->root && collapse_wants(f->c, &f->s))
		collapse_add(f->c, path, &f->s);
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
			collapse_lose(f->c, COLLAPSE_MALFORMED);
			continue;
		}
		f->s.has_period = timed;
		f->s.period = duration(v, i);
		f->s.has_time = timed && v->deltas.items[i] >= 0;
		if (f->s.has_time)
			f->s.time = nanoseconds(v->deltas.items[i]);
		fold_sample(f, v8_tree_find(&v->tree, v->samples.items[i]));
	}
}

/* Without samples: folds the hit counts of nodes. */
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
v8_profile_fold(struct v8_profile *v, struct collapse *c, struct collapse_sample s)
{
	struct folder f = { .v = v, .c = c, .s = s };

	f.root = f.below = collapse_root(c, &s);
	collapse_lose_quietly(c, COLLAPSE_MALFORMED, v8_tree_link(&v->tree));
	if (v->samples.n && v->deltas.n)
		collapse_unit(c, STR("ns"));
	if (v->samples.n)
		fold_samples(&f);
	else
		fold_hits(&f);
}
