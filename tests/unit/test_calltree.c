/* SPDX-License-Identifier: ISC */
/* Tests of calltree: its rows and their indentation. */
#include "stacks.h"
#include "unit.h"
#include "buf.h"
#include "calltree.h"
#include "mem.h"

static struct tree tree;
static uint64_t *totals[TREE_COLUMNS];
static struct buf got;

static void
add(const char *stack, uint64_t before, uint64_t after)
{
	stacks_add(&tree, stack, before, after);
}

static void
put_row(const struct calltree *ct, const struct calltree_row *row)
{
	uint32_t level;

	for (level = 1; level < row->level; level++)
		buf_char(&got, ct->goes_on[level] ? '|' : ' ');
	if (row->level)
		buf_char(&got,
			row->is_branch			  ? row->is_last ? '`' : '+'
				: ct->goes_on[row->level] ? '|'
							  : ' ');
	if (row->hidden)
		buf_fmt(&got, "(%u)", (unsigned)row->hidden);
	buf_str(&got, row->name);
	buf_fmt(&got, " %d/%d", (int)row->self[0], (int)row->total[0]);
	if (row->total[1])
		buf_fmt(&got, " %d/%d", (int)row->self[1], (int)row->total[1]);
	buf_char(&got, '\n');
}

/* The rows, one per line. */
static struct str
rows(const bool *wanted, bool up, uint64_t least, uint32_t depth)
{
	const struct calltree_limits limits = { { least, least }, depth };
	struct calltree_source source = { &tree, totals, wanted, up };
	struct calltree ct;
	struct calltree_row row;

	totals[0] = tree_totals(&tree, 0);
	totals[1] = tree_totals(&tree, 1);
	buf_clear(&got);
	calltree_init(&ct, &source, &limits);
	while (calltree_next(&ct, &row))
		put_row(&ct, &row);
	if (ct.hidden)
		buf_fmt(&got, "hidden %u\n", (unsigned)ct.hidden);
	calltree_release(&ct);
	free(totals[0]);
	free(totals[1]);
	return buf_view(&got);
}

/* The nodes with NAME, except those below a namesake. */
static bool *
places_of(const char *name)
{
	bool *wanted = mem_zero(tree.n, sizeof *wanted);
	bool *below = mem_zero(tree.n, sizeof *below);
	uint32_t i;

	for (i = 1; i < tree.n; i++) {
		below[i] = below[tree.nodes[i].parent] || wanted[tree.nodes[i].parent];
		wanted[i] = !below[i] &&
			str_eq(intern_str(&tree.names, tree.nodes[i].name), str_of(name));
	}
	free(below);
	return wanted;
}

UNIT(heavy_siblings_come_first_then_by_name)
{
	add("m;a", 5, 0);
	add("m;c", 7, 0);
	add("m;b", 5, 0);
	CHECK_STR(rows(NULL, false, 1, 0), STR("m 0/17\n+c 7/7\n+a 5/5\n`b 5/5\n"));
}

UNIT(an_only_child_with_all_the_weight_is_not_indented)
{
	add("m;a;b;c", 5, 0);
	add("m;a;b;d", 4, 0);
	CHECK_STR(rows(NULL, false, 1, 0), STR("m 0/9\na 0/9\nb 0/9\n+c 5/5\n`d 4/4\n"));
}

UNIT(an_only_child_with_less_is_indented)
{
	add("m;a", 5, 0);
	add("m", 5, 0);
	CHECK_STR(rows(NULL, false, 1, 0), STR("m 5/10\n`a 5/5\n"));
	CHECK_STR(rows(NULL, false, 6, 0), STR("m 5/10\nhidden 1\n"));
}

UNIT(lines_go_on_as_long_as_their_level_does)
{
	add("m;a;b;x", 5, 0);
	add("m;a;b;y", 4, 0);
	add("m;c;d", 3, 0);
	CHECK_STR(rows(NULL, false, 1, 0),
		STR("m 0/12\n+a 0/9\n|b 0/9\n|+x 5/5\n|`y 4/4\n`c 0/3\n d 3/3\n"));
}

UNIT(hidden_siblings_that_weigh_enough_have_a_row)
{
	add("m;a", 50, 0);
	add("m;b", 6, 0);
	add("m;c", 5, 0);
	add("m;d", 0, 0);
	CHECK_STR(
		rows(NULL, false, 10, 0), STR("m 0/61\n+a 50/50\n`(2) 0/11\nhidden 2\n"));
	CHECK_STR(rows(NULL, false, 12, 0), STR("m 0/61\na 50/50\nhidden 2\n"));
}

