/* SPDX-License-Identifier: ISC */
/*
 * Functions of an ELF file; see symtab.h. What counts as one follows perf
 * (tools/perf/util/symbol-elf.c): FUNC and IFUNC in any section that is loaded,
 * and labels of assembly without a type, unless hidden, where the name of the
 * section has "text" in it. (System V ABI, chapter 4, Symbol Table; for $a, $d,
 * $t and $x: ELF for the Arm Architecture, section 5.5.5.)
 */
#include "mem.h"
#include "symtab.h"

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

/*
 * Functions of the procedure linkage table, "memcpy@plt".
 *
 *	1036:	ff 25 e4 2f 00 00	jmp *0x2fe4(%rip)	# 4020
 *	4020:	R_X86_64_JUMP_SLOT	memcpy
 *
 * Each entry jumps through a word of memory that a relocation fills, so the
 * entry is called after the relocation's symbol. Reading the jump holds for all
 * linkers and layouts (.plt.sec, .plt.got, eager binding), where perf counts
 * entries. Machines whose jumps are not read here have their entries counted.
 * Words that the program fills itself by asking a resolver (IRELATIVE, in static
 * programs) are called after that.
 */

enum { RELA = 4, REL = 9 };
enum { X86_64_IRELATIVE = 37, AARCH64_IRELATIVE = 1032 };
/* How many words are looked up by their resolver. */
enum { INDIRECT_MAX = 4096 };

/* A word of memory that the PLT jumps through. */
struct slot {
	uint64_t address;
	uint64_t resolver; /* of an IRELATIVE one, else 0 */
	uint32_t symbol;   /* of dynamic symbols; 0: none */
	struct str name;
};

struct slots {
	struct elf *e;
	struct slot *items; /* by address, once sorted */
	size_t n, cap;
	bool indirect;
};

static bool
is_indirect(const struct elf *e, uint64_t type)
{
	return (e->machine == ELF_X86_64 && type == X86_64_IRELATIVE) ||
		(e->machine == ELF_AARCH64 && type == AARCH64_IRELATIVE);
}

/* Adds the words that the relocations of section NAME fill, with their symbols'
 * names; words without either are left out, unless ALL, in their order. */
static void
add_slots(struct slots *l, const char *name, bool all)
{
	const struct elf *e = l->e;
	const struct elf_section *s = elf_section(e, name), *symbols;
	bool wide = e->wide;
	struct elf_symbol sym;
	struct slot slot;
	uint64_t info;
	struct bytes b;

	if (!s || (s->type != RELA && s->type != REL))
		return;
	symbols = s->link < e->section_n ? &e->sections[s->link] : NULL;
	for (b = elf_bytes(l->e, s); bytes_left(&b);) {
		slot = (struct slot){ .address = bytes_uint(&b, wide ? 8 : 4) };
		info = bytes_uint(&b, wide ? 8 : 4);
		slot.symbol = (uint32_t)(info >> (wide ? 32 : 8));
		info &= wide ? UINT32_MAX : 0xff;
		if (s->type == RELA)
			slot.resolver = bytes_uint(&b, wide ? 8 : 4);
		if (b.bad)
			break;
		if (!is_indirect(e, info))
			slot.resolver = 0;
		if (slot.symbol && elf_symbol(l->e, symbols, slot.symbol, &sym))
			slot.name = sym.name;
		l->indirect |= slot.resolver != 0;
		if (!all && !slot.name.n && !slot.resolver)
			continue;
		l->items = mem_grow(l->items, &l->cap, l->n + 1, sizeof *l->items);
		l->items[l->n++] = slot;
	}
}

static int
compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* The slot at ADDRESS, NULL when there is none or it has no name. */
static const struct slot *
find_slot(const struct slots *l, uint64_t address)
{
	const struct slot key = { .address = address }, *found;

	found = l->n ? bsearch(&key, l->items, l->n, sizeof key, compare_slots) : NULL;
	return found && found->name.n ? found : NULL;
}

/* Gives slots with a resolver the name of that. */
static void
name_indirect(struct slots *l)
{
	struct elf *e = l->e;
	struct elf_symbol sym;
	size_t table, i, j, n = l->n < INDIRECT_MAX ? l->n : INDIRECT_MAX;

	for (table = 0; table < e->section_n; table++)
		for (i = elf_symbol_count(e, &e->sections[table]); i-- > 0;) {
			if (!elf_symbol(e, &e->sections[table], i, &sym) ||
				sym.type != ELF_IFUNC || !sym.section)
				continue;
			for (j = 0; j < n; j++)
				if (l->items[j].resolver == sym.value &&
					(!l->items[j].name.n || sym.name.s[0] != '_'))
					l->items[j].name = sym.name;
		}
}

