/* SPDX-License-Identifier: ISC */
/* Tables of functions as Go's linker writes them: gopclntab.h. */
#include "gopclntab.h"
#include "elf-image.h"
#include "mem.h"
#include "unit.h"

/* Where elf-image.h puts the first section, and what the table says of text. */
enum { TABLE = 64 + 56, TEXT = 0x10000, SIZE = 0x40 };
enum { GO_2 = 0xfb, GO_16 = 0xfa, GO_18 = 0xf0, GO_20 = 0xf1 };
/* Names, and their places. */
static const char names[] = "main.a\0main.b\0leaf\0mid";
enum { A = 0, B = 7, LEAF = 14, MID = 19 };

/* Calls by place in main.a: nothing, leaf within mid, mid, nothing; each 16 bytes. */
static const char values[] = "\0\0\20\4\20\1\20\1\20";

static void
put_at(struct buf *b, size_t at, unsigned size, uint64_t v)
{
	size_t n = b->n;

	b->n = at;
	image_put(b, size, v);
	b->n = n;
}

static void
put_function(struct buf *b, int version, uint64_t entry, uint32_t name)
{
	if (version < GO_18 || version > GO_20) {
		image_put(b, 8, TEXT + entry);
		image_put(b, 4, name);
		return;
	}
	image_put(b, 4, entry);
	image_put(b, 4, name);
	image_put(b, 20, 0); /* args ... pcln */
	image_put(b, 4, 3);
	image_put(b, version == GO_20 ? 8 : 4, 0);
	image_put(b, 3, 0);
	image_put(b, 1, 4);
	image_put(b, 8, 0);
	image_put(b, 4, name == A);
	for (int i = 0; i < 3; i++)
		image_put(b, 4, UINT32_MAX);
	image_put(b, 4, name == A ? 0 : UINT32_MAX);
}

/* The table of 1.16 and later. */
static void
put_table(struct buf *b, int version, uint64_t text)
{
	bool old = version == GO_16;
	size_t word = old ? 8 : 4, parts = old ? 24 : 32, pairs;

	image_put(b, 4, 0xffffff00 | (unsigned)version);
	image_put(b, 4, 0x08010000);
	image_put(b, 8, 2);
	image_put(b, 8, 0);
	if (!old)
		image_put(b, 8, text);
	for (int i = 0; i < 5; i++)
		image_put(b, 8, 0);
	put_at(b, parts, 8, b->n);
	buf_str(b, (struct str){ names, sizeof names });
	put_at(b, parts + 24, 8, b->n);
	buf_str(b, (struct str){ values, sizeof values });
	put_at(b, parts + 32, 8, b->n);
	pairs = b->n;
	image_put(b, (unsigned)(5 * word), 0);
	for (unsigned i = 0; i < 3; i++) {
		put_at(b, pairs + 2 * i * word, (unsigned)word,
			(old ? TEXT : 0) + i * SIZE);
		if (i < 2)
			put_at(b, pairs + (2 * i + 1) * word, (unsigned)word,
				b->n - pairs);
		if (i < 2)
			put_function(b, version, i * SIZE, i ? B : A);
	}
}

/* The table of 1.2, in which all counts from its start. */
static void
put_first_table(struct buf *b)
{
	size_t names_at;

	image_put(b, 4, 0xfffffffb);
	image_put(b, 4, 0x08010000);
	image_put(b, 8, 2);
	image_put(b, 40, 0);
	names_at = b->n;
	buf_str(b, (struct str){ names, sizeof names });
	for (unsigned i = 0; i < 3; i++)
		put_at(b, 16 + 16 * i, 8, TEXT + i * SIZE);
	put_at(b, 24, 8, b->n);
	put_function(b, GO_2, 0, (uint32_t)names_at + A);
	put_at(b, 40, 8, b->n);
	put_function(b, GO_2, SIZE, (uint32_t)names_at + B);
}

/* One of the tree of inlined functions. */
static void
put_call(struct buf *b, int version, uint32_t name, uint32_t parent)
{
	image_put(b, version == GO_20 ? 4 : 12, 0);
	image_put(b, 4, name);
	image_put(b, 4, parent);
	image_put(b, version == GO_20 ? 4 : 0, 0);
}

/* A program, into FILE, whose table is in SECTION and says that text begins at TEXT. */
static void
make_program(struct buf *file, int version, const char *section, uint64_t text)
{
	struct image m = { .machine = ELF_X86_64 };
	unsigned word = version == GO_20 ? 40 : 38;
	uint64_t module;
	struct buf *data;

	image_section(&m, section, ELF_PROGBITS, ELF_FLAG_ALLOC, &data);
	m.section[0].address = TABLE;
	if (version == GO_2)
		put_first_table(data);
	else
		put_table(data, version, text);
	module = TABLE + data->n + -data->n % 8;
	image_section(&m, ".noptrdata", ELF_PROGBITS, ELF_FLAG_ALLOC, &data);
	m.section[1].address = module;
	image_put(data, 8, 0xabcdef);
	image_put(data, 8, TABLE);
	for (unsigned i = 1; i <= word; i++)
		image_put(data, 8, i == 22 ? TEXT : i == word ? module + data->n + 8 : 0);
	put_call(data, version, MID, 8);
	put_call(data, version, LEAF, 0x28);
	image_section(&m, ".go.buildinfo", ELF_PROGBITS, ELF_FLAG_ALLOC, &data);
	image_end(&m, file);
}

