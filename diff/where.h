/* SPDX-License-Identifier: ISC */
/*
 * Stacks chosen by the values of their dimensions: "tid=4711", "time=1.2s..3.4s". Of conditions on
 * one dimension one has to hold, of those on different ones all.
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
	const char *option; /* that the conditions came by, for messages */
	int column;	    /* whose weights are taken, from 1; 0: all */
	struct where_condition *conditions;
	size_t n, cap;
};

void where_release(struct where *w);

/* Adds the condition TEXT, DIM=VALUE, which must outlive W. What is wrong, or NULL. */
const char *where_add(struct where *w, const char *text);

/* Takes the stacks of T, whose dimensions are D, that do not fit away; what they weigh is added to
 * DROPPED. False, after an error, when D does not have a dimension that W asks for. */
bool where_take(struct where *w, const struct dimensions *d, struct tree *t,
	uint64_t dropped[TREE_COLUMNS]);

/* Adds the conditions as they were given, with blanks between. */
void where_put(struct buf *b, const struct where *w);

#endif
