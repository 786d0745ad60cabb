/* SPDX-License-Identifier: ISC */
/*
 * The address space of a process: which dso is mapped where. Ranges never
 * overlap; a new one cuts what was there. An exec does not empty a space:
 * stacks sampled within execve still belong to the old image, which the new one
 * overlays soon enough.
 */
#ifndef ADDRESS_SPACE_H
#define ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dso.h"

struct address_space_map {
	uint64_t start, end; /* end is the first address after it */
	uint64_t offset;     /* in the file, of start */
	struct dso *dso;     /* borrowed */
};

/* A range, those before it and those after it. Of several users nobody changes it. */
struct address_space_node {
	struct address_space_node *side[2];
	struct address_space_map map;
	uint32_t users;
	int32_t height; /* the two sides' differ by 1 at most */
};

/* A zeroed struct address_space is empty. Copies share what none of them has changed. */
struct address_space {
	struct address_space_node *root;
	uint64_t
		version; /* the owner's: no two spaces or states have the same; 0: none */
};

void address_space_release(struct address_space *s);

/* Maps M over what was there; nothing when it is empty. */
void address_space_add(struct address_space *s, const struct address_space_map *m);

/* Takes whole away what has an address from START on and before END. */
void address_space_remove(struct address_space *s, uint64_t start, uint64_t end);

/* Makes TO, which must be empty, a copy of FROM, as fork does: at once, however much
 * FROM has. */
void address_space_copy(struct address_space *to, const struct address_space *from);

/* The range that holds ADDRESS, or NULL. Borrowed until the next change. */
const struct address_space_map *address_space_find(
	const struct address_space *s, uint64_t address);

/* ADDRESS in M as the symbols of its dso count; false when not known. */
bool address_space_symbol_address(
	const struct address_space_map *m, uint64_t address, uint64_t *symbol);

#endif
