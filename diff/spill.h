/* SPDX-License-Identifier: ISC */
/*
 * Stacks that do not fit in memory: sorted runs of folded text in temporary
 * files, merged at the end. The files have no names, so none is left behind
 * however the program ends.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "tree.h"

struct spill_run;

struct spill {
	const char *folder; /* for the files; not owned */
	size_t memory;	    /* that merging runs may use a part of; 0: little */
	int columns;
	struct spill_run *runs;
	size_t n, cap;
	uint64_t bytes, most; /* in the files now, and at any time */
};

void spill_release(struct spill *s);

/* How large the files of S will be at most if TEXT, bytes of folded text, is put into them in runs
 * of about RUN bytes; UINT64_MAX when that overflows. */
uint64_t spill_most(const struct spill *s, uint64_t text, uint64_t run);

/* Writes the stacks of T, whose names are clean, to a file; the sums of T, which
 * stay below 64 bits, are those of all runs so far. False after a message. */
bool spill_add(struct spill *s, const struct tree *t);

/* Takes a stack and its weights, borrowed. */
typedef void spill_take(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS]);

/* Gives every stack of all runs once, sorted as folded_write does, to TAKE with TO;
 * the weights are in units of 10^-SCALE, which no run exceeds. False after a message. */
bool spill_merge(struct spill *s, unsigned scale, spill_take *take, void *to);

/* Adds a line of folded text to B. */
struct spill_form {
	int columns;
	unsigned scale;
};
void spill_put_line(struct buf *b, const struct spill_form *form, struct str stack,
	const uint64_t weight[TREE_COLUMNS]);

#endif
