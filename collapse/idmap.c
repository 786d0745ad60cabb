/* SPDX-License-Identifier: ISC */
/* A table from pairs of numbers; see idmap.h. */
#include "idmap.h"
#include "mem.h"

enum { FIRST = 64 };

void
idmap_release(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){ 0 };
}

static uint64_t
mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0x9e3779b97f4a7c15;
	x ^= x >> 29;
	x *= 0xbf58476d1ce4e5b9;
	return x ^ x >> 32;
}

/* The slot of the pair, or the free one where it belongs. */
static struct idmap_slot *
slot_of(const struct idmap *m, uint64_t id, uint32_t sub)
{
	size_t at = (size_t)mix(id + mix(sub)) & m->mask;

	while (m->slots[at].used && (m->slots[at].id != id || m->slots[at].sub != sub))
		at = (at + 1) & m->mask;
	return m->slots + at;
}

uint64_t *
idmap_find(const struct idmap *m, uint64_t id, uint32_t sub)
{
	struct idmap_slot *s;

	if (!m->slots)
		return NULL;
	s = slot_of(m, id, sub);
	return s->used ? &s->value : NULL;
}

static void
enlarge(struct idmap *m)
{
	size_t size = m->slots ? m->mask + 1 : 0, i;
	struct idmap_slot *old = m->slots;

	m->mask = (size ? size * 2 : FIRST) - 1;
	m->slots = mem_zero(m->mask + 1, sizeof *m->slots);
	for (i = 0; i < size; i++)
		if (old[i].used)
			*slot_of(m, old[i].id, old[i].sub) = old[i];
	free(old);
}

uint64_t *
idmap_put(struct idmap *m, uint64_t id, uint32_t sub)
{
	struct idmap_slot *s;

	if (!m->slots || m->n > m->mask / 4 * 3)
		enlarge(m);
	s = slot_of(m, id, sub);
	m->n += !s->used;
	s->id = id;
	s->sub = sub;
	s->used = true;
	return &s->value;
}

void *
idmap_next(const struct idmap *m, size_t *at)
{
	void *thing = NULL;

	while (!thing && m->slots && *at <= m->mask)
		thing = (void *)(uintptr_t)m->slots[(*at)++].value;
	return thing;
}
