/* SPDX-License-Identifier: ISC */
/*
 * What explains what among the functions that changed. A change of a function is its own where it
 * is one of its self weight, or of what it calls but no part of that alone; otherwise it is that
 * of the functions below it which are causes. So each change is attributed once, to the deepest
 * functions that explain it.
 */
#ifndef CAUSES_H
#define CAUSES_H

#include "changes.h"

/* A function that changed. */
struct cause {
	uint32_t name;
	bool is_self; /* its self weight did */
	size_t of;    /* the cause that explains it: its own number if it is one */
	double own;   /* a cause's change of the rate that no cause below explains */
	size_t renamed; /* of one that only a side has: the one that may be the same code; else its
			   own number */
};

struct causes_options {
	double cut; /* the largest p-value, not adjusted, that is no chance */
	bool exact; /* any change is one */
};

/* Finds the causes among ALL, N functions of the tree of C, whose name and is_self are set. Returns
 * how many there are. */
size_t causes_find(struct cause *all, size_t n, const struct changes *c,
	const struct causes_options *options);

#endif
