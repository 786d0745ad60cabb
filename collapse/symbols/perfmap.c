/* SPDX-License-Identifier: ISC */
/*
 * Symbols from a perf map; see perfmap.h. A sweep over their starts makes ranges
 * disjoint, with a heap of the ranges at the place of the sweep: the one on the latest
 * line is on top.
 */
#include "perfmap.h"
#include "mem.h"

struct range {
	uint64_t start, end;
	struct str name;
	size_t line;
};

struct sweep {
	struct symtab *table;
	const struct range **heap; /* the latest line first */
	size_t n;
	uint64_t place; /* lower addresses are done */
};

/* Cuts a hexadecimal number, with or without 0x, off *LINE. */
static bool
cut_number(struct str *line, uint64_t *value)
{
	struct str word = str_word(line);

	if (str_starts(word, STR("0x")) || str_starts(word, STR("0X")))
		word = str_from(word, 2);
	return str_hex_to_u64(word, value);
}

/* Code of size 0 has just its first address, as in perf. */
static bool
read_line(struct str line, struct range *r)
{
	uint64_t size;

	if (!cut_number(&line, &r->start) || !cut_number(&line, &size) ||
		r->start == UINT64_MAX)
		return false;
	size = size ? size : 1;
	r->end = size < UINT64_MAX - r->start ? r->start + size : UINT64_MAX;
	r->name = str_trim(line);
	return r->name.n > 0;
}

static int
by_start(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void
push(struct sweep *w, const struct range *r)
{
	size_t at = w->n++, up;

	for (; at > 0; at = up) {
		up = (at - 1) / 2;
		if (w->heap[up]->line > r->line)
			break;
		w->heap[at] = w->heap[up];
	}
	w->heap[at] = r;
}

static void
pop(struct sweep *w)
{
	const struct range *r = w->heap[--w->n];
	size_t at = 0, down;

	while ((down = 2 * at + 1) < w->n) {
		if (down + 1 < w->n && w->heap[down + 1]->line > w->heap[down]->line)
			down++;
		if (w->heap[down]->line < r->line)
			break;
		w->heap[at] = w->heap[down];
		at = down;
	}
	w->heap[at] = r;
}

/* Assigns the addresses up to END to the range on top. */
static void
put_top(struct sweep *w, uint64_t end)
{
	struct symtab_symbol s = { .start = w->place, .binding = ELF_GLOBAL };

	if (end <= w->place)
		return;
	s.size = end - w->place;
	s.name = w->heap[0]->name;
	symtab_add(w->table, &s);
	w->place = end;
}

/* Removes all ranges on top that end at or below PLACE. */
static void
go_to(struct sweep *w, uint64_t place)
{
	while (w->n && w->heap[0]->end <= place) {
		put_top(w, w->heap[0]->end);
		pop(w);
	}
}

static void
add_all(struct symtab *t, const struct range *ranges, size_t n)
{
	struct sweep w = { .table = t };
	size_t i;

	w.heap = mem_alloc(n * sizeof *w.heap);
	for (i = 0; i < n; i++) {
		go_to(&w, ranges[i].start);
		if (w.n && w.heap[0]->line < ranges[i].line)
			put_top(&w, ranges[i].start);
		if (!w.n)
			w.place = ranges[i].start;
		push(&w, &ranges[i]);
	}
	go_to(&w, UINT64_MAX);
	free(w.heap);
}

struct symtab *
perfmap_parse(struct str text, size_t *bad)
{
	struct symtab *t = symtab_new();
	struct range *ranges = NULL;
	size_t n = 0, cap = 0;
	struct str line;

	*bad = 0;
	while (text.n) {
		line = str_cut(&text, '\n');
		ranges = mem_grow(ranges, &cap, n + 1, sizeof *ranges);
		ranges[n].line = n;
		if (read_line(line, &ranges[n]))
			n++;
		else
			*bad += str_trim(line).n > 0;
	}
	if (n)
		qsort(ranges, n, sizeof *ranges, by_start);
	add_all(t, ranges, n);
	free(ranges);
	symtab_seal(t, SYMTAB_BEST, false);
	return t;
}
