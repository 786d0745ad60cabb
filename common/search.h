/* SPDX-License-Identifier: ISC */
/* Binary search in sorted arrays. */
#ifndef SEARCH_H
#define SEARCH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many of the N items of SIZE bytes at ITEMS, sorted by the uint64_t that each begins with,
 * have KEY or less. */
static inline size_t
search_upto(const void *items, size_t n, size_t size, uint64_t key)
{
	size_t low = 0, high = n, mid;
	uint64_t at;

	while (low < high) {
		mid = low + (high - low) / 2;
		memcpy(&at, (const char *)items + mid * size, sizeof at);
		if (at <= key)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

#endif
