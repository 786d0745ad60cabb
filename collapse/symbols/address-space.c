/* SPDX-License-Identifier: ISC */
/*
 * Address spaces; see address-space.h. A balanced tree (AVL) whose nodes count their
 * users: a copy shares its root, and a change copies only the nodes on its path. All
 * changes are splits and joins (Blelloch, Ferizovic, Sun: Just Join for Parallel
 * Ordered Sets, 2016), so that a map over any number of others takes the time of one.
 */
#include "address-space.h"
#include "mem.h"

enum { LEFT, RIGHT };

static struct address_space_node *
share(struct address_space_node *t)
{
	if (t)
		t->users++;
	return t;
}

/* Releases one use of T. */
static void
drop(struct address_space_node *t)
{
	if (!t || --t->users)
		return;
	drop(t->side[LEFT]);
	drop(t->side[RIGHT]);
	free(t);
}

void
address_space_release(struct address_space *s)
{
	drop(s->root);
	*s = (struct address_space){ 0 };
}

static struct address_space_node *
make_node(const struct address_space_map *m)
{
	struct address_space_node *t = mem_alloc(sizeof *t);

	*t = (struct address_space_node){ .map = *m, .users = 1, .height = 1 };
	return t;
}

/* T, or a copy of it if others use it too. */
static struct address_space_node *
own(struct address_space_node *t)
{
	struct address_space_node *copy;

	if (t->users == 1)
		return t;
	copy = make_node(&t->map);
	copy->height = t->height;
	copy->side[LEFT] = share(t->side[LEFT]);
	copy->side[RIGHT] = share(t->side[RIGHT]);
	t->users--;
	return copy;
}

static int
height(const struct address_space_node *t)
{
	return t ? t->height : 0;
}

static void
measure(struct address_space_node *t)
{
	int left = height(t->side[LEFT]), right = height(t->side[RIGHT]);

	t->height = 1 + (left > right ? left : right);
}

/* Replaces T by its child on SIDE, which is owned. */
static struct address_space_node *
rotate(struct address_space_node *t, int side)
{
	struct address_space_node *top = t->side[side];

	t->side[side] = top->side[!side];
	top->side[!side] = t;
	measure(t);
	measure(top);
	return top;
}

/* Balances T, whose child on SIDE may be one level too high. */
static struct address_space_node *
balance(struct address_space_node *t, int side)
{
	struct address_space_node *child = t->side[side];

	if (height(child) - height(t->side[!side]) < 2) {
		measure(t);
		return t;
	}
	child = t->side[side] = own(child);
	if (height(child->side[!side]) > height(child->side[side])) {
		child->side[!side] = own(child->side[!side]);
		t->side[side] = rotate(child, !side);
	}
	return rotate(t, side);
}

/* Joins L, then MID, which is owned, then R. */
static struct address_space_node *
join(struct address_space_node *l, struct address_space_node *mid,
	struct address_space_node *r)
{
	int more = height(l) - height(r);
	struct address_space_node *t;

	if (more > 1) {
		t = own(l);
		t->side[RIGHT] = join(t->side[RIGHT], mid, r);
		return balance(t, RIGHT);
	}
	if (more < -1) {
		t = own(r);
		t->side[LEFT] = join(l, mid, t->side[LEFT]);
		return balance(t, LEFT);
	}
	mid->side[LEFT] = l;
	mid->side[RIGHT] = r;
	measure(mid);
	return mid;
}

/* Splits T into the maps that start before ADDRESS, L, and the others, R. */
static void
split(struct address_space_node *t, uint64_t address, struct address_space_node **l,
	struct address_space_node **r)
{
	struct address_space_node *left, *right;

	*l = *r = NULL;
	if (!t)
		return;
	t = own(t);
	left = t->side[LEFT];
	right = t->side[RIGHT];
	if (t->map.start < address) {
		split(right, address, &right, r);
		*l = join(left, t, right);
	} else {
		split(left, address, l, &left);
		*r = join(left, t, right);
	}
}

/* The last map of *T, which the caller then owns alone; NULL if *T is empty. */
static struct address_space_map *
own_last(struct address_space_node **t)
{
	if (!*t)
		return NULL;
	for (*t = own(*t); (*t)->side[RIGHT]; *t = own(*t))
		t = &(*t)->side[RIGHT];
	return &(*t)->map;
}

/* Detaches the last node of *T, which is not empty. */
static struct address_space_node *
detach_last(struct address_space_node **t)
{
	struct address_space_node *top = *t = own(*t), *last;

	if (!top->side[RIGHT]) {
		*t = top->side[LEFT];
		return top;
	}
	last = detach_last(&top->side[RIGHT]);
	*t = balance(top, LEFT);
	return last;
}

/* The part of M from ADDRESS on. */
static struct address_space_map
from(const struct address_space_map *m, uint64_t address)
{
	struct address_space_map tail = *m;

	if (tail.start < address) {
		tail.offset += address - tail.start;
		tail.start = address;
	}
	return tail;
}

void
address_space_add(struct address_space *s, const struct address_space_map *m)
{
	struct address_space_node *l, *covered, *r;
	struct address_space_map *before, *last, tail = { 0 };

	if (m->start >= m->end)
		return;
	split(s->root, m->start, &l, &r);
	split(r, m->end, &covered, &r);
	before = own_last(&l);
	last = covered ? own_last(&covered) : before;
	if (last && last->end > m->end)
		tail = from(last, m->end);
	if (before && before->end > m->start)
		before->end = m->start;
	drop(covered);
	if (tail.end)
		r = join(NULL, make_node(&tail), r);
	s->root = join(l, make_node(m), r);
}

void
address_space_remove(struct address_space *s, uint64_t start, uint64_t end)
{
	const struct address_space_map *first = address_space_find(s, start);
	struct address_space_node *l, *covered, *r, *mid;

	split(s->root, first ? first->start : start, &l, &r);
	split(r, end, &covered, &r);
	drop(covered);
	if (l) {
		mid = detach_last(&l);
		r = join(l, mid, r);
	}
	s->root = r;
}

void
address_space_copy(struct address_space *to, const struct address_space *from)
{
	*to = (struct address_space){ .root = share(from->root) };
}

const struct address_space_map *
address_space_find(const struct address_space *s, uint64_t address)
{
	const struct address_space_node *t = s->root;

	while (t && (address < t->map.start || address >= t->map.end))
		t = t->side[address >= t->map.start];
	return t ? &t->map : NULL;
}

bool
address_space_symbol_address(
	const struct address_space_map *m, uint64_t address, uint64_t *symbol)
{
	enum dso_kind kind = dso_kind(m->dso);

	if (kind == DSO_KERNEL || kind == DSO_JIT) {
		*symbol = address;
		return true;
	}
	return dso_address(m->dso, address - m->start + m->offset, symbol);
}
