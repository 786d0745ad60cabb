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

/* The place of NAME, from 0; D->n when it is none of them. */
size_t dimensions_find(const struct dimensions *d, struct str name);

/* Adds the value of the key; nothing when D has no key. */
void dimensions_put(struct buf *b, const struct dimensions *d);

#endif
