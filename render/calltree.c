/* SPDX-License-Identifier: ISC */
/* The rows of a call tree; see calltree.h. */
#include "calltree.h"
#include "mem.h"
#include "order.h"

/* Siblings of which rows are still to be given. */
struct calltree_group {
	uint32_t next, end; /* in ct->child */
	uint32_t level;
	uint32_t hidden;	       /* children to be told of in a row of their own */
	uint64_t weight[TREE_COLUMNS]; /* of those */
	bool is_branch;
};

/* A node with what it is sorted by. */
struct sibling {
	uint64_t weight[TREE_COLUMNS]; /* the last column first */
	struct str name;
	uint32_t node;
};

static bool
has_weight(const struct calltree *ct, uint32_t node)
{
	int c;

	for (c = 0; c < ct->tree->columns; c++)
		if (ct->total[c][node])
			return true;
	return false;
}

static bool
is_visible(const struct calltree *ct, const uint64_t *weight)
{
	int c;

	for (c = 0; c < ct->tree->columns; c++)
		if (weight[c] && weight[c] >= ct->limits.least[c])
			return true;
	return false;
}

static int
heavier_first(const void *a, const void *b)
{
	const struct sibling *x = a, *y = b;
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		if (x->weight[c] != y->weight[c])
			return x->weight[c] > y->weight[c] ? -1 : 1;
	return str_cmp(x->name, y->name);
}

/* Orders the N siblings in CHILD. */
static void
sort_siblings(
	const struct calltree *ct, uint32_t *child, uint32_t n, struct sibling *work)
{
	const struct tree *t = ct->tree;
	uint32_t i;
	int c;

	for (i = 0; i < n; i++) {
		work[i] = (struct sibling){ .node = child[i],
			.name = intern_str(&t->names, t->nodes[child[i]].name) };
		for (c = 0; c < t->columns; c++)
			work[i].weight[t->columns - 1 - c] = ct->total[c][child[i]];
	}
	qsort(work, n, sizeof *work, heavier_first);
	for (i = 0; i < n; i++)
		child[i] = work[i].node;
}

/* Counts children and lists those that are visible in LISTED. Returns how many
 * those are. */
static uint32_t
list_visible(struct calltree *ct, uint32_t *listed)
{
	const struct tree *t = ct->tree;
	uint64_t weight[TREE_COLUMNS];
	uint32_t i, n = 0, parent;
	int c;

	for (i = 1; i < t->n; i++) {
		if (!has_weight(ct, i))
			continue;
		parent = t->nodes[i].parent;
		ct->all++;
		ct->children[parent]++;
		for (c = 0; c < t->columns; c++)
			weight[c] = ct->total[c][i];
		if (!is_visible(ct, weight))
			continue;
		ct->first[parent + 1]++;
		listed[n++] = i;
	}
	return n;
}

/* Fills child and first. */
static void
sort_children(struct calltree *ct)
{
	const struct tree *t = ct->tree;
	uint32_t *listed = mem_alloc(t->n * sizeof *listed), n, i, most = 0;
	uint32_t *parent = mem_alloc(t->n * sizeof *parent);
	struct sibling *work;

	n = list_visible(ct, listed);
	for (i = 0; i < t->n; i++) {
		parent[i] = t->nodes[i].parent;
		most = ct->first[i + 1] > most ? ct->first[i + 1] : most;
		ct->first[i + 1] += ct->first[i];
	}
	ct->child = mem_alloc(n * sizeof *ct->child);
	order_by_key(ct->child, listed, n, parent, t->n);
	work = mem_alloc(most * sizeof *work);
	for (i = 0; i < t->n; i++)
		if (ct->first[i + 1] - ct->first[i] > 1)
			sort_siblings(ct, ct->child + ct->first[i],
				ct->first[i + 1] - ct->first[i], work);
	free(work);
	free(parent);
	free(listed);
}

/* Sets what G hides of the children of PARENT: nothing to be told of when that
 * weighs too little for a row. */
