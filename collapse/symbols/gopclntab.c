/* SPDX-License-Identifier: ISC */
/*
 * Functions of Go programs; see gopclntab.h. The table begins
 *
 *	u32 magic, u8 0, u8 0, u8 quantum of instructions, u8 bytes of a word
 *	word functions, files, [1.18: start of text,] then offsets from the table's
 *	start: names, units, files, values by pc, functions
 *
 * and the functions are pairs of start and offset, as words before 1.18 and then as u32
 * from the start of text. In 1.2 the pairs follow the number of functions, then the
 * offset of the file names, and all offsets are relative to the table's start. Pointers
 * of a PIE are in its relocations.
 *
 * A value by pc, such as the line or the depth of the stack, is a list of differences.
 */
#include "gopclntab.h"
#include "bytes.h"
#include "mem.h"

enum { GO_2, GO_16, GO_18, GO_20, VERSIONS };
enum { HEADER = 8, NAME_MOST = 4096, VALUES_MOST = 1 << 16 };
enum { PCDATA_INLINE = 2, FUNCDATA_INLINE = 3 };
/* Flags of a function, since 1.17: nothing called it; it writes the stack pointer. */
enum { FLAG_OUTERMOST = 1, FLAG_MOVES_STACK = 2 };

static const uint32_t magics[VERSIONS] = {
	[GO_2] = 0xfffffffb,
	[GO_16] = 0xfffffffa,
	[GO_18] = 0xfffffff0,
	[GO_20] = 0xfffffff1,
};

struct gopclntab {
	struct elf *elf;
	struct str all;	  /* from the start of the table */
	uint64_t address; /* of it */
	int version;
	unsigned quantum, word;
	uint64_t n, text; /* number of functions; base of their starts */
	uint64_t inlined; /* base address of trees of inlined functions, or 0 */
	struct str names, units, files, values, functions;
};

struct function {
	uint64_t start, end, offset; /* offset: in functions */
};

static uint64_t
read_word(struct bytes *b, unsigned word)
{
	return word == 8 ? bytes_u64(b) : bytes_u32(b);
}

static struct bytes
bytes_at(const struct gopclntab *g, struct str s, uint64_t at)
{
	return bytes_of(
		at < s.n ? str_from(s, (size_t)at) : (struct str){ 0 }, g->elf->swap);
}

/* Reads the header at the start of S. Returns false if it is not one. */
static bool
read_header(struct gopclntab *g, struct str s)
{
	struct bytes b = bytes_of(s, g->elf->swap);
	uint32_t magic = bytes_u32(&b);

	for (g->version = 0; g->version < VERSIONS; g->version++)
		if (magics[g->version] == magic)
			break;
	if (g->version == VERSIONS || bytes_u16(&b))
		return false;
	g->quantum = bytes_u8(&b);
	g->word = bytes_u8(&b);
	return !b.bad && (g->quantum == 1 || g->quantum == 2 || g->quantum == 4) &&
		(g->word == 4 || g->word == 8);
}

/* Searches for the table in S, a section with an unspecific name. */
static bool
scan(struct gopclntab *g, const struct elf_section *s)
{
	enum { STEP = 8 };
	struct str data = elf_data(g->elf, s);
	size_t at = (size_t)(-s->address & (STEP - 1));

	for (; at < data.n && data.n - at >= HEADER; at += STEP) {
		g->all = str_from(data, at);
		g->address = s->address + at;
		if (read_header(g, g->all))
			return true;
	}
	return false;
}

static bool
find_table(struct gopclntab *g)
{
	const struct elf *e = g->elf;
	const struct elf_section *s = elf_section(e, ".gopclntab");
	size_t i;

	if (!s)
		s = elf_section(e, ".data.rel.ro.gopclntab");
	if (s) {
		g->all = elf_data(g->elf, s);
		g->address = s->address;
		return read_header(g, g->all);
	}
	if (!elf_section(e, ".go.buildinfo") && !elf_section(e, ".note.go.buildid"))
		return false;
	for (i = 0; i < e->section_n; i++) {
		s = &e->sections[i];
		if (s->type == ELF_PROGBITS && s->flags & ELF_FLAG_ALLOC &&
			!(s->flags & ELF_FLAG_EXEC) && scan(g, s))
			return true;
	}
	return false;
}

/* Relocations that put VALUE at PLACE when the program is loaded. */
struct relocations {
	struct bytes b;
	uint64_t place, value;
};

/* Go's own linker and C linkers name the section differently. */
static struct relocations
relocations_of(const struct gopclntab *g)
{
	const struct elf_section *s = elf_section(g->elf, ".rela.dyn");

	if (!s)
		s = elf_section(g->elf, ".rela");
	return (struct relocations){ .b = elf_bytes(g->elf, s) };
}

