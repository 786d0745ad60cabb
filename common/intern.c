/* SPDX-License-Identifier: ISC */
/* A hash table with open addressing; see intern.h. */
#include "intern.h"
#include "mem.h"
#include "msg.h"

void
intern_release(struct intern *t)
{
	arena_release(&t->arena);
	free(t->names);
	free(t->slots);
	*t = (struct intern){ 0 };
}

size_t
intern_bytes(const struct intern *t)
{
	return t->arena.size + t->cap * sizeof *t->names +
		((size_t)t->slot_mask + 1) * sizeof *t->slots;
}

static void
rehash(struct intern *t)
{
	uint32_t i, at, size = t->slots ? (t->slot_mask + 1) * 2 : 1024;

	if (!size)
		msg_die("more than 2^31 distinct names");
	free(t->slots);
	t->slots = mem_zero(size, sizeof *t->slots);
	t->slot_mask = size - 1;
	for (i = 0; i < t->n; i++) {
		at = t->names[i].hash & t->slot_mask;
		while (t->slots[at])
			at = (at + 1) & t->slot_mask;
		t->slots[at] = i + 1;
	}
}

uint32_t
intern_id(struct intern *t, struct str name)
{
	return intern_id_hashed(t, name, (uint32_t)str_hash(name));
}

/* The slot of NAME with HASH, or a free one for it; T has slots. */
static inline uint32_t
find_slot(const struct intern *t, struct str name, uint32_t hash)
{
	const struct intern_name *have;
	uint32_t at;

	for (at = hash & t->slot_mask; t->slots[at]; at = (at + 1) & t->slot_mask) {
		have = &t->names[t->slots[at] - 1];
		if (have->hash == hash && str_eq((struct str){ have->s, have->n }, name))
			break;
	}
	return at;
}

bool
intern_find(const struct intern *t, struct str name, uint32_t *id)
{
	uint32_t slot = t->n ? t->slots[find_slot(t, name, (uint32_t)str_hash(name))] : 0;

	if (slot)
		*id = slot - 1;
	return slot != 0;
}

uint32_t
intern_id_hashed(struct intern *t, struct str name, uint32_t hash)
{
	uint32_t at, id;

	if (!t->slots || t->n >= t->slot_mask / 2)
		rehash(t);
	at = find_slot(t, name, hash);
	if (t->slots[at])
		return t->slots[at] - 1;
	if (name.n > UINT32_MAX)
		msg_die("a name of %zu bytes is too long", name.n);
	id = t->n++;
	t->names = mem_grow(t->names, &t->cap, t->n, sizeof *t->names);
	name = arena_str(&t->arena, name);
	t->names[id] = (struct intern_name){ name.s, (uint32_t)name.n, hash };
	t->slots[at] = id + 1;
	return id;
}
