/* SPDX-License-Identifier: ISC */
/* Stacks by frame and caller; see stack-table.h. */
#include "stack-table.h"
#include "mem.h"

void
stack_memo_release(struct stack_memo *m)
{
	free(m->notes);
	*m = (struct stack_memo){ .n = 0 };
}

void
stack_memo_forget(struct stack_memo *m, size_t n)
{
	m->turn++;
	if (n <= m->n)
		return;
	free(m->notes);
	m->notes = mem_zero(n, sizeof *m->notes);
	m->n = n;
}

void
stack_table_release(struct stack_table *t)
{
	free(t->rows);
	free(t->slots);
	free(t->climb);
	stack_memo_release(&t->nodes);
	stack_memo_release(&t->leaves);
	*t = (struct stack_table){ .n = 0 };
}

void
stack_table_add(struct stack_table *t, uint32_t caller, uint32_t frame)
{
	*MEM_ADD(t->rows, t->n, t->cap) = (struct stack_row){ caller, frame };
}

void
stack_table_add_columns(struct stack_table *t, const struct json_ints *callers,
	const struct json_ints *frames, bool by_offset)
{
	size_t n = callers->n < frames->n ? callers->n : frames->n, i;
	int64_t caller, none = by_offset ? 0 : -1;

	for (i = 0; i < n && i <= INT32_MAX; i++) {
		caller = callers->items[i];
		if (caller == none)
			caller = STACK_EMPTY;
		else if (by_offset)
			caller = (int64_t)i - caller;
		if (caller != STACK_EMPTY && (caller < 0 || caller >= (int64_t)n))
			caller = STACK_NOWHERE;
		stack_table_add(t, (uint32_t)caller, (uint32_t)frames->items[i]);
	}
}

/* Keeps ROW as element N of the path to the outermost row. */
static void
climb(struct stack_table *t, size_t n, uint32_t row)
{
	*MEM_AT(t->climb, t->climb_cap, n) = row;
}

/* States of depths while they are computed: unknown, on the current path, and a row that
 * does not lead to an outermost one. Callers may come after their callees. */
enum { UNKNOWN = 0 };
#define ON_PATH UINT32_MAX
#define NOWHERE (UINT32_MAX - 1)

/* Computes the depth of ROW and of its callers. */
static void
find_depth(struct stack_table *t, uint32_t *depths, uint32_t row, uint32_t deepest)
{
	uint32_t depth = NOWHERE;
	size_t n = 0;

	for (; row < t->n && depths[row] == UNKNOWN; row = t->rows[row].caller) {
		depths[row] = ON_PATH;
		climb(t, n++, row);
	}
	if (row == STACK_EMPTY)
		depth = 0;
	else if (row < t->n && depths[row] != ON_PATH)
		depth = depths[row];
	while (n > 0) {
		depth = depth < deepest ? depth + 1 : NOWHERE;
		depths[t->climb[--n]] = depth;
	}
}

void
stack_table_settle(struct stack_table *t, uint32_t deepest)
{
	uint32_t *depths = mem_zero(t->n, sizeof *depths);
	size_t i;

	for (i = 0; i < t->n; i++)
		if (depths[i] == UNKNOWN)
			find_depth(t, depths, (uint32_t)i, deepest);
	for (i = 0; i < t->n; i++)
		if (depths[i] == NOWHERE)
			t->rows[i].caller = STACK_NOWHERE;
	free(depths);
}

/* The slot of ROW, or the free one where it belongs. */
static size_t
find_slot(const struct stack_table *t, struct stack_row row)
{
	uint64_t key = ((uint64_t)row.caller << 32 | row.frame) * 0x9e3779b97f4a7c15;
	size_t mask = t->slot_n - 1, at = (size_t)(key ^ key >> 32) & mask;
	const struct stack_row *other;

	for (; t->slots[at]; at = (at + 1) & mask) {
		other = &t->rows[t->slots[at] - 1];
		if (other->caller == row.caller && other->frame == row.frame)
			break;
	}
	return at;
}

static void
grow_slots(struct stack_table *t)
{
	enum { FIRST = 1024 };
	size_t i;

	if (t->n * 2 < t->slot_n)
		return;
	t->slot_n = t->slot_n ? t->slot_n * 2 : FIRST;
	free(t->slots);
	t->slots = mem_zero(t->slot_n, sizeof *t->slots);
	for (i = 0; i < t->n; i++)
		t->slots[find_slot(t, t->rows[i])] = (uint32_t)i + 1;
}

uint32_t
stack_table_child(struct stack_table *t, uint32_t caller, uint32_t frame)
{
	size_t at;

	grow_slots(t);
	at = find_slot(t, (struct stack_row){ caller, frame });
	if (t->slots[at])
		return t->slots[at] - 1;
	if (t->n == STACK_NOWHERE)
		return STACK_NOWHERE;
	stack_table_add(t, caller, frame);
	t->slots[at] = (uint32_t)t->n;
	return (uint32_t)t->n - 1;
}

void
stack_table_forget(struct stack_table *t)
{
	t->has_root = false;
}

void
stack_table_root(struct stack_table *t, uint32_t root)
{
	if (t->has_root && t->root == root && t->n <= t->nodes.n)
		return;
	stack_memo_forget(&t->nodes, t->n);
	if (t->leaves.n)
		stack_memo_forget(&t->leaves, t->n);
	t->root = root;
	t->has_root = true;
}

void
stack_table_keep_leaf(struct stack_table *t, uint32_t row, uint32_t node)
{
	/* Notes of turn 0 are unset. */
	if (row >= t->leaves.n)
		stack_memo_forget(&t->leaves, t->n);
	stack_memo_set(&t->leaves, row, node);
}

uint32_t
stack_table_node(struct stack_table *t, uint32_t row, stack_step *step, void *context)
{
	uint32_t node = STACK_NOWHERE;
	size_t n = 0;

	for (; row < t->n && !stack_memo_get(&t->nodes, row, &node);
		row = t->rows[row].caller)
		climb(t, n++, row);
	if (row == STACK_EMPTY)
		node = t->root;
	else if (row >= t->n)
		node = STACK_NOWHERE;
	while (n > 0) {
		row = t->climb[--n];
		if (node != STACK_NOWHERE)
			node = step(context, node, row);
		stack_memo_set(&t->nodes, row, node);
	}
	return node;
}

/* The table and the sink of stack_table_path. */
struct named {
	const struct stack_table *t;
	struct collapse *c;
};

static uint32_t
add_name(void *context, uint32_t node, uint32_t row)
{
	const struct named *named = context;
	const uint32_t *name = &named->t->rows[row].frame;

	return *name == STACK_NO_FRAME ? node : collapse_path(named->c, node, name, 1);
}

uint32_t
stack_table_path(struct stack_table *t, uint32_t row, struct collapse *c)
{
	struct named named = { t, c };

	return stack_table_node(t, row, add_name, &named);
}