static void
add_entry(struct symtab *t, uint64_t start, uint64_t size, const struct slot *slot)
{
	const struct symtab_symbol s = {
		.start = start, .size = size, .binding = ELF_GLOBAL
	};

	symtab_add_copy(t, &s, slot->name, STR("@plt"));
}

/* The little-endian number of 4 bytes at P. */
static uint32_t
word(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

static size_t
add_x86_64(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	/* The jump may stand behind endbr64 (4 bytes), bnd (1), or both. */
	static const unsigned char places[] = { 0, 1, 4, 5 };
	enum { JUMP = 6, SMALL = 8, LARGE = 16 };
	struct str code = elf_data(l->e, s);
	size_t size = s->entry_size == SMALL ? SMALL : LARGE, at, i, added = 0;
	const struct slot *slot;
	const char *p;

	for (at = 0; at + size <= code.n; at += size)
		for (i = 0; i < sizeof places && places[i] + JUMP <= (int)size; i++) {
			p = code.s + at + places[i];
			if ((unsigned char)p[0] != 0xff || p[1] != 0x25)
				continue;
			slot = find_slot(l,
				s->address + at + places[i] + JUMP +
					(uint64_t)(int32_t)word(p + 2));
			if (!slot)
				break;
			add_entry(t, s->address + at, size, slot);
			added++;
			break;
		}
	return added;
}

/* Adds "adrp x16, page; ldr x17, [x16, offset]" up to "br x17". */
static size_t
add_aarch64(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	enum { WORD = 4, WORDS = 6 };
	const uint32_t bti = 0xd503245f, branch = 0xd61f0220;
	struct str code = elf_data(l->e, s);
	size_t at, start, end, added = 0;
	const struct slot *slot;
	uint32_t adrp, load;
	int64_t page;

	for (at = 0; at + 2 * WORD <= code.n; at += WORD) {
		adrp = word(code.s + at);
		load = word(code.s + at + WORD);
		if ((adrp & 0x9f00001f) != 0x90000010 ||
			(load & 0xffc003ff) != 0xf9400211)
			continue;
		page = (int64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
		page -= page & 0x100000 ? 0x200000 : 0;
		slot = find_slot(l,
			((s->address + at) & ~UINT64_C(0xfff)) + (uint64_t)page * 4096 +
				(load >> 10 & 0xfff) * 8);
		if (!slot)
			continue;
		start = at && word(code.s + at - WORD) == bti ? at - WORD : at;
		for (end = at + 2 * WORD;
			end + WORD <= code.n && end < at + (size_t)WORDS * WORD;
			end += WORD)
			if (word(code.s + end) == branch)
				break;
		add_entry(t, s->address + start, end + WORD - start, slot);
		added++;
	}
	return added;
}

/* Adds entries in the order of relocations, where their sizes are known. */
static size_t
add_counted(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	static const struct {
		uint16_t machine;
		unsigned char header, entry;
	} sizes[] = { { ELF_386, 16, 16 }, { ELF_ARM, 20, 12 }, { ELF_RISCV, 32, 16 } };
	size_t i, j, added = 0;
	uint64_t at;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (sizes[i].machine != l->e->machine)
			continue;
		at = sizes[i].header;
		for (j = 0; j < l->n && at < s->size; j++, at += sizes[i].entry) {
			if (!l->items[j].name.n)
				continue;
			add_entry(t, s->address + at, sizes[i].entry, &l->items[j]);
			added++;
		}
	}
	return added;
}

static size_t
add_section(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	switch (l->e->machine) {
	case ELF_X86_64: return add_x86_64(t, l, s);
	case ELF_AARCH64: return add_aarch64(t, l, s);
	default: return str_eq(s->name, STR(".plt")) ? add_counted(t, l, s) : 0;
	}
}

size_t
symtab_add_plt(struct symtab *t, struct elf *e)
{
	/* A .plt.got of one entry calls __cxa_finalize, at exit; not worth reading
	 * a .rela.dyn of megabytes. */
	enum { ONE_ENTRY = 16 };
	bool jumps = e->machine == ELF_X86_64 || e->machine == ELF_AARCH64;
	const struct elf_section *got = elf_section(e, ".plt.got");
	struct slots l = { .e = e };
	size_t i, added = 0;

	add_slots(&l, ".rela.plt", !jumps);
	add_slots(&l, ".rel.plt", !jumps);
	if (jumps && got && got->size > ONE_ENTRY)
		add_slots(&l, ".rela.dyn", false);
	if (l.indirect)
		name_indirect(&l);
	if (jumps && l.n)
		qsort(l.items, l.n, sizeof *l.items, compare_slots);
	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].flags & ELF_FLAG_EXEC &&
			e->sections[i].type == ELF_PROGBITS &&
			str_starts(e->sections[i].name, STR(".plt")))
			added += add_section(t, &l, &e->sections[i]);
	free(l.items);
	return added;
}
