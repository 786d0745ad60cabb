/* SPDX-License-Identifier: ISC */
/* Values and entries; see dwarf.h. */
#include "dwarf.h"
#include "dwarf-names.h"
#include "mem.h"
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

/* DW_FORM_indirect may name itself, but hardly more than once. */
enum { INDIRECT_MAX = 4 };

/* A name longer than this is damage. */
enum { TEXT_MAX = 1 << 20 };

static uint64_t
read_three(struct bytes *b)
{
	struct bytes one = bytes_of(STR("\1\0"), b->swap);
	uint64_t x = bytes_u8(b), y = bytes_u8(b), z = bytes_u8(b);

	/* The file is little-endian if these bytes are 1. */
	return bytes_u16(&one) == 1 ? x | y << 8 | z << 16 : x << 16 | y << 8 | z;
}

/* Reads a number of SIZE bytes. Values of 16 bytes are never needed. */
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

/* Reads the form in front of the value. */
static uint16_t
read_indirect(const struct dwarf_unit *u, struct bytes *b)
{
	uint64_t form = DWARF_FORM_INDIRECT;

	for (int i = 0; i < INDIRECT_MAX && form == DWARF_FORM_INDIRECT; i++)
		form = bytes_uleb(b);
	/* A constant stored in the abbreviation is impossible here. */
	if (form == DWARF_FORM_INDIRECT || form == DWARF_FORM_IMPLICIT_CONST ||
		dwarf_form_size(u, form) == DWARF_NO_SIZE) {
		bytes_fail(b);
		return 0;
	}
	return (uint16_t)form;
}

/* Reads the value of STEP's form at B into V. B is bad on failure. */
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
		v->form = read_indirect(u, b);
	size = dwarf_form_size(u, v->form);
	if (size == DWARF_NO_SIZE)
		bytes_fail(b);
	v->u = size >= 0 ? read_fixed(b, size) : read_own(u, b, v->form);
}

void
dwarf_value(
	const struct dwarf_unit *u, struct bytes *b, uint16_t form, struct dwarf_value *v)
{
	const struct dwarf_step step = { .form = form };

	read_form(u, b, &step, v);
}

/* Reads entry I of B, a table of entries of SIZE bytes. */
static bool
read_indexed(struct bytes b, uint64_t i, uint8_t size, uint64_t *value)
{
	*value = 0;
	if (i > bytes_left(&b) / size)
		return false;
	bytes_skip(&b, i * size);
	*value = bytes_uint(&b, size);
	return !b.bad;
}

bool
dwarf_indexed_address(struct dwarf_unit *u, uint64_t i, uint64_t *address)
{
	/* Linkers do not see split files, so the linked file has the addresses. */
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
	bytes_cut(&b, TEXT_MAX);
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

/* Sets the bases that other entries of the unit refer to. */
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
	/* The address may itself be an index from addr_base. */
	if (dwarf_has(e, DWARF_LOW_PC))
		dwarf_address(u, &e->value[DWARF_LOW_PC], &u->base);
}

/* By default, tables begin behind the headers of their sections or, in a package, of
 * the unit's parts. */
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
	e->abbrev = t->dense && code <= t->n ? &t->abbrevs[code - 1]
					     : dwarf_abbrev_find(t, code);
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

	return read_entry(u, dwarf_abbrev_table(u, true), &b, e) && e->abbrev;
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
	t = dwarf_abbrev_alone(u, code);
	e->abbrev = dwarf_abbrev_find(t, code);
	if (!e->abbrev || !read_values(u, &b, t, e)) {
		e->has = 0;
		return false;
	}
	set_bases(u, e);
	return true;
}

/* Sets *U and *OFFSET to the entry of which E is an instance or a definition. Returns
 * false if there is none. */
static bool
follow(struct dwarf_unit **u, const struct dwarf_entry *e, uint64_t *offset)
{
	enum dwarf_slot slot =
		dwarf_has(e, DWARF_ORIGIN) ? DWARF_ORIGIN : DWARF_SPECIFICATION;
	struct dwarf_entry root;
	struct dwarf *d;

	if (!dwarf_has(e, slot) || !dwarf_reference(*u, &e->value[slot], &d, offset))
		return false;
	*u = dwarf_unit_with(d, *offset);
	if (*u && !(*u)->rooted)
		dwarf_root(*u, &root);
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
