/* SPDX-License-Identifier: ISC */
/*
 * Relocations of debug information; see relocate.h. A section of them refers to its
 * target (sh_info) and to its symbols (sh_link); an entry has
 *
 *	offset, symbol and kind, [addend]
 *
 * (System V ABI, chapter 4, and its supplements for each machine.) Without an addend,
 * as on 32-bit x86 and ARM, the place itself contains it. RISC-V, whose linker moves
 * code, also has differences: one entry adds a symbol, the next one subtracts another.
 */
#include "relocate.h"
#include "mem.h"

enum { I386 = 3, S390 = 22, PPC64 = 21 };

/* Larger sections are not copied: a file of some MB can claim to contain them. */
#define COPY_MOST ((size_t)1 << 31)

/* The addresses of a table's symbols, by number. */
struct symbols {
	const struct elf_section *table;
	uint64_t *address;
	size_t n;
};

struct relocate {
	struct elf *elf;
	uint64_t *at; /* by section: see relocate_lay_out */
	struct symbols symbols;
	char **copies; /* by section, or NULL */
	size_t bad;
};

void
relocate_lay_out(const struct elf *e, uint64_t *at)
{
	const struct elf_section *s;
	uint64_t end = 0, align;
	size_t i;

	for (i = 0; i < e->section_n; i++) {
		s = &e->sections[i];
		at[i] = UINT64_MAX;
		if (!(s->flags & ELF_FLAG_ALLOC) || !(s->flags & ELF_FLAG_EXEC) ||
			str_starts(s->name, STR(".init")))
			continue;
		align = s->align ? s->align : 1;
		if (align > 1 << 16 || s->size > UINT32_MAX)
			continue;
		end = (end + align - 1) / align * align;
		at[i] = end;
		end += s->size;
	}
}

struct relocate *
relocate_new(struct elf *e)
{
	struct relocate *r = mem_zero(1, sizeof *r);

	r->elf = e;
	r->at = mem_zero(e->section_n, sizeof *r->at);
	r->copies = mem_zero(e->section_n, sizeof(char *));
	relocate_lay_out(e, r->at);
	return r;
}

void
relocate_free(struct relocate *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->elf->section_n; i++)
		free(r->copies[i]);
	free(r->copies);
	free(r->symbols.address);
	free(r->at);
	free(r);
}

size_t
relocate_bad(const struct relocate *r)
{
	return r->bad;
}

/* The change at a place. */
enum { SET, ADD, SUBTRACT, SET_6, SUBTRACT_6 };

/* A size of 0 is the size of the LEB128 number at the place, which keeps it (RISC-V ELF
 * psABI, "Relocations", 60 and 61). */
static const struct {
	uint16_t machine, kind;
	uint8_t size, what;
} kinds[] = {
	{ ELF_X86_64, 1, 8, SET },
	{ ELF_X86_64, 10, 4, SET },
	{ ELF_X86_64, 11, 4, SET },
	{ I386, 1, 4, SET },
	{ ELF_AARCH64, 257, 8, SET },
	{ ELF_AARCH64, 258, 4, SET },
	{ ELF_ARM, 2, 4, SET },
	{ PPC64, 38, 8, SET },
	{ PPC64, 1, 4, SET },
	{ S390, 22, 8, SET },
	{ S390, 4, 4, SET },
	{ ELF_RISCV, 1, 4, SET },
	{ ELF_RISCV, 2, 8, SET },
	{ ELF_RISCV, 33, 1, ADD },
	{ ELF_RISCV, 34, 2, ADD },
	{ ELF_RISCV, 35, 4, ADD },
	{ ELF_RISCV, 36, 8, ADD },
	{ ELF_RISCV, 37, 1, SUBTRACT },
	{ ELF_RISCV, 38, 2, SUBTRACT },
	{ ELF_RISCV, 39, 4, SUBTRACT },
	{ ELF_RISCV, 40, 8, SUBTRACT },
	{ ELF_RISCV, 52, 1, SUBTRACT_6 },
	{ ELF_RISCV, 53, 1, SET_6 },
	{ ELF_RISCV, 54, 1, SET },
	{ ELF_RISCV, 55, 2, SET },
	{ ELF_RISCV, 56, 4, SET },
	{ ELF_RISCV, 60, 0, SET },
	{ ELF_RISCV, 61, 0, SUBTRACT },
};

/* The index of KIND in kinds, or -1. Kind 0 is a no-op on all machines. */
static int
find_kind(uint16_t machine, uint32_t kind)
{
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].machine == machine && kinds[i].kind == kind)
			return (int)i;
	return -1;
}

/* The address of SYM; 1 for code that is not laid out, as linkers give dropped code. */
static uint64_t
address_of(const struct relocate *r, const struct elf_symbol *sym)
{
	const struct elf_section *s;

	if (!sym->section || sym->section >= r->elf->section_n)
		return sym->value;
	s = &r->elf->sections[sym->section];
	if (r->at[sym->section] != UINT64_MAX)
		return RELOCATE_BASE + r->at[sym->section] + sym->value;
	return s->flags & ELF_FLAG_EXEC ? UINT64_MAX : sym->value;
}

