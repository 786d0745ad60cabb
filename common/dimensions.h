/* SPDX-License-Identifier: ISC */
/*
 * The dimensions of a profile: what the first frames of every stack are instead of
 * functions, one frame each, outermost first. The header says them, "by=comm,tid,time"
 * (fg-folded.5); a name has ',' and '%' as %HH. "by=none" says that there are none; without
 * the key nobody knows. A zeroed struct dimensions is that of a header without the key.
 */
#ifndef DIMENSIONS_H
#define DIMENSIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "buf.h"
#include "str.h"

/* More than anybody can look at, and few enough to be searched. */
enum { DIMENSIONS_MOST = 32 };

/* The value of a sample that has none. */
#define DIMENSIONS_NO_VALUE STR("-")

/* The function of a stack that has only values, where these are not shown. */
#define DIMENSIONS_NO_FUNCTION STR("[unknown]")

struct dimensions {
	struct arena arena; /* of the names */
	struct str name[DIMENSIONS_MOST];
	size_t n;
	bool said; /* the header has the key */
};

void dimensions_release(struct dimensions *d);

/* Makes D, which is zeroed, what BY says, the value of the key; an empty one is no key. False,
 * and D is as without the key, when a name is empty or there twice, or there are too many. */
bool dimensions_read(struct dimensions *d, struct str by);

/* Adds the dimension NAME behind the others, innermost; it is copied. False when it is empty, is
 * there or there are too many. */
bool dimensions_add(struct dimensions *d, struct str name);

/* Adds the names of LIST, as the key has them, that D does not have. False when it is not such a
 * list. */
bool dimensions_add_list(struct dimensions *d, struct str list);

/* Whether D has all of ASKED, which OPTION asks for; an error says that not. */
bool dimensions_has(
	const struct dimensions *d, const struct dimensions *asked, const char *option);

/* Tells that D does not have NAME, which OPTION asks for, and what it has. */
void dimensions_tell_missing(
	const struct dimensions *d, struct str name, const char *option);

/* The place of NAME, from 0; D->n when it is none of them. */
size_t dimensions_find(const struct dimensions *d, struct str name);

/* Whether the dimension NAME says nothing but which thread or process a sample is of. */
bool dimensions_is_thread(struct str name);

/* Makes D a copy of FROM. */
void dimensions_copy(struct dimensions *d, const struct dimensions *from);

/* Makes D, which is zeroed, the dimensions that A and B both have, whatever their order: that is
 * the same for B and A, and for copies of copies. Those of A and B when they are equal. */
void dimensions_share(
	struct dimensions *d, const struct dimensions *a, const struct dimensions *b);

bool dimensions_equal(const struct dimensions *a, const struct dimensions *b);

/* How the leading frames of one list of dimensions become those of another. */
struct dimensions_map {
	size_t from, n; /* how many frames come in, and go out */
	size_t place
		[DIMENSIONS_MOST]; /* of each that goes out among those that came in */
};

/* The map from FROM to those of TO that it has. */
struct dimensions_map dimensions_map(
	const struct dimensions *from, const struct dimensions *to);

/* How many of the dimensions that M leaves a stack has that ends after HAVE leading frames: up to
 * the last one that it has a value of, one at least. */
size_t dimensions_there(const struct dimensions_map *m, size_t have);

/* Cuts the leading frames off *STACK and adds those that M leaves to B, each with a ';' behind
 * it. A stack that ends among them stays as short: '-' stands for a value that is missing before
 * others. False when *STACK had no other frames. */
bool dimensions_cut(const struct dimensions_map *m, struct str *stack, struct buf *b);

/* Adds the value of the key; nothing when D has no key. */
void dimensions_put(struct buf *b, const struct dimensions *d);

#endif
