/* SPDX-License-Identifier: ISC */
/*
 * The few names that a mistyped one may have meant, by the number of letters added, left out,
 * changed or swapped with their neighbour.
 */
#ifndef SUGGEST_H
#define SUGGEST_H

#include "arena.h"
#include "buf.h"
#include "str.h"

enum { SUGGEST_MAX = 3 };

/* WANT is the typed word, borrowed; the rest is zero at first. */
struct suggest {
	struct str want;
	struct str prefix;	       /* put before each name; borrowed */
	struct str found[SUGGEST_MAX]; /* nearest first, in TEXT */
	unsigned distance[SUGGEST_MAX];
	unsigned n;
	struct arena text;
};

/* Considers NAME, which is copied if it is kept. */
void suggest_offer(struct suggest *near, struct str name);

/* Adds "; did you mean A, B or C?" to B, or nothing if no name is near. */
void suggest_put(const struct suggest *near, struct buf *b);

void suggest_release(struct suggest *near);

#endif
