/* SPDX-License-Identifier: ISC */
/* Sorting by small whole numbers: count-sort.h. */
#include "count-sort.h"
#include "unit.h"

UNIT(equal_keys_keep_their_order)
{
	static const uint32_t key[] = { 2, 0, 2, 1, 0 };
	static const uint32_t from[] = { 4, 3, 2, 1, 0 };
	uint32_t to[5];

	count_sort(to, from, 5, key, 3);
	CHECK(to[0] == 4 && to[1] == 1 && to[2] == 3 && to[3] == 2 && to[4] == 0);
}

UNIT(nothing_and_one)
{
	static const uint32_t key[] = { 0 }, from[] = { 0 };
	uint32_t to[1] = { 7 };

	count_sort(to, from, 0, key, 1);
	CHECK_U64(to[0], 7);
	count_sort(to, from, 1, key, 1);
	CHECK_U64(to[0], 0);
}

/* Keys near and beyond the limits of one pass over 8, 11 or 16 bits. */
UNIT(large_keys)
{
	enum { N = 100000 };
	uint32_t *key = malloc(N * sizeof *key), *from = malloc(N * sizeof *from),
		 *to = malloc(N * sizeof *to), x = 1, i, limit;

	for (limit = 1; limit <= 1u << 20; limit = limit * 4 + 1) {
		for (i = 0; i < N; i++) {
			x = x * 1664525 + 1013904223;
			key[i] = (x >> 4) % limit;
			from[i] = i;
		}
		count_sort(to, from, N, key, limit);
		for (i = 1; i < N; i++)
			if (key[to[i - 1]] > key[to[i]] ||
				(key[to[i - 1]] == key[to[i]] && to[i - 1] > to[i])) {
				CHECK(!"out of order");
				break;
			}
	}
	free(key);
	free(from);
	free(to);
}

UNIT_MAIN
