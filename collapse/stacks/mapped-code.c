/* SPDX-License-Identifier: ISC */
/* Turns addresses of a process into frames; see mapped-code.h. */
#include "mapped-code.h"
#include "mem.h"
#include "search.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* More variables than any list has. */
enum { WORDS = 64 };

void
mapped_code_init(struct mapped_code *m, struct collapse *c, struct input *in)
{
	*m = (struct mapped_code){ .n = 0 };
	libraries_init(&m->libraries, c, in);
}

void
mapped_code_release(struct mapped_code *m)
{
	libraries_release(&m->libraries);
	arena_release(&m->arena);
	free(m->ranges);
	free(m->words);
	free(m->known);
	cache_release(&m->seen);
}

void
mapped_code_clear(struct mapped_code *m)
{
	m->n = 0;
}

void
mapped_code_map(struct mapped_code *m, struct mapped_code_range range, struct str path,
	struct str id)
{
	struct library about = { .path = path, .name = str_base(path), .code_id = id };

	range.library = path.n ? libraries_add(&m->libraries, &about) : -1;
	*MEM_ADD(m->ranges, m->n, m->cap) = range;
	m->sorted = false;
}

/* Cuts a hexadecimal number, maybe with "0x", off *REST, with the blanks before it. */
static bool
cut_hex(struct str *rest, uint64_t *value)
{
	struct str digits = *rest;
	size_t n = 0;

	while (digits.n && str_is_blank(digits.s[0]))
		digits = str_from(digits, 1);
	if (str_starts(digits, STR("0x")))
		digits = str_from(digits, 2);
	while (n < digits.n && str_is_hex(digits.s[n]))
		n++;
	*rest = str_from(digits, n);
	return str_hex_to_u64(str_head(digits, n), value);
}

/* Whether WORD is like "r-xp". */
static bool
is_permissions(struct str word)
{
	size_t i;

	for (i = 0; i < word.n; i++)
		if (!memchr("-rwxps", word.s[i], 6))
			return false;
	return word.n >= 3;
}

/* Keeps "build=/opt/demo"; later paths may begin with $build. */
static bool
parse_variable(struct mapped_code *m, struct str line)
{
	struct str rest = line, name = str_trim(str_cut(&rest, '='));

	if (!name.n || name.n == str_trim(line).n || m->word_n == WORDS ||
		str_find(name, ' ') < name.n)
		return false;
	m->words = mem_grow(m->words, &m->word_cap, m->word_n + 1, sizeof *m->words);
	m->words[m->word_n][0] = arena_str(&m->arena, name);
	m->words[m->word_n++][1] = arena_str(&m->arena, str_trim(rest));
	return true;
}

/* PATH with a variable at its start expanded, in ROOM. */
static struct str
expand(const struct mapped_code *m, struct str path, struct buf *room)
{
	struct str name = str_head(path, str_find(path, '/'));
	size_t i;

	for (i = m->word_n; i > 0 && str_starts(path, STR("$")); i--)
		if (str_eq(m->words[i - 1][0], str_from(name, 1))) {
			buf_str(room, m->words[i - 1][1]);
			buf_str(room, str_from(path, name.n));
			return buf_view(room);
		}
	return path;
}

/* Cuts "(@1000) 1a2b3c", an offset and a build ID, off the end of PATH. */
static void
cut_brief(struct str *path, uint64_t *offset, struct str *id)
{
	size_t mark = str_search(*path, STR(" (@"));
	struct str rest = str_from(*path, mark + 3);

	if (mark == path->n || !cut_hex(&rest, offset) || !str_starts(rest, STR(")")))
		return;
	*id = str_trim(str_from(rest, 1));
	*path = str_trim(str_head(*path, mark));
}

/* Cuts the fields before the path in maps off *REST. Returns false if the range is not
 * code. */
static bool
cut_maps(struct str *rest, uint64_t *offset)
{
	struct str mode = str_word(rest);

	/* Offset, device, inode. */
	if (!cut_hex(rest, offset))
		return false;
	(void)str_word(rest);
	(void)str_word(rest);
	return str_find(mode, 'x') < mode.n;
}

bool
mapped_code_take_line(struct mapped_code *m, struct str line)
{
	struct mapped_code_range range = { .offset = 0 };
	struct str rest = line, id = { 0 }, mode;
	struct buf room = { 0 };
	bool code = true;

	if (!cut_hex(&rest, &range.start) || !str_starts(rest, STR("-")) ||
		(rest = str_from(rest, 1), !cut_hex(&rest, &range.end)) ||
		(rest.n && !str_is_blank(rest.s[0]) && rest.s[0] != ':'))
		return parse_variable(m, line);
	if (str_starts(rest, STR(":")))
		rest = str_from(rest, 1);
	mode = rest;
	if (is_permissions(str_word(&mode)))
		code = cut_maps(&rest, &range.offset);
	rest = str_trim(rest);
	cut_brief(&rest, &range.offset, &id);
	if (code && rest.n)
		mapped_code_map(m, range, expand(m, rest, &room), id);
	buf_release(&room);
	return true;
}

