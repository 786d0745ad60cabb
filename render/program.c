/* SPDX-License-Identifier: ISC */
/* The files of programs; see program.h. */
#include "program.h"
#include "frame.h"

#include <string.h>

/* Larger gaps between symbols are not disassembled for one address. */
enum { GAP_MOST = 1 << 20 };

/* The program to find. */
struct wanted {
	struct program *p;
	struct str name; /* as in codes */
	struct str id;	 /* the build id in hexadecimal digits, or a prefix of it */
};

/* Whether the build id of E begins with ID, as far as both are known. */
static bool
has_id(const struct elf *e, struct str id)
{
	struct buf b = { 0 };
	bool same;

	buf_hex(&b, e->build_id);
	same = !b.n || str_starts(buf_view(&b), id);
	buf_release(&b);
	return same;
}

/* Accepts the file at PATH if it is the program. */
static bool
try_path(struct wanted *w, struct buf *path)
{
	const char *why;
	struct elf *e = elf_open(buf_cstr(path), &why);

	if (!e)
		return false;
	if (!has_id(e, w->id)) {
		w->p->why = "is another build (its build id differs)";
		elf_close(e);
		return false;
	}
	w->p->unsure = !w->id.n || !e->build_id.n;
	w->p->elf = e;
	buf_clear(&w->p->path);
	buf_str(&w->p->path, buf_view(path));
	return true;
}

static bool
try_place(void *with, struct folders_path *at)
{
	return try_path(with, &at->path);
}

/* Tries the files of --elf: with NAMED, those with the program's name and its build id or none;
 * otherwise those with its build id. */
static bool
try_given(struct wanted *w, const struct opt_list *elfs, bool named)
{
	struct buf path = { 0 }, base = { 0 };
	bool found = false;
	size_t i;

	for (i = 0; elfs && i < elfs->n && !found; i++) {
		buf_clear(&path);
		buf_str(&path, str_of(elfs->items[i]));
		buf_clear(&base);
		frame_put_program(&base, str_base(buf_view(&path)), (struct str){ 0 });
		if (named &&
			!str_eq(str_head(w->name, str_rfind(w->name, '@')),
				buf_view(&base)))
			continue;
		found = try_path(w, &path) && (named || !w->p->unsure);
		if (!found)
			program_release(w->p);
	}
	buf_release(&path);
	buf_release(&base);
	return found;
}

/* Whether E has more than dynamic symbols. */
static bool
has_symbols(const struct elf *e)
{
	size_t i;

	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].type == ELF_SYMTAB)
			return true;
	return false;
}

/* Opens the separate symbols of the program, which packages install by build id; or asks
 * SERVERS if there are none. */
static void
find_debug(struct program *p, struct debuginfod *servers)
{
	const struct str id = p->elf->build_id;
	struct buf path = { 0 }, digits = { 0 };
	const char *why;

	if (id.n < 2)
		return;
	buf_str(&path, STR("/usr/lib/debug/.build-id/"));
	buf_hex(&path, str_head(id, 1));
	buf_char(&path, '/');
	buf_hex(&path, str_from(id, 1));
	buf_str(&path, STR(".debug"));
	p->debug = elf_open(buf_cstr(&path), &why);
	if (p->debug && !str_eq(p->debug->build_id, id)) {
		elf_close(p->debug);
		p->debug = NULL;
	}
	if (!p->debug && !has_symbols(p->elf)) {
		buf_hex(&digits, id);
		p->debug = debuginfod_elf(
			servers, DEBUGINFOD_DEBUG, buf_view(&digits), &path);
	}
	buf_release(&path);
	buf_release(&digits);
}

/* Finds the file of W. */
static void
find_file(struct wanted *w, const struct programs *all)
{
	const struct folded_program *known;
	size_t i;

	if (try_given(w, all->elfs, false) || try_given(w, all->elfs, true))
		return;
	for (i = 0; i < all->info->n_programs; i++) {
		known = &all->info->programs[i];
		if (!str_eq(known->name, w->name))
			continue;
		if (known->build_id.n)
			w->id = known->build_id;
		if (folders_try(all->where, known->path, try_place, w))
			return;
		w->p->elf = debuginfod_elf(
			all->servers, DEBUGINFOD_CODE, known->build_id, &w->p->path);
		if (w->p->elf)
			return;
	}
}

void
program_find(struct program *p, const struct programs *all, struct str name)
{
	struct wanted w = { p, name, str_from(name, str_rfind(name, '@') + 1) };

	*p = (struct program){ .why = "not found" };
	find_file(&w, all);
	if (p->elf)
		find_debug(p, all->servers);
}

void
program_release(struct program *p)
{
	elf_close(p->elf);
	elf_close(p->debug);
	p->elf = p->debug = NULL;
	buf_release(&p->path);
}

/* The symbol or gap around an address. */
struct around {
	uint64_t start, end; /* of the gap */
	struct elf_symbol at;
	bool found; /* AT contains the address */
};

/* Whether S is a code symbol of E. */
static bool
is_code(const struct elf *e, const struct elf_symbol *s)
{
	return s->name.n && s->name.s[0] != '$' &&
		(s->type == ELF_FUNC || s->type == ELF_IFUNC || s->type == ELF_NOTYPE) &&
		s->section && s->section < e->section_n &&
		e->sections[s->section].flags & ELF_FLAG_EXEC;
}

/* Narrows the range around the address by the code symbol S. */
static void
look_at_symbol(struct around *a, const struct elf_symbol *s, uint64_t address)
{
	uint64_t end = s->size < UINT64_MAX - s->value ? s->value + s->size : UINT64_MAX;

	if (s->value > address) {
		a->end = s->value < a->end ? s->value : a->end;
		return;
	}
	/* A symbol without a size extends to the next. */
	if ((!s->size || address < end) &&
		(!a->found || s->value > a->at.value ||
			(s->value == a->at.value && s->size > a->at.size))) {
		a->at = *s;
		a->found = true;
	} else if (address >= end && end > a->start) {
		a->start = end;
	}
}

static void
look_at_symbols(struct around *a, struct elf *e, uint64_t address)
{
	struct elf_symbol s;
	size_t i, j;

	for (i = 0; e && i < e->section_n; i++)
		for (j = 0; j < elf_symbol_count(e, &e->sections[i]); j++) {
			if (!elf_symbol(e, &e->sections[i], j, &s) || !is_code(e, &s))
				continue;
			/* Bit 0 marks Thumb code. */
			if (e->machine == ELF_ARM)
				s.value &= ~(uint64_t)1;
			look_at_symbol(a, &s, address);
		}
}

bool
program_function(
	const struct program *p, uint64_t address, uint64_t *start, uint64_t *end)
{
	struct around a = { .found = false };
	const struct elf_section *s;
	size_t i;

	for (i = 0; i < p->elf->section_n; i++) {
		s = &p->elf->sections[i];
		if (s->flags & ELF_FLAG_EXEC && address >= s->address &&
			address - s->address < s->size) {
			a.start = s->address;
			a.end = s->address + s->size;
		}
	}
	if (!a.end)
		return false;
	look_at_symbols(&a, p->elf, address);
	look_at_symbols(&a, p->debug, address);
	if (a.found) {
		a.start = a.at.value;
		if (a.at.size && a.at.size < UINT64_MAX - a.at.value)
			a.end = a.at.value + a.at.size;
	}
	if (a.end - a.start > GAP_MOST && !a.found)
		return false;
	*start = a.start;
	*end = a.end;
	return true;
}
