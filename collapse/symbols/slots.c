/* SPDX-License-Identifier: ISC */
/* Results by address; see slots.h. */
#include "slots.h"
#include "mem.h"

#include <stdlib.h>

/* The slot of ADDRESS in a table with free slots. */
static struct slot *
find(const struct slots *t, uint64_t address, unsigned want)
{
	uint64_t hash = (address * 8 + want) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(hash >> 32) & (t->cap - 1);

	while (t->slots[i].used &&
		(t->slots[i].address != address || t->slots[i].want != want))
		i = (i + 1) & (t->cap - 1);
	return &t->slots[i];
}

/* Makes room for one more slot. */
static void
make_room(struct slots *t)
{
	enum { LEAST = 64 };
	struct slot *was = t->slots;
	size_t n = t->cap, i;

	if (t->n < n / 2)
		return;
	t->cap = n ? n * 2 : LEAST;
	t->slots = mem_zero(t->cap, sizeof *t->slots);
	for (i = 0; i < n; i++)
		if (was[i].used)
			*find(t, was[i].address, was[i].want) = was[i];
	free(was);
}

struct slot *
slots_find(struct slots *t, uint64_t address, unsigned want)
{
	make_room(t);
	return find(t, address, want);
}

void
slots_release(struct slots *t)
{
	free(t->slots);
}
