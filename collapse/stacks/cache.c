/* SPDX-License-Identifier: ISC */
/* A bounded cache; see cache.h. */
#include "cache.h"
#include "mem.h"

/* 16 bytes each: 8 MiB at most. */
enum { FIRST = 1 << 13, LAST = 1 << 19 };

void
cache_release(struct cache *c)
{
	free(c->slots);
	*c = (struct cache){ 0 };
}

uint32_t
cache_find(const struct cache *c, struct str_digest key)
{
	uint32_t at, b = (uint32_t)key.b;

	if (!c->slots)
		return CACHE_NONE;
	for (at = (uint32_t)(key.a >> 32) & c->mask; c->slots[at].next;
		at = (at + 1) & c->mask)
		if (c->slots[at].a == key.a && c->slots[at].b == b)
			return c->slots[at].next - 1;
	return CACHE_NONE;
}

static void
put(struct cache *c, struct cache_slot slot)
{
	uint32_t at = (uint32_t)(slot.a >> 32) & c->mask;

	while (c->slots[at].next)
		at = (at + 1) & c->mask;
	c->slots[at] = slot;
	c->n++;
}

static void
enlarge(struct cache *c)
{
	struct cache_slot *old = c->slots;
	uint32_t size = old ? c->mask + 1 : 0, i;

	c->mask = (old ? size * 2 : FIRST) - 1;
	c->slots = mem_zero((size_t)c->mask + 1, sizeof *c->slots);
	c->n = 0;
	for (i = 0; i < size; i++)
		if (old[i].next)
			put(c, old[i]);
	free(old);
}

bool
cache_make_room(struct cache *c)
{
	if (c->slots && c->n < c->mask / 8 * 5)
		return false;
	if (!c->slots || c->mask + 1 < LAST) {
		enlarge(c);
		return false;
	}
	memset(c->slots, 0, ((size_t)c->mask + 1) * sizeof *c->slots);
	c->n = 0;
	return true;
}

uint32_t
cache_add(struct cache *c, struct str_digest key, uint32_t value)
{
	(void)cache_make_room(c);
	put(c, (struct cache_slot){ key.a, (uint32_t)key.b, value + 1 });
	return value;
}
