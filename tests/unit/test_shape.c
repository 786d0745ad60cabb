/* SPDX-License-Identifier: ISC */
/* Operations on all stacks of a tree: laws that hold for trees made at random. */
#include "shape.h"
#include "buf.h"
#include "folded.h"
#include "graft.h"
#include "mem.h"
#include "random.h"
#include "stacks.h"
#include "unit.h"

enum { TREES = 300 };

/* A tree of two columns, the same for the same SEED. Every third has one dimension, LEAD. */
static struct tree
make_tree(uint64_t seed, size_t *lead)
{
	struct tree t = { .n = 0 };
	size_t stacks = 1 + random_u64(&seed) % 12, frames, i;
	struct buf b = { 0 };

	*lead = seed % 3 == 0;
	while (stacks--) {
		buf_clear(&b);
		frames = *lead + 1 + random_u64(&seed) % 8;
		for (i = 0; i < frames; i++) {
			if (i)
				buf_char(&b, ';');
			buf_char(&b, (char)('a' + random_u64(&seed) % 3));
		}
		stacks_add(
			&t, buf_cstr(&b), random_u64(&seed) % 9, random_u64(&seed) % 9);
	}
	buf_release(&b);
	return t;
}

/* Whether all stacks of A are in B, with the same weight. */
static bool
contains(struct tree *a, struct tree *b)
{
	struct buf stack = { 0 };
	bool same = true;
	uint32_t i, n = a->n, node;

	for (i = 1; i < n; i++) {
		if (!tree_weighs(a, i))
			continue;
		buf_clear(&stack);
		folded_put_stack(&stack, a, i);
		node = stacks_add(b, buf_cstr(&stack), 0, 0);
		same &= a->self[0][i] == b->self[0][node] &&
			a->self[1][i] == b->self[1][node];
	}
	buf_release(&stack);
	return same;
}

static bool
is_equal(struct tree *a, struct tree *b)
{
	shape_merge(a);
	shape_merge(b);
	return contains(a, b) && contains(b, a);
}

/* What the nodes of T weigh together. */
static uint64_t
add_up(const struct tree *t, int column)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < t->n; i++)
		sum += t->self[column][i];
	return sum;
}

/* Which functions are called NAME. To be freed. */
static bool *
find_function(struct tree *t, size_t lead, struct str name)
{
	bool *functions = shape_functions(t, lead);
	uint32_t i;

	for (i = 0; i < t->names.n; i++)
		functions[i] = functions[i] && str_eq(intern_str(&t->names, i), name);
	return functions;
}

/* Renames the function FROM to TO, or lets it go when that is empty. */
static void
rename_function(struct tree *t, size_t lead, struct str from, struct str to)
{
	bool *chosen = find_function(t, lead, from);
	uint32_t n = t->names.n, *id = mem_alloc(((size_t)n + 1) * sizeof *id), i;

	for (i = 0; i < n; i++)
		id[i] = !chosen[i] ? i : !to.n ? GRAFT_JOIN : intern_id(&t->names, to);
	shape_rename(t, lead, id);
	free(chosen);
	free(id);
}

/* Operations without arguments, and ones with some. */
static void
cut_above(struct tree *t, size_t lead)
{
	bool *chosen = find_function(t, lead, STR("b"));

	shape_cut_above(t, lead, chosen, false);
	free(chosen);
}

static void
cut_above_last(struct tree *t, size_t lead)
{
	bool *chosen = find_function(t, lead, STR("b"));

	shape_cut_above(t, lead, chosen, true);
	free(chosen);
}

static void
cut_below(struct tree *t, size_t lead)
{
	bool *chosen = find_function(t, lead, STR("b"));

	shape_cut_below(t, lead, chosen, false);
	free(chosen);
}

static void
cut_below_last(struct tree *t, size_t lead)
{
	bool *chosen = find_function(t, lead, STR("b"));

	shape_cut_below(t, lead, chosen, true);
	free(chosen);
}

static void
cut_depth(struct tree *t, size_t lead)
{
	shape_cut_depth(t, lead, 3);
}

