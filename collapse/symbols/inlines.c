/* SPDX-License-Identifier: ISC */
/*
 * Finds the function of an address, and the functions inlined there; see inlines.h.
 * Units are found by address, and each is read once, when it is first needed:
 *
 *	0x1000 main          scope 0 main, outermost
 *	0x1010 parse         scope 1 parse, in main
 *	0x1024 skip_blanks   scope 2 skip_blanks, in parse
 *	0x1030 main
 *	0x1100 -
 */
#include "inlines.h"
#include "arena.h"
#include "dwarf-index.h"
#include "dwarf-lines.h"
#include "dwarf-names.h"
#include "dwarf-split.h"
#include "dwarf.h"
#include "count-sort.h"
#include "mem.h"
#include "search.h"
#include "spans.h"

#define NO_SCOPE UINT32_MAX

/* A function with code, or an instance of an inlined one. */
struct scope {
	uint64_t entry;	  /* its offset */
	const char *name; /* NULL: not known yet */
	uint32_t name_n;
	uint32_t parent; /* the scope that it was inlined into; NO_SCOPE: a function */
};

/* From START to the next one. */
struct segment {
	uint64_t start;
	uint32_t scope; /* the innermost, or NO_SCOPE */
};

struct unit {
	struct dwarf_unit *unit;
	struct scope *scopes;
	struct segment *segments; /* by start; the last has no scope */
	size_t scope_n, scope_cap, segment_n, segment_cap;
	bool read, damaged;
	bool bare;  /* does not list its addresses */
	bool split; /* a skeleton, until it is read */

	struct dwarf_lines *lines; /* NULL: missing or not read yet; not owned */
	bool lines_done;
};

/* A table of lines, which units may share. */
struct table {
	uint64_t at; /* in .debug_line */
	struct dwarf_lines *lines;
};

/*
 * Reads a unit's entries, and overlays the ranges of its functions.
 *
 * Code that linkers dropped still has DWARF, which must not hide the code that is at
 * those addresses now. So functions whose low_pc is dead do not count, nor do ranges of
 * inlined functions outside the function that they were inlined into.
 */

/* Deeper entries are damage: compilers nest some dozens. */
enum { DEPTH = 4096 };

/* Below this number of ranges, the simple sort is faster. */
enum { FEW = 48, DIGIT = 11 };

/* Within a function that the linker dropped. */
#define DROPPED (UINT32_MAX - 1)

struct range {
	uint64_t start, end;
	uint32_t scope;
};

struct reading {
	struct unit *u;
	struct range *ranges;
	size_t n, cap;
	size_t depth;
	uint32_t within[DEPTH]; /* by depth: the scope, NONE or DROPPED */
};

/* A range around the current place of the sweep. */
struct cover {
	uint64_t end;
	uint32_t scope;
};

static void
release_unit(struct unit *u)
{
	if (!u)
		return;
	free(u->scopes);
	free(u->segments);
	free(u);
}

static void
add_range(struct reading *r, uint64_t start, uint64_t end, uint32_t scope)
{
	struct range *last = r->n ? &r->ranges[r->n - 1] : NULL;

	if (last && last->scope == scope && last->end == start) {
		last->end = end;
		return;
	}
	*MEM_ADD(r->ranges, r->n, r->cap) = (struct range){ start, end, scope };
}

/* Adds the scope of E in PARENT if it has code. Returns its number, or NO_SCOPE. */
static uint32_t
add_scope(struct reading *r, const struct dwarf_entry *e, uint32_t parent)
{
	struct unit *u = r->u;
	uint32_t scope = (uint32_t)u->scope_n;
	struct dwarf_ranges ranges;
	uint64_t start, end;
	size_t before = r->n;

	if (u->scope_n >= DROPPED)
		return NO_SCOPE;
	dwarf_ranges_begin(&ranges, u->unit, e);
	while (dwarf_ranges_next(&ranges, &start, &end))
		add_range(r, start, end, scope);
	if (r->n == before)
		return NO_SCOPE;
	*MEM_ADD(u->scopes, u->scope_n, u->scope_cap) =
		(struct scope){ .entry = e->offset, .parent = parent };
	return scope;
}

