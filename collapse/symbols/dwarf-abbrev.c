/* SPDX-License-Identifier: ISC */
/*
 * Abbreviations (DWARF 5, section 7.5.3), compiled to steps; see dwarf.h. A table is
 * compiled when an entry of its unit is first read. For a unit's first entry, only its
 * own abbreviation is compiled; it may be anywhere in the table, as GCC sorts
 * abbreviations by frequency.
 */
#include "dwarf-names.h"
#include "dwarf.h"
#include "mem.h"
#include "search.h"

/* The parameters of the layout of values, as one number. */
static uint32_t
layout_of(const struct dwarf_unit *u, bool lines)
{
	uint32_t ref = (uint8_t)dwarf_form_size(u, DWARF_FORM_REF_ADDR);

	return ref << 24 | (uint32_t)u->address_size << 16 |
		(uint32_t)u->offset_size << 8 | lines;
}

/* The slot of attribute NAME in entries of TAG, DWARF_SLOTS if it is unused. LINES adds
 * the slots for lines. */
static enum dwarf_slot
slot_of(uint64_t tag, uint64_t name, bool lines)
{
	static const struct {
		uint16_t name;
		uint8_t slot;
	} slots[] = {
		{ DWARF_AT_SIBLING, DWARF_SIBLING },
		{ DWARF_AT_NAME, DWARF_NAME },
		{ DWARF_AT_LOW_PC, DWARF_LOW_PC },
		{ DWARF_AT_HIGH_PC, DWARF_HIGH_PC },
		{ DWARF_AT_ABSTRACT_ORIGIN, DWARF_ORIGIN },
		{ DWARF_AT_SPECIFICATION, DWARF_SPECIFICATION },
		{ DWARF_AT_RANGES, DWARF_RANGE_LIST },
		{ DWARF_AT_LINKAGE_NAME, DWARF_LINKAGE_NAME },
		{ DWARF_AT_STR_OFFSETS_BASE, DWARF_STR_BASE },
		{ DWARF_AT_ADDR_BASE, DWARF_ADDR_BASE },
		{ DWARF_AT_RNGLISTS_BASE, DWARF_RNGLISTS_BASE },
		{ DWARF_AT_DWO_NAME, DWARF_SPLIT },
		{ DWARF_AT_MIPS_LINKAGE_NAME, DWARF_LINKAGE_NAME },
		{ DWARF_AT_GNU_DWO_NAME, DWARF_SPLIT },
		{ DWARF_AT_GNU_ADDR_BASE, DWARF_ADDR_BASE },
		{ DWARF_AT_LANGUAGE, DWARF_LANGUAGE },
		{ DWARF_AT_STMT_LIST, DWARF_STMT_LIST },
		{ DWARF_AT_COMP_DIR, DWARF_COMP_DIR },
		{ DWARF_AT_CALL_FILE, DWARF_CALL_FILE },
		{ DWARF_AT_CALL_LINE, DWARF_CALL_LINE },
	};
	size_t i;

	switch (tag) {
	case DWARF_TAG_ARRAY_TYPE:
	case DWARF_TAG_SUBROUTINE_TYPE:
	case DWARF_TAG_CALL_SITE:
	case DWARF_TAG_GNU_CALL_SITE:
		return name == DWARF_AT_SIBLING ? DWARF_SIBLING : DWARF_SLOTS;
	case DWARF_TAG_NAMESPACE:
	case DWARF_TAG_CLASS_TYPE:
	case DWARF_TAG_STRUCTURE_TYPE:
	case DWARF_TAG_UNION_TYPE:
	case DWARF_TAG_ENUMERATION_TYPE:
		return name == DWARF_AT_NAME ? DWARF_NAME : DWARF_SLOTS;
	case DWARF_TAG_COMPILE_UNIT:
	case DWARF_TAG_PARTIAL_UNIT:
	case DWARF_TAG_SKELETON_UNIT:
	case DWARF_TAG_SUBPROGRAM:
	case DWARF_TAG_INLINED_SUBROUTINE: break;
	default: return DWARF_SLOTS;
	}
	for (i = 0; i < sizeof slots / sizeof *slots; i++)
		if (slots[i].name == name && (lines || slots[i].slot < DWARF_LINE_SLOTS))
			return slots[i].slot;
	return DWARF_SLOTS;
}

/* Adds the value of FORM to A: to the bytes to skip, or as a step if it is kept in SLOT
 * or its size varies. */
static void
add_value(struct dwarf_table *t, struct dwarf_abbrev *a, int size, struct dwarf_step step)
{
	if (step.slot < DWARF_SLOTS && a->mask & 1u << step.slot)
		step.slot = DWARF_SLOTS; /* twice: the first counts */
	if (step.slot == DWARF_SLOTS && size >= 0) {
		/* Units with so many bytes are too long for us to read. */
		a->broken = a->broken || a->tail > UINT32_MAX - 16;
		a->tail += (uint32_t)size;
		return;
	}
	if (step.slot < DWARF_SLOTS)
		a->mask |= 1u << step.slot;
	step.skip = a->tail;
	if (size > 0 && size <= 8 && !(size & (size - 1)))
		step.word = (uint8_t)size;
	a->tail = 0;
	*MEM_ADD(t->steps, t->step_n, t->step_cap) = step;
	a->step_n++;
}

/* Skips the attributes of the abbreviation at B. */
static void
skip_attributes(struct bytes *b)
{
	uint64_t name, form;
	struct str two;

	do {
		/* Most numbers have one byte, and most forms no operand. */
		while ((two = bytes_rest(b)).n >= 2 && !((two.s[0] | two.s[1]) & 0x80) &&
			two.s[1] && two.s[1] != DWARF_FORM_IMPLICIT_CONST)
			bytes_skip(b, 2);
		name = bytes_uleb(b);
		form = bytes_uleb(b);
		if (form == DWARF_FORM_IMPLICIT_CONST)
			bytes_sleb(b);
	} while ((name || form) && !b->bad);
}

