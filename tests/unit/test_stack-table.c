/* SPDX-License-Identifier: ISC */
/* Tests of stack-table: the rows that lead to a root, and their nodes. */
#include "unit.h"
#include "stacks/stack-table.h"

/* A table of N rows of frame 0 whose callers are PREFIX. */
static struct stack_table
table(const int32_t *prefix, size_t n, bool by_offset)
{
	struct json_ints callers = { .n = 0 }, frames = { .n = 0 };
	struct stack_table t = { .n = 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		json_ints_add(&callers, prefix[i]);
		json_ints_add(&frames, 0);
	}
	stack_table_add_columns(&t, &callers, &frames, by_offset);
	stack_table_settle(&t, STACK_ANY_DEPTH);
	json_ints_release(&callers);
	json_ints_release(&frames);
	return t;
}

UNIT(a_row_leads_to_the_root_or_is_refused)
{
	static const int32_t prefix[] = { -1, 0, 1, 7, -2, 4, 5, 3, INT32_MAX, 10, -1 };
	static const bool has[] = { true, true, true, false, false, false, false, false,
		false, true, true };
	struct stack_table t = table(prefix, 11, false);
	uint32_t i;

	for (i = 0; i < 11; i++)
		CHECK(stack_table_has(&t, i) == has[i]);
	CHECK(!stack_table_has(&t, STACK_EMPTY));
	CHECK(!stack_table_has(&t, 11));
	CHECK(t.rows[9].caller == 10);
	CHECK(t.rows[10].caller == STACK_EMPTY);
	stack_table_release(&t);
}

UNIT(offsets_count_back)
{
	static const int32_t offset[] = { 0, 1, 2, 4, -1, 0, INT32_MIN };
	static const bool has[] = { true, true, true, false, true, true, false };
	struct stack_table t = table(offset, 7, true);
	uint32_t i;

	for (i = 0; i < 7; i++)
		CHECK(stack_table_has(&t, i) == has[i]);
	CHECK(t.rows[2].caller == 0);
	CHECK(t.rows[5].caller == STACK_EMPTY);
	stack_table_release(&t);
}

UNIT(a_cycle_invalidates_rows_that_lead_to_it)
{
	static const int32_t prefix[] = { 1, 2, 0, 2, 3, -1, 6 };
	struct stack_table t = table(prefix, 7, false);
	uint32_t i;

	for (i = 0; i < 7; i++)
		CHECK(stack_table_has(&t, i) == (i == 5));
	stack_table_release(&t);
}

UNIT(stacks_have_at_most_the_limit_of_frames)
{
	enum { DEEPEST = 8192, N = DEEPEST + 3 };
	struct stack_table t = { .n = 0 };
	uint32_t i;

	for (i = N; i > 0; i--)
		stack_table_add(&t, i == 1 ? STACK_EMPTY : N - i + 1, 0);
	stack_table_settle(&t, DEEPEST);
	CHECK(stack_table_has(&t, N - 1));
	CHECK(stack_table_has(&t, N - DEEPEST));
	CHECK(!stack_table_has(&t, N - DEEPEST - 1));
	CHECK(!stack_table_has(&t, 0));
	stack_table_release(&t);
}

UNIT(a_shorter_column_is_the_end_of_the_table)
{
	struct json_ints callers = { .n = 0 }, frames = { .n = 0 };
	struct stack_table t = { .n = 0 };

	json_ints_add(&callers, -1);
	json_ints_add(&callers, 0);
	json_ints_add(&frames, 0);
	stack_table_add_columns(&t, &callers, &frames, false);
	stack_table_settle(&t, STACK_ANY_DEPTH);
	CHECK(stack_table_has(&t, 0));
	CHECK(!stack_table_has(&t, 1));
	json_ints_release(&callers);
	json_ints_release(&frames);
	stack_table_release(&t);
}

UNIT(notes_are_forgotten_at_once)
{
	struct stack_memo m = { .n = 0 };
	uint32_t value;

	stack_memo_forget(&m, 2);
	CHECK(!stack_memo_get(&m, 1, &value));
	stack_memo_set(&m, 1, 7);
	CHECK(stack_memo_get(&m, 1, &value));
	CHECK_U64(value, 7);
	CHECK(!stack_memo_get(&m, 0, &value));
	stack_memo_forget(&m, 2);
	CHECK(!stack_memo_get(&m, 1, &value));
	stack_memo_forget(&m, 1000);
	CHECK(!stack_memo_get(&m, 999, &value));
	stack_memo_release(&m);
}

UNIT(a_stack_is_one_row_however_it_came)
{
	struct stack_table t = { .n = 0 };
	uint32_t i, row, outer = stack_table_child(&t, STACK_EMPTY, 7);

	CHECK_U64(stack_table_child(&t, STACK_EMPTY, 7), outer);
	for (i = 0; i < 5000; i++)
		CHECK_U64(stack_table_child(&t, outer, i), i + 1);
	for (i = 0; i < 5000; i++)
		CHECK_U64(stack_table_child(&t, outer, i), i + 1);
	row = stack_table_child(&t, 3, 7);
	CHECK_U64(row, 5001);
	CHECK(t.rows[row].caller == 3 && t.rows[row].frame == 7);
	stack_table_release(&t);
}

/* Counts the steps; each node's sum is that of its frames; frame 9 has no node. */
struct steps {
	const struct stack_table *t;
	uint32_t n;
};

static uint32_t
count_step(void *context, uint32_t node, uint32_t row)
{
	struct steps *s = context;
	uint32_t frame = s->t->rows[row].frame;

	s->n++;
	return frame == 9 ? STACK_NOWHERE : node + frame;
}

UNIT(each_row_is_looked_up_once_per_root)
{
	static const uint32_t callers[] = { STACK_EMPTY, 0, 1, 1, 9, 3 };
	static const uint32_t frames[] = { 1, 2, 4, 9, 1, 1 };
	struct stack_table t = { .n = 0 };
	struct steps s = { &t, 0 };
	size_t i;

	for (i = 0; i < 6; i++)
		stack_table_add(&t, callers[i], frames[i]);
	stack_table_settle(&t, STACK_ANY_DEPTH);
	stack_table_root(&t, 100);
	CHECK_U64(stack_table_node(&t, STACK_EMPTY, count_step, &s), 100);
	CHECK_U64(stack_table_node(&t, 2, count_step, &s), 107);
	CHECK_U64(s.n, 3);
	CHECK_U64(stack_table_node(&t, 1, count_step, &s), 103);
	CHECK_U64(stack_table_node(&t, 3, count_step, &s), STACK_NOWHERE);
	CHECK_U64(stack_table_node(&t, 5, count_step, &s), STACK_NOWHERE);
	CHECK_U64(stack_table_node(&t, 4, count_step, &s), STACK_NOWHERE);
	stack_table_root(&t, 100);
	CHECK_U64(stack_table_node(&t, 2, count_step, &s), 107);
	CHECK_U64(s.n, 4);
	stack_table_root(&t, 200);
	CHECK_U64(stack_table_node(&t, 2, count_step, &s), 207);
	CHECK_U64(s.n, 7);
	stack_table_forget(&t);
	stack_table_root(&t, 200);
	CHECK_U64(stack_table_node(&t, 2, count_step, &s), 207);
	CHECK_U64(s.n, 10);
	stack_table_release(&t);
}

UNIT_MAIN
