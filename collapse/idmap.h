/* SPDX-License-Identifier: ISC */
/*
 * A table from pairs of numbers to a number: the id of an event to the event,
 * an id and a thread to the last value of a counter. A zeroed struct idmap is
 * empty.
 */
#ifndef IDMAP_H
#define IDMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct idmap_slot {
	uint64_t id, value;
	uint32_t sub;
	bool used;
};

struct idmap {
	struct idmap_slot *slots;
	size_t n, mask;
};

void idmap_release(struct idmap *m);

/* The value kept for ID and SUB, or NULL. Borrowed until the next idmap_put. */
uint64_t *idmap_find(const struct idmap *m, uint64_t id, uint32_t sub);

/* Like idmap_find, but adds a missing pair with the value 0. */
uint64_t *idmap_put(struct idmap *m, uint64_t id, uint32_t sub);

/* For values that are pointers: the next one from slot *AT on that is not NULL, which *AT
 * then passes; NULL at the end. */
void *idmap_next(const struct idmap *m, size_t *at);

#endif