static bool
is_dropped(struct dwarf_unit *u, const struct dwarf_entry *e)
{
	uint64_t low;

	return dwarf_has(e, DWARF_LOW_PC) && !dwarf_has(e, DWARF_RANGE_LIST) &&
		dwarf_address(u, &e->value[DWARF_LOW_PC], &low) && dwarf_is_dead(u, low);
}

/* The scope of the children of E, which is in WITHIN. */
static uint32_t
enter(struct reading *r, const struct dwarf_entry *e, uint32_t within)
{
	if (within == DROPPED)
		return DROPPED;
	switch (e->abbrev->tag) {
	case DWARF_TAG_SUBPROGRAM:
		if (is_dropped(r->u->unit, e))
			return DROPPED;
		return add_scope(r, e, NO_SCOPE);
	case DWARF_TAG_INLINED_SUBROUTINE:
		return within == NO_SCOPE ? within : add_scope(r, e, within);
	default: return within;
	}
}

/* Moves B behind the children of E if they contain no functions, as for all kinds whose
 * siblings are kept. Returns false otherwise. */
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

	bytes_cut(&b, unit->end - unit->die);
	r->within[0] = NO_SCOPE;
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

/* Sorts a few ranges, or ones that are nearly in order. */
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

/* Radix sort of N ranges by start, stable so that outer ranges stay before inner ones. */
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
		count_sort(to, from, n, key, 1u << DIGIT);
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

/* From START on, SCOPE is the innermost. */
static void
put(struct unit *u, uint64_t start, uint32_t scope)
{
	if (u->segment_n && u->segments[u->segment_n - 1].start == start)
		u->segment_n--;
	if (u->segment_n ? u->segments[u->segment_n - 1].scope == scope
			 : scope == NO_SCOPE)
		return;
	*MEM_ADD(u->segments, u->segment_n, u->segment_cap) =
		(struct segment){ start, scope };
}

/* Overlays the sorted ranges. If two overlap and neither contains the other, the first
 * one keeps its range. */
static void
lay(struct unit *u, const struct range *ranges, size_t n)
{
	struct cover *covers = NULL;
	size_t depth = 0, cap = 0, i;
	uint32_t parent;
	uint64_t end;

	for (i = 0; i < n || depth; i++) {
		while (depth && (i >= n || covers[depth - 1].end <= ranges[i].start)) {
			end = covers[--depth].end;
			put(u, end, depth ? covers[depth - 1].scope : NO_SCOPE);
		}
		if (i >= n)
			break;
		parent = u->scopes[ranges[i].scope].parent;
		if ((depth ? covers[depth - 1].scope : NO_SCOPE) != parent)
			continue;
		end = ranges[i].end;
		if (depth && covers[depth - 1].end < end)
			end = covers[depth - 1].end;
		*MEM_ADD(covers, depth, cap) = (struct cover){ end, ranges[i].scope };
		put(u, ranges[i].start, ranges[i].scope);
	}
	free(covers);
}

