/* SPDX-License-Identifier: ISC */
/* Values, abbreviations, units and entries; see dwarf.h. */
#include "dwarf.h"
#include "dwarf-names.h"
#include "mem.h"
#include "relocate.h"
#include "search.h"

/* Files that point to each other in a circle are opened once. */
enum { NAME_HOPS = 16 };

/* The DWARF of the supplementary file, or NULL. */
static struct dwarf *
open_alt(struct dwarf *d)
{
	if (!d->alt && d->alt_elf) {
		d->alt = dwarf_new(d->alt_elf, NULL);
		d->alt_elf = NULL;
	}
	return d->alt;
}

/* Values of attributes (DWARF 5, sections 7.5.4 to 7.5.6). */

/* DW_FORM_indirect may name itself; nobody does so twice. */
enum { INDIRECT_MAX = 4 };

/* A name longer than this is damage. */
enum { TEXT_MAX = 1 << 20 };

/* How many bytes the values of a form have, or what decides that. */
enum {
	UNKNOWN,
	EMPTY,
	ONE,
	TWO,
	THREE,
	FOUR,
	EIGHT,
	SIXTEEN,
	ADDRESS,
	OFFSET,
	REF_ADDR,
	OWN
};

static const unsigned char sizes[] = {
	[DWARF_FORM_ADDR] = ADDRESS,
	[DWARF_FORM_BLOCK2] = OWN,
	[DWARF_FORM_BLOCK4] = OWN,
	[DWARF_FORM_DATA2] = TWO,
	[DWARF_FORM_DATA4] = FOUR,
	[DWARF_FORM_DATA8] = EIGHT,
	[DWARF_FORM_STRING] = OWN,
	[DWARF_FORM_BLOCK] = OWN,
	[DWARF_FORM_BLOCK1] = OWN,
	[DWARF_FORM_DATA1] = ONE,
	[DWARF_FORM_FLAG] = ONE,
	[DWARF_FORM_SDATA] = OWN,
	[DWARF_FORM_STRP] = OFFSET,
	[DWARF_FORM_UDATA] = OWN,
	[DWARF_FORM_REF_ADDR] = REF_ADDR,
	[DWARF_FORM_REF1] = ONE,
	[DWARF_FORM_REF2] = TWO,
	[DWARF_FORM_REF4] = FOUR,
	[DWARF_FORM_REF8] = EIGHT,
	[DWARF_FORM_REF_UDATA] = OWN,
	[DWARF_FORM_INDIRECT] = OWN,
	[DWARF_FORM_SEC_OFFSET] = OFFSET,
	[DWARF_FORM_EXPRLOC] = OWN,
	[DWARF_FORM_FLAG_PRESENT] = EMPTY,
	[DWARF_FORM_STRX] = OWN,
	[DWARF_FORM_ADDRX] = OWN,
	[DWARF_FORM_REF_SUP4] = FOUR,
	[DWARF_FORM_STRP_SUP] = OFFSET,
	[DWARF_FORM_DATA16] = SIXTEEN,
	[DWARF_FORM_LINE_STRP] = OFFSET,
	[DWARF_FORM_REF_SIG8] = EIGHT,
	[DWARF_FORM_IMPLICIT_CONST] = EMPTY,
	[DWARF_FORM_LOCLISTX] = OWN,
	[DWARF_FORM_RNGLISTX] = OWN,
	[DWARF_FORM_REF_SUP8] = EIGHT,
	[DWARF_FORM_STRX1] = ONE,
	[DWARF_FORM_STRX2] = TWO,
	[DWARF_FORM_STRX3] = THREE,
	[DWARF_FORM_STRX4] = FOUR,
	[DWARF_FORM_ADDRX1] = ONE,
	[DWARF_FORM_ADDRX2] = TWO,
	[DWARF_FORM_ADDRX3] = THREE,
	[DWARF_FORM_ADDRX4] = FOUR,
};

static int
size_kind(uint64_t form)
{
	switch (form) {
	case DWARF_FORM_GNU_ADDR_INDEX:
	case DWARF_FORM_GNU_STR_INDEX: return OWN;
	case DWARF_FORM_GNU_REF_ALT:
	case DWARF_FORM_GNU_STRP_ALT: return OFFSET;
	default: return form < sizeof sizes ? sizes[form] : UNKNOWN;
	}
}

