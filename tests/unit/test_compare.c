/* SPDX-License-Identifier: ISC */
/*
 * Whole comparisons of made-up profiles: compare.h. What the tests promise is measured
 * on pairs drawn at random, always with the same seed.
 */
#include "compare.h"
#include "mem.h"
#include "unit.h"

#include <math.h>

enum { PAIRS = 1000 };

/* splitmix64: Steele, Lea and Flood, OOPSLA 2014. */
static uint64_t
random_u64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static double
uniform(uint64_t *state)
{
	return (double)(random_u64(state) >> 11) * 0x1p-53;
}

/* A program: a tree, the probability of a sample to end at each node (summed up, for
 * the draw), and a function that is called from everywhere. */
struct program {
	struct compare c;
	double *upto;
};

/* N nodes below a main, each below one of the last SPREAD before it, with shares that
 * fall as 1 / rank^POWER. */
static void
program_init(struct program *p, uint32_t n, uint32_t spread, double power)
{
	struct tree *t = &p->c.tree;
	uint64_t state = 1;
	uint32_t i, parent;
	char name[24];

	compare_init(&p->c, NULL, 2, false);
	tree_add_column(t);
	tree_child(t, TREE_ROOT, STR("main"));
	while (t->n <= n + 1) {
		parent = t->n - 1 - (uint32_t)(random_u64(&state) % spread) % (t->n - 1);
		snprintf(name, sizeof name, "f%u",
			(unsigned)(random_u64(&state) % (n * 2 / 3 + 1)));
		tree_child(t, parent ? parent : 1, str_of(name));
	}
	p->upto = mem_zero(t->n, sizeof *p->upto);
	for (i = 2; i < t->n; i++)
		p->upto[i] = p->upto[i - 1] + pow(i - 1, -power);
}

static void
program_release(struct program *p)
{
	free(p->upto);
	compare_release(&p->c);
}

/* Draws SAMPLES samples into COLUMN. */
static void
draw(struct program *p, int column, unsigned samples, uint64_t *state)
{
	struct tree *t = &p->c.tree;
	uint32_t low, high, middle;
	unsigned i;
	double u;

	memset(t->self[column], 0, t->n * sizeof *t->self[column]);
	for (i = 0; i < samples; i++) {
		u = uniform(state) * p->upto[t->n - 1];
		for (low = 2, high = t->n - 1; low < high;) {
			middle = low + (high - low) / 2;
			if (p->upto[middle] > u)
				high = middle;
			else
				low = middle + 1;
		}
		t->self[column][low]++;
	}
	t->sum[column] = samples;
	p->c.side[column].samples = samples;
	p->c.side[column].files = 1;
}

static void
forget(struct compare *c)
{
	free(c->changes);
	c->changes = NULL;
	c->n = c->cap = c->failed = c->metrics = c->tested = 0;
}

/* In how many of PAIRS pairs from one distribution anything is found. */
static unsigned
false_alarms(struct program *p, unsigned before, unsigned after)
{
	static const struct compare_options options = { .norms.norm = SIGNIFICANCE_TOTAL,
		.confidence = 0.95 };
	uint64_t state = 42;
	unsigned pair, found = 0;

	p->c.options = &options;
	for (pair = 0; pair < PAIRS; pair++) {
		draw(p, COMPARE_BEFORE, before, &state);
		draw(p, COMPARE_AFTER, after, &state);
		CHECK(!compare_test(&p->c));
		found += p->c.n > 0;
		forget(&p->c);
	}
	return found;
}

/* Programs of many kinds: few frames and many, even ones and few large ones, flat and
 * deep; sides of one length and of several, and counts so small that the normal
 * distribution is none of theirs. */
UNIT(false_alarms_are_as_rare_as_promised)
{
	static const struct {
		uint32_t nodes, spread;
		double power;
		unsigned before, after;
	} cases[] = { { 2, 1, 0, 500, 500 }, { 5, 5, 0, 1000, 1000 },
		{ 20, 20, 1, 1000, 1000 }, { 20, 3, 1, 300, 3000 },
		{ 150, 40, 1, 1000, 1000 }, { 300, 300, 0, 1000, 900 },
		{ 200, 20, 0.5, 60, 60 } };
	struct program p;
	unsigned found;
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		program_init(&p, cases[i].nodes, cases[i].spread, cases[i].power);
		found = false_alarms(&p, cases[i].before, cases[i].after);
		printf("%u nodes, %u and %u samples: %u of %d\n",
			(unsigned)cases[i].nodes, cases[i].before, cases[i].after, found,
			PAIRS);
		CHECK(found <= PAIRS / 20);
		program_release(&p);
	}
}

/* A share that is ERRORS standard errors of the difference above SHARE. */
static double
grown(double share, double errors, double samples)
{
	double to = share;
	int i;

	for (i = 0; i < 50; i++)
		to = share +
			errors * sqrt((share * (1 - share) + to * (1 - to)) / samples);
	return to;
}

static bool
has_change(const struct compare *c, struct str function)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (!c->changes[i].metric.is_path &&
			str_eq(intern_str(&c->tree.names, c->changes[i].metric.id),
				function))
			return true;
	return false;
}

/* In how many of PAIRS pairs a function that goes from a tenth of the samples to ERRORS
 * standard errors more is found among NODES others. */
