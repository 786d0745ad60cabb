/* SPDX-License-Identifier: ISC */
/* The metrics of a tree: totals and selves of functions; see metric.h. */
#include "metric.h"
#include "mem.h"

/* The part of a metric that another must contain to be tested in its place. */
static const double MOST = 0.95;

void
metric_init(struct metrics *m, const struct tree *t, size_t lead)
{
	struct tree_walk w;

	*m = (struct metrics){ .whole = t, .n = 2 * (size_t)t->names.n };
	functions_init(&m->functions, t, lead);
	m->tree = m->functions.tree;
	tree_walk_init(&w, m->tree, TREE_AS_ADDED);
	m->outermost = tree_outermost(m->tree, &w, 0);
	tree_walk_release(&w);
}

void
metric_release(struct metrics *m)
{
	functions_release(&m->functions);
	free(m->outermost);
	*m = (struct metrics){ 0 };
}

size_t
metric_self(const struct metrics *m, uint32_t name)
{
	return (size_t)m->tree->names.n + name;
}

void
metric_fill(const struct metrics *m, const uint64_t *self, uint32_t n, uint64_t *weight)
{
	const struct tree *t = m->tree;
	uint64_t *total = functions_fold(&m->functions, self, &n);
	uint32_t i, name;

	memset(weight, 0, m->n * sizeof *weight);
	for (i = 1; i < n; i++)
		weight[metric_self(m, t->nodes[i].name)] += total[i];
	for (i = n - 1; i > 0; i--) {
		name = t->nodes[i].name;
		total[t->nodes[i].parent] += total[i];
		if (m->outermost[i])
			weight[name] += total[i];
	}
	free(total);
}

/* Weights in both columns. */
struct pairs {
	uint64_t *const *weight;
};

/* Whether A of P is nearly all of B of Q, which contains it. */
static bool
is_most(struct pairs p, size_t a, struct pairs q, size_t b)
{
	return (double)p.weight[0][a] >= MOST * (double)q.weight[0][b] &&
		(double)p.weight[1][a] >= MOST * (double)q.weight[1][b];
}

/* By node: its outermost ancestor that it is nearly all of. To be freed. */
static uint32_t *
find_chains(const struct tree *t, struct pairs node)
{
	uint32_t *chain = mem_zero(t->n, sizeof *chain), i, up;

	for (i = 1; i < t->n; i++) {
		up = chain[t->nodes[i].parent];
		chain[i] = up != TREE_ROOT && is_most(node, i, node, up) ? up : i;
	}
	return chain;
}

size_t *
metric_lead(const struct metrics *m, uint64_t *const weight[TREE_COLUMNS])
{
	const struct tree *t = m->tree;
	uint64_t *totals[] = { tree_totals(t, 0), tree_totals(t, 1) };
	struct pairs metric = { weight }, node = { totals };
	uint32_t *chain = find_chains(t, node), i, name, head;
	size_t *lead = mem_alloc(m->n * sizeof *lead + 1), k;

	for (k = 0; k < m->n; k++)
		lead[k] = k;
	for (i = 1; i < t->n; i++) {
		name = t->nodes[i].name;
		head = t->nodes[chain[i]].name;
		/* Nearly all weight of both functions is at these two nodes. */
		if (name != head && lead[name] == name && lead[head] == head &&
			is_most(node, i, metric, name) &&
			is_most(node, chain[i], metric, head))
			lead[name] = head;
	}
	for (i = 0; i < t->names.n; i++)
		if (is_most(metric, metric_self(m, i), metric, i))
			lead[metric_self(m, i)] = lead[i];
	free(totals[0]);
	free(totals[1]);
	free(chain);
	return lead;
}

uint32_t
metric_find(const struct metrics *m, struct str name)
{
	const struct intern *names = &m->tree->names;
	uint32_t i = 0;

	while (i < names->n && !str_eq(intern_str(names, i), name))
		i++;
	return i;
}
