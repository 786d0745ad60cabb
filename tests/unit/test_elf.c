/* SPDX-License-Identifier: ISC */
/* Hand-made ELF files in both widths and byte orders: elf.h. */
#include "elf.h"
#include "buf.h"
#include "elf-memory.h"
#include "msg.h"
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>
#if HAVE_ZSTD
#include <zstd.h>
#endif

enum { PARTS = 16 };

/* The parts of a file. Section 0 is implicit, .shstrtab is the last. */
struct image {
	bool wide, big;
	bool extended; /* counts are in section 0 */
	struct {
		const char *name;
		uint32_t type, link;
		uint64_t flags, address, align, entry_size;
		struct str data;
	} section[PARTS];
	size_t section_n;
	struct {
		uint32_t type, flags;
		uint64_t offset, address, file_size, memory_size, align;
	} segment[PARTS];
	size_t segment_n;
	/* set by make_image */
	uint64_t offset[PARTS + 2]; /* of each section */
	size_t section_table, segment_table;
};

static void
put(struct buf *b, bool big, unsigned size, uint64_t v)
{
	for (unsigned i = 0; i < size; i++)
		buf_char(b, (char)(v >> 8 * (big ? size - 1 - i : i)));
}

/* Overwrites SIZE bytes at AT. */
static void
set(struct buf *b, size_t at, bool big, unsigned size, uint64_t v)
{
	size_t n = b->n;

	b->n = at;
	put(b, big, size, v);
	b->n = n;
}

static void
pad(struct buf *b, size_t unit)
{
	while (b->n % unit)
		buf_char(b, '\0');
}

static void
put_header(struct buf *b, const struct image *m)
{
	unsigned word = m->wide ? 8 : 4;
	size_t shown = m->extended ? 0 : m->section_n + 2;

	buf_str(b,
		STR("\x7f"
		    "ELF"));
	buf_char(b, m->wide ? 2 : 1);
	buf_char(b, m->big ? 2 : 1);
	buf_char(b, 1);
	while (b->n < 16)
		buf_char(b, '\0');
	put(b, m->big, 2, ELF_DYN);
	put(b, m->big, 2, ELF_RISCV);
	put(b, m->big, 4, 1);
	put(b, m->big, word, 0x1040);
	put(b, m->big, word, m->segment_table);
	put(b, m->big, word, m->section_table);
	put(b, m->big, 4, 0);
	put(b, m->big, 2, m->wide ? 64 : 52);
	put(b, m->big, 2, m->wide ? 56 : 32);
	put(b, m->big, 2, m->extended ? 0xffff : m->segment_n);
	put(b, m->big, 2, m->wide ? 64 : 40);
	put(b, m->big, 2, shown);
	put(b, m->big, 2, m->extended ? 0xffff : m->section_n + 1);
}

static void
put_segments(struct buf *b, const struct image *m)
{
	unsigned word = m->wide ? 8 : 4;

	for (size_t i = 0; i < m->segment_n; i++) {
		put(b, m->big, 4, m->segment[i].type);
		if (m->wide)
			put(b, m->big, 4, m->segment[i].flags);
		put(b, m->big, word, m->segment[i].offset);
		put(b, m->big, word, m->segment[i].address);
		put(b, m->big, word, 0);
		put(b, m->big, word, m->segment[i].file_size);
		put(b, m->big, word, m->segment[i].memory_size);
		if (!m->wide)
			put(b, m->big, 4, m->segment[i].flags);
		put(b, m->big, word, m->segment[i].align);
	}
}

/* An entry of the section table: NUMBERS are its words from the flags on. */
static void
put_section(struct buf *b, const struct image *m, uint32_t name, uint32_t type,
	const uint64_t numbers[8])
{
	unsigned word = m->wide ? 8 : 4;

	put(b, m->big, 4, name);
	put(b, m->big, 4, type);
	for (int i = 0; i < 8; i++)
		put(b, m->big, i == 4 || i == 5 ? 4 : word, numbers[i]);
}