static void
count_hidden(struct calltree *ct, struct calltree_group *g, uint32_t parent)
{
	uint32_t i;
	int c;

	g->hidden = ct->children[parent] - (g->end - g->next);
	for (c = 0; c < ct->tree->columns; c++) {
		g->weight[c] = ct->total[c][parent] - ct->tree->self[c][parent];
		for (i = g->next; i < g->end; i++)
			g->weight[c] -= ct->total[c][ct->child[i]];
	}
	if (!is_visible(ct, g->weight))
		g->hidden = 0;
	if (parent == TREE_ROOT)
		g->hidden += ct->limits.left_out;
}

/* Makes the children of PARENT, which stands on LEVEL, the next to be given. */
static void
open_group(struct calltree *ct, uint32_t parent, uint32_t level)
{
	struct calltree_group g = { .next = ct->first[parent],
		.end = ct->first[parent + 1] };

	if (ct->limits.depth && ct->depth == ct->limits.depth)
		g.end = g.next;
	count_hidden(ct, &g, parent);
	g.is_branch = parent != TREE_ROOT && g.end - g.next + (g.hidden > 0) > 1;
	g.level = level + g.is_branch;
	ct->groups = mem_grow(ct->groups, &ct->cap, ct->depth + 1, sizeof *ct->groups);
	ct->groups[ct->depth++] = g;
	ct->goes_on = mem_grow(ct->goes_on, &ct->levels, (size_t)g.level + 1, 1);
}

void
calltree_init(
	struct calltree *ct, const struct tree *t, const struct calltree_limits *limits)
{
	int c;

	*ct = (struct calltree){ .tree = t, .limits = *limits };
	for (c = 0; c < t->columns; c++)
		ct->total[c] = tree_totals(t, c);
	ct->first = mem_zero((size_t)t->n + 1, sizeof *ct->first);
	ct->children = mem_zero(t->n, sizeof *ct->children);
	sort_children(ct);
	open_group(ct, TREE_ROOT, 0);
}

void
calltree_release(struct calltree *ct)
{
	int c;

	for (c = 0; c < TREE_COLUMNS; c++)
		free(ct->total[c]);
	free(ct->child);
	free(ct->first);
	free(ct->children);
	free(ct->groups);
	free(ct->goes_on);
	*ct = (struct calltree){ .tree = NULL };
}

/* Gives the row for what G hides. */
static void
give_hidden(const struct calltree *ct, struct calltree_group *g, struct calltree_row *row)
{
	int c;

	row->hidden = g->hidden;
	row->is_last = true;
	for (c = 0; c < ct->tree->columns; c++)
		row->total[c] = g->weight[c];
	g->hidden = 0;
}

/* Gives the row of the next node of G. */
static void
give_node(struct calltree *ct, struct calltree_group *g, struct calltree_row *row)
{
	int c;

	row->node = ct->child[g->next++];
	row->is_last = g->next == g->end && !g->hidden;
	for (c = 0; c < ct->tree->columns; c++) {
		row->self[c] = ct->tree->self[c][row->node];
		row->total[c] = ct->total[c][row->node];
	}
	ct->given++;
}

bool
calltree_next(struct calltree *ct, struct calltree_row *row)
{
	struct calltree_group *g;

	while (ct->depth) {
		g = &ct->groups[ct->depth - 1];
		if (g->next < g->end || g->hidden)
			break;
		ct->depth--;
	}
	if (!ct->depth)
		return false;
	*row = (struct calltree_row){
		.depth = (uint32_t)ct->depth, .level = g->level, .is_branch = g->is_branch
	};
	if (g->next < g->end)
		give_node(ct, g, row);
	else
		give_hidden(ct, g, row);
	if (row->is_branch)
		ct->goes_on[row->level] = !row->is_last;
	if (row->node != TREE_ROOT)
		open_group(ct, row->node, row->level);
	return true;
}