/* The values of FORM: how many bytes in U, or -1 when they differ, -2 when the
 * form is not known. */
static int
form_size(const struct dwarf_unit *u, uint64_t form)
{
	static const signed char plain[] = { [UNKNOWN] = -2,
		[EMPTY] = 0,
		[ONE] = 1,
		[TWO] = 2,
		[THREE] = 3,
		[FOUR] = 4,
		[EIGHT] = 8,
		[SIXTEEN] = 16,
		[OWN] = -1 };
	int kind = size_kind(form);

	switch (kind) {
	case ADDRESS: return u->address_size;
	case OFFSET: return u->offset_size;
	case REF_ADDR: return u->version > 2 ? u->offset_size : u->address_size;
	default: return plain[kind];
	}
}

static uint64_t
read_three(struct bytes *b)
{
	struct bytes one = bytes_of(STR("\1\0"), b->swap);
	uint64_t x = bytes_u8(b), y = bytes_u8(b), z = bytes_u8(b);

	/* The file's order is little when that is how it writes 1. */
	return bytes_u16(&one) == 1 ? x | y << 8 | z << 16 : x << 16 | y << 8 | z;
}

/* A number of SIZE bytes; of 16 bytes nobody asks for the value. */
static uint64_t
read_fixed(struct bytes *b, int size)
{
	switch (size) {
	case 0: return 1;
	case 3: return read_three(b);
	case 16: bytes_skip(b, 16); return 0;
	default: return bytes_uint(b, (unsigned)size);
	}
}

static uint64_t
read_own(const struct dwarf_unit *u, struct bytes *b, uint16_t form)
{
	uint64_t at;

	switch (form) {
	case DWARF_FORM_BLOCK1: bytes_skip(b, bytes_u8(b)); return 0;
	case DWARF_FORM_BLOCK2: bytes_skip(b, bytes_u16(b)); return 0;
	case DWARF_FORM_BLOCK4: bytes_skip(b, bytes_u32(b)); return 0;
	case DWARF_FORM_BLOCK:
	case DWARF_FORM_EXPRLOC: bytes_skip(b, bytes_uleb(b)); return 0;
	case DWARF_FORM_SDATA: return (uint64_t)bytes_sleb(b);
	case DWARF_FORM_STRING:
		at = u->end - bytes_left(b);
		bytes_cstr(b);
		return at;
	default: return bytes_uleb(b);
	}
}

/* The form that stands in front of the value. */
static uint16_t
read_indirect(struct bytes *b)
{
	uint64_t form = DWARF_FORM_INDIRECT;

	for (int i = 0; i < INDIRECT_MAX && form == DWARF_FORM_INDIRECT; i++)
		form = bytes_uleb(b);
	/* A constant without a place cannot stand here. */
	if (form == DWARF_FORM_INDIRECT || form == DWARF_FORM_IMPLICIT_CONST ||
		size_kind(form) == UNKNOWN) {
		bytes_fail(b);
		return 0;
	}
	return (uint16_t)form;
}

/* Reads the value of FORM at B into V; IMPLICIT is what the abbreviation
 * says. B is bad when that fails. */
static void
read_form(const struct dwarf_unit *u, struct bytes *b, const struct dwarf_step *step,
	struct dwarf_value *v)
{
	int size;

	v->form = step->form;
	if (v->form == DWARF_FORM_IMPLICIT_CONST) {
		v->u = (uint64_t)step->implicit;
		return;
	}
	if (v->form == DWARF_FORM_INDIRECT)
		v->form = read_indirect(b);
	size = form_size(u, v->form);
	if (size >= 0)
		v->u = read_fixed(b, size);
	else if (size == -1)
		v->u = read_own(u, b, v->form);
	else
		bytes_fail(b);
}

void
dwarf_value(
	const struct dwarf_unit *u, struct bytes *b, uint16_t form, struct dwarf_value *v)
{
	const struct dwarf_step step = { .form = form };

	read_form(u, b, &step, v);
}

/* Entry I of B, a table of entries of SIZE bytes. */
static bool
read_indexed(struct bytes b, uint64_t i, uint8_t size, uint64_t *value)
{
	if (i > bytes_left(&b) / size)
		return false;
	bytes_skip(&b, i * size);
	*value = bytes_uint(&b, size);
	return !b.bad;
}

