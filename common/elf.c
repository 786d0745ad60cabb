/* SPDX-License-Identifier: ISC */
/*
 * ELF files; see elf.h: their tables, compressed sections, lookups, and opening. Layouts: System V
 * ABI, chapters 4 and 5; the gABI on SHF_COMPRESSED; for .zdebug_*, its predecessor, the manual of
 * ld; GNU notes with an alignment of 8 are padded to that.
 */
#include "elf.h"
#include "budget.h"
#include "mem.h"
#include "regular.h"
#include "inflate.h"

#include <errno.h>
#include <unistd.h>

enum { IDENT_SIZE = 16, CLASS_32 = 1, CLASS_64 = 2, DATA_LITTLE = 1, DATA_BIG = 2 };
enum { MANY_SEGMENTS = 0xffff, MANY_NAMES = 0xffff };
enum { COMPRESSED_ZLIB = 1, COMPRESSED_ZSTD = 2 };
enum { SECTION_NAME_MAX = 4096 };

/* The limit of decompressed bytes for all sections of a file; zlib's best ratio for the file's size
 * limits them too. */
#define PLAIN_MAX (UINT64_C(4) << 30)
enum { BLOCK_MOST = 1 << 30 };
enum { PLAIN_RATIO = 1032, PLAIN_LEAST = 1 << 20 };

struct elf_plain {
	bool done;
	struct buf bytes;
};

struct header {
	uint64_t segments, sections;
	uint32_t segment_n, section_n, names;
	uint16_t segment_size, section_size;
};

static bool
is_big_endian(void)
{
	const uint16_t one = 1;
	unsigned char first;

	memcpy(&first, &one, 1);
	return first == 0;
}

/* N bytes at OFFSET of the file; empty when they exceed it. */
static struct str
slice(const struct elf *e, uint64_t offset, uint64_t n)
{
	if (offset > e->bytes.n || n > e->bytes.n - offset)
		return (struct str){ 0 };
	return (struct str){ e->bytes.s + offset, (size_t)n };
}

static uint64_t
read_word(struct bytes *b, bool wide)
{
	return wide ? bytes_u64(b) : bytes_u32(b);
}

/* Reads the file's header; false when it is not an ELF file. */
static bool
read_header(struct elf *e, struct header *h)
{
	struct bytes b;
	const char *ident = e->bytes.s;

	if (e->bytes.n < IDENT_SIZE || !str_starts(e->bytes, STR("\177ELF")) ||
		(ident[4] != CLASS_32 && ident[4] != CLASS_64) ||
		(ident[5] != DATA_LITTLE && ident[5] != DATA_BIG))
		return false;
	e->wide = ident[4] == CLASS_64;
	e->swap = (ident[5] == DATA_BIG) != is_big_endian();
	b = bytes_of(str_from(e->bytes, IDENT_SIZE), e->swap);
	e->type = bytes_u16(&b);
	e->machine = bytes_u16(&b);
	bytes_skip(&b, sizeof(uint32_t)); /* version */
	e->entry = read_word(&b, e->wide);
	h->segments = read_word(&b, e->wide);
	h->sections = read_word(&b, e->wide);
	bytes_skip(&b, sizeof(uint32_t) + sizeof(uint16_t)); /* flags, own size */
	h->segment_size = bytes_u16(&b);
	h->segment_n = bytes_u16(&b);
	h->section_size = bytes_u16(&b);
	h->section_n = bytes_u16(&b);
	h->names = bytes_u16(&b);
	return !b.bad;
}

/* Reads one entry of the section table; NAME gets the offset of its name. */
static void
read_section(const struct elf *e, struct bytes b, struct elf_section *s, uint32_t *name)
{
	*name = bytes_u32(&b);
	s->name = (struct str){ 0 };
	s->type = bytes_u32(&b);
	s->flags = read_word(&b, e->wide);
	s->address = read_word(&b, e->wide);
	s->offset = read_word(&b, e->wide);
	s->size = read_word(&b, e->wide);
	s->link = bytes_u32(&b);
	s->info = bytes_u32(&b);
	s->align = read_word(&b, e->wide);
	s->entry_size = read_word(&b, e->wide);
}

/* The bytes of a table of N entries of SIZE bytes, which must be at least LEAST; empty when it
 * exceeds the file. */
static struct str
table(const struct elf *e, uint64_t offset, uint64_t n, uint64_t size, uint64_t least)
{
	if (!offset || !n || size < least || n > e->bytes.n / size)
		return (struct str){ 0 };
	return slice(e, offset, n * size);
}

