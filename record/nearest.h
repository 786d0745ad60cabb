/* SPDX-License-Identifier: ISC */
/*
 * The few names that a mistyped one may have meant, by how many letters were
 * added, left out, changed or swapped with their neighbour.
 */
#ifndef NEAREST_H
#define NEAREST_H

#include "arena.h"
#include "buf.h"
#include "str.h"

enum { NEAREST_MAX = 3 };

/* WANT is what was typed, borrowed; the rest is zero at first. */
struct nearest {
	struct str want;
	struct str found[NEAREST_MAX]; /* nearest first, in TEXT */
	unsigned distance[NEAREST_MAX];
	unsigned n;
	struct arena text;
};

/* Looks at NAME, which is copied if it is kept. */
void nearest_offer(struct nearest *near, struct str name);

/* Adds "; did you mean A, B or C?" to B, nothing when no name is near. */
void nearest_put(const struct nearest *near, struct buf *b);

void nearest_release(struct nearest *near);

#endif
