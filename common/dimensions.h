/* SPDX-License-Identifier: ISC */
/*
 * The dimensions of a profile: the leading frames of every stack that stand for values such as a
 * thread or a time, one frame each, outermost first. The header lists them, "by=comm,tid,time"
 * (fg-folded.5), with ',' and '%' in names as %HH. "by=none" means no dimensions; without the key
 * they are unknown. A zeroed struct dimensions stands for a header without the key.
 */
#ifndef DIMENSIONS_H
#define DIMENSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* More than a reader can use, and few enough for a linear search. */
enum { DIMENSIONS_MOST = 32 };

/* The value of a sample without one. */
#define DIMENSIONS_NO_VALUE STR("-")

/* Stands for the function where a stack has only values, and these are not shown. */
#define DIMENSIONS_NO_FUNCTION STR("[unknown]")

struct dimensions {
	struct arena arena; /* of the names */
	struct str name[DIMENSIONS_MOST];
	size_t n;
	bool said; /* the header has the key */
};

void dimensions_release(struct dimensions *d);

/* Parses BY, the value of the key, into D, which is zeroed; an empty one counts as missing. False,
 * and D stays as without the key, when a name is empty or duplicate, or there are too many. */
bool dimensions_read(struct dimensions *d, struct str by);

/* Adds the dimension NAME after the others, innermost; it is copied. False when it is empty or
 * duplicate, or there are too many. */
bool dimensions_add(struct dimensions *d, struct str name);

/* Adds the names of LIST, in the syntax of the key, that D lacks. False when LIST is malformed. */
bool dimensions_add_list(struct dimensions *d, struct str list);

/* Whether D has all of ASKED, which OPTION asks for; prints an error if not. */
bool dimensions_has(
	const struct dimensions *d, const struct dimensions *asked, const char *option);

/* Reports that D lacks NAME, which OPTION asks for, and lists its dimensions. */
void dimensions_tell_missing(
	const struct dimensions *d, struct str name, const char *option);

/* The index of NAME, from 0; D->n if absent. */
size_t dimensions_find(const struct dimensions *d, struct str name);

/* Whether the dimension NAME only identifies a sample's thread or process. */
bool dimensions_is_thread(struct str name);

/* Makes D a copy of FROM. */
void dimensions_copy(struct dimensions *d, const struct dimensions *from);

/* Makes D, which is zeroed, the dimensions that A and B share, in an order that does not depend on
 * the order of A and B or of their lists. If A equals B, the order stays. */
void dimensions_share(
	struct dimensions *d, const struct dimensions *a, const struct dimensions *b);

bool dimensions_equal(const struct dimensions *a, const struct dimensions *b);

/* How to turn the leading frames for one list of dimensions into those for another. */
struct dimensions_map {
	size_t from, n; /* how many leading frames go in, and come out */
	size_t place
		[DIMENSIONS_MOST]; /* for each that comes out, its index among those that go in */
};

/* The map from FROM to the dimensions of TO that FROM has. */
struct dimensions_map dimensions_map(
	const struct dimensions *from, const struct dimensions *to);

/* How many of M's resulting dimensions a stack has that ends after HAVE leading frames: up to its
 * last value, at least one. */
size_t dimensions_there(const struct dimensions_map *m, size_t have);

/* Cuts the leading frames off *STACK and adds the mapped ones to B, each followed by ';'. A stack
 * that ends among them stays short: '-' stands for a missing value before others. False when *STACK
 * had only leading frames. */
bool dimensions_cut(const struct dimensions_map *m, struct str *stack, struct buf *b);

/* Adds the value of the key; nothing if D lacks the key. */
void dimensions_put(struct buf *b, const struct dimensions *d);

#endif