static bool
next_relocation(struct relocations *r)
{
	r->place = bytes_u64(&r->b);
	bytes_skip(&r->b, sizeof(uint64_t)); /* kind */
	r->value = bytes_u64(&r->b);
	return !r->b.bad;
}

/* The word at ADDRESS once the program is loaded, or 0. */
static uint64_t
word_at(const struct gopclntab *g, uint64_t address)
{
	struct bytes b = bytes_of(elf_from(g->elf, address), g->elf->swap);
	uint64_t value = read_word(&b, g->word);
	struct relocations r;

	if (value || g->word != 8)
		return value;
	r = relocations_of(g);
	while (next_relocation(&r))
		if (r.place == address)
			return r.value;
	return 0;
}

/* The address of a word in S that points to the table, or 0. */
static uint64_t
find_pointer(const struct gopclntab *g, const struct elf_section *s)
{
	struct bytes b = elf_bytes(g->elf, s);
	uint64_t at = s->address;

	for (; bytes_left(&b) >= g->word; at += g->word)
		if (read_word(&b, g->word) == g->address)
			return at;
	return 0;
}

/* The address of runtime.firstmoduledata, which begins with the table's address. */
static uint64_t
find_module(const struct gopclntab *g)
{
	static const char *const places[] = { ".go.module", ".noptrdata", ".data",
		".data.rel.ro" };
	const struct elf_section *s;
	struct relocations r;
	uint64_t found;
	size_t i;

	for (i = 0; i < sizeof places / sizeof *places; i++) {
		s = elf_section(g->elf, places[i]);
		found = s ? find_pointer(g, s) : 0;
		if (found)
			return found;
	}
	r = relocations_of(g);
	while (g->word == 8 && next_relocation(&r))
		if (r.value == g->address)
			return r.place;
	return 0;
}

/* Reads data that only the module has: the base of trees of inlined functions and, in
 * recent versions, the start of text. */
static void
read_module(struct gopclntab *g)
{
	enum { TEXT = 22, INLINED_18 = 38, INLINED_20 = 40 };
	uint64_t module = find_module(g);

	if (!module)
		return;
	g->inlined = word_at(
		g, module + (g->version == GO_18 ? INLINED_18 : INLINED_20) * g->word);
	if (!g->text)
		g->text = word_at(g, module + TEXT * g->word);
}

/* The part of the table at the offset that B contains next. */
static struct str
read_part(const struct gopclntab *g, struct bytes *b)
{
	uint64_t at = read_word(b, g->word);

	return at < g->all.n ? str_from(g->all, (size_t)at) : (struct str){ 0 };
}

/* In 1.2, the offset of the list of files, u32, follows the functions' end. */
static bool
read_first_files(struct gopclntab *g)
{
	struct bytes b =
		bytes_at(g, g->functions, g->n * 2 * (uint64_t)g->word + g->word);
	uint32_t at = bytes_u32(&b);

	g->files = g->all;
	g->units = at < g->all.n ? str_from(g->all, at) : (struct str){ 0 };
	return true;
}

static bool
read_parts(struct gopclntab *g)
{
	struct bytes b = bytes_at(g, g->all, HEADER);
	size_t pair = g->version >= GO_18 ? 8 : 2 * (size_t)g->word;

	g->n = read_word(&b, g->word);
	if (g->version == GO_2) {
		g->names = g->values = g->all;
		g->functions = str_from(g->all, HEADER + g->word);
		return !b.bad && g->n < g->functions.n / pair && read_first_files(g);
	}
	(void)read_word(&b, g->word); /* files */
	if (g->version >= GO_18) {
		(void)read_word(&b, g->word);
		g->text = word_at(g, g->address + HEADER + 2 * g->word);
	}
	g->names = read_part(g, &b);
	g->units = read_part(g, &b);
	g->files = read_part(g, &b);
	g->values = read_part(g, &b);
	g->functions = read_part(g, &b);
	if (g->version >= GO_18)
		read_module(g);
	return !b.bad && g->n < g->functions.n / pair;
}

struct gopclntab *
gopclntab_new(struct elf *e)
{
	struct gopclntab *g = mem_zero(1, sizeof *g);

	g->elf = e;
	if (find_table(g) && read_parts(g))
		return g;
	gopclntab_free(g);
	return NULL;
}

void
gopclntab_free(struct gopclntab *g)
{
	free(g);
}

/* The function number I, below the number of functions. */
static struct function
function_at(const struct gopclntab *g, uint64_t i)
{
	unsigned size = g->version >= GO_18 ? 4 : g->word;
	struct bytes b = bytes_at(g, g->functions, i * 2 * size);
	struct function f;

	f.start = g->text + read_word(&b, size);
	f.offset = read_word(&b, size);
	f.end = g->text + read_word(&b, size);
	return f;
}

