/* SPDX-License-Identifier: ISC */
/*
 * The units of a file (DWARF 5, section 7.5.1); see dwarf.h. A header leads to the next
 * one. In a large file each is in pages of its own, so they are read only when needed:
 * an index of addresses (dwarf-index.h) leads to a unit without the others.
 */
#include "dwarf-names.h"
#include "dwarf.h"
#include "mem.h"
#include "relocate.h"
#include "search.h"

/* Reads the header at B into U. Returns false for an unknown one. */
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

/* Reads the header of U, at U->offset, and finds the end of U. */
enum header { NO_HEADER, UNKNOWN_HEADER, GOOD_HEADER };

static enum header
read_unit(struct dwarf *d, struct dwarf_unit *u)
{
	struct bytes b = dwarf_cursor(d, DWARF_INFO, u->offset), header;
	const struct bytes start = b;
	uint64_t length = bytes_u32(&b);

	u->of = d;
	u->offset_size = 4;
	if (length == 0xffffffff) {
		u->offset_size = 8;
		length = bytes_u64(&b);
	} else if (length >= 0xfffffff0) {
		return NO_HEADER;
	}
	header = bytes_part(&b, length);
	if (b.bad)
		return NO_HEADER;
	u->end = u->offset + bytes_between(&start, &b);
	if (!read_header(&header, u))
		return UNKNOWN_HEADER;
	u->die = u->offset + bytes_between(&start, &header);
	return GOOD_HEADER;
}

/* The known unit at the place of U, or a new copy of U. */
static struct dwarf_unit *
keep(struct dwarf *d, const struct dwarf_unit *u)
{
	uint64_t *known = idmap_put(&d->known, u->offset, 0);
	struct dwarf_unit *unit = (struct dwarf_unit *)(uintptr_t)*known;

	if (!unit) {
		unit = arena_alloc(&d->arena, sizeof *unit);
		*unit = *u;
		unit->number = d->known.n - 1;
		*known = (uintptr_t)unit;
	}
	return unit;
}

struct dwarf_unit *
dwarf_unit_at(struct dwarf *d, uint64_t offset)
{
	struct dwarf_unit u = { .offset = offset };
	const uint64_t *known = idmap_find(&d->known, offset, 0);

	if (known)
		return (struct dwarf_unit *)(uintptr_t)*known;
	return read_unit(d, &u) == GOOD_HEADER ? keep(d, &u) : NULL;
}

/* Goes to the next header. Returns false behind the last one. */
static bool
walk_on(struct dwarf *d)
{
	struct dwarf_unit u = { .offset = d->walked_to };
	enum header header;

	if (d->walked_to >= dwarf_bytes(d, DWARF_INFO).n)
		return false;
	header = read_unit(d, &u);
	d->bad += header != GOOD_HEADER;
	d->walked_to = header == NO_HEADER ? UINT64_MAX : u.end;
	if (header != GOOD_HEADER)
		return true;
	*MEM_ADD(d->walked, d->walked_n, d->walked_cap) =
		(struct dwarf_walked){ u.offset, keep(d, &u) };
	return true;
}

void
dwarf_walk(struct dwarf *d)
{
	while (walk_on(d))
		;
}

struct dwarf_unit *
dwarf_unit_with(struct dwarf *d, uint64_t offset)
{
	struct dwarf_unit *u;
	size_t n;

	while (d->walked_to <= offset && walk_on(d))
		;
	n = search_upto(d->walked, d->walked_n, sizeof *d->walked, offset);
	u = n ? d->walked[n - 1].unit : NULL;
	return u && offset >= u->die && offset < u->end ? u : NULL;
}

/* Prepares D for its units. Frees D and returns NULL if there are none. */
static struct dwarf *
begin(struct dwarf *d)
{
	if (!dwarf_bytes(d, DWARF_INFO).n) {
		dwarf_free(d);
		return NULL;
	}
	/* Tables of valid files do not overlap, so each byte is read about once, and
	 * again for first entries. */
	d->abbrev_budget = 4 * (uint64_t)dwarf_bytes(d, DWARF_ABBREV).n + 4096;
	d->scan_budget = d->abbrev_budget;
	d->line_budget = UINT64_MAX;
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
	return begin(d);
}

struct dwarf *
dwarf_new_split(struct elf *e)
{
	struct dwarf *d = mem_zero(1, sizeof *d);

	d->elf = e;
	d->split = true;
	return begin(d);
}

static void
free_contexts(struct dwarf_contexts *c)
{
	if (!c)
		return;
	free(c->contexts);
	free(c->members);
	free(c);
}

void
dwarf_free(struct dwarf *d)
{
	struct dwarf_unit *u;
	size_t at = 0;

	if (!d)
		return;
	dwarf_free(d->alt);
	dwarf_abbrev_release(d);
	while ((u = idmap_next(&d->known, &at)))
		free_contexts(u->contexts);
	idmap_release(&d->known);
	free(d->walked);
	arena_release(&d->arena);
	buf_release(&d->joined);
	relocate_free(d->relocate);
	free(d);
}
