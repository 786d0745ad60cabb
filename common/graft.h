/* SPDX-License-Identifier: ISC */
/*
 * A tree on its way to becoming another one. Whatever changes the stacks of a tree (other names,
 * frames that leave, frames that are cut off, dimensions that are summed away) says of each node
 * below which node it goes and by what name; nodes of one name with the same parent become one,
 * and their weights add up.
 *
 * By default every node stays where it is. Weights are kept exactly, with decimals that do not
 * fit, in both columns, and so is the scale; sums may be of more stacks than those that are in the
 * tree. The time is that of one search for each node.
 */
#ifndef GRAFT_H
#define GRAFT_H

#include "buf.h"
#include "tree.h"

/* In place of a name: the node becomes one with the node that it goes below. */
#define GRAFT_JOIN (UINT32_MAX - 1)

struct graft {
	const struct tree *from;
	struct tree *to;
	uint32_t *below; /* by node of FROM: one before it in FROM, or the root */
	uint32_t *name;	 /* by node of FROM: its name in TO, or GRAFT_JOIN */
	uint32_t *now;	 /* by node of FROM: what it became; of those that are placed */
	bool in_order;	 /* TO is in time order: only neighbours of one name become one */
	bool distinct;	 /* nodes do not become one, whatever their names */
	bool as_text;	 /* outermost frames get names that a line can begin with */

	struct tree was;     /* of graft_move: FROM */
	struct intern names; /* of graft_rename: those that were */
	uint32_t *last;	     /* of a tree in time order, by node of TO: its last child */
	size_t cap;
};

/* Begins to change T: G->from is T as it was, G->to is T, which has no nodes yet and the same ids
 * for the same names. */
void graft_move(struct graft *g, struct tree *t);

/* Begins to add the nodes of FROM, which must not change, to TO. Unless both have the same ids for
 * the same names, the caller sets all of G->name. */
void graft_add(struct graft *g, struct tree *to, const struct tree *from);

/* After graft_move: gives every node but joined ones the name that PUT makes of its own. G->to has
 * no other names then. */
void graft_rename(struct graft *g, void put(struct buf *b, struct str name));

/* Whether the stacks of T all begin with the same LEAD frames and have others: then nodes are as
 * distinct without these. */
bool graft_is_alike(const struct tree *t, size_t lead);

/* The child of PARENT, both of G->to, with the name ID, or a gap. */
uint32_t graft_child(struct graft *g, uint32_t parent, uint32_t id);

/* Places NODE, for what goes below it or is NODE's own; or all nodes, in the order of FROM. */
void graft_node(struct graft *g, uint32_t node);
void graft_nodes(struct graft *g);

/* Gives G->to, which has no weights, those of all nodes, and the sums of G->from. */
void graft_weigh(struct graft *g);

/* Releases G, and what graft_move put away. Returns G->now, to be freed. */
uint32_t *graft_end(struct graft *g);

#endif
