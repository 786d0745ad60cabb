/* SPDX-License-Identifier: ISC */
/*
 * Whole comparisons of synthetic profiles: compare.h. The promised rates are measured
 * on random runs, always with the same seed.
 */
#include "compare.h"
#include "mem.h"
#include "random.h"
#include "unit.h"

#include <math.h>

enum { PAIRS = 400, MOST_RUNS = 5 };

/* A program: its tree, the probability of a sample to end at each node, and the
 * variation of that from run to run. */
struct program {
	struct runs runs;
	double *chance, *upto;
	double spread; /* standard deviation of the logarithm of a probability */
	uint64_t state;
};

static const struct runs_options PLAIN = { .strip = false };

/* Allocates N runs for both sides. */
static void
make_runs(struct program *p, size_t n)
{
	struct runs_side *s;
	size_t i;
	int side;

	for (side = 0; side < RUNS_SIDES; side++) {
		s = &p->runs.side[side];
		s->runs = mem_zero(MOST_RUNS, sizeof *s->runs);
		s->n = n;
		for (i = 0; i < n; i++) {
			s->runs[i].n = p->runs.tree.n;
			s->runs[i].self =
				mem_zero(p->runs.tree.n, sizeof *s->runs[i].self);
		}
	}
}

/* N nodes below a main, each below one of the NEAR previous ones, with shares
 * proportional to 1 / rank^POWER; executed RUNS times per side. */
static void
program_init(struct program *p, uint32_t n, uint32_t near, double power, size_t runs)
{
	struct tree *t = &p->runs.tree;
	uint64_t state = 1;
	uint32_t i, parent;
	char name[24];

	*p = (struct program){ .state = 42 };
	runs_init(&p->runs, &PLAIN);
	tree_add_column(t);
	tree_child(t, TREE_ROOT, STR("main"));
	while (t->n <= n + 1) {
		parent = t->n - 1 - (uint32_t)(random_u64(&state) % near) % (t->n - 1);
		snprintf(name, sizeof name, "f%u",
			(unsigned)(random_u64(&state) % (n * 2 / 3 + 1)));
		tree_child(t, parent ? parent : 1, str_of(name));
	}
	tree_child(t, 1, STR("hot"));
	p->chance = mem_zero(t->n, sizeof *p->chance);
	p->upto = mem_zero(t->n, sizeof *p->upto);
	for (i = 2; i + 1 < t->n; i++)
		p->chance[i] = pow(i - 1, -power);
	make_runs(p, runs);
}

static void
program_release(struct program *p)
{
	free(p->chance);
	free(p->upto);
	runs_release(&p->runs);
}

/* Sets the function hot to SHARE of the sum of the others. */
static void
heat(struct program *p, double share)
{
	uint32_t i, last = p->runs.tree.n - 1;
	double sum = 0;

	for (i = 2; i < last; i++)
		sum += p->chance[i];
	p->chance[last] = share * sum;
}

/* Draws SAMPLES samples into RUN. */
static void
draw(struct program *p, struct run *run, unsigned samples)
{
	uint32_t low, high, middle, i, n = p->runs.tree.n;
	double u;

	for (i = 2; i < n; i++)
		p->upto[i] = p->upto[i - 1] +
			p->chance[i] * exp(p->spread * random_normal(&p->state));
	memset(run->self, 0, n * sizeof *run->self);
	run->sum = run->samples = samples;
	for (; samples; samples--) {
		u = random_uniform(&p->state) * p->upto[n - 1];
		for (low = 2, high = n - 1; low < high;) {
			middle = low + (high - low) / 2;
			if (p->upto[middle] > u)
				high = middle;
			else
				low = middle + 1;
		}
		run->self[low]++;
	}
}

