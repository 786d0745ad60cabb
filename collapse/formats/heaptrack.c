/* SPDX-License-Identifier: ISC */
/*
 * heaptrack: all allocations and releases of a program. Numbers are hexadecimal.
 *
 *	v 10400 3		versions of heaptrack and of the format
 *	X ./heap		the command
 *	s 4 main		string 1; before version 3 the rest of the line
 *	i 55a576cbbbf9 2 1 3 12	place 1: address, module, and for each function there, innermost
 *				first, its name, file and line (0: none)
 *	t 1 0			trace 1: a place, and the trace that called it (0: none)
 *	a 1f4 1			kind of allocation 0: size and trace
 *	+ 0			one is allocated
 *	- 0			and released
 *
 * Version 0 has no kinds, but "+ SIZE TRACE POINTER" and "- POINTER". So have files of heaptrack
 * --raw, where traces begin with an address, and modules have addresses:
 *
 *	x e /opt/demo/heap	the program
 *	m 1 -			forget all modules
 *	m 1 x 55ff2d803000 0 f30 1000 1389	program: base; then offset and size of each segment
 *	t 55ff2d804bf9 0
 *
 * Addresses of callers are within their calls. One pass finds the bytes live at the peak, when most
 * bytes are allocated: each trace saves its bytes when they first change after a peak.
 *
 * KDE/heaptrack, src/analyze/accumulatedtracedata.cpp and src/interpret/heaptrack_interpret.cpp.
 */
#include "collapse.h"
#include "formats.h"
#include "stacks/frame-names.h"
#include "stacks/stack-table.h"
#include "stacks/mapped-code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEWEST = 3, WINDOW = 1 << 18 };

enum { ALLOCATIONS, TEMPORARY, LEAKED, PEAK, BYTES, METRICS };

static const struct metric {
	const char *name, *unit;
} metrics[METRICS] = {
	{ "allocations", "allocations" },
	{ "temporary", "allocations" },
	{ "leaked", "bytes" },
	{ "peak", "bytes" },
	{ "bytes", "bytes" },
};

/* A function at a place; NAME and FILE are numbers of strings. */
struct function {
	uint32_t name, file, line;
};

struct place {
	uint64_t address;
	uint32_t module;
	size_t function, function_n;
	struct library_place code; /* of a raw file */
	size_t id, id_n;	   /* names in reader.ids */
	bool outermost;		   /* callers are cut off */
	bool is_new;		   /* the innermost function is operator new */
};

struct kind {
	uint64_t size;
	uint32_t trace;
	uint32_t cost; /* 1 + index in costs; 0: not looked up yet */
};

/* Allocations of a trace. */
struct cost {
	uint32_t trace;
	uint64_t allocations, temporary, bytes;
	int64_t live;	   /* bytes */
	int64_t peak_live; /* live bytes at peak number PEAK */
	uint64_t peak;
};

/* A live block. TRACE is 1 + the trace's number; 0: a free slot. */
struct block {
	uint64_t pointer, size;
	uint32_t trace;
};

/* Live blocks: a hash table by pointer. */
struct blocks {
	struct block *slots; /* slot_n of them, a power of two */
	size_t n, slot_n;
};

struct reader {
	struct input *in;
	struct collapse *c;
	const char *at, *end; /* unread part of the window, which begins at base */
	const char *base;
	bool broken; /* a line is too long, or the last one truncated */

	uint64_t version;
	bool raw;
	struct str program;
	struct arena arena;
	struct str *strings;
	size_t string_n, string_cap;
	struct function *functions;
	size_t function_n, function_cap;
	struct place *places;
	size_t place_n, place_cap;
	struct intern addresses; /* of places of a raw file */
	struct stack_table traces;
	uint32_t *cost_of; /* by trace: 1 + index in costs, or 0 */
	size_t cost_of_n;
	struct cost *costs;
	size_t cost_n, cost_cap;
	struct kind *kinds;
	size_t kind_n, kind_cap;
	struct blocks blocks; /* live ones, if there are no kinds */
	struct mapped_code code;
	int64_t live, most; /* bytes */
	uint64_t peak;	    /* number of the last peak, from 1 on */
	/* The last allocation, if there was no release since. */
	bool has_last;
	uint64_t last_pointer;
	uint64_t last_kind;
	struct kind last;

