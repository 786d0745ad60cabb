/* SPDX-License-Identifier: ISC */
/*
 * Function names for reports: visible, and cut to fit. In a name that is too wide, template
 * arguments become "<...>" and the argument list "(...)"; if it still is, its middle is cut out.
 * Names that become equal this way are cut less.
 */
#ifndef DIFF_NAMES_H
#define DIFF_NAMES_H

#include "intern.h"
#include "buf.h"

struct diff_name {
	uint32_t id;
	struct buf text;
	int step; /* how names are cut */
	bool is_cut;
};

struct diff_names {
	struct diff_name *all; /* by id */
	size_t n;
};

/* Cuts the names of IDS, N of those in NAMES, to COLUMNS if possible. The caller releases X. */
void diff_names_init(struct diff_names *x, const struct intern *names,
	const uint32_t *ids, size_t n, size_t columns);
void diff_names_release(struct diff_names *x);

/* The shortened name of ID; NULL if it was not among IDS. */
const struct diff_name *diff_names_find(const struct diff_names *x, uint32_t id);

#endif
