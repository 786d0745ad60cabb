/* SPDX-License-Identifier: ISC */
/* Weights times a fraction: scale.h. */
#include "mem.h"
#include "random.h"
#include "scale.h"
#include "unit.h"

#include <stdlib.h>

enum { STACKS = 60, TREES = 3000, NAME = 24 };

/* Weights of stacks with one name each. */
struct line {
	char name[NAME];
	uint64_t weight;
};

static struct tree
tree_of(const struct line *lines, int n, bool backwards, uint64_t after)
{
	struct tree t;
	uint32_t node;
	struct str rest;
	int i;

	tree_init(&t, 2);
	for (i = 0; i < n; i++) {
		rest = str_of(lines[backwards ? n - 1 - i : i].name);
		for (node = TREE_ROOT; rest.n;)
			node = tree_child(&t, node, str_cut(&rest, ';'));
		CHECK(tree_add(&t, node, 0, lines[backwards ? n - 1 - i : i].weight));
	}
	CHECK(tree_add(&t, tree_child(&t, TREE_ROOT, STR("m")), 1, after));
	return t;
}

static uint64_t
weight_of_line(struct tree *t, const char *name)
{
	struct str rest = str_of(name);
	uint32_t node = TREE_ROOT;

	while (rest.n)
		node = tree_child(t, node, str_cut(&rest, ';'));
	return t->self[0][node];
}

/* Names that share frames, and weights up to 2^BITS, many of them small. */
static void
draw_lines(struct line *lines, int n, unsigned bits, uint64_t *state)
{
	int i;

	for (i = 0; i < n; i++) {
		snprintf(lines[i].name, NAME, "m;%c%s;f%d",
			(int)('a' + random_u64(state) % 5),
			random_u64(state) % 2 ? ";x" : "", i);
		lines[i].weight =
			(random_u64(state) >> 1) >> (63 - 1 - random_u64(state) % bits);
	}
}

/* A * B / C in units of 10^-SCALE, rounded half up. */
static uint64_t
product(uint64_t a, uint64_t b, uint64_t c, unsigned scale)
{
	uint64_t whole;

	for (; scale; scale--)
		a *= 10;
	CHECK(weight_times(a, b, c, &whole));
	return whole;
}

/* Compares the product of T, made from LINES, and F with the promise of scale_column. */
static void
check_scaled(
	struct tree *t, const struct line *lines, int n, uint64_t sum, struct scale f)
{
	uint64_t whole = product(sum, f.times, f.by, t->scale), scaled, exact;
	uint64_t total = 0;
	int i;

	CHECK_U64(t->sum[0], whole);
	for (i = 0; i < n; i++) {
		scaled = weight_of_line(t, lines[i].name);
		exact = product(lines[i].weight, f.times, f.by, t->scale);
		CHECK((scaled > 0) == (lines[i].weight > 0));
		CHECK(scaled + 1 >= exact && scaled <= exact + 1);
		total += scaled;
	}
	CHECK_U64(total, whole);
}

UNIT(sums_are_the_total_times_the_factor)
{
	struct line lines[STACKS];
	uint64_t state = 27, sum, *totals;
	struct scale f;
	struct tree t, other;
	int n, k, i;

	for (k = 0; k < TREES; k++) {
		n = 1 + (int)(random_u64(&state) % STACKS);
		draw_lines(lines, n, 1 + (unsigned)(k % 30), &state);
		lines[0].weight++;
		for (sum = 0, i = 0; i < n; i++)
			sum += lines[i].weight;
		f = (struct scale){ 1 + random_u64(&state) % (2 * sum), sum };
		t = tree_of(lines, n, false, f.times);
		other = tree_of(lines, n, true, f.times);
		CHECK(scale_column(&t, 0, f) && scale_column(&other, 0, f));
		check_scaled(&t, lines, n, sum, f);
		CHECK_U64(t.scale, other.scale);
		for (i = 0; i < n; i++)
			CHECK_U64(weight_of_line(&t, lines[i].name),
				weight_of_line(&other, lines[i].name));
		/* Scaled by totals, the sides are equal. */
		CHECK_U64(t.sum[0], t.sum[1]);
		totals = tree_totals(&t, 0);
		CHECK_U64(totals[TREE_ROOT], t.sum[0]);
		free(totals);
		tree_release(&t);
		tree_release(&other);
	}
}

UNIT(tiny_weights_stay_the_least)
{
	const struct line lines[] = { { "m;a", 1 }, { "m;b", 3 },
		{ "m;c", 50000000000000000 }, { "m;d", 1 }, { "m;e", 0 } };
	struct tree t = tree_of(lines, 5, false, 1);

	CHECK(scale_column(&t, 0, (struct scale){ 1, 30 }));
	CHECK_U64(t.scale, 0);
	CHECK_U64(weight_of_line(&t, "m;a"), 1);
	CHECK_U64(weight_of_line(&t, "m;b"), 1);
	CHECK_U64(weight_of_line(&t, "m;d"), 1);
	CHECK_U64(weight_of_line(&t, "m;e"), 0);
	CHECK_U64(t.sum[0], 1666666666666667);
	CHECK_U64(weight_of_line(&t, "m;c"), 1666666666666664);
	tree_release(&t);
}

UNIT(where_all_are_too_small_the_sum_is_larger)
{
	const struct line lines[] = { { "m;a", 1 }, { "m;b", 1 }, { "m;c", 2 } };
	struct tree t = tree_of(lines, 3, false, UINT64_MAX);

	CHECK(scale_column(&t, 0, (struct scale){ 1, 4 }));
	CHECK_U64(t.scale, 0);
	CHECK_U64(t.sum[0], 3);
	tree_release(&t);
}

UNIT(exact_results_have_no_more_decimals_than_they_need)
{
	const struct line lines[] = { { "m;a", 7 }, { "m;b", 1 } };
	struct tree t = tree_of(lines, 2, false, 1);

	CHECK(scale_column(&t, 0, (struct scale){ 3, 3 }));
	CHECK_U64(t.scale, 0);
	CHECK(scale_column(&t, 0, (struct scale){ 6, 8 }));
	CHECK_U64(t.scale, 2);
	CHECK_U64(weight_of_line(&t, "m;a"), 525);
	CHECK(!scale_column(&t, 0, (struct scale){ UINT64_MAX, 1 }));
	tree_release(&t);
}

UNIT(factors_are_fractions)
{
	struct scale f = scale_of(1);

	CHECK(f.times == 1 && f.by == 1);
	f = scale_of(0.125);
	CHECK(f.times == 1 && f.by == 8);
	f = scale_of(2.5);
	CHECK(f.times == 5 && f.by == 2);
	f = scale_of(0x1.8p60);
	CHECK(f.times == UINT64_C(3) << 59 && f.by == 1);
	f = scale_of(0x1p-12);
	CHECK(f.times == 1 && f.by == 4096);
	f = scale_of(1e-300);
	CHECK(f.times == 1 && f.by == UINT64_C(1) << 63);
	f = scale_of(1e300);
	CHECK(f.times == UINT64_C(1) << 63 && f.by == 1);
	f = scale_of(0);
	CHECK(f.times == 0 && f.by == 1);
}

UNIT_MAIN
