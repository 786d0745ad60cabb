/* SPDX-License-Identifier: ISC */
/*
 * The address space of a process: which dso is mapped where. Ranges never
 * overlap; a new one cuts what was there. An exec does not empty a space:
 * stacks sampled within execve still belong to the old image, which the new one
 * overlays soon enough.
 */
#ifndef SPACE_H
#define SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dso.h"

struct space_map {
	uint64_t start, end; /* end is the first address after it */
	uint64_t offset;     /* in the file, of start */
	struct dso *dso;     /* borrowed */
};

/* A zeroed struct space is empty. */
struct space {
	struct space_map *maps; /* by start */
	size_t n, cap;
	size_t last; /* found last: a hint */
};

void space_release(struct space *s);

/* Maps M over what was there; nothing when it is empty. */
void space_add(struct space *s, const struct space_map *m);

/* Makes TO, which must be empty, a copy of FROM, as fork does. */
void space_copy(struct space *to, const struct space *from);

/* The range that holds ADDRESS, or NULL. Borrowed until the next change. */
const struct space_map *space_find(struct space *s, uint64_t address);

/* ADDRESS in M as the symbols of its dso count; false when not known. */
bool space_symbol_address(const struct space_map *m, uint64_t address, uint64_t *symbol);

#endif
