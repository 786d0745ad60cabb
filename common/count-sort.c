/* SPDX-License-Identifier: ISC */
/* Counting sort; see count-sort.h. */
#include "count-sort.h"
#include "mem.h"

void
count_sort(uint32_t *to, const uint32_t *from, uint32_t n, const uint32_t *key,
	uint32_t limit)
{
	uint32_t *place = mem_zero((size_t)limit + 1, sizeof *place), i;

	for (i = 0; i < n; i++)
		place[key[from[i]] + 1]++;
	for (i = 0; i < limit; i++)
		place[i + 1] += place[i];
	for (i = 0; i < n; i++)
		to[place[key[from[i]]]++] = from[i];
	free(place);
}
