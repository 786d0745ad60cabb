/* SPDX-License-Identifier: ISC */
/* Names that come late; see renaming.h. */
#include "renaming.h"
#include "mem.h"

void
renaming_release(struct renaming *r)
{
	free(r->entries);
	free(r->ids);
	*r = (struct renaming){ 0 };
}

void
renaming_add(struct renaming *r, uint32_t id, const uint32_t *ids, size_t n)
{
	r->entries = mem_grow(r->entries, &r->cap, r->n + 1, sizeof *r->entries);
	r->entries[r->n++] = (struct renaming_entry){ id, r->id_n, n };
	r->ids = mem_grow(r->ids, &r->id_cap, r->id_n + n, sizeof *r->ids);
	memcpy(r->ids + r->id_n, ids, n * sizeof *ids);
	r->id_n += n;
}

/* The entry of each name of C, NULL for those that stay; the caller frees the array. */
static const struct renaming_entry **
index_entries(const struct renaming *r, const struct collapse *c)
{
	const struct renaming_entry **of = mem_zero(c->tree.names.n, sizeof *of);
	size_t i;

	for (i = 0; i < r->n; i++)
		of[r->entries[i].id] = &r->entries[i];
	return of;
}

/* The tree of C without nodes and weights; what it had is the result. */
static struct tree
start_over(struct collapse *c)
{
	struct tree was = c->tree;

	tree_init(&c->tree, was.columns);
	c->tree.names = was.names;
	c->tree.scale = was.scale;
	was.names = (struct intern){ 0 };
	return was;
}

void
renaming_apply(const struct renaming *r, struct collapse *c)
{
	const struct renaming_entry **of = index_entries(r, c), *e;
	struct tree was = start_over(c);
	uint32_t *now = mem_zero(was.n, sizeof *now), i, parent;
	int column;

	for (i = TREE_ROOT + 1; i < was.n; i++) {
		parent = now[was.nodes[i].parent];
		e = of[was.nodes[i].name];
		now[i] = e ? collapse_path(c, parent, r->ids + e->first, e->n)
			   : tree_child_id(&c->tree, parent, was.nodes[i].name);
		/* Sums cannot overflow: they are what they were. */
		for (column = 0; column < was.columns; column++)
			(void)tree_add(&c->tree, now[i], column, was.self[column][i]);
	}
	for (i = 0; i < c->turn_n; i++)
		c->turns[i].node = now[c->turns[i].node];
	free(of);
	free(now);
	tree_release(&was);
}
