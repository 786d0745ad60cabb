/* SPDX-License-Identifier: ISC */
/*
 * Stacks that do not fit in memory: sorted runs of folded text in temporary files, merged at the
 * end. The files are unlinked, so none is left behind however the program ends.
 */
#ifndef SPILL_H
#define SPILL_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "tree.h"

struct spill_run;

struct spill {
	const char *folder; /* of the files; not owned */
	size_t memory;	    /* merging runs may use a part of it; 0: little */
	int columns;
	struct spill_run *runs;
	size_t n, cap;
	uint64_t bytes, most; /* in the files now, and the maximum */
};

void spill_release(struct spill *s);

/* The maximum size of the files of S if TEXT bytes of folded text are added in runs of about RUN
 * bytes; UINT64_MAX if that overflows. */
uint64_t spill_most(const struct spill *s, uint64_t text, uint64_t run);

/* Writes the stacks of T, whose names are sanitized, to a file. The sums of T are over all runs so
 * far, and stay below 64 bits. False after a message. */
bool spill_add(struct spill *s, const struct tree *t);

/* Handles a stack and its weights, borrowed. */
typedef void spill_take(void *to, struct str stack, const uint64_t weight[TREE_COLUMNS]);

/* Passes every stack of all runs once, sorted as by folded_write, to TAKE with TO; the weights are
 * in units of 10^-SCALE, at least as fine as those of the runs. False after a message. */
bool spill_merge(struct spill *s, unsigned scale, spill_take *take, void *to);

/* Adds a line of folded text to B. */
struct spill_form {
	int columns;
	unsigned scale;
};
void spill_put_line(struct buf *b, const struct spill_form *form, struct str stack,
	const uint64_t weight[TREE_COLUMNS]);

#endif