	struct frame_names names;
	uint32_t *ids;
	size_t id_n, id_cap;
};

/* Returns the slot of POINTER in a table without collisions. */
static size_t
home_of(const struct blocks *b, uint64_t pointer)
{
	uint64_t hash = (pointer ^ pointer >> 32) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(hash >> 20) & (b->slot_n - 1);
}

/* Returns the slot of POINTER, or the free one where it belongs. */
static size_t
find_block(const struct blocks *b, uint64_t pointer)
{
	size_t i = home_of(b, pointer);

	while (b->slots[i].trace && b->slots[i].pointer != pointer)
		i = (i + 1) & (b->slot_n - 1);
	return i;
}

/* Makes room for one more block. */
static void
grow_blocks(struct blocks *b)
{
	enum { FIRST = 4096 };
	struct blocks old = *b;
	size_t i;

	if (b->n + b->n / 2 < b->slot_n)
		return;
	b->slot_n = old.slot_n ? 2 * old.slot_n : FIRST;
	b->slots = mem_zero(b->slot_n, sizeof *b->slots);
	for (i = 0; i < old.slot_n; i++)
		if (old.slots[i].trace)
			b->slots[find_block(b, old.slots[i].pointer)] = old.slots[i];
	free(old.slots);
}

/* Adds the block V at POINTER; one that was there before was never released. */
static void
keep_block(struct blocks *b, uint64_t pointer, struct kind v)
{
	size_t i;

	grow_blocks(b);
	i = find_block(b, pointer);
	b->n += !b->slots[i].trace;
	b->slots[i] = (struct block){ pointer, v.size, v.trace + 1 };
}

/* Removes the block at POINTER, and sets *V to it. Returns false if there is none. */
static bool
remove_block(struct blocks *b, uint64_t pointer, struct kind *v)
{
	size_t i, next, home;

	if (!b->slot_n)
		return false;
	i = find_block(b, pointer);
	if (!b->slots[i].trace)
		return false;
	*v = (struct kind){ b->slots[i].size, b->slots[i].trace - 1, 0 };
	b->n--;
	/* Blocks that collided with it move up. */
	for (next = (i + 1) & (b->slot_n - 1); b->slots[next].trace;
		next = (next + 1) & (b->slot_n - 1)) {
		home = home_of(b, b->slots[next].pointer);
		if (((next - home) & (b->slot_n - 1)) >= ((next - i) & (b->slot_n - 1))) {
			b->slots[i] = b->slots[next];
			i = next;
		}
	}
	b->slots[i].trace = 0;
	return true;
}

/* Reads more of the input. Returns false at its end, or if a line is too long. */
static bool
refill(struct reader *r)
{
	size_t left = (size_t)(r->end - r->at), want = left < WINDOW ? WINDOW : 2 * left;
	struct str line, window;

	if (r->base)
		input_skip(r->in, (size_t)(r->at - r->base));
	r->base = NULL;
	if (left > INPUT_LINE_LONGEST) {
		/* It reports the line. */
		(void)input_line(r->in, &line);
		r->at = r->end = NULL;
		return false;
	}
	window = input_window(r->in, want);
	r->base = r->at = window.s;
	r->end = str_end(window);
	return window.n > left;
}

/* Reads the next line, of at least MIN bytes. Returns false at the end. */
static bool
next_line(struct reader *r, size_t min, struct str *line)
{
	const char *newline;
	size_t left;

	for (;;) {
		left = (size_t)(r->end - r->at);
		newline = left > min ? memchr(r->at + min, '\n', left - min) : NULL;
		if (newline) {
			*line = (struct str){ r->at, (size_t)(newline - r->at) };
			r->at = newline + 1;
			return true;
		}
		if (!refill(r))
			break;
	}
	left = (size_t)(r->end - r->at);
	if (!left)
		return false;
	/* heaptrack ends every line. */
	r->broken = true;
	r->at = r->end;
	return false;
}

/* Cuts a number, and the blank before it, off *REST. Returns false if it is invalid or
 * overflows. */
static bool
cut_hex(struct str *rest, uint64_t *value)
{
	const char *s = rest->s, *end = s + rest->n, *first;
	uint64_t n = 0;

	while (s < end && *s == ' ')
		s++;
	for (first = s; s < end && str_is_hex(*s) && !(n >> 60); s++)
		n = n << 4 | (uint64_t)((*s & 15) + (*s > '9' ? 9 : 0));
	if (s == first || (s < end && *s != ' '))
		return false;
	*rest = (struct str){ s, (size_t)(end - s) };
	*value = n;
	return true;
}