/* Numbers that do not fit into the header are in the first section's entry. */
static void
read_extended(const struct elf *e, struct header *h)
{
	const uint64_t least = e->wide ? 64 : 40;
	struct str first = table(e, h->sections, 1, h->section_size, least);
	struct elf_section s;
	uint32_t name;

	if (!first.n)
		return;
	read_section(e, bytes_of(first, e->swap), &s, &name);
	if (!h->section_n)
		h->section_n = s.size < UINT32_MAX ? (uint32_t)s.size : UINT32_MAX;
	if (h->names == MANY_NAMES)
		h->names = s.link;
	if (h->segment_n == MANY_SEGMENTS && s.info)
		h->segment_n = s.info;
}

static void
read_sections(struct elf *e, const struct header *h)
{
	const uint64_t least = e->wide ? 64 : 40;
	struct str all = table(e, h->sections, h->section_n, h->section_size, least);
	struct str names = { 0 };
	uint32_t *name, i;

	if (!all.n)
		return;
	e->section_n = h->section_n;
	e->sections = mem_zero(e->section_n, sizeof *e->sections);
	name = mem_zero(e->section_n, sizeof *name);
	for (i = 0; i < e->section_n; i++)
		read_section(e,
			bytes_of(str_from(all, (size_t)i * h->section_size), e->swap),
			&e->sections[i], &name[i]);
	if (h->names < e->section_n)
		names = elf_data(e, &e->sections[h->names]);
	for (i = 0; i < e->section_n; i++)
		(void)elf_text(names, name[i], SECTION_NAME_MAX, &e->sections[i].name);
	free(name);
}

static void
read_segments(struct elf *e, const struct header *h)
{
	const uint64_t least = e->wide ? 56 : 32;
	struct str all = table(e, h->segments, h->segment_n, h->segment_size, least);
	struct elf_segment *s;
	struct bytes b;
	uint32_t i;

	if (!all.n)
		return;
	e->segment_n = h->segment_n;
	e->segments = mem_zero(e->segment_n, sizeof *e->segments);
	for (i = 0; i < e->segment_n; i++) {
		b = bytes_of(str_from(all, (size_t)i * h->segment_size), e->swap);
		s = &e->segments[i];
		s->type = bytes_u32(&b);
		if (e->wide)
			s->flags = bytes_u32(&b);
		s->offset = read_word(&b, e->wide);
		s->address = read_word(&b, e->wide);
		(void)read_word(&b, e->wide); /* physical address */
		s->file_size = read_word(&b, e->wide);
		s->memory_size = read_word(&b, e->wide);
		if (!e->wide)
			s->flags = bytes_u32(&b);
		s->align = read_word(&b, e->wide);
	}
}

const struct elf_section *
elf_section(const struct elf *e, const char *name)
{
	const struct str want = str_of(name), debug = STR(".debug_");
	const struct elf_section *s, *old = NULL;
	const struct elf_section *end = e->section_n ? e->sections + e->section_n : NULL;
	bool is_debug = str_starts(want, debug);

	for (s = e->sections; s < end; s++) {
		if (str_eq(s->name, want))
			return s;
		if (is_debug && !old && str_starts(s->name, STR(".zdebug_")) &&
			str_eq(str_from(s->name, 2), str_from(want, 1)))
			old = s;
	}
	return old;
}

/* The bytes of S in the file, without decompressing. */
static struct str
stored(const struct elf *e, const struct elf_section *s)
{
	if (s->type == ELF_NOBITS)
		return (struct str){ 0 };
	return slice(e, s->offset, s->size);
}

static bool
is_packed(const struct elf_section *s)
{
	return s->flags & ELF_FLAG_COMPRESSED || str_starts(s->name, STR(".zdebug_"));
}

/* Reads the header of a compressed section and moves IN past it; false when the format is unknown.
 * SIZE gets the decompressed size. */
static bool
read_packing(const struct elf *e, const struct elf_section *s, struct bytes *in,
	enum inflate_kind *kind, uint64_t *size)
{
	uint32_t type;

