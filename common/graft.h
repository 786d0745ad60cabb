/* SPDX-License-Identifier: ISC */
/*
 * Builds a tree from the nodes of another one. An operation that changes stacks (renames, removes
 * or cuts off frames, sums dimensions away) sets the new parent and name of each node; nodes with
 * the same parent and name merge, and their weights add up.
 *
 * By default every node stays where it is. Both columns of weights are kept exactly, including
 * decimals that do not fit in 64 bits, and so is the scale; sums may include stacks that are not in
 * the tree. Costs one lookup per node.
 */
#ifndef GRAFT_H
#define GRAFT_H

#include "buf.h"
#include "tree.h"

/* In place of a name: the node merges with its new parent. */
#define GRAFT_JOIN (UINT32_MAX - 1)

struct graft {
	const struct tree *from;
	struct tree *to;
	uint32_t *
		below; /* by node of FROM: its new parent, an earlier node of FROM or the root */
	uint32_t *name; /* by node of FROM: its name in TO, or GRAFT_JOIN */
	uint32_t *now;	/* by node of FROM, once placed: its node in TO */
	bool in_order;	/* TO is in time order: only neighbours of one name merge */
	bool distinct;	/* nodes never merge, whatever their names */
	bool as_text;	/* outermost frames get names that can start a line */

	struct tree was;     /* after graft_move: FROM */
	struct intern names; /* after graft_rename: the former names */
	uint32_t *last;	     /* in time order, by node of TO: its last child */
	size_t cap;
};

/* Begins to change T: G->from is T as it was, and G->to is T, now without nodes but with the same
 * name IDs. */
void graft_move(struct graft *g, struct tree *t);

/* Begins to add the nodes of FROM, which must not change, to TO. Unless both have the same name
 * IDs, the caller sets all of G->name. */
void graft_add(struct graft *g, struct tree *to, const struct tree *from);

/* After graft_move: gives every node, except joined ones, the name that PUT makes of its own. G->to
 * then has only these names. */
void graft_rename(struct graft *g, void put(struct buf *b, struct str name));

/* Whether all stacks of T begin with the same LEAD frames and have more: then removing these merges
 * no nodes. */
bool graft_is_alike(const struct tree *t, size_t lead);

/* The child of PARENT, both in G->to, with the name ID, which may be a gap. */
uint32_t graft_child(struct graft *g, uint32_t parent, uint32_t id);

/* Places NODE, once its parent and name are set; or all nodes, in the order of FROM. */
void graft_node(struct graft *g, uint32_t node);
void graft_nodes(struct graft *g);

/* Moves the weights of all nodes and the sums of G->from to G->to, which has no weights. */
void graft_weigh(struct graft *g);

/* Releases G and the former nodes and names. Returns G->now, to be freed. */
uint32_t *graft_end(struct graft *g);

#endif
