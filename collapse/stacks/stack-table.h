/* SPDX-License-Identifier: ISC */
/*
 * Stacks as a table: a row is a frame and the row of its caller, so one number stands
 * for a whole stack. Rows come from a profile that has such a table (stack_table_add,
 * then stack_table_settle), or frame by frame from the outermost (stack_table_child).
 *
 * The node of the sink is found once for each row, so N samples cost no more than N
 * looks and as many steps as there are rows.
 */
#ifndef STACK_TABLE_H
#define STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse.h"
#include "readers/json-columns.h"

/* In place of a row: the empty stack, and a stack that cannot be known. The sink has
 * no node STACK_NOWHERE either. */
#define STACK_EMPTY   UINT32_MAX
#define STACK_NOWHERE COLLAPSE_NOWHERE

/* In place of a frame: the row has none, its stack is that of its caller. */
#define STACK_NO_FRAME UINT32_MAX

/* A number for each row, which holds until stack_memo_forget. A zeroed one is empty. */
struct stack_memo {
	struct stack_note {
		uint32_t value, turn;
	} * notes;
	size_t n;
	uint32_t turn;
};

void stack_memo_release(struct stack_memo *m);

/* Forgets all, and makes room for rows below N. */
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
	uint32_t frame;	 /* what a frame's number means is up to the format */
};

/* A zeroed one is empty. */
struct stack_table {
	struct stack_row *rows;
	size_t n, cap;
	uint32_t *slots; /* of stack_table_child: row + 1, 0 is free; a power of two */
	size_t slot_n;
	struct stack_memo nodes, leaves; /* of rows as callers, and where stacks end */
	uint32_t root;
	bool has_root;
	uint32_t *climb; /* rows on the way to the outermost */
	size_t climb_cap;
};

void stack_table_release(struct stack_table *t);

/* Adds a row. CALLER may be any number: one that is no row leads nowhere. */
void stack_table_add(struct stack_table *t, uint32_t caller, uint32_t frame);

/* Adds the rows of two columns: the row of each one's caller, -1 for none, or with
 * BY_OFFSET how many rows before it that is, 0 for none; and its frame. */
void stack_table_add_columns(struct stack_table *t, const struct json_ints *callers,
	const struct json_ints *frames, bool by_offset);

/* No limit for stack_table_settle. */
#define STACK_ANY_DEPTH (UINT32_MAX - 2)

/* Makes STACK_NOWHERE the caller of all rows that do not lead to an outermost one: whose
 * callers go in a circle or are not there, or that are deeper than DEEPEST. To be called
 * once, after the last stack_table_add. */
void stack_table_settle(struct stack_table *t, uint32_t deepest);

/* The row of FRAME called by CALLER, a row or STACK_EMPTY; added when it is new. */
uint32_t stack_table_child(struct stack_table *t, uint32_t caller, uint32_t frame);

/* Whether ROW is one that leads to an outermost one. */
static inline bool
stack_table_has(const struct stack_table *t, uint32_t row)
{
	return row < t->n && t->rows[row].caller != STACK_NOWHERE;
}

/* Stacks begin at the node ROOT of the sink from now on. */
void stack_table_root(struct stack_table *t, uint32_t root);

/* Forgets all nodes and the root, as when steps would lead elsewhere. */
void stack_table_forget(struct stack_table *t);

/* The node for ROW, whose caller has NODE; STACK_NOWHERE when there is none. */
typedef uint32_t stack_step(void *context, uint32_t node, uint32_t row);

/* The node of the sink for ROW or STACK_EMPTY, by way of STEP; STACK_NOWHERE when ROW
 * leads nowhere, or no node was found for it or a caller. */
uint32_t stack_table_node(
	struct stack_table *t, uint32_t row, stack_step *step, void *context);

/* For tables whose rows have other names where stacks end: whether the node of ROW, which is one of
 * the table, was kept since the last root. */
static inline bool
stack_table_leaf(const struct stack_table *t, uint32_t row, uint32_t *node)
{
	return row < t->leaves.n && stack_memo_get(&t->leaves, row, node);
}

void stack_table_keep_leaf(struct stack_table *t, uint32_t row, uint32_t node);

/* The same for a table whose frames are names of the sink C. */
uint32_t stack_table_path(struct stack_table *t, uint32_t row, struct collapse *c);

#endif
