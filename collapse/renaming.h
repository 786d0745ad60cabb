/* SPDX-License-Identifier: ISC */
/*
 * Frames that get their names when all is read: until then each has a name id of its own
 * in the tree, which renaming_apply puts the right frames for.
 */
#ifndef RENAMING_H
#define RENAMING_H

#include <stddef.h>
#include <stdint.h>

#include "collapse.h"

struct renaming_entry {
	uint32_t id;
	size_t first, n; /* of ids */
};

/* A zeroed one has no names. */
struct renaming {
	struct renaming_entry *entries;
	size_t n, cap;
	uint32_t *ids;
	size_t id_n, id_cap;
};

void renaming_release(struct renaming *r);

/* The frame ID becomes the N frames IDS, innermost first; they are copied. */
void renaming_add(struct renaming *r, uint32_t id, const uint32_t *ids, size_t n);

/* Replaces the frames in the stacks of C; nodes that become the same are one. */
void renaming_apply(const struct renaming *r, struct collapse *c);

#endif