static void
put_sections(struct buf *b, struct image *m, struct str names)
{
	uint32_t name = 1;

	put_section(b, m, 0, 0,
		(uint64_t[8]){ 0, 0, 0, m->extended ? m->section_n + 2 : 0,
			m->extended ? m->section_n + 1 : 0,
			m->extended ? m->segment_n : 0, 0, 0 });
	for (size_t i = 0; i < m->section_n; i++) {
		put_section(b, m, name, m->section[i].type,
			(uint64_t[8]){ m->section[i].flags, m->section[i].address,
				m->offset[i + 1], m->section[i].data.n,
				m->section[i].link, 0, m->section[i].align,
				m->section[i].entry_size });
		name += (uint32_t)strlen(m->section[i].name) + 1;
	}
	put_section(b, m, name, ELF_STRTAB,
		(uint64_t[8]){ 0, 0, m->offset[m->section_n + 1], names.n, 0, 0, 1, 0 });
}

/* Writes the file to B: header, segments, then sections. */
static void
make_image(struct buf *b, struct image *m)
{
	struct buf names = { 0 };

	buf_clear(b);
	put_header(b, m);
	m->segment_table = b->n;
	put_segments(b, m);
	buf_char(&names, '\0');
	for (size_t i = 0; i < m->section_n; i++) {
		pad(b, 8);
		m->offset[i + 1] = b->n;
		buf_str(b, m->section[i].data);
		buf_str(&names, str_of(m->section[i].name));
		buf_char(&names, '\0');
	}
	buf_str(&names, STR(".shstrtab"));
	buf_char(&names, '\0');
	m->offset[m->section_n + 1] = b->n;
	buf_str(b, buf_view(&names));
	pad(b, 8);
	m->section_table = b->n;
	put_sections(b, m, buf_view(&names));

	size_t whole = b->n;

	b->n = 0;
	put_header(b, m);
	b->n = whole;
	buf_release(&names);
}

static void
add_section(struct image *m, const char *name, uint32_t type, struct str data)
{
	m->section[m->section_n].name = name;
	m->section[m->section_n].type = type;
	m->section[m->section_n++].data = data;
}

/* A copy of exactly its size, so that reads beyond the end are detected. */
static struct elf *
open_image(const struct buf *b, const char **why)
{
	char *block = malloc(b->n ? b->n : 1);

	memcpy(block, b->s ? b->s : "", b->n);
	return elf_of_block(block, b->n, why);
}

static struct elf *
open_good(const struct buf *b)
{
	const char *why = "";
	struct elf *e = open_image(b, &why);

	CHECK_STR(str_of(why), STR(""));
	if (!e)
		exit(1);
	return e;
}

static void
put_note(struct buf *b, bool big, size_t unit, struct str owner, uint32_t type,
	struct str payload)
{
	put(b, big, 4, owner.n);
	put(b, big, 4, payload.n);
	put(b, big, 4, type);
	buf_str(b, owner);
	pad(b, unit);
	buf_str(b, payload);
	pad(b, unit);
}

static void
put_symbol(struct buf *b, const struct image *m, uint32_t name, uint64_t value,
	uint64_t size, unsigned char info, uint16_t section)
{
	put(b, m->big, 4, name);
	if (!m->wide) {
		put(b, m->big, 4, value);
		put(b, m->big, 4, size);
	}
	buf_char(b, (char)info);
	buf_char(b, 2);
	put(b, m->big, 2, section);
	if (m->wide) {
		put(b, m->big, 8, value);
		put(b, m->big, 8, size);
	}
}

/* Calls every accessor of E. */
static uint64_t
walk(struct elf *e)
{
	uint64_t sum = 0, there = 0;

	for (size_t i = 0; i < e->section_n; i++) {
		const struct elf_section *s = &e->sections[i];
		struct str data = elf_data(e, s);
		size_t n = elf_symbol_count(e, s);
		struct elf_symbol sym;

		sum += str_hash(s->name);
		for (size_t k = 0; k < data.n; k++)
			sum += (unsigned char)data.s[k];
		for (size_t k = 0; k < n && k < 100; k++)
			sum += elf_symbol(e, s, k, &sym) ? str_hash(sym.name) : 0;
	}
	for (size_t i = 0; i < e->segment_n; i++) {
		struct str data = elf_from(e, e->segments[i].address);

		sum += data.n ? (unsigned char)data.s[data.n - 1] : 0;
	}
	for (uint64_t at = 1; at && at < UINT64_MAX / 2; at *= 2) {
		sum += elf_address(e, at, &there) ? there : 0;
		sum += elf_offset(e, at, &there) ? there : 0;
	}
	return sum + str_hash(e->build_id);
}

