/* SPDX-License-Identifier: ISC */
/*
 * Hand-made DWARF, for forms that compilers do not emit: buffers for each section,
 * numbers in either byte order, and an ELF file around them.
 *
 *	struct image m = { .version = 5, .word = 8, .offset = 4 };
 *
 *	image_unit(&m, 0);		header
 *	image_uleb(&m.info, 1);		entries
 *	image_end(&m);			length
 *	elf = image_open(&m);
 *	image_release(&m);		after elf_close
 */
#ifndef DWARF_IMAGE_H
#define DWARF_IMAGE_H

#include <stdio.h>

#include "buf.h"
#include "elf.h"
#include "elf-memory.h"
#include "mem.h"

enum { IMAGE_EXTRA = 14 };

struct image {
	unsigned version; /* of the next unit */
	unsigned word;	  /* bytes of an address: 4 or 8, also the class of the file */
	unsigned offset;  /* bytes of an offset: 4 or 8 */
	unsigned unit_type;
	bool big;
	bool split;	   /* its sections are called .dwo */
	uint16_t elf_type; /* 0: ELF_EXEC */
	struct buf info, abbrev, str, line_str, str_offsets, addr, ranges, rnglists,
		altlink, sup, line, cu_index, aranges, gdb_index;
	size_t unit; /* offset of the current unit */
	struct buf file;
};

static inline void
image_put(struct buf *b, bool big, unsigned size, uint64_t v)
{
	for (unsigned i = 0; i < size; i++) {
		unsigned at = big ? size - 1 - i : i;

		buf_char(b, at < 8 ? (char)(v >> 8 * at) : '\0');
	}
}

static inline void
image_uleb(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_char(b, (char)(v | 0x80));
	buf_char(b, (char)v);
}

static inline void
image_sleb(struct buf *b, int64_t v)
{
	for (; v < -64 || v > 63; v = v < 0 ? ~(~v >> 7) : v >> 7)
		buf_char(b, (char)((v & 0x7f) | 0x80));
	buf_char(b, (char)(v & 0x7f));
}

/* Writes TEXT and a terminator; returns its offset. */
static inline size_t
image_cstr(struct buf *b, const char *text)
{
	size_t at = b->n;

	buf_str(b, str_of(text));
	buf_char(b, '\0');
	return at;
}

/* Begins a unit with the abbreviations at offset ABBREVS. */
static inline void
image_unit(struct image *m, uint64_t abbrevs)
{
	m->unit = m->info.n;
	if (m->offset == 8)
		image_put(&m->info, m->big, 4, 0xffffffff);
	image_put(&m->info, m->big, m->offset, 0);
	image_put(&m->info, m->big, 2, m->version);
	if (m->version >= 5) {
		buf_char(&m->info, (char)(m->unit_type ? m->unit_type : 1));
		buf_char(&m->info, (char)m->word);
	}
	image_put(&m->info, m->big, m->offset, abbrevs);
	if (m->version < 5)
		buf_char(&m->info, (char)m->word);
}

static inline void
image_end(struct image *m)
{
	size_t n = m->info.n, start = m->unit + (m->offset == 8 ? 12 : 4);

	m->info.n = m->unit + (m->offset == 8 ? 4 : 0);
	image_put(&m->info, m->big, m->offset, n - start);
	m->info.n = n;
}

static inline void
image_header(struct buf *b, const struct image *m, size_t table, unsigned sections)
{
	bool wide = m->word == 8;

	buf_str(b, STR("\177ELF"));
	buf_char(b, wide ? 2 : 1);
	buf_char(b, m->big ? 2 : 1);
	buf_char(b, 1);
	image_put(b, m->big, 9, 0);
	image_put(b, m->big, 2, m->elf_type ? m->elf_type : ELF_EXEC);
	image_put(b, m->big, 2, wide ? ELF_X86_64 : ELF_ARM);
	image_put(b, m->big, 4, 1);
	image_put(b, m->big, m->word, 0);
	image_put(b, m->big, m->word, 0);
	image_put(b, m->big, m->word, table);
	image_put(b, m->big, 4, 0);
	image_put(b, m->big, 2, wide ? 64 : 52);
	image_put(b, m->big, 2, wide ? 56 : 32);
	image_put(b, m->big, 2, 0);
	image_put(b, m->big, 2, wide ? 64 : 40);
	image_put(b, m->big, 2, sections);
	image_put(b, m->big, 2, sections - 1);
}

