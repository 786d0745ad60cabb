/* SPDX-License-Identifier: ISC */
/* What was found at addresses: a table that says for each which frames of another table are its. */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slot {
	uint64_t address;
	uint32_t first; /* of its frames */
	uint16_t n;
	bool used;
	uint8_t want; /* what frames were to have (DSO_INLINES, ...): each wish is apart */
};

/* A zeroed one is empty. */
struct slots {
	struct slot *slots; /* a power of two, at most half used */
	size_t n, cap;
};

/* The slot of ADDRESS and WANT, which is not used if nothing was found yet: who fills it in counts
 * it in N. Borrowed until the next call. */
struct slot *slots_find(struct slots *t, uint64_t address, unsigned want);
void slots_release(struct slots *t);

#endif
