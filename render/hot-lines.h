/* SPDX-License-Identifier: ISC */
/*
 * The hottest lines of each costly function, which fg-svg --source adds to a picture as text
 * for the cards of its frames. The JSON is
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
	struct buf *
		texts; /* by function: its lines, the hottest first, each followed by '\n' */
};

/* Computes H from P, with sources below FOLDERS or from SERVERS, which may be NULL; then
 * removes the places from the names of P, so that frames are functions, not lines. Returns
 * false, after a message, when no frame has a place. The caller releases H. */
bool hot_lines_init(struct hot_lines *h, struct profile *p,
	const struct opt_list *folders, struct debuginfod *servers);
void hot_lines_release(struct hot_lines *h);

/* Adds H to an object. */
void hot_lines_put(struct buf *b, const struct hot_lines *h);

#endif
