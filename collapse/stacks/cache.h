/* SPDX-License-Identifier: ISC */
/*
 * A cache: a table from the digest of some bytes to a number. It is bounded: when full,
 * it forgets everything, so its memory does not depend on the length of the input.
 */
#ifndef CACHE_H
#define CACHE_H

#include <stdint.h>

#include "str.h"

/* No value; all values are smaller. */
#define CACHE_NONE UINT32_MAX

/* 96 bits of the digest. next is the value + 1; 0: free. */
struct cache_slot {
	uint64_t a;
	uint32_t b, next;
};

struct cache {
	struct cache_slot *slots;
	uint32_t mask, n;
};

/* A zeroed struct cache is empty. */
void cache_release(struct cache *c);

/* The key of stack number STACK below the node ROOT. */
static inline struct str_digest
cache_key(uint32_t root, uint64_t stack)
{
	const uint64_t pair[] = { root, stack };

	return str_digest((struct str){ (const char *)pair, sizeof pair });
}

/* The key of a stack with DIGEST below the node ROOT. */
static inline struct str_digest
cache_below(uint32_t root, struct str_digest digest)
{
	digest.a ^= root * 0x9e3779b97f4a7c15;
	return digest;
}

/* The value kept for KEY, or CACHE_NONE. */
uint32_t cache_find(const struct cache *c, struct str_digest key);

/* Makes room for one more key. Returns true if the table was full and has forgotten
 * everything. */
bool cache_make_room(struct cache *c);

/* Keeps VALUE for KEY, which must not be in the cache. Returns VALUE. */
uint32_t cache_add(struct cache *c, struct str_digest key, uint32_t value);

#endif