/* Like cut_hex, for 32 bits. */
static bool
cut_hex32(struct str *rest, uint32_t *value)
{
	uint64_t n;

	if (!cut_hex(rest, &n) || n > UINT32_MAX)
		return false;
	*value = (uint32_t)n;
	return true;
}

/* Cuts a name off *REST, a part of *LINE: "4 main" since version 3, before that a word or, if ALL,
 * the rest. The name may contain line breaks; then *REST and *LINE grow. Returns false if
 * malformed. */
static bool
cut_name(struct reader *r, struct str *line, struct str *rest, bool all, struct str *name)
{
	size_t before;
	uint64_t n;

	if (r->version < 3) {
		if (rest->n)
			*rest = str_from(*rest, 1);
		*name = all ? *rest : str_word(rest);
		*rest = all ? str_from(*rest, rest->n) : *rest;
		return true;
	}
	if (!cut_hex(rest, &n) || n > INPUT_LINE_LONGEST)
		return false;
	before = (size_t)(rest->s - line->s) + 1;
	if (rest->n < n + 1) {
		r->at = line->s;
		if (!next_line(r, before + n, line))
			return false;
		*rest = str_from(*line, before - 1);
	}
	*name = str_head(str_from(*rest, 1), n);
	*rest = str_from(*rest, 1 + n);
	return !rest->n || rest->s[0] == ' ';
}

static struct str
string(const struct reader *r, uint32_t id)
{
	return id && id <= r->string_n ? r->strings[id - 1] : (struct str){ 0 };
}

static bool
parse_version(struct reader *r, struct str rest)
{
	enum { FIRST_WITHOUT = 0x10200 };
	uint64_t tool;

	if (!cut_hex(&rest, &tool))
		return false;
	/* One version of heaptrack wrote only its own version. */
	if (!cut_hex(&rest, &r->version))
		r->version = tool == FIRST_WITHOUT;
	return true;
}

static bool
parse_string(struct reader *r, struct str line, struct str rest)
{
	struct str name = { 0 };
	bool good = cut_name(r, &line, &rest, true, &name);

	*MEM_ADD(r->strings, r->string_n, r->string_cap) = arena_str(&r->arena, name);
	return good;
}

static void
add_place(struct reader *r, const struct place *p)
{
	*MEM_ADD(r->places, r->place_n, r->place_cap) = *p;
}

static bool
parse_place(struct reader *r, struct str rest)
{
	struct place p = { .function = r->function_n };
	struct function f = { 0 };
	bool good = cut_hex(&rest, &p.address) && cut_hex32(&rest, &p.module);

	while (good && cut_hex32(&rest, &f.name)) {
		if (!cut_hex32(&rest, &f.file) || !cut_hex32(&rest, &f.line))
			f.file = f.line = 0;
		*MEM_ADD(r->functions, r->function_n, r->function_cap) = f;
	}
	p.function_n = r->function_n - p.function;
	add_place(r, &p);
	return good && !str_trim(rest).n;
}

/* Returns the place of ADDRESS in a raw file, using the current modules. */
static uint32_t
find_place(struct reader *r, uint64_t address)
{
	uint32_t id = intern_id(
		&r->addresses, (struct str){ (const char *)&address, sizeof address });
	struct place p = { .address = address };

	if (id == r->place_n) {
		p.code = mapped_code_find(&r->code, address);
		add_place(r, &p);
	}
	return id;
}

static bool
parse_trace(struct reader *r, struct str rest)
{
	uint64_t place;
	uint32_t parent, frame = STACK_NO_FRAME, caller = STACK_NOWHERE;
	bool good = cut_hex(&rest, &place) && cut_hex32(&rest, &parent) &&
		parent <= r->traces.n && r->traces.n < UINT32_MAX - 8 &&
		(r->raw || place <= r->place_n);

	if (good) {
		caller = parent ? parent - 1 : STACK_EMPTY;
		if (place)
			frame = r->raw ? find_place(r, place) : (uint32_t)place - 1;
	}
	stack_table_add(&r->traces, caller, frame);
	return good;
}