static unsigned
found_changes(uint32_t nodes, double errors, struct match *only)
{
	const struct compare_options options = {
		.norms.norm = SIGNIFICANCE_TOTAL, .confidence = 0.95, .only = only
	};
	const double share[] = { 0.1, grown(0.1, errors, 2000) };
	struct program p;
	uint64_t state = 7;
	unsigned pair, found = 0;
	uint32_t hot;
	int side;

	program_init(&p, nodes, 20, 1);
	p.c.options = &options;
	hot = tree_child(&p.c.tree, 1, STR("hot"));
	p.upto = mem_resize(p.upto, p.c.tree.n, sizeof *p.upto);
	for (pair = 0; pair < PAIRS; pair++) {
		for (side = 0; side < COMPARE_SIDES; side++) {
			p.upto[hot] = p.upto[hot - 1] / (1 - share[side]);
			draw(&p, side, 2000, &state);
		}
		CHECK(!compare_test(&p.c));
		found += has_change(&p.c, STR("hot"));
		forget(&p.c);
	}
	program_release(&p);
	return found;
}

/* Three standard errors are what a single test finds at 0.95 in 85 of 100. No way to test a
 * hundred frames, of which any may have changed, can do as well and keep its
 * promise: that takes as many errors more as their threshold is higher. */
UNIT(a_change_of_three_errors_is_found)
{
	struct buf why = { 0 };
	struct match *only = match_new(STR("^hot$"), 0, &why);
	unsigned alone = found_changes(1, 3, NULL), named = found_changes(100, 3, only);

	printf("alone: %u, named among 100: %u of %d\n", alone, named, PAIRS);
	CHECK(alone >= PAIRS * 8 / 10);
	CHECK(named >= PAIRS * 8 / 10);
	match_free(only);
}

UNIT(a_change_of_five_errors_is_found_among_a_hundred)
{
	unsigned few = found_changes(10, 4, NULL), many = found_changes(100, 5, NULL);

	printf("4 errors among 10: %u, 5 among 100: %u of %d\n", few, many, PAIRS);
	CHECK(few >= PAIRS * 8 / 10);
	CHECK(many >= PAIRS * 8 / 10);
}

/* The probabilities of P, each off by a factor of about EXP(BY) either way. */
static void
tilt(struct program *p, double by, uint64_t *state)
{
	uint32_t i;

	for (i = 2; i < p->c.tree.n; i++)
		p->upto[i] = p->upto[i - 1] +
			exp(by *
				(uniform(state) + uniform(state) + uniform(state) +
					uniform(state) - 2) *
				sqrt(3)) /
				(i - 1);
}

/* Draws N runs of SIDE, which differ by more than their samples do. */
static void
draw_runs(struct program *p, int side, size_t n, uint64_t *state)
{
	struct compare_side *s = &p->c.side[side];
	struct tree *t = &p->c.tree;
	uint64_t *sum = mem_zero(t->n, sizeof *sum);
	struct compare_run *r;
	uint32_t i;

	for (s->n = 0; s->n < n; s->n++) {
		tilt(p, 0.3, state);
		draw(p, side, 500, state);
		r = &s->runs[s->n];
		r->n = t->n;
		memcpy(r->self, t->self[side], t->n * sizeof *r->self);
		for (i = 0; i < t->n; i++)
			sum[i] += r->self[i];
	}
	memcpy(t->self[side], sum, t->n * sizeof *sum);
	t->sum[side] = 500 * n;
	s->samples = 500.0 * (double)n;
	s->files = n;
	free(sum);
}

static void
make_runs(struct program *p, size_t n)
{
	struct compare_side *s;
	size_t i;

	p->c.several = true;
	for (s = p->c.side; s < p->c.side + COMPARE_SIDES; s++) {
		s->runs = mem_zero(n, sizeof *s->runs);
		for (i = 0; i < n; i++)
			s->runs[i].self = mem_zero(p->c.tree.n, sizeof *s->runs[i].self);
	}
}

/* Runs of one program that are not alike: what their sum would call a change, the
 * spread between them does not. */
UNIT(runs_that_differ_are_no_false_alarm)
{
	static const struct compare_options options = { .norms.norm = SIGNIFICANCE_TOTAL,
		.confidence = 0.95 };
	struct program p;
	uint64_t state = 3;
	unsigned pair, found = 0, summed = 0;

	program_init(&p, 20, 5, 1);
	p.c.options = &options;
	make_runs(&p, 5);
	for (pair = 0; pair < PAIRS / 2; pair++) {
		draw_runs(&p, COMPARE_BEFORE, 5, &state);
		draw_runs(&p, COMPARE_AFTER, 3, &state);
		CHECK(!compare_test(&p.c));
		found += p.c.n > 0;
		forget(&p.c);
		p.c.several = false;
		CHECK(!compare_test(&p.c));
		summed += p.c.n > 0;
		forget(&p.c);
		p.c.several = true;
	}
	printf("runs: %u, as one sum: %u of %d\n", found, summed, PAIRS / 2);
	CHECK(found <= PAIRS / 2 / 20);
	CHECK(summed > PAIRS / 2 / 5);
	p.c.side[0].n = p.c.side[1].n = 5;
	program_release(&p);
}

UNIT_MAIN
