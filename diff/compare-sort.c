/* SPDX-License-Identifier: ISC */
/* The order of changes; see compare.h. */
#include "compare.h"
#include "mem.h"

#include <math.h>

/* A change and what ties are broken by. */
struct ranked {
	struct compare_change change;
	const struct tree *tree;
};

void
compare_put_name(struct buf *b, const struct tree *t, struct figure f)
{
	if (f.is_path)
		folded_put_stack(b, t, f.id);
	else
		folded_put_frame(b, intern_str(&t->names, f.id));
}

static int
by_spelling(const struct ranked *x, const struct ranked *y)
{
	struct buf a = { 0 }, b = { 0 };
	int c;

	compare_put_name(&a, x->tree, x->change.figure);
	compare_put_name(&b, y->tree, y->change.figure);
	c = str_cmp(buf_view(&a), buf_view(&b));
	buf_release(&a);
	buf_release(&b);
	return c;
}

/* Functions before paths, then the largest first. */
static int
by_effect(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	struct figure f = x->change.figure, g = y->change.figure;
	double p = fabs(x->change.change), q = fabs(y->change.change);

	if (f.is_path != g.is_path)
		return f.is_path - g.is_path;
	if (p != q)
		return p > q ? -1 : 1;
	if (f.is_self != g.is_self)
		return f.is_self - g.is_self;
	return by_spelling(x, y);
}

void
compare_sort(struct compare *c)
{
	struct ranked *all = mem_alloc(c->n * sizeof *all);
	size_t i;

	for (i = 0; i < c->n; i++)
		all[i] = (struct ranked){ c->changes[i], &c->tree };
	if (c->n)
		qsort(all, c->n, sizeof *all, by_effect);
	for (i = 0; i < c->n; i++)
		c->changes[i] = all[i].change;
	free(all);
}
