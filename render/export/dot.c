/* SPDX-License-Identifier: ISC */
/*
 * A call graph for Graphviz, a node for each function, an edge for each pair of caller and
 * callee:
 *
 *	digraph "prog" {
 *	n1 [label="main\n0 of 3 s, 100 %" fontsize=8];
 *	n1 -> n2 [label="3 s" weight=100 penwidth=5];
 *	}
 *
 * A function or an edge that is in a stack several times counts once in its total. Small
 * functions and edges are left out, with a message.
 */
#include "export.h"
#include "mem.h"
#include "metric.h"
#include "msg.h"
#include "units.h"

#include <math.h>

#define NONE UINT32_MAX

struct edge {
	uint32_t from, to;
	uint64_t weight;
};

struct graph {
	struct export *x;
	uint64_t *metric; /* totals, then selves, by name */
	struct intern keys;
	struct edge *edges;
	size_t cap;
	double least; /* the smallest total drawn */
	uint64_t all;
};

/* The edge to NODE from its caller. */
static uint32_t
edge_of(struct graph *g, uint32_t node)
{
	const struct tree *t = g->x->tree;
	uint32_t pair[2] = { t->nodes[t->nodes[node].parent].name, t->nodes[node].name };
	uint32_t known = g->keys.n, id;

	id = intern_id(&g->keys, (struct str){ (const char *)pair, sizeof pair });
	if (id == known) {
		g->edges = mem_grow(g->edges, &g->cap, (size_t)id + 1, sizeof *g->edges);
		g->edges[id] = (struct edge){ pair[0], pair[1], 0 };
	}
	return id;
}

/* Adds up the edges: the total of each node, unless its edge occurs above it in the stack. */
static void
add_edges(struct graph *g, const uint64_t *totals)
{
	const struct tree *t = g->x->tree;
	uint32_t *path = mem_alloc((size_t)t->n * sizeof *path), i, depth = 0, edge;
	uint32_t *open = mem_zero(t->n, sizeof *open);
	struct tree_walk w;

	tree_walk_init(&w, t, TREE_BY_NAME);
	for (i = 0; i < w.n; i++) {
		for (; depth >= w.depth[i]; depth--)
			if (path[depth - 1] != NONE)
				open[path[depth - 1]]--;
		edge = w.depth[i] > 1 ? edge_of(g, w.node[i]) : NONE;
		path[depth++] = edge;
		if (edge != NONE && open[edge]++ == 0)
			g->edges[edge].weight += totals[w.node[i]];
	}
	tree_walk_release(&w);
	free(path);
	free(open);
}

static bool
is_drawn(const struct graph *g, uint32_t name)
{
	return g->metric[name] && (double)g->metric[name] >= g->least;
}

/* Adds TEXT inside the quotes of dot, which reads at most 16 KiB between two quotes: a longer
 * text is truncated. */
static void
put_text(struct buf *b, struct str text)
{
	enum { LONGEST = 4000 };
	struct buf shown = { 0 };
	struct str rest;

	buf_visible(&shown, text, BUF_MARK, BUF_MOST);
	if (shown.n > LONGEST) {
		shown.n = LONGEST;
		/* Keep characters whole. */
		while (((unsigned char)shown.s[shown.n] & 0xc0) == 0x80)
			shown.n--;
		buf_str(&shown, STR("..."));
	}
	for (rest = buf_view(&shown); rest.n; rest = str_from(rest, 1)) {
		if (rest.s[0] == '"' || rest.s[0] == '\\')
			buf_char(b, '\\');
		buf_char(b, rest.s[0]);
	}
	buf_release(&shown);
}

/* Adds WEIGHT with its unit, which comes from the input. */
static void
put_amount(const struct graph *g, uint64_t weight)
{
	struct buf amount = { 0 };

	units_put(&amount, weight, g->x->scale, 1, g->x->unit);
	put_text(&g->x->b, buf_view(&amount));
	buf_release(&amount);
}

static void
put_weight(const struct graph *g, uint64_t weight)
{
	struct buf *b = &g->x->b;

	put_amount(g, weight);
	buf_str(b, STR(" ("));
	units_put_share(b, weight, g->all);
	buf_char(b, ')');
}

static void
put_node(const struct graph *g, uint32_t name)
{
	uint64_t self = g->metric[g->x->tree->names.n + name], total = g->metric[name];
	struct buf *b = &g->x->b;

	buf_fmt(b, "n%lu [label=\"", (unsigned long)name + 1);
	put_text(b, intern_str(&g->x->tree->names, name));
	buf_str(b, STR("\\n"));
	put_weight(g, self);
	if (total != self) {
		buf_str(b, STR("\\nof "));
		put_weight(g, total);
	}
	buf_fmt(b, "\" fontsize=%.0f];\n", 8 + 32 * sqrt((double)self / (double)g->all));
	export_flush(g->x);
}

static void
put_edge(const struct graph *g, const struct edge *e)
{
	double share = (double)e->weight / (double)g->all;
	struct buf *b = &g->x->b;

	buf_fmt(b, "n%lu -> n%lu [label=\" ", (unsigned long)e->from + 1,
		(unsigned long)e->to + 1);
	put_amount(g, e->weight);
	buf_fmt(b, "\" weight=%.0f penwidth=%.1f];\n", 1 + 99 * share, 1 + 4 * share);
	export_flush(g->x);
}

static void
put_graph(const struct graph *g)
{
	uint64_t functions = 0, edges = 0;
	uint32_t i;

	for (i = 0; i < g->x->tree->names.n; i++)
		if (is_drawn(g, i))
			put_node(g, i);
		else
			functions += g->metric[i] > 0;
	for (i = 0; i < g->keys.n; i++)
		if ((double)g->edges[i].weight >= g->least && g->edges[i].weight)
			put_edge(g, &g->edges[i]);
		else
			edges += g->edges[i].weight > 0;
	if (functions || edges)
		msg_warn("--to dot: %llu function%s and %llu edge%s below %g %% left out",
			(unsigned long long)functions, msg_s(functions),
			(unsigned long long)edges, msg_s(edges), g->x->set->min_share);
}

static bool
write_graph(struct export *x)
{
	struct graph g = { .x = x, .all = x->sum[0] };
	uint64_t *totals = tree_totals(x->tree, x->first);
	struct metrics m;

	metric_init(&m, x->tree, 0);
	g.metric = mem_zero(m.n + 1, sizeof *g.metric);
	metric_fill(&m, x->tree->self[x->first], x->tree->n, g.metric);
	g.least = (double)g.all * x->set->min_share / 100;
	buf_str(&x->b, STR("digraph \""));
	put_text(&x->b, export_title(x));
	buf_str(&x->b,
		STR("\" {\nnode [shape=box fontname=\"sans-serif\"];\n"
		    "edge [fontname=\"sans-serif\" fontsize=10];\n"));
	add_edges(&g, totals);
	put_graph(&g);
	buf_str(&x->b, STR("}\n"));
	metric_release(&m);
	intern_release(&g.keys);
	free(g.edges);
	free(g.metric);
	free(totals);
	return true;
}

const struct export_target export_dot = {
	.needs = 0,
	.write = write_graph,
};
