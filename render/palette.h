/* SPDX-License-Identifier: ISC */
/*
 * Names to colours. A palette is a short table of colours, so that a picture
 * needs one path a colour; a name always gets the same one. Black text is
 * readable on every colour of every palette.
 *
 * A palette has one family of colours in 24 shades, or several in fewer, and two
 * greys for the frames "-" and "--". The families stand for sorts of code by the name
 * alone (language.h), for where code comes from (classify.h), or for the heaviest modules
 * and one for all other.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include "classify.h"
#include "colour.h"

enum { PALETTE_FAMILIES = 12, PALETTE_MAX = 120 };

/* The family of auto for a profile of plain names alone. */
enum { PALETTE_CLASS_ALONE = CLASSIFY_CLASSES };

/* What a family follows from. */
enum palette_by { PALETTE_BY_NAME, PALETTE_BY_CLASS, PALETTE_BY_MODULE };

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

enum palette_by palette_by(const struct palette *p);

/* The family of NAME, by its name. */
unsigned palette_family(const struct palette *p, struct str name);

/* The colour of NAME, which is of FAMILY: an index into colours. */
unsigned palette_shade(const struct palette *p, unsigned family, struct str name);

/* Whether NAME is none of "-" and "--". */
bool palette_is_named(struct str name);

/* What family I stands for, "kernel" for example; n is 0 when it has no
 * meaning (a palette of one family). */
struct str palette_meaning(const struct palette *p, unsigned i);

#endif