/* A cursor at the name of F. In 1.2 offsets are relative to the table's start. */
static struct bytes
open_function(const struct gopclntab *g, const struct function *f)
{
	struct str from = g->version == GO_2 ? g->all : g->functions;
	struct bytes b = bytes_at(g, from, f->offset);

	bytes_skip(&b, g->version >= GO_18 ? 4 : g->word);
	return b;
}

static struct str
text_at(const struct gopclntab *g, uint64_t at)
{
	struct str name = { 0 };

	(void)elf_text(g->names, at, NAME_MOST, &name);
	return name;
}

size_t
gopclntab_add(const struct gopclntab *g, struct symtab *t)
{
	struct symtab_symbol s = { .binding = ELF_LOCAL };
	struct function f;
	struct bytes b;
	size_t added = 0;
	uint64_t i;

	for (i = 0; i < g->n; i++) {
		f = function_at(g, i);
		b = open_function(g, &f);
		s.name = text_at(g, bytes_u32(&b));
		if (b.bad || !s.name.n || f.end <= f.start)
			continue;
		s.start = f.start;
		s.size = f.end - f.start;
		symtab_add(t, &s);
		added++;
	}
	return added;
}

/* The value at PC of the table at AT, or -1. */
static int32_t
value_at(const struct gopclntab *g, uint64_t at, uint64_t start, uint64_t pc)
{
	struct bytes b = bytes_at(g, str_head(g->values, at + VALUES_MOST), at);
	uint32_t value = UINT32_MAX, delta;
	bool first = true;

	for (; at; first = false) {
		delta = (uint32_t)bytes_uleb(&b);
		if (b.bad || (!delta && !first))
			break;
		value += delta & 1 ? ~(delta >> 1) : delta >> 1;
		start += (uint64_t)(uint32_t)bytes_uleb(&b) * g->quantum;
		if (b.bad || pc < start)
			return b.bad ? -1 : (int32_t)value;
	}
	return -1;
}

/* Details of a function: its name, its tables of values, its tree of inlined
 * functions. */
struct details {
	uint32_t name;
	uint32_t depth, file, line; /* places in values; 0: none */
	uint32_t unit;		    /* its first file, as an index of units */
	uint32_t call;		    /* place in values of indices of the tree; 0: none */
	uint8_t flag;
	struct str tree;
};

/* Reads the numbers of PCDATA and FUNCDATA, as far as calls need them. */
static void
read_tree(const struct gopclntab *g, struct bytes *b, uint32_t n, struct details *d)
{
	uint8_t trees = bytes_u8(b);
	uint32_t tree = UINT32_MAX, i;

	for (i = 0; i < n && !b->bad; i++)
		if (i == PCDATA_INLINE)
			d->call = bytes_u32(b);
		else
			bytes_skip(b, sizeof(uint32_t));
	for (i = 0; i < trees && i <= FUNCDATA_INLINE && !b->bad; i++)
		tree = bytes_u32(b);
	if (!b->bad && i > FUNCDATA_INLINE && tree != UINT32_MAX && g->inlined)
		d->tree = elf_from(g->elf, g->inlined + tree);
}

static bool
read_details(const struct gopclntab *g, const struct function *f, struct details *d)
{
	struct bytes b = open_function(g, f);
	uint32_t n;

	*d = (struct details){ .name = bytes_u32(&b) };
	bytes_skip(&b, 2 * sizeof(uint32_t)); /* args, deferreturn */
	d->depth = bytes_u32(&b);
	d->file = bytes_u32(&b);
	d->line = bytes_u32(&b);
	n = bytes_u32(&b);
	if (b.bad || g->version == GO_2)
		return !b.bad;
	d->unit = bytes_u32(&b);
	if (g->version >= GO_20)
		bytes_skip(&b, sizeof(uint32_t)); /* its first line */
	bytes_skip(&b, 1);			  /* funcID */
	d->flag = bytes_u8(&b);
	bytes_skip(&b, 1);
	if (!b.bad && g->version >= GO_18)
		read_tree(g, &b, n, d);
	return !b.bad;
}

/* Finds the function that contains ADDRESS. Returns false without one. */
static bool
find_function(const struct gopclntab *g, uint64_t address, struct function *f)
{
	uint64_t low = 0, high = g->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		*f = function_at(g, mid);
		if (address < f->start)
			high = mid;
		else if (address >= f->end)
			low = mid + 1;
		else
			return true;
	}
	return false;
}

/* Sets *NAME to the inlined function around *PC, and *PC to the place of its call.
 * Returns false if *PC is in F itself. */
