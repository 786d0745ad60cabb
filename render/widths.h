/* SPDX-License-Identifier: ISC */
/*
 * The weights that give boxes their widths: those of one column, or of a difference
 * those after and, for frames that have none, those before, so that what is gone keeps
 * its place.
 */
#ifndef WIDTHS_H
#define WIDTHS_H

#include "tree.h"

struct widths {
	const uint64_t *self, *totals; /* by node; borrowed or the next two */
	uint64_t *own_self, *own_totals;
	uint64_t whole; /* of the picture */
};

/* The weights before of the frames of T that have none after; TOTALS are T's. */
uint64_t widths_of_gone(const struct tree *t, uint64_t *const totals[TREE_COLUMNS]);

/* Those of T's COLUMN, borrowed; WHOLE is what is 100 %. The caller releases W. */
void widths_init(struct widths *w, const struct tree *t, const uint64_t *totals,
	int column, uint64_t whole);
void widths_release(struct widths *w);

/* Makes room for GONE, which is widths_of_gone. False, and nothing changes, when there
 * is none or the whole would leave 64 bits. */
bool widths_add_gone(struct widths *w, const struct tree *t, uint64_t gone);

#endif
