/* SPDX-License-Identifier: ISC */
/*
 * What fg-svg --source puts into a picture: the hottest lines of each function that costs
 * something, as texts for the card of its frames. The JSON is
 *
 *	"lines":[["work",["spin.c:19 4.6 % (94.8 %) s += two(i);", ...]], ...]
 */
#ifndef HOT_LINES_H
#define HOT_LINES_H

#include "buf.h"
#include "debuginfod.h"
#include "intern.h"
#include "opt.h"
#include "profile.h"

struct hot_lines {
	struct intern functions;
	struct buf
		*texts; /* by function: its lines, the hottest first, each with a '\n' */
};

/* Makes H of P, with sources that lie below FOLDERS or come from SERVERS, which may be NULL, and
 * then takes the places out of the names of P: what was a frame a line is one of a function. False,
 * after a message, when no frame has a place. The caller releases H. */
bool hot_lines_init(struct hot_lines *h, struct profile *p,
	const struct opt_list *folders, struct debuginfod *servers);
void hot_lines_release(struct hot_lines *h);

/* Adds H to an object. */
void hot_lines_put(struct buf *b, const struct hot_lines *h);

#endif