/* The base file of most tests. Its parts live in PIECES. */
static void
start(struct image *m, bool wide, bool big, struct buf pieces[3])
{
	*m = (struct image){ .wide = wide, .big = big };
	put_symbol(&pieces[0], m, 0, 0, 0, 0, 0);
	put_symbol(&pieces[0], m, 1, 0x1040, 32, ELF_GLOBAL << 4 | ELF_FUNC, 1);
	put_symbol(&pieces[0], m, 6, 0x10000, 0, ELF_WEAK << 4 | ELF_OBJECT, 0xfff1);
	put_symbol(&pieces[0], m, 7777, 1, 0, ELF_LOCAL << 4, 1);
	put_note(&pieces[1], big, 4, (struct str){ "GNU", 4 }, 1, STR("abi"));
	put_note(&pieces[1], big, 4, (struct str){ "GNU", 4 }, 3, STR("\1\2\3\4\5"));
	add_section(m, ".text", ELF_PROGBITS, STR("code of the program"));
	m->section[0].flags = ELF_FLAG_ALLOC | ELF_FLAG_EXEC;
	m->section[0].address = 0x1040;
	add_section(m, ".symtab", ELF_SYMTAB, buf_view(&pieces[0]));
	m->section[1].link = 3;
	m->section[1].entry_size = wide ? 24 : 16;
	add_section(m, ".strtab", ELF_STRTAB, (struct str){ "\0main\0_end", 11 });
	add_section(m, ".note.gnu.build-id", ELF_NOTE, buf_view(&pieces[1]));
	m->section[3].align = 4;
	m->segment[0].type = ELF_LOAD;
	m->segment[0].file_size = 100;
	m->segment[0].memory_size = 200;
	m->segment[0].align = 0x1000;
	m->segment[1].type = ELF_LOAD;
	m->segment[1].flags = ELF_SEGMENT_EXEC;
	m->segment[1].offset = 90;
	m->segment[1].address = 0x1090;
	m->segment[1].file_size = 60;
	m->segment_n = 2;
}

static void
release(struct buf pieces[3])
{
	for (int i = 0; i < 3; i++)
		buf_release(&pieces[i]);
}

static void
check_all(struct elf *e, const struct image *m)
{
	const struct elf_section *s = elf_section(e, ".symtab");
	struct elf_symbol sym;

	CHECK(e->wide == m->wide);
	CHECK(e->type == ELF_DYN && e->machine == ELF_RISCV && e->entry == 0x1040);
	CHECK_U64(e->section_n, 6);
	CHECK_STR(e->sections[5].name, STR(".shstrtab"));
	CHECK_U64(e->sections[1].address, 0x1040);
	CHECK_U64(e->sections[1].flags, ELF_FLAG_ALLOC | ELF_FLAG_EXEC);
	CHECK_STR(elf_data(e, elf_section(e, ".text")), STR("code of the program"));
	CHECK(elf_section(e, ".data") == NULL && !elf_data(e, NULL).n);
	CHECK_STR(e->build_id, STR("\1\2\3\4\5"));
	CHECK_U64(elf_symbol_count(e, s), 4);
	CHECK(elf_symbol(e, s, 0, &sym) && !sym.name.n);
	CHECK(elf_symbol(e, s, 1, &sym));
	CHECK_STR(sym.name, STR("main"));
	CHECK(sym.value == 0x1040 && sym.size == 32 && sym.section == 1);
	CHECK(sym.type == ELF_FUNC && sym.binding == ELF_GLOBAL && sym.visibility == 2);
	CHECK(elf_symbol(e, s, 2, &sym));
	CHECK_STR(sym.name, STR("_end"));
	CHECK(sym.binding == ELF_WEAK && sym.type == ELF_OBJECT && sym.section == 0xfff1);
	CHECK(!elf_symbol(e, s, 3, &sym)); /* its name is outside of the table */
	CHECK(!elf_symbol(e, s, 4, &sym));
	CHECK_U64(elf_symbol_count(e, elf_section(e, ".text")), 0);
	CHECK_U64(elf_symbol_count(e, NULL), 0);
	CHECK_U64(e->segment_n, 2);
	CHECK(e->segments[0].memory_size == 200 && e->segments[0].align == 0x1000);
}

