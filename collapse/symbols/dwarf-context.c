/* SPDX-License-Identifier: ISC */
/*
 * What functions without a linkage name are in: members of local classes, lambdas,
 * templates of local types. See dwarf.h.
 *
 * An entry does not say what it is in, so all entries of a unit are read once
 * more when the first such name is asked for.
 */
#include "dwarf.h"
#include "dwarf-names.h"
#include "mem.h"

/* What is nested deeper, or written longer, keeps its plain name. */
enum { DEPTH = 512, LEVELS = 32, LONGEST = 1 << 16 };

#define NONE UINT32_MAX

/* A namespace, a class or a function. */
struct context {
	struct dwarf_value name;
	uint32_t parent;
	uint16_t tag;
	bool named;
};

/* A function with a plain name. */
struct member {
	uint64_t entry;
	uint32_t context;
};

struct dwarf_contexts {
	struct context *contexts;
	struct member *members; /* by entry, as in the file */
	size_t n, cap, member_n, member_cap;
};

void
dwarf_contexts_free(struct dwarf_contexts *c)
{
	if (!c)
		return;
	free(c->contexts);
	free(c->members);
	free(c);
}

static bool
is_qualifying(uint16_t language)
{
	switch (language) {
	case 0: /* of a unit that dwz made */
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

/* What the children of E, which is in PARENT, are in. */
static uint32_t
enter(struct dwarf_contexts *c, const struct dwarf_entry *e, uint32_t parent)
{
	struct context new = { .parent = parent, .tag = e->abbrev->tag };

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
	c->contexts = mem_grow(c->contexts, &c->cap, c->n + 1, sizeof *c->contexts);
	c->contexts[c->n++] = new;
	return (uint32_t)(c->n - 1);
}

static void
add_member(struct dwarf_contexts *c, const struct dwarf_entry *e, uint32_t context)
{
	if (context == NONE || e->abbrev->tag != DWARF_TAG_SUBPROGRAM ||
		!dwarf_has(e, DWARF_NAME) || dwarf_has(e, DWARF_LINKAGE_NAME))
		return;
	c->members =
		mem_grow(c->members, &c->member_cap, c->member_n + 1, sizeof *c->members);
	c->members[c->member_n++] = (struct member){ e->offset, context };
}

/* Reads the entries of U as far as they can be read. */
static struct dwarf_contexts *
read_contexts(struct dwarf_unit *u)
{
	struct dwarf_contexts *c = mem_zero(1, sizeof *c);
	struct bytes b = dwarf_cursor(u->of, DWARF_INFO, u->die);
	uint32_t within[DEPTH] = { NONE };
	struct dwarf_entry e;
	size_t depth = 0;

	b.end = b.at + (u->end - u->die);
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

/* What the entry at OFFSET of U is in, or NONE. */
static uint32_t
find_context(struct dwarf_unit *u, uint64_t offset)
{
	const struct dwarf_contexts *c;
	size_t low = 0, high, mid;

	if (!u->contexts)
		u->contexts = read_contexts(u);
	c = u->contexts;
	high = c->member_n;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (c->members[mid].entry < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low < c->member_n && c->members[low].entry == offset
		? c->members[low].context
		: NONE;
}

/* How C is written in front of INNER. */
static struct str
context_name(struct dwarf_unit *u, const struct context *c, struct str inner)
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
	const struct context *c;
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
