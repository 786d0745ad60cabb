/* SPDX-License-Identifier: ISC */
/*
 * Reads the entries of a unit once and lays the ranges of its functions over each
 * other; see inlines-unit.h.
 *
 * What linkers dropped still has DWARF, which must not hide the code that is at
 * those addresses now: nothing of a function whose low_pc is dead counts, nor
 * what an inlined function has outside of the one that it was inlined into.
 */
#include "inlines-unit.h"
#include "dwarf-names.h"
#include "mem.h"
#include "order.h"

/* Entries deeper than this are damage: compilers nest some dozens. */
enum { DEPTH = 4096 };

/* Below this many ranges, the simple sort is the faster one. */
enum { FEW = 48, DIGIT = 11 };

/* Within a function that the linker dropped. */
#define DROPPED (UINT32_MAX - 1)

struct range {
	uint64_t start, end;
	uint32_t scope;
};

struct reading {
	struct inlines_unit *u;
	struct range *ranges;
	size_t n, cap;
	size_t depth;
	uint32_t within[DEPTH]; /* by depth: the scope, NONE or DROPPED */
};

/* What covers the place that the sweep has come to. */
struct cover {
	uint64_t end;
	uint32_t scope;
};

void
inlines_unit_release(struct inlines_unit *u)
{
	free(u->scopes);
	free(u->segments);
}

static void
add_range(struct reading *r, uint64_t start, uint64_t end, uint32_t scope)
{
	struct range *last = r->n ? &r->ranges[r->n - 1] : NULL;

	if (last && last->scope == scope && last->end == start) {
		last->end = end;
		return;
	}
	r->ranges = mem_grow(r->ranges, &r->cap, r->n + 1, sizeof *r->ranges);
	r->ranges[r->n++] = (struct range){ start, end, scope };
}

/* Adds the scope of E in PARENT when it has code: its number, or NONE. */
static uint32_t
add_scope(struct reading *r, const struct dwarf_entry *e, uint32_t parent)
{
	struct inlines_unit *u = r->u;
	uint32_t scope = (uint32_t)u->scope_n;
	struct dwarf_ranges ranges;
	uint64_t start, end;
	size_t before = r->n;

	if (u->scope_n >= DROPPED)
		return INLINES_NONE;
	dwarf_ranges_begin(&ranges, u->unit, e);
	while (dwarf_ranges_next(&ranges, &start, &end))
		add_range(r, start, end, scope);
	if (r->n == before)
		return INLINES_NONE;
	u->scopes = mem_grow(u->scopes, &u->scope_cap, u->scope_n + 1, sizeof *u->scopes);
	u->scopes[u->scope_n++] =
		(struct inlines_scope){ .entry = e->offset, .parent = parent };
	return scope;
}

static bool
is_dropped(struct dwarf_unit *u, const struct dwarf_entry *e)
{
	uint64_t low;

	return dwarf_has(e, DWARF_LOW_PC) && !dwarf_has(e, DWARF_RANGE_LIST) &&
		dwarf_address(u, &e->value[DWARF_LOW_PC], &low) && dwarf_is_dead(u, low);
}

/* What the children of E, which is in WITHIN, are in. */
static uint32_t
enter(struct reading *r, const struct dwarf_entry *e, uint32_t within)
{
	if (within == DROPPED)
		return DROPPED;
	switch (e->abbrev->tag) {
	case DWARF_TAG_SUBPROGRAM:
		if (is_dropped(r->u->unit, e))
			return DROPPED;
		return add_scope(r, e, INLINES_NONE);
	case DWARF_TAG_INLINED_SUBROUTINE:
		return within == INLINES_NONE ? within : add_scope(r, e, within);
	default: return within;
	}
}

/* Whether the children of E can be passed over: moves B behind them. Of the kinds
 * whose siblings are kept, none holds functions. */
static bool
skip_children(struct reading *r, const struct dwarf_entry *e, struct bytes *b)
{
	struct dwarf_unit *unit = r->u->unit;
	uint64_t here = unit->end - bytes_left(b), next;
	struct dwarf *d;

	if (e->abbrev->tag == DWARF_TAG_SUBPROGRAM ||
		e->abbrev->tag == DWARF_TAG_INLINED_SUBROUTINE ||
		!dwarf_has(e, DWARF_SIBLING) || r->depth == 0 ||
		!dwarf_reference(unit, &e->value[DWARF_SIBLING], &d, &next))
		return false;
	if (d != unit->of || next < here || next >= unit->end)
		return false;
	bytes_skip(b, next - here);
	return true;
}