bool
dwarf_indexed_address(struct dwarf_unit *u, uint64_t i, uint64_t *address)
{
	/* Linkers do not see split files, so addresses are in the linked one. */
	if (u->skeleton)
		u = u->skeleton;
	return read_indexed(dwarf_cursor(u->of, DWARF_ADDR, u->addr_base), i,
		u->address_size, address);
}

bool
dwarf_address(struct dwarf_unit *u, const struct dwarf_value *v, uint64_t *address)
{
	switch (v->form) {
	case DWARF_FORM_ADDR: *address = v->u; return true;
	case DWARF_FORM_ADDRX:
	case DWARF_FORM_ADDRX1:
	case DWARF_FORM_ADDRX2:
	case DWARF_FORM_ADDRX3:
	case DWARF_FORM_ADDRX4:
	case DWARF_FORM_GNU_ADDR_INDEX: return dwarf_indexed_address(u, v->u, address);
	default: return false;
	}
}

bool
dwarf_constant(const struct dwarf_value *v, uint64_t *number)
{
	switch (v->form) {
	case DWARF_FORM_DATA1:
	case DWARF_FORM_DATA2:
	case DWARF_FORM_DATA4:
	case DWARF_FORM_DATA8:
	case DWARF_FORM_SDATA:
	case DWARF_FORM_UDATA:
	case DWARF_FORM_IMPLICIT_CONST: *number = v->u; return true;
	default: return false;
	}
}

/* The text at OFFSET of SECTION of D, which may be NULL. */
static struct str
text_at(struct dwarf *d, enum dwarf_section section, uint64_t offset)
{
	struct bytes b;

	if (!d)
		return (struct str){ 0 };
	b = dwarf_cursor(d, section, offset);
	if (bytes_left(&b) > TEXT_MAX)
		b.end = b.at + TEXT_MAX;
	return bytes_cstr(&b);
}

struct str
dwarf_text(struct dwarf_unit *u, const struct dwarf_value *v)
{
	uint64_t offset;

	switch (v->form) {
	case DWARF_FORM_STRING: return text_at(u->of, DWARF_INFO, v->u);
	case DWARF_FORM_STRP: return text_at(u->of, DWARF_STR, v->u);
	case DWARF_FORM_LINE_STRP: return text_at(u->of, DWARF_LINE_STR, v->u);
	case DWARF_FORM_STRP_SUP:
	case DWARF_FORM_GNU_STRP_ALT: return text_at(open_alt(u->of), DWARF_STR, v->u);
	case DWARF_FORM_STRX:
	case DWARF_FORM_STRX1:
	case DWARF_FORM_STRX2:
	case DWARF_FORM_STRX3:
	case DWARF_FORM_STRX4:
	case DWARF_FORM_GNU_STR_INDEX:
		if (read_indexed(dwarf_cursor(u->of, DWARF_STR_OFFSETS, u->str_base),
			    v->u, u->offset_size, &offset))
			return text_at(u->of, DWARF_STR, offset);
		break;
	}
	return (struct str){ 0 };
}

bool
dwarf_reference(struct dwarf_unit *u, const struct dwarf_value *v, struct dwarf **d,
	uint64_t *offset)
{
	*d = u->of;
	*offset = v->u;
	switch (v->form) {
	case DWARF_FORM_REF1:
	case DWARF_FORM_REF2:
	case DWARF_FORM_REF4:
	case DWARF_FORM_REF8:
	case DWARF_FORM_REF_UDATA:
		*offset = u->offset + v->u;
		return v->u >= u->die - u->offset && v->u < u->end - u->offset;
	case DWARF_FORM_REF_ADDR: return true;
	case DWARF_FORM_REF_SUP4:
	case DWARF_FORM_REF_SUP8:
	case DWARF_FORM_GNU_REF_ALT: *d = open_alt(u->of); return *d != NULL;
	default: return false;
	}
}

/* Abbreviations, compiled to steps. */

/* The first entry of a unit mostly has one of the first abbreviations of its table,
 * which take few bytes. */
enum { FIRST = 8, FIRST_BYTES = 512 };