/* Draws all runs of SIDE, of SAMPLES samples each. */
static void
draw_side(struct program *p, int side, unsigned samples)
{
	struct tree *t = &p->runs.tree;
	struct runs_side *s = &p->runs.side[side];
	size_t run;
	uint32_t i;

	memset(t->self[side], 0, t->n * sizeof *t->self[side]);
	for (run = 0; run < s->n; run++) {
		draw(p, &s->runs[run], samples);
		for (i = 0; i < t->n; i++)
			t->self[side][i] += s->runs[run].self[i];
	}
	t->sum[side] = samples * s->n;
	s->samples = (double)t->sum[side];
}

static const struct compare_options STEADY = {
	.norms.norm = CHANGES_STEADY, .confidence = 0.95, .min_share = 0.01
};

/* In how many of PAIRS comparisons of one program anything is found. */
static unsigned
count_alarms(struct program *p, unsigned before, unsigned after)
{
	unsigned pair, found = 0;
	struct compare c;

	for (pair = 0; pair < PAIRS; pair++) {
		draw_side(p, RUNS_BEFORE, before);
		draw_side(p, RUNS_AFTER, after);
		CHECK(!compare_init(&c, &p->runs, &STEADY));
		found += c.n > 0 || c.total.is_change;
		compare_release(&c);
	}
	return found;
}

/* Programs of many kinds: few functions and many, equal ones and few large ones, flat
 * and deep; runs of few samples and of many, with the variation of independent samples
 * or more. */
UNIT(false_alarms_are_as_rare_as_promised)
{
	static const struct {
		uint32_t nodes, near;
		double power, spread;
		unsigned samples;
	} cases[] = { { 5, 5, 0, 0, 1000 }, { 20, 20, 1, 0.1, 1000 },
		{ 20, 3, 1, 0.2, 3000 }, { 150, 40, 1, 0.1, 1000 },
		{ 300, 300, 0, 0, 900 }, { 200, 20, 0.5, 0.3, 300 } };
	static const size_t runs[] = { 1, 3, 5 };
	struct program p;
	unsigned found;
	size_t i, j;

	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		for (j = 0; j < sizeof runs / sizeof *runs; j++) {
			program_init(&p, cases[i].nodes, cases[i].near, cases[i].power,
				runs[j]);
			p.spread = cases[i].spread;
			found = count_alarms(&p, cases[i].samples, cases[i].samples);
			printf("%u nodes, %zu runs of %u samples that vary by %g: %u of %d\n",
				(unsigned)cases[i].nodes, runs[j], cases[i].samples,
				cases[i].spread, found, PAIRS);
			CHECK(found <= PAIRS / 20);
			program_release(&p);
		}
}

static const struct compare_row *
find_row(const struct compare *c, const char *function)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (str_eq(intern_str(&c->runs->tree.names, c->rows[i].name),
			    str_of(function)))
			return &c->rows[i];
	return NULL;
}

/* In how many of PAIRS comparisons the function hot, of SHARE, is the first cause when
 * it grows by BY. */
static unsigned
count_found(size_t runs, double share, double by)
{
	const struct compare_row *row;
	unsigned pair, found = 0;
	struct program p;
	struct compare c;

	program_init(&p, 40, 10, 0.5, runs);
	p.spread = 0.03;
	for (pair = 0; pair < PAIRS; pair++) {
		heat(&p, share);
		draw_side(&p, RUNS_BEFORE, 2000);
		heat(&p, share * (1 + by));
		draw_side(&p, RUNS_AFTER, 2000);
		CHECK(!compare_init(&c, &p.runs, &STEADY));
		row = find_row(&c, "hot");
		found += row == c.rows && row && row->own_excess > 0;
		compare_release(&c);
	}
	program_release(&p);
	return found;
}

UNIT(more_runs_find_smaller_changes)
{
	unsigned three = count_found(3, 0.25, 0.3), one = count_found(1, 0.25, 0.3),
		 five = count_found(5, 0.25, 0.2);

	printf("+30 %%: %u with one run, %u with three; +20 %%: %u with five; of %d\n",
		one, three, five, PAIRS);
	CHECK(one <= PAIRS / 20);
	CHECK(three >= PAIRS * 8 / 10);
	CHECK(five >= PAIRS * 7 / 10);
}