/* The names at ADDRESS, innermost first. */
static struct str
chain(struct gopclntab *g, uint64_t address, struct buf *b)
{
	struct inlines_frame frames[8];
	size_t n = gopclntab_find(g, address, frames, 8);

	buf_clear(b);
	for (size_t i = 0; i < n; i++) {
		CHECK(frames[i].inlined == (i + 1 < n));
		buf_str(b, frames[i].name);
		buf_char(b, ' ');
	}
	return buf_view(b);
}

static struct str
name_at(struct symtab *t, uint64_t address)
{
	const struct symtab_symbol *s = symtab_find(t, address);

	return s ? s->name : STR("-");
}

/* The program in FILE names its functions; with INLINED also what was inlined. */
static void
check_program(struct buf *file, bool inlined)
{
	const char *why;
	struct elf *e = elf_of_memory(buf_view(file), &why);
	struct gopclntab *g = gopclntab_new(e);
	struct symtab *t = symtab_new();
	struct buf b = { 0 };

	CHECK(g != NULL);
	if (g) {
		CHECK_U64(gopclntab_add(g, t), 2);
		symtab_seal(t, SYMTAB_BEST, true);
		CHECK_STR(name_at(t, TEXT - 1), STR("-"));
		CHECK_STR(name_at(t, TEXT), STR("main.a"));
		CHECK_STR(name_at(t, TEXT + SIZE - 1), STR("main.a"));
		CHECK_STR(name_at(t, TEXT + SIZE), STR("main.b"));
		CHECK_STR(name_at(t, TEXT + 2 * SIZE), STR("-"));
		CHECK_STR(chain(g, TEXT - 1, &b), STR(""));
		CHECK_STR(chain(g, TEXT, &b), inlined ? STR("main.a ") : STR(""));
		CHECK_STR(chain(g, TEXT + 0x1f, &b),
			inlined ? STR("leaf mid main.a ") : STR(""));
		CHECK_STR(chain(g, TEXT + 0x20, &b),
			inlined ? STR("mid main.a ") : STR(""));
		CHECK_STR(chain(g, TEXT + 0x30, &b), inlined ? STR("main.a ") : STR(""));
		CHECK_STR(chain(g, TEXT + SIZE, &b), inlined ? STR("main.b ") : STR(""));
	}
	buf_release(&b);
	symtab_free(t);
	gopclntab_free(g);
	elf_close(e);
	buf_release(file);
}

UNIT(tables_of_all_versions)
{
	static const int versions[] = { GO_2, GO_16, GO_18, GO_20 };
	struct buf file = { 0 };

	for (int i = 0; i < 4; i++) {
		make_program(&file, versions[i], ".gopclntab", TEXT);
		check_program(&file, versions[i] == GO_18 || versions[i] == GO_20);
	}
}

/* As in programs that move, which C linkers made, and of Go 1.26. */
UNIT(tables_elsewhere_and_without_the_start_of_text)
{
	struct buf file = { 0 };

	make_program(&file, GO_20, ".data.rel.ro.gopclntab", TEXT);
	check_program(&file, true);
	make_program(&file, GO_20, ".data.rel.ro", TEXT);
	check_program(&file, true);
	make_program(&file, GO_20, ".gopclntab", 0);
	check_program(&file, true);
	make_program(&file, GO_18, ".gopclntab", 0);
	check_program(&file, true);
}

/* What can be done with BYTES as a program. */
static void
try_program(struct str bytes)
{
	struct inlines_frame frames[8];
	const char *why;
	struct elf *e = elf_of_memory(bytes, &why);
	struct gopclntab *g = e ? gopclntab_new(e) : NULL;
	struct symtab *t = symtab_new();

	if (g)
		(void)gopclntab_add(g, t);
	for (uint64_t at = TEXT; g && at < TEXT + 2 * SIZE; at += 8)
		CHECK(gopclntab_find(g, at, frames, 8) <= 8);
	symtab_free(t);
	gopclntab_free(g);
	elf_close(e);
}

UNIT(damaged_tables)
{
	static const int versions[] = { GO_2, GO_16, GO_18, GO_20 };
	struct buf file = { 0 };
	char *copy;

	for (int i = 0; i < 4; i++) {
		make_program(&file, versions[i], ".gopclntab", TEXT);
		for (size_t at = TABLE; at < file.n; at++) {
			for (int v = 0; v < 3; v++) {
				copy = mem_alloc(file.n);
				memcpy(copy, file.s, file.n);
				copy[at] = (char)(v ? v == 1 ? 0xff : copy[at] + 1 : 0);
				try_program((struct str){ copy, file.n });
				free(copy);
			}
			if (at > 200)
				at += 2;
		}
		buf_release(&file);
	}
}

UNIT(programs_of_other_languages_have_no_table)
{
	struct image m = { .machine = ELF_X86_64 };
	struct buf file = { 0 }, *data;
	const char *why;
	struct elf *e;

	image_section(&m, ".data.rel.ro", ELF_PROGBITS, ELF_FLAG_ALLOC, &data);
	put_table(data, GO_20, TEXT);
	image_end(&m, &file);
	e = elf_of_memory(buf_view(&file), &why);
	CHECK(e && !gopclntab_new(e));
	elf_close(e);
	buf_release(&file);
}

UNIT_MAIN