UNIT(both_widths_and_orders)
{
	for (int kind = 0; kind < 8; kind++) {
		struct buf pieces[3] = { 0 }, file = { 0 };
		struct image m;
		struct elf *e;

		start(&m, kind & 1, kind & 2, pieces);
		m.extended = kind & 4;
		make_image(&file, &m);
		e = open_good(&file);
		check_all(e, &m);

		struct bytes b = elf_bytes(e, elf_section(e, ".note.gnu.build-id"));

		CHECK_U64(bytes_u32(&b), 4);
		elf_close(e);
		buf_release(&file);
		release(pieces);
	}
}

UNIT(places_and_addresses)
{
	struct buf pieces[3] = { 0 }, file = { 0 };
	struct image m;
	struct elf *e;
	uint64_t found = 0;

	start(&m, true, false, pieces);
	make_image(&file, &m);
	e = open_good(&file);
	CHECK(elf_address(e, 10, &found) && found == 10);
	CHECK(elf_address(e, 89, &found) && found == 89);
	CHECK(elf_address(e, 90, &found) && found == 0x1090); /* code comes first */
	CHECK(elf_address(e, 149, &found) && found == 0x1090 + 59);
	CHECK(!elf_address(e, 150, &found));
	CHECK(elf_offset(e, 99, &found) && found == 99);
	CHECK(!elf_offset(e, 100, &found)); /* in memory only */
	CHECK(elf_offset(e, 0x1091, &found) && found == 91);
	CHECK(!elf_offset(e, 0x108f, &found) && !elf_offset(e, UINT64_MAX, &found));
	CHECK_STR(elf_from(e, e->segments[1].address),
		str_head(str_from(e->bytes, 90), 60));
	CHECK_STR(elf_from(e, 0x1095), str_head(str_from(e->bytes, 95), 55));
	CHECK_U64(elf_from(e, 0x3000).n, 0);
	elf_close(e);
	m.segment[1].file_size = UINT64_MAX;
	make_image(&file, &m);
	e = open_good(&file);
	CHECK_U64(elf_from(e, e->segments[1].address).n, 0);
	CHECK_U64(elf_from(e, 0x1095).n, 0);
	elf_close(e);
	buf_release(&file);
	release(pieces);
}

UNIT(other_files_are_not_elf)
{
	struct buf pieces[3] = { 0 }, file = { 0 };
	struct image m;
	const char *why = "";

	CHECK(!elf_of_memory((struct str){ 0 }, &why));
	CHECK_STR(str_of(why), STR("is empty"));
	CHECK(!elf_of_memory(STR("#!/bin/sh\nexec something else\n"), &why));
	CHECK_STR(str_of(why), STR("is not an ELF file"));
	start(&m, true, false, pieces);
	make_image(&file, &m);
	for (size_t at = 0; at < 6; at++) {
		file.s[at] ^= 0x40;
		CHECK(!open_image(&file, &why));
		file.s[at] ^= 0x40;
	}
	elf_close(open_good(&file));
	elf_close(NULL);
	buf_release(&file);
	release(pieces);
}

/* Each prefix, and each byte changed: nothing beyond the file is read. */
UNIT(torn_and_changed_files_are_safe)
{
	static const unsigned char changes[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
	struct buf file = { 0 }, whole = { 0 };
	const char *why;

	for (int kind = 0; kind < 8; kind++) {
		struct buf pieces[3] = { 0 };
		struct image m;

		start(&m, kind & 1, kind & 2, pieces);
		m.extended = kind & 4;
		make_image(&whole, &m);
		for (size_t n = 0; n < whole.n; n++) {
			struct elf *e;

			buf_clear(&file);
			buf_str(&file, str_head(buf_view(&whole), n));
			e = open_image(&file, &why);
			CHECK((e != NULL) == (n >= (m.wide ? 64 : 52)));
			if (e)
				(void)walk(e);
			elf_close(e);
		}
		for (size_t i = 0; i < whole.n * sizeof changes; i++) {
			size_t at = i / sizeof changes;
			char was = whole.s[at];
			struct elf *e;

			whole.s[at] = (char)changes[i % sizeof changes];
			e = open_image(&whole, &why);
			if (e)
				(void)walk(e);
			elf_close(e);
			whole.s[at] = was;
		}
		release(pieces);
	}
	buf_release(&file);
	buf_release(&whole);
}

/* Offsets in the header of 64-bit files. */
enum { AT_SEGMENTS = 32, AT_SECTIONS = 40, AT_SIZES = 54 };

UNIT(a_damaged_table_is_empty)
{
	static const struct {
		size_t at;
		unsigned size;
		uint64_t value;
		bool sections; /* which table to change */
	} cases[] = {
		{ AT_SEGMENTS, 8, UINT64_MAX, false },
		{ AT_SEGMENTS, 8, UINT64_MAX - 60, false },
		{ AT_SIZES, 2, 55, false },
		{ AT_SIZES, 2, 0xffff, false },
		{ AT_SIZES + 2, 2, 0xfffe, false },
		{ AT_SECTIONS, 8, UINT64_MAX, true },
		{ AT_SECTIONS, 8, 0, true },
		{ AT_SIZES + 4, 2, 0, true },
		{ AT_SIZES + 4, 2, 63, true },
		{ AT_SIZES + 6, 2, 0xfeff, true },
	};
	struct buf pieces[3] = { 0 }, file = { 0 };
	struct image m;

	start(&m, true, true, pieces);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct elf *e;

		make_image(&file, &m);
		set(&file, cases[i].at, true, cases[i].size, cases[i].value);
		e = open_good(&file);
		CHECK_U64(e->section_n, cases[i].sections ? 0 : 6);
		CHECK_U64(e->segment_n, cases[i].sections ? 2 : 0);
		(void)walk(e);
		elf_close(e);
	}
	buf_release(&file);
	release(pieces);
}

