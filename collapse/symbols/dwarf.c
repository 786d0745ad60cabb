/* SPDX-License-Identifier: ISC */
/* Sections, units and entries; see dwarf.h. */
#include "dwarf.h"
#include "dwarf-names.h"
#include "mem.h"

/* Files that point to each other in a circle are opened once. */
enum { NAME_HOPS = 16 };

static const char *const place_names[DWARF_PLACES] = {
	[DWARF_INFO] = ".debug_info",
	[DWARF_ABBREV] = ".debug_abbrev",
	[DWARF_STR] = ".debug_str",
	[DWARF_LINE_STR] = ".debug_line_str",
	[DWARF_STR_OFFSETS] = ".debug_str_offsets",
	[DWARF_ADDR] = ".debug_addr",
	[DWARF_RANGES] = ".debug_ranges",
	[DWARF_RNGLISTS] = ".debug_rnglists",
};

struct str
dwarf_bytes(struct dwarf *d, enum dwarf_place place)
{
	if (!d->loaded[place]) {
		d->places[place] =
			elf_data(d->elf, elf_section(d->elf, place_names[place]));
		d->loaded[place] = true;
	}
	return d->places[place];
}

struct bytes
dwarf_cursor(struct dwarf *d, enum dwarf_place place, uint64_t offset)
{
	struct bytes b = bytes_of(dwarf_bytes(d, place), d->elf->swap);

	if (offset)
		bytes_skip(&b, offset);
	return b;
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
		bytes_skip(b, 8);
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

struct dwarf *
dwarf_new(struct elf *e, struct elf *alt)
{
	struct dwarf *d = mem_zero(1, sizeof *d);

	d->elf = e;
	d->alt_elf = alt;
	if (!dwarf_bytes(d, DWARF_INFO).n) {
		free(d);
		return NULL;
	}
	/* Tables of an honest file do not overlap, so each byte is read about
	 * once; the first ones again for the first entries. */
	d->abbrev_budget = 4 * (uint64_t)dwarf_bytes(d, DWARF_ABBREV).n + 4096;
	read_units(d);
	return d;
}

void
dwarf_free(struct dwarf *d)
{
	if (!d)
		return;
	dwarf_free(d->alt);
	dwarf_tables_release(d);
	for (size_t i = 0; i < d->unit_n; i++)
		dwarf_contexts_free(d->units[i].contexts);
	free(d->units);
	free(d);
}

struct dwarf *
dwarf_alt(struct dwarf *d)
{
	if (!d->alt && d->alt_elf) {
		d->alt = dwarf_new(d->alt_elf, NULL);
		d->alt_elf = NULL;
	}
	return d->alt;
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

/* Without them, the tables begin after the headers of their sections. */
static void
set_default_bases(struct dwarf_unit *u)
{
	if (u->version < 5)
		return;
	u->str_base = u->addr_base = u->offset_size == 8 ? 16 : 8;
	u->rnglists_base = u->offset_size == 8 ? 20 : 12;
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
			dwarf_form_read(u, b, step, v);
		}
	}
	bytes_skip(b, a->tail);
	return !b->bad && !a->broken;
}

bool
dwarf_entry(struct dwarf_unit *u, struct bytes *b, struct dwarf_entry *e)
{
	const struct dwarf_table *t = u->table ? u->table : dwarf_table(u);
	uint64_t code;

	e->has = 0;
	e->offset = u->end - bytes_left(b);
	e->abbrev = NULL;
	code = bytes_uleb(b);
	if (!code)
		return !b->bad;
	e->abbrev =
		t->dense && code <= t->n ? &t->abbrevs[code - 1] : dwarf_abbrev(t, code);
	return e->abbrev && read_values(u, b, t, e);
}

/* The bytes of U from OFFSET on. */
static struct bytes
unit_cursor(struct dwarf_unit *u, uint64_t offset)
{
	struct str info = dwarf_bytes(u->of, DWARF_INFO);

	return bytes_of(str_from(str_head(info, u->end), offset), u->of->elf->swap);
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
	t = dwarf_first_table(u, code);
	e->abbrev = t->n == 1 && t->abbrevs->code == code ? t->abbrevs
							  : dwarf_abbrev(t, code);
	if (!e->abbrev || !read_values(u, &b, t, e)) {
		e->has = 0;
		return false;
	}
	set_bases(u, e);
	return true;
}

struct dwarf_unit *
dwarf_unit_at(struct dwarf *d, uint64_t offset)
{
	size_t low = 0, high = d->unit_n, mid;
	struct dwarf_entry e;
	struct dwarf_unit *u;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (d->units[mid].end <= offset)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == d->unit_n || offset < d->units[low].die)
		return NULL;
	u = &d->units[low];
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
	*u = dwarf_unit_at(d, *offset);
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
