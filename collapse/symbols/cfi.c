/* SPDX-License-Identifier: ISC */
/*
 * Finds entries for addresses in .eh_frame and .debug_frame; see cfi.h. A CIE has the
 * part that many functions share, an FDE describes one function and points to its CIE
 * (DWARF 5, 6.4.1).
 *
 *	length id|pointer version augmentation align... program		CIE
 *	length id|pointer start size program				FDE
 */
#include "cfi.h"
#include "gopclntab.h"
#include "mem.h"
#include "search.h"

/* An entry of a section: a CIE, or an FDE with the place of its CIE. */
struct entry {
	bool is_cie;
	uint64_t cie;	   /* offset */
	struct bytes rest; /* the part behind the CIE id or pointer */
	uint64_t next;	   /* offset of the next entry */
	bool end, bad;	   /* a terminator; not an entry */
};

/* The limit for a CIE before its program: it is read again for each FDE that points to
 * it. */
enum { HEADER_MAX = 256 };

/* The entry at OFFSET. */
static struct entry
entry_at(const struct cfi_section *s, uint64_t offset)
{
	struct entry e = { .bad = true };
	struct bytes b = cfi_section_at(s, offset);
	uint64_t length = bytes_u32(&b), at, id;
	unsigned size = 4;

	if (length == UINT32_MAX) {
		length = bytes_u64(&b);
		size = 8;
	}
	at = bytes_offset(&b, s->bytes);
	if (b.bad || length > bytes_left(&b))
		return e;
	e.bad = false;
	e.next = at + length;
	e.end = length == 0;
	if (e.end)
		return e;
	bytes_cut(&b, length);
	id = bytes_uint(&b, size);
	e.is_cie = id == (s->eh ? 0 : size == 8 ? UINT64_MAX : UINT32_MAX);
	/* In .eh_frame the pointer is a distance back from itself. */
	e.cie = s->eh ? at - id : id;
	e.bad = b.bad;
	e.rest = b;
	return e;
}

/* Reads the data for the letters of AUGMENTATION, after its 'z'. */
static bool
read_augmentation(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	unsigned encoding;
	uint64_t pointer;
	size_t i;

	for (i = 0; i < augmentation.n; i++) {
		switch (augmentation.s[i]) {
		case 'R': cie->encoding = bytes_u8(b); break;
		case 'L': bytes_skip(b, 1); break;
		case 'S': cie->signal = true; break;
		case 'B': /* return addresses are signed with the B key */
		case 'G': /* the stack is tagged */ break;
		case 'P':
			encoding = bytes_u8(b);
			(void)cfi_section_pointer(s, b, encoding, &pointer);
			break;
		default: return false;
		}
	}
	return !b->bad;
}

static bool
read_augmented(const struct cfi_section *s, struct bytes *b, struct str augmentation,
	struct cfi_cie *cie)
{
	struct bytes data;
	struct str part;

	if (augmentation.n == 0 || str_eq(augmentation, STR("eh")))
		return true;
	if (augmentation.s[0] != 'z')
		return false;
	cie->sized = true;
	part = bytes_take(b, bytes_uleb(b));
	data = bytes_of(part, b->swap);
	return !b->bad && read_augmentation(s, &data, str_from(augmentation, 1), cie);
}

/* Reads the CIE at OFFSET. Returns false if it is not a CIE, or of an unknown kind. */
static bool
read_cie(const struct cfi_section *s, uint64_t offset, struct cfi_cie *cie)
{
	struct entry e = entry_at(s, offset);
	struct bytes b = e.rest;
	struct str augmentation;
	unsigned version;

	cie->encoding = CFI_ABSOLUTE;
	cie->sized = cie->signal = false;
	if (e.bad || e.end || !e.is_cie)
		return false;
	bytes_cut(&b, HEADER_MAX);
	version = bytes_u8(&b);
	if (version != 1 && version != 3 && version != 4)
		return false;
	augmentation = bytes_cstr(&b);
	if (str_eq(augmentation, STR("eh")))
		bytes_skip(&b, s->address_size);
	/* The sizes of an address and of a segment selector. */
	if (version == 4 && (bytes_u8(&b) != s->address_size || bytes_u8(&b) != 0))
		return false;
	cie->code_align = bytes_uleb(&b);
	cie->data_align = bytes_sleb(&b);
	cie->return_register = version == 1 ? bytes_u8(&b) : bytes_uleb(&b);
	if (b.bad || cie->return_register >= CFI_REGISTERS ||
		!read_augmented(s, &b, augmentation, cie))
		return false;
	bytes_skip(&e.rest, bytes_between(&e.rest, &b));
	cie->program = bytes_rest(&e.rest);
	return true;
}

