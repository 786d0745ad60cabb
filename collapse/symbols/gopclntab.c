/* SPDX-License-Identifier: ISC */
/*
 * Functions of Go programs; see gopclntab.h. The table begins
 *
 *	u32 magic, u8 0, u8 0, u8 quantum of instructions, u8 bytes of a word
 *	word functions, files, [1.18: start of text,] then offsets from the table's
 *	start: names, units, files, values by pc, functions
 *
 * and the functions are pairs of start and place, of words before 1.18 and then of u32
 * from the start of text. In 1.2 the pairs stand behind the number of functions, and
 * names count from the table's start. Pointers of a PIE stand in its relocations.
 */
#include "gopclntab.h"
#include "bytes.h"
#include "mem.h"

enum { GO_2, GO_16, GO_18, GO_20, VERSIONS };
enum { HEADER = 8, NAME_MOST = 4096, VALUES_MOST = 1 << 16 };
enum { PCDATA_INLINE = 2, FUNCDATA_INLINE = 3 };

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
	uint64_t n, text; /* functions; what their starts count from */
	uint64_t inlined; /* address that trees of inlined functions count from, or 0 */
	struct str names, values, functions;
};

/* A function of the table. */
struct function {
	uint64_t start, end, offset; /* offset: in functions */
};

static uint64_t
take_word(struct bytes *b, unsigned word)
{
	return word == 8 ? bytes_u64(b) : bytes_u32(b);
}

static struct bytes
bytes_at(const struct gopclntab *g, struct str s, uint64_t at)
{
	return bytes_of(
		at < s.n ? str_from(s, (size_t)at) : (struct str){ 0 }, g->elf->swap);
}

/* Reads the header at the start of S; false when it is none. */
static bool
take_header(struct gopclntab *g, struct str s)
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

