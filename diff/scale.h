/* SPDX-License-Identifier: ISC */
/*
 * Weights times a factor, which is a fraction: the column before is made as large as the one
 * after, and sums become means. Results have decimals, and a positive weight stays positive.
 */
#ifndef SCALE_H
#define SCALE_H

#include <stdint.h>

#include "tree.h"

struct scale {
	uint64_t times, by; /* BY is not 0 */
};

/* FACTOR, finite and 0 or more, as a fraction in lowest terms; saturated at 2^63, and at
 * least 2^-63 unless it is 0. */
struct scale scale_of(double factor);

/* Adds decimals to *SCALE, for results of a division by BY that are units of 10^-*SCALE and
 * sum up to MOST: those that make all results exact when there are that many and room for them,
 * else as many as leave room to add up thousands of such sums; never more than nine in all.
 * Returns 10^ the decimals that were added. */
uint64_t scale_decimals(uint64_t by, uint64_t most, unsigned *scale);

/* Multiplies the weights in COLUMN of T, which is settled and in no order of time, by F; T may get
 * a finer scale (scale_decimals). Their sum becomes the product of their sum and F, rounded half
 * up in the last decimal, however the lines stood: rounding is carried on from stack to stack in
 * the order of names, so that of a subtree too is off by less than two units of that decimal. A
 * weight below one unit becomes one, at the cost of the others; where all are so small, the
 * sum is larger. False, and T is of no further use, when that overflows 64 bits. */
bool scale_column(struct tree *t, int column, struct scale f);

#endif
