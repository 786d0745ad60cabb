/* SPDX-License-Identifier: ISC */
/* Making what was before as heavy as what is after; see compare.h. */
#include "compare.h"
#include "mem.h"

/* The 128-bit product HIGH:LOW of A and B. */
static void
multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
	uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
	uint64_t bottom = a0 * b0, middle = a1 * b0 + (bottom >> 32), other;

	other = a0 * b1 + (middle & UINT32_MAX);
	*high = a1 * b1 + (middle >> 32) + (other >> 32);
	*low = other << 32 | (bottom & UINT32_MAX);
}

/* HIGH:LOW / C, where HIGH is less than C, bit by bit. */
static uint64_t
divide(uint64_t high, uint64_t low, uint64_t c)
{
	uint64_t quotient = 0;
	bool carry;
	int i;

	for (i = 0; i < 64; i++) {
		carry = high >> 63;
		high = high << 1 | low >> 63;
		low <<= 1;
		quotient <<= 1;
		if (carry || high >= c) {
			high -= c;
			quotient |= 1;
		}
	}
	return quotient;
}

bool
compare_times(uint64_t a, uint64_t b, uint64_t c, uint64_t *result)
{
	uint64_t high, low;

	multiply(a, b, &high, &low);
	if (high >= c)
		return false;
	*result = high ? divide(high, low, c) : low / c;
	return true;
}

/* What the function that is the norm weighs in COLUMN. */
static uint64_t
norm_weight(const struct compare *c, int column)
{
	const struct tree *t = &c->tree;
	struct figures f;
	uint64_t *weight, found = 0;
	size_t number;

	figures_init(&f, t);
	number = figures_find(&f, c->options->norms.frame);
	weight = mem_alloc(f.n * sizeof *weight);
	figures_fill(&f, t->self[column], t->n, weight);
	if (number < f.n)
		found = weight[number];
	free(weight);
	figures_release(&f);
	return found;
}

const char *
compare_scale(struct compare *c)
{
	struct tree *t = &c->tree;
	uint64_t from = t->sum[COMPARE_BEFORE], to = t->sum[COMPARE_AFTER], sum = 0;
	uint32_t i;

	if (c->options->norms.norm == CHANCE_FRAME) {
		from = norm_weight(c, COMPARE_BEFORE);
		to = norm_weight(c, COMPARE_AFTER);
		if (!from || !to)
			return "the frame that is to be the norm does not occur on both sides";
	}
	if (!from)
		return NULL;
	for (i = 1; i < t->n; i++) {
		if (!compare_times(t->self[COMPARE_BEFORE][i], to, from,
			    &t->self[COMPARE_BEFORE][i]) ||
			t->self[COMPARE_BEFORE][i] > UINT64_MAX - sum)
			return "the weights before, made to the norm, leave 64 bits";
		sum += t->self[COMPARE_BEFORE][i];
	}
	t->sum[COMPARE_BEFORE] = sum;
	return NULL;
}