/* Reads the addresses and the program of the FDE E, whose FDE->cie is set. */
static bool
read_fde(const struct cfi_section *s, struct entry e, struct cfi_fde *fde)
{
	struct bytes b = e.rest;
	uint64_t size;

	if (!cfi_section_pointer(s, &b, fde->cie->encoding, &fde->start) ||
		!cfi_section_pointer(s, &b, fde->cie->encoding & CFI_FORMAT, &size))
		return false;
	if (fde->cie->sized)
		bytes_skip(&b, bytes_uleb(&b));
	fde->end = fde->start + size;
	fde->program = bytes_rest(&b);
	return !b.bad && fde->end > fde->start;
}

/* FDEs by address. */
struct index_item {
	uint64_t start, end, offset;
};

struct index {
	struct index_item *items;
	size_t n, cap;
};

/* The linker's search table, .eh_frame_hdr. */
struct table {
	struct cfi_section section; /* .eh_frame_hdr itself */
	uint64_t frames;	    /* address of .eh_frame */
	uint64_t first;		    /* offset of the first pair of pointers */
	uint64_t n;		    /* of pairs, 0: no usable table */
	unsigned char encoding;
	unsigned size; /* of one pointer */
	bool plain;
};

/*
 * FDEs by address, from one pass over a section: .debug_frame does not have a search
 * table, and .eh_frame's may be missing or useless.
 */

enum { EXECUTABLE = 1 };

/* Functions that the linker dropped have FDEs near address 0. */
static bool
is_code(const struct elf *code, uint64_t address)
{
	const struct elf_segment *p;
	bool any = false;
	size_t i;

	for (i = 0; i < code->segment_n; i++) {
		p = &code->segments[i];
		if (p->type != ELF_LOAD || !(p->flags & EXECUTABLE))
			continue;
		any = true;
		if (address - p->address < p->memory_size)
			return true;
	}
	return !any;
}