/* Reads U from its unit. Sets damaged if that could not be read to its end. */
static void
read_unit(struct unit *u)
{
	struct reading *r = mem_alloc(sizeof *r);

	r->u = u;
	r->ranges = NULL;
	r->n = r->cap = r->depth = 0;
	u->read = true;
	u->damaged = !read_entries(r) || dwarf_ranges_spent(u->unit);
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

/* The innermost scope at ADDRESS, or NO_SCOPE. */
static uint32_t
find_in_unit(const struct unit *u, uint64_t address)
{
	size_t n = search_upto(u->segments, u->segment_n, sizeof *u->segments, address);

	return n ? u->segments[n - 1].scope : NO_SCOPE;
}

struct inlines {
	struct dwarf *dwarf;
	struct unit **units; /* by the number of their unit; NULL: not needed yet */
	size_t unit_cap;
	struct table *tables; /* of lines, by offset */
	size_t table_n, table_cap;
	struct spans listed; /* by an index: hints */
	struct spans stated; /* by the first entries of units */
	struct spans found;  /* in units that do not list theirs */
	bool walked;	     /* the first entries of all units were read */
	bool searched;	     /* all units without addresses were read */
	size_t bad;
	struct dwarf_split *split;
	struct arena names; /* names that the file does not contain literally */
};

/* Whether the first entry E of UNIT lists its addresses. */
static bool
has_addresses(const struct dwarf_entry *e)
{
	return dwarf_has(e, DWARF_RANGE_LIST) || dwarf_has(e, DWARF_HIGH_PC);
}

/* The place for UNIT in a table that is grown as needed. */
static struct unit **
place_of(struct inlines *x, const struct dwarf_unit *unit)
{
	return MEM_AT(x->units, x->unit_cap, unit->number);
}

/* The data of UNIT, which is not read at first. */
static struct unit *
unit_of(struct inlines *x, struct dwarf_unit *unit)
{
	struct unit **place = place_of(x, unit), *u = *place;
	struct dwarf_entry root;

	if (u)
		return u;
	u = *place = mem_zero(1, sizeof *u);
	u->unit = unit;
	u->damaged = u->read = !dwarf_root(unit, &root);
	u->split = dwarf_has(&root, DWARF_SPLIT);
	u->bare = !u->damaged && !u->split && !has_addresses(&root) &&
		root.abbrev->tag == DWARF_TAG_COMPILE_UNIT;
	x->bad += u->damaged;
	return u;
}

/* Adds the addresses in the first entry of UNIT. Without any, its functions may have
 * some. */
static void
add_unit(struct inlines *x, struct dwarf_unit *unit)
{
	struct dwarf_ranges ranges;
	struct dwarf_entry root;
	uint64_t start, end;

	if (!dwarf_root(unit, &root) || !has_addresses(&root)) {
		(void)unit_of(x, unit);
		return;
	}
	dwarf_ranges_begin(&ranges, unit, &root);
	while (dwarf_ranges_next(&ranges, &start, &end))
		spans_add(&x->stated, start, end, unit->offset);
}

static void
walk(struct inlines *x)
{
	size_t i;

	x->walked = true;
	dwarf_walk(x->dwarf);
	for (i = 0; i < x->dwarf->walked_n; i++)
		add_unit(x, x->dwarf->walked[i].unit);
	spans_sort(&x->stated);
}

struct inlines *
inlines_new(struct elf *debug, struct elf *alt)
{
	struct dwarf *dwarf = dwarf_new(debug, alt);
	struct inlines *x;

	if (!dwarf)
		return NULL;
	x = mem_zero(1, sizeof *x);
	x->dwarf = dwarf;
	x->split = dwarf_split_new();
	dwarf_index_read(dwarf, &x->listed);
	if (!x->listed.n)
		walk(x);
	return x;
}

void
inlines_free(struct inlines *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->unit_cap; i++)
		release_unit(x->units[i]);
	for (size_t i = 0; i < x->table_n; i++)
		dwarf_lines_free(x->tables[i].lines);
	free(x->units);
	free(x->tables);
	spans_release(&x->listed);
	spans_release(&x->stated);
	spans_release(&x->found);
	arena_release(&x->names);
	dwarf_split_free(x->split);
	dwarf_free(x->dwarf);
	free(x);
}

void
inlines_beside(struct inlines *x, const char *path)
{
	dwarf_split_beside(x->split, path);
}

void
inlines_add_split(struct inlines *x, struct elf *e)
{
	dwarf_split_add(x->split, e);
}

size_t
inlines_missing(const struct inlines *x, struct str *first)
{
	return dwarf_split_missing(x->split, first);
}

size_t
inlines_bad(const struct inlines *x)
{
	return x->bad + x->dwarf->bad;
}

/* The innermost scope of U at ADDRESS. Reads U on the first call. */
static uint32_t
find_in(struct inlines *x, struct unit *u, uint64_t address)
{
	struct dwarf_unit *whole;

	if (!u->read) {
		/* If the split unit is missing, its skeleton may have something. */
		whole = u->split ? dwarf_split_find(x->split, u->unit) : NULL;
		if (whole)
			u->unit = whole;
		read_unit(u);
		x->bad += u->damaged;
	}
	return find_in_unit(u, address);
}

/* The innermost scope at ADDRESS of the units of S; sets *UNIT. */
static uint32_t
find_scope(struct inlines *x, const struct spans *s, uint64_t address, struct unit **unit)
{
	const struct span *span = NULL;
	struct dwarf_unit *found;
	uint32_t scope;

	while ((span = spans_find(s, address, span)) != NULL) {
		found = dwarf_unit_at(x->dwarf, span->unit);
		if (!found)
			continue;
		*unit = unit_of(x, found);
		scope = find_in(x, *unit, address);
		if (scope != NO_SCOPE)
			return scope;
	}
	return NO_SCOPE;
}

