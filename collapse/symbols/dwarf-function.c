/* SPDX-License-Identifier: ISC */
/*
 * A function in DWARF: the ranges of its code (DWARF 4, section 2.17; DWARF 5,
 * section 7.25), and, without a linkage name, its enclosing scopes: members of local classes,
 * lambdas, templates of local types. See dwarf.h.
 */
#include "dwarf-names.h"
#include "dwarf.h"
#include "mem.h"
#include "search.h"

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

/* The file with the range lists of U: before DWARF 5, a split unit's are in the linked
 * file. */
static struct dwarf *
lists_of(const struct dwarf_unit *u)
{
	return u->skeleton && u->version < 5 ? u->skeleton->of : u->of;
}

/* Spends one of the budget for list entries: four times as many as the sections can
 * hold, as few are shared. */
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
	/* A base of 0 is valid: lists of whole addresses begin with it. */
	r->dead = base >= top(r->unit) - 1;
}

bool
dwarf_ranges_spent(const struct dwarf_unit *u)
{
	const struct dwarf *d = lists_of(u);

	return d->range_counted && !d->range_budget;
}

/* Goes to the list at the offset V, or with the index V, of .debug_rnglists. */
static void
begin_list(struct dwarf_ranges *r, const struct dwarf_value *v)
{
	struct dwarf_unit *u = r->unit;
	struct bytes table;
	uint64_t offset;

	r->list = true;
	set_base(r, u->base);
	if (u->version < 5) {
		r->at = dwarf_cursor(lists_of(u), DWARF_RANGES, v->u + u->ranges_base);
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

/* Sets the range from low_pc to high_pc, which is relative to low_pc if it is a
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

/* Sets the range from OFFSET to END, relative to the base, or to nothing if the base is
 * dead. */
static void
set_from_base(struct dwarf_ranges *r, uint64_t offset, uint64_t end)
{
	r->start = r->dead ? 0 : (r->base + offset) & top(r->unit);
	r->end = r->dead ? 0 : (r->base + end) & top(r->unit);
}

/* Reads one entry of .debug_ranges. Returns false at the end. A base yields an empty
 * range. */
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

/* Address I of .debug_addr, or 0. */
static uint64_t
indexed(struct dwarf_ranges *r, uint64_t i)
{
	uint64_t address = 0;

	return dwarf_indexed_address(r->unit, i, &address) ? address : 0;
}

/* Reads one entry of .debug_rnglists. Returns false at the end. */
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

/* Reads the pair, or the next entry of the list. */
static bool
read_next(struct dwarf_ranges *r)
{
	if (r->list)
		return spend(lists_of(r->unit)) &&
			(r->unit->version < 5 ? read_old(r) : read_new(r));
	if (!r->pair)
		return false;
	r->pair = false;
	return true;
}

bool
dwarf_ranges_next(struct dwarf_ranges *r, uint64_t *start, uint64_t *end)
{
	while (read_next(r)) {
		if (r->start >= r->end || dwarf_is_dead(r->unit, r->start))
			continue;
		*start = r->start;
		*end = r->end;
		return true;
	}
	return false;
}

/*
 * Scopes of functions. Entries do not name theirs, so all entries of a unit are read
 * again for the first name without a linkage name.
 */

/* Functions that are nested deeper, or have longer names, keep their plain names. */
enum { DEPTH = 512, LEVELS = 32, LONGEST = 1 << 16 };

#define NONE UINT32_MAX

static bool
is_qualifying(uint16_t language)
{
	switch (language) {
	case 0: /* in a unit made by dwz */
	case DWARF_LANG_C_PLUS_PLUS:
	case DWARF_LANG_C_PLUS_PLUS_03:
	case DWARF_LANG_C_PLUS_PLUS_11:
	case DWARF_LANG_C_PLUS_PLUS_14:
	case DWARF_LANG_C_PLUS_PLUS_17:
	case DWARF_LANG_C_PLUS_PLUS_20:
	case DWARF_LANG_RUST: return true;
	default: return false;
	}
}

/* The scope of the children of E, which is in PARENT. */
static uint32_t
enter(struct dwarf_contexts *c, const struct dwarf_entry *e, uint32_t parent)
{
	struct dwarf_context new = { .parent = parent, .tag = e->abbrev->tag };

	switch (e->abbrev->tag) {
	case DWARF_TAG_NAMESPACE:
	case DWARF_TAG_CLASS_TYPE:
	case DWARF_TAG_STRUCTURE_TYPE:
	case DWARF_TAG_UNION_TYPE:
	case DWARF_TAG_ENUMERATION_TYPE: break;
	case DWARF_TAG_SUBPROGRAM:
		if (dwarf_has(e, DWARF_NAME))
			break;
		return parent;
	default: return parent;
	}
	new.named = dwarf_has(e, DWARF_NAME);
	if (new.named)
		new.name = e->value[DWARF_NAME];
	if (c->n >= NONE)
		return NONE;
	*MEM_ADD(c->contexts, c->n, c->cap) = new;
	return (uint32_t)(c->n - 1);
}

static void
add_member(struct dwarf_contexts *c, const struct dwarf_entry *e, uint32_t context)
{
	if (context == NONE || e->abbrev->tag != DWARF_TAG_SUBPROGRAM ||
		!dwarf_has(e, DWARF_NAME) || dwarf_has(e, DWARF_LINKAGE_NAME))
		return;
	*MEM_ADD(c->members, c->member_n, c->member_cap) =
		(struct dwarf_member){ e->offset, context };
}

/* Reads the entries of U, up to damaged ones. */
static struct dwarf_contexts *
read_contexts(struct dwarf_unit *u)
{
	struct dwarf_contexts *c = mem_zero(1, sizeof *c);
	struct bytes b = dwarf_cursor(u->of, DWARF_INFO, u->die);
	uint32_t within[DEPTH] = { NONE };
	struct dwarf_entry e;
	size_t depth = 0;

	bytes_cut(&b, u->end - u->die);
	while (bytes_left(&b) && dwarf_entry(u, &b, &e)) {
		if (e.abbrev) {
			add_member(c, &e, within[depth]);
			if (!e.abbrev->children)
				continue;
			if (depth + 1 == DEPTH)
				break;
			within[depth + 1] = enter(c, &e, within[depth]);
			depth++;
		} else if (depth) {
			depth--;
		}
		if (!depth)
			break;
	}
	return c;
}

/* The scope of the entry at OFFSET of U, or NONE. */
static uint32_t
find_context(struct dwarf_unit *u, uint64_t offset)
{
	const struct dwarf_contexts *c;
	size_t n;

	if (!u->contexts)
		u->contexts = read_contexts(u);
	c = u->contexts;
	n = search_upto(c->members, c->member_n, sizeof *c->members, offset);
	return n && c->members[n - 1].entry == offset ? c->members[n - 1].context : NONE;
}

/* The text of C in front of INNER. */
static struct str
context_name(struct dwarf_unit *u, const struct dwarf_context *c, struct str inner)
{
	struct str name = { 0 };

	if (c->named)
		name = dwarf_text(u, &c->name);
	if (name.n)
		return name;
	if (c->tag == DWARF_TAG_NAMESPACE)
		return STR("(anonymous namespace)");
	return str_eq(inner, STR("operator()")) ? STR("{lambda}") : STR("{unnamed}");
}

bool
dwarf_qualify(const struct dwarf_name *name, struct buf *b)
{
	struct str levels[LEVELS], inner = name->text;
	const struct dwarf_context *c;
	size_t n = 0, size = inner.n;
	uint32_t i;

	if (!name->plain || !name->text.n || !is_qualifying(name->unit->language))
		return false;
	i = find_context(name->unit, name->entry);
	for (; i != NONE && n < LEVELS; i = c->parent) {
		c = &name->unit->contexts->contexts[i];
		inner = levels[n++] = context_name(name->unit, c, inner);
		size += inner.n;
	}
	if (!n || i != NONE || size > LONGEST)
		return false;
	while (n) {
		buf_str(b, levels[--n]);
		buf_str(b, STR("::"));
	}
	buf_str(b, name->text);
	return true;
}
