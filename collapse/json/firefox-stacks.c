/* SPDX-License-Identifier: ISC */
/* Tables of stacks; see firefox-stacks.h. */
#include "firefox-stacks.h"
#include "mem.h"

/* Depths while they are worked out: a row that is looked at just now, and what
 * came out as none. A caller may stand behind its callee, and rows may lead in
 * circles. */
enum { UNKNOWN = 0, UNDER_WAY = UINT16_MAX, NOWHERE = UINT16_MAX - 1 };

void
firefox_stacks_release(struct firefox_stacks *s)
{
	json_ints_release(&s->prefix);
	json_ints_release(&s->frame);
	free(s->depth);
	*s = (struct firefox_stacks){ .given = false };
}

static size_t
count_rows(const struct firefox_stacks *s)
{
	return s->prefix.n < s->frame.n ? s->prefix.n : s->frame.n;
}

/* The caller of ROW of N; -1: it has none, -2: that is no row. */
static int64_t
find_caller(const struct firefox_stacks *s, size_t row, size_t n)
{
	int64_t prefix = s->prefix.items[row], caller = prefix;

	if (s->by_offset) {
		caller = (int64_t)row - prefix;
		if (prefix == 0)
			return -1;
		if (caller < 0)
			return -2;
	}
	return caller < -1 || caller >= (int64_t)n ? -2 : caller;
}

/* Works out the depth of ROW and of those that it leads to, in PATH, which is
 * memory of CAP rows. */
static uint32_t *
settle_row(struct firefox_stacks *s, size_t row, uint32_t *path, size_t *cap)
{
	size_t rows = count_rows(s), n = 0;
	int64_t at = (int64_t)row;
	uint16_t depth;

	while (at >= 0 && s->depth[at] == UNKNOWN) {
		s->depth[at] = UNDER_WAY;
		path = mem_grow(path, cap, n + 1, sizeof *path);
		path[n++] = (uint32_t)at;
		at = find_caller(s, (size_t)at, rows);
	}
	if (at == -1)
		depth = 0;
	else if (at < 0 || s->depth[at] == UNDER_WAY)
		depth = NOWHERE;
	else
		depth = s->depth[at];
	while (n > 0) {
		depth = depth < FIREFOX_DEEPEST ? (uint16_t)(depth + 1) : NOWHERE;
		s->depth[path[--n]] = depth;
	}
	return path;
}

void
firefox_stacks_settle(struct firefox_stacks *s)
{
	size_t n = count_rows(s), cap = 0, i;
	uint32_t *path = NULL;

	if (s->depth)
		return;
	s->depth = mem_zero(n, sizeof *s->depth);
	for (i = 0; i < n && i <= INT32_MAX; i++)
		if (s->depth[i] == UNKNOWN)
			path = settle_row(s, i, path, &cap);
	for (i = 0; i < n; i++)
		if (s->depth[i] == NOWHERE)
			s->depth[i] = 0;
	free(path);
}

bool
firefox_stacks_has(const struct firefox_stacks *s, int32_t row)
{
	return row >= 0 && (size_t)row < count_rows(s) && s->depth[row];
}

int32_t
firefox_stacks_caller(const struct firefox_stacks *s, int32_t row)
{
	return (int32_t)find_caller(s, (size_t)row, count_rows(s));
}

void
firefox_memo_release(struct firefox_memo *m)
{
	free(m->notes);
	*m = (struct firefox_memo){ .n = 0 };
}

void
firefox_memo_forget(struct firefox_memo *m, size_t n)
{
	m->turn++;
	if (n <= m->n)
		return;
	free(m->notes);
	m->notes = mem_zero(n, sizeof *m->notes);
	m->n = n;
}
