/* SPDX-License-Identifier: ISC */
/* Ranges of addresses; see dwarf.h. (DWARF 4, section 2.17; DWARF 5, section 7.25.) */
#include "dwarf.h"
#include "dwarf-names.h"

/* The highest address of U. */
static uint64_t
top(const struct dwarf_unit *u)
{
	return u->address_size == 8 ? UINT64_MAX
				    : (UINT64_C(1) << 8 * u->address_size) - 1;
}

bool
dwarf_is_dead(const struct dwarf_unit *u, uint64_t address)
{
	return address < 2 || address >= top(u) - 1;
}

/* Of the budget for entries of lists: that many as the sections can hold some
 * times over, since few are shared. */
static bool
spend(struct dwarf *d)
{
	if (!d->range_counted) {
		d->range_budget = 4 *
				((uint64_t)dwarf_bytes(d, DWARF_RANGES).n +
					dwarf_bytes(d, DWARF_RNGLISTS).n) +
			1;
		d->range_counted = true;
	}
	if (!d->range_budget)
		return false;
	d->range_budget--;
	return true;
}

static void
set_base(struct dwarf_ranges *r, uint64_t base)
{
	r->base = base;
	/* A base of 0 is real: lists of whole addresses begin with it. */
	r->dead = base >= top(r->unit) - 1;
}

bool
dwarf_ranges_spent(const struct dwarf *d)
{
	return d->range_counted && !d->range_budget;
}

/* Goes to the list at OFFSET of .debug_rnglists, or the one of index OFFSET. */
static void
begin_list(struct dwarf_ranges *r, const struct dwarf_value *v)
{
	struct dwarf_unit *u = r->unit;
	struct bytes table;
	uint64_t offset;

	r->list = true;
	set_base(r, u->base);
	if (u->version < 5) {
		r->at = dwarf_cursor(u->of, DWARF_RANGES, v->u);
		return;
	}
	offset = v->u;
	if (v->form == DWARF_FORM_RNGLISTX) {
		table = dwarf_cursor(u->of, DWARF_RNGLISTS, u->rnglists_base);
		r->list = offset < bytes_left(&table) / u->offset_size;
		bytes_skip(&table, offset * u->offset_size);
		offset = bytes_uint(&table, u->offset_size) + u->rnglists_base;
		r->list = r->list && offset >= u->rnglists_base;
	}
	r->at = dwarf_cursor(u->of, DWARF_RNGLISTS, offset);
}

/* The range from low_pc to high_pc, which counts from there when it is a
 * constant. */
static void
begin_pair(struct dwarf_ranges *r, const struct dwarf_entry *e)
{
	const struct dwarf_value *high = &e->value[DWARF_HIGH_PC];
	uint64_t size;

	if (!dwarf_has(e, DWARF_LOW_PC) || !dwarf_has(e, DWARF_HIGH_PC) ||
		!dwarf_address(r->unit, &e->value[DWARF_LOW_PC], &r->start))
		return;
	if (dwarf_address(r->unit, high, &r->end)) {
		r->pair = true;
	} else if (dwarf_constant(high, &size)) {
		r->pair = true;
		r->end = r->start + size;
	}
}

void
dwarf_ranges_begin(
	struct dwarf_ranges *r, struct dwarf_unit *u, const struct dwarf_entry *e)
{
	*r = (struct dwarf_ranges){ .unit = u };
	if (dwarf_has(e, DWARF_RANGE_LIST))
		begin_list(r, &e->value[DWARF_RANGE_LIST]);
	else
		begin_pair(r, e);
}

/* Sets the range to an OFFSET and END from the base; with a dead base to
 * nothing. */
static void
set_from_base(struct dwarf_ranges *r, uint64_t offset, uint64_t end)
{
	r->start = r->dead ? 0 : (r->base + offset) & top(r->unit);
	r->end = r->dead ? 0 : (r->base + end) & top(r->unit);
}

/* Reads one entry of .debug_ranges; false at the end. A base is an empty range. */
static bool
read_old(struct dwarf_ranges *r)
{
	uint8_t size = r->unit->address_size;
	uint64_t start = bytes_uint(&r->at, size), end = bytes_uint(&r->at, size);

	if (r->at.bad || (!start && !end))
		return false;
	if (start == top(r->unit)) {
		set_base(r, end);
		r->start = r->end = 0;
	} else {
		set_from_base(r, start, end);
	}
	return true;
}

/* Address I of .debug_addr, 0 when there is none. */
static uint64_t
indexed(struct dwarf_ranges *r, uint64_t i)
{
	uint64_t address = 0;

	return dwarf_indexed_address(r->unit, i, &address) ? address : 0;
}

/* Reads one entry of .debug_rnglists; false at the end. */
static bool
read_new(struct dwarf_ranges *r)
{
	struct bytes *b = &r->at;
	uint8_t size = r->unit->address_size;
	uint64_t offset;

	r->start = r->end = 0;
	switch (bytes_u8(b)) {
	case DWARF_RLE_BASE_ADDRESSX: set_base(r, indexed(r, bytes_uleb(b))); break;
	case DWARF_RLE_BASE_ADDRESS: set_base(r, bytes_uint(b, size)); break;
	case DWARF_RLE_STARTX_ENDX:
		r->start = indexed(r, bytes_uleb(b));
		r->end = indexed(r, bytes_uleb(b));
		break;
	case DWARF_RLE_STARTX_LENGTH:
		r->start = indexed(r, bytes_uleb(b));
		r->end = r->start + bytes_uleb(b);
		break;
	case DWARF_RLE_OFFSET_PAIR:
		offset = bytes_uleb(b);
		set_from_base(r, offset, bytes_uleb(b));
		break;
	case DWARF_RLE_START_END:
		r->start = bytes_uint(b, size);
		r->end = bytes_uint(b, size);
		break;
	case DWARF_RLE_START_LENGTH:
		r->start = bytes_uint(b, size);
		r->end = r->start + bytes_uleb(b);
		break;
	default: return false;
	}
	return !b->bad;
}

/* Takes the pair, or the next entry of the list. */
static bool
take(struct dwarf_ranges *r)
{
	if (r->list)
		return spend(r->unit->of) &&
			(r->unit->version < 5 ? read_old(r) : read_new(r));
	if (!r->pair)
		return false;
	r->pair = false;
	return true;
}

bool
dwarf_ranges_next(struct dwarf_ranges *r, uint64_t *start, uint64_t *end)
{
	while (take(r)) {
		if (r->start >= r->end || dwarf_is_dead(r->unit, r->start))
			continue;
		*start = r->start;
		*end = r->end;
		return true;
	}
	return false;
}
