/* SPDX-License-Identifier: ISC */
/*
 * Compares our index of inlined functions with a walk over all entries by
 * elfutils' libdw.
 *
 *	inlines FILE [COUNT]		compares at COUNT random addresses of its
 *					code, and where each function starts
 *	inlines -p FILE <ADDRESSES	prints our chains as addr2line -a -i -f does
 *
 * dwarf_getscopes is of no use for this: it loses levels of Rust programs. Here
 * the entries become a tree once, and a chain is a way down from a function by
 * entries whose ranges hold the address. Where there are several ways (two
 * functions folded to one place, siblings that overlap) any of them is right;
 * these are counted apart.
 */
#include "symbols/inlines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "buf.h"
#include "mem.h"
#include "symbols/relocate.h"
#include "search.h"

enum { CHAIN = 512, WAYS = 64, NONE = -1 };

struct span {
	uint64_t start, end;
};

/* A function or an inlined one. */
struct node {
	Dwarf_Die die;
	size_t span, span_n;
	long first, last, next; /* children, and what follows among them */
	uint64_t low, high;	/* of all spans */
};

struct forest {
	struct node *nodes;
	struct span *spans;
	size_t n, cap, span_n, span_cap;
	long first, last; /* functions */
};

struct callchain {
	const char *names[CHAIN];
	size_t n;
};

struct tally {
	size_t asked, none, inlined, deepest, same, several, differ;
};

static bool
is_dead(Dwarf_Addr a, uint64_t top)
{
	return a < 2 || a >= top - 1;
}

/* Adds a node for DIE below PARENT; NONE when it has no code. */
static long
add_node(struct forest *f, Dwarf_Die *die, long parent, uint64_t top)
{
	struct node node = { .die = *die, .span = f->span_n, NONE, NONE, NONE };
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;
	long *first, *last;

	node.first = node.last = node.next = NONE;
	node.low = UINT64_MAX;
	node.high = 0;
	while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0) {
		if (start >= end || is_dead(start, top))
			continue;
		f->spans =
			mem_grow(f->spans, &f->span_cap, f->span_n + 1, sizeof *f->spans);
		f->spans[f->span_n++] = (struct span){ start, end };
		node.low = start < node.low ? start : node.low;
		node.high = end > node.high ? end : node.high;
	}
	node.span_n = f->span_n - node.span;
	if (!node.span_n)
		return NONE;
	f->nodes = mem_grow(f->nodes, &f->cap, f->n + 1, sizeof *f->nodes);
	f->nodes[f->n] = node;
	first = parent == NONE ? &f->first : &f->nodes[parent].first;
	last = parent == NONE ? &f->last : &f->nodes[parent].last;
	if (*first == NONE)
		*first = (long)f->n;
	else
		f->nodes[*last].next = (long)f->n;
	*last = (long)f->n;
	return (long)f->n++;
}

static bool
is_dropped(Dwarf_Die *die, uint64_t top)
{
	Dwarf_Addr low;

	return !dwarf_hasattr(die, DW_AT_ranges) && dwarf_hasattr(die, DW_AT_low_pc) &&
		dwarf_lowpc(die, &low) == 0 && is_dead(low, top);
}

static void
add_children(struct forest *f, Dwarf_Die *parent, long within, uint64_t top)
{
	Dwarf_Die die;
	long inner;
	int tag, more;

	for (more = dwarf_child(parent, &die); more == 0;
		more = dwarf_siblingof(&die, &die)) {
		tag = dwarf_tag(&die);
		inner = within;
		if (tag == DW_TAG_subprogram) {
			if (is_dropped(&die, top))
				continue;
			inner = add_node(f, &die, NONE, top);
		} else if (tag == DW_TAG_inlined_subroutine && within != NONE) {
			inner = add_node(f, &die, within, top);
		}
		if (dwarf_haschildren(&die) > 0)
			add_children(f, &die, inner, top);
	}
}

static void
plant(struct forest *f, Dwarf *dw)
{
	Dwarf_Die root;
	Dwarf_CU *cu = NULL;
	uint8_t size, type;

	f->first = f->last = NONE;
	while (dwarf_get_units(dw, cu, &cu, NULL, &type, &root, NULL) == 0)
		if (dwarf_cu_die(cu, &root, NULL, NULL, &size, NULL, NULL, NULL))
			add_children(f, &root, NONE,
				size == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * size) - 1);
}

static const char *
name_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *name =
		dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));

	if (!name)
		name = dwarf_formstring(
			dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a));
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &a));
	return name ? name : "";
}

static bool
holds(const struct forest *f, const struct node *node, uint64_t address)
{
	if (address < node->low || address >= node->high)
		return false;
	for (size_t i = 0; i < node->span_n; i++)
		if (f->spans[node->span + i].start <= address &&
			address < f->spans[node->span + i].end)
			return true;
	return false;
}

