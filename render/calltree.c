/* SPDX-License-Identifier: ISC */
/* The rows of a call tree; see calltree.h. */
#include "calltree.h"
#include "mem.h"
#include "count-sort.h"

/* A node of the tree, and the node from which the walk towards the root reached it: its weight
 * counts. */
struct calltree_cursor {
	uint32_t node, place;
};

/* Nodes of one name, which become a row. */
struct calltree_entry {
	struct str name;
	uint32_t id;
	uint64_t self[TREE_COLUMNS], total[TREE_COLUMNS];
	uint32_t from, n; /* its cursors */
};

/* Siblings whose rows are still to come. */
struct calltree_group {
	size_t entries, next, end; /* its first entry, and those left */
	size_t cursors;		   /* how many there were before */
	uint32_t level;
	uint32_t hidden;	       /* siblings to report in a row of their own */
	uint64_t weight[TREE_COLUMNS]; /* their weight */
	bool is_branch;
};

static bool
has_weight(const struct calltree *ct, uint32_t node)
{
	int c;

	for (c = 0; c < ct->source.tree->columns; c++)
		if (ct->source.totals[c][node])
			return true;
	return false;
}

static bool
is_visible(const struct calltree *ct, const uint64_t *weight)
{
	int c;

	for (c = 0; c < ct->source.tree->columns; c++)
		if (weight[c] && weight[c] >= ct->limits.least[c])
			return true;
	return false;
}

/* The heaviest first; of two columns the second decides. */
static int
heavier_first(const void *a, const void *b)
{
	const struct calltree_entry *x = a, *y = b;
	int c;

	for (c = TREE_COLUMNS - 1; c >= 0; c--)
		if (x->total[c] != y->total[c])
			return x->total[c] > y->total[c] ? -1 : 1;
	return str_cmp(x->name, y->name);
}

static void
add_cursor(struct calltree *ct, uint32_t node)
{
	ct->cursors = mem_grow(
		ct->cursors, &ct->cursor_cap, ct->cursor_count + 1, sizeof *ct->cursors);
	ct->cursors[ct->cursor_count++] = (struct calltree_cursor){ node, node };
}

/* Adds a cursor for each child of the nodes of E. Returns their number. */
static uint32_t
go_down(struct calltree *ct, const struct calltree_entry *e)
{
	size_t had = ct->cursor_count;
	uint32_t i, k, node;

	for (k = 0; k < e->n; k++) {
		node = ct->cursors[e->from + k].node;
		for (i = ct->first[node]; i < ct->first[node + 1]; i++)
			if (has_weight(ct, ct->child[i]))
				add_cursor(ct, ct->child[i]);
	}
	return (uint32_t)(ct->cursor_count - had);
}

/* Replaces the cursors of E, which are not used again, by their callers. Returns how many have
 * a caller. */
static uint32_t
go_up(struct calltree *ct, const struct calltree_entry *e)
{
	struct calltree_cursor *cursor = ct->cursors + e->from;
	uint32_t k, n = 0, parent;

	for (k = 0; k < e->n; k++) {
		parent = ct->source.tree->nodes[cursor[k].node].parent;
		if (parent != TREE_ROOT)
			cursor[n++] = (struct calltree_cursor){ parent, cursor[k].place };
	}
	return n;
}

/* The entry for nodes named ID in the group that begins at BEGIN. */
static struct calltree_entry *
find_entry(struct calltree *ct, size_t begin, uint32_t id)
{
	if (!ct->slot[id]) {
		ct->entries = mem_grow(ct->entries, &ct->entry_cap, ct->entry_count + 1,
			sizeof *ct->entries);
		ct->entries[ct->entry_count++] = (struct calltree_entry){
			.name = intern_str(&ct->source.tree->names, id), .id = id
		};
		ct->slot[id] = (uint32_t)(ct->entry_count - begin);
	}
	return &ct->entries[begin + ct->slot[id] - 1];
}