/* Reads the units whose first entry has no addresses, for their functions' addresses. */
static void
search(struct inlines *x)
{
	struct unit *u;
	size_t i;

	x->searched = true;
	for (i = 0; i < x->unit_cap; i++) {
		u = x->units[i];
		if (!u || !u->bare || !dwarf_table(u->unit)->has_code)
			continue;
		find_in(x, u, 0);
		if (u->segment_n)
			spans_add(&x->found, u->segments[0].start,
				u->segments[u->segment_n - 1].start, u->unit->offset);
	}
	spans_sort(&x->found);
}

/* Whether U is an assembly file with ADDRESS: no other unit has its code, and nothing
 * was inlined. */
static bool
is_assembly(const struct unit *u, uint64_t address)
{
	struct dwarf_ranges ranges;
	struct dwarf_entry root;
	uint64_t start, end;

	if (u->unit->language != DWARF_LANG_ASSEMBLER || !dwarf_root(u->unit, &root))
		return false;
	dwarf_ranges_begin(&ranges, u->unit, &root);
	while (dwarf_ranges_next(&ranges, &start, &end))
		if (address >= start && address < end)
			return true;
	return false;
}

static struct str
find_name(struct inlines *x, const struct unit *u, const struct scope *s)
{
	struct dwarf_name name = dwarf_function_name(u->unit, s->entry);
	struct buf b = { 0 };

	if (name.plain && dwarf_qualify(&name, &b))
		name.text = arena_str(&x->names, buf_view(&b));
	buf_release(&b);
	return name.text;
}

static struct str
name_of(struct inlines *x, struct unit *u, struct scope *s)
{
	struct str name;

	if (!s->name) {
		name = find_name(x, u, s);
		s->name = name.n ? name.s : "";
		s->name_n = (uint32_t)name.n;
	}
	return (struct str){ s->name, s->name_n };
}

/* The innermost scope at ADDRESS, of *UNIT. If no function has it, NO_SCOPE, and *UNIT
 * is the unit that has the address anyway, or NULL if unknown. */
static uint32_t
find_innermost(struct inlines *x, uint64_t address, struct unit **unit)
{
	uint32_t scope;

	*unit = NULL;
	scope = find_scope(x, &x->listed, address, unit);
	if (scope != NO_SCOPE || (*unit && is_assembly(*unit, address)))
		return scope;
	if (!x->walked)
		walk(x);
	scope = find_scope(x, &x->stated, address, unit);
	if (scope != NO_SCOPE)
		return scope;
	if (!x->searched)
		search(x);
	scope = find_scope(x, &x->found, address, unit);
	if (scope == NO_SCOPE)
		*unit = NULL;
	return scope;
}

size_t
inlines_find(
	struct inlines *x, uint64_t address, struct inlines_frame *frames, size_t cap)
{
	struct unit *u;
	struct scope *s;
	size_t n = 0;
	uint32_t i = find_innermost(x, address, &u);

	for (; i != NO_SCOPE && n < cap; i = s->parent) {
		s = &u->scopes[i];
		frames[n].name = name_of(x, u, s);
		frames[n++].inlined = s->parent != NO_SCOPE;
	}
	return n;
}

/* The table at AT, which is not read at first. */
static struct table *
table_at(struct inlines *x, uint64_t at)
{
	size_t n = search_upto(x->tables, x->table_n, sizeof *x->tables, at);

	if (n && x->tables[n - 1].at == at)
		return &x->tables[n - 1];
	x->tables = mem_grow(x->tables, &x->table_cap, x->table_n + 1, sizeof *x->tables);
	memmove(x->tables + n + 1, x->tables + n, (x->table_n++ - n) * sizeof *x->tables);
	x->tables[n] = (struct table){ .at = at };
	return &x->tables[n];
}

/* The table of lines of U. */
static struct dwarf_lines *
lines_of(struct inlines *x, struct unit *u)
{
	/* Lines are linked, so they are not split off. */
	struct dwarf_unit *linked = u->unit->skeleton ? u->unit->skeleton : u->unit;
	struct str folder = { 0 };
	struct dwarf_entry e;
	struct table *table;

	if (u->lines_done)
		return u->lines;
	u->lines_done = true;
	if (!dwarf_line_entry(linked, linked->die, &e) || !dwarf_has(&e, DWARF_STMT_LIST))
		return NULL;
	table = table_at(x, e.value[DWARF_STMT_LIST].u);
	if (dwarf_has(&e, DWARF_COMP_DIR))
		folder = dwarf_text(linked, &e.value[DWARF_COMP_DIR]);
	if (!table->lines)
		table->lines = dwarf_lines_new(linked, table->at, folder);
	u->lines = table->lines;
	return u->lines;
}

