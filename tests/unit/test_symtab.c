/* SPDX-License-Identifier: ISC */
/* Addresses to symbols: symtab.h. */
#include "symbols/symtab.h"
#include "symbols/demangle.h"
#include "elf-image.h"
#include "unit.h"

static void
add(struct symtab *t, uint64_t start, uint64_t size, const char *name, int binding)
{
	struct symtab_symbol s = { .start = start,
		.size = size,
		.name = str_of(name),
		.binding = (unsigned char)binding };

	symtab_add(t, &s);
}

/* The name at ADDRESS, "-" if unknown. */
static struct str
name_at(struct symtab *t, uint64_t address)
{
	const struct symtab_symbol *s = symtab_find(t, address);

	return s ? s->name : STR("-");
}

UNIT(a_symbol_holds_its_addresses_and_no_more)
{
	struct symtab *t = symtab_new();

	add(t, 200, 10, "b", ELF_GLOBAL);
	add(t, 100, 50, "a", ELF_GLOBAL);
	add(t, UINT64_MAX - 5, 100, "end", ELF_GLOBAL);
	symtab_seal(t, SYMTAB_BEST, false);
	CHECK_STR(name_at(t, 99), STR("-"));
	CHECK_STR(name_at(t, 100), STR("a"));
	CHECK_STR(name_at(t, 149), STR("a"));
	CHECK_STR(name_at(t, 150), STR("-"));
	CHECK_STR(name_at(t, 209), STR("b"));
	CHECK_STR(name_at(t, 210), STR("-"));
	CHECK_STR(name_at(t, UINT64_MAX - 1), STR("end"));
	CHECK_STR(name_at(t, 0), STR("-"));
	CHECK(symtab_find(t, 100) == symtab_find(t, 120));
	symtab_free(t);
}

UNIT(an_empty_table_has_nothing)
{
	struct symtab *t = symtab_new();

	symtab_seal(t, SYMTAB_BEST, true);
	CHECK(!symtab_find(t, 0));
	CHECK(!symtab_find(t, UINT64_MAX));
	symtab_free(t);
	symtab_free(NULL);
}

/* The choice between two names at one address, in either order. */
UNIT(of_several_at_one_address_perf_s_choice_stays)
{
	static const struct {
		const char *better, *worse;
		uint64_t size[2];
		int binding[2];
	} cases[] = {
		{ "sized", "a_longer_name_without", { 4, 0 }, { ELF_WEAK, ELF_GLOBAL } },
		{ "local", "a_longer_weak_name", { 4, 4 }, { ELF_LOCAL, ELF_WEAK } },
		{ "global", "a_longer_local_name", { 4, 4 }, { ELF_GLOBAL, ELF_LOCAL } },
		{ "read", "__libc_read", { 4, 4 }, { ELF_GLOBAL, ELF_GLOBAL } },
		{ "_longer", "_short", { 4, 9 }, { ELF_GLOBAL, ELF_GLOBAL } },
		/* "f" and "_x" demangled: fewer underscores, although more when
		 * mangled. */
		{ "_Z1fv", "_xxxxxx", { 4, 4 }, { ELF_GLOBAL, ELF_GLOBAL } },
	};
	struct symtab *t;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int order = 0; order < 2; order++) {
			if (cases[i].better[1] == 'Z' && !demangle_works())
				continue;
			t = symtab_new();
			add(t, 16, cases[i].size[order],
				order ? cases[i].worse : cases[i].better,
				cases[i].binding[order]);
			add(t, 16, cases[i].size[!order],
				order ? cases[i].better : cases[i].worse,
				cases[i].binding[!order]);
			symtab_seal(t, SYMTAB_BEST, false);
			CHECK_STR(name_at(t, 17), str_of(cases[i].better));
			symtab_free(t);
		}
}

