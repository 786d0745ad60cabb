/* SPDX-License-Identifier: ISC */
/*
 * The sorted table of symbols, and filling it from an ELF file; see symtab.h.
 *
 * Entries stay in the order of their addition. Entries with the same start are a group,
 * from which one is chosen on first use; the starts are sorted separately.
 */
#include "symtab.h"
#include "arena.h"
#include "buf.h"
#include "demangle.h"
#include "mem.h"
#include "search.h"

/*
 * The starts of symbols: sorted, distinct addresses, fewer than 2^32. A binary search
 * waits for memory at each step, so a table replaces the first steps: the range of
 * addresses in parts of equal size, with the number of starts before each.
 */
struct starts {
	uint64_t *at;
	size_t n;
	unsigned shift;
	size_t parts;
	uint32_t *before; /* by part; the last is n */
};

/* The most symbols in a part, on average. */
enum { CROWD = 4 };

/* Builds the table of parts from AT and N. */
static void
index_starts(struct starts *s)
{
	uint64_t range;
	size_t i, part;

	if (!s->n)
		return;
	range = s->at[s->n - 1] - s->at[0];
	while (range >> s->shift > s->n / CROWD + 1)
		s->shift++;
	s->parts = (size_t)(range >> s->shift) + 1;
	s->before = mem_resize(NULL, s->parts + 1, sizeof *s->before);
	for (i = 0, part = 0; part < s->parts; part++) {
		while (i < s->n && (s->at[i] - s->at[0]) >> s->shift < part)
			i++;
		s->before[part] = (uint32_t)i;
	}
	s->before[part] = (uint32_t)s->n;
}

static void
release_starts(struct starts *s)
{
	free(s->at);
	free(s->before);
}

/* The number of starts up to ADDRESS. */
static size_t
count_starts(const struct starts *s, uint64_t address)
{
	uint64_t part;
	size_t low;

	if (!s->n || address < s->at[0])
		return 0;
	part = (address - s->at[0]) >> s->shift;
	if (part >= s->parts)
		return s->n;
	low = s->before[part];
	return low +
		search_upto(
			s->at + low, s->before[part + 1] - low, sizeof *s->at, address);
}

enum { PAGE = 4096 };
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
/* The most symbols to try as enclosing an address: real code has a few. */
enum { STEPS = 256 };

enum {
	MARK = 1, /* an end, not a symbol */
	/* The name ends at the first NUL within name_n, or is invalid: finding the ends
	 * of 100,000s of names would take longer than everything else. */
	UNCUT = 2,
};

struct entry {
	uint64_t start, size;
	const char *name;
	uint32_t name_n;
	uint32_t module : 22; /* 0: none, else modules[module - 1] */
	uint32_t binding : 4;
	uint32_t flags : 6;
};

/* The items to sort: touching new memory takes longer than everything else, so half a
 * start at a time. */
struct sort_item {
	uint32_t key, entry;
};

struct symtab {
	struct entry *entries;
	size_t n, cap;
	struct str *modules;
	size_t module_n, module_cap;
	enum symtab_choice choice;
	struct sort_item *order;       /* entries by start, then age */
	struct starts starts;	       /* of groups, all different */
	uint32_t *first;	       /* their entries in order, then the end */
	struct symtab_symbol **chosen; /* NULL: not chosen yet */
	/* If symbols overlap: the last end in a group; and, plus one, the nearest
	 * earlier group that ends later. Otherwise NULL. */
	uint64_t *reach;
	uint32_t *outer;
	struct arena arena;
};

struct symtab *
symtab_new(void)
{
	return mem_zero(1, sizeof(struct symtab));
}

void
symtab_free(struct symtab *t)
{
	if (!t)
		return;
	arena_release(&t->arena);
	free(t->entries);
	free(t->modules);
	free(t->order);
	release_starts(&t->starts);
	free(t->first);
	free(t->reach);
	free(t->outer);
	free(t->chosen);
	free(t);
}

/* The number of module NAME, 0 for none. A module's symbols come together, so try the
 * last one first. */
static uint32_t
number_module(struct symtab *t, struct str name)
{
	enum { MODULES = 1 << 16 };
	size_t i;

	if (!name.n)
		return 0;
	for (i = t->module_n; i > 0; i--)
		if (str_eq(t->modules[i - 1], name))
			return (uint32_t)i;
	if (t->module_n == MODULES)
		return 0;
	*MEM_ADD(t->modules, t->module_n, t->module_cap) = name;
	return (uint32_t)t->module_n;
}