/* For code in SCOPE whose row has no line: the last line before it in the same function
 * or inlined function. */
static const struct dwarf_lines_row *
find_line_before(const struct unit *u, const struct dwarf_lines_row *row,
	const struct dwarf_lines_row *first, uint32_t scope)
{
	enum { BACK = 64 };
	int i;

	for (i = 0; i < BACK && row > first; i++, row--)
		if (row[-1].line && find_in_unit(u, row->address - 1) == scope)
			return row - 1;
	return NULL;
}

/* The place of the code at ADDRESS, which is in SCOPE of U. */
static struct inlines_place
find_place(struct inlines *x, struct unit *u, uint64_t address, uint32_t scope)
{
	struct dwarf_lines *l = lines_of(x, u);
	const struct dwarf_lines_row *first,
		*row = l ? dwarf_lines_find(l, address, &first) : NULL;

	if (row && !row->line)
		row = find_line_before(u, row, first, scope);
	if (!row)
		return (struct inlines_place){ .line = 0 };
	return (struct inlines_place){ dwarf_lines_path(l, row->file), row->line };
}

/* The place of the call that was inlined as S. */
static struct inlines_place
find_call(struct inlines *x, struct unit *u, const struct scope *s)
{
	struct inlines_place place = { .line = 0 };
	uint64_t file = 0, line = 0;
	struct dwarf_entry e;

	if (lines_of(x, u) && dwarf_line_entry(u->unit, s->entry, &e) &&
		dwarf_has(&e, DWARF_CALL_FILE) && dwarf_has(&e, DWARF_CALL_LINE) &&
		dwarf_constant(&e.value[DWARF_CALL_FILE], &file) &&
		dwarf_constant(&e.value[DWARF_CALL_LINE], &line)) {
		place.file = dwarf_lines_path(u->lines, file);
		place.line = (uint32_t)line;
	}
	return place;
}

/* The place of code without a function at ADDRESS, such as assembly. */
static struct inlines_place
find_bare_place(struct inlines *x, uint64_t address)
{
	struct inlines_place place = { .line = 0 };
	const struct span *span = NULL;
	struct dwarf_unit *unit;

	while (!place.line && (span = spans_find(&x->stated, address, span)) != NULL) {
		unit = dwarf_unit_at(x->dwarf, span->unit);
		if (unit)
			place = find_place(x, unit_of(x, unit), address, NO_SCOPE);
	}
	return place;
}

size_t
inlines_places(
	struct inlines *x, uint64_t address, struct inlines_place *places, size_t cap)
{
	struct unit *u;
	uint32_t i = find_innermost(x, address, &u);
	size_t n = 0;

	if (!cap)
		return 0;
	if (i == NO_SCOPE) {
		places[0] = u ? find_place(x, u, address, NO_SCOPE)
			      : find_bare_place(x, address);
		return places[0].line != 0;
	}
	places[n++] = find_place(x, u, address, i);
	for (; u->scopes[i].parent != NO_SCOPE && n < cap; i = u->scopes[i].parent)
		places[n++] = find_call(x, u, &u->scopes[i]);
	return n;
}

bool
inlines_alt_link(struct elf *e, struct str *path, struct str *build_id)
{
	struct bytes b = elf_bytes(e, elf_section(e, ".gnu_debugaltlink"));

	if (!bytes_left(&b)) {
		/* DWARF 5's equivalent (section 7.3.6): a version, and whether this is
		 * the supplementary file itself. */
		b = elf_bytes(e, elf_section(e, ".debug_sup"));
		if (bytes_u16(&b) != 5 || bytes_u8(&b))
			return false;
		*path = bytes_cstr(&b);
		*build_id = bytes_take(&b, bytes_uleb(&b));
	} else {
		*path = bytes_cstr(&b);
		*build_id = bytes_take(&b, bytes_left(&b));
	}
	return !b.bad && path->n && build_id->n;
}
