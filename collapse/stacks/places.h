/* SPDX-License-Identifier: ISC */
/*
 * Where the things of a file are in a table, by the ids that the file gives them: mostly small
 * and dense. A zeroed struct places is empty.
 */
#ifndef PLACES_H
#define PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "idmap.h"

struct places {
	uint32_t *dense; /* a place + 1 by id; 0: none */
	size_t dense_n, dense_cap;
	struct idmap others;
};

/* No place. */
#define PLACES_NONE UINT64_MAX

void places_release(struct places *m);

/* Gives ID the PLACE, of those that count from 0; the last call for an ID holds. */
void places_add(struct places *m, uint64_t id, size_t place);

/* The place of ID, or PLACES_NONE. */
uint64_t places_find(const struct places *m, uint64_t id);

#endif