UNIT(names_that_lie_outside_are_empty)
{
	struct buf pieces[3] = { 0 }, file = { 0 };
	struct image m;
	struct elf *e;

	start(&m, true, false, pieces);
	make_image(&file, &m);
	set(&file, m.section_table + 64, false, 4, 0xfffffff0);
	set(&file, m.section_table + 2 * 64 + 40, false, 4, 77); /* .symtab's link */
	e = open_good(&file);
	CHECK_U64(e->sections[1].name.n, 0);
	CHECK_STR(e->sections[2].name, STR(".symtab"));
	CHECK_U64(elf_symbol_count(e, &e->sections[2]), 4);
	CHECK(!elf_symbol(e, &e->sections[2], 1, &(struct elf_symbol){ 0 }));
	elf_close(e);
	set(&file, AT_SIZES + 8, false, 2, 700); /* index of the name section */
	e = open_good(&file);
	CHECK(e->section_n == 6 && !e->sections[2].name.n);
	elf_close(e);
	buf_release(&file);
	release(pieces);
}

UNIT(symbols_of_other_sizes_and_cut_tables)
{
	struct buf pieces[3] = { 0 }, file = { 0 };
	struct image m;
	struct elf *e;
	struct elf_symbol sym;
	size_t table;

	start(&m, true, false, pieces);
	make_image(&file, &m);
	table = m.section_table + 2 * 64;
	set(&file, table + 56, false, 8, 48); /* each second one */
	e = open_good(&file);
	CHECK_U64(elf_symbol_count(e, &e->sections[2]), 2);
	CHECK(elf_symbol(e, &e->sections[2], 1, &sym));
	CHECK_STR(sym.name, STR("_end"));
	elf_close(e);
	set(&file, table + 56, false, 8, 0); /* as old tools left it */
	set(&file, table + 32, false, 8, 24 * 2 + 23);
	e = open_good(&file);
	CHECK_U64(elf_symbol_count(e, &e->sections[2]), 2);
	elf_close(e);
	set(&file, table + 56, false, 8, UINT64_MAX);
	e = open_good(&file);
	CHECK_U64(elf_symbol_count(e, &e->sections[2]), 0);
	elf_close(e);
	set(&file, table + 32, false, 8, file.n);
	e = open_good(&file);
	CHECK_U64(elf_symbol_count(e, &e->sections[2]), 0);
	CHECK_U64(elf_data(e, &e->sections[2]).n, 0);
	elf_close(e);
	buf_release(&file);
	release(pieces);
}

/* A table whose name claims compression has as many entries as it claims, but none is
 * accessible. */
UNIT(symbols_of_a_table_that_is_not_plain)
{
	struct image m = { .wide = true };
	struct buf file = { 0 };
	struct elf *e;
	struct elf_symbol sym;

	add_section(&m, ".zdebug_symbols", ELF_SYMTAB,
		STR("ZLIB as text, as long as two symbols, or longer"));
	m.section[0].link = 2;
	make_image(&file, &m);
	e = open_good(&file);
	CHECK(!elf_symbol(e, &e->sections[1], 0, &sym));
	elf_close(e);
	buf_release(&file);
}