/* Reads the symbols of TABLE, unless R has them already. */
static void
read_symbols(struct relocate *r, const struct elf_section *table)
{
	struct symbols *t = &r->symbols;
	struct elf_symbol sym;
	size_t i;

	if (t->table == table)
		return;
	free(t->address);
	t->table = table;
	t->n = elf_symbol_count(r->elf, table);
	t->address = mem_zero(t->n, sizeof *t->address);
	for (i = 0; i < t->n; i++)
		if (elf_symbol(r->elf, table, i, &sym))
			t->address[i] = address_of(r, &sym);
}

/* A relocation. */
struct entry {
	uint64_t offset, symbol, addend;
	uint32_t kind;
	bool has_addend;
};

static struct entry
read_entry(struct bytes *b, const struct elf *e, bool has_addend)
{
	struct entry x = { .has_addend = has_addend };
	unsigned size = e->wide ? 8 : 4;
	uint64_t info;

	x.offset = bytes_uint(b, size);
	info = bytes_uint(b, size);
	x.symbol = e->wide ? info >> 32 : info >> 8;
	x.kind = (uint32_t)(e->wide ? info & UINT32_MAX : info & 0xff);
	if (has_addend)
		x.addend = bytes_uint(b, size);
	return x;
}

/* Writes VALUE, SIZE bytes, to P in the file's byte order. */
static void
put(char *p, uint64_t value, unsigned size, bool swap)
{
	const union {
		uint16_t number;
		unsigned char first;
	} host = { .number = 1 };
	bool little = (host.first == 1) != swap;
	unsigned i;

	for (i = 0; i < size; i++)
		p[little ? i : size - 1 - i] = (char)(value >> 8 * i);
}

/* The new value of a place with OLD when ADDRESS is applied. */
static uint64_t
change(uint64_t old, uint64_t address, unsigned what)
{
	switch (what) {
	case ADD: return old + address;
	case SUBTRACT: return old - address;
	case SET_6: return (old & 0xc0) | (address & 0x3f);
	case SUBTRACT_6: return (old & 0xc0) | ((old - address) & 0x3f);
	default: return address;
	}
}

/* The length of the LEB128 number at the start of the N bytes at P; 0 if it does not
 * end there, or exceeds 64 bits. */
static unsigned
leb_size(const char *p, size_t n)
{
	enum { LONGEST = 10 };
	unsigned i;

	for (i = 0; i < n && i < LONGEST; i++)
		if (!(p[i] & 0x80))
			return i + 1;
	return 0;
}

/* Replaces the LEB128 number of SIZE bytes at P by the part of VALUE that fits:
 * addresses may not fit, but their differences do. */
static void
put_leb(char *p, uint64_t value, unsigned size)
{
	unsigned i;

	for (i = 0; i < size; i++)
		p[i] = (char)((p[i] & 0x80) | (value >> 7 * i & 0x7f));
}

/* Applies X to the N bytes of COPY. Returns false if that is impossible. */
static bool
apply(const struct relocate *r, const struct entry *x, char *copy, size_t n)
{
	int k = find_kind(r->elf->machine, x->kind);
	struct bytes place;
	uint64_t old, address;
	unsigned size;

	if (k < 0)
		return x->kind == 0;
	if (x->offset > n || x->symbol >= r->symbols.n)
		return false;
	size = kinds[k].size ? kinds[k].size : leb_size(copy + x->offset, n - x->offset);
	if (!size || n - x->offset < size)
		return false;
	place = bytes_of((struct str){ copy + x->offset, size }, r->elf->swap);
	old = kinds[k].size ? bytes_uint(&place, size) : bytes_uleb(&place);
	address = r->symbols.address[x->symbol];
	if (address == UINT64_MAX)
		address = 1;
	else
		address += x->has_addend ? x->addend : old;
	address = change(old, address, kinds[k].what);
	if (kinds[k].size)
		put(copy + x->offset, address, size, r->elf->swap);
	else
		put_leb(copy + x->offset, address, size);
	return true;
}

/* Applies the entries of TABLE to the N bytes of COPY. */
static void
apply_all(struct relocate *r, const struct elf_section *table, char *copy, size_t n)
{
	struct bytes b = elf_bytes(r->elf, table);
	size_t size = (table->type == ELF_SHT_RELA ? 3u : 2u) * (r->elf->wide ? 8u : 4u);
	struct entry x;

	if (!table->link || table->link >= r->elf->section_n)
		return;
	read_symbols(r, &r->elf->sections[table->link]);
	while (bytes_left(&b) >= size) {
		x = read_entry(&b, r->elf, table->type == ELF_SHT_RELA);
		if (!apply(r, &x, copy, n))
			r->bad++;
	}
}

struct str
relocate_data(struct relocate *r, const struct elf_section *s)
{
	struct str plain = elf_data(r->elf, s);
	const struct elf_section *t;
	size_t own, i;
	char *copy;

	if (!plain.n || plain.n > COPY_MOST)
		return (struct str){ 0 };
	own = (size_t)(s - r->elf->sections);
	for (i = 0; i < r->elf->section_n; i++) {
		t = &r->elf->sections[i];
		if (r->copies[own] || t->info != own ||
			(t->type != ELF_SHT_RELA && t->type != ELF_SHT_REL))
			continue;
		copy = mem_large(plain.n);
		memcpy(copy, plain.s, plain.n);
		apply_all(r, t, copy, plain.n);
		r->copies[own] = copy;
	}
	return r->copies[own] ? (struct str){ r->copies[own], plain.n } : plain;
}
