/* SPDX-License-Identifier: ISC */
/* Tests of widths: what is gone keeps its place. */
#include "stacks.h"
#include "unit.h"
#include "widths.h"

static struct tree tree;
static uint64_t *totals[TREE_COLUMNS];
static struct widths widths;

static uint32_t
add(const char *stack, uint64_t before, uint64_t after)
{
	return stacks_add(&tree, stack, before, after);
}

static bool
widen(void)
{
	totals[0] = tree_totals(&tree, 0);
	totals[1] = tree_totals(&tree, 1);
	widths_init(&widths, &tree, totals[1], 1, tree.sum[1]);
	return widths_add_gone(&widths, &tree, widths_of_gone(&tree, totals));
}

UNIT(a_frame_is_as_wide_as_after_and_what_is_gone_in_it)
{
	uint32_t gone = add("main;gone", 5, 0), leaf = add("main;gone;leaf", 7, 0);
	uint32_t kept = add("main;kept", 100, 30);

	CHECK(widen());
	CHECK_U64(widths.totals[kept], 30);
	CHECK_U64(widths.totals[leaf], 7);
	CHECK_U64(widths.totals[gone], 12);
	CHECK_U64(widths.self[gone], 5);
	CHECK_U64(widths.totals[TREE_ROOT], 42);
	CHECK_U64(widths.whole, 42);
}

/* A frame that others still run in is not gone, though its self weight is. */
UNIT(a_frame_with_weight_after_is_not_gone)
{
	uint32_t main = add("main", 50, 0);

	add("main;f", 0, 10);
	CHECK(!widen());
	CHECK_U64(widths.totals[main], 10);
	CHECK_U64(widths.self[main], 0);
}

UNIT(all_may_be_gone)
{
	add("a", 3, 0);
	CHECK(widen());
	CHECK_U64(widths.whole, 3);
}

UNIT(a_gap_is_gone_with_its_frame)
{
	uint32_t kept, gone, gap_of_kept, gap_of_gone;

	tree_init(&tree, 2);
	kept = tree_append(&tree, TREE_ROOT, STR("kept"));
	tree_add(&tree, kept, 1, 4);
	gap_of_kept = tree_append_gap(&tree, kept);
	tree_add(&tree, gap_of_kept, 0, 2);
	gone = tree_append(&tree, TREE_ROOT, STR("gone"));
	tree_add(&tree, gone, 0, 1);
	gap_of_gone = tree_append_gap(&tree, gone);
	tree_add(&tree, gap_of_gone, 0, 8);
	CHECK(widen());
	CHECK_U64(widths.totals[gap_of_kept], 0);
	CHECK_U64(widths.totals[gap_of_gone], 8);
	CHECK_U64(widths.whole, 4 + 9);
}

UNIT(what_would_leave_64_bits_stays_out)
{
	add("after", 0, UINT64_MAX - 5);
	add("gone", 6, 0);
	CHECK(!widen());
	CHECK_U64(widths.whole, UINT64_MAX - 5);
	CHECK(widths.totals == totals[1]);
}

UNIT_MAIN
