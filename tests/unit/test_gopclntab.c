/* SPDX-License-Identifier: ISC */
/* Function tables as written by Go's linker: gopclntab.h. */
#include "symbols/gopclntab.h"
#include "symbols/cfi.h"
#include "elf-image.h"
#include "mem.h"
#include "unit.h"

/* The offset of elf-image.h's first section, and the table's address and size of text. */
enum { TABLE = 64 + 56, TEXT = 0x10000, SIZE = 0x40 };
enum { GO_2 = 0xfb, GO_16 = 0xfa, GO_18 = 0xf0, GO_20 = 0xf1 };
/* Names, and their offsets. */
static const char names[] = "main.a\0main.b\0leaf\0mid";
enum { A = 0, B = 7, LEAF = 14, MID = 19 };

/* Calls by place in main.a: nothing, leaf within mid, mid, nothing; each 16 bytes. */
static const char values[] =
	"\0\0\20\4\20\1\20\1\20\0"
	/* Of main.a and main.b: 0 bytes of stack, 24 from the 16th byte on; */
	"\2\20\60\60\0"
	/* file 1; */
	"\4\100\0"
	/* line 10, and 12 from the 16th byte on. */
	"\26\20\4\60";
enum { CALLS = 1, DEPTH = 10, FILES = 15, LINES = 18 };
static const char files[] = "other.go\0a.go";
enum { FILE_A = 9, UNIT_A = 1 };

static void
put_at(struct buf *b, size_t at, unsigned size, uint64_t v)
{
	size_t n = b->n;

	b->n = at;
	image_put(b, size, v);
	b->n = n;
}

/* VALUES_AT: offset of the values, for versions that count from another start. */
static void
put_function(struct buf *b, int version, uint64_t entry, uint32_t name, size_t values_at)
{
	bool is_new = version == GO_18 || version == GO_20;

	image_put(b, is_new ? 4 : 8, (is_new ? 0 : TEXT) + entry);
	image_put(b, 4, name);
	image_put(b, 8, 0); /* args, deferreturn */
	image_put(b, 4, values_at + DEPTH);
	image_put(b, 4, values_at + FILES);
	image_put(b, 4, values_at + LINES);
	image_put(b, 4, is_new ? 3 : 0);
	if (version == GO_2)
		return;
	image_put(b, 4, UNIT_A);
	image_put(b, version == GO_20 ? 4 : 0, 0);
	image_put(b, 1, 0);
	/* main.b is the first of all. */
	image_put(b, 1, name == B);
	image_put(b, 1, 0);
	image_put(b, 1, is_new ? 4 : 0);
	if (!is_new)
		return;
	image_put(b, 8, 0);
	image_put(b, 4, name == A ? CALLS : 0);
	for (int i = 0; i < 3; i++)
		image_put(b, 4, UINT32_MAX);
	image_put(b, 4, name == A ? 0 : UINT32_MAX);
}

/* The table of Go 1.16 and later. */
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
	put_at(b, parts + 8, 8, b->n);
	image_put(b, 8, 0);
	image_put(b, 4, FILE_A);
	put_at(b, parts + 16, 8, b->n);
	buf_str(b, (struct str){ files, sizeof files });
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
			put_function(b, version, i * SIZE, i ? B : A, 0);
	}
}

/* The table of Go 1.2, with all offsets from its start. */
static void
put_first_table(struct buf *b)
{
	size_t names_at, values_at;

	image_put(b, 4, 0xfffffffb);
	image_put(b, 4, 0x08010000);
	image_put(b, 8, 2);
	image_put(b, 44, 0);
	names_at = b->n;
	buf_str(b, (struct str){ names, sizeof names });
	values_at = b->n;
	buf_str(b, (struct str){ values, sizeof values });
	buf_str(b, (struct str){ files, sizeof files });
	put_at(b, 16 + 40, 4, b->n);
	image_put(b, 4, 1);
	image_put(b, 4, values_at + sizeof values + FILE_A);
	for (unsigned i = 0; i < 3; i++)
		put_at(b, 16 + 16 * i, 8, TEXT + i * SIZE);
	put_at(b, 24, 8, b->n);
	put_function(b, GO_2, 0, (uint32_t)names_at + A, values_at);
	put_at(b, 40, 8, b->n);
	put_function(b, GO_2, SIZE, (uint32_t)names_at + B, values_at);
}

/* An entry of the tree of inlined functions. */
static void
put_call(struct buf *b, int version, uint32_t name, uint32_t parent)
{
	image_put(b, version == GO_20 ? 4 : 12, 0);
	image_put(b, 4, name);
	image_put(b, 4, parent);
	image_put(b, version == GO_20 ? 4 : 0, 0);
}

/* Writes a program to FILE, with its table in SECTION and TEXT as the start of text. */
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
	size_t n = gopclntab_find(g, address, frames, NULL, 8);

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

/* The lines at ADDRESS, innermost first. */
static struct str
line_chain(struct gopclntab *g, uint64_t address, struct buf *b)
{
	struct inlines_frame frames[8];
	struct inlines_place lines[8];
	size_t n = gopclntab_find(g, address, frames, lines, 8);

	buf_clear(b);
	for (size_t i = 0; i < n; i++) {
		buf_str(b, lines[i].file);
		buf_fmt(b, ":%u ", (unsigned)lines[i].line);
	}
	return buf_view(b);
}

/* Checks that the frame at ADDRESS is KIND and has DEPTH bytes. */
static void
check_frame(
	struct gopclntab *g, uint64_t address, enum gopclntab_kind kind, uint32_t depth)
{
	struct gopclntab_frame frame = { GOPCLNTAB_SWITCHED, 0 };

