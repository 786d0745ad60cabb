/* SPDX-License-Identifier: ISC */
/* Reads the trees of d3-flame-graph. */
#include "d3-tree.h"
#include "intern.h"
#include "mem.h"

/* A node; the box of the same number has the rest. */
struct node {
	uint32_t name; /* an id in names */
	bool has_value, is_full;
	unsigned kind;
};

struct reader {
	struct boxes *b;
	struct json_reader *p;
	struct buf *label;
	struct intern names;
	struct node *nodes;
	size_t cap;
	uint32_t *open; /* current path of nodes, from the root */
	size_t depth, open_cap;
};

/* Whether a root called NAME stands for the whole program. */
static bool
is_everything(struct str name)
{
	static const struct str names[] = { { "", 0 }, { "root", 4 }, { "all", 3 },
		{ "total", 5 }, { "Total", 5 }, { "<root>", 6 }, { "(root)", 6 } };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (str_eq(name, names[i]))
			return true;
	return false;
}

/* Begins a node; its object is open. Returns false if there are too many. */
static bool
begin_node(struct reader *r)
{
	uint32_t parent = r->depth ? r->open[r->depth - 1] : BOXES_NONE;
	uint32_t i = boxes_add(r->b, 0, parent);

	if (i == BOXES_NONE) {
		json_fail(r->p, "too many nodes");
		return false;
	}
	*MEM_AT(r->nodes, r->cap, i) =
		(struct node){ .name = intern_id(&r->names, STR("")) };
	*MEM_ADD(r->open, r->depth, r->open_cap) = i;
	return true;
}

static void
read_value(struct reader *r, uint32_t i)
{
	struct weight w;
	bool negative;

	if (json_peek(r->p) == JSON_NULL) {
		json_skip(r->p);
		return;
	}
	if (!json_read_weight(r->p, &w, &negative))
		return;
	r->nodes[i].has_value = true;
	if (negative && (w.whole || w.nano))
		collapse_lose(r->b->c, COLLAPSE_NEGATIVE);
	else if (!boxes_weigh(r->b, i, BOXES_AFTER, w))
		collapse_lose(r->b->c, COLLAPSE_OVERFLOW);
}

/* Reads the name of node I; a FULL one takes precedence. */
static void
read_name(struct reader *r, uint32_t i, bool full)
{
	struct node *node = &r->nodes[i];
	struct str name;

	if (json_peek(r->p) != JSON_STRING || (node->is_full && !full)) {
		json_skip(r->p);
		return;
	}
	(void)json_read_string(r->p, &name);
	node->is_full = full && name.n;
	if (!full || name.n)
		node->name = intern_id(&r->names, name);
}

/* Reads "l": the kind of code, or the root's label in a page. */
static void
read_label(struct reader *r, uint32_t i)
{
	struct str word;

	if (json_peek(r->p) != JSON_STRING || !json_read_string(r->p, &word)) {
		json_skip(r->p);
		return;
	}
	if (str_eq(word, STR("kernel")))
		r->nodes[i].kind = COLLAPSE_KERNEL;
	else if (str_eq(word, STR("jit")))
		r->nodes[i].kind = COLLAPSE_JIT;
	if (r->depth == 1 && r->label)
		buf_str(r->label, word);
}

/* Reads the value of KEY, other than children, into node I. */
static void
read_field(struct reader *r, uint32_t i, struct str key)
{
	if (str_eq(key, STR("name")) || str_eq(key, STR("n")))
		read_name(r, i, false);
	else if (str_eq(key, STR("f")))
		read_name(r, i, true);
	else if (str_eq(key, STR("value")) || str_eq(key, STR("v")))
		read_value(r, i);
	else if (str_eq(key, STR("l")) || str_eq(key, STR("libtype")))
		read_label(r, i);
}

/* Reads keys of the innermost node. Returns true at its children, false at its end. */
static bool
find_children(struct reader *r)
{
	uint32_t i = r->open[r->depth - 1];
	struct str key;

	while (json_next_key(r->p, &key)) {
		if (!str_eq(key, STR("children")) && !str_eq(key, STR("c")))
			read_field(r, i, key);
		else if (json_peek(r->p) != JSON_ARRAY)
			json_skip(r->p);
		else if (json_read_array(r->p))
			return true;
	}
	return false;
}

/* Reads nodes to the end of the root. In truncated text the nodes that are not closed stay open. */
static void
read_nodes(struct reader *r)
{
	bool in_children = false;

	if (!json_read_object(r->p) || !begin_node(r))
		return;
	while (r->depth && !json_failed(r->p)) {
		if (!in_children) {
			in_children = find_children(r);
			if (!in_children && !json_failed(r->p))
				in_children = --r->depth > 0;
		} else if (!json_next_element(r->p)) {
			in_children = false;
		} else if (json_peek(r->p) != JSON_OBJECT) {
			collapse_lose(r->b->c, COLLAPSE_MALFORMED);
			json_skip(r->p);
		} else if (json_read_object(r->p)) {
			in_children = !begin_node(r);
		}
	}
}

/* Returns, by box, the sum of its children's weights, saturated. The caller frees it. */
static uint64_t *
sum_children(const struct boxes *b)
{
	uint64_t *sums = mem_zero(b->n, sizeof *sums);
	size_t i;

	for (i = b->n; i-- > 1;)
		if (b->items[i].parent != BOXES_NONE)
			sums[b->items[i].parent] = weight_count(
				sums[b->items[i].parent], b->items[i].weight[0]);
	return sums;
}

/* Gives nodes without a value the sum of their children's, from the leaves up. */
static void
fill_values(struct reader *r)
{
	uint64_t *sums = mem_zero(r->b->n, sizeof *sums);
	struct box *box;
	size_t i;

	for (i = r->b->n; i-- > 0;) {
		box = &r->b->items[i];
		if (!r->nodes[i].has_value)
			box->weight[0] = sums[i];
		if (box->parent != BOXES_NONE)
			sums[box->parent] =
				weight_count(sums[box->parent], box->weight[0]);
	}
	free(sums);
}

/* Whether values are self weights: a complete node other than the root has less than its children,
 * by more than rounding explains. */
static bool
has_own_values(const struct reader *r)
{
	uint64_t *sums = sum_children(r->b), slack;
	bool own = false;
	size_t i;

	for (i = 1; i < r->b->n && !own; i++) {
		slack = r->b->decimals ? r->b->items[i].weight[0] / 1000 : 0;
		own = r->nodes[i].has_value && sums[i] > r->b->items[i].weight[0] + slack;
	}
	free(sums);
	return own;
}

/* Sets the boxes' frames and self weights. */
static void
finish(struct reader *r)
{
	struct boxes *b = r->b;
	struct str name;
	size_t i;

	for (i = 0; i < b->n; i++) {
		name = intern_str(&r->names, r->nodes[i].name);
		b->items[i].frame = collapse_frame(b->c, name, r->nodes[i].kind);
		b->items[i].is_root =
			b->items[i].parent == BOXES_NONE && is_everything(name);
	}
	/* The self weight of a node that is cut off is unknown. */
	for (i = 0; i < r->depth; i++)
		r->nodes[r->open[i]].has_value = false;
	if (has_own_values(r))
		return;
	fill_values(r);
	(void)boxes_subtract(b, BOXES_AFTER);
}

void
d3_tree_read(struct boxes *b, struct json_reader *p, struct buf *label)
{
	struct reader r = { .b = b, .p = p, .label = label };

	read_nodes(&r);
	finish(&r);
	intern_release(&r.names);
	free(r.nodes);
	free(r.open);
}
