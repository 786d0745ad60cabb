/* SPDX-License-Identifier: ISC */
/*
 * Maps the ids of a file's elements, mostly small and dense, to their places in a table.
 * A zeroed struct places is empty.
 */
#ifndef PLACES_H
#define PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "idmap.h"

struct places {
	uint32_t *dense; /* place + 1 by id; 0: none */
	size_t dense_n, dense_cap;
	struct idmap others;
};

#define PLACES_NONE UINT64_MAX

void places_release(struct places *m);

/* Maps ID to PLACE, which counts from 0; the last call for an ID counts. */
void places_add(struct places *m, uint64_t id, size_t place);

/* The place of ID, or PLACES_NONE. */
uint64_t places_find(const struct places *m, uint64_t id);

#endif
