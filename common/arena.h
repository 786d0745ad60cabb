/* SPDX-License-Identifier: ISC */
/*
 * A bump allocator for many small objects that are freed together. Blocks are never moved, so
 * pointers hold until arena_release. A zeroed struct arena is an empty arena.
 */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

#include "str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
	char *next, *end;
	size_t size; /* of all blocks */
};

void arena_release(struct arena *a);

/* SIZE bytes aligned for any type, uninitialised, owned by the arena. */
void *arena_alloc(struct arena *a, size_t size);

/* A copy of S, unaligned and without terminator, owned by the arena. */
struct str arena_str(struct arena *a, struct str s);

#endif
