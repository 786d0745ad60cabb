/* SPDX-License-Identifier: ISC */
/* Sums divided by the number of inputs. Only merge.c uses it. */
#ifndef MERGE_MEAN_H
#define MERGE_MEAN_H

#include <stdint.h>

#include "tree.h"

struct merge_mean {
	uint64_t files;
	uint64_t times;	  /* 10^ the decimals that are added */
	uint64_t rounded; /* results */
};

/* A division by FILES (1 or more) of weights in units of 10^-*SCALE with the sums
 * SUM; *SCALE becomes that of the results. It has the decimals that make all of them
 * exact when there are that many and room for them, else as many as leave room
 * to add up thousands of such means, nine at most. */
void merge_mean_init(struct merge_mean *m, uint64_t files,
	const uint64_t sum[TREE_COLUMNS], unsigned *scale);

/* WEIGHT divided, rounded half up where it must be. */
uint64_t merge_mean_of(struct merge_mean *m, uint64_t weight);

#endif
