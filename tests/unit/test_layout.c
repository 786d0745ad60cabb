/* SPDX-License-Identifier: ISC */
/* Tests of layout: the invariants of boxes and widths; removed frames keep their
 * place. */
#include "stacks.h"
#include "unit.h"
#include "layout.h"

#include "buf.h"
#include "mem.h"

static struct tree tree;
static struct tree_walk walk;
static uint64_t *totals;
static struct layout boxes;

static void
add(const char *stack, uint64_t weight)
{
	struct str rest = str_of(stack);
	uint32_t node = TREE_ROOT;

	if (!tree.n)
		tree_init(&tree, 1);
	while (rest.n)
		node = tree_child(&tree, node, str_cut(&rest, ';'));
	tree_add(&tree, node, 0, weight);
}

static void
lay_out(enum tree_order order, uint64_t min)
{
	tree_walk_init(&walk, &tree, order);
	totals = tree_totals(&tree, 0);
	layout_init(&boxes, &tree, &walk,
		&(struct layout_widths){ .self = tree.self[0], .totals = totals }, min);
}

static void
check_box(size_t i, const char *name, uint64_t x, uint64_t w)
{
	const struct layout_box *b = &boxes.boxes[i];

	CHECK(i < boxes.n);
	if (b->node != LAYOUT_STRIP)
		CHECK_STR(
			intern_str(&tree.names, tree.nodes[b->node].name), str_of(name));
	else
		CHECK_STR(STR("strip"), str_of(name));
	CHECK_U64(b->x, x);
	CHECK_U64(b->w, w);
}

UNIT(rows_of_a_needle_are_cut_unless_they_are_few)
{
	add("main;wide", 900);
	add("main;a;b;c;d", 1);
	lay_out(TREE_BY_NAME, 1);
	layout_cut(&boxes, 10, 3);
	CHECK_U64(boxes.depth, 5);
	CHECK_U64(boxes.n, 6);
	layout_cut(&boxes, 10, 2);
	CHECK_U64(boxes.depth, 2);
	CHECK_U64(boxes.rows, 5);
	CHECK_U64(boxes.n, 3);
}

UNIT(self_weight_comes_first_then_children_by_name)
{
	add("main;b", 5);
	add("main;a", 3);
	add("main", 10);
	lay_out(TREE_BY_NAME, 1);
	CHECK_U64(boxes.n, 3);
	check_box(0, "main", 0, 18);
	check_box(1, "a", 10, 3);
	check_box(2, "b", 13, 5);
	CHECK_U64(boxes.depth, 2);
}

UNIT(the_roots_own_weight_is_left_free)
{
	add("", 7);
	add("a", 3);
	lay_out(TREE_BY_NAME, 1);
	check_box(0, "a", 7, 3);
}

UNIT(frames_without_weight_have_no_box)
{
	add("a;b", 0);
	add("c", 3);
	lay_out(TREE_BY_NAME, 1);
	CHECK_U64(boxes.n, 1);
	check_box(0, "c", 0, 3);
}

UNIT(a_gap_keeps_its_place)
{
	uint32_t a;

	tree_init(&tree, 1);
	a = tree_append(&tree, TREE_ROOT, STR("a"));
	tree_add(&tree, tree_append(&tree, a, STR("b")), 0, 1);
	tree_add(&tree, tree_append_id(&tree, a, TREE_GAP), 0, 2);
	tree_add(&tree, tree_append(&tree, a, STR("b")), 0, 3);
	lay_out(TREE_AS_ADDED, 1);
	CHECK_U64(boxes.n, 3);
	check_box(0, "a", 0, 6);
	check_box(1, "b", 0, 1);
	check_box(2, "b", 3, 3);
}

UNIT(narrow_neighbours_become_a_strip)
{
	add("a", 100);
	add("b", 9);
	add("c", 9);
	add("d", 9);
	add("e", 100);
	add("f", 9);
	lay_out(TREE_BY_NAME, 10);
	CHECK_U64(boxes.n, 3);
	check_box(0, "a", 0, 100);
	check_box(1, "e", 127, 100);
	check_box(2, "strip", 100, 27);
}

UNIT(a_million_levels_do_not_recurse)
{
	uint32_t node = TREE_ROOT;
	int i;

	tree_init(&tree, 1);
	for (i = 0; i < 1000000; i++)
		node = tree_child(&tree, node, i % 2 ? STR("f") : STR("g"));
	tree_add(&tree, node, 0, 1);
	lay_out(TREE_BY_NAME, 1);
	CHECK_U64(boxes.n, 1000000);
	CHECK_U64(boxes.depth, 1000000);
}

UNIT(sums_near_two_to_the_64_do_not_wrap)
{
	add("a;b", UINT64_MAX - 10);
	add("a;c", 10);
	lay_out(TREE_BY_NAME, 1);
	check_box(0, "a", 0, UINT64_MAX);
	check_box(2, "c", UINT64_MAX - 10, 10);
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 8;
}

static void
make_random_tree(void)
{
	uint64_t state = 7;
	uint32_t node = TREE_ROOT;
	struct buf name = { 0 };
	int i;

	tree_init(&tree, 1);
	for (i = 0; i < 50000; i++) {
		buf_clear(&name);
		buf_u64(&name, next_random(&state) % 50);
		if (next_random(&state) % 20 == 0)
			node = TREE_ROOT;
		else if (next_random(&state) % 2)
			node = tree.nodes[node].parent;
		node = tree_child(&tree, node, buf_view(&name));
		tree_add(&tree, node, 0, next_random(&state) % 100);
	}
	buf_release(&name);
}