static int
by_start(const void *a, const void *b)
{
	const struct mapped_code_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

struct library_place
mapped_code_find(struct mapped_code *m, uint64_t address)
{
	const struct mapped_code_range *r;
	size_t n;

	if (!m->sorted && m->n)
		qsort(m->ranges, m->n, sizeof *m->ranges, by_start);
	m->sorted = true;
	n = search_upto(m->ranges, m->n, sizeof *m->ranges, address);
	r = n ? &m->ranges[n - 1] : NULL;
	if (!r || address >= r->end)
		return (struct library_place){ .lib = -1, .address = address };
	return (struct library_place){
		.lib = r->library,
		.address = address - r->start + r->offset,
		.absolute = m->by_address,
		.in_file = !m->by_address,
	};
}

void
mapped_code_tell(struct mapped_code *m, const struct mapped_code_known *k)
{
	struct str_digest key = cache_key(0, k->address);

	/* The first name of an address counts; most are repetitions. */
	if (cache_find(&m->seen, key) != CACHE_NONE)
		return;
	cache_add(&m->seen, key, 0);
	m->known = mem_grow(m->known, &m->known_cap, m->known_n + 1, sizeof *m->known);
	m->known[m->known_n] =
		(struct mapped_code_known){ k->address, arena_str(&m->arena, k->name),
			arena_str(&m->arena, k->place), m->known_n };
	m->known_n++;
	m->known_sorted = false;
}

bool
mapped_code_tell_java(struct mapped_code *m, struct str line)
{
	struct mapped_code_known k = { .address = 0 };
	struct str rest = str_trim(line);
	size_t bracket;

	if (!str_starts(rest, STR("0x")) || !cut_hex(&rest, &k.address) || !rest.n ||
		!str_is_blank(rest.s[0]))
		return false;
	k.name = str_trim(rest);
	bracket = str_rfind(k.name, '(');
	if (str_search(k.name, STR("generated stub/JIT")) < k.name.n) {
		k.name = STR("STUB");
	} else if (str_ends(k.name, STR(")")) && bracket > 0 &&
		str_is_blank(k.name.s[bracket - 1])) {
		/* A file and a line, or a library. */
		k.place = str_from(k.name, bracket + 1);
		k.place.n--;
		k.name = str_trim(str_head(k.name, bracket));
		if (str_find(k.place, ':') == k.place.n)
			k.place.n = 0;
	}
	mapped_code_tell(m, &k);
	return true;
}

/* By address; equal ones in input order. */
static int
by_address(const void *a, const void *b)
{
	const struct mapped_code_known *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Sorts known names, and keeps the first of each address. */
static void
sort_known(struct mapped_code *m)
{
	size_t i, n = 0;

	if (m->known_sorted || !m->known_n)
		return;
	qsort(m->known, m->known_n, sizeof *m->known, by_address);
	for (i = 0; i < m->known_n; i++)
		if (!n || m->known[n - 1].address != m->known[i].address)
			m->known[n++] = m->known[i];
	m->known_n = n;
	m->known_sorted = true;
}

/* The profile's own name for ADDRESS; NULL without. */
static const struct mapped_code_known *
find_known(struct mapped_code *m, uint64_t address)
{
	size_t n;

	sort_known(m);
	n = search_upto(m->known, m->known_n, sizeof *m->known, address);
	return n && m->known[n - 1].address == address ? &m->known[n - 1] : NULL;
}

void
mapped_code_name_place(struct mapped_code *m, struct library_place place, uint64_t shown,
	struct frame_names *out)
{
	struct frame_names *stack = &m->libraries.stack;
	char text[17];
	size_t i;

	snprintf(text, sizeof text, "%" PRIx64, shown);
	place.shown = str_of(text);
	stack->n = 0;
	libraries_name(&m->libraries, &place);
	for (i = 0; i < stack->n; i++)
		frame_names_push(out, stack->ids[i]);
}

void
mapped_code_name(struct mapped_code *m, uint64_t address, struct frame_names *out)
{
	const struct mapped_code_known *k = find_known(m, address);
	struct frame_names_symbol s = { .inlined = false };

	if (!k) {
		mapped_code_name_place(m, mapped_code_find(m, address), address, out);
		return;
	}
	s.name = k->name;
	if (collapse_options(out->c)->srcline)
		s.srcline = k->place;
	frame_names_add(out, &s);
}
