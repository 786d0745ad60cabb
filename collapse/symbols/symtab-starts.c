/* SPDX-License-Identifier: ISC */
/*
 * Where symbols start, in order; see symtab-parts.h. A search by halves waits for
 * memory at each step, so the first ones are a look into a table: the range of
 * addresses in parts of one size, with how many symbols start before each.
 */
#include "mem.h"
#include "symtab-parts.h"

/* Of symbols to a part, on average at most. */
enum { CROWD = 4 };

void
symtab_starts_index(struct symtab_starts *s)
{
	uint64_t range;
	size_t i, part;

	if (!s->n)
		return;
	range = s->at[s->n - 1] - s->at[0];
	while (range >> s->shift > s->n / CROWD + 1)
		s->shift++;
	s->parts = (size_t)(range >> s->shift) + 1;
	s->before = mem_resize(NULL, s->parts + 1, sizeof *s->before);
	for (i = 0, part = 0; part < s->parts; part++) {
		while (i < s->n && (s->at[i] - s->at[0]) >> s->shift < part)
			i++;
		s->before[part] = (uint32_t)i;
	}
	s->before[part] = (uint32_t)s->n;
}

void
symtab_starts_release(struct symtab_starts *s)
{
	free(s->at);
	free(s->before);
}

size_t
symtab_starts_count(const struct symtab_starts *s, uint64_t address)
{
	size_t low, high, mid;
	uint64_t part;

	if (!s->n || address < s->at[0])
		return 0;
	part = (address - s->at[0]) >> s->shift;
	if (part >= s->parts)
		return s->n;
	for (low = s->before[part], high = s->before[part + 1]; low < high;) {
		mid = low + (high - low) / 2;
		if (s->at[mid] <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}
