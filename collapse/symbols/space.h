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

/* A range, those before it and those after it. Of several users nobody changes it. */
struct space_node {
	struct space_node *side[2];
	struct space_map map;
	uint32_t users;
	int32_t height; /* the two sides' differ by 1 at most */
};

/* A zeroed struct space is empty. Copies share what none of them has changed. */
struct space {
	struct space_node *root;
	uint64_t
		version; /* the owner's: no two spaces or states have the same; 0: none */
	const struct space_map *last; /* found last: a hint */
};

void space_release(struct space *s);

/* Maps M over what was there; nothing when it is empty. */
void space_add(struct space *s, const struct space_map *m);

/* Takes whole away what has an address from START on and before END. */
void space_remove(struct space *s, uint64_t start, uint64_t end);

/* Makes TO, which must be empty, a copy of FROM, as fork does: at once, however much
 * FROM has. */
void space_copy(struct space *to, const struct space *from);

/* The range that holds ADDRESS, or NULL. Borrowed until the next change. */
const struct space_map *space_find(struct space *s, uint64_t address);

/* ADDRESS in M as the symbols of its dso count; false when not known. */
bool space_symbol_address(const struct space_map *m, uint64_t address, uint64_t *symbol);

#endif