static void
add_weight(const struct calltree *ct, struct calltree_entry *e,
	const struct calltree_cursor *cursor)
{
	const struct calltree_source *s = &ct->source;
	int c;

	for (c = 0; c < s->tree->columns; c++) {
		e->total[c] += s->totals[c][cursor->place];
		e->self[c] += s->up ? 0 : s->tree->self[c][cursor->node];
	}
	e->n++;
}

/* Makes an entry of the N cursors at FROM for each name, and groups their cursors. */
static void
join(struct calltree *ct, size_t from, uint32_t n)
{
	const struct tree_node *nodes = ct->source.tree->nodes;
	struct calltree_cursor *cursor;
	struct calltree_entry *e;
	size_t begin = ct->entry_count, i, at = from;
	uint32_t k;

	/* The array may be NULL then. */
	if (!n)
		return;
	cursor = ct->cursors + from;
	for (k = 0; k < n; k++)
		add_weight(ct, find_entry(ct, begin, nodes[cursor[k].node].name),
			&cursor[k]);
	for (i = begin; i < ct->entry_count; i++) {
		e = &ct->entries[i];
		e->from = (uint32_t)at;
		at += e->n;
		e->n = 0;
	}
	ct->joined = mem_grow(ct->joined, &ct->joined_cap, n, sizeof *ct->joined);
	for (k = 0; k < n; k++) {
		e = find_entry(ct, begin, nodes[cursor[k].node].name);
		ct->joined[e->from - from + e->n++] = cursor[k];
	}
	memcpy(cursor, ct->joined, n * sizeof *cursor);
	for (k = 0; k < n; k++)
		ct->slot[nodes[cursor[k].node].name] = 0;
}

/* Removes the hidden entries from G. Those of functions may lie within each other, so they have
 * no sum. */
static void
hide(struct calltree *ct, struct calltree_group *g)
{
	bool too_deep = ct->limits.depth && ct->depth == ct->limits.depth;
	bool has_sum = ct->depth || !ct->source.wanted;
	size_t i, kept = g->entries;
	struct calltree_entry *e;
	int c;

	for (i = g->entries; i < ct->entry_count; i++) {
		e = &ct->entries[i];
		if (!too_deep && is_visible(ct, e->total)) {
			ct->entries[kept++] = *e;
			continue;
		}
		g->hidden++;
		for (c = 0; c < ct->source.tree->columns; c++)
			g->weight[c] += has_sum ? e->total[c] : 0;
	}
	ct->entry_count = kept;
	ct->hidden += g->hidden;
	if (has_sum && !is_visible(ct, g->weight))
		g->hidden = 0;
}

/* Whether to indent the rows of G below a row of weight TOTAL: there are several, or the only
 * one is clearly lighter than its parent. */
static bool
branches_off(
	const struct calltree *ct, const struct calltree_group *g, const uint64_t *total)
{
	uint64_t rest[TREE_COLUMNS];
	int c;

	if (g->end - g->next + (g->hidden > 0) != 1)
		return g->end > g->next;
	for (c = 0; c < TREE_COLUMNS; c++)
		rest[c] = total[c] -
			(g->hidden ? g->weight : ct->entries[g->next].total)[c];
	return is_visible(ct, rest);
}

/* Makes the N cursors at FROM the next rows, below ROW; NULL: at the top. */
static void
open_group(struct calltree *ct, size_t from, uint32_t n, const struct calltree_row *row)
{
	struct calltree_group g = { .entries = ct->entry_count };

	g.cursors = ct->source.up ? ct->cursor_count : from;
	g.next = g.entries;
	join(ct, from, n);
	hide(ct, &g);
	g.end = ct->entry_count;
	if (g.end - g.next > 1)
		qsort(ct->entries + g.next, g.end - g.next, sizeof *ct->entries,
			heavier_first);
	g.is_branch = row && branches_off(ct, &g, row->total);
	g.level = row ? row->level + g.is_branch : 0;
	ct->groups = mem_grow(ct->groups, &ct->cap, ct->depth + 1, sizeof *ct->groups);
	ct->groups[ct->depth++] = g;
	ct->goes_on = mem_grow(ct->goes_on, &ct->levels, (size_t)g.level + 1, 1);
}