static int
by_start(const void *a, const void *b)
{
	const struct index_item *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void
add_item(struct index *x, const struct cfi_fde *fde, uint64_t offset)
{
	*MEM_ADD(x->items, x->n, x->cap) =
		(struct index_item){ fde->start, fde->end, offset };
}

/* Indexes the FDEs of S whose code is in an executable segment of CODE. */
static void
build_index(struct index *x, const struct cfi_section *s, const struct elf *code)
{
	uint64_t at, last = UINT64_MAX;
	struct cfi_cie cie = { .sized = false };
	struct cfi_fde fde = { .cie = &cie };
	bool known = false;
	struct entry e;

	for (at = 0; at < s->bytes.n; at = e.next) {
		e = entry_at(s, at);
		if (e.bad)
			break;
		/* Parts of .eh_frame from several files may each have a terminator. */
		if (e.end || e.is_cie)
			continue;
		if (e.cie != last)
			known = read_cie(s, e.cie, &cie);
		last = e.cie;
		if (known && read_fde(s, e, &fde) && is_code(code, fde.start))
			add_item(x, &fde, at);
	}
	if (x->n)
		qsort(x->items, x->n, sizeof *x->items, by_start);
}

static void
release_index(struct index *x)
{
	free(x->items);
	*x = (struct index){ 0 };
}

/* Sets *OFFSET to the FDE that covers ADDRESS. Returns false without one. */
static bool
find_in_index(const struct index *x, uint64_t address, uint64_t *offset)
{
	size_t n = search_upto(x->items, x->n, sizeof *x->items, address);

	if (!n || address >= x->items[n - 1].end)
		return false;
	*offset = x->items[n - 1].offset;
	return true;
}

/*
 * .eh_frame_hdr, which PT_GNU_EH_FRAME points to (Linux Standard Base):
 *
 *	1, encodings of the rest, address of .eh_frame, n, n pairs of a
 *	function's start and the address of its FDE, by start
 */

enum { DATAREL_SDATA4 = 0x3b };

/* Reads the header at S. Returns false if it is not one. */
static bool
read_table(struct table *t, const struct cfi_section *s)
{
	struct bytes b = cfi_section_at(s, 0);
	unsigned frames, count;
	uint64_t start;

	*t = (struct table){ .section = *s };
	t->section.data = s->address;
	if (bytes_u8(&b) != 1)
		return false;
	frames = bytes_u8(&b);
	count = bytes_u8(&b);
	t->encoding = bytes_u8(&b);
	if (!cfi_section_pointer(&t->section, &b, frames, &t->frames))
		return false;
	t->size = cfi_section_pointer_size(s, t->encoding);
	if (!cfi_section_pointer(&t->section, &b, count, &t->n) || !t->size)
		t->n = 0;
	if (t->n == 0)
		return true;
	t->plain = t->encoding == DATAREL_SDATA4 && !s->swap && s->address_size == 8;
	t->first = bytes_offset(&b, s->bytes);
	if (t->n > bytes_left(&b) / (2 * t->size))
		t->n = bytes_left(&b) / (2 * t->size);
	/* Relative to a base that only the program knows, or to an address in memory. */
	if (!cfi_section_pointer(&t->section, &b, t->encoding, &start))
		t->n = 0;
	return true;
}

static uint64_t
pair_of_any_kind(const struct table *t, uint64_t i, uint64_t *fde)
{
	struct bytes b = cfi_section_at(&t->section, t->first + i * 2 * t->size);
	uint64_t start;

	(void)cfi_section_pointer(&t->section, &b, t->encoding, &start);
	if (fde)
		(void)cfi_section_pointer(&t->section, &b, t->encoding, fde);
	return start;
}

/* The start of pair I; sets *FDE to its FDE unless FDE is NULL. */
static uint64_t
pair(const struct table *t, uint64_t i, uint64_t *fde)
{
	const char *at = t->section.bytes.s + t->first + i * 2 * t->size;
	int32_t v[2];

	/* The usual encoding, in this machine's byte order: read it directly. */
	if (t->plain) {
		memcpy(v, at, sizeof v);
		if (fde)
			*fde = t->section.data + (uint64_t)(int64_t)v[1];
		return t->section.data + (uint64_t)(int64_t)v[0];
	}
	return pair_of_any_kind(t, i, fde);
}

/* Sets *FDE to the address of the FDE that may cover ADDRESS. Returns false without
 * one. */
static bool
find_in_table(const struct table *t, uint64_t address, uint64_t *fde)
{
	uint64_t low = 0, high = t->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (pair(t, mid, NULL) <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	(void)pair(t, low - 1, fde);
	return true;
}

/* Whether the table's addresses are in ascending order. */
static bool
is_sorted(const struct table *t)
{
	uint64_t i, start, last = 0;

	for (i = 0; i < t->n; i++) {
		start = pair(t, i, NULL);
		if (start < last)
			return false;
		last = start;
	}
	return true;
}

/* .eh_frame and .debug_frame of the code, .debug_frame of the debug file. */
enum { SOURCES = 3 };

/* A cache of CIEs, by their offset: most files have few. */
enum { CIES = 4 };

struct cached_cie {
	uint64_t offset; /* + 1, 0: free */
	bool good;
	struct cfi_cie cie;
};

struct source {
	struct cfi_section section;
	struct table table; /* n is 0 without a table */
	struct index index;
	bool indexed; /* index is built */
	bool trusted; /* the table was checked and is sorted */
	struct cached_cie cies[CIES];
};

struct cfi {
	struct elf *code; /* its segments distinguish code from dropped functions */
	struct source sources[SOURCES];
	struct gopclntab *go; /* NULL: not a Go program */
};

/* The memory address of section NAME of E, or 0. */
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

/* The bytes of the file from ADDRESS on, to the end of the section that begins there
 * or, without one, of the segment. */
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

/* Finds .eh_frame by the segment that the program itself uses: there may be several
 * sections of that name, and BOLT leaves an old one behind. */
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
	if (!read_table(&src->table, &head))
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
		c->go = gopclntab_new(code);
	}
	if (debug && debug != code)
		find_debug_frame(debug, &c->sources[2]);
	for (i = 0; i < SOURCES; i++)
		any |= c->sources[i].section.bytes.n > 0;
	if (any || c->go)
		return c;
	cfi_free(c);
	return NULL;
}

void
cfi_free(struct cfi *c)
{
	size_t i;

	for (i = 0; c && i < SOURCES; i++)
		release_index(&c->sources[i].index);
	if (c)
		gopclntab_free(c->go);
	free(c);
}

/* The CIE at OFFSET, after running its program; NULL if there is none. */
static const struct cfi_cie *
find_cie(struct source *src, uint64_t offset)
{
	struct cached_cie *k = &src->cies[offset / 8 % CIES];

	if (k->offset != offset + 1) {
		k->offset = offset + 1;
		k->good = read_cie(&src->section, offset, &k->cie) &&
			cfi_program_begin(&src->section, &k->cie);
	}
	return k->good ? &k->cie : NULL;
}

/* Reads the FDE at OFFSET. Returns false if it does not cover ADDRESS. */
static bool
read_fde_at(struct source *src, uint64_t offset, uint64_t address, struct cfi_fde *fde)
{
	struct entry e = entry_at(&src->section, offset);

	if (e.bad || e.end || e.is_cie)
		return false;
	fde->cie = find_cie(src, e.cie);
	return fde->cie && read_fde(&src->section, e, fde) && address >= fde->start &&
		address < fde->end;
}

