/* SPDX-License-Identifier: ISC */
/* The lines of folded text cut into their parts. Only folded.c uses it. */
#ifndef FOLDED_LINE_H
#define FOLDED_LINE_H

#include <stdbool.h>

#include "input.h"
#include "str.h"
#include "tree.h"

struct folded_parts {
	struct str stack, weight[TREE_COLUMNS];
};

/* Cuts LINE into a stack and COLUMNS weights. */
bool folded_line_cut(struct str line, int columns, struct folded_parts *p);

/* LINE without blanks and CR at its end. */
struct str folded_line_trim(struct str line);

static inline bool
folded_line_is_comment(struct str line)
{
	return line.n && line.s[0] == '#';
}

/* The digits of a weight after the point, needless zeroes apart; at most one more than
 * TREE_SCALE_MAX. */
unsigned folded_line_decimals(struct str weight);

/* Whether IN, of which nothing has been taken, is an SVG. */
bool folded_line_is_svg(struct input *in);

/* What the text that begins with HEAD looks like, for people; it is not folded. */
const char *folded_line_look(struct str head);

#endif
