/* SPDX-License-Identifier: ISC */
/* Tests of the frames that a stack shares with the previous one. */
#include "perf/stack-cache.h"
#include "unit.h"

static const struct stack_cache_context here = { .root = 7 };

/* Replaces the lines of T by TEXT and returns how many were shared; steps get the
 * numbers of their lines from the root, plus FIRST, as nodes. */
static size_t
set_lines(struct stack_cache *t, struct str text, uint32_t first)
{
	size_t shared, at;

	stack_cache_begin(t, &here, text);
	shared = t->n;
	for (at = text.n - stack_cache_shared(t); at-- > 0;)
		if (!at || text.s[at - 1] == '\n')
			stack_cache_push(t, text.n - at, first + (uint32_t)t->n);
	return shared;
}

UNIT(lines_are_shared_from_the_root)
{
	struct stack_cache t = { 0 };

	CHECK(set_lines(&t, STR("leaf\nmid\nmain\n_start\n"), 10) == 0);
	CHECK(stack_cache_node(&t) == 13);
	CHECK(set_lines(&t, STR("other\nmid\nmain\n_start\n"), 20) == 3);
	CHECK(t.steps[2].node == 12 && stack_cache_node(&t) == 23);
	CHECK(set_lines(&t, STR("other\nmid\nmain\n_start\n"), 30) == 4);
	CHECK(stack_cache_node(&t) == 23);
	CHECK(set_lines(&t, STR("mid\nmain\n_start\n"), 40) == 3);
	CHECK(stack_cache_node(&t) == 12);
	stack_cache_release(&t);
}

UNIT(the_end_of_a_longer_line_is_not_shared)
{
	struct stack_cache t = { 0 };

	set_lines(&t, STR("leaf\nid\nmain\n_start\n"), 10);
	CHECK(set_lines(&t, STR("leaf\nmid\nmain\n_start\n"), 20) == 2);
	CHECK(set_lines(&t, STR("leaf\nid\nmain\n_start\n"), 30) == 2);
	CHECK(set_lines(&t, STR("id\nmain\n_start"), 40) == 0);
	stack_cache_release(&t);
}

UNIT(one_shared_frame_is_not_enough)
{
	struct stack_cache t = { 0 };

	set_lines(&t, STR("leaf\nmain\n_start\n"), 10);
	CHECK(set_lines(&t, STR("leaf\nwork\n_start\n"), 20) == 0);
	CHECK(set_lines(&t, STR("work\n_start\n"), 20) == 2);
	stack_cache_forget(&t);
	CHECK(set_lines(&t, STR("work\n_start\n"), 30) == 0);
	stack_cache_release(&t);
}

UNIT(members_of_an_array_are_shared_whole)
{
	const uint64_t one[] = { 1, 2, 3, 4, 5, 6, 7, 8 },
		       two[] = { 9, 9, 1, 9, 3, 4, 5, 6, 7, 8 };
	struct stack_cache_context other = { .root = 7, .image = 1 };
	struct stack_cache t = { .width = 16 };
	struct str a = { (const char *)one, sizeof one },
		   b = { (const char *)two, sizeof two };

	stack_cache_begin(&t, &here, a);
	CHECK(t.n == 0);
	for (uint32_t i = 0; i < 4; i++)
		stack_cache_push(&t, (i + 1) * t.width, i);
	stack_cache_begin(&t, &here, b);
	CHECK(t.n == 3 && stack_cache_node(&t) == 2 && stack_cache_shared(&t) == 48);
	stack_cache_push(&t, 64, 13);
	stack_cache_push(&t, 80, 14);
	stack_cache_begin(&t, &other, b);
	CHECK(t.n == 0);
	stack_cache_release(&t);
}

UNIT(how_a_stack_ends_marks_its_root)
{
	static const struct collapse_options plain = { .count = true };
	struct stack_cache t = { 0 };
	struct collapse *c;

	c = collapse_new(&plain);
	stack_cache_begin(&t, &(struct stack_cache_context){ .root = TREE_ROOT },
		STR("leaf\nmain\n"));
	stack_cache_end(&t, c, COLLAPSE_ENTRY);
	CHECK(stack_cache_node(&t) == TREE_ROOT);
	stack_cache_end(&t, c, COLLAPSE_CUT);
	CHECK(stack_cache_node(&t) == collapse_mark_end(c, TREE_ROOT, COLLAPSE_CUT));
	CHECK(stack_cache_node(&t) != TREE_ROOT);
	stack_cache_end(&t, c, COLLAPSE_CUT);
	CHECK(stack_cache_node(&t) != TREE_ROOT);
	stack_cache_end(&t, c, COLLAPSE_ENTRY);
	CHECK(stack_cache_node(&t) == TREE_ROOT);
	collapse_free(c);
	stack_cache_release(&t);
}

UNIT_MAIN
