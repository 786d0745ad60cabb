/* SPDX-License-Identifier: ISC */
/*
 * The colours of names. A palette is a short table of colours, so that a picture
 * needs one path a colour; a name always gets the same one. Black text is
 * readable on every colour of every palette.
 *
 * A palette has one family of colours in 24 shades, or several in fewer, and two
 * greys for the frames "-" and "--". The families stand for sorts of code by the name
 * alone (language.h), for where code comes from (classify.h), or for the heaviest modules
 * and one for all other.
 *
 * A file of rules and a file of the colours of earlier pictures, the map, go before the
 * palette.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include "arena.h"
#include "classify.h"
#include "colour.h"
#include "match.h"
#include "table.h"

enum { PALETTE_FAMILIES = 12, PALETTE_MAX = 220 };

/* The family of auto for a profile of plain names alone. */
enum { PALETTE_CLASS_ALONE = CLASSIFY_CLASSES };

struct palette_row;

struct palette {
	const struct palette_row *row; /* static */
	bool by_spelling;
	unsigned families, shades; /* of a family */
	unsigned tints; /* where colours for inlined functions begin; 0: there are none */
	unsigned n;
	struct colour colours[PALETTE_MAX]; /* family by family, the tints, the greys */
};

/* Makes the palette called NAME; false when there is none. BY_SPELLING takes
 * shades by the first letters of a name and the last, so that names spelled
 * alike look alike, else by a hash of all of it. */
bool palette_init(struct palette *p, struct str name, bool by_spelling);

/* The name of palette I, counted from 0; n is 0 when there is none. */
struct str palette_name(size_t i);

/* The family of NAME, by its name. */
unsigned palette_family(const struct palette *p, struct str name);

/* The colour of NAME, which is of FAMILY: an index into colours. */
unsigned palette_shade(const struct palette *p, unsigned family, struct str name);

/*
 * Colours that a user chose, by lines of a file:
 *
 *	# anything about storage
 *	(?i)sql|btree -> #8fbcbb -> storage
 *	^std::        -> rgb(200,200,210)
 *
 * An expression (match.h), a colour (colour_parse_any) and, if the legend is to name
 * it, a text. The first expression that matches a name counts. Black text must be
 * readable on every colour, so dark ones are lifted (colour_fit), with a warning.
 */
struct palette_rule {
	struct match *match;
	struct colour colour;
	struct str meaning; /* n is 0 without */
	uint64_t line;
};

struct palette_rules {
	const char *path; /* not owned */
	struct palette_rule *items;
	size_t n, cap;
	struct arena texts;
};

/* Reads PATH, which must outlive R. False, after a message with the place of
 * whatever is wrong. The caller releases R in any case. */
bool palette_rules_init(struct palette_rules *r, const char *path);
void palette_rules_release(struct palette_rules *r);

/* Whether an expression was given up, after a message; what was found does not count. */
bool palette_rules_failed(const struct palette_rules *r);

/*
 * A palette map: the colours that names had in earlier pictures, kept in a file of
 * lines "name->rgb(1,2,3)" as flamegraph.pl and inferno do. The root is the empty
 * name. The file is written anew, sorted, when names were added.
 */
#define PALETTE_MAP_FILE "palette.map"

struct palette_map_entry {
	struct colour colour;
	bool stored; /* else the name was only asked for */
};

struct palette_map {
	const char *path; /* not owned */
	struct intern names;
	struct palette_map_entry *entries; /* by name id */
	size_t n, cap;
	bool changed;
};

/* Reads PATH, which need not exist and must outlive M. False, after a message,
 * when it cannot be read. Lines that say nothing are skipped with a warning. */
bool palette_map_init(struct palette_map *m, const char *path);
void palette_map_release(struct palette_map *m);

/* Replaces the file by what M holds, if anything was added. False, after a message,
 * when that failed; the file then is as it was. */
bool palette_map_write(const struct palette_map *m);

/* The colours that the names of a tree get, and what they mean. */

enum { PALETTE_COLOURS_MAX = 4096 }; /* colours in a picture */
enum { PALETTE_NO_KEY = 255 };

/* A line of the legend. */
struct palette_meaning {
	struct colour colour;
	struct str text; /* borrowed from the colours' words */
};

/* What colours follow from: the palette asked for, or what stands in for it. */
enum palette_by { PALETTE_BY_NAME, PALETTE_BY_ORIGIN, PALETTE_BY_MODULE };

struct palette_colours {
	enum palette_by by;
	struct colour *items;
	uint32_t n;
	uint16_t *slots; /* colours by hash: an index + 1, 0 is free */
	uint16_t *of;	 /* by name id: an index into items */
	struct colour root;
	struct palette_meaning *meanings;
	size_t meanings_n, cap;
	unsigned char *key; /* by colour: which meaning it has, or PALETTE_NO_KEY */
	unsigned inlined;   /* the meaning of tints, or PALETTE_NO_KEY */
	struct intern words;
};

struct palette_how {
	struct str palette;	     /* must be one */
	const uint64_t *totals;	     /* by node */
	bool by_spelling;	     /* shades, see palette_init */
	bool reversed;		     /* the stacks begin at their leaves */
	size_t rows;		     /* how many frames of each stack are no functions */
	struct palette_rules *rules; /* NULL: none */
	struct palette_map *map;     /* the same; gets the names that it lacks */
};

/* Colours the names of T in the order O. For each colour beyond PALETTE_COLOURS_MAX the
 * nearest is used, with a warning. The caller releases C. */
void palette_colours_init(struct palette_colours *c, const struct palette_how *how,
	const struct tree *t, const struct table_order *o);
void palette_colours_release(struct palette_colours *c);

#endif
