/* SPDX-License-Identifier: ISC */
/* Writes the table of all frames in a picture; svg-data.h describes it. */
#ifndef TABLE_H
#define TABLE_H

#include "buf.h"
#include "svg-data.h"
#include "tree.h"

/* The order of names in the table. */
struct table_order {
	uint32_t *ids;	/* ids of the tree's names, by line */
	uint32_t *line; /* the line of each id */
	uint32_t n;
};

/* Orders the names that frames of T use. The caller releases O. */
void table_order_init(struct table_order *o, const struct tree *t);
void table_order_release(struct table_order *o);

/* Adds the lines of the names; COLOUR has the colour of each id. */
void table_put_names(struct buf *b, const struct tree *t, const struct table_order *o,
	const uint16_t *colour);

/* Adds the frames of W, a walk of T. */
void table_put_frames(struct buf *b, const struct tree *t, const struct tree_walk *w,
	const struct table_order *o);

/* Adds TEXT, names and frames separated by the empty line, deflated in base64 (RFC 4648).
 * Returns false, adding nothing, when it is too long. */
bool table_pack(struct buf *b, struct str text);

/* Adds one number in the table's digits. */
void table_put_number(struct buf *b, uint64_t number);

/* Adds NAME, escaped: invisible characters (utf8_is_visible) as the viewer shows them. */
void table_put_name(struct buf *b, struct str name);

/* Cuts the next chunk of at most SVG_DATA_CHUNK bytes off *REST: at the end of a line if it has
 * one, else between two characters. */
struct str table_chunk(struct str *rest);

#endif