UNIT(equal_ones_leave_the_first_or_the_last)
{
	struct symtab *t = symtab_new();

	add(t, 16, 4, "one", ELF_GLOBAL);
	add(t, 16, 4, "two", ELF_GLOBAL);
	symtab_seal(t, SYMTAB_BEST, false);
	CHECK_STR(name_at(t, 16), STR("one"));
	symtab_free(t);
	t = symtab_new();
	add(t, 16, 0, "a_longer_name", ELF_GLOBAL);
	add(t, 16, 0, "last", ELF_LOCAL);
	add(t, 32, 0, "next", ELF_LOCAL);
	symtab_seal(t, SYMTAB_LAST, true);
	CHECK_STR(name_at(t, 31), STR("last"));
	symtab_free(t);
}

UNIT(open_symbols_go_on_to_the_next)
{
	struct symtab *t = symtab_new();

	add(t, 0x1000, 0, "a", ELF_GLOBAL);
	add(t, 0x1100, 0, "b", ELF_GLOBAL);
	symtab_add_end(t, 0x1180);
	add(t, 0x1200, 0, "c", ELF_GLOBAL);
	symtab_seal(t, SYMTAB_BEST, true);
	CHECK_STR(name_at(t, 0x10ff), STR("a"));
	CHECK_STR(name_at(t, 0x117f), STR("b"));
	CHECK_STR(name_at(t, 0x1180), STR("-"));
	CHECK_STR(name_at(t, 0x1200), STR("c"));
	/* The last one ends with the page after its own. */
	CHECK_STR(name_at(t, 0x2fff), STR("c"));
	CHECK_STR(name_at(t, 0x3000), STR("-"));
	symtab_free(t);
}

UNIT(the_last_of_a_module_does_not_reach_the_next_module)
{
	struct symtab *t = symtab_new();
	struct symtab_symbol s = { .start = 0xa0000, .name = STR("one") };

	s.module = STR("[a]");
	symtab_add(t, &s);
	s = (struct symtab_symbol){ .start = 0xb0000, .name = STR("two") };
	s.module = STR("[b]");
	symtab_add(t, &s);
	symtab_seal(t, SYMTAB_LAST, true);
	CHECK_STR(name_at(t, 0xa0fff), STR("one"));
	CHECK_STR(name_at(t, 0xa1000), STR("-"));
	CHECK_STR(symtab_find(t, 0xb0000)->module, STR("[b]"));
	symtab_free(t);
}

UNIT(of_nested_ones_the_inner_is_found_and_then_the_outer)
{
	struct symtab *t = symtab_new();

	add(t, 100, 100, "outer", ELF_GLOBAL);
	add(t, 120, 20, "middle", ELF_GLOBAL);
	add(t, 125, 2, "inner", ELF_GLOBAL);
	add(t, 150, 0, "label", ELF_GLOBAL);
	add(t, 200, 0, "after", ELF_GLOBAL);
	symtab_seal(t, SYMTAB_BEST, true);
	CHECK_STR(name_at(t, 126), STR("inner"));
	CHECK_STR(name_at(t, 127), STR("middle"));
	CHECK_STR(name_at(t, 140), STR("outer"));
	CHECK_STR(name_at(t, 150), STR("outer"));
	CHECK_STR(name_at(t, 199), STR("outer"));
	CHECK_STR(name_at(t, 200), STR("after"));
	symtab_free(t);
}

/* Compared with a linear search, for keys of all widths. */
UNIT(many_symbols_are_found_as_by_looking_at_each)
{
	enum { N = 3000, ROOM = 64 };
	static uint64_t start[N];
	uint64_t x = 1, address;
	struct symtab *t;
	size_t i, best;

	for (unsigned shift = 0; shift < 64; shift += 9) {
		t = symtab_new();
		for (i = 0; i < N; i++) {
			x = x * 6364136223846793005u + 1442695040888963407u;
			start[i] = x >> shift;
			add(t, start[i], ROOM, "x", ELF_GLOBAL);
		}
		symtab_seal(t, SYMTAB_BEST, false);
		for (i = 0; i < N; i++) {
			address = start[i] + i % (2 * ROOM);
			best = N;
			for (size_t j = 0; j < N; j++)
				if (start[j] <= address && address - start[j] < ROOM &&
					(best == N || start[j] > start[best]))
					best = j;
			if (best == N ? symtab_find(t, address) != NULL
				      : !symtab_find(t, address) ||
						symtab_find(t, address)->start !=
							start[best])
				break;
		}
		CHECK_U64(i, N);
		symtab_free(t);
	}
}