/* In a random tree with every box: each lies within its parent's and after its
 * sibling, and the room that children leave is the self weight. */
UNIT(children_lie_inside_parents_and_widths_add_up)
{
	uint64_t *free_of, *x, *end;
	uint32_t node, parent;
	size_t i;

	make_random_tree();
	lay_out(TREE_BY_NAME, 1);
	free_of = tree_totals(&tree, 0);
	x = mem_zero(tree.n, sizeof *x);
	end = mem_zero(tree.n, sizeof *end);
	end[TREE_ROOT] = tree.self[0][TREE_ROOT];
	for (i = 0; i < boxes.n; i++) {
		node = boxes.boxes[i].node;
		CHECK(node != LAYOUT_STRIP);
		parent = tree.nodes[node].parent;
		CHECK_U64(boxes.boxes[i].w, totals[node]);
		CHECK_U64(boxes.boxes[i].x, end[parent]);
		x[node] = boxes.boxes[i].x;
		end[node] = x[node] + tree.self[0][node];
		end[parent] += boxes.boxes[i].w;
		CHECK(end[parent] <= x[parent] + totals[parent]);
		free_of[parent] -= boxes.boxes[i].w;
	}
	for (node = 0; node < tree.n; node++)
		CHECK_U64(free_of[node], tree.self[0][node]);
	free(free_of);
	free(x);
	free(end);
}

/* With any frames left out, boxes and strips of a row do not overlap or exceed the
 * root's width. */
UNIT(boxes_and_strips_do_not_overlap)
{
	struct layout_box a, b;
	size_t i, j;

	make_random_tree();
	lay_out(TREE_BY_NAME, tree.sum[0] / 400);
	CHECK(boxes.n > 100);
	for (i = 0; i < boxes.n; i++) {
		a = boxes.boxes[i];
		CHECK(a.x <= tree.sum[0] && a.w <= tree.sum[0] - a.x);
		for (j = 0; j < i; j++) {
			b = boxes.boxes[j];
			CHECK(a.depth != b.depth || a.x + a.w <= b.x || b.x + b.w <= a.x);
		}
	}
}

static uint64_t *both[TREE_COLUMNS];
static struct layout_widths widths;

static bool
widen(void)
{
	both[0] = tree_totals(&tree, 0);
	both[1] = tree_totals(&tree, 1);
	layout_widths_init(&widths, &tree, both[1], 1, tree.sum[1]);
	return layout_widths_add_gone(&widths, &tree, layout_weight_of_gone(&tree, both));
}

UNIT(a_frame_is_as_wide_as_after_and_the_removed_part)
{
	uint32_t gone = stacks_add(&tree, "main;gone", 5, 0),
		 leaf = stacks_add(&tree, "main;gone;leaf", 7, 0);
	uint32_t kept = stacks_add(&tree, "main;kept", 100, 30);

	CHECK(widen());
	CHECK_U64(widths.totals[kept], 30);
	CHECK_U64(widths.totals[leaf], 7);
	CHECK_U64(widths.totals[gone], 12);
	CHECK_U64(widths.self[gone], 5);
	CHECK_U64(widths.totals[TREE_ROOT], 42);
	CHECK_U64(widths.whole, 42);
}

/* A frame with running callees is not removed, even if its self weight is. */
UNIT(a_frame_with_weight_after_is_not_gone)
{
	uint32_t main = stacks_add(&tree, "main", 50, 0);

	stacks_add(&tree, "main;f", 0, 10);
	CHECK(!widen());
	CHECK_U64(widths.totals[main], 10);
	CHECK_U64(widths.self[main], 0);
}

UNIT(all_may_be_gone)
{
	stacks_add(&tree, "a", 3, 0);
	CHECK(widen());
	CHECK_U64(widths.whole, 3);
}

UNIT(a_gap_is_gone_with_its_frame)
{
	uint32_t kept, gone, gap_of_kept, gap_of_gone;

	tree_init(&tree, 2);
	kept = tree_append(&tree, TREE_ROOT, STR("kept"));
	tree_add(&tree, kept, 1, 4);
	gap_of_kept = tree_append_id(&tree, kept, TREE_GAP);
	tree_add(&tree, gap_of_kept, 0, 2);
	gone = tree_append(&tree, TREE_ROOT, STR("gone"));
	tree_add(&tree, gone, 0, 1);
	gap_of_gone = tree_append_id(&tree, gone, TREE_GAP);
	tree_add(&tree, gap_of_gone, 0, 8);
	CHECK(widen());
	CHECK_U64(widths.totals[gap_of_kept], 0);
	CHECK_U64(widths.totals[gap_of_gone], 8);
	CHECK_U64(widths.whole, 4 + 9);
}

UNIT(removed_weights_that_overflow_64_bits_are_left_out)
{
	stacks_add(&tree, "after", 0, UINT64_MAX - 5);
	stacks_add(&tree, "gone", 6, 0);
	CHECK(!widen());
	CHECK_U64(widths.whole, UINT64_MAX - 5);
	CHECK(widths.totals == both[1]);
}

UNIT_MAIN