	*kind = INFLATE_ZLIB;
	if (!(s->flags & ELF_FLAG_COMPRESSED)) {
		in->swap = !is_big_endian();
		if (!str_eq(bytes_take(in, 4), STR("ZLIB")))
			return false;
		*size = bytes_u64(in);
		return !in->bad;
	}
	type = bytes_u32(in);
	if (e->wide)
		bytes_skip(in, sizeof(uint32_t)); /* reserved */
	*size = read_word(in, e->wide);
	(void)read_word(in, e->wide); /* alignment */
	if (type == COMPRESSED_ZSTD)
		*kind = INFLATE_ZSTD;
	return !in->bad && (type == COMPRESSED_ZLIB || type == COMPRESSED_ZSTD);
}

/* How many more bytes E may decompress. */
static uint64_t
plain_left(const struct elf *e)
{
	uint64_t most = e->bytes.n < PLAIN_MAX / PLAIN_RATIO
		? (uint64_t)e->bytes.n * PLAIN_RATIO
		: PLAIN_MAX;

	most = most > PLAIN_LEAST ? most : PLAIN_LEAST;
	return most - e->plain_size;
}

static void
unpack_section(struct elf *e, const struct elf_section *s, struct buf *to)
{
	/* The claimed size is allocated at once, so it is limited. */
	enum { LARGE_MOST = 256 << 20 };
	struct bytes in = bytes_of(stored(e, s), e->swap);
	enum inflate_kind kind;
	uint64_t size;
	bool whole;

	if (!read_packing(e, s, &in, &kind, &size) || size > plain_left(e) ||
		size > SIZE_MAX || !budget_draw(BUDGET_SECTIONS, size))
		return;
	if (size >= MEM_HUGE && size <= LARGE_MOST)
		*to = (struct buf){ mem_large((size_t)size), 0, (size_t)size };
	whole = inflate_all(kind, bytes_rest(&in), to, (size_t)size);
	e->plain_size += to->n;
	if (!whole || to->n != size)
		buf_release(to);
}

struct str
elf_data(struct elf *e, const struct elf_section *s)
{
	struct elf_plain *p;

	if (!s)
		return (struct str){ 0 };
	if (!is_packed(s))
		return stored(e, s);
	if (!e->plain)
		e->plain = mem_zero(e->section_n, sizeof *e->plain);
	p = &e->plain[s - e->sections];
	if (!p->done)
		unpack_section(e, s, &p->bytes);
	p->done = true;
	return buf_view(&p->bytes);
}

struct bytes
elf_bytes(struct elf *e, const struct elf_section *s)
{
	return bytes_of(elf_data(e, s), e->swap);
}

/* Addresses, symbols and notes. */

/* The segment of the process that contains WHERE, a file offset or an address. */
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

/* The bytes of the segment S; empty when it exceeds the file. */
static struct str
segment_data(const struct elf *e, const struct elf_segment *s)
{
	return slice(e, s->offset, s->file_size);
}

struct str
elf_from(const struct elf *e, uint64_t address)
{
	const struct elf_segment *s = find_load(e, address, true);
	struct str data;

	if (!s)
		return (struct str){ 0 };
	data = segment_data(e, s);
	return data.n ? str_from(data, (size_t)(address - s->address)) : data;
}

/* The entry size of the symbol table S; 0 if S is not one. */
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
	return (size_t)(slice(e, s->offset, s->size).n / size);
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
	/* Names from templates and generated code can be very long. */
	enum { NAME_MOST = 1 << 16 };
	struct bytes b;
	uint32_t name;

	if (i >= elf_symbol_count(e, s) || s->link >= e->section_n)
		return false;
	b = elf_bytes(e, s);
	bytes_skip(&b, i * symbol_size(e, s));
	if (bytes_left(&b) <
		symbol_size(e, s)) /* decompressed, it may be shorter than claimed */
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

/* Skips the padding after N bytes to a multiple of ALIGN, if present: the last note may lack it. */
static void
skip_padding(struct bytes *b, uint32_t n, uint32_t align)
{
	uint32_t pad = (align - n % align) % align;

	bytes_skip(b, pad < bytes_left(b) ? pad : bytes_left(b));
}