UNIT(one_run_finds_manifold_growth)
{
	unsigned found = count_found(1, 0.1, 8);

	printf("nine times as much: %u of %d\n", found, PAIRS);
	CHECK(found >= PAIRS * 9 / 10);
}

/* Adds a stack to both sides of R, one run each. */
static uint32_t
add(struct runs *r, const char *stack, uint64_t before, uint64_t after)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	tree_add_column(&r->tree);
	while (rest.n)
		node = tree_child(&r->tree, node, str_cut(&rest, ';'));
	tree_add(&r->tree, node, 0, before);
	tree_add(&r->tree, node, 1, after);
	return node;
}

/* Uses the columns of R as the runs. */
static void
end(struct runs *r)
{
	struct runs_side *s;
	int side;

	for (side = 0; side < RUNS_SIDES; side++) {
		s = &r->side[side];
		s->runs = mem_zero(1, sizeof *s->runs);
		s->n = 1;
		s->samples = (double)r->tree.sum[side];
		*s->runs = (struct run){ .self = r->tree.self[side],
			.is_column = true,
			.n = r->tree.n,
			.sum = s->samples,
			.samples = s->samples };
	}
}

static struct compare
compare(struct runs *r, const struct compare_options *o)
{
	struct compare c;

	end(r);
	CHECK(!compare_init(&c, r, o));
	return c;
}

static const struct compare_options EXACT = { .confidence = 0.95, .exact = true };

/* parse grew by itself; its callers grew only by that; draw shrank on its own. */
UNIT(an_excess_is_reported_once_for_the_deepest_cause)
{
	struct runs r;
	struct compare c;

	runs_init(&r, &PLAIN);
	add(&r, "main;run;parse", 100, 150);
	add(&r, "main;run;parse;lex", 40, 40);
	add(&r, "main;draw", 60, 50);
	add(&r, "main", 5, 5);
	c = compare(&r, &EXACT);
	CHECK_U64(c.n, 4);
	CHECK_U64(c.causes, 2);
	CHECK(find_row(&c, "parse") == &c.rows[0]);
	CHECK(c.rows[0].own_excess == 50);
	CHECK(find_row(&c, "draw") == &c.rows[1]);
	CHECK(c.rows[1].own_excess == -10);
	CHECK_U64(find_row(&c, "run")->cause, 0);
	CHECK_U64(find_row(&c, "main")->cause, 0);
	CHECK(!find_row(&c, "lex"));
	CHECK(c.total.is_change && c.total.excess == 40);
	compare_release(&c);
	runs_release(&r);
}

/* If callee and caller both grew by themselves, each has its own part. */
UNIT(a_caller_that_grew_too_has_the_rest)
{
	struct runs r;
	struct compare c;

	runs_init(&r, &PLAIN);
	add(&r, "main;parse", 100, 150);
	add(&r, "main;parse;lex", 40, 60);
	add(&r, "main;other;lex", 10, 15);
	c = compare(&r, &EXACT);
	CHECK(find_row(&c, "parse")->own_excess == 50);
	CHECK(find_row(&c, "lex")->own_excess == 25);
	CHECK(find_row(&c, "parse")->total.excess == 70);
	CHECK(find_row(&c, "main")->cause == 0);
	CHECK(find_row(&c, "other")->cause == 1);
	compare_release(&c);
	runs_release(&r);
}

/* Recursion: the total counts once, and so does a cause in it. */
UNIT(a_cause_in_a_recursion_counts_once)
{
	struct runs r;
	struct compare c;

	runs_init(&r, &PLAIN);
	add(&r, "walk;walk;leaf", 10, 30);
	add(&r, "walk;leaf;walk;leaf", 5, 10);
	c = compare(&r, &EXACT);
	CHECK_U64(c.causes, 1);
	CHECK(find_row(&c, "leaf")->own_excess == 25);
	CHECK_U64(find_row(&c, "walk")->cause, 0);
	compare_release(&c);
	runs_release(&r);
}