/* The functions of M, whose last section is its symbols. */
static struct symtab *
table_of(struct image *m, struct buf *b, struct elf **e)
{
	const char *why;
	struct symtab *t = symtab_new();

	image_end(m, b);
	*e = elf_of_memory(buf_view(b), &why);
	CHECK(*e != NULL);
	symtab_add_elf(t, *e);
	symtab_add_plt(t, *e);
	symtab_seal(t, SYMTAB_BEST, true);
	return t;
}

UNIT(functions_of_a_file_are_chosen_as_by_perf)
{
	const struct elf_symbol symbols[] = {
		{ STR("func"), 0x1000, 16, 1, ELF_FUNC, ELF_GLOBAL, 0 },
		{ STR("ifunc"), 0x1010, 16, 1, ELF_IFUNC, ELF_GLOBAL, 0 },
		{ STR("label"), 0x1020, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 },
		{ STR("hidden"), 0x1030, 0, 1, ELF_NOTYPE, ELF_LOCAL, 2 },
		{ STR("$d"), 0x1034, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 },
		{ STR("$x.12"), 0x1036, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 },
		{ STR(".L4"), 0x1038, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 },
		{ STR("$dollar"), 0x1040, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 },
		{ STR("undefined"), 0x1050, 16, 0, ELF_FUNC, ELF_GLOBAL, 0 },
		{ STR("absolute"), 0x1052, 16, 0xfff1, ELF_FUNC, ELF_GLOBAL, 0 },
		{ STR("object"), 0x2000, 16, 2, ELF_OBJECT, ELF_GLOBAL, 0 },
		{ STR("warning"), 0x3000, 16, 3, ELF_FUNC, ELF_GLOBAL, 0 },
		{ STR("lost"), 0x4000, 16, 99, ELF_FUNC, ELF_GLOBAL, 0 },
	};
	struct image m = { .machine = ELF_X86_64 };
	struct buf *data, b = { 0 };
	struct symtab *t;
	struct elf *e;
	uint32_t table;

	image_section(&m, ".text.hot", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x1000;
	m.section[0].size = 0x80;
	image_section(&m, ".data", ELF_NOBITS, ELF_FLAG_ALLOC, &data);
	image_section(&m, ".gnu.warning.x", ELF_NOBITS, 0, &data);
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		image_symbol(&m, table, symbols[i]);
	t = table_of(&m, &b, &e);
	CHECK_STR(name_at(t, 0x100f), STR("func"));
	CHECK_STR(name_at(t, 0x101f), STR("ifunc"));
	CHECK_STR(name_at(t, 0x103f), STR("label"));
	CHECK_STR(name_at(t, 0x107f), STR("$dollar"));
	/* Not beyond its section. */
	CHECK_STR(name_at(t, 0x1080), STR("-"));
	CHECK_STR(name_at(t, 0x2000), STR("-"));
	CHECK_STR(name_at(t, 0x3000), STR("-"));
	CHECK_STR(name_at(t, 0x4000), STR("-"));
	symtab_free(t);
	elf_close(e);
	buf_release(&b);
}

UNIT(thumb_bits_are_cleared_in_32_bit_files)
{
	struct image m = { .machine = ELF_ARM, .narrow = true };
	struct buf *data, b = { 0 };
	struct symtab *t;
	struct elf *e;
	uint32_t table;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x8000;
	m.section[0].size = 0x100;
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){
			STR("Reset_Handler"), 0x8001, 8, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){ STR("$t"), 0x8004, 0, 1, ELF_NOTYPE, ELF_LOCAL, 0 });
	t = table_of(&m, &b, &e);
	CHECK_STR(name_at(t, 0x8000), STR("Reset_Handler"));
	CHECK_STR(name_at(t, 0x8007), STR("Reset_Handler"));
	CHECK_STR(name_at(t, 0x8008), STR("-"));
	symtab_free(t);
	elf_close(e);
	buf_release(&b);
}

