/* SPDX-License-Identifier: ISC */
/*
 * Addresses, symbols and notes in ELF files; see elf.h. (System V ABI, chapter
 * 5, Note Section; notes of GNU with an alignment of 8 are padded to that.)
 */
#include "elf.h"

/* A segment of the process that holds WHERE, in the file or in memory. */
static const struct elf_segment *
find_load(const struct elf *e, uint64_t where, bool in_memory)
{
	const struct elf_segment *s, *found = NULL;
	const struct elf_segment *end = e->segment_n ? e->segments + e->segment_n : NULL;

	for (s = e->segments; s < end; s++) {
		uint64_t start = in_memory ? s->address : s->offset;

		if (s->type != ELF_LOAD || where < start || where - start >= s->file_size)
			continue;
		if (s->flags & ELF_SEGMENT_EXEC)
			return s;
		found = found ? found : s;
	}
	return found;
}

bool
elf_address(const struct elf *e, uint64_t offset, uint64_t *address)
{
	const struct elf_segment *s = find_load(e, offset, false);

	if (s)
		*address = s->address + (offset - s->offset);
	return s != NULL;
}

bool
elf_offset(const struct elf *e, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *s = find_load(e, address, true);

	if (s)
		*offset = s->offset + (address - s->address);
	return s != NULL;
}

struct str
elf_segment_data(const struct elf *e, const struct elf_segment *s)
{
	return elf_slice(e, s->offset, s->file_size);
}

struct str
elf_from(const struct elf *e, uint64_t address)
{
	const struct elf_segment *s = find_load(e, address, true);
	struct str data;

	if (!s)
		return (struct str){ 0 };
	data = elf_segment_data(e, s);
	return data.n ? str_from(data, (size_t)(address - s->address)) : data;
}

/* The size of an entry of the symbol table S, 0 when it is none. */
static uint64_t
symbol_size(const struct elf *e, const struct elf_section *s)
{
	const uint64_t least = e->wide ? 24 : 16;

	if (!s || (s->type != ELF_SYMTAB && s->type != ELF_DYNSYM))
		return 0;
	return s->entry_size > least ? s->entry_size : least;
}

size_t
elf_symbol_count(const struct elf *e, const struct elf_section *s)
{
	uint64_t size = symbol_size(e, s);

	if (!size || s->flags & ELF_FLAG_COMPRESSED)
		return 0;
	return (size_t)(elf_slice(e, s->offset, s->size).n / size);
}

static void
read_symbol(const struct elf *e, struct bytes b, struct elf_symbol *sym)
{
	uint8_t info, other;

	if (!e->wide) {
		sym->value = bytes_u32(&b);
		sym->size = bytes_u32(&b);
	}
	info = bytes_u8(&b);
	other = bytes_u8(&b);
	sym->section = bytes_u16(&b);
	if (e->wide) {
		sym->value = bytes_u64(&b);
		sym->size = bytes_u64(&b);
	}
	sym->type = info & 0xf;
	sym->binding = info >> 4;
	sym->visibility = other & 3;
}

bool
elf_symbol(struct elf *e, const struct elf_section *s, size_t i, struct elf_symbol *sym)
{
	/* Names of templates and of generated code can be very long. */
	enum { NAME_MOST = 1 << 16 };
	struct bytes b;
	uint32_t name;

	if (i >= elf_symbol_count(e, s) || s->link >= e->section_n)
		return false;
	b = elf_bytes(e, s);
	bytes_skip(&b, i * symbol_size(e, s));
	if (bytes_left(&b) < symbol_size(e, s)) /* decompressed, it may be shorter */
		return false;
	name = bytes_u32(&b);
	read_symbol(e, b, sym);
	return elf_text(elf_data(e, &e->sections[s->link]), name, NAME_MOST, &sym->name);
}

bool
elf_text(struct str table, uint64_t at, size_t max, struct str *text)
{
	struct str left;
	const char *nul;

	if (at >= table.n)
		return false;
	left = str_head(str_from(table, (size_t)at), max);
	nul = memchr(left.s, '\0', left.n);
	if (!nul)
		return false;
	*text = (struct str){ left.s, (size_t)(nul - left.s) };
	return true;
}

/* Passes over what fills N bytes up to a multiple of ALIGN, if it is there: the
 * last note may go without. */
static void
skip_padding(struct bytes *b, uint32_t n, uint32_t align)
{
	uint32_t pad = (align - n % align) % align;

	bytes_skip(b, pad < bytes_left(b) ? pad : bytes_left(b));
}

struct str
elf_note_among(struct bytes notes, uint64_t align, struct str owner, uint32_t type)
{
	const uint32_t unit = align == 8 ? 8 : 4;

	while (bytes_left(&notes)) {
		uint32_t name_size = bytes_u32(&notes), size = bytes_u32(&notes);
		uint32_t found = bytes_u32(&notes);
		struct str name = bytes_take(&notes, name_size), payload;

		/* The three numbers before the name are 12 bytes. */
		skip_padding(&notes, name_size + 12 % unit, unit);
		payload = bytes_take(&notes, size);
		skip_padding(&notes, size, unit);
		if (notes.bad)
			break;
		if (name.n && !name.s[name.n - 1])
			name.n--;
		if (found == type && str_eq(name, owner))
			return payload;
	}
	return (struct str){ 0 };
}

/* Sections come first: a file of debug information has the segments of the
 * program it was made from, whose places in the file mean nothing in it. Notes
 * lie beside one another, so what is looked at is no more than the file has;
 * tables that name the same bytes again and again are left. */
struct str
elf_note(struct elf *e, struct str owner, uint32_t type)
{
	struct str found = { 0 }, data;
	uint64_t seen = 0, most = 2 * (uint64_t)e->bytes.n, align;
	size_t i, n = e->section_n + e->segment_n;

	for (i = 0; i < n && !found.n && seen <= most; i++) {
		const struct elf_section *s = i < e->section_n ? &e->sections[i] : NULL;
		const struct elf_segment *g = s ? NULL : &e->segments[i - e->section_n];

		if (s ? s->type != ELF_NOTE : g->type != ELF_SEGMENT_NOTE)
			continue;
		data = s ? elf_data(e, s) : elf_segment_data(e, g);
		align = s ? s->align : g->align;
		found = elf_note_among(bytes_of(data, e->swap), align, owner, type);
		seen += data.n;
	}
	return found;
}
