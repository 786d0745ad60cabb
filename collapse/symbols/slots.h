/* SPDX-License-Identifier: ISC */
/* A table of results by address: each refers to its frames in another table. */
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
	uint8_t want; /* requested parts of frames: DSO_INLINES, ... */
};

/* A zeroed struct is empty. */
struct slots {
	struct slot *slots; /* a power of two, at most half used */
	size_t n, cap;
};

/* The slot of ADDRESS and WANT, unused if there is no result yet: the caller that fills
 * it counts it in N. Borrowed until the next call. */
struct slot *slots_find(struct slots *t, uint64_t address, unsigned want);
void slots_release(struct slots *t);

#endif