/* Fills child and first. */
static void
list_children(struct calltree *ct)
{
	const struct tree *t = ct->source.tree;
	uint32_t *nodes = mem_alloc(t->n * sizeof *nodes), i;
	uint32_t *parent = mem_alloc(t->n * sizeof *parent);

	ct->child = mem_alloc(t->n * sizeof *ct->child);
	ct->first = mem_zero((size_t)t->n + 1, sizeof *ct->first);
	for (i = 1; i < t->n; i++) {
		nodes[i - 1] = i;
		parent[i] = t->nodes[i].parent;
		ct->first[parent[i] + 1]++;
	}
	for (i = 0; i < t->n; i++)
		ct->first[i + 1] += ct->first[i];
	count_sort(ct->child, nodes, t->n - 1, parent, t->n);
	free(parent);
	free(nodes);
}

void
calltree_init(struct calltree *ct, const struct calltree_source *source,
	const struct calltree_limits *limits)
{
	const struct calltree_entry top = { .n = 1 };
	uint32_t i;

	*ct = (struct calltree){ .source = *source, .limits = *limits };
	ct->slot = mem_zero(source->tree->names.n, sizeof *ct->slot);
	if (!source->up)
		list_children(ct);
	if (!source->wanted) {
		add_cursor(ct, TREE_ROOT);
		i = go_down(ct, &top);
		open_group(ct, top.n, i, NULL);
		return;
	}
	for (i = 1; i < source->tree->n; i++)
		if (source->wanted[i] && has_weight(ct, i))
			add_cursor(ct, i);
	open_group(ct, 0, (uint32_t)ct->cursor_count, NULL);
}

void
calltree_release(struct calltree *ct)
{
	free(ct->child);
	free(ct->first);
	free(ct->slot);
	free(ct->entries);
	free(ct->cursors);
	free(ct->joined);
	free(ct->groups);
	free(ct->goes_on);
	*ct = (struct calltree){ .depth = 0 };
}

/* Returns the row for the hidden entries of G. */
static void
give_hidden(struct calltree_group *g, struct calltree_row *row)
{
	row->hidden = g->hidden;
	row->of = UINT32_MAX;
	row->is_last = true;
	memcpy(row->total, g->weight, sizeof row->total);
	g->hidden = 0;
}

/* Returns the row of the next entry of G, and queues the rows below it. */
static void
give_entry(struct calltree *ct, struct calltree_group *g, struct calltree_row *row)
{
	const struct calltree_entry e = ct->entries[g->next++];
	size_t from = ct->source.up ? e.from : ct->cursor_count;

	row->name = e.name;
	if (row->depth == 1)
		ct->head = e.id;
	row->of = ct->source.up ? ct->head : e.id;
	row->is_last = g->next == g->end && !g->hidden;
	memcpy(row->self, e.self, sizeof row->self);
	memcpy(row->total, e.total, sizeof row->total);
	if (row->is_branch)
		ct->goes_on[row->level] = !row->is_last;
	open_group(ct, from, ct->source.up ? go_up(ct, &e) : go_down(ct, &e), row);
}

bool
calltree_next(struct calltree *ct, struct calltree_row *row)
{
	struct calltree_group *g;

	while (ct->depth) {
		g = &ct->groups[ct->depth - 1];
		if (g->next < g->end || g->hidden)
			break;
		ct->entry_count = g->entries;
		ct->cursor_count = g->cursors;
		ct->depth--;
	}
	if (!ct->depth)
		return false;
	*row = (struct calltree_row){
		.depth = (uint32_t)ct->depth, .level = g->level, .is_branch = g->is_branch
	};
	if (g->next < g->end)
		give_entry(ct, g, row);
	else
		give_hidden(g, row);
	return true;
}
