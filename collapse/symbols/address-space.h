/* SPDX-License-Identifier: ISC */
/*
 * The address space of a process: which dso is mapped where. Ranges never overlap; a
 * new one cuts older ones. An exec does not empty a space: stacks sampled within execve
 * still belong to the old image, which the new one soon overlays.
 */
#ifndef ADDRESS_SPACE_H
#define ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dso.h"

struct address_space_map {
	uint64_t start, end; /* end is exclusive */
	uint64_t offset;     /* in the file, of start */
	struct dso *dso;     /* borrowed */
};

/* A range, with lower ranges on one side and higher ones on the other. A node with
 * several users is immutable. */
struct address_space_node {
	struct address_space_node *side[2];
	struct address_space_map map;
	uint32_t users;
	int32_t height; /* the two sides differ by 1 at most */
};

/* A zeroed struct address_space is empty. Copies share their unchanged parts. */
struct address_space {
	struct address_space_node *root;
	uint64_t version; /* set by the owner, unique among spaces and states; 0: none */
};

void address_space_release(struct address_space *s);

/* Maps M, replacing older maps there. Does nothing if M is empty. */
void address_space_add(struct address_space *s, const struct address_space_map *m);

/* Removes every map, whole, that has an address in [START, END). */
void address_space_remove(struct address_space *s, uint64_t start, uint64_t end);

/* Makes TO, which must be empty, a copy of FROM, as fork does, in constant time. */
void address_space_copy(struct address_space *to, const struct address_space *from);

/* The range that contains ADDRESS, or NULL. Borrowed until the next change. */
const struct address_space_map *address_space_find(
	const struct address_space *s, uint64_t address);

/* Sets *SYMBOL to ADDRESS in M as its dso's symbols count. Returns false if unknown. */
bool address_space_symbol_address(
	const struct address_space_map *m, uint64_t address, uint64_t *symbol);

#endif
