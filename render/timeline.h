/* SPDX-License-Identifier: ISC */
/*
 * When and in which thread the stacks of a profile ran. Where its header says that time is a
 * dimension (by=), the leading frames that are processes, threads, CPUs and times leave the
 * tree: each distinct stack stays once, and its weight is split into cells, one a
 * track (a distinct tuple of these values without the time) and time.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "buf.h"
#include "profile.h"

struct timeline_cell {
	uint64_t weight;
	uint32_t node; /* of the tree without these levels */
	uint32_t track, time;
};

struct timeline {
	struct buf roles;	    /* of the dimensions, as svg-data.h has them */
	struct buf by;		    /* their names, as by= has them */
	struct str *tracks, *times; /* in order, of the next two */
	uint32_t n_tracks, n_times;
	struct intern track_names, time_names;
	struct timeline_cell *cells; /* by node; of a node by track, then time */
	size_t n, cap;
	uint64_t unit; /* all weights are multiples of it */
	uint32_t rows; /* the levels of dimensions that stay in the tree */
};

/* Splits P: its tree is then the one without these levels. False, and nothing has changed, when
 * it has no time, two columns, or an order of time. A stack that ends among the dimensions has no
 * value ('-') of the others. The caller releases TL in any case. */
bool timeline_init(struct timeline *tl, struct profile *p);
void timeline_release(struct timeline *tl);

/* Adds the section of times; frames stand in the order of W, a walk of T. */
void timeline_put(struct buf *b, const struct timeline *tl, const struct tree *t,
	const struct tree_walk *w);

#endif
