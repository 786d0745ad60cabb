/* SPDX-License-Identifier: ISC */
/*
 * Selects stacks by the values of their dimensions: "tid=4711", "time=1.2s..3.4s". Of conditions on
 * the same dimension one has to hold; conditions on different dimensions all have to.
 */
#ifndef WHERE_H
#define WHERE_H

#include <stdbool.h>
#include <stddef.h>

#include "dimensions.h"
#include "tree.h"

struct where_condition {
	struct str name, value; /* not owned */
	bool is_range;		/* of time, from FIRST up to before END, in ns */
	uint64_t first, end;
	size_t place; /* of the dimension */
};

struct where {
	const char *option; /* the option of the conditions, for messages */
	int column;	    /* the column to change, from 1; 0: all */
	struct where_condition *conditions;
	size_t n, cap;
};

void where_release(struct where *w);

/* Adds the condition TEXT, DIM=VALUE, which must outlive W. Returns NULL, or an error text. */
const char *where_add(struct where *w, const char *text);

/* Drops the stacks of T, whose dimensions are D, that do not match, and adds their weight to
 * DROPPED. False, after an error, when D lacks a dimension of W. */
bool where_take(struct where *w, const struct dimensions *d, struct tree *t,
	uint64_t dropped[TREE_COLUMNS]);

/* Adds the conditions as given, separated by blanks. */
void where_put(struct buf *b, const struct where *w);

#endif
