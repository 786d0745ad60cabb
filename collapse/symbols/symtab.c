/* SPDX-License-Identifier: ISC */
/*
 * The sorted table of symbols; see symtab.h.
 *
 * Entries stay in the order of their addition. Those of one start are a group, of
 * which one is chosen when it is asked for; the starts lie in order beside them.
 */
#include "symtab.h"
#include "arena.h"
#include "buf.h"
#include "demangle.h"
#include "mem.h"

/*
 * Where symbols start: addresses in order, each once, fewer than 2^32. A search by halves
 * waits for memory at each step, so the first ones are a look into a table: the range of
 * addresses in parts of one size, with how many symbols start before each.
 */
struct starts {
	uint64_t *at;
	size_t n;
	unsigned shift;
	size_t parts;
	uint32_t *before; /* by part; one more is n */
};

/* Of symbols to a part, on average at most. */
enum { CROWD = 4 };

/* To be called when AT and N are set. */
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

/* How many are ADDRESS or before it. */
static size_t
count_starts(const struct starts *s, uint64_t address)
{
	size_t low, high, mid;
	uint64_t part;

	if (!s->n || address < s->at[0])
		return 0;
	part = (address - s->at[0]) >> s->shift;
	if (part >= s->parts)
		return s->n;
	for (low = s->before[part], high = s->before[part + 1]; low < high;) {
		mid = low + (high - low) / 2;
		if (s->at[mid] <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

enum { PAGE = 4096 };
enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
/* How many symbols that may enclose an address are looked at: real code has a
 * few. */
enum { STEPS = 256 };

enum {
	MARK = 1,  /* an end, no symbol */
	UNCUT = 2, /* the name ends at the first NUL within name_n */
};

struct entry {
	uint64_t start, size;
	const char *name;
	uint32_t name_n;
	uint32_t module : 22; /* 0: none, else modules[module - 1] */
	uint32_t binding : 4;
	uint32_t flags : 6;
};

/* What is sorted: memory that was not touched before takes longer than all else,
 * so half a start at a time. */
struct place {
	uint32_t key, entry;
};

struct symtab {
	struct entry *entries;
	size_t n, cap;
	struct str *modules;
	size_t module_n, module_cap;
	enum symtab_choice choice;
	struct place *order;	       /* entries by start, then age */
	struct starts starts;	       /* of groups, each of one start: */
	uint32_t *first;	       /* their entries in order; one more is the end */
	struct symtab_symbol **chosen; /* NULL: not yet */
	/* Where symbols overlap: the last end in a group, and the nearest group
	 * before that ends later, plus one. Else NULL. */
	uint64_t *reach;
	uint32_t *outer;
	struct arena arena;
	size_t last; /* groups before the address that was asked for last */
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

/* The number of module NAME, 0 for none. Symbols of one come together, so the
 * last one is looked at first. */
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
	t->modules =
		mem_grow(t->modules, &t->module_cap, t->module_n + 1, sizeof *t->modules);
	t->modules[t->module_n++] = name;
	return (uint32_t)t->module_n;
}

static void
add(struct symtab *t, const struct entry *e)
{
	/* Places are 32-bit numbers, one of them for none. */
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
symtab_add_uncut(struct symtab *t, const struct symtab_symbol *s)
{
	add(t,
		&(struct entry){ .start = s->start,
			.size = s->size,
			.name = s->name.s,
			.name_n =
				s->name.n < UINT32_MAX ? (uint32_t)s->name.n : UINT32_MAX,
			.binding = s->binding & 0xf,
			.flags = UNCUT });
}

void
symtab_reserve(struct symtab *t, size_t more)
{
	t->entries = mem_grow(t->entries, &t->cap, t->n + more, sizeof *t->entries);
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

/* Puts FROM in order of the digit of its keys at SHIFT into TO, equal ones as they
 * were; false, and nothing is done, when all have the same digit. */
static bool
sort_digit(struct place *to, const struct place *from, size_t n, unsigned shift)
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

/* Gives A the halves of starts at SHIFT as keys; false when all are the same. */
static bool
take_keys(const struct symtab *t, struct place *a, unsigned shift)
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

/* All entries by start, those of equal starts by age. */
static struct place *
sort(const struct symtab *t)
{
	enum { HALF = 32 };
	struct place *a = mem_resize(NULL, t->n, sizeof *a), *b, *was;
	unsigned half, shift;
	size_t i;

	for (i = 0; i < t->n; i++)
		a[i].entry = (uint32_t)i;
	if (is_sorted(t))
		return a;
	b = mem_resize(NULL, t->n, sizeof *b);
	for (half = 0; half <= HALF; half += HALF) {
		if (!take_keys(t, a, half))
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

/* The end of the page after the one of ADDRESS, as perf has it. */
static uint64_t
next_page(uint64_t address)
{
	return address > UINT64_MAX - 2 * PAGE
		? UINT64_MAX
		: (address + PAGE + PAGE - 1) / PAGE * PAGE;
}

/* Gives entries without a size one. Of a group only the last gets one, as in
 * perf, so that it is chosen. A label within a function that has a size is no
 * function; in perf it depends on chance which of the two it finds. */
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

/* Links each group to the nearest one before that ends later, for addresses
 * that the nearest symbol does not reach. */
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

/* The name of E, empty when it does not end within its table. */
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

/* Whether B is the better of two symbols at one address; both have names. perf
 * compares names as it shows them, demangled. */
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

/* The entry that stands for group G, NULL when there is none but marks. */
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

/* The symbol chosen for group G, NULL when it does not hold ADDRESS. */
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

/* How many groups start at ADDRESS or before. */
static size_t
count_before(struct symtab *t, uint64_t address)
{
	const struct starts *s = &t->starts;
	size_t last = t->last;

	/* Often the next one is in the same function. */
	if (!last || s->at[last - 1] > address || (last < s->n && s->at[last] <= address))
		t->last = count_starts(s, address);
	return t->last;
}

struct symtab_symbol *
symtab_find(struct symtab *t, uint64_t address)
{
	size_t g = count_before(t, address);
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