static void
hide(struct tree *t, size_t lead)
{
	rename_function(t, lead, STR("a"), STR(""));
}

static void
unite(struct tree *t, size_t lead)
{
	rename_function(t, lead, STR("a"), STR("b"));
}

static void
prune(struct tree *t, size_t lead)
{
	shape_prune(t, lead, 20, t->sum);
}

typedef void operation(struct tree *t, size_t lead);

/* Those with which nothing changes the second time. */
static operation *const ONCE[] = { shape_fold, shape_fold_cycles, cut_above_last,
	cut_below, cut_depth, hide, unite, prune };
static operation *const OTHERS[] = { shape_reverse, cut_above, cut_below_last };

UNIT(no_operation_makes_or_loses_weight)
{
	size_t n = sizeof ONCE / sizeof *ONCE, all = n + sizeof OTHERS / sizeof *OTHERS;
	uint64_t seed, sum[2];
	struct tree t;
	size_t lead, i;
	int c;

	for (seed = 0; seed < TREES; seed++)
		for (i = 0; i < all; i++) {
			t = make_tree(seed, &lead);
			memcpy(sum, t.sum, sizeof sum);
			(i < n ? ONCE[i] : OTHERS[i - n])(&t, lead);
			for (c = 0; c < 2; c++) {
				CHECK_U64(t.sum[c], sum[c]);
				CHECK_U64(add_up(&t, c), sum[c]);
			}
			tree_release(&t);
		}
}

UNIT(a_second_time_changes_nothing)
{
	struct tree once, twice;
	uint64_t seed;
	size_t lead, i;

	for (seed = 0; seed < TREES; seed++)
		for (i = 0; i < sizeof ONCE / sizeof *ONCE; i++) {
			once = make_tree(seed, &lead);
			twice = make_tree(seed, &lead);
			ONCE[i](&once, lead);
			ONCE[i](&twice, lead);
			ONCE[i](&twice, lead);
			CHECK(is_equal(&once, &twice));
			tree_release(&once);
			tree_release(&twice);
		}
}

UNIT(reversed_twice_stacks_are_what_they_were)
{
	struct tree t, u;
	uint64_t seed;
	size_t lead;

	for (seed = 0; seed < TREES; seed++) {
		t = make_tree(seed, &lead);
		u = make_tree(seed, &lead);
		shape_reverse(&t, lead);
		shape_reverse(&t, lead);
		CHECK(is_equal(&t, &u));
		/* What is below a function is above it in reverse. */
		cut_below(&u, lead);
		shape_reverse(&t, lead);
		cut_above_last(&t, lead);
		shape_reverse(&t, lead);
		CHECK(is_equal(&t, &u));
		tree_release(&t);
		tree_release(&u);
	}
}

UNIT(stacks_with_a_function_and_those_without_are_all)
{
	struct tree with, without, whole;
	uint64_t seed, dropped[2][2];
	bool *wanted;
	size_t lead;
	uint32_t i;
	int c;

	for (seed = 0; seed < TREES; seed++) {
		whole = make_tree(seed, &lead);
		with = make_tree(seed, &lead);
		without = make_tree(seed, &lead);
		memset(dropped, 0, sizeof dropped);
		wanted = find_function(&with, lead, STR("b"));
		shape_focus(&with, lead, wanted, false, dropped[0]);
		shape_focus(&without, lead, wanted, true, dropped[1]);
		for (c = 0; c < 2; c++) {
			CHECK_U64(dropped[0][c], without.sum[c]);
			CHECK_U64(dropped[1][c], with.sum[c]);
			for (i = 0; i < whole.n; i++)
				CHECK_U64(with.self[c][i] + without.self[c][i],
					whole.self[c][i]);
		}
		for (i = 1; i < with.n; i++)
			CHECK(!tree_weighs(&with, i) || !tree_weighs(&without, i));
		free(wanted);
		tree_release(&whole);
		tree_release(&with);
		tree_release(&without);
	}
}