static struct dwarf_layout
layout_of(const struct dwarf_unit *u, bool lines)
{
	return (struct dwarf_layout){ u->abbrevs, u->address_size, u->offset_size,
		(uint8_t)form_size(u, DWARF_FORM_REF_ADDR), lines };
}

static bool
is_same(const struct dwarf_layout *a, const struct dwarf_layout *b)
{
	return a->offset == b->offset && a->address_size == b->address_size &&
		a->offset_size == b->offset_size &&
		a->ref_addr_size == b->ref_addr_size && a->lines == b->lines;
}

/* The slot of attribute NAME in entries of TAG, DWARF_SLOTS when it is of no use. LINES: also
 * those of lines. */
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

/* Adds the value of FORM to A: to what is passed over, or as a step when it is kept
 * in SLOT or its size is not known beforehand. */
static void
add_value(struct dwarf_table *t, struct dwarf_abbrev *a, int size, struct dwarf_step step)
{
	if (step.slot < DWARF_SLOTS && a->mask & 1u << step.slot)
		step.slot = DWARF_SLOTS; /* twice: the first counts */
	if (step.slot == DWARF_SLOTS && size >= 0) {
		/* A step of many bytes is longer than any unit we would read. */
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
	t->steps = mem_grow(t->steps, &t->step_cap, t->step_n + 1, sizeof *t->steps);
	t->steps[t->step_n++] = step;
	a->step_n++;
}

/* Compiles the abbreviation at B of CODE to the end of T. */
static void
compile(struct dwarf_table *t, const struct dwarf_unit *u, struct bytes *b, uint64_t code)
{
	struct dwarf_abbrev a = { .code = code, .step = (uint32_t)t->step_n };
	uint64_t tag = bytes_uleb(b), name, form;
	struct dwarf_step step;
	int size;

	a.tag = tag <= UINT16_MAX ? (uint16_t)tag : 0;
	a.children = bytes_u8(b) != 0;
	for (;;) {
		name = bytes_uleb(b);
		form = bytes_uleb(b);
		if (b->bad || (!name && !form))
			break;
		size = form_size(u, form);
		a.broken = a.broken || size < -1;
		step = (struct dwarf_step){ .form = (uint16_t)form,
			.slot = (uint8_t)slot_of(tag, name, t->layout.lines) };
		if (form == DWARF_FORM_IMPLICIT_CONST)
			step.implicit = bytes_sleb(b);
		add_value(t, &a, size, step);
	}
	if (b->bad || t->step_n > UINT32_MAX)
		return;
	if (a.tag == DWARF_TAG_SUBPROGRAM &&
		a.mask & (1u << DWARF_LOW_PC | 1u << DWARF_RANGE_LIST))
		t->has_code = true;
	t->abbrevs = mem_grow(t->abbrevs, &t->cap, t->n + 1, sizeof *t->abbrevs);
	t->abbrevs[t->n++] = a;
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
	const char *start = b.at;
	uint64_t code, used;

	if (bytes_left(&b) > u->of->abbrev_budget)
		b.end = b.at + u->of->abbrev_budget;
	t->dense = true;
	while ((code = bytes_uleb(&b)) != 0) {
		t->dense = t->dense && code == t->n + 1;
		compile(t, u, &b, code);
	}
	used = (uint64_t)(b.at - start);
	u->of->abbrev_budget -= used;
	if (!t->dense && t->n)
		qsort(t->abbrevs, t->n, sizeof *t->abbrevs, by_code);
}

static size_t
first_slot(const struct dwarf *d, const struct dwarf_layout *layout)
{
	uint64_t h = (layout->offset * 8 + layout->address_size + layout->offset_size) *
		UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 32) & (d->table_cap - 1);
}

/* The slot of LAYOUT, or the free one where it belongs. */
static struct dwarf_table **
find_slot(struct dwarf *d, const struct dwarf_layout *layout)
{
	size_t i = first_slot(d, layout);

	while (d->tables[i] && !is_same(&d->tables[i]->layout, layout))
		i = (i + 1) & (d->table_cap - 1);
	return &d->tables[i];
}

/* Doubles the slots. */
static void
grow(struct dwarf *d)
{
	struct dwarf_table **old = d->tables;
	size_t n = d->table_cap, i;

	d->table_cap = n ? 2 * n : 64;
	d->tables = mem_zero(d->table_cap, sizeof *d->tables);
	for (i = 0; i < n; i++)
		if (old[i])
			*find_slot(d, &old[i]->layout) = old[i];
	free(old);
}

