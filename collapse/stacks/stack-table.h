/* SPDX-License-Identifier: ISC */
/*
 * Stacks as a table: a row is a frame and its caller's row, so one number represents a
 * whole stack. Rows come from a profile with such a table (stack_table_add, then
 * stack_table_settle), or frame by frame from the outermost (stack_table_child).
 *
 * Each row's node in the sink is found once, so N samples cost at most N lookups and one
 * step per row.
 */
#ifndef STACK_TABLE_H
#define STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "readers/json-columns.h"

/* Replace a row: the empty stack, and a stack that cannot be known. STACK_NOWHERE is not
 * a node of the sink either. */
#define STACK_EMPTY   UINT32_MAX
#define STACK_NOWHERE COLLAPSE_NOWHERE

/* Replaces a frame: the row has none, its stack is its caller's. */
#define STACK_NO_FRAME UINT32_MAX

/* A number for each row, valid until stack_memo_forget. Empty when zeroed. */
struct stack_memo {
	struct stack_note {
		uint32_t value, turn;
	} * notes;
	size_t n;
	uint32_t turn;
};

void stack_memo_release(struct stack_memo *m);

/* Forgets all numbers, and makes room for rows below N. */
void stack_memo_forget(struct stack_memo *m, size_t n);

static inline bool
stack_memo_get(const struct stack_memo *m, uint32_t row, uint32_t *value)
{
	const struct stack_note *note = &m->notes[row];

	*value = note->value;
	return note->turn == m->turn;
}

static inline void
stack_memo_set(struct stack_memo *m, uint32_t row, uint32_t value)
{
	m->notes[row] = (struct stack_note){ value, m->turn };
}

struct stack_row {
	uint32_t caller; /* a row, STACK_EMPTY or STACK_NOWHERE */
	uint32_t frame;	 /* its meaning is up to the format */
};

/* Empty when zeroed. */
struct stack_table {
	struct stack_row *rows;
	size_t n, cap;
	uint32_t *slots; /* of stack_table_child: row + 1; 0: free; a power of two */
	size_t slot_n;
	struct stack_memo nodes, leaves; /* of rows as callers, and as ends of stacks */
	uint32_t root;
	bool has_root;
	uint32_t *climb; /* rows on the path to the outermost */
	size_t climb_cap;
};

void stack_table_release(struct stack_table *t);

/* Adds a row. CALLER may be any number; an invalid one leads nowhere. */
void stack_table_add(struct stack_table *t, uint32_t caller, uint32_t frame);

/* Adds rows from two columns: callers, which are rows, -1 for none, or if BY_OFFSET the
 * distance back to the caller, 0 for none; and frames. */
void stack_table_add_columns(struct stack_table *t, const struct json_ints *callers,
	const struct json_ints *frames, bool by_offset);

/* No limit for stack_table_settle. */
#define STACK_ANY_DEPTH (UINT32_MAX - 2)

/* Makes STACK_NOWHERE the caller of all rows that do not lead to an outermost row,
 * because callers form a circle or are missing, or that are deeper than DEEPEST. Call
 * once, after the last stack_table_add. */
void stack_table_settle(struct stack_table *t, uint32_t deepest);

/* The row of FRAME called by CALLER, a row or STACK_EMPTY; added if new. */
uint32_t stack_table_child(struct stack_table *t, uint32_t caller, uint32_t frame);

/* Whether ROW leads to an outermost row. */
static inline bool
stack_table_has(const struct stack_table *t, uint32_t row)
{
	return row < t->n && t->rows[row].caller != STACK_NOWHERE;
}

/* From now on, stacks begin at the node ROOT of the sink. */
void stack_table_root(struct stack_table *t, uint32_t root);

/* Forgets all nodes and the root, for when steps would lead to other nodes. */
void stack_table_forget(struct stack_table *t);

/* The node for ROW, whose caller has NODE; STACK_NOWHERE if there is none. */
typedef uint32_t stack_step(void *context, uint32_t node, uint32_t row);

/* The node in the sink for ROW, or STACK_EMPTY, computed by STEP; STACK_NOWHERE if ROW
 * leads nowhere, or STEP found no node for it or a caller. */
uint32_t stack_table_node(
	struct stack_table *t, uint32_t row, stack_step *step, void *context);

/* For tables whose rows are named differently at the end of a stack: whether the node of
 * ROW, which must be in the table, was kept since the last root. */
static inline bool
stack_table_leaf(const struct stack_table *t, uint32_t row, uint32_t *node)
{
	return row < t->leaves.n && stack_memo_get(&t->leaves, row, node);
}

void stack_table_keep_leaf(struct stack_table *t, uint32_t row, uint32_t node);

/* Like stack_table_node, for a table whose frames are names in the sink C. */
uint32_t stack_table_path(struct stack_table *t, uint32_t row, struct collapse *c);

#endif