static bool
leave_inlined(const struct gopclntab *g, const struct function *f,
	const struct details *d, uint64_t *pc, struct str *name)
{
	const size_t size = g->version >= GO_20 ? 16 : 20;
	int32_t call = d->tree.n ? value_at(g, d->call, f->start, *pc) : -1;
	struct bytes b;

	if (call < 0)
		return false;
	b = bytes_at(g, d->tree, (uint64_t)call * size);
	bytes_skip(&b, g->version >= GO_20 ? 4 : 12);
	*name = text_at(g, bytes_u32(&b));
	*pc = f->start + bytes_u32(&b);
	return !b.bad && name->n;
}

/* File number I of the unit of D, in 1.2 of the list of all files. */
static struct str
file_at(const struct gopclntab *g, const struct details *d, int32_t i)
{
	struct bytes b = bytes_at(
		g, g->units, ((uint64_t)d->unit + (uint64_t)i) * sizeof(uint32_t));
	uint32_t at = bytes_u32(&b);
	struct str file = { 0 };

	if (i >= 0 && !b.bad && at != UINT32_MAX)
		(void)elf_text(g->files, at, NAME_MOST, &file);
	return file;
}

static struct inlines_place
line_at(const struct gopclntab *g, const struct function *f, const struct details *d,
	uint64_t pc)
{
	int32_t line = value_at(g, d->line, f->start, pc);

	return (struct inlines_place){ file_at(g, d, value_at(g, d->file, f->start, pc)),
		line > 0 ? (uint32_t)line : 0 };
}

size_t
gopclntab_find(const struct gopclntab *g, uint64_t address, struct inlines_frame *frames,
	struct inlines_place *lines, size_t cap)
{
	uint64_t pc = address, at = address;
	struct inlines_frame frame = { .inlined = true };
	struct function f;
	struct details d;
	size_t n;

	if (!cap || !find_function(g, address, &f) || !read_details(g, &f, &d))
		return 0;
	for (n = 0; frame.inlined; n++) {
		frame.inlined = n + 1 < cap && leave_inlined(g, &f, &d, &pc, &frame.name);
		if (!frame.inlined)
			frame.name = text_at(g, d.name);
		if (lines)
			lines[n] = line_at(g, &f, &d, at);
		frames[n] = frame;
		at = pc;
	}
	return n;
}

/* Functions that do not return to their caller in the usual way: since 1.17 flags mark
 * some of them. */
static const struct {
	const char *name;
	enum gopclntab_kind kind;
} special[] = {
	{ "runtime.goexit", GOPCLNTAB_OUTERMOST },
	{ "runtime.mstart", GOPCLNTAB_OUTERMOST },
	{ "runtime.rt0_go", GOPCLNTAB_OUTERMOST },
	/* It never returns to the goroutine that called it. */
	{ "runtime.mcall", GOPCLNTAB_OUTERMOST },
	/* It leaves the same frame on both stacks. */
	{ "runtime.cgocallback", GOPCLNTAB_CALLED },
	{ "runtime.systemstack", GOPCLNTAB_SWITCHED },
	{ "runtime.asmcgocall", GOPCLNTAB_SWITCHED },
	{ "runtime.morestack", GOPCLNTAB_SWITCHED },
};

static enum gopclntab_kind
kind_of(const struct gopclntab *g, const struct details *d)
{
	struct str name = text_at(g, d->name), end = STR(".abi0");
	size_t i;

	if (str_ends(name, end))
		name = str_head(name, name.n - end.n);
	for (i = 0; i < sizeof special / sizeof *special; i++)
		if (str_eq(name, str_of(special[i].name)))
			return special[i].kind;
	if (d->flag & FLAG_OUTERMOST)
		return GOPCLNTAB_OUTERMOST;
	return d->flag & FLAG_MOVES_STACK ? GOPCLNTAB_SWITCHED : GOPCLNTAB_CALLED;
}

/* Whether a signal handler returns to F; or to the next function, if ADDRESS is the
 * byte before it. */
static bool
is_sigreturn(const struct gopclntab *g, const struct function *f, uint64_t address)
{
	struct function next = *f;
	struct details d;

	if (address + 1 == f->end && !find_function(g, f->end, &next))
		return false;
	return read_details(g, &next, &d) &&
		str_starts(text_at(g, d.name), STR("runtime.sigreturn"));
}

bool
gopclntab_frame(
	const struct gopclntab *g, uint64_t address, struct gopclntab_frame *frame)
{
	struct function f;
	struct details d;
	int32_t depth;

	if (!find_function(g, address, &f) || !read_details(g, &f, &d))
		return false;
	depth = value_at(g, d.depth, f.start, address);
	frame->kind = is_sigreturn(g, &f, address) ? GOPCLNTAB_SIGRETURN : kind_of(g, &d);
	frame->depth = depth > 0 ? (uint32_t)depth : 0;
	return depth >= 0;
}