/* The table of U, which keeps what LINES says. */
static const struct dwarf_table *
table_of(struct dwarf_unit *u, bool lines)
{
	struct dwarf_layout layout = layout_of(u, lines);
	struct dwarf *d = u->of;
	struct dwarf_table **slot;

	if (2 * (d->table_n + 1) > d->table_cap)
		grow(d);
	slot = find_slot(d, &layout);
	if (!*slot) {
		*slot = mem_zero(1, sizeof **slot);
		(*slot)->layout = layout;
		read_table(*slot, u);
		d->table_n++;
	}
	return *slot;
}

const struct dwarf_table *
dwarf_table(struct dwarf_unit *u)
{
	if (!u->table)
		u->table = table_of(u, false);
	return u->table;
}

/* The abbreviation CODE of T, or NULL. */
static const struct dwarf_abbrev *
find_abbrev(const struct dwarf_table *t, uint64_t code)
{
	size_t n;

	if (t->dense)
		return code - 1 < t->n ? &t->abbrevs[code - 1] : NULL;
	/* The first one of that code. */
	n = search_upto(t->abbrevs, t->n, sizeof *t->abbrevs, code - 1);
	return n < t->n && t->abbrevs[n].code == code ? &t->abbrevs[n] : NULL;
}

/* A table that has at least the abbreviation CODE of U: not all of it is read
 * when that is near its beginning. Borrowed until the next call. */
