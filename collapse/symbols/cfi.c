/* SPDX-License-Identifier: ISC */
/* The tables of a file and which of them has an address; see cfi.h. */
#include "cfi-parts.h"
#include "mem.h"

/* .eh_frame and .debug_frame of the code, .debug_frame of the debug file. */
enum { SOURCES = 3 };

/* CIEs that were read are kept, by their offset: most files have few. */
enum { CIES = 4 };

struct kept {
	uint64_t offset; /* + 1, 0: free */
	bool good;
	struct cfi_cie cie;
};

struct source {
	struct cfi_section section;
	struct cfi_table table; /* n 0: none */
	struct cfi_index index;
	bool indexed; /* index is built */
	bool trusted; /* the table was looked through, it is in order */
	struct kept kept[CIES];
};

struct cfi {
	struct elf *code; /* whose segments tell code from what was dropped */
	struct source sources[SOURCES];
};

/* The address that section NAME of E has in memory, or 0. */
static uint64_t
base_of(const struct elf *e, const char *name)
{
	const struct elf_section *s = elf_section(e, name);

	return s ? s->address : 0;
}

static struct cfi_section
make_section(struct elf *e, struct str bytes, uint64_t address)
{
	struct cfi_section s = { .bytes = bytes, .address = address };

	s.swap = e->swap;
	s.machine = e->machine;
	s.address_size = e->wide ? 8 : 4;
	s.text = base_of(e, ".text");
	s.data = base_of(e, ".got");
	return s;
}

/* The bytes of the file from ADDRESS on: to the end of the section that begins
 * there, else of the segment. */
static struct str
bytes_from(struct elf *e, uint64_t address)
{
	const struct elf_segment *p;
	const struct elf_section *s;
	uint64_t at, left;
	size_t i;

	for (i = 0; i < e->section_n; i++) {
		s = &e->sections[i];
		if (s->address == address && s->flags & ELF_FLAG_ALLOC &&
			s->type != ELF_NOBITS && s->size)
			return elf_data(e, s);
	}
	for (i = 0; i < e->segment_n; i++) {
		p = &e->segments[i];
		at = address - p->address;
		if (p->type != ELF_LOAD || at >= p->file_size)
			continue;
		left = p->file_size - at;
		if (p->offset > e->bytes.n || at > e->bytes.n - p->offset)
			return (struct str){ 0 };
		return str_head(
			str_from(e->bytes, (size_t)(p->offset + at)), (size_t)left);
	}
	return (struct str){ 0 };
}

/* By the segment that the program itself uses: there may be several sections
 * called .eh_frame, and BOLT leaves an old one behind. */
static bool
find_by_segment(struct elf *e, struct source *src)
{
	struct cfi_section head;
	struct str bytes;
	size_t i;

	for (i = 0; i < e->segment_n && e->segments[i].type != ELF_EH_FRAME; i++)
		;
	if (i == e->segment_n)
		return false;
	bytes = str_head(bytes_from(e, e->segments[i].address),
		(size_t)(e->segments[i].file_size < SIZE_MAX ? e->segments[i].file_size
							     : SIZE_MAX));
	head = make_section(e, bytes, e->segments[i].address);
	if (!cfi_table_read(&src->table, &head))
		return false;
	src->section =
		make_section(e, bytes_from(e, src->table.frames), src->table.frames);
	src->section.eh = true;
	return src->section.bytes.n > 0;
}

static void
find_eh_frame(struct elf *e, struct source *src)
{
	const struct elf_section *s;

	if (find_by_segment(e, src))
		return;
	*src = (struct source){ .trusted = false };
	s = elf_section(e, ".eh_frame");
	if (!s || s->type == ELF_NOBITS)
		return;
	src->section = make_section(e, elf_data(e, s), s->address);
	src->section.eh = true;
}

static void
find_debug_frame(struct elf *e, struct source *src)
{
	const struct elf_section *s = elf_section(e, ".debug_frame");

	if (s && s->type != ELF_NOBITS)
		src->section = make_section(e, elf_data(e, s), 0);
}