static bool
parse_kind(struct reader *r, struct str rest)
{
	struct kind k = { 0 };
	bool good = cut_hex(&rest, &k.size) && cut_hex32(&rest, &k.trace) &&
		k.trace <= r->traces.n;

	*MEM_ADD(r->kinds, r->kind_n, r->kind_cap) = good ? k : (struct kind){ 0 };
	return good;
}

/* Returns 1 + the index in costs of TRACE's allocations. */
static uint32_t
cost_of(struct reader *r, uint32_t trace)
{
	uint32_t *cost = MEM_AT(r->cost_of, r->cost_of_n, trace);

	if (!*cost) {
		*MEM_ADD(r->costs, r->cost_n, r->cost_cap) =
			(struct cost){ .trace = trace };
		*cost = (uint32_t)r->cost_n;
	}
	return *cost;
}

/* Returns the allocations of KIND's trace; saves their live bytes if there was a peak since their
 * last change. */
static struct cost *
find_cost(struct reader *r, struct kind *kind)
{
	struct cost *k;

	if (!kind->cost)
		kind->cost = cost_of(r, kind->trace);
	k = &r->costs[kind->cost - 1];
	if (k->peak != r->peak) {
		k->peak_live = k->live;
		k->peak = r->peak;
	}
	return k;
}

/* Whether SIZE fits into all sums; counts an overflow. */
static bool
has_room(struct reader *r, const struct cost *k, uint64_t size)
{
	if (size < (uint64_t)INT64_MAX && k->bytes <= UINT64_MAX - size &&
		(int64_t)size <= INT64_MAX - (r->live > 0 ? r->live : 0) &&
		(int64_t)size <= INT64_MAX - (k->live > 0 ? k->live : 0))
		return true;
	collapse_lose(r->c, COLLAPSE_OVERFLOW);
	return false;
}

static void
allocate(struct reader *r, struct kind *kind)
{
	struct cost *k = find_cost(r, kind);
	uint64_t size = kind->size;

	if (!has_room(r, k, size))
		return;
	k->allocations++;
	k->bytes += size;
	k->live += (int64_t)size;
	r->live += (int64_t)size;
	if (r->live > r->most) {
		r->most = r->live;
		r->peak++;
	}
}

static void
release(struct reader *r, struct kind *kind, bool temporary)
{
	struct cost *k = find_cost(r, kind);

	/* Sums this low make no sense. */
	if (kind->size >= (uint64_t)INT64_MAX || r->live < INT64_MIN / 2 ||
		k->live < INT64_MIN / 2)
		return;
	k->temporary += temporary;
	k->live -= (int64_t)kind->size;
	r->live -= (int64_t)kind->size;
}

/* Handles "+ N", or "- N" if not PLUS. A block that is released at once was temporary. */
static bool
handle_event(struct reader *r, bool plus, uint64_t n)
{
	if (n >= r->kind_n)
		return false;
	if (plus)
		allocate(r, &r->kinds[n]);
	else
		release(r, &r->kinds[n], r->has_last && n == r->last_kind);
	r->has_last = plus;
	r->last_kind = n;
	return true;
}

/* Fast path: handles the following "+ N" and "- N" as far as the window goes. Most lines are of
 * this form. */
static void
handle_events(struct reader *r)
{
	enum { LONGEST = 20 };
	uint64_t lines = 0, n;
	const char *s;

	while (r->end - r->at > LONGEST && (*r->at == '+' || *r->at == '-')) {
		for (s = r->at + 2, n = 0; str_is_hex(*s) && s < r->at + LONGEST; s++)
			n = n << 4 | (uint64_t)((*s & 15) + (*s > '9' ? 9 : 0));
		if (r->at[1] != ' ' || s == r->at + 2 || *s != '\n' || n >= r->kind_n ||
			s > r->at + 2 + 8)
			break;
		(void)handle_event(r, *r->at == '+', n);
		r->at = s + 1;
		lines++;
	}
	input_count_lines(r->in, lines);
}

/* REST: of "+ KIND", or "+ SIZE TRACE POINTER". */
static bool
parse_allocation(struct reader *r, struct str rest)
{
	struct kind v = { .cost = 0 };
	uint64_t n;

	if (!r->raw && r->version > 0)
		return cut_hex(&rest, &n) && handle_event(r, true, n);
	if (!cut_hex(&rest, &v.size) || !cut_hex32(&rest, &v.trace) ||
		v.trace > r->traces.n || !cut_hex(&rest, &n))
		return false;
	keep_block(&r->blocks, n, v);
	r->last_pointer = n;
	r->last = v;
	r->has_last = true;
	allocate(r, &v);
	return true;
}

