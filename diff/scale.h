/* SPDX-License-Identifier: ISC */
/*
 * Scales weights by a factor, which is a fraction: makes the column before as large as the one
 * after, and divides sums for means. Results have decimals, and a positive weight stays positive.
 */
#ifndef SCALE_H
#define SCALE_H

#include <stdint.h>

#include "tree.h"

struct scale {
	uint64_t times, by; /* BY is not 0 */
};

/* FACTOR, finite and not negative, as a fraction in lowest terms; saturated at 2^63, and at least
 * 2^-63 unless it is 0. */
struct scale scale_of(double factor);

/* Adds decimals to *SCALE for quotients by BY, in units of 10^-*SCALE, with sums up to MOST: the
 * decimals that make all results exact if these exist and fit, else as many as leave room to add up
 * thousands of such sums; never more than nine in all. Returns 10^ the number of added decimals. */
uint64_t scale_decimals(uint64_t by, uint64_t most, unsigned *scale);

/* Multiplies the weights in COLUMN of T, which is settled and not in time order, by F; T may get a
 * finer scale (scale_decimals). Their sum becomes the product of their sum and F, rounded half up
 * in the last decimal, whatever the order of lines: the rounding error is carried from stack to
 * stack in the order of names, so that the sum of a subtree, too, is off by less than two units of
 * that decimal. A weight below one unit becomes one, at the cost of the others; if all are so
 * small, the sum is larger. False, and T is unusable, when that overflows 64 bits. */
bool scale_column(struct tree *t, int column, struct scale f);

#endif
