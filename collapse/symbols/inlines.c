/* SPDX-License-Identifier: ISC */
/* The units of a file by address; see inlines.h. */
#include "inlines.h"
#include "arena.h"
#include "dwarf-names.h"
#include "inlines-unit.h"
#include "mem.h"

/* Addresses of a unit. */
struct cover {
	uint64_t start, end;
	uint64_t reach; /* the highest end of this one and those before */
	size_t unit;
};

struct covers {
	struct cover *at; /* by start, of equal ones the last unit first */
	size_t n, cap;
};

struct inlines {
	struct dwarf *dwarf;
	struct inlines_unit *units;
	size_t unit_n;
	struct covers told;  /* by the first entries of units */
	struct covers found; /* in units that do not tell */
	bool searched;	     /* for these */
	size_t split, bad;
	struct arena names; /* those that are not in the file as they are */
};

static void
add_cover(struct covers *c, uint64_t start, uint64_t end, size_t unit)
{
	c->at = mem_grow(c->at, &c->cap, c->n + 1, sizeof *c->at);
	c->at[c->n++] = (struct cover){ .start = start, .end = end, .unit = unit };
}

static int
by_start(const void *a, const void *b)
{
	const struct cover *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->unit > y->unit ? -1 : x->unit < y->unit;
}

static void
sort_covers(struct covers *c)
{
	uint64_t reach = 0;

	if (c->n)
		qsort(c->at, c->n, sizeof *c->at, by_start);
	for (size_t i = 0; i < c->n; i++) {
		reach = c->at[i].end > reach ? c->at[i].end : reach;
		c->at[i].reach = reach;
	}
}

/* Reads what the first entry of unit I says. */
static void
add_unit(struct inlines *x, size_t i)
{
	struct dwarf_unit *unit = x->units[i].unit = &x->dwarf->units[i];
	struct dwarf_ranges ranges;
	struct dwarf_entry root;
	uint64_t start, end;

	if (!dwarf_root(unit, &root)) {
		x->units[i].read = true;
		x->bad++;
		return;
	}
	x->split += dwarf_has(&root, DWARF_SPLIT);
	if (dwarf_has(&root, DWARF_RANGE_LIST) || dwarf_has(&root, DWARF_HIGH_PC)) {
		dwarf_ranges_begin(&ranges, unit, &root);
		while (dwarf_ranges_next(&ranges, &start, &end))
			add_cover(&x->told, start, end, i);
	} else if (root.abbrev->tag == DWARF_TAG_COMPILE_UNIT) {
		x->units[i].bare = true; /* but its functions may */
		return;
	}
	if (x->told.n && x->told.at[x->told.n - 1].unit == i)
		return;
	/* Without addresses nothing of it is ever asked for. */
	x->units[i].read = true;
}

struct inlines *
inlines_new(struct elf *debug, struct elf *alt)
{
	struct dwarf *dwarf = debug->type == ELF_REL ? NULL : dwarf_new(debug, alt);
	struct inlines *x;
	size_t i;

	if (!dwarf)
		return NULL;
	x = mem_zero(1, sizeof *x);
	x->dwarf = dwarf;
	x->unit_n = dwarf->unit_n;
	x->bad = dwarf->bad;
	x->units = mem_zero(x->unit_n, sizeof *x->units);
	for (i = 0; i < x->unit_n; i++)
		add_unit(x, i);
	sort_covers(&x->told);
	return x;
}

void
inlines_free(struct inlines *x)
{
	if (!x)
		return;
	for (size_t i = 0; i < x->unit_n; i++)
		inlines_unit_release(&x->units[i]);
	free(x->units);
	free(x->told.at);
	free(x->found.at);
	arena_release(&x->names);
	dwarf_free(x->dwarf);
	free(x);
}

size_t
inlines_split(const struct inlines *x)
{
	return x->split;
}

size_t
inlines_bad(const struct inlines *x)
{
	return x->bad;
}

/* The innermost scope of U at ADDRESS; reads U when it is first asked. */
static uint32_t
find_in(struct inlines *x, struct inlines_unit *u, uint64_t address)
{
	if (!u->read) {
		inlines_unit_read(u);
		x->bad += u->damaged;
	}
	return inlines_unit_find(u, address);
}

/* The same of the units of C; sets *UNIT. Where they overlap, what starts last is
 * the narrowest. */
static uint32_t
find_scope(struct inlines *x, const struct covers *c, uint64_t address,
	struct inlines_unit **unit)
{
	size_t low = 0, high = c->n, mid;
	uint32_t scope;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->at[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low && c->at[low - 1].reach > address; low--) {
		if (c->at[low - 1].end <= address)
			continue;
		*unit = &x->units[c->at[low - 1].unit];
		scope = find_in(x, *unit, address);
		if (scope != INLINES_NONE)
			return scope;
	}
	return INLINES_NONE;
}

/* Reads the units whose first entry has no addresses, for those of their
 * functions. */
static void
search(struct inlines *x)
{
	struct inlines_unit *u;
	size_t i;

	x->searched = true;
	for (i = 0; i < x->unit_n; i++) {
		u = &x->units[i];
		if (!u->bare || !dwarf_table(u->unit)->has_code)
			continue;
		find_in(x, u, 0);
		if (u->segment_n)
			add_cover(&x->found, u->segments[0].start,
				u->segments[u->segment_n - 1].start, i);
	}
	sort_covers(&x->found);
}

static struct str
find_name(struct inlines *x, const struct inlines_unit *u, const struct inlines_scope *s)
{
	struct dwarf_name name = dwarf_function_name(u->unit, s->entry);
	struct buf b = { 0 };

	if (name.plain && dwarf_qualify(&name, &b))
		name.text = arena_str(&x->names, buf_view(&b));
	buf_release(&b);
	return name.text;
}

static struct str
name_of(struct inlines *x, struct inlines_unit *u, struct inlines_scope *s)
{
	struct str name;

	if (!s->name) {
		name = find_name(x, u, s);
		s->name = name.n ? name.s : "";
		s->name_n = (uint32_t)name.n;
	}
	return (struct str){ s->name, s->name_n };
}

size_t
inlines_find(
	struct inlines *x, uint64_t address, struct inlines_frame *frames, size_t cap)
{
	struct inlines_unit *u;
	struct inlines_scope *s;
	size_t n = 0;
	uint32_t i = find_scope(x, &x->told, address, &u);

	if (i == INLINES_NONE) {
		if (!x->searched)
			search(x);
		i = find_scope(x, &x->found, address, &u);
	}
	for (; i != INLINES_NONE && n < cap; i = s->parent) {
		s = &u->scopes[i];
		frames[n].name = name_of(x, u, s);
		frames[n++].inlined = s->parent != INLINES_NONE;
	}
	return n;
}

bool
inlines_alt_link(struct elf *e, struct str *path, struct str *build_id)
{
	struct bytes b = elf_bytes(e, elf_section(e, ".gnu_debugaltlink"));

	if (!bytes_left(&b)) {
		/* The same of DWARF 5 (section 7.3.6): a version, whether this is
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