struct str
elf_note(struct bytes notes, uint64_t align, struct str owner, uint32_t type)
{
	const uint32_t unit = align == 8 ? 8 : 4;

	while (bytes_left(&notes)) {
		uint32_t name_size = bytes_u32(&notes), size = bytes_u32(&notes);
		uint32_t found = bytes_u32(&notes);
		struct str name = bytes_take(&notes, name_size), payload;

		/* The three numbers before the name take 12 bytes. */
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

/* The build ID of E, empty if it has none. Sections come first: a separate debug file keeps the
 * segments of its program, whose file offsets do not apply to it. The bytes searched are limited to
 * the size of the file; tables that name the same bytes repeatedly are cut off. */
static struct str
find_build_id(struct elf *e)
{
	struct str found = { 0 }, data;
	uint64_t seen = 0, most = 2 * (uint64_t)e->bytes.n, align;
	size_t i, n = e->section_n + e->segment_n;

	for (i = 0; i < n && !found.n && seen <= most; i++) {
		const struct elf_section *s = i < e->section_n ? &e->sections[i] : NULL;
		const struct elf_segment *g = s ? NULL : &e->segments[i - e->section_n];

		if (s ? s->type != ELF_NOTE : g->type != ELF_SEGMENT_NOTE)
			continue;
		data = s ? elf_data(e, s) : segment_data(e, g);
		align = s ? s->align : g->align;
		found = elf_note(
			bytes_of(data, e->swap), align, STR("GNU"), ELF_NOTE_BUILD_ID);
		seen += data.n;
	}
	return found;
}

static struct elf *
refuse(struct elf *e, const char **why, const char *text)
{
	*why = text;
	elf_close(e);
	return NULL;
}

/* Parses the ELF file from the bytes of E. */
static struct elf *
parse(struct elf *e, const char **why)
{
	struct header h = { 0 };

	if (!e->bytes.n)
		return refuse(e, why, "is empty");
	if (!read_header(e, &h))
		return refuse(e, why, "is not an ELF file");
	read_extended(e, &h);
	read_sections(e, &h);
	read_segments(e, &h);
	e->build_id = find_build_id(e);
	return e;
}

/* Reads all of FD, which cannot be mapped. */
static bool
read_block(struct elf *e, int fd, size_t size)
{
	ssize_t got = 1;

	e->owned = mem_alloc(size);
	while (e->bytes.n < size && got > 0) {
		got = read(fd, e->owned + e->bytes.n, size - e->bytes.n);
		if (got > 0)
			e->bytes.n += (size_t)got;
		else if (got < 0 && errno == EINTR)
			got = 1;
	}
	e->bytes.s = e->owned;
	return got >= 0;
}

/* Maps or reads FD, whose status is ST. Returns an error text, or NULL. */
static const char *
load_file(struct elf *e, int fd, const struct stat *st)
{
	off_t size = st->st_size;

	if (size <= 0)
		return "is empty";
	if ((uint64_t)size > SIZE_MAX / 2)
		return "is too large";
	if (map_init(&e->map, fd, 0, (size_t)size)) {
		e->bytes = (struct str){ e->map.bytes, e->map.n };
		return NULL;
	}
	/* Larger than memory: not a program. */
	if (size > BLOCK_MOST)
		return "cannot be mapped";
	budget_read_file(st);
	if (read_block(e, fd, (size_t)size))
		return NULL;
	msg_lost("%s: names in it are missing, since it cannot be read:", e->path);
	return "cannot be read";
}

struct elf *
elf_open(const char *path, const char **why)
{
	struct elf *e;
	const char *wrong;
	struct stat st;
	int fd = regular_open(path, &st);

	if (fd < 0) {
		*why = errno == ENOENT || errno == ENOTDIR ? "does not exist"
			: errno == EACCES		   ? "may not be read"
			: errno == EINVAL		   ? "is not a regular file"
							   : "cannot be opened";
		return NULL;
	}
	e = mem_zero(1, sizeof *e);
	e->path = memcpy(mem_alloc(strlen(path) + 1), path, strlen(path) + 1);
	wrong = load_file(e, fd, &st);
	close(fd);
	e = wrong ? refuse(e, why, wrong) : parse(e, why);
	/* A recording may name any large file: unless it is a program, do not read it. */
	if (e)
		budget_read_file(&st);
	return e;
}

struct elf *
elf_of_block(char *block, size_t n, const char **why)
{
	struct elf *e = mem_zero(1, sizeof *e);

	e->bytes = (struct str){ block, n };
	e->owned = block;
	return parse(e, why);
}

void
elf_close(struct elf *e)
{
	size_t i;

	if (!e)
		return;
	for (i = 0; e->plain && i < e->section_n; i++)
		buf_release(&e->plain[i].bytes);
	if (map_was_cut(&e->map))
		msg_lost(
			"%s: was truncated or cannot be read: names in it may be missing or "
			"wrong",
			e->path);
	map_release(&e->map);
	free(e->path);
	free(e->plain);
	free(e->owned);
	free(e->sections);
	free(e->segments);
	free(e);
}