static void
add(struct symtab *t, const struct entry *e)
{
	/* Indices have 32 bits, and one value means none. */
	if (t->n >= UINT32_MAX - 1)
		return;
	t->entries = mem_grow(t->entries, &t->cap, t->n + 1, sizeof *t->entries);
	t->entries[t->n] = *e;
	if (e->size > UINT64_MAX - e->start)
		t->entries[t->n].size = UINT64_MAX - e->start;
	t->n++;
}

void
symtab_add(struct symtab *t, const struct symtab_symbol *s)
{
	add(t,
		&(struct entry){ .start = s->start,
			.size = s->size,
			.name = s->name.s,
			.name_n = s->name.n < UINT32_MAX ? (uint32_t)s->name.n : 0,
			.module = number_module(t, s->module),
			.binding = s->binding & 0xf });
}

void
symtab_add_copy(struct symtab *t, const struct symtab_symbol *s, struct str name,
	struct str suffix)
{
	struct symtab_symbol copy = *s;
	struct buf b = { 0 };

	buf_str(&b, name);
	buf_str(&b, suffix);
	copy.name = arena_str(&t->arena, buf_view(&b));
	symtab_add(t, &copy);
	buf_release(&b);
}

void
symtab_add_end(struct symtab *t, uint64_t address)
{
	add(t, &(struct entry){ .start = address, .flags = MARK });
}

/* Sorts FROM stably into TO by the digit of its keys at SHIFT. Does nothing and returns
 * false if all digits are the same. */
