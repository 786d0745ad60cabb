/* SPDX-License-Identifier: ISC */
/*
 * Flame graphs as they are drawn: boxes, each on the box of its caller. From the boxes of
 * a picture or a page back to stacks.
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

/* In place of a box: it stands on none. */
#define BOXES_NONE UINT32_MAX

/* The columns of a picture that compares two profiles; others have the first. */
enum { BOXES_AFTER, BOXES_BEFORE, BOXES_COLUMNS };

struct box {
	uint32_t frame;	 /* a name of the sink */
	uint32_t parent; /* a box before this one, or BOXES_NONE */
	uint64_t weight[BOXES_COLUMNS];
	bool is_root; /* stands for everything: no frame, but for a weight of its own */
	bool is_nothing; /* no frame at all: what it weighs is of the one below it */
};

/* Zeroed but for C and COLUMNS it is empty. */
struct boxes {
	struct collapse *c; /* not owned */
	struct box *items;
	size_t n, cap;
	int columns;
	unsigned decimals; /* weights are units of 10^-decimals */
	bool counts;	   /* weights are numbers of samples */
	uint64_t times;	   /* what a weight has to be multiplied by for the unit */
	unsigned metric;   /* that they are of, if they are of one */
	bool has_metric;
	struct str by; /* the dimensions of the outermost boxes; empty: not said */
	struct str events[BOXES_COLUMNS]; /* whose weights they are; empty: not said */
};

void boxes_release(struct boxes *b);

/* The weights are in UNIT as pages call it: "samples", "ms", "bytes", anything; empty:
 * samples. To be called before boxes_fold. */
void boxes_set_unit(struct boxes *b, struct str unit);

/* Adds a box without weight; its number, or BOXES_NONE when there are too many. */
uint32_t boxes_add(struct boxes *b, uint32_t frame, uint32_t parent);

/* The row of FRAME called by CALLER in T (stack_table_child), with a box of the same number, which
 * is added when the row is new. All boxes of B have to come so. */
uint32_t boxes_child(
	struct boxes *b, struct stack_table *t, uint32_t caller, uint32_t frame);

/* Frames of boxes so far were places in FRAMES, which has N; those that are none become
 * unknown, and are losses. */
void boxes_rename(struct boxes *b, const uint32_t *frames, size_t n);

/* Adds W to the weight of box I in COLUMN; when it has decimals all weights get some. False when
 * it does not fit in 64 bits. */
bool boxes_weigh(struct boxes *b, uint32_t i, int column, struct weight w);

/* Warns, when the narrowest box weighs more than one UNIT, that narrower ones may be missing from
 * the picture NAME. To be called before boxes_subtract. */
void boxes_warn_narrowest(const struct boxes *b, const char *name, struct str unit);

/* Weights of COLUMN become those that boxes have for themselves. How many have less than the
 * boxes on them; they are left with nothing. */
uint64_t boxes_subtract(struct boxes *b, int column);

/* Adds the stack of each box that has a weight to the sink. Two columns whose events nobody has
 * said are those of a comparison, "after" and "before". */
void boxes_fold(struct boxes *b);

#endif