/* REST: of "- KIND", or "- POINTER". In raw files heaptrack compares sizes and traces to find
 * temporary blocks. */
static bool
parse_release(struct reader *r, struct str rest)
{
	struct kind v;
	bool temporary;
	uint64_t n;

	if (!cut_hex(&rest, &n))
		return false;
	if (!r->raw && r->version > 0)
		return handle_event(r, false, n);
	/* Others were allocated before heaptrack was attached. */
	if (!remove_block(&r->blocks, n, &v))
		return true;
	temporary = r->raw ? v.size == r->last.size && v.trace == r->last.trace
			   : n == r->last_pointer;
	release(r, &v, temporary && r->has_last);
	r->has_last = false;
	return true;
}

/* Handles a module of a raw file. */
static bool
parse_module(struct reader *r, struct str line, struct str rest)
{
	struct mapped_code_range range;
	uint64_t base, address, size;
	struct str path;

	if (!cut_name(r, &line, &rest, false, &path))
		return false;
	if (str_eq(path, STR("-"))) {
		mapped_code_clear(&r->code);
		return true;
	}
	if (str_eq(path, STR("x")))
		path = r->program;
	if (!cut_hex(&rest, &base))
		return false;
	while (cut_hex(&rest, &address) && cut_hex(&rest, &size)) {
		range = (struct mapped_code_range){ .start = base + address,
			.end = base + address + size,
			.offset = address };
		mapped_code_map(&r->code, range, path, (struct str){ 0 });
	}
	return !str_trim(rest).n;
}

/* Handles the program of a raw file. */
static bool
parse_program(struct reader *r, struct str line, struct str rest)
{
	struct str path;

	r->raw = true;
	if (!cut_name(r, &line, &rest, true, &path))
		return false;
	r->program = arena_str(&r->arena, path);
	return true;
}

/* Drops all counts: heaptrack was attached to the program here. */
static void
start_anew(struct reader *r)
{
	size_t i;

	memset(r->cost_of, 0, r->cost_of_n * sizeof *r->cost_of);
	for (i = 0; i < r->kind_n; i++)
		r->kinds[i].cost = 0;
	r->cost_n = 0;
	r->live = r->most = 0;
	r->has_last = false;
}

/* Returns false if LINE is malformed. */
static bool
parse_line(struct reader *r, struct str line)
{
	struct str rest = str_from(line, 1);

	if (!line.n)
		return true;
	if (rest.n && rest.s[0] != ' ' && line.s[0] != '#')
		return false;
	switch (line.s[0]) {
	case '+': return parse_allocation(r, rest);
	case '-': return parse_release(r, rest);
	case 't': return parse_trace(r, rest);
	case 'a': return parse_kind(r, rest);
	case 'i': return parse_place(r, rest);
	case 's': return parse_string(r, line, rest);
	case 'm': return parse_module(r, line, rest);
	case 'x': return parse_program(r, line, rest);
	case 'v': return parse_version(r, rest);
	case 'X': collapse_info(r->c, "command", str_trim(rest)); return true;
	case 'A':
		if (r->cost_n)
			start_anew(r);
		return true;
	/* A comment, the system, a suppression, a time, the resident size. */
	case '#':
	case 'I':
	case 'S':
	case 'c':
	case 'R': return true;
	default: return false;
	}
}

/* Pushes the frames of P onto R's names. */
static void
put_names(struct reader *r, const struct place *p)
{
	const struct collapse_options *o = collapse_options(r->c);
	struct frame_names_symbol s = { .module = string(r, p->module) };
	struct buf place = { 0 };
	const struct function *f;
	char address[17];
	size_t i;

	snprintf(address, sizeof address, "%" PRIx64, p->address);
	s.address = str_of(address);
	if (!p->function_n)
		frame_names_add(&r->names, &s);
	for (i = o->no_inlines && p->function_n ? p->function_n - 1 : 0;
		i < p->function_n; i++) {
		f = &r->functions[p->function + i];
		s.name = string(r, f->name);
		s.inlined = i + 1 < p->function_n;
		if (o->srcline && string(r, f->file).n) {
			buf_clear(&place);
			buf_str(&place, str_base(string(r, f->file)));
			buf_fmt(&place, ":%" PRIu32, f->line);
			s.srcline = buf_view(&place);
		}
		frame_names_add(&r->names, &s);
	}
	buf_release(&place);
}

