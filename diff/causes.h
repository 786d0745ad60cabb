/* SPDX-License-Identifier: ISC */
/*
 * Finds which changed functions explain others. A function's change is its own if its self weight
 * changed, or its callees changed together without any of them doing so alone; otherwise it belongs
 * to the functions below it that are causes. So each change is attributed once, to the deepest
 * functions that explain it.
 */
#ifndef CAUSES_H
#define CAUSES_H

#include "changes.h"

/* A function that changed. */
struct cause {
	uint32_t name;
	bool is_self; /* its self weight changed */
	size_t of;    /* the cause that explains it; its own index if it is a cause */
	double own; /* the part of a cause's change of the rate that causes below do not explain */
	size_t renamed; /* if new or removed: the one that may be the same code; else itself */
};

struct causes_options {
	double cut; /* the largest unadjusted p-value that is significant */
	bool exact; /* any difference is a change */
};

/* Finds the causes in ALL, N functions of the tree of C, whose name and is_self are set. Returns
 * the number of causes. */
size_t causes_find(struct cause *all, size_t n, const struct changes *c,
	const struct causes_options *options);

#endif
