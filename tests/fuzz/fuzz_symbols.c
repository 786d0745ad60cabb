/* SPDX-License-Identifier: ISC */
/* Any bytes as a mangled name, as a list of symbols, and as an ELF file with symbols:
 * a found symbol contains the address. */
#include "symbols/debugfile.h"
#include "symbols/demangle.h"
#include "elf-memory.h"
#include "fuzz.h"
#include "symbols/gopclntab.h"
#include "symbols/inlines.h"
#include "symbols/symtab.h"

enum { DEMANGLED_MOST = 1 << 16, REFERENCES_MOST = 1 << 26 };

static void
try_name(struct str name)
{
	struct buf b = { 0 };

	for (int full = 0; full < 2; full++) {
		buf_clear(&b);
		LAW(demangle(&b, name, full) == (b.n > 0) || !b.n);
		LAW(b.n <= (name.n > 1 && name.s[1] == 'D' ? REFERENCES_MOST
							   : DEMANGLED_MOST + 64));
	}
	buf_release(&b);
}

static void
check(struct symtab *t, uint64_t address)
{
	const struct symtab_symbol *s = symtab_find(t, address);

	if (!s)
		return;
	LAW(s->name.n > 0);
	LAW(s->start <= address);
	LAW(address - s->start < s->size || address == s->start);
	LAW(symtab_find(t, address) == s);
}

/* Symbols of 4 bytes each: address, size, name, binding. */
static void
try_list(struct str text, bool open)
{
	static const char names[] = "_Z1fv_Z1fi__xyz";
	struct symtab *t = symtab_new();
	struct str rest;
	struct symtab_symbol s;
	unsigned place;

	for (rest = text; rest.n >= 4; rest = str_from(rest, 4)) {
		place = (unsigned char)rest.s[0];
		s = (struct symtab_symbol){ .start = place < 250 ? place
								 : UINT64_MAX - place };
		s.size = (unsigned char)rest.s[1] % 32;
		s.name = str_from(
			(struct str){ names, (unsigned char)rest.s[2] % sizeof names },
			(unsigned char)rest.s[2] / 16 % 6);
		s.binding = (unsigned char)rest.s[3] % 3;
		if (rest.s[3] & 16)
			s.module = STR("[m]");
		symtab_add(t, &s);
		if (rest.s[3] & 32)
			symtab_add_end(t, s.start + 1);
	}
	symtab_seal(t, text.n % 2 ? SYMTAB_BEST : SYMTAB_LAST, open);
	for (uint64_t address = 0; address < 300; address++) {
		check(t, address);
		check(t, UINT64_MAX - address);
	}
	symtab_free(t);
}

static void
try_go(struct elf *e)
{
	enum { MOST = 8 };
	struct inlines_frame frames[MOST];
	struct inlines_place lines[MOST];
	struct gopclntab_frame frame;
	struct gopclntab *g = gopclntab_new(e);
	struct symtab *t = symtab_new();
	uint64_t address;
	size_t n;

	if (g)
		(void)gopclntab_add(g, t);
	symtab_seal(t, SYMTAB_BEST, true);
	for (address = 0; address < 64; address++) {
		check(t, 0x10000 + address * 4);
		if (!g)
			continue;
		n = gopclntab_find(g, 0x10000 + address * 4, frames, lines, MOST);
		LAW(n <= MOST);
		while (n-- > 0)
			LAW((!frames[n].inlined || frames[n].name.n) &&
				lines[n].line <= INT32_MAX);
		if (gopclntab_frame(g, 0x10000 + address * 4, &frame))
			LAW(frame.depth <= INT32_MAX);
	}
	symtab_free(t);
	gopclntab_free(g);
}

static void
try_file(struct str bytes)
{
	const char *why;
	struct elf *e = elf_of_memory(bytes, &why), *mini;
	struct symtab *t;
	struct str path, id;

	if (!e)
		return;
	t = symtab_new();
	symtab_add_elf(t, e);
	symtab_add_plt(t, e);
	symtab_seal(t, SYMTAB_BEST, true);
	for (uint64_t address = 0; address < 64; address++) {
		check(t, address * 16);
		check(t, e->entry + address);
	}
	symtab_free(t);
	try_go(e);
	mini = debugfile_mini(e);
	(void)debugfile_has_symbols(e);
	(void)inlines_alt_link(e, &path, &id);
	elf_close(mini);
	elf_close(e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	if (str_starts(text, STR("\x7f"))) {
		try_file(text);
	} else if (size && (data[0] == '_' || data[0] == 'c')) {
		try_name(text);
	} else if (size) {
		try_list(str_from(text, 1), data[0] & 1);
	}
	return 0;
}
