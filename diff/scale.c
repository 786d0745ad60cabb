/* SPDX-License-Identifier: ISC */
/* Scales weights by a fraction; see scale.h. */
#include "scale.h"
#include "mem.h"

#include <math.h>

/* Decimals that do not make results exact are added only up to sums of this. */
static const uint64_t ROOMY = 10000000000000000;

static struct scale
reduce(struct scale f)
{
	uint64_t a = f.times, b = f.by, rest;

	while (b) {
		rest = a % b;
		a = b;
		b = rest;
	}
	return (struct scale){ f.times / a, f.by / a };
}

struct scale
scale_of(double factor)
{
	int exponent;
	double digits = frexp(factor, &exponent);
	/* The binary digits of the factor down to 2^-63. */
	int bits = exponent > 53 ? 0 : exponent < -10 ? 63 : 53 - exponent;

	if (!digits)
		return (struct scale){ 0, 1 };
	factor = fmin(fmax(round(ldexp(factor, bits)), 1), 0x1p63);
	return reduce((struct scale){ (uint64_t)factor, UINT64_C(1) << bits });
}

uint64_t
scale_decimals(uint64_t by, uint64_t most, unsigned *scale)
{
	uint64_t times = 1, roomy = 1;
	unsigned d, roomy_d = 0;

	for (d = 0; times % by && d < TREE_SCALE_MAX - *scale &&
		most <= UINT64_MAX / 10 / times;
		d++) {
		times *= 10;
		if (most <= ROOMY / times) {
			roomy = times;
			roomy_d = d + 1;
		}
	}
	if (times % by) {
		times = roomy;
		d = roomy_d;
	}
	*scale += d;
	return times;
}

/* Refines the scale of T for COLUMN times F. */
static bool
make_finer(struct tree *t, int column, struct scale f)
{
	unsigned scale = t->scale;
	uint64_t most;
	int c;

	if (!weight_times(t->sum[column], f.times, f.by, &most))
		return false;
	for (c = 0; c < t->columns; c++)
		most = t->sum[c] > most ? t->sum[c] : most;
	(void)scale_decimals(f.by, most, &scale);
	return tree_set_scale(t, scale);
}

/* Whether WEIGHT times F rounds to 0. */
static bool
is_tiny(uint64_t weight, struct scale f)
{
	uint64_t value;

	return weight_times(weight, f.times, f.by, &value) && !value;
}

/* Divides a weight among the stacks that are not tiny. */
struct shares {
	uint64_t weight, so_far; /* of these stacks */
	uint64_t whole, given;
};

/* The share of the next stack, of WEIGHT: at least 1, so the sum may exceed WHOLE. */
static uint64_t
next_share(struct shares *s, uint64_t weight)
{
	uint64_t until, share;

	s->so_far += weight;
	if (!weight_times(s->so_far, s->whole, s->weight, &until))
		until = UINT64_MAX;
	share = until > s->given ? until - s->given : 1;
	s->given += share;
	return share;
}

/* Sets each tiny weight to 1, and divides the rest of WHOLE in the order of W. Returns the
 * excess. */
static uint64_t
share_out(uint64_t *self, const struct tree_walk *w, struct scale f, uint64_t whole)
{
	struct shares s = { 0 };
	uint64_t tiny = 0, *weight;
	uint32_t i;

	for (i = 0; i < w->n; i++) {
		weight = &self[w->node[i]];
		if (*weight && is_tiny(*weight, f))
			tiny++;
		else
			s.weight += *weight;
	}
	s.whole = whole > tiny ? whole - tiny : 0;
	for (i = 0; i < w->n; i++) {
		weight = &self[w->node[i]];
		if (*weight)
			*weight = is_tiny(*weight, f) ? 1 : next_share(&s, *weight);
	}
	return s.given + tiny - whole;
}

/* Takes DEBT back from weights above 1, starting with the last. Returns the rest of it. */
static uint64_t
take_back(uint64_t *self, const struct tree_walk *w, uint64_t debt)
{
	uint64_t *weight, part;
	uint32_t i;

	for (i = w->n; debt && i > 0; i--) {
		weight = &self[w->node[i - 1]];
		if (*weight < 2)
			continue;
		part = *weight - 1 < debt ? *weight - 1 : debt;
		*weight -= part;
		debt -= part;
	}
	return debt;
}

bool
scale_column(struct tree *t, int column, struct scale f)
{
	struct tree_walk w;
	uint64_t whole, debt;

	f = reduce(f);
	if (f.times == f.by)
		return true;
	if (!make_finer(t, column, f) ||
		!weight_times(t->sum[column], f.times, f.by, &whole) ||
		whole > UINT64_MAX - t->n)
		return false;
	tree_walk_init(&w, t, TREE_BY_NAME);
	debt = share_out(t->self[column], &w, f, whole);
	t->sum[column] = whole + take_back(t->self[column], &w, debt);
	tree_walk_release(&w);
	return true;
}
