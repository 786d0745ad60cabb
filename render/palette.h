/* SPDX-License-Identifier: ISC */
/*
 * The colours of names. A palette is a short table of colours, so that a picture needs one path
 * per colour; a name always gets the same colour. Black text is readable on every colour of
 * every palette.
 *
 * A palette has one family of colours in 24 shades, or several in fewer, and two greys for the
 * frames "-" and "--". A family stands for a kind of code by the name alone (language.h), for
 * the origin of code (classify.h), or for one of the heaviest modules or all others.
 *
 * A file of rules, and the map, a file with the colours of earlier pictures, take precedence
 * over the palette.
 */
#ifndef PALETTE_H
#define PALETTE_H

#include "arena.h"
#include "classify.h"
#include "colour.h"
#include "match.h"
#include "table.h"

enum { PALETTE_FAMILIES = 12, PALETTE_MAX = 220 };

/* The family of auto for a profile that has only plain names. */
enum { PALETTE_CLASS_ALONE = CLASSIFY_CLASSES };

struct palette_row;

struct palette {
	const struct palette_row *row; /* static */
	bool by_spelling;
	unsigned families, shades; /* shades per family */
	unsigned tints;		   /* the first colour for inlined functions; 0: none */
	unsigned n;
	struct colour colours[PALETTE_MAX]; /* family by family, the tints, the greys */
};

/* Makes the palette called NAME; false if there is none. BY_SPELLING picks shades by the first
 * and last letters of a name, so that similar spellings look alike; otherwise by a hash of the
 * whole name. */
bool palette_init(struct palette *p, struct str name, bool by_spelling);

/* The name of palette I, from 0; n is 0 beyond the last. */
struct str palette_name(size_t i);

unsigned palette_family(const struct palette *p, struct str name);

/* The colour of NAME in FAMILY: an index into colours. */
unsigned palette_shade(const struct palette *p, unsigned family, struct str name);

/*
 * Rules for colours, lines of a file from the user:
 *
 *	# anything about storage
 *	(?i)sql|btree -> #8fbcbb -> storage
 *	^std::        -> rgb(200,200,210)
 *
 * A line has an expression (match.h), a colour (colour_parse_any) and optionally a text for the
 * legend. The first expression that matches a name counts. Black text must be readable on every
 * colour, so dark ones are lightened (colour_fit), with a warning.
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

/* Reads PATH, which must outlive R. Returns false, after a message with the place of the error.
 * The caller releases R in any case. */
bool palette_rules_init(struct palette_rules *r, const char *path);
void palette_rules_release(struct palette_rules *r);

/* Whether matching an expression was aborted, after a message; results then do not count. */
bool palette_rules_failed(const struct palette_rules *r);

/*
 * A palette map: the colours of names in earlier pictures, in a file of lines
 * "name->rgb(1,2,3)" as flamegraph.pl and inferno write it. The root is the empty name. The
 * file is rewritten, sorted, when names were added.
 */
#define PALETTE_MAP_FILE "palette.map"

struct palette_map_entry {
	struct colour colour;
	bool stored; /* otherwise the name was only looked up */
};

struct palette_map {
	const char *path; /* not owned */
	struct intern names;
	struct palette_map_entry *entries; /* by name id */
	size_t n, cap;
	bool changed;
};

/* Reads PATH, which need not exist and must outlive M. Returns false, after a message, when it
 * cannot be read. Malformed lines are skipped with a warning. */
bool palette_map_init(struct palette_map *m, const char *path);
void palette_map_release(struct palette_map *m);

/* Replaces the file by the contents of M, if anything was added. Returns false, after a
 * message, when that failed; the file is then unchanged. */
bool palette_map_write(const struct palette_map *m);

/* The colours of a tree's names, and their meaning. */

enum { PALETTE_COLOURS_MAX = 4096 }; /* colours in a picture */
enum { PALETTE_NO_KEY = 255 };

/* A line of the legend. */
struct palette_meaning {
	struct colour colour;
	struct str text; /* borrowed from the colours' words */
};

/* The basis of the colours: the palette asked for, or its substitute. */
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
	unsigned char *key; /* by colour: the index of its meaning, or PALETTE_NO_KEY */
	unsigned inlined;   /* the meaning of tints, or PALETTE_NO_KEY */
	struct intern words;
};

struct palette_how {
	struct str palette;	/* must be set */
	const uint64_t *totals; /* by node */
	bool by_spelling;	/* shades, see palette_init */
	bool reversed;		/* the stacks begin at their leaves */
	size_t rows;		/* leading frames of each stack that are not functions */
	struct palette_rules *rules; /* NULL: none */
	struct palette_map *map;     /* NULL: none; gets the names it lacks */
};

/* Colours the names of T in the order O. Colours beyond PALETTE_COLOURS_MAX are replaced by the
 * nearest, with a warning. The caller releases C. */
void palette_colours_init(struct palette_colours *c, const struct palette_how *how,
	const struct tree *t, const struct table_order *o);
void palette_colours_release(struct palette_colours *c);

#endif