/* Adds ".rela.plt" for the words at GOT, of symbols 1 and following, and a .dynsym. */
static void
add_relocations(struct image *m, const uint64_t *got, size_t n, uint64_t type)
{
	static const char *const names[] = { "memcpy", "_ZNSolsEi", "free" };
	struct buf *data;
	uint32_t table = image_symtab(m, ".dynsym", ELF_DYNSYM);

	for (size_t i = 0; i < n; i++)
		image_symbol(m, table,
			(struct elf_symbol){
				str_of(names[i]), 0, 0, 0, ELF_FUNC, ELF_GLOBAL, 0 });
	image_section(m, ".rela.plt", 4, ELF_FLAG_ALLOC, &data);
	m->section[m->n - 1].link = table;
	for (size_t i = 0; i < n; i++) {
		image_put(data, 8, got[i]);
		image_put(data, 8, (i + 1) << 32 | type);
		image_put(data, 8, 0);
	}
}

UNIT(plt_entries_of_x86_64_are_named_after_their_targets)
{
	/* Relocations in another order than the entries. */
	static const uint64_t got[] = { 0x4010, 0x4018, 0x4008 };
	struct image m = { .machine = ELF_X86_64 };
	struct buf *data, b = { 0 };
	struct symtab *t;
	struct elf *e;

	image_section(&m, ".plt", ELF_PROGBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x1000;
	m.section[0].entry_size = 16;
	/* push, jmp *GOT+16; then jmp *0x4008 / push / jmp; endbr64 / bnd jmp *0x4010 */
	buf_str(data,
		(struct str){ "\xff\x35\0\0\0\0\xff\x25\xfa\x2f\0\0\x0f\x1f\0\0", 16 });
	buf_str(data, (struct str){ "\xff\x25\xf2\x2f\0\0\x68\0\0\0\0\xe9\0\0\0\0", 16 });
	buf_str(data,
		(struct str){ "\xf3\x0f\x1e\xfa\xf2\xff\x25\xe5\x2f\0\0\0\0\0\0\0", 16 });
	buf_str(data,
		(struct str){ "\xf3\x0f\x1e\xfa\xff\x25\xde\x2f\0\0\0\0\0\0\0\0", 16 });
	add_relocations(&m, got, 3, 7);
	t = table_of(&m, &b, &e);
	CHECK_STR(name_at(t, 0x1000), STR("-"));
	CHECK_STR(name_at(t, 0x101f), STR("free@plt"));
	CHECK_STR(name_at(t, 0x1020), STR("memcpy@plt"));
	CHECK_STR(name_at(t, 0x1030), STR("_ZNSolsEi@plt"));
	CHECK_STR(name_at(t, 0x1040), STR("-"));
	symtab_free(t);
	elf_close(e);
	buf_release(&b);
}

UNIT(plt_entries_of_aarch64_too)
{
	static const uint64_t got[] = { 0x11018, 0x11020 };
	struct image m = { .machine = ELF_AARCH64 };
	struct buf *data, b = { 0 };
	struct symtab *t;
	struct elf *e;

	image_section(&m, ".plt", ELF_PROGBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x600;
	image_put(data, 4, 0xb0000090); /* adrp x16, 0x11000 */
	image_put(data, 4, 0xf9400e11); /* ldr x17, [x16, 24] */
	image_put(data, 4, 0x91006210); /* add x16, x16, 24 */
	image_put(data, 4, 0xd61f0220); /* br x17 */
	image_put(data, 4, 0xd503245f); /* bti c */
	image_put(data, 4, 0xb0000090);
	image_put(data, 4, 0xf9401211);
	image_put(data, 4, 0x91008210);
	image_put(data, 4, 0xd61f0220);
	add_relocations(&m, got, 2, 1026);
	t = table_of(&m, &b, &e);
	CHECK_STR(name_at(t, 0x600), STR("memcpy@plt"));
	CHECK_STR(name_at(t, 0x60f), STR("memcpy@plt"));
	CHECK_STR(name_at(t, 0x610), STR("_ZNSolsEi@plt"));
	CHECK_STR(name_at(t, 0x623), STR("_ZNSolsEi@plt"));
	CHECK_STR(name_at(t, 0x624), STR("-"));
	symtab_free(t);
	elf_close(e);
	buf_release(&b);
}

/* Names that do not end within their table, and tables cut short. */
UNIT(damaged_tables_are_read_as_far_as_they_go)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf *data, b = { 0 }, copy = { 0 };
	struct symtab *t;
	struct elf *e;
	const char *why;
	uint32_t table;

	image_section(&m, ".text", ELF_NOBITS, ELF_FLAG_ALLOC | ELF_FLAG_EXEC, &data);
	m.section[0].address = 0x1000;
	m.section[0].size = 0x100;
	table = image_symtab(&m, ".symtab", ELF_SYMTAB);
	image_symbol(&m, table,
		(struct elf_symbol){
			STR("good"), 0x1000, 8, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	image_symbol(&m, table,
		(struct elf_symbol){ STR("cut"), 0x1010, 8, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	m.section[1].data.n--;
	image_symbol(&m, table,
		(struct elf_symbol){ STR(""), 0x1020, 8, 1, ELF_FUNC, ELF_GLOBAL, 0 });
	m.section[1].data.n -= 1;
	t = table_of(&m, &b, &e);
	CHECK_STR(name_at(t, 0x1000), STR("good"));
	CHECK_STR(name_at(t, 0x1010), STR("-"));
	CHECK_STR(name_at(t, 0x1020), STR("-"));
	symtab_free(t);
	elf_close(e);
	for (size_t n = 0; n < b.n; n += 7) {
		buf_clear(&copy);
		buf_str(&copy, str_head(buf_view(&b), n));
		e = elf_of_memory(buf_view(&copy), &why);
		if (!e)
			continue;
		t = symtab_new();
		symtab_add_elf(t, e);
		symtab_add_plt(t, e);
		symtab_seal(t, SYMTAB_BEST, true);
		(void)symtab_find(t, 0x1000);
		symtab_free(t);
		elf_close(e);
	}
	buf_release(&b);
	buf_release(&copy);
}

/* Dense and sparse symbols, the ends of the address space, and few or no symbols. */
UNIT(any_address_is_found_wherever_symbols_lie)
{
	uint64_t seed = 5, starts[400], at;
	bool there;
	struct symtab_symbol s = { .size = 1, .name = STR("x"), .binding = ELF_GLOBAL };
	const struct symtab_symbol *found;
	size_t n, i, j;

	for (n = 0; n < 400; n += n < 10 ? 1 : 97) {
		struct symtab *t = symtab_new();

		for (i = 0; i < n; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			starts[i] = i % 7 ? 0x1000 + (seed >> 40) % 2000 : seed;
			s.start = i == 1 ? 0 : i == 2 ? UINT64_MAX - 1 : starts[i];
			starts[i] = s.start;
			symtab_add(t, &s);
		}
		symtab_seal(t, SYMTAB_LAST, false);
		for (i = 0; i < 3 * n + 3; i++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			at = n && i % 3 ? starts[i / 3 % n] + i % 3 - 1 : seed;
			there = false;
			for (j = 0; j < n; j++)
				there |= starts[j] == at;
			found = symtab_find(t, at);
			CHECK((found != NULL) == there);
			CHECK(!found || found->start == at);
		}
		symtab_free(t);
	}
}

UNIT_MAIN
