/* SPDX-License-Identifier: ISC */
/*
 * Turns drawn flame graphs back into stacks: boxes of a picture or a page, each on the
 * box of its caller.
 *
 *	struct boxes b = { .c = c, .columns = 1 };
 *
 *	boxes_set_unit(&b, STR("samples"));
 *	i = boxes_add(&b, frame, BOXES_NONE);
 *	b.items[i].is_root = true;
 *	b.items[i].weight[BOXES_AFTER] = total;
 *	...
 *	boxes_subtract(&b, BOXES_AFTER);
 *	boxes_fold(&b);
 *	boxes_release(&b);
 */
#ifndef BOXES_H
#define BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "stack-table.h"
#include "str.h"
#include "weight.h"

/* Replaces a box: without a caller. */
#define BOXES_NONE UINT32_MAX

/* Columns of a picture that compares two profiles; other pictures have only the first. */
enum { BOXES_AFTER, BOXES_BEFORE, BOXES_COLUMNS };

struct box {
	uint32_t frame;	 /* a name in the sink */
	uint32_t parent; /* an earlier box, or BOXES_NONE */
	uint64_t weight[BOXES_COLUMNS];
	bool is_root;	 /* the whole profile: not a frame, except for its own weight */
	bool is_nothing; /* not a frame: its weight belongs to the box below it */
};

/* Empty when zeroed, except for C and COLUMNS. */
struct boxes {
	struct collapse *c; /* not owned */
	struct box *items;
	size_t n, cap;
	int columns;
	unsigned decimals; /* weights are in units of 10^-decimals */
	bool counts;	   /* weights are numbers of samples */
	uint64_t times;	   /* factor from weights to the sink's unit */
	unsigned metric;   /* of the weights, if has_metric */
	bool has_metric;
	struct str by; /* dimensions of the outermost boxes; empty: unknown */
	struct str events[BOXES_COLUMNS]; /* of the columns; empty: unknown */
};

void boxes_release(struct boxes *b);

/* Sets the unit of weights to UNIT as used in pages: "samples", "ms", "bytes", anything;
 * empty means samples. Call before boxes_fold. */
void boxes_set_unit(struct boxes *b, struct str unit);

/* Adds a box without weight. Returns its index, or BOXES_NONE if there are too many. */
uint32_t boxes_add(struct boxes *b, uint32_t frame, uint32_t parent);

/* The row of FRAME called by CALLER in T (stack_table_child), with a box of the same
 * index, which is added for a new row. All boxes of B must be added this way. */
uint32_t boxes_child(
	struct boxes *b, struct stack_table *t, uint32_t caller, uint32_t frame);

/* Replaces frames, which so far were indices in the N FRAMES; invalid ones become
 * unknown, and count as losses. */
void boxes_rename(struct boxes *b, const uint32_t *frames, size_t n);

/* Adds W to the weight of box I in COLUMN; if W has decimals, all weights get decimals.
 * Returns false on overflow. */
bool boxes_weigh(struct boxes *b, uint32_t i, int column, struct weight w);

/* Warns, if the narrowest box weighs more than one UNIT, that narrower ones may be
 * missing from the picture NAME. Call before boxes_subtract. */
void boxes_warn_narrowest(const struct boxes *b, const char *name, struct str unit);

/* Turns total weights in COLUMN into self weights. Returns the number of boxes that weigh
 * less than the boxes on them; these get 0. */
uint64_t boxes_subtract(struct boxes *b, int column);

/* Adds the stack of each box with a weight to the sink. Two columns without events are
 * those of a comparison, "after" and "before". */
void boxes_fold(struct boxes *b);

#endif
