/* SPDX-License-Identifier: ISC */
/*
 * Weights as folded text writes them: a whole number and up to nine decimals, exact, independent of
 * a tree's scale. A zeroed one is 0. NANO is below 10^9.
 */
#ifndef WEIGHT_H
#define WEIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "str.h"

enum { WEIGHT_DECIMALS = 9, WEIGHT_NANO = 1000000000 };

struct weight {
	uint64_t whole;
	uint32_t nano; /* units of 10^-9 */
};

/* 10^SCALE, SCALE being 19 at most: the number of units of 10^-SCALE in 1. */
static inline uint64_t
weight_units(unsigned scale)
{
	uint64_t units = 1;

	for (; scale; scale--)
		units *= 10;
	return units;
}

/* VALUE, in units of 10^-SCALE, SCALE being WEIGHT_DECIMALS at most. */
struct weight weight_of(uint64_t value, unsigned scale);

/* Adds MORE to SUM. False, and SUM stays unchanged, when that overflows 64 bits. */
bool weight_add(struct weight *sum, struct weight more);

/* A - B, or 0 when B is larger. */
struct weight weight_minus(struct weight a, struct weight b);

/* Negative, 0 or positive, as A is below, at or above B. */
int weight_cmp(struct weight a, struct weight b);

/* Parses a weight, digits with at most one point; decimals beyond the ninth are rounded half up
 * (*ROUNDED is then set to true, else left alone). False when it is malformed or overflows 64
 * bits. */
bool weight_read(struct str text, struct weight *w, bool *rounded);

/* The number of decimals that W needs. */
unsigned weight_decimals(struct weight w);

/* W in units of 10^-SCALE, rounded half up. False when that overflows 64 bits. */
bool weight_scaled(struct weight w, unsigned scale, uint64_t *value);

/* Adds W as text without trailing zeros. */
void weight_put(struct buf *b, struct weight w);

/* Adds VALUE, in units of 10^-SCALE, without trailing zeros. */
void weight_put_scaled(struct buf *b, uint64_t value, unsigned scale);

/* COUNT * PART / WHOLE, rounded half up, saturated at UINT64_MAX; at least 1 unless COUNT or
 * PART is 0. WHOLE may not be 0. */
uint64_t weight_share(uint64_t count, struct weight part, struct weight whole);

/* A + B, saturated at UINT64_MAX. */
uint64_t weight_count(uint64_t a, uint64_t b);

/* A times B / C, rounded half up; false when that overflows 64 bits or C is 0. */
bool weight_times(uint64_t a, uint64_t b, uint64_t c, uint64_t *result);

#endif