/* Reads the entries of the unit up to the end of its first one's children. */
static bool
read_entries(struct reading *r)
{
	struct dwarf_unit *unit = r->u->unit;
	struct bytes b = dwarf_cursor(unit->of, DWARF_INFO, unit->die);
	struct dwarf_entry e;
	uint32_t inner;

	b.end = b.at + (unit->end - unit->die);
	r->within[0] = INLINES_NONE;
	while (bytes_left(&b)) {
		if (!dwarf_entry(unit, &b, &e))
			return false;
		if (e.abbrev) {
			inner = enter(r, &e, r->within[r->depth]);
			if (!e.abbrev->children || skip_children(r, &e, &b))
				continue;
			if (r->depth + 1 == DEPTH)
				return false;
			r->within[++r->depth] = inner;
		} else if (r->depth) {
			r->depth--;
		}
		if (!r->depth)
			break;
	}
	return true;
}

/* A few ranges, or ones that are nearly in order. */
static void
sort_few(struct range *ranges, size_t n)
{
	struct range r;
	size_t i, j;

	for (i = 1; i < n; i++) {
		r = ranges[i];
		for (j = i; j > 0 && ranges[j - 1].start > r.start; j--)
			ranges[j] = ranges[j - 1];
		ranges[j] = r;
	}
}

/* Sorts N ranges by start, the outer before the inner where these are equal, by
 * one digit of the start after another. */
static void
sort_many(struct range *ranges, uint32_t n)
{
	uint32_t *key = mem_alloc(3 * (size_t)n * sizeof *key), *from = key + n,
		 *to = from + n, *swap, i;
	struct range *sorted = mem_alloc(n * sizeof *sorted);
	uint64_t low = UINT64_MAX, high = 0;
	unsigned shift = 0;

	for (i = 0; i < n; i++) {
		low = ranges[i].start < low ? ranges[i].start : low;
		high = ranges[i].start > high ? ranges[i].start : high;
		from[i] = i;
	}
	for (; shift < 64 && (high - low) >> shift; shift += DIGIT) {
		for (i = 0; i < n; i++)
			key[i] = (uint32_t)((ranges[i].start - low) >> shift) &
				((1u << DIGIT) - 1);
		order_by_key(to, from, n, key, 1u << DIGIT);
		swap = from;
		from = to;
		to = swap;
	}
	for (i = 0; i < n; i++)
		sorted[i] = ranges[from[i]];
	memcpy(ranges, sorted, n * sizeof *sorted);
	free(sorted);
	free(key);
}

/* From START on, the innermost is SCOPE. */
static void
put(struct inlines_unit *u, uint64_t start, uint32_t scope)
{
	if (u->segment_n && u->segments[u->segment_n - 1].start == start)
		u->segment_n--;
	if (u->segment_n ? u->segments[u->segment_n - 1].scope == scope
			 : scope == INLINES_NONE)
		return;
	u->segments = mem_grow(
		u->segments, &u->segment_cap, u->segment_n + 1, sizeof *u->segments);
	u->segments[u->segment_n++] = (struct inlines_segment){ start, scope };
}

/* Lays the sorted ranges over each other. Of two that overlap and are not in each
 * other, the first keeps what it has. */
static void
lay(struct inlines_unit *u, const struct range *ranges, size_t n)
{
	struct cover *covers = NULL;
	size_t depth = 0, cap = 0, i;
	uint32_t parent;
	uint64_t end;

	for (i = 0; i < n || depth; i++) {
		while (depth && (i >= n || covers[depth - 1].end <= ranges[i].start)) {
			end = covers[--depth].end;
			put(u, end, depth ? covers[depth - 1].scope : INLINES_NONE);
		}
		if (i >= n)
			break;
		parent = u->scopes[ranges[i].scope].parent;
		if ((depth ? covers[depth - 1].scope : INLINES_NONE) != parent)
			continue;
		end = ranges[i].end;
		if (depth && covers[depth - 1].end < end)
			end = covers[depth - 1].end;
		covers = mem_grow(covers, &cap, depth + 1, sizeof *covers);
		covers[depth++] = (struct cover){ end, ranges[i].scope };
		put(u, ranges[i].start, ranges[i].scope);
	}
	free(covers);
}

void
inlines_unit_read(struct inlines_unit *u)
{
	struct reading *r = mem_alloc(sizeof *r);

	r->u = u;
	r->ranges = NULL;
	r->n = r->cap = r->depth = 0;
	u->read = true;
	u->damaged = !read_entries(r) || dwarf_ranges_spent(u->unit->of);
	if (r->n > UINT32_MAX) {
		r->n = UINT32_MAX;
		u->damaged = true;
	}
	if (r->n < FEW)
		sort_few(r->ranges, r->n);
	else
		sort_many(r->ranges, (uint32_t)r->n);
	lay(u, r->ranges, r->n);
	free(r->ranges);
	free(r);
	u->segments = mem_resize(u->segments, u->segment_n, sizeof *u->segments);
	u->scopes = mem_resize(u->scopes, u->scope_n, sizeof *u->scopes);
}

uint32_t
inlines_unit_find(const struct inlines_unit *u, uint64_t address)
{
	size_t low = 0, high = u->segment_n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (u->segments[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? u->segments[low - 1].scope : INLINES_NONE;
}
