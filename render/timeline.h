/* SPDX-License-Identifier: ISC */
/*
 * The times and threads of a profile's stacks. If the header lists time as a dimension (by=),
 * the leading frames that are processes, threads, CPUs and times leave the tree: each distinct
 * stack stays once, and its weight is split into cells by track (a distinct tuple of these
 * values except the time) and time.
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
	struct buf roles;	    /* of the dimensions, as in svg-data.h */
	struct buf by;		    /* their names, as in by= */
	struct str *tracks, *times; /* sorted, of the next two */
	uint32_t n_tracks, n_times;
	struct intern track_names, time_names;
	struct timeline_cell *cells; /* by node, then track, then time */
	size_t n, cap;
	uint64_t unit; /* a divisor of all weights */
	uint32_t rows; /* levels of dimensions that stay in the tree */
};

/* Splits P: its tree loses these levels. Returns false, without changes, when P has no time,
 * has two columns, or is in time order. A stack that ends among the dimensions has no value
 * ('-') for the others. The caller releases TL in any case. */
bool timeline_init(struct timeline *tl, struct profile *p);
void timeline_release(struct timeline *tl);

/* Adds the section of times; frames are in the order of W, a walk of T. */
void timeline_put(struct buf *b, const struct timeline *tl, const struct tree *t,
	const struct tree_walk *w);

#endif
