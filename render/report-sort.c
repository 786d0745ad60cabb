/* SPDX-License-Identifier: ISC */
/* The functions in their order; see report.h. */
#include "mem.h"
#include "report.h"

#include <math.h>

/* A function with what it is ordered by. */
struct entry {
	double change;	 /* of two columns, in points, either way */
	uint64_t first;	 /* weight that counts, and the other */
	uint64_t second; /* where the first is the same */
	struct str name;
	uint32_t at; /* in the functions */
};

static int
by_weight(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->change > y->change || x->change < y->change)
		return x->change > y->change ? -1 : 1;
	if (x->first != y->first)
		return x->first > y->first ? -1 : 1;
	if (x->second != y->second)
		return x->second > y->second ? -1 : 1;
	return str_cmp(x->name, y->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static struct entry
make_entry(const struct report *s, uint32_t at)
{
	const struct report_function *f = &s->functions[at];
	bool total = s->set->sort == REPORT_BY_TOTAL;
	int last = s->tree->columns - 1;
	struct entry e = { .at = at, .name = intern_str(&s->tree->names, f->name) };

	e.first = total ? f->total[last] : f->self[last];
	e.second = total ? f->self[last] : f->total[last];
	if (report_is_diff(s))
		e.change = fabs(report_compare(s, total ? f->total : f->self).points);
	return e;
}

/* Lets the entry at I of a heap of N, the last in order on top, sink to its place. */
static void
sink(struct entry *heap, size_t n, size_t i, int (*order)(const void *, const void *))
{
	struct entry e = heap[i];
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && order(&heap[child], &heap[child + 1]) < 0)
			child++;
		if (order(&heap[child], &e) <= 0)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = e;
}

/* Puts the first WANT functions into BEST, in order. Most profiles have many more
 * functions than anybody wants to see: those never get past the first comparison. */
static void
pick(const struct report *s, struct entry *best, uint32_t want)
{
	int (*order)(const void *, const void *) =
		s->set->sort == REPORT_BY_NAME ? by_name : by_weight;
	struct entry e;
	uint32_t i;
	size_t k;

	for (i = 0; i < want; i++)
		best[i] = make_entry(s, i);
	for (k = want / 2; want < s->n && k-- > 0;)
		sink(best, want, k, order);
	for (; i < s->n; i++) {
		e = make_entry(s, i);
		if (order(&e, &best[0]) >= 0)
			continue;
		best[0] = e;
		sink(best, want, 0, order);
	}
	qsort(best, want, sizeof *best, order);
}

void
report_sort(struct report *s)
{
	uint32_t want = s->set->top && s->set->top < s->n ? (uint32_t)s->set->top : s->n;
	struct entry *best = mem_alloc(want * sizeof *best);
	struct report_function *sorted = mem_alloc(s->n * sizeof *sorted);
	bool *taken = mem_zero(s->n, sizeof *taken);
	uint32_t i, n = want;

	pick(s, best, want);
	for (i = 0; i < want; i++) {
		sorted[i] = s->functions[best[i].at];
		taken[best[i].at] = true;
	}
	for (i = 0; i < s->n; i++)
		if (!taken[i])
			sorted[n++] = s->functions[i];
	s->shown = want;
	free(s->functions);
	s->functions = sorted;
	free(taken);
	free(best);
}
