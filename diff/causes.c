/* SPDX-License-Identifier: ISC */
/* Finds which changes explain others; see causes.h. */
#include "causes.h"
#include "mem.h"

#include <math.h>

enum { BEFORE, AFTER };

static const size_t NONE = SIZE_MAX;

/* Rates of exact weights that differ relatively by at most this are rounded sums of equal
 * weights. */
static const double ROUNDING = 1e-12;

/* Beyond this many steps towards the root no more changes are attributed: with so many changes none
 * explains another. */
static const uint64_t MOST_STEPS = 100000000;

/* With more removed functions than this, the sides are different programs. */
enum { MOST_REMOVED = 1000 };

/* A node of a function that changed. */
struct place {
	size_t row;
	size_t above; /* the next such node towards the root, or NONE */
	size_t next;  /* the next place of the same row, or NONE */
	double rate[TREE_COLUMNS];
	double inside[TREE_COLUMNS]; /* the part of it in causes below, counted once */
	size_t cause; /* the row of the cause below with the largest change, MOST, or NONE */
	double most;
	bool is_cause;
	size_t outermost; /* in a recursion, the first place of the row; else its own index */
};

struct causes {
	struct cause *all;
	size_t n_all;
	const struct changes *changes;
	const struct causes_options *options;
	size_t *row;	     /* by name: its row, or NONE */
	struct place *place; /* each after those above it */
	size_t n, cap;
	size_t *first;	 /* by row: its first place, or NONE */
	uint32_t *depth; /* by row: of its deepest node */
	uint64_t steps;
};

/* The first place of P's row from P upwards, which is not P itself in a recursion. */
static size_t
find_outermost(struct causes *x, const struct place *p)
{
	size_t up = p->above;

	while (up != NONE && x->steps++ < MOST_STEPS) {
		if (x->place[up].row == p->row)
			return x->place[up].outermost;
		up = x->place[up].above;
	}
	return x->n;
}

/* The places of all rows, callers before callees. */
static void
list_places(struct causes *x, uint64_t *const totals[TREE_COLUMNS])
{
	const struct changes *c = x->changes;
	const struct tree *t = c->metrics.tree;
	uint32_t *depth = tree_depths(t), i;
	size_t *at = mem_alloc(t->n * sizeof *at), row;
	struct place *p;
	int side;

	at[TREE_ROOT] = NONE;
	for (i = 1; i < t->n; i++) {
		at[i] = at[t->nodes[i].parent];
		row = x->row[t->nodes[i].name];
		if (row == NONE)
			continue;
		if (depth[i] > x->depth[row])
			x->depth[row] = depth[i];
		x->place = mem_grow(x->place, &x->cap, x->n + 1, sizeof *x->place);
		p = &x->place[x->n];
		*p = (struct place){ .row = row, .above = at[i], .cause = NONE };
		p->outermost = c->metrics.outermost[i] ? x->n : find_outermost(x, p);
		for (side = 0; side < TREE_COLUMNS; side++)
			p->rate[side] = (double)totals[side][i] * c->per_unit[side] /
				c->significance.design.size[side];
		at[i] = x->n++;
	}
	free(depth);
	free(at);
}

/* Gives each row its places. */
static void
chain_places(struct causes *x)
{
	size_t i;

	for (i = 0; i < x->n_all; i++)
		x->first[i] = NONE;
	for (i = x->n; i-- > 0;) {
		x->place[i].next = x->first[x->place[i].row];
		x->first[x->place[i].row] = i;
	}
}

static void
causes_init(struct causes *x)
{
	const struct tree *t = x->changes->metrics.tree;
	uint64_t *totals[] = { tree_totals(t, 0), tree_totals(t, 1) };
	size_t i;

	x->row = mem_alloc(((size_t)t->names.n + 1) * sizeof *x->row);
	x->first = mem_alloc((x->n_all + 1) * sizeof *x->first);
	x->depth = mem_zero(x->n_all + 1, sizeof *x->depth);
	for (i = 0; i < t->names.n; i++)
		x->row[i] = NONE;
	for (i = 0; i < x->n_all; i++)
		x->row[x->all[i].name] = i;
	list_places(x, totals);
	chain_places(x);
	free(totals[0]);
	free(totals[1]);
}

static void
causes_release(struct causes *x)
{
	free(x->row);
	free(x->place);
	free(x->first);
	free(x->depth);
}

static struct str
name_of(const struct causes *x, size_t row)
{
	return intern_str(&x->changes->metrics.tree->names, x->all[row].name);
}

/* Whether the cause ROW, which changed by BY, explains more of P than its present cause. Ties go to
 * the first by name, so that the order of stacks does not matter. */
static bool
explains_more(const struct causes *x, const struct place *p, size_t row, double by)
{
	if (p->cause == NONE || by > p->most)
		return true;
	return !(by < p->most) && str_cmp(name_of(x, row), name_of(x, p->cause)) < 0;
}