/* heaptrack shows no callers of main, and drops operator new at the leaf. */
static const char *const outermost[] = { "main" };
static const char *const news[] = { "operator new(unsigned long)",
	"operator new[](unsigned long)", "operator new(unsigned int)",
	"operator new[](unsigned int)" };

/* Whether NAME is one of the N names in LIST, or, in a raw file, ID the sink's name of one. */
static bool
is_one_of(
	struct reader *r, const char *const *list, size_t n, struct str name, uint32_t id)
{
	struct frame_names_symbol s = { .inlined = false };
	bool is = false;
	size_t i;

	for (i = 0; i < n && !is; i++) {
		s.name = str_of(list[i]);
		is = str_eq(name, s.name);
		if (r->raw) {
			r->names.n = 0;
			frame_names_add(&r->names, &s);
			is = r->names.ids[0] == id;
		}
	}
	return is;
}

/* Sets the names and flags of all places. */
static void
name_places(struct reader *r)
{
	const struct function *f;
	struct str inner, outer;
	uint32_t first, last;
	struct place *p;

	for (p = r->places; p && p < r->places + r->place_n; p++) {
		r->names.n = 0;
		if (r->raw)
			mapped_code_name_place(&r->code, p->code, p->address, &r->names);
		else
			put_names(r, p);
		p->id = r->id_n;
		p->id_n = r->names.n;
		r->ids = mem_grow(
			r->ids, &r->id_cap, r->id_n + r->names.n, sizeof *r->ids);
		memcpy(r->ids + r->id_n, r->names.ids, r->names.n * sizeof *r->ids);
		r->id_n += r->names.n;
		first = r->ids[p->id];
		last = r->ids[r->id_n - 1];
		inner = outer = (struct str){ 0 };
		if (p->function_n) {
			f = r->functions + p->function;
			inner = string(r, f->name);
			outer = string(r, f[p->function_n - 1].name);
		}
		p->outermost = is_one_of(
			r, outermost, sizeof outermost / sizeof *outermost, outer, last);
		p->is_new = is_one_of(r, news, sizeof news / sizeof *news, inner, first);
	}
}

/* Returns the place of ROW, or NULL. */
static const struct place *
place_of(const struct reader *r, uint32_t row)
{
	uint32_t frame = row < r->traces.n ? r->traces.rows[row].frame : STACK_NO_FRAME;

	return frame < r->place_n ? &r->places[frame] : NULL;
}

static uint32_t
step(void *context, uint32_t node, uint32_t row)
{
	struct reader *r = context;
	const struct place *p = place_of(r, row);

	return p ? collapse_path(r->c, node, r->ids + p->id, p->id_n) : node;
}

/* Cuts traces at their outermost function, and leads circular ones to STACK_NOWHERE. */
static void
settle(struct reader *r)
{
	const struct place *p;
	uint32_t row;

	for (row = 0; row < r->traces.n; row++) {
		p = place_of(r, row);
		if ((p && p->outermost) ||
			(!p && r->traces.rows[row].caller != STACK_NOWHERE))
			r->traces.rows[row].caller = STACK_EMPTY;
	}
	stack_table_settle(&r->traces, STACK_ANY_DEPTH);
}

/* Sets VALUES from K, by metric. */
static void
measure(const struct reader *r, const struct cost *k, int64_t values[METRICS])
{
	values[ALLOCATIONS] = (int64_t)k->allocations;
	values[TEMPORARY] = (int64_t)k->temporary;
	values[LEAKED] = k->live;
	values[PEAK] = k->peak == r->peak ? k->peak_live : k->live;
	values[BYTES] = k->bytes > INT64_MAX ? INT64_MAX : (int64_t)k->bytes;
}