	CHECK(gopclntab_frame(g, address, &frame));
	CHECK_U64(frame.kind, kind);
	CHECK_U64(frame.depth, depth);
}

/* Checks the frame depths and lines of the functions in the program of VERSION in
 * FILE. */
static void
check_frames(struct buf *file, int version)
{
	bool inlined = version == GO_18 || version == GO_20;
	const char *why;
	struct elf *e = elf_of_memory(buf_view(file), &why);
	struct gopclntab *g = gopclntab_new(e);
	struct gopclntab_frame frame;
	struct buf b = { 0 };

	CHECK(g != NULL);
	if (g) {
		CHECK(!gopclntab_frame(g, TEXT - 1, &frame));
		CHECK(!gopclntab_frame(g, TEXT + 2 * SIZE, &frame));
		check_frame(g, TEXT, GOPCLNTAB_CALLED, 0);
		check_frame(g, TEXT + 0xf, GOPCLNTAB_CALLED, 0);
		check_frame(g, TEXT + 0x10, GOPCLNTAB_CALLED, 24);
		check_frame(g, TEXT + SIZE + 0x3f,
			version == GO_2 ? GOPCLNTAB_CALLED : GOPCLNTAB_OUTERMOST, 24);
		CHECK_STR(line_chain(g, TEXT - 1, &b), STR(""));
		CHECK_STR(line_chain(g, TEXT, &b), STR("a.go:10 "));
		CHECK_STR(line_chain(g, TEXT + 0x1f, &b),
			inlined ? STR("a.go:12 a.go:12 a.go:10 ") : STR("a.go:12 "));
		CHECK_STR(line_chain(g, TEXT + SIZE + 0x10, &b), STR("a.go:12 "));
	}
	buf_release(&b);
	gopclntab_free(g);
	elf_close(e);
	buf_release(file);
}

/* Checks the function names of the program in FILE; with INLINED also of inlined
 * functions. */
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
		CHECK_STR(chain(g, TEXT, &b), STR("main.a "));
		CHECK_STR(chain(g, TEXT + 0x1f, &b),
			inlined ? STR("leaf mid main.a ") : STR("main.a "));
		CHECK_STR(chain(g, TEXT + 0x20, &b),
			inlined ? STR("mid main.a ") : STR("main.a "));
		CHECK_STR(chain(g, TEXT + 0x30, &b), STR("main.a "));
		CHECK_STR(chain(g, TEXT + SIZE, &b), STR("main.b "));
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

UNIT(lines_and_depths_of_all_versions)
{
	static const int versions[] = { GO_2, GO_16, GO_18, GO_20 };
	struct buf file = { 0 };

	for (int i = 0; i < 4; i++) {
		make_program(&file, versions[i], ".gopclntab", TEXT);
		check_frames(&file, versions[i]);
	}
}

enum { SP = 7, BP = 6, RA = 16 };

/* Checks the call frame information of functions: the CFA is at DEPTH, with the return
 * address above the stack pointer. */
static void
check_row(struct cfi *c, uint64_t address, int64_t depth)
{
	struct cfi_row row;

	CHECK(cfi_find(c, address, &row));
	CHECK(row.start <= address && address < row.end);
	CHECK(row.cfa.kind == CFI_REGISTER && row.cfa.reg == SP);
	CHECK_U64(row.cfa.n, depth + 8);
	CHECK(row.return_register == RA && !row.signal && !row.switched);
	CHECK(row.rules[RA].kind == CFI_OFFSET && row.rules[RA].n == -8);
	CHECK_U64(row.rules[BP].kind, depth ? CFI_OFFSET : CFI_UNSPECIFIED);
}

UNIT(functions_have_rows_of_call_frame_information)
{
	static const int versions[] = { GO_2, GO_16, GO_18, GO_20 };
	struct buf file = { 0 };
	struct cfi_row row;
	const char *why;
	struct elf *e;
	struct cfi *c;

	for (int i = 0; i < 4; i++) {
		make_program(&file, versions[i], ".gopclntab", TEXT);
		e = elf_of_memory(buf_view(&file), &why);
		c = cfi_new(e, NULL);
		CHECK(c != NULL);
		check_row(c, TEXT, 0);
		check_row(c, TEXT + 0x10, 24);
		CHECK(!cfi_find(c, TEXT - 1, &row));
		CHECK(!cfi_find(c, TEXT + 2 * SIZE, &row));
		CHECK(cfi_find(c, TEXT + SIZE, &row));
		CHECK_U64(row.rules[RA].kind,
			versions[i] == GO_2 ? CFI_OFFSET : CFI_UNDEFINED);
		cfi_free(c);
		elf_close(e);
		buf_release(&file);
	}
}

/* As in position-independent programs, programs linked by C linkers, and Go 1.26. */
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

/* Calls every accessor for BYTES as a program. */
static void
try_program(struct str bytes)
{
	struct inlines_frame frames[8];
	struct inlines_place lines[8];
	struct gopclntab_frame frame;
	const char *why;
	struct elf *e = elf_of_memory(bytes, &why);
	struct gopclntab *g = e ? gopclntab_new(e) : NULL;
	struct symtab *t = symtab_new();

	if (g)
		(void)gopclntab_add(g, t);
	for (uint64_t at = TEXT; g && at < TEXT + 2 * SIZE; at += 8) {
		CHECK(gopclntab_find(g, at, frames, lines, 8) <= 8);
		(void)gopclntab_frame(g, at, &frame);
	}
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
