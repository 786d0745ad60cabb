/* SPDX-License-Identifier: ISC */
/* Sums divided by the number of inputs; see merge-mean.h. */
#include "merge-mean.h"

/* Rounded means add up to less than this. */
static const uint64_t ROOMY = 10000000000000000;

void
merge_mean_init(struct merge_mean *m, uint64_t files, const uint64_t sum[TREE_COLUMNS],
	unsigned *scale)
{
	uint64_t most = (sum[0] > sum[1] ? sum[0] : sum[1]) / files + 1;
	uint64_t times = 1, roomy = 1;
	unsigned d, roomy_d = 0;

	*m = (struct merge_mean){ .files = files };
	for (d = 0; times % files && d < TREE_SCALE_MAX - *scale &&
		most <= UINT64_MAX / 10 / times;
		d++) {
		times *= 10;
		if (most <= ROOMY / times) {
			roomy = times;
			roomy_d = d + 1;
		}
	}
	if (times % files) {
		times = roomy;
		d = roomy_d;
	}
	m->times = times;
	*scale += d;
}

uint64_t
merge_mean_of(struct merge_mean *m, uint64_t weight)
{
	uint64_t rest = weight % m->files * m->times, left = rest % m->files;

	m->rounded += left != 0;
	return weight / m->files * m->times + rest / m->files +
		(left >= m->files - left && left);
}
