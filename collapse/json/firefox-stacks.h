/* SPDX-License-Identifier: ISC */
/*
 * Tables of stacks, in which a row is a frame and the row of its caller: a
 * sample names one row, and its stack is what that row leads to. Also numbers
 * that are found once for each row, so that N samples cost no more than N
 * looks and as many rows as there are.
 */
#ifndef FIREFOX_STACKS_H
#define FIREFOX_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json-read.h"

/* Deeper stacks are damage: what walks stacks stops long before. */
enum { FIREFOX_DEEPEST = 8192 };

/* A zeroed one is empty. */
struct firefox_stacks {
	struct json_ints prefix; /* the caller's row; -1: none */
	struct json_ints frame;
	bool given;
	bool by_offset;	 /* prefix says how many rows back, 0: none */
	uint16_t *depth; /* by row, from 1; 0: it leads nowhere; NULL: not settled */
};

void firefox_stacks_release(struct firefox_stacks *s);

/* Works out which rows lead to a root. To be called before the functions below;
 * a second time does nothing. */
void firefox_stacks_settle(struct firefox_stacks *s);

/* Whether ROW is one that leads to a root. */
bool firefox_stacks_has(const struct firefox_stacks *s, int32_t row);

/* The row of the caller of ROW, which the table has; -1: none. */
int32_t firefox_stacks_caller(const struct firefox_stacks *s, int32_t row);

/* A number for each row, which holds until firefox_memo_forget. */
struct firefox_memo {
	struct firefox_note {
		uint32_t value, turn;
	} * notes;
	size_t n;
	uint32_t turn;
};

void firefox_memo_release(struct firefox_memo *m);

/* Forgets all, and makes room for rows below N. */
void firefox_memo_forget(struct firefox_memo *m, size_t n);

static inline bool
firefox_memo_get(const struct firefox_memo *m, int32_t row, uint32_t *value)
{
	const struct firefox_note *note = &m->notes[row];

	*value = note->value;
	return note->turn == m->turn;
}

static inline void
firefox_memo_set(struct firefox_memo *m, int32_t row, uint32_t value)
{
	m->notes[row] = (struct firefox_note){ value, m->turn };
}

#endif