UNIT(text_in_a_table)
{
	struct str table = { "\0abc\0def", 8 }, text;

	CHECK(elf_text(table, 0, 10, &text) && text.n == 0);
	CHECK(elf_text(table, 1, 4, &text));
	CHECK_STR(text, STR("abc"));
	CHECK(elf_text(table, 3, 4, &text));
	CHECK_STR(text, STR("c"));
	CHECK(!elf_text(table, 1, 3, &text));
	CHECK(!elf_text(table, 5, 10, &text));
	CHECK(!elf_text(table, 8, 10, &text) && !elf_text(table, UINT64_MAX, 1, &text));
	CHECK(!elf_text((struct str){ 0 }, 0, 10, &text));
}

/* The note TYPE of OWNER in the first section of E. */
static struct str
note(struct elf *e, struct str owner, uint32_t type)
{
	const struct elf_section *s = &e->sections[1];

	return elf_note(elf_bytes(e, s), s->align, owner, type);
}

UNIT(notes_are_padded_by_their_alignment)
{
	for (size_t unit = 4; unit <= 8; unit += 4) {
		for (int big = 0; big < 2; big++) {
			struct buf notes = { 0 }, file = { 0 };
			struct image m = { .wide = true, .big = big };
			struct elf *e;

			put_note(
				&notes, big, unit, (struct str){ "A", 2 }, 3, STR("odd"));
			put_note(&notes, big, unit, STR("GNU"), 5, STR("123456789"));
			put_note(&notes, big, unit, (struct str){ "GNU", 4 }, 3,
				STR("identity"));
			add_section(&m, ".notes", ELF_NOTE, buf_view(&notes));
			m.section[0].align = unit;
			make_image(&file, &m);
			e = open_good(&file);
			CHECK_STR(e->build_id, STR("identity"));
			CHECK_STR(note(e, STR("A"), 3), STR("odd"));
			CHECK_STR(note(e, STR("GNU"), 5), STR("123456789"));
			CHECK_U64(note(e, STR("A"), 5).n, 0);
			elf_close(e);
			buf_release(&file);
			buf_release(&notes);
		}
	}
}

UNIT(notes_of_a_file_without_sections)
{
	struct buf notes = { 0 }, file = { 0 };
	struct image m = { .wide = true };
	struct elf *e;

	put_note(&notes, false, 4, (struct str){ "GNU", 4 }, 3, STR("identity!"));
	add_section(&m, ".text", ELF_PROGBITS, buf_view(&notes));
	m.segment[0].type = ELF_SEGMENT_NOTE;
	m.segment_n = 1;
	make_image(&file, &m);
	m.segment[0].offset = m.offset[1];
	m.segment[0].file_size = notes.n;
	make_image(&file, &m);
	e = open_good(&file);
	CHECK_STR(e->build_id, STR("identity!"));
	elf_close(e);
	/* Without the padding at its end, and cut before it. */
	m.segment[0].file_size = notes.n - 3;
	make_image(&file, &m);
	e = open_good(&file);
	CHECK_STR(e->build_id, STR("identity!"));
	elf_close(e);
	m.segment[0].file_size = notes.n - 4;
	make_image(&file, &m);
	e = open_good(&file);
	CHECK_U64(e->build_id.n, 0);
	elf_close(e);
	buf_release(&file);
	buf_release(&notes);
}

static void
add_zlib(struct buf *b, struct str s)
{
	uLongf n = compressBound(s.n);

	CHECK(compress((Bytef *)buf_room(b, n), &n, (const Bytef *)s.s, s.n) == Z_OK);
	b->n += n;
}

static void
put_packing(struct buf *b, const struct image *m, uint32_t type, uint64_t size)
{
	put(b, m->big, 4, type);
	if (m->wide)
		put(b, m->big, 4, 0);
	put(b, m->big, m->wide ? 8 : 4, size);
	put(b, m->big, m->wide ? 8 : 4, 1);
}