/* Adds MORE, of the cause at P, to the causes below Q. */
static void
add_inside(const struct causes *x, struct place *q, const struct place *p,
	const double more[TREE_COLUMNS])
{
	double by = fabs(p->rate[AFTER] - p->rate[BEFORE]);
	int side;

	for (side = 0; side < TREE_COLUMNS; side++)
		q->inside[side] += more[side];
	if (explains_more(x, q, p->row, by)) {
		q->cause = p->row;
		q->most = by;
	}
}

/* Marks P as a cause, and updates the places above it, up to one that already includes P. */
static void
mark_place(struct causes *x, struct place *p)
{
	double more[TREE_COLUMNS];
	struct place *q = p;
	int side;

	for (side = 0; side < TREE_COLUMNS; side++)
		more[side] = p->rate[side] - p->inside[side];
	p->is_cause = true;
	while (q->above != NONE && x->steps++ < MOST_STEPS) {
		q = &x->place[q->above];
		if (q->row == p->row)
			return;
		add_inside(x, q, p, more);
		if (!q->is_cause)
			continue;
		if (&x->place[q->outermost] != q)
			add_inside(x, &x->place[q->outermost], p, more);
		return;
	}
}

static void
mark_cause(struct causes *x, size_t row)
{
	size_t i;

	for (i = x->first[row]; i != NONE; i = x->place[i].next)
		mark_place(x, &x->place[i]);
}

/* Adds up the parts of ROW in causes below it. */
static struct place
look_inside(const struct causes *x, size_t row)
{
	struct place in = { .cause = NONE };
	const struct place *p;
	size_t i;
	int side;

	for (i = x->first[row]; i != NONE; i = p->next) {
		p = &x->place[i];
		if (p->outermost != i)
			continue;
		for (side = 0; side < TREE_COLUMNS; side++)
			in.inside[side] += p->inside[side];
		if (p->cause != NONE && explains_more(x, &in, p->cause, p->most)) {
			in.cause = p->cause;
			in.most = p->most;
		}
	}
	return in;
}

/* Whether the change from RATE[BEFORE] to RATE[AFTER], of a part of F's count, is significant. */
static bool
is_change(const struct causes *x, const struct significance_finding *f,
	const double rate[TREE_COLUMNS])
{
	const struct significance_design *d = &x->changes->significance.design;
	double count[TREE_COLUMNS], whole[TREE_COLUMNS];
	int i;

	if (x->options->exact)
		return fabs(rate[AFTER] - rate[BEFORE]) >
			ROUNDING * fmax(f->rate[AFTER], f->rate[BEFORE]);
	for (i = 0; i < TREE_COLUMNS; i++) {
		count[i] = fmax(0, rate[i]) * d->size[i];
		whole[i] = f->rate[i] * d->size[i];
	}
	return significance_judge(d, count,
		       significance_part_phi(f->phi, significance_mean(d, count),
			       significance_mean(d, whole)))
		       .p <= x->options->cut;
}

/* The rates of ROW without the causes below it. */
static void
find_rest(const struct causes *x, size_t row, double rest[TREE_COLUMNS])
{
	struct significance_finding total = changes_find(x->changes, x->all[row].name);
	struct place in = look_inside(x, row);
	int i;

	for (i = 0; i < TREE_COLUMNS; i++)
		rest[i] = total.rate[i] - in.inside[i];
}

/* Decides whether ROW, whose self weight did not change, is a cause. */
static void
find_cause(struct causes *x, size_t row)
{
	struct significance_finding total = changes_find(x->changes, x->all[row].name);
	double rest[TREE_COLUMNS];

	x->all[row].of = look_inside(x, row).cause;
	find_rest(x, row, rest);
	if (x->all[row].of != NONE && !is_change(x, &total, rest))
		return;
	x->all[row].of = row;
	mark_cause(x, row);
}

/* Sets the cause ROW's own part of its change. */
static void
find_own(struct causes *x, size_t row)
{
	const struct changes *c = x->changes;
	struct cause *r = &x->all[row];
	struct significance_finding total = changes_find(c, r->name),
				    self = changes_find(
					    c, metric_self(&c->metrics, r->name));
	double rest[TREE_COLUMNS], others[TREE_COLUMNS];
	int i;

	find_rest(x, row, rest);
	for (i = 0; i < TREE_COLUMNS; i++)
		others[i] = rest[i] - self.rate[i];
	r->own = rest[AFTER] - rest[BEFORE];
	/* A change of its self weight excludes other callees, unless they changed too. */
	if (r->is_self && !is_change(x, &total, others))
		r->own = self.rate[AFTER] - self.rate[BEFORE];
}

/* A row in the order of the search for causes. */
struct turn {
	double size;
	uint32_t depth;
	struct str name;
	size_t row;
};

/* Callees before callers: smaller ones first, of equal ones the deeper. */
static int
by_turn(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	return str_cmp(x->name, y->name);
}