UNIT(deeper_rows_are_hidden_and_counted)
{
	add("m;a;x", 5, 0);
	add("m;a;y", 5, 0);
	add("m;b", 5, 0);
	CHECK_STR(rows(NULL, false, 1, 2),
		STR("m 0/15\n+a 0/10\n|(2) 0/10\n`b 5/5\nhidden 2\n"));
}

UNIT(either_column_makes_a_row_visible)
{
	add("m;old", 9, 0);
	add("m;new", 0, 9);
	add("m;both", 5, 5);
	CHECK_STR(rows(NULL, false, 6, 0),
		STR("m 0/14 0/14\n+new 0/0 9/9\n`old 9/9\nhidden 1\n"));
}

UNIT(callers_of_all_places_are_joined)
{
	bool *wanted;

	add("m;a;f", 5, 0);
	add("m;b;f;g", 4, 0);
	add("n;b;f;f", 3, 0);
	wanted = places_of("f");
	CHECK_STR(rows(wanted, true, 1, 0),
		STR("f 0/12\n+b 0/7\n|+m 0/4\n|`n 0/3\n`a 0/5\n m 0/5\n"));
	free(wanted);
}

UNIT(callees_of_all_places_are_joined)
{
	bool *wanted;

	add("m;a;f;x", 5, 0);
	add("m;b;f;y", 4, 0);
	add("n;b;f;f;x", 3, 0);
	add("n;f", 2, 0);
	wanted = places_of("f");
	CHECK_STR(rows(wanted, false, 1, 0),
		STR("f 2/14\n+x 5/5\n+y 4/4\n`f 0/3\n x 3/3\n"));
	free(wanted);
}

UNIT(functions_overlap_so_hidden_ones_have_no_sum)
{
	bool *wanted;
	uint32_t i;

	add("a;b;c", 5, 0);
	add("d", 100, 0);
	wanted = mem_zero(tree.n, sizeof *wanted);
	for (i = 1; i < tree.n; i++)
		wanted[i] = true;
	CHECK_STR(rows(wanted, true, 10, 0), STR("d 0/100\n(3) 0/0\nhidden 3\n"));
	free(wanted);
}

UNIT(a_million_levels_do_not_recurse)
{
	const struct calltree_limits limits = { { 1, 1 }, 0 };
	struct calltree_source source = { &tree, totals, NULL, false };
	struct calltree ct;
	struct calltree_row row;
	uint32_t node = TREE_ROOT, i;
	uint64_t n = 0;

	tree_init(&tree, 1);
	for (i = 0; i < 1000000; i++)
		node = tree_child(&tree, node, i % 2 ? STR("f") : STR("g"));
	tree_add(&tree, node, 0, 1);
	totals[0] = tree_totals(&tree, 0);
	calltree_init(&ct, &source, &limits);
	while (calltree_next(&ct, &row))
		CHECK(row.depth == ++n && row.level == 0);
	CHECK_U64(n, 1000000);
	calltree_release(&ct);
	free(totals[0]);
}

/* In a random tree with every row: the children's rows and the self weight add up to
 * the total. */
UNIT(rows_add_up)
{
	static uint64_t left[200];
	struct calltree_source source = { &tree, totals, NULL, false };
	const struct calltree_limits limits = { { 1, 1 }, 0 };
	struct calltree ct;
	struct calltree_row row;
	uint64_t random = 7;
	uint32_t node, i, d, depth = 0;

	tree_init(&tree, 1);
	for (i = 0; i < 20000; i++) {
		for (node = TREE_ROOT, d = 0; d < 100 && random % 8; d++) {
			random = random * 6364136223846793005 + 1442695040888963407;
			node = tree_child(&tree, node,
				(struct str){ &"abcdefghij"[random >> 61], 1 });
			random ^= random >> 33;
		}
		random = random * 6364136223846793005 + 1442695040888963407;
		tree_add(&tree, node, 0, random >> 56);
		random ^= random >> 33;
	}
	totals[0] = tree_totals(&tree, 0);
	calltree_init(&ct, &source, &limits);
	left[0] = totals[0][TREE_ROOT] - tree.self[0][TREE_ROOT];
	while (calltree_next(&ct, &row)) {
		for (; depth >= row.depth; depth--)
			CHECK_U64(left[depth], 0);
		depth = row.depth;
		CHECK(row.total[0] <= left[depth - 1]);
		left[depth - 1] -= row.total[0];
		left[depth] = row.total[0] - row.self[0];
	}
	CHECK_U64(left[0], 0);
	calltree_release(&ct);
	free(totals[0]);
}

UNIT_MAIN