static const struct dwarf_table *
first_table(struct dwarf_unit *u, uint64_t code)
{
	struct bytes b = dwarf_cursor(u->of, DWARF_ABBREV, u->abbrevs);
	struct dwarf_table *t;
	uint64_t found;

	if (u->table)
		return u->table;
	if (!u->of->first)
		u->of->first = mem_zero(1, sizeof *u->of->first);
	t = u->of->first;
	t->n = t->step_n = 0;
	if (bytes_left(&b) > FIRST_BYTES)
		b.end = b.at + FIRST_BYTES;
	while (t->n < FIRST && (found = bytes_uleb(&b)) != 0) {
		compile(t, u, &b, found);
		if (found == code && t->n && t->abbrevs[t->n - 1].code == code) {
			/* The only one of the table. */
			t->abbrevs[0] = t->abbrevs[t->n - 1];
			t->n = 1;
			return t;
		}
	}
	return dwarf_table(u);
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

static void
release_tables(struct dwarf *d)
{
	for (size_t i = 0; i < d->table_cap; i++)
		free_table(d->tables[i]);
	free(d->tables);
	free_table(d->first);
}

/* Whether the header at B was one that is understood; fills U. */
static bool
read_header(struct bytes *b, struct dwarf_unit *u)
{
	u->version = bytes_u16(b);
	if (u->version < 2 || u->version > 5)
		return false;
	u->type = DWARF_UT_COMPILE;
	if (u->version >= 5) {
		u->type = bytes_u8(b);
		u->address_size = bytes_u8(b);
		u->abbrevs = bytes_uint(b, u->offset_size);
	} else {
		u->abbrevs = bytes_uint(b, u->offset_size);
		u->address_size = bytes_u8(b);
	}
	if (u->type == DWARF_UT_SKELETON || u->type == DWARF_UT_SPLIT_COMPILE)
		u->id = bytes_u64(b);
	if (u->type == DWARF_UT_TYPE || u->type == DWARF_UT_SPLIT_TYPE)
		bytes_skip(b, 8 + (uint64_t)u->offset_size);
	if (u->address_size != 2 && u->address_size != 4 && u->address_size != 8)
		return false;
	return !b->bad && u->type >= DWARF_UT_COMPILE && u->type <= DWARF_UT_SPLIT_TYPE;
}

/* The next unit of .debug_info at B; false when what is left is none. */
static bool
next_unit(struct dwarf *d, struct bytes *b, const char *start)
{
	struct dwarf_unit u = { .of = d, .offset = (uint64_t)(b->at - start) };
	struct bytes header;
	uint64_t length = bytes_u32(b);

	u.offset_size = 4;
	if (length == 0xffffffff) {
		u.offset_size = 8;
		length = bytes_u64(b);
	} else if (length >= 0xfffffff0) {
		return false;
	}
	header = *b;
	bytes_skip(b, length);
	if (b->bad)
		return false;
	header.end = b->at;
	u.end = (uint64_t)(b->at - start);
	if (!read_header(&header, &u)) {
		d->bad++;
		return true;
	}
	u.die = (uint64_t)(header.at - start);
	d->units = mem_grow(d->units, &d->unit_cap, d->unit_n + 1, sizeof *d->units);
	d->units[d->unit_n++] = u;
	return true;
}

static void
read_units(struct dwarf *d)
{
	struct bytes b = dwarf_cursor(d, DWARF_INFO, 0);
	const char *start = b.at;

	while (bytes_left(&b))
		if (!next_unit(d, &b, start)) {
			d->bad++;
			break;
		}
}

/* Reads the units of D; NULL, and D is freed, when there are none. */
static struct dwarf *
open_units(struct dwarf *d)
{
	if (!dwarf_bytes(d, DWARF_INFO).n) {
		dwarf_free(d);
		return NULL;
	}
	/* Tables of an honest file do not overlap, so each byte is read about
	 * once; the first ones again for the first entries. */
	d->abbrev_budget = 4 * (uint64_t)dwarf_bytes(d, DWARF_ABBREV).n + 4096;
	d->line_budget = UINT64_MAX;
	read_units(d);
	return d;
}

struct dwarf *
dwarf_new(struct elf *e, struct elf *alt)
{
	struct dwarf *d = mem_zero(1, sizeof *d);

	d->elf = e;
	d->alt_elf = alt;
	if (e->type == ELF_REL)
		d->relocate = relocate_new(e);
	return open_units(d);
}

struct dwarf *
dwarf_new_split(struct elf *e)
{
	struct dwarf *d = mem_zero(1, sizeof *d);

	d->elf = e;
	d->split = true;
	return open_units(d);
}

void
dwarf_free(struct dwarf *d)
{
	if (!d)
		return;
	dwarf_free(d->alt);
	release_tables(d);
	for (size_t i = 0; i < d->unit_n; i++)
		dwarf_contexts_free(d->units[i].contexts);
	free(d->units);
	buf_release(&d->joined);
	relocate_free(d->relocate);
	free(d);
}

/* Values of the first entry that others of the unit count from. */
static void
set_bases(struct dwarf_unit *u, const struct dwarf_entry *e)
{
	if (dwarf_has(e, DWARF_STR_BASE))
		u->str_base = e->value[DWARF_STR_BASE].u;
	if (dwarf_has(e, DWARF_ADDR_BASE))
		u->addr_base = e->value[DWARF_ADDR_BASE].u;
	if (dwarf_has(e, DWARF_LANGUAGE))
		u->language = (uint16_t)e->value[DWARF_LANGUAGE].u;
	if (dwarf_has(e, DWARF_RNGLISTS_BASE))
		u->rnglists_base = e->value[DWARF_RNGLISTS_BASE].u;
	/* The address may itself be an index from the base above. */
	if (dwarf_has(e, DWARF_LOW_PC))
		dwarf_address(u, &e->value[DWARF_LOW_PC], &u->base);
}

/* Without them, the tables begin after the headers of their sections, or of the parts that
 * a package has for the unit. */
static void
set_default_bases(struct dwarf_unit *u)
{
	if (u->version < 5)
		return;
	u->addr_base = u->offset_size == 8 ? 16 : 8;
	u->str_base += u->addr_base;
	u->rnglists_base += u->offset_size == 8 ? 20 : 12;
}

/* Reads the values of E at B by the steps of T. */
static bool
read_values(const struct dwarf_unit *u, struct bytes *b, const struct dwarf_table *t,
	struct dwarf_entry *e)
{
	const struct dwarf_abbrev *a = e->abbrev;
	const struct dwarf_step *step;
	struct dwarf_value rest, *v;

	e->has = a->mask;
	for (uint32_t i = 0; i < a->step_n; i++) {
		step = &t->steps[a->step + i];
		bytes_skip(b, step->skip);
		v = step->slot < DWARF_SLOTS ? &e->value[step->slot] : &rest;
		if (step->word) {
			v->form = step->form;
			v->u = bytes_uint(b, step->word);
		} else {
			read_form(u, b, step, v);
		}
	}
	bytes_skip(b, a->tail);
	return !b->bad && !a->broken;
}

/* Reads the entry at B by the abbreviations T of U. */
static bool
read_entry(struct dwarf_unit *u, const struct dwarf_table *t, struct bytes *b,
	struct dwarf_entry *e)
{
	uint64_t code;

	e->has = 0;
	e->offset = u->end - bytes_left(b);
	e->abbrev = NULL;
	code = bytes_uleb(b);
	if (!code)
		return !b->bad;
	e->abbrev =
		t->dense && code <= t->n ? &t->abbrevs[code - 1] : find_abbrev(t, code);
	return e->abbrev && read_values(u, b, t, e);
}

bool
dwarf_entry(struct dwarf_unit *u, struct bytes *b, struct dwarf_entry *e)
{
	return read_entry(u, u->table ? u->table : dwarf_table(u), b, e);
}

/* The bytes of U from OFFSET on. */
static struct bytes
unit_cursor(struct dwarf_unit *u, uint64_t offset)
{
	struct str info = dwarf_bytes(u->of, DWARF_INFO);

	return bytes_of(str_from(str_head(info, u->end), offset), u->of->elf->swap);
}

bool
dwarf_line_entry(struct dwarf_unit *u, uint64_t offset, struct dwarf_entry *e)
{
	struct bytes b = unit_cursor(u, offset);

	return read_entry(u, table_of(u, true), &b, e) && e->abbrev;
}

bool
dwarf_root(struct dwarf_unit *u, struct dwarf_entry *e)
{
	struct bytes b = unit_cursor(u, u->die);
	const struct dwarf_table *t;
	uint64_t code;

	e->has = 0;
	e->offset = u->die;
	code = bytes_uleb(&b);
	if (!u->rooted)
		set_default_bases(u);
	u->rooted = true;
	t = first_table(u, code);
	e->abbrev =
		t->n == 1 && t->abbrevs->code == code ? t->abbrevs : find_abbrev(t, code);
	if (!e->abbrev || !read_values(u, &b, t, e)) {
		e->has = 0;
		return false;
	}
	set_bases(u, e);
	return true;
}

/* The unit that has an entry at OFFSET, its bases read, or NULL. */
static struct dwarf_unit *
unit_at(struct dwarf *d, uint64_t offset)
{
	size_t n = search_upto(d->units, d->unit_n, sizeof *d->units, offset);
	struct dwarf_entry e;
	struct dwarf_unit *u;

	if (!n || offset < d->units[n - 1].die || offset >= d->units[n - 1].end)
		return NULL;
	u = &d->units[n - 1];
	if (!u->rooted)
		dwarf_root(u, &e);
	return u;
}

/* What the entry E of *U is an instance or a definition of: its unit and offset;
 * false when it is of none. */
static bool
follow(struct dwarf_unit **u, const struct dwarf_entry *e, uint64_t *offset)
{
	enum dwarf_slot slot =
		dwarf_has(e, DWARF_ORIGIN) ? DWARF_ORIGIN : DWARF_SPECIFICATION;
	struct dwarf *d;

	if (!dwarf_has(e, slot) || !dwarf_reference(*u, &e->value[slot], &d, offset))
		return false;
	*u = unit_at(d, *offset);
	return *u != NULL;
}

struct dwarf_name
dwarf_function_name(struct dwarf_unit *u, uint64_t offset)
{
	struct dwarf_name plain = { .plain = true }, name = { .plain = false };
	struct dwarf_entry e;
	struct bytes b;

	for (int hop = 0; hop < NAME_HOPS; hop++) {
		b = unit_cursor(u, offset);
		if (!dwarf_entry(u, &b, &e) || !e.abbrev)
			break;
		if (dwarf_has(&e, DWARF_LINKAGE_NAME))
			name.text = dwarf_text(u, &e.value[DWARF_LINKAGE_NAME]);
		if (name.text.n)
			return name;
		if (!plain.text.n && dwarf_has(&e, DWARF_NAME)) {
			plain.text = dwarf_text(u, &e.value[DWARF_NAME]);
			plain.unit = u;
			plain.entry = offset;
		}
		if (!follow(&u, &e, &offset))
			break;
	}
	return plain;
}