/* Functions by where they may begin, to find those of an address soon. */
struct root {
	uint64_t low, high, reach;
	long node;
};

/* All ways down from the list FIRST, outermost first in WAY. */
struct search {
	const struct forest *f;
	const struct root *roots;
	size_t root_n;
	uint64_t address;
	struct callchain *ways;
	size_t n, depth;
	long way[CHAIN];
};

static void
descend(struct search *s, long first)
{
	struct callchain *c;
	bool any = false;
	long i;

	for (i = first; i != NONE && s->depth < CHAIN; i = s->f->nodes[i].next) {
		if (!holds(s->f, &s->f->nodes[i], s->address))
			continue;
		any = true;
		s->way[s->depth++] = i;
		descend(s, s->f->nodes[i].first);
		s->depth--;
	}
	if (any || !s->depth || s->n == WAYS)
		return;
	c = &s->ways[s->n++];
	c->n = s->depth;
	for (size_t k = 0; k < c->n; k++)
		c->names[k] = name_of(&s->f->nodes[s->way[s->depth - 1 - k]].die);
}

static int
by_low(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

static struct root *
list_roots(const struct forest *f, size_t *n)
{
	struct root *roots = NULL;
	size_t cap = 0, i;
	uint64_t reach = 0;
	const struct span *s;

	*n = 0;
	for (long node = f->first; node != NONE; node = f->nodes[node].next)
		for (i = 0; i < f->nodes[node].span_n; i++) {
			s = &f->spans[f->nodes[node].span + i];
			roots = mem_grow(roots, &cap, *n + 1, sizeof *roots);
			roots[(*n)++] = (struct root){ s->start, s->end, 0, node };
		}
	if (*n)
		qsort(roots, *n, sizeof *roots, by_low);
	for (i = 0; i < *n; i++) {
		reach = roots[i].high > reach ? roots[i].high : reach;
		roots[i].reach = reach;
	}
	return roots;
}

static void
search_all(struct search *s)
{
	const struct root *roots = s->roots;
	size_t low = search_upto(roots, s->root_n, sizeof *roots, s->address);

	s->n = s->depth = 0;
	for (; low && roots[low - 1].reach > s->address; low--) {
		if (roots[low - 1].high <= s->address)
			continue;
		s->way[0] = roots[low - 1].node;
		s->depth = 1;
		descend(s, s->f->nodes[s->way[0]].first);
		s->depth = 0;
	}
}

/* Whether OURS is THEIRS, or, where that is no linkage name, THEIRS in some scopes. */
static bool
is_same_name(struct str ours, struct str theirs)
{
	if (str_eq(ours, theirs))
		return true;
	return !str_starts(theirs, STR("_Z")) && !str_starts(theirs, STR("_R")) &&
		str_ends(ours, theirs) &&
		str_ends(str_head(ours, ours.n - theirs.n), STR("::"));
}

static bool
is_same(const struct inlines_frame *frames, size_t n, const struct callchain *c)
{
	size_t i;

	for (i = 0; i < n && i < c->n; i++)
		if (!is_same_name(frames[i].name, str_of(c->names[i])) ||
			frames[i].inlined != (i + 1 < n))
			return false;
	return n == c->n;
}

static void
print_difference(uint64_t address, const struct inlines_frame *frames, size_t n,
	const struct search *s)
{
	printf("differ at %#" PRIx64 "\n\tours:", address);
	for (size_t i = 0; i < n; i++)
		printf(" %.*s", (int)frames[i].name.n, frames[i].name.s);
	for (size_t w = 0; w < s->n; w++) {
		printf("\n\tlibdw:");
		for (size_t i = 0; i < s->ways[w].n; i++)
			printf(" %s", s->ways[w].names[i]);
	}
	putchar('\n');
}

static void
compare(struct tally *t, struct inlines *x, struct search *s, uint64_t address)
{
	static struct inlines_frame frames[CHAIN];
	size_t n = inlines_find(x, address, frames, CHAIN), i;

	t->asked++;
	t->none += n == 0;
	t->inlined += n > 1;
	t->deepest = n > t->deepest ? n : t->deepest;
	for (i = 0; i < s->n && !is_same(frames, n, &s->ways[i]);)
		i++;
	if (s->n > 1 && i < s->n) {
		t->several++;
	} else if (s->n ? i < s->n : n == 0) {
		t->same++;
	} else if (t->differ++ < 5) {
		print_difference(address, frames, n, s);
	}
}

/* The address of section K of E, an object's as ours has it; 0: it has no code. */
static uint64_t
address_of(const struct elf *e, const uint64_t *at, size_t k)
{
	if (!(e->sections[k].flags & ELF_FLAG_EXEC))
		return 0;
	if (e->type != ELF_REL)
		return e->sections[k].address;
	return at[k] == UINT64_MAX ? 0 : RELOCATE_BASE + at[k];
}

/* Compares at random addresses of the sections with code. */
static void
compare_random(struct tally *t, struct inlines *x, struct search *s, struct elf *e,
	uint64_t count)
{
	uint64_t *layout = mem_zero(e->section_n, sizeof *layout);
	uint64_t size = 0, at, seed = 1;
	size_t i, k;

	relocate_lay_out(e, layout);
	for (i = 0; i < e->section_n; i++)
		size += address_of(e, layout, i) ? e->sections[i].size : 0;
	for (i = 0; i < count && size; i++) {
		seed = seed * UINT64_C(6364136223846793005) +
			UINT64_C(1442695040888963407);
		at = (seed >> 16) % size;
		for (k = 0; k < e->section_n; k++) {
			if (!address_of(e, layout, k))
				continue;
			if (at < e->sections[k].size)
				break;
			at -= e->sections[k].size;
		}
		s->address = address_of(e, layout, k) + at;
		search_all(s);
		compare(t, x, s, s->address);
	}
	free(layout);
}

/* Opens the file that E of PATH points to, beside it, or NULL. */
static struct elf *
open_alt(struct elf *e, const char *path)
{
	struct str link, id, folder = { path, str_rfind(str_of(path), '/') };
	struct buf b = { 0 };
	struct elf *alt;
	const char *why;

	if (!inlines_alt_link(e, &link, &id))
		return NULL;
	if (link.s[0] != '/' && folder.n < strlen(path)) {
		buf_str(&b, folder);
		buf_char(&b, '/');
	}
	buf_str(&b, link);
	buf_char(&b, '\0');
	alt = elf_open(b.s, &why);
	if (!alt)
		printf("%s: %s\n", b.s, why);
	buf_release(&b);
	return alt;
}

/* Chains at addresses of stdin as "0xADDRESS", then a line for each name. */
static int
print_chains(struct inlines *x)
{
	static struct inlines_frame frames[CHAIN];
	uint64_t address;
	char line[64];
	size_t n, i;

	while (fgets(line, sizeof line, stdin)) {
		if (!str_hex_to_u64(str_trim(str_of(line)), &address))
			continue;
		printf("0x%016" PRIx64 "\n", address);
		n = inlines_find(x, address, frames, CHAIN);
		for (i = 0; i < n; i++)
			printf("%.*s\n", (int)frames[i].name.n, frames[i].name.s);
	}
	return 0;
}

static int
compare_all(const char *path, struct elf *e, struct inlines *x, uint64_t count)
{
	int fd = open(path, O_RDONLY);
	Dwarf *dw = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	struct forest forest = { 0 };
	struct search s = { .f = &forest };
	struct tally t = { 0 };
	struct root *roots;
	struct str first;
	size_t i;

	if (!dw) {
		printf("libdw cannot read it: %s\n", dwarf_errmsg(-1));
		return 1;
	}
	s.ways = mem_alloc(WAYS * sizeof *s.ways);
	plant(&forest, dw);
	s.roots = roots = list_roots(&forest, &s.root_n);
	for (i = 0; i < s.root_n; i++) {
		s.address = roots[i].low;
		search_all(&s);
		compare(&t, x, &s, s.address);
	}
	compare_random(&t, x, &s, e, count);
	free(s.ways);
	free(roots);
	free(forest.nodes);
	free(forest.spans);
	dwarf_end(dw);
	close(fd);
	printf("%zu functions and inlined ones; %zu addresses: %zu outside, %zu with inlined "
	       "ones, up to %zu; %zu the same, %zu one of several, %zu different; %zu units "
	       "missing, %zu bad\n",
		forest.n, t.asked, t.none, t.inlined, t.deepest, t.same, t.several,
		t.differ, inlines_missing(x, &first), inlines_bad(x));
	return t.differ != 0 || inlines_missing(x, &first) || inlines_bad(x) != 0;
}

int
main(int argc, char **argv)
{
	bool print = argc > 1 && strcmp(argv[1], "-p") == 0;
	const char *reference = argc > 3 ? argv[3] : argv[1];
	const char *path = argc > 1 + print ? argv[1 + print] : NULL, *why;
	uint64_t count = 20000;
	struct elf *e, *alt;
	struct inlines *x;
	int status;

	if (!path || (argc > 2 && !print && !str_to_u64(str_of(argv[2]), &count))) {
		fprintf(stderr, "usage: inlines [-p] FILE [COUNT [REFERENCE]]\n");
		return 2;
	}
	e = elf_open(path, &why);
	if (!e) {
		printf("%s: %s\n", path, why);
		return 2;
	}
	alt = open_alt(e, path);
	x = inlines_new(e, alt);
	if (!x) {
		printf("no DWARF\n");
		return 2;
	}
	inlines_beside(x, path);
	status = print ? print_chains(x) : compare_all(reference, e, x, count);
	inlines_free(x);
	if (alt)
		elf_close(alt);
	elf_close(e);
	return status;
}