struct cfi *
cfi_new(struct elf *code, struct elf *debug)
{
	struct cfi *c = mem_zero(1, sizeof *c);
	bool any = false;
	size_t i;

	c->code = code ? code : debug;
	if (code) {
		find_eh_frame(code, &c->sources[0]);
		find_debug_frame(code, &c->sources[1]);
	}
	if (debug && debug != code)
		find_debug_frame(debug, &c->sources[2]);
	for (i = 0; i < SOURCES; i++)
		any |= c->sources[i].section.bytes.n > 0;
	if (any)
		return c;
	cfi_free(c);
	return NULL;
}

void
cfi_free(struct cfi *c)
{
	size_t i;

	for (i = 0; c && i < SOURCES; i++)
		cfi_index_release(&c->sources[i].index);
	free(c);
}

/* The CIE at OFFSET, its program run; NULL when it is none. */
static const struct cfi_cie *
find_cie(struct source *src, uint64_t offset)
{
	struct kept *k = &src->kept[offset / 8 % CIES];

	if (k->offset != offset + 1) {
		k->offset = offset + 1;
		k->good = cfi_entry_cie(&src->section, offset, &k->cie) &&
			cfi_program_begin(&src->section, &k->cie);
	}
	return k->good ? &k->cie : NULL;
}

/* Reads the FDE at OFFSET. False when it does not cover ADDRESS. */
static bool
read_fde(struct source *src, uint64_t offset, uint64_t address, struct cfi_fde *fde)
{
	struct cfi_entry e = cfi_entry_at(&src->section, offset);

	if (e.bad || e.end || e.is_cie)
		return false;
	fde->cie = find_cie(src, e.cie);
	return fde->cie && cfi_entry_fde(&src->section, e, fde) &&
		address >= fde->start && address < fde->end;
}

static bool
find_by_table(struct source *src, uint64_t address, struct cfi_fde *fde)
{
	uint64_t at;

	if (cfi_table_find(&src->table, address, &at) &&
		read_fde(src, at - src->section.address, address, fde))
		return true;
	/* A miss is the first sign of a table that is out of order. */
	if (!src->trusted) {
		src->trusted = cfi_table_is_sorted(&src->table);
		src->table.n = src->trusted ? src->table.n : 0;
	}
	return false;
}

static bool
find_fde(struct cfi *c, struct source *src, uint64_t address, struct cfi_fde *fde)
{
	uint64_t offset;

	if (src->table.n && find_by_table(src, address, fde))
		return true;
	if (src->table.n)
		return false;
	if (!src->indexed)
		cfi_index_build(&src->index, &src->section, c->code);
	src->indexed = true;
	return cfi_index_find(&src->index, address, &offset) &&
		read_fde(src, offset, address, fde);
}

bool
cfi_find_made(const struct cfi_made *m, uint64_t offset, struct cfi_row *row)
{
	/* Somewhere where nothing that counts from here wraps around. */
	enum { HERE = 1 << 30 };
	struct cfi_section s = { .bytes = m->frames,
		.address = HERE,
		.eh = true,
		.swap = m->swap,
		.address_size = 8,
		.machine = m->machine };
	struct cfi_entry e = cfi_entry_at(&s, 0);
	struct cfi_fde fde;
	struct cfi_cie cie;

	while (!e.bad && !e.end && e.is_cie)
		e = cfi_entry_at(&s, e.next);
	if (e.bad || e.end || offset >= m->size || !cfi_entry_cie(&s, e.cie, &cie) ||
		!cfi_program_begin(&s, &cie))
		return false;
	fde.cie = &cie;
	if (!cfi_entry_fde(&s, e, &fde))
		return false;
	fde.start = 0;
	fde.end = m->size;
	return cfi_program_run(&s, &fde, offset, row);
}

bool
cfi_find(struct cfi *c, uint64_t address, struct cfi_row *row)
{
	struct cfi_fde fde;
	size_t i;

	for (i = 0; i < SOURCES; i++)
		if (c->sources[i].section.bytes.n &&
			find_fde(c, &c->sources[i], address, &fde) &&
			cfi_program_run(&c->sources[i].section, &fde, address, row))
			return true;
	return false;
}