/* The unpacked .debug_info, made with the header HEADER and content CONTENT. */
static bool
is_plain(struct image *m, const char *name, const struct buf *data, struct str expected)
{
	struct buf file = { 0 };
	struct elf *e;
	struct str got, again;
	bool same;

	m->section_n = 0;
	add_section(m, name, ELF_PROGBITS, buf_view(data));
	m->section[0].flags = name[1] == 'z' ? 0 : ELF_FLAG_COMPRESSED;
	make_image(&file, m);
	e = open_good(&file);
	got = elf_data(e, elf_section(e, ".debug_info"));
	same = str_eq(got, expected);
	again = elf_data(e, elf_section(e, ".debug_info"));
	CHECK(again.s == got.s && again.n == got.n);
	elf_close(e);
	buf_release(&file);
	return same;
}

UNIT(compressed_sections)
{
	struct buf text = { 0 }, data = { 0 };

	for (int i = 0; i < 1000; i++)
		buf_u64(&text, (uint64_t)i);
	for (int kind = 0; kind < 4; kind++) {
		struct image m = { .wide = kind & 1, .big = kind & 2 };

		buf_clear(&data);
		put_packing(&data, &m, 1, text.n);
		add_zlib(&data, buf_view(&text));
		CHECK(is_plain(&m, ".debug_info", &data, buf_view(&text)));
		buf_clear(&data);
		buf_str(&data, STR("ZLIB"));
		put(&data, true, 8, text.n);
		add_zlib(&data, buf_view(&text));
		CHECK(is_plain(&m, ".zdebug_info", &data, buf_view(&text)));
#if HAVE_ZSTD
		buf_clear(&data);
		put_packing(&data, &m, 2, text.n);
		data.n +=
			ZSTD_compress(buf_room(&data, text.n), text.n, text.s, text.n, 3);
		CHECK(is_plain(&m, ".debug_info", &data, buf_view(&text)));
#endif
	}
	buf_release(&text);
	buf_release(&data);
}

UNIT(false_claims_of_compression_give_nothing)
{
	static const struct {
		uint32_t type;
		uint64_t size;
		size_t cut;
	} cases[] = {
		{ 0, 9, 0 },
		{ 3, 9, 0 },
		{ 2, 9, 0 },
		{ 1, 8, 0 },
		{ 1, 10, 0 },
		{ 1, 0, 0 },
		{ 1, UINT64_C(1) << 32, 0 },
		{ 1, UINT64_MAX, 0 },
		{ 1, 9, 1 },
		{ 1, 9, 15 },
		{ 1, 9, 25 },
	};
	struct image m = { .wide = true };
	struct buf data = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		buf_clear(&data);
		put_packing(&data, &m, cases[i].type, cases[i].size);
		add_zlib(&data, STR("plaintext"));
		data.n -= cases[i].cut;
		CHECK(is_plain(&m, ".debug_info", &data, STR("")));
	}
	buf_clear(&data);
	buf_str(&data, STR("ZLIX"));
	put(&data, true, 8, 9);
	add_zlib(&data, STR("plaintext"));
	CHECK(is_plain(&m, ".zdebug_info", &data, STR("")));
	buf_release(&data);
}

/* A section's size may be correct and still be too large for its file: many sections
 * may share one bomb. */
UNIT(decompression_has_a_limit)
{
	struct buf bomb = { 0 }, zeroes = { 0 }, file = { 0 };
	struct image m = { .wide = true };
	struct elf *e;
	uint64_t sum = 0;

	memset(buf_room(&zeroes, 900000), 0, 900000);
	zeroes.n = 900000;
	put_packing(&bomb, &m, 1, zeroes.n);
	add_zlib(&bomb, buf_view(&zeroes));
	for (int i = 0; i < 10; i++) {
		add_section(&m, ".debug_info", ELF_PROGBITS, buf_view(&bomb));
		m.section[i].flags = ELF_FLAG_COMPRESSED;
		if (i)
			m.section[i].data.n = 0;
	}
	make_image(&file, &m);
	for (int i = 1; i < 10; i++) { /* all have the bytes of the first */
		set(&file, m.section_table + (size_t)(i + 1) * 64 + 24, false, 8,
			m.offset[1]);
		set(&file, m.section_table + (size_t)(i + 1) * 64 + 32, false, 8, bomb.n);
	}
	e = open_good(&file);
	for (size_t i = 0; i < e->section_n; i++)
		sum += elf_data(e, &e->sections[i]).n;
	CHECK(sum >= 900000 && sum < file.n * 1032 + (1 << 20));
	CHECK(sum < 10 * 900000);
	elf_close(e);
	buf_release(&bomb);
	buf_release(&zeroes);
	buf_release(&file);
}

