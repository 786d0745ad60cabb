/* SPDX-License-Identifier: ISC */
/* ELF files for tests of their readers: sections, symbols, one segment. */
#ifndef ELF_IMAGE_H
#define ELF_IMAGE_H

#include "buf.h"
#include "elf.h"
#include "elf-memory.h"

enum { IMAGE_SECTIONS = 16 };

/* Zeroed except for machine; sections are added by image_section. */
struct image {
	uint16_t machine, type;
	bool narrow; /* 32 bits */
	struct {
		const char *name;
		uint32_t type, link, info;
		uint64_t flags, address, size, entry_size;
		struct buf data;
		size_t offset;
	} section[IMAGE_SECTIONS];
	size_t n; /* without section 0 */
};

static inline void
image_put(struct buf *b, unsigned size, uint64_t v)
{
	for (unsigned i = 0; i < size; i++)
		buf_char(b, i < 8 ? (char)(v >> 8 * i) : '\0');
}

/* Adds a section; returns its number. Its content is to be written to *DATA. */
static inline uint32_t
image_section(struct image *m, const char *name, uint32_t type, uint64_t flags,
	struct buf **data)
{
	m->section[m->n].name = name;
	m->section[m->n].type = type;
	m->section[m->n].flags = flags;
	*data = &m->section[m->n].data;
	return (uint32_t)++m->n;
}

/* Adds a string table and a symbol table of TYPE with an empty first symbol; returns
 * its number. */
static inline uint32_t
image_symtab(struct image *m, const char *name, uint32_t type)
{
	struct buf *data;
	uint32_t strings = image_section(m, ".strings", ELF_STRTAB, 0, &data);
	uint32_t table;

	buf_char(data, '\0');
	table = image_section(m, name, type, 0, &data);
	m->section[table - 1].link = strings;
	m->section[table - 1].entry_size = m->narrow ? 16 : 24;
	for (unsigned i = 0; i < (m->narrow ? 16 : 24); i++)
		buf_char(data, '\0');
	return table;
}

static inline void
image_symbol(struct image *m, uint32_t table, struct elf_symbol s)
{
	struct buf *names = &m->section[m->section[table - 1].link - 1].data;
	struct buf *b = &m->section[table - 1].data;

	image_put(b, 4, names->n);
	buf_str(names, s.name);
	buf_char(names, '\0');
	if (m->narrow) {
		image_put(b, 4, s.value);
		image_put(b, 4, s.size);
	}
	image_put(b, 1, (unsigned)s.binding << 4 | s.type);
	image_put(b, 1, s.visibility);
	image_put(b, 2, s.section);
	if (!m->narrow) {
		image_put(b, 8, s.value);
		image_put(b, 8, s.size);
	}
}

static inline void
image_build_id(struct image *m, struct str id)
{
	struct buf *b;

	image_section(m, ".note.gnu.build-id", ELF_NOTE, ELF_FLAG_ALLOC, &b);
	image_put(b, 4, 4);
	image_put(b, 4, id.n);
	image_put(b, 4, 3);
	buf_str(b, (struct str){ "GNU", 4 });
	buf_str(b, id);
	while (b->n % 4)
		buf_char(b, '\0');
}

static inline void
image_put_section(struct buf *b, const struct image *m, size_t i, uint64_t name)
{
	unsigned word = m->narrow ? 4 : 8;

	image_put(b, 4, name);
	image_put(b, 4, m->section[i].type);
	image_put(b, word, m->section[i].flags);
	image_put(b, word, m->section[i].address);
	image_put(b, word, m->section[i].offset);
	image_put(
		b, word, m->section[i].size ? m->section[i].size : m->section[i].data.n);
	image_put(b, 4, m->section[i].link);
	image_put(b, 4, m->section[i].info);
	image_put(b, word, 4);
	image_put(b, word, m->section[i].entry_size);
}

/* Lays out the sections; returns the offset of the section table. */
static inline size_t
image_place(struct image *m, size_t at)
{
	for (size_t i = 0; i < m->n; i++) {
		at += -at % 8;
		m->section[i].offset = at;
		at += m->section[i].data.n;
	}
	return at + -at % 8;
}

/* Writes the header, and a segment of the first SIZE bytes. */
static inline void
image_put_header(struct buf *b, const struct image *m, size_t size)
{
	unsigned word = m->narrow ? 4 : 8, head = m->narrow ? 52 : 64;

	image_put(b, 4, 0x464c457f);
	image_put(b, 3, m->narrow ? 0x010101 : 0x010102);
	image_put(b, 9, 0);
	image_put(b, 2, m->type ? m->type : ELF_DYN);
	image_put(b, 2, m->machine);
	image_put(b, 4, 1);
	image_put(b, word, 0);
	image_put(b, word, head);
	image_put(b, word, size);
	image_put(b, 4, 0);
	image_put(b, 2, head);
	image_put(b, 2, m->narrow ? 32 : 56);
	image_put(b, 2, 1);
	image_put(b, 2, m->narrow ? 40 : 64);
	image_put(b, 2, m->n + 1);
	image_put(b, 2, m->n);
	image_put(b, 4, ELF_LOAD);
	if (!m->narrow)
		image_put(b, 4, 5);
	image_put(b, 3 * word, 0);
	image_put(b, word, size);
	image_put(b, word, size);
	if (m->narrow)
		image_put(b, 4, 5);
	image_put(b, word, 4096);
}

/* Writes the file to B and empties M. A single segment at address 0 contains the whole
 * file, so that file offsets are addresses. */
static inline void
image_end(struct image *m, struct buf *b)
{
	uint64_t names[IMAGE_SECTIONS];
	struct buf *strings;
	size_t i, end;

	image_section(m, ".shstrtab", ELF_STRTAB, 0, &strings);
	buf_char(strings, '\0');
	for (i = 0; i < m->n; i++) {
		names[i] = strings->n;
		buf_str(strings, str_of(m->section[i].name));
		buf_char(strings, '\0');
	}
	end = image_place(m, m->narrow ? 52 + 32 : 64 + 56);
	image_put_header(b, m, end);
	for (i = 0; i < m->n; i++) {
		while (b->n < m->section[i].offset)
			buf_char(b, '\0');
		buf_str(b, buf_view(&m->section[i].data));
	}
	while (b->n < end)
		buf_char(b, '\0');
	image_put(b, m->narrow ? 40 : 64, 0);
	for (i = 0; i < m->n; i++)
		image_put_section(b, m, i, names[i]);
	for (i = 0; i < m->n; i++)
		buf_release(&m->section[i].data);
	*m = (struct image){ 0 };
}

#endif
