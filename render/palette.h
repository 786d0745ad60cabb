/* SPDX-License-Identifier: ISC */
/*
 * Names to colours. A palette is a short table of colours, so that a picture
 * needs one path a colour; a name always gets the same one. Black text is
 * readable on every colour of every palette.
 *
 * A palette has one family of colours in 24 shades or one family for each kind of
 * code (kind.h) in 8, and two greys for the frames "-" and "--".
 */
#ifndef PALETTE_H
#define PALETTE_H

#include "colour.h"

enum { PALETTE_MAX = 88 };

struct palette_rule;

struct palette {
	const struct palette_rule *rule; /* static */
	bool by_spelling;
	unsigned families, shades; /* of a family */
	unsigned n;
	struct colour colours[PALETTE_MAX]; /* family by family, then the greys */
};

/* Makes the palette called NAME; false when there is none. BY_SPELLING takes
 * shades by the first letters of a name and the last, so that names spelled
 * alike look alike, else by a hash of all of it. */
bool palette_init(struct palette *p, struct str name, bool by_spelling);

/* Adds the names of all palettes, with a comma and a blank between. */
void palette_list(struct buf *b);

/* The name of palette I, counted from 0; n is 0 when there is none. */
struct str palette_name(size_t i);

/* The colour of the frame NAME: an index into colours. */
unsigned palette_pick(const struct palette *p, struct str name);

/* What family I stands for, "kernel" for example; n is 0 when it has no
 * meaning (a palette of one family). */
struct str palette_meaning(const struct palette *p, unsigned i);

#endif
