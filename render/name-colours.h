/* SPDX-License-Identifier: ISC */
/*
 * The colours that the names of a tree get: a palette's (palette.h), those of a
 * file of rules, those stored in a palette map; and what they mean.
 */
#ifndef NAME_COLOURS_H
#define NAME_COLOURS_H

#include "palette-map.h"
#include "palette-rules.h"
#include "palette.h"
#include "table.h"

enum { NAME_COLOURS_MAX = 4096 }; /* colours in a picture */

/* A line of the legend. */
struct name_colours_meaning {
	struct colour colour;
	struct str text; /* the palette's, the rules' or the words' of the paint */
};

struct name_colours {
	struct colour *colours;
	uint32_t n;
	uint16_t *slots; /* colours by hash: an index + 1, 0 is free */
	uint16_t *of;	 /* by name id: an index into colours */
	struct colour root;
	struct name_colours_meaning *meanings;
	size_t meanings_n, cap;
	struct intern words;
};

struct name_colours_how {
	struct str palette;	     /* must be one */
	const uint64_t *totals;	     /* by node */
	bool by_spelling;	     /* shades, see palette_init */
	bool reversed;		     /* the stacks begin at their leaves */
	struct palette_rules *rules; /* NULL: none */
	struct palette_map *map;     /* the same; gets the names that it lacks */
};

/* Paints the names of T in the order O. The rules must outlive P. More than
 * NAME_COLOURS_MAX colours are told, and the nearest there is taken. The caller releases P. */
void name_colours_init(struct name_colours *p, const struct name_colours_how *how,
	const struct tree *t, const struct table_order *o);
void name_colours_release(struct name_colours *p);

#endif
