/* SPDX-License-Identifier: ISC */
/*
 * From ids that a file gives to things, which are mostly small and dense, to their places in a
 * table. A zeroed one is empty.
 */
#ifndef ID_MAP_H
#define ID_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "intern.h"

struct id_map {
	uint32_t *dense; /* a place + 1 by id; 0: none */
	size_t dense_n, dense_cap;
	struct intern others; /* ids, as bytes */
	uint32_t *places;     /* by the id of others */
	size_t place_cap;
};

/* No place. */
#define ID_MAP_NONE UINT64_MAX

void id_map_release(struct id_map *m);

/* Gives ID the PLACE, of those that count from 0; the last call for an ID holds. */
void id_map_add(struct id_map *m, uint64_t id, size_t place);

/* The place of ID, or ID_MAP_NONE. */
uint64_t id_map_find(const struct id_map *m, uint64_t id);

#endif