/* Sorts the rows whose cause is still open. Returns their number. */
static size_t
list_turns(const struct causes *x, struct turn *turn)
{
	struct significance_finding f;
	size_t i, n = 0;

	for (i = 0; i < x->n_all; i++) {
		if (x->all[i].is_self)
			continue;
		f = changes_find(x->changes, x->all[i].name);
		turn[n++] = (struct turn){ fmax(f.rate[BEFORE], f.rate[AFTER]),
			x->depth[i], name_of(x, i), i };
	}
	if (n)
		qsort(turn, n, sizeof *turn, by_turn);
	return n;
}

static void
find_causes(struct causes *x)
{
	struct turn *turn = mem_alloc((x->n_all + 1) * sizeof *turn);
	size_t i, n = list_turns(x, turn);

	for (i = 0; i < x->n_all; i++) {
		x->all[i].of = i;
		if (x->all[i].is_self)
			mark_cause(x, i);
	}
	for (i = 0; i < n; i++)
		find_cause(x, turn[i].row);
	for (i = 0; i < x->n_all; i++)
		if (x->all[i].of == i)
			find_own(x, i);
	free(turn);
}

/* Code under another name. */

/* The largest ratio of the weights of the same code, if not significant. */
static const double ALIKE = 0.4; /* the logarithm of the ratio */

/* The heaviest node of each name on SIDE, or the root. To be freed. */
static uint32_t *
find_heaviest(const struct tree *t, int side)
{
	uint32_t *node = mem_zero(t->names.n + 1, sizeof *node), i;
	uint64_t *totals = tree_totals(t, side);

	for (i = 1; i < t->n; i++)
		if (totals[i] > (node[t->nodes[i].name] == TREE_ROOT
						? 0
						: totals[node[t->nodes[i].name]]))
			node[t->nodes[i].name] = i;
	free(totals);
	return node;
}

static bool
is_on(const struct changes *c, uint32_t name, int side)
{
	return c->weight[side][name] > 0;
}

/* The nearest function above NODE that is on both sides; the number of names if there is none. */
static uint32_t
find_context(const struct changes *c, uint32_t node)
{
	const struct tree *t = c->metrics.tree;

	while (node != TREE_ROOT) {
		if (is_on(c, t->nodes[node].name, BEFORE) &&
			is_on(c, t->nodes[node].name, AFTER))
			return t->nodes[node].name;
		node = t->nodes[node].parent;
	}
	return t->names.n;
}

/* The distance of A, which is removed, and B, which is new: the logarithm of the ratio of their
 * rates, or INFINITY when they cannot be the same code. */
static double
compare_rates(const struct causes *x, const struct cause *a, const struct cause *b)
{
	const struct significance_finding f = changes_find(x->changes, a->name);
	const double rate[] = { f.rate[BEFORE],
		changes_find(x->changes, b->name).rate[AFTER] };
	double ratio = fabs(log(rate[AFTER] / rate[BEFORE]));

	if (!(ratio < ALIKE) || (!x->options->exact && is_change(x, &f, rate)))
		return INFINITY;
	return ratio;
}

/* Finds the new function that may have the code of ROW, which is removed. */
static void
find_new_name(struct causes *x, size_t row, const uint32_t *context)
{
	double least = INFINITY, ratio;
	size_t i, found = row;

	for (i = 0; i < x->n_all; i++) {
		if (is_on(x->changes, x->all[i].name, BEFORE) || x->all[i].renamed != i ||
			context[i] != context[row])
			continue;
		ratio = compare_rates(x, &x->all[row], &x->all[i]);
		if (ratio < least) {
			least = ratio;
			found = i;
		}
	}
	x->all[row].renamed = found;
	x->all[found].renamed = row;
}

static void
find_renamed(struct causes *x)
{
	const struct changes *c = x->changes;
	uint32_t *node[] = { find_heaviest(c->metrics.tree, BEFORE),
		find_heaviest(c->metrics.tree, AFTER) };
	uint32_t *context = mem_alloc((x->n_all + 1) * sizeof *context);
	size_t i, removed = 0;
	bool gone;

	for (i = 0; i < x->n_all; i++) {
		gone = !is_on(c, x->all[i].name, AFTER);
		removed += gone;
		x->all[i].renamed = i;
		context[i] = find_context(c, node[gone ? BEFORE : AFTER][x->all[i].name]);
	}
	for (i = 0; i < x->n_all && removed <= MOST_REMOVED; i++)
		if (!is_on(c, x->all[i].name, AFTER))
			find_new_name(x, i, context);
	free(node[0]);
	free(node[1]);
	free(context);
}

size_t
causes_find(struct cause *all, size_t n, const struct changes *c,
	const struct causes_options *options)
{
	struct causes x = { .all = all, .n_all = n, .changes = c, .options = options };
	size_t i, causes = 0;

	causes_init(&x);
	find_causes(&x);
	find_renamed(&x);
	causes_release(&x);
	for (i = 0; i < n; i++)
		causes += all[i].of == i;
	return causes;
}
