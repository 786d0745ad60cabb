/* SPDX-License-Identifier: ISC */
/* Sorting many records by small whole numbers. */
#ifndef COUNT_SORT_H
#define COUNT_SORT_H

#include <stdint.h>

/* Puts the N record numbers of FROM into TO, ordered by KEY[number], which is
 * below LIMIT; equal keys keep their order. Takes time in N + LIMIT. FROM and
 * TO must not overlap. */
void count_sort(uint32_t *to, const uint32_t *from, uint32_t n, const uint32_t *key,
	uint32_t limit);

#endif