static bool
find_by_table(struct source *src, uint64_t address, struct cfi_fde *fde)
{
	uint64_t at;

	if (find_in_table(&src->table, address, &at) &&
		read_fde_at(src, at - src->section.address, address, fde))
		return true;
	/* A miss may mean that the table is not sorted. */
	if (!src->trusted) {
		src->trusted = is_sorted(&src->table);
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
		build_index(&src->index, &src->section, c->code);
	src->indexed = true;
	return find_in_index(&src->index, address, &offset) &&
		read_fde_at(src, offset, address, fde);
}

bool
cfi_find_made(const struct cfi_made *m, uint64_t offset, struct cfi_row *row)
{
	/* An address from which nothing relative wraps around. */
	enum { HERE = 1 << 30 };
	struct cfi_section s = { .bytes = m->frames,
		.address = HERE,
		.eh = true,
		.swap = m->swap,
		.address_size = 8,
		.machine = m->machine };
	struct entry e = entry_at(&s, 0);
	struct cfi_fde fde;
	struct cfi_cie cie;

	while (!e.bad && !e.end && e.is_cie)
		e = entry_at(&s, e.next);
	if (e.bad || e.end || offset >= m->size || !read_cie(&s, e.cie, &cie) ||
		!cfi_program_begin(&s, &cie))
		return false;
	fde.cie = &cie;
	if (!read_fde(&s, e, &fde))
		return false;
	fde.start = 0;
	fde.end = m->size;
	return cfi_program_run(&s, &fde, offset, row);
}

/* Registers by their numbers in DWARF. With LINK, calls leave the return address in a
 * register, otherwise on the stack. */
static const struct go_machine {
	uint16_t machine;
	unsigned char sp, fp, ra, word;
	bool link;
} go_machines[] = {
	{ ELF_X86_64, 7, 6, 16, 8, false },
	{ ELF_386, 4, 5, 8, 4, false },
	{ ELF_AARCH64, 31, 29, 30, 8, true },
	{ ELF_RISCV, 2, 8, 1, 8, true },
};

/* Sets ROW to "the return address is the last word below the CFA, which is REG + N, and
 * the caller's frame pointer is before it". */
static void
set_pair(struct cfi_row *row, const struct go_machine *m, unsigned reg, int64_t n)
{
	row->cfa = (struct cfi_rule){
		.kind = CFI_REGISTER, .reg = (unsigned char)reg, .n = n
	};
	row->rules[m->ra] = (struct cfi_rule){ .kind = CFI_OFFSET, .n = -m->word };
	row->rules[m->fp] = (struct cfi_rule){ .kind = CFI_OFFSET, .n = -2 * m->word };
}

/* Sets the row of a function that was called and has F.depth bytes of stack. On x86 the
 * frame pointer is the first of them; elsewhere the return address is the last, if
 * there are any. */
static void
set_called(
	struct cfi_row *row, const struct go_machine *m, const struct gopclntab_frame *f)
{
	int64_t depth = f->depth;

	set_pair(row, m, m->sp, depth + (m->link ? 0 : m->word));
	if (m->link || depth < m->word)
		row->rules[m->fp].kind = CFI_UNSPECIFIED;
	if (m->link && depth)
		row->rules[m->ra].n = -depth;
	else if (m->link)
		row->rules[m->ra].kind = CFI_SAME;
}

/* Sets the row at ADDRESS of F, a Go function. Returns false if its table lacks it. */
static bool
find_go(const struct cfi *c, const struct gopclntab_frame *f, uint64_t address,
	struct cfi_row *row)
{
	const struct go_machine *m = go_machines,
				*end = m + sizeof go_machines / sizeof *m;

	while (m < end && m->machine != c->code->machine)
		m++;
	if (m == end || f->kind == GOPCLNTAB_SIGRETURN)
		return false;
	*row = (struct cfi_row){
		.start = address, .end = address + 1, .return_register = m->ra
	};
	if (f->kind == GOPCLNTAB_SWITCHED) {
		row->switched = true;
		set_pair(row, m, m->fp, 2 * m->word);
	} else {
		set_called(row, m, f);
	}
	if (f->kind == GOPCLNTAB_OUTERMOST)
		row->rules[m->ra].kind = CFI_UNDEFINED;
	return true;
}

bool
cfi_find(struct cfi *c, uint64_t address, struct cfi_row *row)
{
	struct gopclntab_frame frame;
	struct cfi_fde fde;
	size_t i;

	if (c->go && gopclntab_frame(c->go, address, &frame))
		return find_go(c, &frame, address, row);
	for (i = 0; i < SOURCES; i++)
		if (c->sources[i].section.bytes.n &&
			find_fde(c, &c->sources[i], address, &fde) &&
			cfi_program_run(&c->sources[i].section, &fde, address, row))
			return true;
	return false;
}
