/* SPDX-License-Identifier: ISC */
/* The metrics of a tree: totals and selves of paths and functions; see metric.h. */
#include "metric.h"
#include "mem.h"

/* Marks the nodes that no parent shares the name of: they make a function's total. */
static void
mark_outermost(struct metrics *m)
{
	const struct tree *t = m->tree;
	uint32_t *open = mem_zero(t->names.n, sizeof *open);
	uint32_t *path = mem_alloc((size_t)t->n * sizeof *path), depth = 0, i;
	struct tree_walk w;

	tree_walk_init(&w, t, TREE_AS_ADDED);
	for (i = 0; i < w.n; i++) {
		while (depth >= w.depth[i])
			open[path[--depth]]--;
		path[depth] = t->nodes[w.node[i]].name;
		m->outermost[w.node[i]] = open[path[depth++]]++ == 0;
	}
	tree_walk_release(&w);
	free(path);
	free(open);
}

void
metric_init(struct metrics *m, const struct tree *t)
{
	*m = (struct metrics){ .tree = t,
		.outermost = mem_zero(t->n, sizeof *m->outermost),
		.n = 2 * ((size_t)t->n + t->names.n) };
	mark_outermost(m);
}

void
metric_release(struct metrics *m)
{
	free(m->outermost);
	*m = (struct metrics){ 0 };
}

/* Where each kind of metrics begins. */
struct blocks {
	size_t path_total, path_self, total, self;
};

static struct blocks
blocks_of(const struct tree *t)
{
	size_t n = t->n;

	return (struct blocks){ 0, n, 2 * n, 2 * n + t->names.n };
}

struct metric
metric_at(const struct metrics *m, size_t number)
{
	struct blocks b = blocks_of(m->tree);

	if (number < b.path_self)
		return (struct metric){ (uint32_t)number, true, false };
	if (number < b.total)
		return (struct metric){ (uint32_t)(number - b.path_self), true, true };
	if (number < b.self)
		return (struct metric){ (uint32_t)(number - b.total), false, false };
	return (struct metric){ (uint32_t)(number - b.self), false, true };
}

size_t
metric_number(const struct metrics *m, struct metric of)
{
	struct blocks b = blocks_of(m->tree);

	if (of.is_path)
		return (of.is_self ? b.path_self : b.path_total) + of.id;
	return (of.is_self ? b.self : b.total) + of.id;
}

void
metric_fill(const struct metrics *m, const uint64_t *self, uint32_t n, uint64_t *weight)
{
	const struct tree *t = m->tree;
	struct blocks b = blocks_of(t);
	uint32_t i, name;

	memset(weight, 0, m->n * sizeof *weight);
	memcpy(weight + b.path_total, self, n * sizeof *self);
	memcpy(weight + b.path_self, self, n * sizeof *self);
	for (i = n - 1; i > 0; i--) {
		name = t->nodes[i].name;
		weight[t->nodes[i].parent] += weight[i];
		weight[b.self + name] += self[i];
		if (m->outermost[i])
			weight[b.total + name] += weight[i];
	}
}

/* Weights by metric in both columns. */
struct pairs {
	uint64_t *const *weight;
};

static bool
are_equal(struct pairs p, size_t a, size_t b)
{
	return p.weight[0][a] == p.weight[0][b] && p.weight[1][a] == p.weight[1][b];
}

size_t *
metric_same(const struct metrics *m, uint64_t *const weight[TREE_COLUMNS])
{
	const struct tree *t = m->tree;
	struct blocks b = blocks_of(t);
	struct pairs w = { weight };
	size_t *same = mem_alloc(m->n * sizeof *same), i, parent, total, self;

	for (i = 0; i < m->n; i++)
		same[i] = i;
	for (i = 1; i < t->n; i++) {
		parent = t->nodes[i].parent;
		total = b.total + t->nodes[i].name;
		self = b.self + t->nodes[i].name;
		if (parent != TREE_ROOT && are_equal(w, i, parent))
			same[i] = same[parent];
		if (are_equal(w, b.path_self + i, i))
			same[b.path_self + i] = same[i];
		if (are_equal(w, total, i))
			same[total] = same[i];
		if (are_equal(w, self, b.path_self + i))
			same[self] = same[b.path_self + i];
	}
	for (i = 0; i < t->names.n; i++)
		if (are_equal(w, b.self + i, b.total + i))
			same[b.self + i] = same[b.total + i];
	return same;
}

size_t
metric_find(const struct metrics *m, struct str name)
{
	const struct intern *names = &m->tree->names;
	uint32_t i;

	for (i = 0; i < names->n; i++)
		if (str_eq(intern_str(names, i), name))
			return blocks_of(m->tree).total + i;
	return m->n;
}