/* Writes an entry of the section table. */
static inline void
image_section(struct buf *b, const struct image *m, size_t name, unsigned type, size_t at,
	size_t size)
{
	image_put(b, m->big, 4, name);
	image_put(b, m->big, 4, type);
	image_put(b, m->big, m->word, 0);
	image_put(b, m->big, m->word, 0);
	image_put(b, m->big, m->word, at);
	image_put(b, m->big, m->word, size);
	image_put(b, m->big, 4, 0);
	image_put(b, m->big, 4, 0);
	image_put(b, m->big, m->word, 1);
	image_put(b, m->big, m->word, 0);
}

/* The file with the non-empty sections of M, borrowed from M. */
static inline struct str
image_file(struct image *m)
{
	const struct {
		const char *name;
		const struct buf *data;
	} parts[IMAGE_EXTRA] = { { ".debug_info", &m->info },
		{ ".debug_abbrev", &m->abbrev }, { ".debug_str", &m->str },
		{ ".debug_line_str", &m->line_str },
		{ ".debug_str_offsets", &m->str_offsets }, { ".debug_addr", &m->addr },
		{ ".debug_ranges", &m->ranges }, { ".debug_rnglists", &m->rnglists },
		{ ".gnu_debugaltlink", &m->altlink }, { ".debug_sup", &m->sup },
		{ ".debug_line", &m->line }, { ".debug_cu_index", &m->cu_index },
		{ ".debug_aranges", &m->aranges }, { ".gdb_index", &m->gdb_index } };
	struct buf names = { 0 }, body = { 0 }, table = { 0 };
	size_t head = m->word == 8 ? 64 : 52, at, n = 2;

	buf_char(&names, '\0');
	image_section(&table, m, 0, 0, 0, 0);
	for (size_t i = 0; i < IMAGE_EXTRA; i++) {
		if (!parts[i].data->n)
			continue;
		at = image_cstr(&names, parts[i].name);
		if (m->split && parts[i].data != &m->cu_index) {
			names.n--;
			image_cstr(&names, ".dwo");
		}
		image_section(
			&table, m, at, ELF_PROGBITS, head + body.n, parts[i].data->n);
		buf_str(&body, buf_view(parts[i].data));
		n++;
	}
	at = image_cstr(&names, ".shstrtab");
	image_section(&table, m, at, ELF_STRTAB, head + body.n, names.n);
	buf_str(&body, buf_view(&names));
	buf_clear(&m->file);
	image_header(&m->file, m, head + body.n, (unsigned)n);
	buf_str(&m->file, buf_view(&body));
	buf_str(&m->file, buf_view(&table));
	buf_release(&names);
	buf_release(&body);
	buf_release(&table);
	return buf_view(&m->file);
}

static inline struct elf *
image_open(struct image *m)
{
	const char *why = NULL;
	struct elf *e = elf_of_memory(image_file(m), &why);

	if (!e)
		printf("an image that is no ELF file: %s\n", why);
	return e;
}

static inline void
image_release(struct image *m)
{
	struct buf *all[] = { &m->info, &m->abbrev, &m->str, &m->line_str,
		&m->str_offsets, &m->addr, &m->ranges, &m->rnglists, &m->altlink, &m->sup,
		&m->line, &m->cu_index, &m->aranges, &m->gdb_index, &m->file };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		buf_release(all[i]);
}

#endif
