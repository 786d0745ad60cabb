/* SPDX-License-Identifier: ISC */
/*
 * The origins of all names of a tree; see origin.h. What a name alone leaves open is
 * decided by its namesakes: C++ or Rust by the others of its namespace, dots by
 * whether there is any Go, and the kernel's plain names by where they are called.
 */
#include "origin.h"
#include "label.h"
#include "mem.h"

/* What the names of a namespace are, as far as they tell. */
struct vote {
	uint32_t rust, cxx;
	uint32_t capitals; /* of functions, which in Rust have none */
};

struct census {
	struct intern spaces;
	struct vote *votes; /* by namespace */
	size_t cap;
	struct vote all;
	bool has_go;
};

static bool
is_identifier(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || str_is_digit(c) ||
		c == '_';
}

struct str
origin_namespace(struct str symbol)
{
	size_t end = str_search(symbol, STR("::")), begin;

	if (end == symbol.n)
		return STR("");
	for (begin = end; begin > 0 && is_identifier(symbol.s[begin - 1]);)
		begin--;
	return (struct str){ symbol.s + begin, end - begin };
}

/* Whether the function, the last part of SYMBOL, has a capital. A name that is cut
 * short may end in a type, so that this says little. */
static bool
has_capital(struct str symbol)
{
	size_t i = str_search(symbol, STR("<")), next;

	symbol = str_head(symbol, i);
	while ((next = str_search(symbol, STR("::"))) < symbol.n)
		symbol = str_from(symbol, next + 2);
	for (i = 0; i < symbol.n; i++)
		if (symbol.s[i] >= 'A' && symbol.s[i] <= 'Z')
			return true;
	return false;
}

static struct vote *
vote_of(struct census *c, struct str symbol)
{
	uint32_t n = c->spaces.n, id = intern_id(&c->spaces, origin_namespace(symbol));

	if (c->spaces.n > n) {
		c->votes = mem_grow(c->votes, &c->cap, c->spaces.n, sizeof *c->votes);
		c->votes[id] = (struct vote){ 0 };
	}
	return &c->votes[id];
}

static void
count_vote(struct census *c, struct str name, unsigned sign)
{
	struct str symbol = origin_symbol(name);
	bool rust = sign == ORIGIN_RUST, cxx = sign == ORIGIN_CXX;
	struct vote *vote;

	c->has_go |= sign == ORIGIN_GO;
	if (!rust && !cxx && sign != ORIGIN_SIGN_PATH)
		return;
	vote = vote_of(c, symbol);
	vote->rust += rust;
	vote->cxx += cxx;
	vote->capitals += sign == ORIGIN_SIGN_PATH && has_capital(symbol);
	c->all.rust += rust;
	c->all.cxx += cxx;
}

/* Of "a::b", which both languages write: as its namespace, else as all, if these
 * agree, else by capitals. */
static enum origin
path_origin(struct census *c, struct str symbol)
{
	struct vote vote = *vote_of(c, symbol);

	if (vote.rust != vote.cxx)
		return vote.rust > vote.cxx ? ORIGIN_RUST : ORIGIN_CXX;
	if (c->all.rust && c->all.cxx && vote.capitals)
		return ORIGIN_CXX;
	return c->all.rust > c->all.cxx ? ORIGIN_RUST : ORIGIN_CXX;
}

/* The kind that an open SIGN of NAME stands for among the names of C. */
static enum origin
settle(struct census *c, struct str name, unsigned sign)
{
	if (sign == ORIGIN_SIGN_PATH)
		return path_origin(c, origin_symbol(name));
	return c->has_go ? ORIGIN_GO : ORIGIN_SCRIPT;
}

/* The weight of names, in all and within the kernel: shares of 2^31, so that sums
 * are exact and do not depend on the order of the stacks. */
struct place {
	uint64_t all, inside;
};

/* Marks the nodes that are called, however far down, by a frame that enters the
 * kernel. When the stacks are REVERSED the callers are below, and a mark says that
 * such a frame is among these. */
static void
mark_inside(const struct origin_how *how, const struct tree *t, const bool *entry,
	uint64_t *inside)
{
	uint32_t i, parent;

	for (i = TREE_ROOT + 1; i < t->n && !how->reversed; i++) {
		parent = t->nodes[i].parent;
		if (parent != TREE_ROOT && t->nodes[parent].name != TREE_GAP &&
			(inside[parent] || entry[t->nodes[parent].name]))
			inside[i] = how->totals[i];
	}
	for (i = t->n; i-- > TREE_ROOT + 1 && how->reversed;) {
		parent = t->nodes[i].parent;
		if (t->nodes[i].name == TREE_GAP)
			continue;
		inside[parent] += entry[t->nodes[i].name] ? how->totals[i] : inside[i];
	}
}

static struct place *
weigh_names(const struct origin_how *how, const struct tree *t, const bool *entry)
{
	struct place *places = mem_zero(t->names.n, sizeof *places);
	uint64_t *inside = mem_zero(t->n, sizeof *inside);
	double share = 2147483648.0 / ((double)how->totals[TREE_ROOT] + 1);
	struct place *place;
	uint32_t i;

	mark_inside(how, t, entry, inside);
	for (i = TREE_ROOT + 1; i < t->n; i++) {
		if (t->nodes[i].name == TREE_GAP)
			continue;
		place = &places[t->nodes[i].name];
		place->all += (uint64_t)((double)how->totals[i] * share);
		place->inside += (uint64_t)((double)inside[i] * share);
	}
	free(inside);
	return places;
}

/* Makes the plain names kernel that are mostly called in it. */
static void
find_kernel(const struct origin_how *how, const struct tree *t, unsigned char *origins)
{
	bool *entry = mem_zero(t->names.n, sizeof *entry), any = false;
	struct place *places;
	uint32_t i;

	for (i = 0; i < t->names.n; i++) {
		entry[i] = origins[i] == ORIGIN_KERNEL &&
			origin_enters_kernel(origin_symbol(intern_str(&t->names, i)));
		any |= entry[i];
	}
	if (any) {
		places = weigh_names(how, t, entry);
		for (i = 0; i < t->names.n; i++)
			if (origins[i] == ORIGIN_NATIVE &&
				places[i].inside > places[i].all / 2)
				origins[i] = ORIGIN_KERNEL;
		free(places);
	}
	free(entry);
}

/* NAME without the mark of an inlined function. */
static struct str
not_inlined(struct str name)
{
	return label_annotation(name) == 'i' ? label_bare(name) : name;
}

unsigned char *
origin_of_names(const struct origin_how *how, const struct tree *t)
{
	unsigned char *origins = mem_zero(t->names.n, sizeof *origins);
	struct census c = { 0 };
	struct str name;
	uint32_t i;

	for (i = 0; i < t->names.n; i++) {
		name = not_inlined(intern_str(&t->names, i));
		origins[i] = (unsigned char)origin_sign(name);
		count_vote(&c, name, origins[i]);
	}
	for (i = 0; i < t->names.n; i++) {
		name = intern_str(&t->names, i);
		if (how->inlined_apart && label_annotation(name) == 'i')
			origins[i] = ORIGIN_INLINED;
		else if (origins[i] >= ORIGINS)
			origins[i] = (unsigned char)settle(&c, name, origins[i]);
	}
	find_kernel(how, t, origins);
	intern_release(&c.spaces);
	free(c.votes);
	return origins;
}