/* Looks for the table in S, a section whose name says nothing. */
static bool
scan(struct gopclntab *g, const struct elf_section *s)
{
	enum { STEP = 8 };
	struct str data = elf_data(g->elf, s);
	size_t at = (size_t)(-s->address & (STEP - 1));

	for (; at < data.n && data.n - at >= HEADER; at += STEP) {
		g->all = str_from(data, at);
		g->address = s->address + at;
		if (take_header(g, g->all))
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
		return take_header(g, g->all);
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

/* What puts VALUE at PLACE when the program is loaded. */
struct relocations {
	struct bytes b;
	uint64_t place, value;
};

/* Go's own linker and C's have different names for them. */
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

/* The word at ADDRESS once the program is loaded; 0 when there is none. */
static uint64_t
word_at(const struct gopclntab *g, uint64_t address)
{
	struct bytes b = bytes_of(elf_from(g->elf, address), g->elf->swap);
	uint64_t value = take_word(&b, g->word);
	struct relocations r;

	if (value || g->word != 8)
		return value;
	r = relocations_of(g);
	while (next_relocation(&r))
		if (r.place == address)
			return r.value;
	return 0;
}

/* The address of the word in S that is the table's; 0 when none is. */
static uint64_t
find_pointer(const struct gopclntab *g, const struct elf_section *s)
{
	struct bytes b = elf_bytes(g->elf, s);
	uint64_t at = s->address;

	for (; bytes_left(&b) >= g->word; at += g->word)
		if (take_word(&b, g->word) == g->address)
			return at;
	return 0;
}

/* The address of runtime.firstmoduledata, which begins with that of the table. */
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

/* What only the module says: where trees of inlined functions are and, of late, where
 * text starts. */
static void
take_module(struct gopclntab *g)
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

/* What stands at the offset that B says next. */
static struct str
take_part(const struct gopclntab *g, struct bytes *b)
{
	uint64_t at = take_word(b, g->word);

	return at < g->all.n ? str_from(g->all, (size_t)at) : (struct str){ 0 };
}

static bool
take_parts(struct gopclntab *g)
{
	struct bytes b = bytes_at(g, g->all, HEADER);
	size_t pair = g->version >= GO_18 ? 8 : 2 * (size_t)g->word;

	g->n = take_word(&b, g->word);
	if (g->version == GO_2) {
		g->names = g->all;
		g->functions = str_from(g->all, HEADER + g->word);
		return !b.bad && g->n < g->functions.n / pair;
	}
	(void)take_word(&b, g->word); /* files */
	if (g->version >= GO_18) {
		(void)take_word(&b, g->word);
		g->text = word_at(g, g->address + HEADER + 2 * g->word);
	}
	g->names = take_part(g, &b);
	(void)take_part(g, &b);
	(void)take_part(g, &b);
	g->values = take_part(g, &b);
	g->functions = take_part(g, &b);
	if (g->version >= GO_18)
		take_module(g);
	return !b.bad && g->n < g->functions.n / pair;
}

struct gopclntab *
gopclntab_new(struct elf *e)
{
	struct gopclntab *g = mem_zero(1, sizeof *g);

	g->elf = e;
	if (find_table(g) && take_parts(g))
		return g;
	gopclntab_free(g);
	return NULL;
}

void
gopclntab_free(struct gopclntab *g)
{
	free(g);
}

/* The function number I, I below the number of them. */
static struct function
function_at(const struct gopclntab *g, uint64_t i)
{
	unsigned size = g->version >= GO_18 ? 4 : g->word;
	struct bytes b = bytes_at(g, g->functions, i * 2 * size);
	struct function f;

	f.start = g->text + take_word(&b, size);
	f.offset = take_word(&b, size);
	f.end = g->text + take_word(&b, size);
	return f;
}

/* The numbers of F up to its name. In 1.2 offsets count from the table's start. */
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

/* The value at PC of the table at AT; -1 where it has none. */
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

/* What F says of its inlined functions: a table of values, and the tree. */
struct calls {
	uint32_t name;	/* of F itself */
	uint32_t index; /* in values; 0: none */
	struct str tree;
};

static bool
take_calls(const struct gopclntab *g, const struct function *f, struct calls *c)
{
	struct bytes b = open_function(g, f);
	uint32_t n, tree = UINT32_MAX, i;
	uint8_t trees;

	*c = (struct calls){ .name = bytes_u32(&b) };
	bytes_skip(&b, 5 * sizeof(uint32_t)); /* args ... pcln */
	n = bytes_u32(&b);
	bytes_skip(&b, (g->version >= GO_20 ? 2 : 1) * sizeof(uint32_t));
	bytes_skip(&b, 3); /* funcID, flag, padding */
	trees = bytes_u8(&b);
	for (i = 0; i < n && !b.bad; i++)
		if (i == PCDATA_INLINE)
			c->index = bytes_u32(&b);
		else
			bytes_skip(&b, sizeof(uint32_t));
	for (i = 0; i < trees && i <= FUNCDATA_INLINE && !b.bad; i++)
		tree = bytes_u32(&b);
	if (b.bad)
		return false;
	if (i > FUNCDATA_INLINE && tree != UINT32_MAX && g->inlined)
		c->tree = elf_from(g->elf, g->inlined + tree);
	return true;
}

/* The function whose code holds ADDRESS; false when there is none. */
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

size_t
gopclntab_find(const struct gopclntab *g, uint64_t address, struct inlines_frame *frames,
	size_t cap)
{
	const size_t size = g->version >= GO_20 ? 16 : 20;
	uint64_t pc = address;
	struct function f;
	struct calls c;
	struct bytes b;
	size_t n = 0;
	int32_t call;

	if (g->version < GO_18 || !find_function(g, address, &f) ||
		!take_calls(g, &f, &c))
		return 0;
	while (n + 1 < cap && c.tree.n &&
		(call = value_at(g, c.index, f.start, pc)) >= 0) {
		b = bytes_at(g, c.tree, (uint64_t)call * size);
		bytes_skip(&b, g->version >= GO_20 ? 4 : 12);
		frames[n].name = text_at(g, bytes_u32(&b));
		frames[n].inlined = true;
		pc = f.start + bytes_u32(&b);
		if (b.bad || !frames[n].name.n)
			break;
		n++;
	}
	if (n < cap)
		frames[n++] = (struct inlines_frame){ text_at(g, c.name), false };
	return n;
}