/* Counts K for all metrics, and folds it for METRIC. */
static void
fold_cost(struct reader *r, const struct cost *k, unsigned metric)
{
	struct collapse_sample s = { .has_period = true };
	uint32_t row = k->trace ? k->trace - 1 : STACK_EMPTY;
	int64_t values[METRICS];
	const struct place *p;
	unsigned i;

	measure(r, k, values);
	for (i = 0; i < METRICS; i++)
		collapse_count_cost(r->c, i, values[i]);
	if (!values[metric])
		return;
	if (values[metric] < 0) {
		collapse_lose(r->c, COLLAPSE_NEGATIVE);
		return;
	}
	s.period = metric == BYTES ? k->bytes : (uint64_t)values[metric];
	while ((p = place_of(r, row)) && p->is_new)
		row = r->traces.rows[row].caller;
	if (collapse_wants(r->c, &s)) {
		stack_table_root(&r->traces, collapse_root(r->c, &s));
		collapse_add(r->c, stack_table_node(&r->traces, row, step, r), &s);
	}
}

/* Folds the costs of all traces. */
static bool
fold(struct reader *r, unsigned metric)
{
	size_t i;

	name_places(r);
	settle(r);
	for (i = 0; i < r->cost_n; i++)
		fold_cost(r, &r->costs[i], metric);
	if (r->raw)
		libraries_explain(&r->code.libraries);
	return !r->broken || collapse_damage(r->c, 0, true);
}

/* Whether LINE is "v 10400 3"; sets *VERSION to the format's. */
static bool
is_version(struct str line, uint64_t *version)
{
	struct reader r = { .version = 0 };

	if (!str_starts(line, STR("v ")) || !parse_version(&r, str_from(line, 1)))
		return false;
	*version = r.version;
	return true;
}

/* Reads the first line. Returns false, after a message, if the file is of another format or
 * version. */
static bool
begin(struct reader *r)
{
	struct str line;
	uint64_t version;

	if (!next_line(r, 0, &line) || !is_version(line, &version)) {
		msg_error("%s: is not a file of heaptrack", input_name(r->in));
		return false;
	}
	if (version > NEWEST) {
		msg_error("%s: has version %" PRIu64
			  " of heaptrack's format; fg-collapse "
			  "reads up to %d",
			input_name(r->in), version, NEWEST);
		return false;
	}
	r->version = version;
	input_count_lines(r->in, 1);
	return true;
}

/* Reads the lines after the first. */
static void
read_lines(struct reader *r)
{
	struct str line;

	while (next_line(r, 0, &line)) {
		input_count_lines(r->in, 1);
		if (!parse_line(r, line))
			collapse_lose(r->c, COLLAPSE_MALFORMED);
		if (!r->raw && r->version > 0)
			handle_events(r);
	}
}

static void
free_reader(struct reader *r)
{
	mapped_code_release(&r->code);
	frame_names_release(&r->names);
	stack_table_release(&r->traces);
	free(r->blocks.slots);
	intern_release(&r->addresses);
	arena_release(&r->arena);
	free(r->strings);
	free(r->functions);
	free(r->places);
	free(r->cost_of);
	free(r->costs);
	free(r->kinds);
	free(r->ids);
}

static bool
run(struct input *in, struct collapse *c)
{
	struct reader r = { .in = in, .c = c, .names.c = c, .peak = 1 };
	unsigned metric = 0, i;
	bool good;

	collapse_exact(c);
	collapse_threadless(c);
	for (i = 0; i < METRICS; i++)
		(void)collapse_metric(
			c, str_of(metrics[i].name), str_of(metrics[i].unit));
	metric = collapse_choose_metric(c, ALLOCATIONS);
	mapped_code_init(&r.code, c, in);
	r.code.by_address = true;
	good = metric != COLLAPSE_NO_METRIC && begin(&r);
	if (good) {
		read_lines(&r);
		good = fold(&r, metric);
	}
	free_reader(&r);
	return good;
}

static int
probe(struct str head)
{
	struct str first = str_cut(&head, '\n'), second = str_cut(&head, '\n');
	uint64_t version;

	if (!is_version(first, &version))
		return 0;
	return second.n > 1 && second.s[1] == ' ' &&
			memchr("xXIsAiStc#m", second.s[0], sizeof "xXIsAiStc#m" - 1)
		? 95
		: 60;
}

const struct collapse_format collapse_heaptrack = {
	.probe = probe,
	.signs = SIGNS(SIGN(MAGIC, "v ")),
	.run = run,
	.uses = COLLAPSE_USES_FILES | COLLAPSE_USES_SRCLINE | COLLAPSE_USES_COST,
};
