/* SPDX-License-Identifier: ISC */
/*
 * Functions of an ELF file; see symtab.h. What counts as one follows perf
 * (tools/perf/util/symbol-elf.c): FUNC and IFUNC in any section that is loaded,
 * and labels of assembly without a type, unless hidden, where the name of the
 * section has "text" in it. (System V ABI, chapter 4, Symbol Table; for $a, $d,
 * $t and $x: ELF for the Arm Architecture, section 5.5.5.)
 */
#include "symtab-parts.h"

#include "mem.h"

enum { VISIBILITY_INTERNAL = 1, VISIBILITY_HIDDEN = 2 };
enum { SECTION_RESERVED = 0xff00, SECTION_ELSEWHERE = 0xffff };

/* What a section is. */
enum { LOADED = 1, CODE = 2, TEXT = 4 };

/* What of a file is needed for each symbol. */
struct reader {
	const struct elf *e;
	struct str names;
	unsigned char *kinds; /* of sections */
};

/* Notes the kinds of sections, and adds where those with code end. */
static void
read_sections(struct reader *r, struct symtab *t)
{
	const struct elf_section *s;
	size_t i;

	r->kinds = mem_zero(r->e->section_n, sizeof *r->kinds);
	for (i = 0; i < r->e->section_n; i++) {
		s = &r->e->sections[i];
		if (!(s->flags & ELF_FLAG_ALLOC))
			continue;
		r->kinds[i] = LOADED;
		if (!(s->flags & ELF_FLAG_EXEC))
			continue;
		r->kinds[i] |= CODE;
		if (str_search(s->name, STR("text")) < s->name.n)
			r->kinds[i] |= TEXT;
		if (s->size <= UINT64_MAX - s->address)
			symtab_add_end(t, s->address + s->size);
	}
}

/* The Ith byte of NAME, a slice that goes beyond the NUL at its end. */
static char
byte_at(struct str name, size_t i)
{
	return i < name.n ? name.s[i] : '\0';
}

/* Whether NAME marks a place for tools alone. */
static bool
is_tools_label(struct str name)
{
	char first = byte_at(name, 0), second = byte_at(name, 1), third;

	if (first == '.' && second == 'L')
		return true;
	if (first != '$' || !second || !strchr("adtx", second))
		return false;
	third = byte_at(name, 2);
	return third == '\0' || third == '.' || second == 'x';
}

/* Whether S, called NAME, is a place in code that people know by its name. Names
 * lie far apart in memory: only those of labels are looked at. */
static bool
is_function(const struct reader *r, const struct elf_symbol *s, struct str name)
{
	unsigned kind = s->section < r->e->section_n ? r->kinds[s->section] : 0;

	if (!s->section || !name.n)
		return false;
	if (s->section >= SECTION_RESERVED)
		return s->section == SECTION_ELSEWHERE && s->type == ELF_FUNC;
	switch (s->type) {
	case ELF_FUNC:
	case ELF_IFUNC: return kind & LOADED;
	case ELF_OBJECT: return kind & CODE;
	case ELF_NOTYPE:
		return kind & TEXT && s->visibility != VISIBILITY_INTERNAL &&
			s->visibility != VISIBILITY_HIDDEN && !is_tools_label(name);
	default: return false;
	}
}

/* Reads an entry; returns the place of its name. elf_symbol does the same with
 * checks for each that are made once here. */
static uint32_t
read_entry(struct bytes *b, bool wide, struct elf_symbol *s)
{
	uint32_t name = bytes_u32(b);
	uint8_t info;

	if (!wide) {
		s->value = bytes_u32(b);
		s->size = bytes_u32(b);
	}
	info = bytes_u8(b);
	s->visibility = bytes_u8(b) & 3;
	s->section = bytes_u16(b);
	if (wide) {
		s->value = bytes_u64(b);
		s->size = bytes_u64(b);
	}
	s->type = info & 0xf;
	s->binding = info >> 4;
	return name;
}

/* The first table of symbols of TYPE that has some. */
static const struct elf_section *
find_table(const struct elf *e, uint32_t type)
{
	size_t i;

	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].type == type &&
			elf_symbol_count(e, &e->sections[i]) > 1 &&
			e->sections[i].link < e->section_n)
			return &e->sections[i];
	return NULL;
}

size_t
symtab_add_elf(struct symtab *t, struct elf *e)
{
	struct reader r = { .e = e };
	const struct elf_section *s = find_table(e, ELF_SYMTAB);
	const size_t least = e->wide ? 24 : 16;
	size_t i, n, skip, added = 0;
	struct elf_symbol sym = { 0 };
	struct symtab_symbol as;
	struct bytes b;
	struct str name;
	uint32_t at;

	if (!s)
		s = find_table(e, ELF_DYNSYM);
	if (!s)
		return 0;
	read_sections(&r, t);
	r.names = elf_data(e, &e->sections[s->link]);
	b = elf_bytes(e, s);
	skip = s->entry_size > least ? (size_t)s->entry_size - least : 0;
	n = elf_symbol_count(e, s);
	symtab_reserve(t, n);
	for (i = 0; i < n && !b.bad; i++) {
		at = read_entry(&b, e->wide, &sym);
		name = at ? str_from(r.names, at) : (struct str){ 0 };
		bytes_skip(&b, skip);
		if (b.bad || !is_function(&r, &sym, name))
			continue;
		if (e->machine == ELF_ARM && sym.type == ELF_FUNC)
			sym.value &= ~UINT64_C(1);
		as = (struct symtab_symbol){ .start = sym.value,
			.size = sym.size,
			.name = name,
			.binding = sym.binding };
		symtab_add_uncut(t, &as);
		added++;
	}
	free(r.kinds);
	return added;
}