UNIT(code_under_another_name_is_paired)
{
	struct runs r;
	struct compare c;
	const struct compare_row *a, *b;

	runs_init(&r, &PLAIN);
	add(&r, "main;old_parse", 100, 0);
	add(&r, "main;new_parse", 0, 105);
	add(&r, "main;fresh", 0, 20);
	add(&r, "other;away", 20, 0);
	add(&r, "other;stays", 20, 20);
	c = compare(&r, &EXACT);
	a = find_row(&c, "old_parse");
	b = find_row(&c, "new_parse");
	CHECK(a->status == COMPARE_REMOVED && b->status == COMPARE_NEW);
	CHECK(a->renamed == (size_t)(b - c.rows) && b->renamed == (size_t)(a - c.rows));
	/* Equally heavy, but called from elsewhere. */
	a = find_row(&c, "away");
	CHECK(a->renamed == (size_t)(a - c.rows));
	compare_release(&c);
	runs_release(&r);
}

UNIT(the_gate_counts_the_total_by_default)
{
	struct compare_options o = EXACT;
	struct runs r;
	struct compare c;

	o.gate = true;
	o.limit = 0.5;
	runs_init(&r, &PLAIN);
	add(&r, "a", 100, 140);
	add(&r, "b", 100, 140);
	add(&r, "c", 100, 160);
	c = compare(&r, &o);
	CHECK(c.gate == COMPARE_PASSED && !c.total.failed && !c.failed);
	compare_release(&c);
	o.limit = 0.4;
	CHECK(!compare_init(&c, &r, &o));
	CHECK(c.gate == COMPARE_FAILED && c.total.failed && !c.failed);
	compare_release(&c);
	o.no_total = true;
	CHECK(!compare_init(&c, &r, &o));
	CHECK(c.gate == COMPARE_PASSED);
	compare_release(&c);
	o.relative = true;
	CHECK(!compare_init(&c, &r, &o));
	CHECK(c.gate == COMPARE_FAILED && c.failed == 1);
	CHECK(find_row(&c, "c")->failed && !find_row(&c, "a")->failed);
	compare_release(&c);
	runs_release(&r);
}

/* Ten samples per side cannot show a change of 5 %. */
UNIT(a_gate_without_enough_samples_says_so)
{
	struct compare_options o = STEADY;
	struct runs r;
	struct compare c;

	o.gate = true;
	o.limit = 0.05;
	runs_init(&r, &PLAIN);
	add(&r, "a;b", 50, 52);
	add(&r, "a;c", 50, 48);
	c = compare(&r, &o);
	CHECK(c.gate == COMPARE_CANNOT_TELL);
	CHECK_U64(c.powers, 2);
	CHECK(!c.power[0].suffices && c.power[0].detectable > 0.05);
	compare_release(&c);
	runs_release(&r);
}

/* Everything takes four times as long: all functions are in proportion, but the total
 * grew. */
UNIT(a_program_that_is_slower_in_all_parts_is_slower)
{
	struct program p;
	struct compare c;

	program_init(&p, 20, 5, 0.5, 3);
	draw_side(&p, RUNS_BEFORE, 2000);
	draw_side(&p, RUNS_AFTER, 8000);
	p.runs.side[0].runs[0].sum *= 1.01;
	p.runs.side[1].runs[0].sum *= 0.99;
	CHECK(!compare_init(&c, &p.runs, &STEADY));
	CHECK(c.total.is_change && fabs(c.total.change - 3) < 0.1);
	CHECK_U64(c.n, 0);
	CHECK(fabs(c.size[1] - 4) < 0.3);
	compare_release(&c);
	program_release(&p);
}

UNIT_MAIN