static bool
sort_digit(struct sort_item *to, const struct sort_item *from, size_t n, unsigned shift)
{
	uint32_t at[DIGITS] = { 0 }, before = 0, count;
	size_t i;

	for (i = 0; i < n; i++)
		at[from[i].key >> shift & (DIGITS - 1)]++;
	if (at[from[0].key >> shift & (DIGITS - 1)] == n)
		return false;
	for (i = 0; i < DIGITS; i++) {
		count = at[i];
		at[i] = before;
		before += count;
	}
	for (i = 0; i < n; i++)
		to[at[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

/* Sets the keys of A to the halves of starts at SHIFT. Returns false if all are the
 * same. */
static bool
set_keys(const struct symtab *t, struct sort_item *a, unsigned shift)
{
	uint32_t differ = 0;
	size_t i;

	for (i = 0; i < t->n; i++) {
		a[i].key = (uint32_t)(t->entries[a[i].entry].start >> shift);
		differ |= a[i].key ^ a[0].key;
	}
	return differ != 0;
}

static bool
is_sorted(const struct symtab *t)
{
	size_t i;

	for (i = 1; i < t->n; i++)
		if (t->entries[i].start < t->entries[i - 1].start)
			return false;
	return true;
}

/* All entries by start, then by age. */
static struct sort_item *
sort(const struct symtab *t)
{
	enum { HALF = 32 };
	struct sort_item *a = mem_resize(NULL, t->n, sizeof *a), *b, *was;
	unsigned half, shift;
	size_t i;

	for (i = 0; i < t->n; i++)
		a[i].entry = (uint32_t)i;
	if (is_sorted(t))
		return a;
	b = mem_resize(NULL, t->n, sizeof *b);
	for (half = 0; half <= HALF; half += HALF) {
		if (!set_keys(t, a, half))
			continue;
		for (shift = 0; shift < HALF; shift += DIGIT_BITS)
			if (sort_digit(b, a, t->n, shift)) {
				was = a;
				a = b;
				b = was;
			}
	}
	free(b);
	return a;
}

static struct entry *
entry_at(const struct symtab *t, size_t place)
{
	return &t->entries[t->order[place].entry];
}

/* The end of the page after the one of ADDRESS, as in perf. */
static uint64_t
next_page(uint64_t address)
{
	return address > UINT64_MAX - 2 * PAGE
		? UINT64_MAX
		: (address + PAGE + PAGE - 1) / PAGE * PAGE;
}

/* Sets missing sizes of entries. In a group only the last one gets a size, as in perf,
 * so that it is chosen. A label within a function that has a size is not a function;
 * perf picks one of the two by chance. */
static void
close_open(struct symtab *t)
{
	struct entry *e, *next;
	uint64_t reached = 0, end = 0; /* by symbols that start before, or here */
	size_t i;

	for (i = 0; i < t->n; i++) {
		e = entry_at(t, i);
		if (i && e->start > entry_at(t, i - 1)->start)
			reached = end;
		if (e->size && e->start + e->size > end)
			end = e->start + e->size;
		if (e->size || e->flags & MARK)
			continue;
		if (e->start < reached) {
			e->flags |= MARK;
			continue;
		}
		next = i + 1 < t->n ? entry_at(t, i + 1) : NULL;
		e->size = (next && next->module == e->module ? next->start
							     : next_page(e->start)) -
			e->start;
	}
}

/* The last end in group G. */
static uint64_t
find_reach(const struct symtab *t, size_t g)
{
	uint64_t size = 0;
	uint32_t i;

	for (i = t->first[g]; i < t->first[g + 1]; i++)
		if (entry_at(t, i)->size > size)
			size = entry_at(t, i)->size;
	return t->starts.at[g] + size;
}

/* Links each group to the nearest earlier one that ends later, for addresses beyond the
 * nearest symbol. */
static void
link_outer(struct symtab *t)
{
	bool nested = false;
	size_t g;
	uint32_t j;

	for (g = 0; g + 1 < t->starts.n && !nested; g++)
		nested = find_reach(t, g) > t->starts.at[g + 1];
	if (!nested)
		return;
	t->reach = mem_resize(NULL, t->starts.n, sizeof *t->reach);
	t->outer = mem_resize(NULL, t->starts.n, sizeof *t->outer);
	for (g = 0; g < t->starts.n; g++) {
		t->reach[g] = find_reach(t, g);
		for (j = (uint32_t)g; j && t->reach[j - 1] <= t->reach[g];)
			j = t->outer[j - 1];
		t->outer[g] = j;
	}
}

static void
make_groups(struct symtab *t)
{
	uint64_t start;
	size_t i;

	t->starts.at = mem_resize(NULL, t->n, sizeof *t->starts.at);
	t->first = mem_resize(NULL, t->n + 1, sizeof *t->first);
	for (i = 0; i < t->n; i++) {
		start = entry_at(t, i)->start;
		if (t->starts.n && start == t->starts.at[t->starts.n - 1])
			continue;
		t->first[t->starts.n] = (uint32_t)i;
		t->starts.at[t->starts.n++] = start;
	}
	t->first[t->starts.n] = (uint32_t)t->n;
	t->chosen = mem_zero(t->starts.n, sizeof *t->chosen);
}

void
symtab_seal(struct symtab *t, enum symtab_choice choice, bool open)
{
	t->choice = choice;
	t->order = sort(t);
	make_groups(t);
	index_starts(&t->starts);
	if (open)
		close_open(t);
	link_outer(t);
}

/* The name of E, empty if it does not end within its table. */
static struct str
name_of(struct entry *e)
{
	enum { NAME_MAX_BYTES = 1 << 16 };
	const char *nul;

	if (e->flags & UNCUT) {
		e->flags &= ~(unsigned)UNCUT & 0x3f;
		nul = memchr(e->name, '\0',
			e->name_n < NAME_MAX_BYTES ? e->name_n : NAME_MAX_BYTES);
		e->name_n = nul ? (uint32_t)(nul - e->name) : 0;
	}
	return (struct str){ e->name, e->name_n };
}

static size_t
count_underscores(struct str name)
{
	size_t n = 0;

	while (n < name.n && name.s[n] == '_')
		n++;
	return n;
}

/* Whether B is better than A, a symbol at the same address; both have names. perf
 * compares demangled names. */
static bool
is_better(struct entry *b, struct entry *a)
{
	struct buf shown = { 0 };
	struct str name[2];
	size_t n[2], under[2], i;

	if (!a->size != !b->size)
		return b->size != 0;
	if ((a->binding == ELF_WEAK) != (b->binding == ELF_WEAK))
		return a->binding == ELF_WEAK;
	if ((a->binding == ELF_GLOBAL) != (b->binding == ELF_GLOBAL))
		return b->binding == ELF_GLOBAL;
	for (i = 0; i < 2; i++) {
		name[i] = name_of(i ? b : a);
		buf_clear(&shown);
		if (demangle_as_perf(&shown, name[i]))
			name[i] = buf_view(&shown);
		under[i] = count_underscores(name[i]);
		n[i] = name[i].n;
	}
	buf_release(&shown);
	return under[0] != under[1] ? under[1] < under[0] : n[1] > n[0];
}

/* The entry that represents group G, NULL if it contains only marks. */
static struct entry *
choose(struct symtab *t, size_t g)
{
	struct entry *best = NULL, *e;
	uint32_t i;

	for (i = t->first[g]; i < t->first[g + 1]; i++) {
		e = entry_at(t, i);
		if (e->flags & MARK || !name_of(e).n)
			continue;
		if (!best || t->choice == SYMTAB_LAST || is_better(e, best))
			best = e;
	}
	return best;
}

/* The symbol chosen for group G, NULL if it does not contain ADDRESS. */
static struct symtab_symbol *
group_symbol(struct symtab *t, size_t g, uint64_t address)
{
	struct symtab_symbol *s = t->chosen[g];
	struct entry *e;

	if (!s) {
		e = choose(t, g);
		if (!e)
			return NULL;
		s = arena_alloc(&t->arena, sizeof *s);
		*s = (struct symtab_symbol){ .start = e->start,
			.size = e->size,
			.name = name_of(e),
			.binding = (unsigned char)e->binding };
		if (e->module)
			s->module = t->modules[e->module - 1];
		t->chosen[g] = s;
	}
	return address - s->start < s->size || address == s->start ? s : NULL;
}

struct symtab_symbol *
symtab_find(struct symtab *t, uint64_t address)
{
	size_t g = count_starts(&t->starts, address);
	struct symtab_symbol *s;
	int steps;

	for (steps = 0; g && steps < STEPS; steps++) {
		if (steps && t->reach[g - 1] <= address) {
			g = t->outer[g - 1];
			continue;
		}
		s = group_symbol(t, g - 1, address);
		if (s || !t->outer)
			return s;
		g--;
	}
	return NULL;
}

/*
 * Functions of an ELF file. They are chosen as in perf (tools/perf/util/symbol-elf.c):
 * FUNC and IFUNC in any loaded section, and untyped labels of assembly, unless hidden,
 * in sections with "text" in their names. (System V ABI, chapter 4, Symbol Table; for
 * $a, $d, $t and $x: ELF for the Arm Architecture, section 5.5.5.)
 */

enum { VISIBILITY_INTERNAL = 1, VISIBILITY_HIDDEN = 2 };
enum { SECTION_ELSEWHERE = 0xffff };

/* Properties of a section. */
enum { LOADED = 1, CODE = 2, TEXT = 4 };

/* Data of the file for reading symbols. */
struct reader {
	const struct elf *e;
	struct str names;
	unsigned char *kinds; /* of sections */
};

/* Reads the properties of sections, and adds the ends of those with code. */
static void
read_sections(struct reader *r, struct symtab *t)
{
	const struct elf_section *s;
	size_t i;

	r->kinds = mem_zero(r->e->section_n, sizeof *r->kinds);
	for (i = 0; i < r->e->section_n; i++) {
		s = &r->e->sections[i];
		if (!(s->flags & ELF_FLAG_ALLOC))
			continue;
		r->kinds[i] = LOADED;
		if (!(s->flags & ELF_FLAG_EXEC))
			continue;
		r->kinds[i] |= CODE;
		if (str_search(s->name, STR("text")) < s->name.n)
			r->kinds[i] |= TEXT;
		if (s->size <= UINT64_MAX - s->address)
			symtab_add_end(t, s->address + s->size);
	}
}

/* The Ith byte of NAME, a slice that goes beyond the NUL at its end. */
static char
byte_at(struct str name, size_t i)
{
	return i < name.n ? name.s[i] : '\0';
}

/* Whether NAME is a label for tools only. */
static bool
is_tools_label(struct str name)
{
	char first = byte_at(name, 0), second = byte_at(name, 1), third;

	if (first == '.' && second == 'L')
		return true;
	if (first != '$' || !second || !strchr("adtx", second))
		return false;
	third = byte_at(name, 2);
	return third == '\0' || third == '.' || second == 'x';
}

/* Whether S, called NAME, is a place in code with a meaningful name. Names are
 * scattered in memory: only labels' names are read. */
static bool
is_function(const struct reader *r, const struct elf_symbol *s, struct str name)
{
	unsigned kind = s->section < r->e->section_n ? r->kinds[s->section] : 0;

	if (!s->section || !name.n)
		return false;
	if (s->section >= ELF_RESERVED)
		return s->section == SECTION_ELSEWHERE && s->type == ELF_FUNC;
	switch (s->type) {
	case ELF_FUNC:
	case ELF_IFUNC: return kind & LOADED;
	case ELF_OBJECT: return kind & CODE;
	case ELF_NOTYPE:
		return kind & TEXT && s->visibility != VISIBILITY_INTERNAL &&
			s->visibility != VISIBILITY_HIDDEN && !is_tools_label(name);
	default: return false;
	}
}

/* Reads an entry, and returns the place of its name. elf_symbol checks each time; here
 * the checks are made once. */
static uint32_t
read_entry(struct bytes *b, bool wide, struct elf_symbol *s)
{
	uint32_t name = bytes_u32(b);
	uint8_t info;

	if (!wide) {
		s->value = bytes_u32(b);
		s->size = bytes_u32(b);
	}
	info = bytes_u8(b);
	s->visibility = bytes_u8(b) & 3;
	s->section = bytes_u16(b);
	if (wide) {
		s->value = bytes_u64(b);
		s->size = bytes_u64(b);
	}
	s->type = info & 0xf;
	s->binding = info >> 4;
	return name;
}

/* The first non-empty symbol table of TYPE. */
static const struct elf_section *
find_table(const struct elf *e, uint32_t type)
{
	size_t i;

	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].type == type &&
			elf_symbol_count(e, &e->sections[i]) > 1 &&
			e->sections[i].link < e->section_n)
			return &e->sections[i];
	return NULL;
}

size_t
symtab_add_elf(struct symtab *t, struct elf *e)
{
	struct reader r = { .e = e };
	const struct elf_section *s = find_table(e, ELF_SYMTAB);
	const size_t least = e->wide ? 24 : 16;
	size_t i, n, skip, added = 0;
	struct elf_symbol sym = { 0 };
	struct bytes b;
	struct str name;
	uint32_t at;

	if (!s)
		s = find_table(e, ELF_DYNSYM);
	if (!s)
		return 0;
	read_sections(&r, t);
	r.names = elf_data(e, &e->sections[s->link]);
	b = elf_bytes(e, s);
	skip = s->entry_size > least ? (size_t)s->entry_size - least : 0;
	n = elf_symbol_count(e, s);
	t->entries = mem_grow(t->entries, &t->cap, t->n + n, sizeof *t->entries);
	for (i = 0; i < n && !b.bad; i++) {
		at = read_entry(&b, e->wide, &sym);
		name = at ? str_from(r.names, at) : (struct str){ 0 };
		bytes_skip(&b, skip);
		if (b.bad || !is_function(&r, &sym, name))
			continue;
		if (e->machine == ELF_ARM && sym.type == ELF_FUNC)
			sym.value &= ~UINT64_C(1);
		add(t,
			&(struct entry){ .start = sym.value,
				.size = sym.size,
				.name = name.s,
				.name_n = name.n < UINT32_MAX ? (uint32_t)name.n
							      : UINT32_MAX,
				.binding = sym.binding & 0xf,
				.flags = UNCUT });
		added++;
	}
	free(r.kinds);
	return added;
}

/*
 * Functions of the procedure linkage table, "memcpy@plt".
 *
 *	1036:	ff 25 e4 2f 00 00	jmp *0x2fe4(%rip)	# 4020
 *	4020:	R_X86_64_JUMP_SLOT	memcpy
 *
 * Each entry jumps through a word of memory that a relocation fills, so the entry is
 * called after the relocation's symbol. Reading the jump works for all linkers and
 * layouts (.plt.sec, .plt.got, eager binding), where perf counts entries. On machines
 * whose jumps cannot be read here, entries are counted. Words that the program fills
 * itself with a resolver's result (IRELATIVE, in static programs) are named after the
 * resolver.
 */

enum { X86_64_IRELATIVE = 37, AARCH64_IRELATIVE = 1032 };
/* The most words to look up by their resolver. */
enum { INDIRECT_MAX = 4096 };

/* A word of memory that the PLT jumps through. */
struct slot {
	uint64_t address;
	uint64_t resolver; /* of an IRELATIVE word, otherwise 0 */
	uint32_t symbol;   /* index into dynamic symbols; 0: none */
	struct str name;
};

struct slots {
	struct elf *e;
	struct slot *items; /* by address, once sorted */
	size_t n, cap;
	bool indirect;
};

static bool
is_indirect(const struct elf *e, uint64_t type)
{
	return (e->machine == ELF_X86_64 && type == X86_64_IRELATIVE) ||
		(e->machine == ELF_AARCH64 && type == AARCH64_IRELATIVE);
}

/* Adds the words that the relocations of section NAME fill, in their order, with their
 * symbols' names; words without a name or a resolver only with ALL. */
static void
add_slots(struct slots *l, const char *name, bool all)
{
	const struct elf *e = l->e;
	const struct elf_section *s = elf_section(e, name), *symbols;
	bool wide = e->wide;
	struct elf_symbol sym;
	struct slot slot;
	uint64_t info;
	struct bytes b;

	if (!s || (s->type != ELF_SHT_RELA && s->type != ELF_SHT_REL))
		return;
	symbols = s->link < e->section_n ? &e->sections[s->link] : NULL;
	for (b = elf_bytes(l->e, s); bytes_left(&b);) {
		slot = (struct slot){ .address = bytes_uint(&b, wide ? 8 : 4) };
		info = bytes_uint(&b, wide ? 8 : 4);
		slot.symbol = (uint32_t)(info >> (wide ? 32 : 8));
		info &= wide ? UINT32_MAX : 0xff;
		if (s->type == ELF_SHT_RELA)
			slot.resolver = bytes_uint(&b, wide ? 8 : 4);
		if (b.bad)
			break;
		if (!is_indirect(e, info))
			slot.resolver = 0;
		if (slot.symbol && elf_symbol(l->e, symbols, slot.symbol, &sym))
			slot.name = sym.name;
		l->indirect |= slot.resolver != 0;
		if (!all && !slot.name.n && !slot.resolver)
			continue;
		*MEM_ADD(l->items, l->n, l->cap) = slot;
	}
}

static int
compare_slots(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* The slot at ADDRESS, NULL if it is missing or has no name. */
static const struct slot *
find_slot(const struct slots *l, uint64_t address)
{
	const struct slot key = { .address = address }, *found;

	found = l->n ? bsearch(&key, l->items, l->n, sizeof key, compare_slots) : NULL;
	return found && found->name.n ? found : NULL;
}

/* Names slots after their resolvers. */
static void
name_indirect(struct slots *l)
{
	struct elf *e = l->e;
	struct elf_symbol sym;
	size_t table, i, j, n = l->n < INDIRECT_MAX ? l->n : INDIRECT_MAX;

	for (table = 0; table < e->section_n; table++)
		for (i = elf_symbol_count(e, &e->sections[table]); i-- > 0;) {
			if (!elf_symbol(e, &e->sections[table], i, &sym) ||
				sym.type != ELF_IFUNC || !sym.section)
				continue;
			for (j = 0; j < n; j++)
				if (l->items[j].resolver == sym.value &&
					(!l->items[j].name.n || sym.name.s[0] != '_'))
					l->items[j].name = sym.name;
		}
}

static void
add_entry(struct symtab *t, uint64_t start, uint64_t size, const struct slot *slot)
{
	const struct symtab_symbol s = {
		.start = start, .size = size, .binding = ELF_GLOBAL
	};

	symtab_add_copy(t, &s, slot->name, STR("@plt"));
}

/* The little-endian 32-bit number at P. */
static uint32_t
word(const char *p)
{
	const unsigned char *u = (const unsigned char *)p;

	return u[0] | (uint32_t)u[1] << 8 | (uint32_t)u[2] << 16 | (uint32_t)u[3] << 24;
}

static size_t
add_x86_64(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	/* The jump may follow endbr64 (4 bytes), bnd (1), or both. */
	static const unsigned char places[] = { 0, 1, 4, 5 };
	enum { JUMP = 6, SMALL = 8, LARGE = 16 };
	struct str code = elf_data(l->e, s);
	size_t size = s->entry_size == SMALL ? SMALL : LARGE, at, i, added = 0;
	const struct slot *slot;
	const char *p;

	for (at = 0; at + size <= code.n; at += size)
		for (i = 0; i < sizeof places && places[i] + JUMP <= (int)size; i++) {
			p = code.s + at + places[i];
			if ((unsigned char)p[0] != 0xff || p[1] != 0x25)
				continue;
			slot = find_slot(l,
				s->address + at + places[i] + JUMP +
					(uint64_t)(int32_t)word(p + 2));
			if (!slot)
				break;
			add_entry(t, s->address + at, size, slot);
			added++;
			break;
		}
	return added;
}

/* Adds "adrp x16, page; ldr x17, [x16, offset]" up to "br x17". */
static size_t
add_aarch64(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	enum { WORD = 4, WORDS = 6 };
	const uint32_t bti = 0xd503245f, branch = 0xd61f0220;
	struct str code = elf_data(l->e, s);
	size_t at, start, end, added = 0;
	const struct slot *slot;
	uint32_t adrp, load;
	int64_t page;

	for (at = 0; at + 2 * WORD <= code.n; at += WORD) {
		adrp = word(code.s + at);
		load = word(code.s + at + WORD);
		if ((adrp & 0x9f00001f) != 0x90000010 ||
			(load & 0xffc003ff) != 0xf9400211)
			continue;
		page = (int64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
		page -= page & 0x100000 ? 0x200000 : 0;
		slot = find_slot(l,
			((s->address + at) & ~UINT64_C(0xfff)) + (uint64_t)page * 4096 +
				(load >> 10 & 0xfff) * 8);
		if (!slot)
			continue;
		start = at && word(code.s + at - WORD) == bti ? at - WORD : at;
		for (end = at + 2 * WORD;
			end + WORD <= code.n && end < at + (size_t)WORDS * WORD;
			end += WORD)
			if (word(code.s + end) == branch)
				break;
		add_entry(t, s->address + start, end + WORD - start, slot);
		added++;
	}
	return added;
}

/* Adds entries in the order of relocations, on machines where their sizes are known. */
static size_t
add_counted(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	static const struct {
		uint16_t machine;
		unsigned char header, entry;
	} sizes[] = { { ELF_386, 16, 16 }, { ELF_ARM, 20, 12 }, { ELF_RISCV, 32, 16 } };
	size_t i, j, added = 0;
	uint64_t at;

	for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (sizes[i].machine != l->e->machine)
			continue;
		at = sizes[i].header;
		for (j = 0; j < l->n && at < s->size; j++, at += sizes[i].entry) {
			if (!l->items[j].name.n)
				continue;
			add_entry(t, s->address + at, sizes[i].entry, &l->items[j]);
			added++;
		}
	}
	return added;
}

static size_t
add_section(struct symtab *t, const struct slots *l, const struct elf_section *s)
{
	switch (l->e->machine) {
	case ELF_X86_64: return add_x86_64(t, l, s);
	case ELF_AARCH64: return add_aarch64(t, l, s);
	default: return str_eq(s->name, STR(".plt")) ? add_counted(t, l, s) : 0;
	}
}

size_t
symtab_add_plt(struct symtab *t, struct elf *e)
{
	/* A .plt.got of one entry calls __cxa_finalize, at exit: it is not worth
	 * reading a .rela.dyn of megabytes. */
	enum { ONE_ENTRY = 16 };
	bool jumps = e->machine == ELF_X86_64 || e->machine == ELF_AARCH64;
	const struct elf_section *got = elf_section(e, ".plt.got");
	struct slots l = { .e = e };
	size_t i, added = 0;

	add_slots(&l, ".rela.plt", !jumps);
	add_slots(&l, ".rel.plt", !jumps);
	if (jumps && got && got->size > ONE_ENTRY)
		add_slots(&l, ".rela.dyn", false);
	if (l.indirect)
		name_indirect(&l);
	if (jumps && l.n)
		qsort(l.items, l.n, sizeof *l.items, compare_slots);
	for (i = 0; i < e->section_n; i++)
		if (e->sections[i].flags & ELF_FLAG_EXEC &&
			e->sections[i].type == ELF_PROGBITS &&
			str_starts(e->sections[i].name, STR(".plt")))
			added += add_section(t, &l, &e->sections[i]);
	free(l.items);
	return added;
}