UNIT(the_plain_section_comes_before_the_old_compressed_one)
{
	struct image m = { .wide = true };
	struct buf file = { 0 };
	struct elf *e;

	add_section(&m, ".zdebug_line", ELF_PROGBITS, STR("ZLIB"));
	add_section(&m, ".debug_line", ELF_PROGBITS, STR("plain"));
	add_section(&m, ".zdebug_str", ELF_PROGBITS, STR("ZLIB"));
	add_section(&m, ".bss", ELF_NOBITS, STR("nothing"));
	make_image(&file, &m);
	e = open_good(&file);
	CHECK(elf_section(e, ".debug_line") == &e->sections[2]);
	CHECK(elf_section(e, ".debug_str") == &e->sections[3]);
	CHECK(elf_section(e, ".zdebug_str") == &e->sections[3]);
	CHECK(elf_section(e, ".ebug_str") == NULL);
	CHECK(elf_section(e, ".debug_") == NULL);
	CHECK_U64(elf_data(e, elf_section(e, ".bss")).n, 0);
	elf_close(e);
	buf_release(&file);
}

UNIT(files_are_opened)
{
	char path[] = "/tmp/fg-test-elf-XXXXXX";
	struct buf pieces[3] = { 0 }, file = { 0 };
	const char *why = "";
	struct image m;
	struct elf *e;
	int fd = mkstemp(path);

	CHECK(!elf_open(path, &why));
	CHECK_STR(str_of(why), STR("is empty"));
	start(&m, true, false, pieces);
	make_image(&file, &m);
	CHECK(write(fd, file.s, file.n) == (ssize_t)file.n);
	close(fd);
	e = elf_open(path, &why);
	CHECK(e != NULL);
	if (e)
		check_all(e, &m);
	elf_close(e);
	unlink(path);
	CHECK(!elf_open(path, &why));
	CHECK_STR(str_of(why), STR("does not exist"));
	CHECK(mkfifo(path, 0600) == 0);
	CHECK(!elf_open(path, &why)); /* and does not wait for a writer */
	CHECK_STR(str_of(why), STR("is not a regular file"));
	unlink(path);
	CHECK(!elf_open("/", &why));
	CHECK_STR(str_of(why), STR("is not a regular file"));
	CHECK(!elf_open("/dev/null", &why));
	CHECK_STR(str_of(why), STR("is not a regular file"));
	buf_release(&file);
	release(pieces);
}

UNIT(a_file_removed_meanwhile_is_trouble)
{
	char path[] = "/tmp/fg-test-elf-XXXXXX";
	struct buf pieces[3] = { 0 }, file = { 0 };
	const char *why = "";
	struct image m;
	struct elf *e;
	int fd = mkstemp(path);

	start(&m, true, false, pieces);
	make_image(&file, &m);
	CHECK(write(fd, file.s, file.n) == (ssize_t)file.n);
	e = elf_open(path, &why);
	CHECK(e && ftruncate(fd, 0) == 0 && e->bytes.s[0] == 0);
	CHECK_U64((uint64_t)msg_status(MSG_DONE), MSG_DONE);
	elf_close(e);
	CHECK_U64((uint64_t)msg_status(MSG_DONE), MSG_TROUBLE);
	close(fd);
	unlink(path);
	buf_release(&file);
	release(pieces);
}

/* This program itself. */
UNIT(a_real_program)
{
	const char *why = "";
	struct elf *e = elf_open("/proc/self/exe", &why);
	const struct elf_section *s;
	struct elf_symbol sym;
	uint64_t there = 0, back = 0;
	bool found = false;

	if (!e) {
		printf("skipped: /proc/self/exe %s\n", why);
		return;
	}
	s = elf_section(e, ".symtab");
	for (size_t i = 0; i < elf_symbol_count(e, s); i++)
		if (elf_symbol(e, s, i, &sym) && str_eq(sym.name, STR("elf_open"))) {
			found = true;
			CHECK(sym.type == ELF_FUNC && sym.binding == ELF_GLOBAL);
			CHECK(elf_offset(e, sym.value, &there));
			CHECK(elf_address(e, there, &back) && back == sym.value);
		}
	CHECK(found);
	(void)walk(e);
	elf_close(e);
}

UNIT_MAIN