/* Whether entries of TAG are needed for lines. */
static bool
has_lines(uint64_t tag)
{
	return tag == DWARF_TAG_COMPILE_UNIT || tag == DWARF_TAG_PARTIAL_UNIT ||
		tag == DWARF_TAG_SKELETON_UNIT || tag == DWARF_TAG_INLINED_SUBROUTINE;
}

/* Compiles the abbreviation at B of CODE to the end of T, unless T does not need it. */
static void
compile(struct dwarf_table *t, const struct dwarf_unit *u, struct bytes *b, uint64_t code)
{
	struct dwarf_abbrev a = { .code = code, .step = (uint32_t)t->step_n };
	uint64_t tag = bytes_uleb(b), name, form;
	struct dwarf_step step;
	int size;

	a.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
	a.children = bytes_u8(b) != 0;
	if (t->lines && !has_lines(tag)) {
		skip_attributes(b);
		return;
	}
	for (;;) {
		name = bytes_uleb(b);
		form = bytes_uleb(b);
		if (b->bad || (!name && !form))
			break;
		size = dwarf_form_size(u, form);
		a.broken = a.broken || size < -1;
		step = (struct dwarf_step){ .form = (uint16_t)form,
			.slot = (uint8_t)slot_of(tag, name, t->lines) };
		if (form == DWARF_FORM_IMPLICIT_CONST)
			step.implicit = bytes_sleb(b);
		add_value(t, &a, size, step);
	}
	if (b->bad || t->step_n > UINT32_MAX)
		return;
	if (a.tag == DWARF_TAG_SUBPROGRAM &&
		a.mask & (1u << DWARF_LOW_PC | 1u << DWARF_RANGE_LIST))
		t->has_code = true;
	*MEM_ADD(t->abbrevs, t->n, t->cap) = a;
}

static int
by_code(const void *a, const void *b)
{
	const struct dwarf_abbrev *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Reads the table of U into T. */
static void
read_table(struct dwarf_table *t, const struct dwarf_unit *u)
{
	struct bytes b = dwarf_cursor(u->of, DWARF_ABBREV, u->abbrevs);
	struct bytes start;
	uint64_t code;

	bytes_cut(&b, u->of->abbrev_budget);
	start = b;
	t->dense = true;
	while ((code = bytes_uleb(&b)) != 0) {
		t->dense = t->dense && code == t->n + 1;
		compile(t, u, &b, code);
	}
	u->of->abbrev_budget -= bytes_between(&start, &b);
	if (!t->dense && t->n)
		qsort(t->abbrevs, t->n, sizeof *t->abbrevs, by_code);
}

const struct dwarf_table *
dwarf_abbrev_table(struct dwarf_unit *u, bool lines)
{
	uint64_t *known = idmap_put(&u->of->tables, u->abbrevs, layout_of(u, lines));
	struct dwarf_table *t = (struct dwarf_table *)(uintptr_t)*known;

	if (!t) {
		t = mem_zero(1, sizeof *t);
		*known = (uintptr_t)t;
		t->lines = lines;
		read_table(t, u);
	}
	return t;
}

const struct dwarf_table *
dwarf_table(struct dwarf_unit *u)
{
	if (!u->table)
		u->table = dwarf_abbrev_table(u, false);
	return u->table;
}

const struct dwarf_abbrev *
dwarf_abbrev_find(const struct dwarf_table *t, uint64_t code)
{
	size_t n;

	if (t->dense)
		return code - 1 < t->n ? &t->abbrevs[code - 1] : NULL;
	/* The first one with that code. */
	n = search_upto(t->abbrevs, t->n, sizeof *t->abbrevs, code - 1);
	return n < t->n && t->abbrevs[n].code == code ? &t->abbrevs[n] : NULL;
}

struct bytes
dwarf_abbrev_at(const struct dwarf_unit *u, uint64_t code)
{
	struct bytes b = dwarf_cursor(u->of, DWARF_ABBREV, u->abbrevs);
	struct bytes start;
	uint64_t found;

	bytes_cut(&b, u->of->scan_budget);
	start = b;
	while ((found = bytes_uleb(&b)) != 0 && found != code && !b.bad) {
		bytes_uleb(&b);
		bytes_u8(&b);
		skip_attributes(&b);
	}
	u->of->scan_budget -= bytes_between(&start, &b);
	if (!found)
		bytes_fail(&b);
	return b;
}

const struct dwarf_table *
dwarf_abbrev_alone(struct dwarf_unit *u, uint64_t code)
{
	struct dwarf_table *t;
	struct bytes b;

	if (u->table)
		return u->table;
	b = dwarf_abbrev_at(u, code);
	/* Not found, or so many units share the table that compiling it is cheaper. */
	if (b.bad)
		return dwarf_table(u);
	if (!u->of->first)
		u->of->first = mem_zero(1, sizeof *u->of->first);
	t = u->of->first;
	t->n = t->step_n = 0;
	t->dense = false;
	compile(t, u, &b, code);
	return t;
}

static void
free_table(struct dwarf_table *t)
{
	if (!t)
		return;
	free(t->abbrevs);
	free(t->steps);
	free(t);
}

void
dwarf_abbrev_release(struct dwarf *d)
{
	struct dwarf_table *t;
	size_t at = 0;

	while ((t = idmap_next(&d->tables, &at)))
		free_table(t);
	idmap_release(&d->tables);
	free_table(d->first);
}
