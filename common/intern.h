/* SPDX-License-Identifier: ISC */
/*
 * Maps names to small numbers: equal bytes have the same id, ids count from 0 in the order of first
 * use. The table owns a copy of each name.
 */
#ifndef INTERN_H
#define INTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "str.h"

struct intern_name {
	const char *s;
	uint32_t n;
	uint32_t hash; /* the low half of str_hash */
};

struct intern {
	struct arena arena;
	struct intern_name *names;
	size_t cap;
	uint32_t n;
	uint32_t *slots; /* id + 1; 0: free; their number is a power of two */
	uint32_t slot_mask;
};

/* A zeroed struct intern is an empty table. */
void intern_release(struct intern *t);

/* The memory that T holds. */
size_t intern_bytes(const struct intern *t);

/* The id of NAME, added if new. A name of 4 GiB or the 2^32nd name ends the program. */
uint32_t intern_id(struct intern *t, struct str name);

/* Sets *ID to the id of NAME; false when it is not in the table. */
bool intern_find(const struct intern *t, struct str name, uint32_t *id);

/* As intern_id when HASH, which must be (uint32_t)str_hash(NAME), is known. */
uint32_t intern_id_hashed(struct intern *t, struct str name, uint32_t hash);

/* The name with ID, which must be below n; borrowed for the table's life. */
static inline struct str
intern_str(const struct intern *t, uint32_t id)
{
	return (struct str){ t->names[id].s, t->names[id].n };
}

#endif