/* One stack, before and after an operation. */
static void
check_stack(operation *change, size_t lead, const char *before, const char *after)
{
	struct tree t = { .n = 0 }, u = { .n = 0 };

	stacks_add(&t, before, 3, 5);
	stacks_add(&u, after, 3, 5);
	change(&t, lead);
	CHECK(is_equal(&t, &u));
	tree_release(&t);
	tree_release(&u);
}

UNIT(each_operation_on_a_stack)
{
	check_stack(shape_fold, 0, "a;a;b;b;a", "a;b;a");
	check_stack(shape_fold, 1, "a;a;a;b", "a;a;b");
	check_stack(shape_fold_cycles, 0, "a;b;a;b;c;c", "a;b;c");
	check_stack(shape_fold_cycles, 1, "a;a;b;a;b", "a;a;b");
	check_stack(shape_reverse, 0, "a;b;c", "c;b;a");
	check_stack(shape_reverse, 1, "a;b;c", "a;c;b");
	check_stack(cut_above, 0, "a;b;c;b;d", "b;c;b;d");
	check_stack(cut_above_last, 0, "a;b;c;b;d", "b;d");
	check_stack(cut_above, 1, "b;a;b;c", "b;b;c");
	check_stack(cut_below, 0, "a;b;c;b;d", "a;b");
	check_stack(cut_below_last, 0, "a;b;c;b;d", "a;b;c;b");
	check_stack(cut_below, 1, "b;a;b;c", "b;a;b");
	check_stack(cut_depth, 1, "a;b;c;d;e", "a;b;c;d");
	check_stack(hide, 0, "a;b;a;c", "b;c");
	check_stack(hide, 0, "a;a", "[hidden]");
	check_stack(hide, 1, "a;a", "a;[hidden]");
	check_stack(hide, 1, "a", "a");
	check_stack(unite, 1, "a;a;c", "a;b;c");
}

/* A stack that ends among its two dimensions. */
UNIT(a_stack_without_a_function_has_an_unknown_one)
{
	uint64_t dropped[2] = { 0, 0 };
	struct tree t = { .n = 0 };
	bool *wanted;

	stacks_add(&t, "a", 1, 2);
	rename_function(&t, 2, STR("[unknown]"), STR("x"));
	CHECK_U64(t.self[1][stacks_add(&t, "a;-;x", 0, 0)], 2);
	stacks_add(&t, "b", 4, 8);
	wanted = find_function(&t, 2, STR("[unknown]"));
	shape_focus(&t, 2, wanted, false, dropped);
	CHECK_U64(t.sum[1], 8);
	CHECK_U64(dropped[0], 1);
	free(wanted);
	tree_release(&t);
}

/* "(lib)" is a group, "i" a function that is of its caller's. */
UNIT(neighbours_of_a_group_are_one)
{
	struct tree t = { .n = 0 };
	uint32_t *to, n, i;
	struct str name;

	stacks_add(&t, "i;x;i;y;i;z;x", 1, 2);
	n = t.names.n;
	to = mem_alloc(n * sizeof *to);
	for (i = 0; i < n; i++) {
		name = intern_str(&t.names, i);
		to[i] = str_eq(name, STR("i")) ? GRAFT_JOIN
			: str_eq(name, STR("x")) || str_eq(name, STR("y"))
			? intern_id(&t.names, STR("lib"))
			: i;
	}
	shape_group(&t, 0, to);
	shape_merge(&t);
	CHECK_U64(t.self[1][stacks_add(&t, "i;lib;z;lib", 0, 0)], 2);
	free(to);
	tree_release(&t);
}

UNIT(a_small_function_is_so_in_both_columns)
{
	struct tree t = { .n = 0 };

	stacks_add(&t, "a;b;c", 1, 1);
	stacks_add(&t, "a;d", 1, 50);
	stacks_add(&t, "e", 98, 49);
	shape_prune(&t, 0, 10, t.sum);
	CHECK_U64(t.self[0][stacks_add(&t, "a", 0, 0)], 1);
	CHECK_U64(t.self[1][stacks_add(&t, "a;d", 0, 0)], 50);
	CHECK_U64(t.self[0][stacks_add(&t, "e", 0, 0)], 98);
	tree_release(&t);
}

UNIT_MAIN
