/* SPDX-License-Identifier: ISC */
/*
 * Names of functions as a report shows them: visible, and no wider than fits. Of one that is too
 * wide, template arguments become "<...>" and the argument list "(...)"; if it still is, the
 * middle is cut out. Names that would be the same then are cut less.
 */
#ifndef DIFF_NAMES_H
#define DIFF_NAMES_H

#include "intern.h"
#include "buf.h"

struct diff_name {
	uint32_t id;
	struct buf text;
	int step; /* how little is cut */
	bool is_cut;
};

struct diff_names {
	struct diff_name *all; /* by id */
	size_t n;
};

/* Shows the names of IDS, N of those in NAMES, each in COLUMNS if it can be. The caller
 * releases X. */
void diff_names_init(struct diff_names *x, const struct intern *names,
	const uint32_t *ids, size_t n, size_t columns);
void diff_names_release(struct diff_names *x);

/* What is shown of the name ID; NULL: it was not among IDS. */
const struct diff_name *diff_names_find(const struct diff_names *x, uint32_t id);

#endif
