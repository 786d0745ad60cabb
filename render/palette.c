/* SPDX-License-Identifier: ISC */
/*
 * The colours of names: palettes, user rules, the map of earlier pictures, and the resulting
 * colours of a tree's names. The families come from flamegraph.pl: each channel runs over a
 * range as a value goes from 0 to 1. Shades with too little contrast to black text (io, red,
 * blue, purple) are mixed with white, those with too little contrast to a light page (yellow,
 * hot, mem) with black.
 */
#include "palette.h"
#include "frame.h"
#include "input.h"
#include "language.h"
#include "mem.h"
#include "msg.h"
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

#define ROOT  ((struct colour){ 203, 203, 203 })
#define ARROW STR("->")

enum { SHADES_ALONE = 24, SHADES_OF_MANY = 8, STEPS = 4 };
enum { SHADES_OF_CLASSES = 12, SHADES_OF_MODULES = 4, GREYS = 2 };

/* A channel: FROM + SPAN * the value of AXIS (0 or 1). */
struct channel {
	short from, span;
	unsigned char axis;
};

struct family {
	struct channel r, g, b;
	bool two_axes;
};

static const struct family HOT = { { 205, 50, 1 }, { 0, 230, 0 }, { 0, 55, 1 }, true };
static const struct family MEM = { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 }, true };
static const struct family IO = { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 }, true };
static const struct family RED = { { 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 }, false };
static const struct family GREEN = { { 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 },
	false };
static const struct family BLUE = { { 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 }, false };
static const struct family YELLOW = { { 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 },
	false };
static const struct family PURPLE = { { 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 },
	false };
static const struct family AQUA = { { 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 },
	false };
static const struct family ORANGE = { { 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 }, false };

/* Auto's classes are distinct for all kinds of colour vision: see test_palette. */
static const struct family C = { { 226, 16, 1 }, { 139, 22, 0 }, { 58, 26, 1 }, true };
static const struct family CXX = { { 217, 14, 1 }, { 198, 16, 0 }, { 66, 30, 1 }, true };
static const struct family RUST = { { 190, 20, 0 }, { 141, 18, 1 }, { 238, 14, 0 },
	true };
static const struct family GO = { { 154, 22, 0 }, { 193, 16, 1 }, { 239, 12, 0 }, true };
static const struct family SCRIPT = { { 98, 26, 0 }, { 186, 16, 1 }, { 118, 24, 0 },
	true };
static const struct family KERNEL = { { 243, 10, 1 }, { 98, 22, 0 }, { 88, 22, 1 },
	true };
static const struct family ROW = { { 205, 2, 0 }, { 205, 2, 0 }, { 205, 2, 0 }, true };
static const struct family UNKNOWN = { { 149, 4, 0 }, { 149, 3, 0 }, { 145, 10, 1 },
	true };
static const struct family WARM = { { 230, 25, 1 }, { 125, 100, 0 }, { 60, 50, 1 },
	true };

/* Modules have one lightness; neighbours in the list differ widely in hue. */
static const struct family SKY = { { 125, 35, 0 }, { 198, 18, 0 }, { 250, 5, 0 }, false };
static const struct family PEACH = { { 244, 11, 0 }, { 174, 22, 0 }, { 143, 27, 0 },
	false };
static const struct family MINT = { { 142, 28, 0 }, { 204, 18, 0 }, { 158, 24, 0 },
	false };
static const struct family MAUVE = { { 230, 14, 0 }, { 172, 23, 0 }, { 222, 14, 0 },
	false };
static const struct family KHAKI = { { 202, 18, 0 }, { 192, 19, 0 }, { 128, 29, 0 },
	false };
static const struct family TEAL = { { 87, 46, 0 }, { 207, 17, 0 }, { 216, 15, 0 },
	false };
static const struct family ROSE = { { 253, 2, 0 }, { 167, 24, 0 }, { 170, 23, 0 },
	false };
static const struct family LILAC = { { 172, 24, 0 }, { 188, 19, 0 }, { 251, 4, 0 },
	false };
static const struct family LEAF = { { 173, 23, 0 }, { 199, 18, 0 }, { 138, 28, 0 },
	false };
static const struct family SAND = { { 226, 15, 0 }, { 183, 20, 0 }, { 130, 29, 0 },
	false };
static const struct family PINK = { { 248, 7, 0 }, { 167, 24, 0 }, { 197, 18, 0 },
	false };
static const struct family GREY = { { 205, 20, 0 }, { 205, 20, 0 }, { 203, 20, 0 },
	false };

/* The basis of a family. */
enum source { BY_NAME, BY_CLASS, BY_MODULE };

struct palette_row {
	struct str name;
	unsigned (*kind)(struct str name); /* NULL: one family */
	const struct family *families[PALETTE_FAMILIES];
	const char *meanings[PALETTE_FAMILIES];
	enum source by;
	unsigned shades; /* 0: the default number */
};

static const struct palette_row PALETTES[] = {
	{ { "aqua", 4 }, NULL, { &AQUA }, { NULL }, BY_NAME, 0 },
	{ { "auto", 4 }, NULL,
		{ [CLASSIFY_NATIVE] = &C,
			[CLASSIFY_CXX] = &CXX,
			[CLASSIFY_RUST] = &RUST,
			[CLASSIFY_GO] = &GO,
			[CLASSIFY_SCRIPT] = &SCRIPT,
			[CLASSIFY_KERNEL] = &KERNEL,
			[CLASSIFY_ROW] = &ROW,
			[CLASSIFY_UNKNOWN] = &UNKNOWN,
			[PALETTE_CLASS_ALONE] = &WARM },
		{ [CLASSIFY_NATIVE] = "native",
			[CLASSIFY_CXX] = "C++",
			[CLASSIFY_RUST] = "Rust",
			[CLASSIFY_GO] = "Go",
			[CLASSIFY_SCRIPT] = "JIT, interpreted",
			[CLASSIFY_KERNEL] = "kernel",
			[CLASSIFY_ROW] = "process, thread",
			[CLASSIFY_UNKNOWN] = "unknown" },
		BY_CLASS, SHADES_OF_CLASSES },
	{ { "blue", 4 }, NULL, { &BLUE }, { NULL }, BY_NAME, 0 },
	{ { "chain", 5 }, language_chain, { &BLUE, &AQUA }, { "blocked", "waker" },
		BY_NAME, 0 },
	{ { "green", 5 }, NULL, { &GREEN }, { NULL }, BY_NAME, 0 },
	{ { "hot", 3 }, NULL, { &HOT }, { NULL }, BY_NAME, 0 },
	{ { "io", 2 }, NULL, { &IO }, { NULL }, BY_NAME, 0 },
	{ { "java", 4 }, language_java, { &GREEN, &AQUA, &YELLOW, &ORANGE, &RED },
		{ "Java", "inlined", "C++", "kernel", "native" }, BY_NAME, 0 },
	{ { "js", 2 }, language_js, { &GREEN, &AQUA, &PURPLE, &YELLOW, &ORANGE, &RED },
		{ "JavaScript", "built in", "node_modules", "C++", "kernel", "native" },
		BY_NAME, 0 },
	{ { "mem", 3 }, NULL, { &MEM }, { NULL }, BY_NAME, 0 },
	{ { "module", 6 }, NULL,
		{ &SKY, &PEACH, &MINT, &MAUVE, &KHAKI, &TEAL, &ROSE, &LILAC, &LEAF, &SAND,
			&PINK, [CLASSIFY_MODULES_MOST] = &GREY },
		{ [CLASSIFY_MODULES_MOST] = "other" }, BY_MODULE, SHADES_OF_MODULES },
	{ { "orange", 6 }, NULL, { &ORANGE }, { NULL }, BY_NAME, 0 },
	{ { "perl", 4 }, language_perl, { &GREEN, &YELLOW, &ORANGE, &RED },
		{ "Perl", "C++", "kernel", "native" }, BY_NAME, 0 },
	{ { "purple", 6 }, NULL, { &PURPLE }, { NULL }, BY_NAME, 0 },
	{ { "python", 6 }, language_python, { &RED, &AQUA, &YELLOW },
		{ "program", "package", "library" }, BY_NAME, 0 },
	{ { "red", 3 }, NULL, { &RED }, { NULL }, BY_NAME, 0 },
	{ { "rust", 4 }, language_rust, { &AQUA, &ORANGE, &YELLOW },
		{ "Rust", "core, std, alloc", "other" }, BY_NAME, 0 },
	{ { "wakeup", 6 }, NULL, { &AQUA }, { NULL }, BY_NAME, 0 },
	{ { "yellow", 6 }, NULL, { &YELLOW }, { NULL }, BY_NAME, 0 },
};

static uint8_t
channel_at(struct channel c, const double value[2])
{
	return (uint8_t)(c.from + c.span * value[c.axis] + 0.5);
}

/* Shade I of N: along the first axis, or on a grid of both. */
static struct colour
family_shade(const struct family *f, unsigned i, unsigned n)
{
	double value[2] = { (i + 0.5) / n, 0 };

	if (f->two_axes) {
		value[0] = (i / STEPS + 0.5) / (n / STEPS);
		value[1] = (i % STEPS + 0.5) / STEPS;
	}
	return colour_fit((struct colour){ channel_at(f->r, value),
		channel_at(f->g, value), channel_at(f->b, value) });
}

struct str
palette_name(size_t i)
{
	return i < sizeof PALETTES / sizeof PALETTES[0] ? PALETTES[i].name : STR("");
}

static const struct palette_row *
find_row(struct str name)
{
	size_t i;

	for (i = 0; palette_name(i).n; i++)
		if (str_eq(PALETTES[i].name, name))
			return &PALETTES[i];
	return NULL;
}

/* Adds to each colour a lighter, duller one for inlined functions. */
static void
add_tints(struct palette *p)
{
	const struct colour light = { 240, 240, 240 };
	unsigned i;

	p->tints = p->n;
	for (i = 0; i < p->tints; i++)
		p->colours[p->n++] = colour_fit(colour_mix(p->colours[i], light, 0.5));
}

bool
palette_init(struct palette *p, struct str name, bool by_spelling)
{
	const struct palette_row *row = find_row(name);
	unsigned f, i;

	if (!row)
		return false;
	*p = (struct palette){ .row = row, .by_spelling = by_spelling };
	while (p->families < PALETTE_FAMILIES && row->families[p->families])
		p->families++;
	p->shades = p->families > 1 ? SHADES_OF_MANY : SHADES_ALONE;
	if (row->shades)
		p->shades = row->shades;
	for (f = 0; f < p->families; f++)
		for (i = 0; i < p->shades; i++)
			p->colours[p->n++] = family_shade(row->families[f], i, p->shades);
	if (row->by != BY_NAME)
		add_tints(p);
	p->colours[p->n++] = (struct colour){ 200, 200, 200 };
	p->colours[p->n++] = (struct colour){ 160, 160, 160 };
	return true;
}

/* The value, above 0 and at most 1, that --hash of flamegraph.pl and inferno computes from the
 * letters of NAME, from AT on in steps of STEP: the remainders of the first three by 10, 11 and
 * 12, scaled to 1, each weighing 0.7 of the one before. */
static double
spelling(struct str name, size_t at, int step)
{
	double sum = 0, most = 1, weight = 1;
	unsigned i, mod;

	for (i = 0; i < 3 && i < name.n; i++) {
		mod = 10 + i;
		sum += (unsigned char)name.s[at] % mod * weight / (mod - 1);
		most += weight;
		weight *= 0.7;
		at = step > 0 ? at + 1 : at - 1;
	}
	return 1 - sum / most;
}

/* The index of VALUE among N equal steps from 0 to 1. */
static unsigned
step_at(double value, unsigned n)
{
	unsigned step = (unsigned)(value * n);

	return step < n ? step : n - 1;
}

static unsigned
shade_by_spelling(const struct palette *p, const struct family *f, struct str name)
{
	double a, b;

	if (frame_module(name).n)
		name = frame_cut_module(name);
	a = spelling(name, 0, 1);
	b = spelling(name, name.n - 1, -1);
	if (!f->two_axes)
		return step_at(a, p->shades);
	return step_at(a, p->shades / STEPS) * STEPS + step_at(b, STEPS);
}

/* Whether NAME is a real name, neither "-" nor "--". */
static bool
is_name(struct str name)
{
	return !str_eq(name, STR("-")) && !str_eq(name, STR("--"));
}

unsigned
palette_family(const struct palette *p, struct str name)
{
	return p->row->kind ? p->row->kind(name) : 0;
}

unsigned
palette_shade(const struct palette *p, unsigned family, struct str name)
{
	struct str bare = frame_cut_place(frame_bare(name));
	unsigned shade = 0;

	if (!is_name(name))
		return p->n - (name.n == 1 ? GREYS : 1);
	if (!p->by_spelling)
		shade = (unsigned)(str_hash(bare) % p->shades);
	else if (bare.n)
		shade = shade_by_spelling(p, p->row->families[family], bare);
	if (frame_annotation(name) == 'i')
		shade += p->tints;
	return family * p->shades + shade;
}

/* User rules. */

/* The position of the last arrow in LINE, or its length: an expression and a name may contain
 * others. */
static size_t
last_arrow(struct str line)
{
	size_t i;

	for (i = line.n; i-- > 0;)
		if (str_starts(str_from(line, i), ARROW))
			return i;
	return line.n;
}

/* Cuts the text after the last arrow off *REST and returns it, trimmed; without an arrow n is 0
 * and *REST is unchanged. */
static struct str
cut_last(struct str *rest)
{
	size_t arrow = last_arrow(*rest);
	struct str last = { NULL, 0 };

	if (arrow < rest->n) {
		last = str_trim(str_from(*rest, arrow + ARROW.n));
		*rest = str_trim(str_head(*rest, arrow));
	}
	return last;
}

/* Splits LINE into its parts. Returns false when it has no colour. */
static bool
cut_parts(struct str line, struct str *pattern, struct palette_rule *rule)
{
	struct str last, before;

	*pattern = line;
	last = cut_last(pattern);
	before = *pattern;
	if (colour_parse_any(cut_last(&before), &rule->colour)) {
		*pattern = before;
		rule->meaning = last;
		return true;
	}
	return colour_parse_any(last, &rule->colour);
}

static void
make_readable(const struct palette_rules *r, struct palette_rule *rule)
{
	struct colour asked = rule->colour;
	struct buf b = { 0 };

	if (colour_contrast(asked) >= COLOUR_READABLE)
		return;
	rule->colour = colour_fit(asked);
	colour_put(&b, asked);
	buf_str(&b, STR(" is too dark to read names on, using "));
	colour_put(&b, rule->colour);
	msg_warn_at(r->path, rule->line, "%s", buf_cstr(&b));
	buf_release(&b);
}

static bool
read_rule(struct palette_rules *r, struct str line, uint64_t number)
{
	struct palette_rule rule = { .line = number };
	struct buf why = { 0 };
	struct str pattern;

	if (!cut_parts(line, &pattern, &rule) || !pattern.n)
		buf_str(&why,
			STR("is not 'EXPRESSION -> COLOUR'; a colour is #rgb, #rrggbb, "
			    "rgb(r,g,b) or an SVG colour name such as steelblue"));
	else
		rule.match = match_new(pattern, 0, &why);
	if (!rule.match) {
		msg_error("%s:%" PRIu64 ": %s", r->path, number, buf_cstr(&why));
		buf_release(&why);
		return false;
	}
	buf_release(&why);
	rule.meaning = arena_str(&r->texts, rule.meaning);
	make_readable(r, &rule);
	r->items = mem_grow(r->items, &r->cap, r->n + 1, sizeof *r->items);
	r->items[r->n++] = rule;
	return true;
}

bool
palette_rules_init(struct palette_rules *r, const char *path)
{
	struct input *in = input_open(path);
	struct str line;
	bool good = true;

	*r = (struct palette_rules){ .path = path };
	if (!in)
		return false;
	while (input_line(in, &line)) {
		line = str_trim(line);
		if (line.n && line.s[0] != '#')
			good &= read_rule(r, line, input_line_number(in));
	}
	good &= !input_failed(in);
	input_close(in);
	return good;
}

void
palette_rules_release(struct palette_rules *r)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		match_free(r->items[i].match);
	free(r->items);
	arena_release(&r->texts);
}

/* The first rule that matches NAME, or NULL. */
static const struct palette_rule *
find_rule(const struct palette_rules *r, struct str name)
{
	size_t i;

	for (i = 0; i < r->n; i++)
		if (match_has(r->items[i].match, name))
			return &r->items[i];
	return NULL;
}

bool
palette_rules_failed(const struct palette_rules *r)
{
	const char *why;
	size_t i;

	for (i = 0; i < r->n; i++) {
		why = match_failure(r->items[i].match);
		if (why) {
			msg_error("%s:%" PRIu64 ": giving up: %s", r->path,
				r->items[i].line, why);
			return true;
		}
	}
	return false;
}

/* The palette map. */

static struct palette_map_entry *
entry_of(struct palette_map *m, struct str name)
{
	uint32_t id = intern_id(&m->names, name);

	if (id >= m->n) {
		m->entries =
			mem_grow(m->entries, &m->cap, (size_t)id + 1, sizeof *m->entries);
		m->entries[id] = (struct palette_map_entry){ 0 };
		m->n = (size_t)id + 1;
	}
	return &m->entries[id];
}

static void
read_line(struct palette_map *m, struct input *in, struct str line)
{
	size_t arrow = last_arrow(line);
	struct palette_map_entry *entry;
	struct colour c;

	if (arrow == line.n ||
		!colour_parse_rgb(str_trim(str_from(line, arrow + ARROW.n)), &c)) {
		msg_warn_at(input_name(in), input_line_number(in),
			"skipping a line that is not 'name->rgb(r,g,b)'");
		return;
	}
	entry = entry_of(m, str_head(line, arrow));
	if (entry->stored)
		msg_warn_at(input_name(in), input_line_number(in),
			"skipping a duplicate name");
	else
		*entry = (struct palette_map_entry){ c, true };
}

bool
palette_map_init(struct palette_map *m, const char *path)
{
	struct input *in;
	struct stat st;
	struct str line;
	bool good;

	*m = (struct palette_map){ .path = path };
	/* A FIFO or a device has no colours to read: opening one would block. */
	if (stat(path, &st) == 0 ? !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)
				 : errno == ENOENT)
		return true;
	in = input_open(path);
	if (!in)
		return false;
	while (input_line(in, &line))
		if (line.n)
			read_line(m, in, line);
	good = !input_failed(in);
	input_close(in);
	return good;
}

void
palette_map_release(struct palette_map *m)
{
	intern_release(&m->names);
	free(m->entries);
}

/* Whether NAME is stored; *C is then its colour. */
static bool
find_stored(struct palette_map *m, struct str name, struct colour *c)
{
	const struct palette_map_entry *entry = entry_of(m, name);

	*c = entry->colour;
	return entry->stored;
}

/* Stores NAME, which is new. */
static void
store(struct palette_map *m, struct str name, struct colour c)
{
	/* no line can hold such a name */
	if (str_find(name, '\n') < name.n || str_find(name, '\r') < name.n)
		return;
	*entry_of(m, name) = (struct palette_map_entry){ c, true };
	m->changed = true;
}

/* A stored name, to be sorted. */
struct stored {
	struct str name;
	struct colour colour;
};

static int
compare_stored(const void *va, const void *vb)
{
	const struct stored *a = va, *b = vb;

	return str_cmp(a->name, b->name);
}

static void
put_lines(struct output *out, const struct palette_map *m)
{
	struct stored *all = mem_zero(m->n, sizeof *all);
	uint32_t i, n = 0;

	for (i = 0; i < m->n; i++)
		if (m->entries[i].stored)
			all[n++] = (struct stored){ intern_str(&m->names, i),
				m->entries[i].colour };
	qsort(all, n, sizeof *all, compare_stored);
	for (i = 0; i < n; i++) {
		output_str(out, all[i].name);
		output_fmt(out, "->rgb(%d,%d,%d)\n", all[i].colour.r, all[i].colour.g,
			all[i].colour.b);
	}
	free(all);
}

bool
palette_map_write(const struct palette_map *m)
{
	struct output out;

	if (!m->changed)
		return true;
	output_open(&out, m->path);
	put_lines(&out, m);
	return output_close(&out);
}

/* The colours of a tree's names. */

enum { SLOTS = 4 * PALETTE_COLOURS_MAX }; /* a power of two */

enum { FROM_RULE = PALETTE_FAMILIES, ORIGINS = 256 };

/* The state of colouring names. */
struct painter {
	struct palette_colours *to;
	const struct palette_how *how;
	const struct tree *t;
	const struct table_order *order;
	struct palette palette;
	unsigned char *family; /* by name id */
	unsigned char *origin; /* by colour: a family, or FROM_RULE and a rule */
	struct classify_modules modules;
	bool shown[PALETTE_FAMILIES];  /* families in use */
	bool tinted[PALETTE_FAMILIES]; /* families of inlined names */
	bool *used;		       /* rules in use */
	uint32_t lost;		       /* colours that did not fit */
	uint32_t dark;		       /* stored colours with too little contrast */
};

static uint32_t
pack(struct colour c)
{
	return (uint32_t)c.r << 16 | (uint32_t)c.g << 8 | c.b;
}

static int
distance(struct colour a, struct colour b)
{
	int r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;

	return r * r + g * g + blue * blue;
}

static uint16_t
nearest(const struct palette_colours *to, struct colour c)
{
	uint32_t i, best = 0;

	for (i = 1; i < to->n; i++)
		if (distance(to->items[i], c) < distance(to->items[best], c))
			best = i;
	return (uint16_t)best;
}

/* The index of C among the colours, added when it is new. */
static uint16_t
index_of(struct painter *painter, struct colour c)
{
	struct palette_colours *to = painter->to;
	uint32_t slot = pack(c) * 2654435761u >> 18 & (SLOTS - 1);

	for (; to->slots[slot]; slot = (slot + 1) & (SLOTS - 1))
		if (pack(to->items[to->slots[slot] - 1]) == pack(c))
			return (uint16_t)(to->slots[slot] - 1);
	if (to->n == PALETTE_COLOURS_MAX) {
		painter->lost++;
		return nearest(to, c);
	}
	to->items[to->n++] = c;
	to->slots[slot] = (uint16_t)to->n;
	return (uint16_t)(to->n - 1);
}

static bool
is_alone(const struct painter *painter)
{
	const struct table_order *o = painter->order;
	uint32_t i;

	for (i = 0; i < o->n; i++)
		if (painter->family[o->ids[i]] != CLASSIFY_NATIVE)
			return false;
	return true;
}

static void
find_by_class(struct painter *painter)
{
	struct classify_how how = { painter->how->totals, painter->how->reversed,
		painter->how->rows };

	painter->to->by = PALETTE_BY_ORIGIN;
	painter->family = classify_names(&how, painter->t);
	/* plain names alone may use all the warm colours */
	if (is_alone(painter))
		memset(painter->family, PALETTE_CLASS_ALONE, painter->t->names.n);
}

static void
find_by_module(struct painter *painter)
{
	struct classify_how how = { painter->how->totals, painter->how->reversed,
		painter->how->rows };

	classify_modules_init(&painter->modules, &how, painter->t);
	if (painter->modules.n) {
		painter->to->by = PALETTE_BY_MODULE;
		painter->family = painter->modules.of;
		painter->modules.of = NULL;
		return;
	}
	palette_init(&painter->palette, STR("auto"), painter->how->by_spelling);
	find_by_class(painter);
}

static void
find_families(struct painter *painter)
{
	const struct intern *names = &painter->t->names;
	uint32_t i;

	switch (painter->palette.row->by) {
	case BY_CLASS: find_by_class(painter); return;
	case BY_MODULE: find_by_module(painter); return;
	case BY_NAME: break;
	}
	painter->family = mem_alloc(names->n);
	for (i = 0; i < names->n; i++)
		painter->family[i] = (unsigned char)palette_family(
			&painter->palette, intern_str(names, i));
}

static unsigned char
origin_of(size_t code)
{
	return (unsigned char)(code < PALETTE_NO_KEY ? code : PALETTE_NO_KEY);
}

/* The colour of the name ID; *ORIGIN gets its family or rule. */
static struct colour
choose(struct painter *painter, uint32_t id, unsigned char *origin)
{
	const struct palette_how *how = painter->how;
	struct str name = intern_str(&painter->t->names, id);
	unsigned family = painter->family[id];
	const struct palette_rule *rule = how->rules ? find_rule(how->rules, name) : NULL;
	struct colour c, stored;
	bool known;

	*origin = PALETTE_NO_KEY;
	if (rule) {
		painter->used[rule - how->rules->items] = true;
		c = rule->colour;
	} else {
		c = painter->palette
			    .colours[palette_shade(&painter->palette, family, name)];
	}
	if (how->map && is_name(name)) {
		known = find_stored(how->map, name, &stored);
		if (!known)
			store(how->map, name, c);
		else if (!rule && pack(stored) != pack(c)) {
			painter->dark += colour_contrast(stored) < COLOUR_READABLE;
			return stored;
		}
	}
	if (rule)
		*origin = origin_of(FROM_RULE + (size_t)(rule - how->rules->items));
	if (!rule && is_name(name)) {
		painter->shown[family] = true;
		painter->tinted[family] |= frame_annotation(name) == 'i';
		*origin = (unsigned char)family;
	}
	return c;
}

static void
add_meaning(struct palette_colours *to, struct colour c, struct str text)
{
	struct str word = intern_str(&to->words, intern_id(&to->words, text));

	to->meanings = mem_grow(
		to->meanings, &to->cap, to->meanings_n + 1, sizeof *to->meanings);
	to->meanings[to->meanings_n++] = (struct palette_meaning){ c, word };
}

/* Adds the meaning of the colours of ORIGIN. */
static void
explain_origin(struct painter *painter, size_t origin, struct colour c, struct str text)
{
	struct palette_colours *to = painter->to;
	uint32_t i;

	if (!text.n)
		return;
	for (i = 0; i < to->n; i++)
		if (painter->origin[i] == origin && to->meanings_n < PALETTE_NO_KEY)
			to->key[i] = (unsigned char)to->meanings_n;
	add_meaning(to, c, text);
}

/* The middle shade of FAMILY, from FROM on. */
static struct colour
middle_of(const struct palette *palette, unsigned from, unsigned family)
{
	return palette->colours[from + family * palette->shades + palette->shades / 2];
}

/* The tint of the first family that has one represents all tints. */
static void
explain_tints(struct painter *painter)
{
	const struct palette *palette = &painter->palette;
	struct palette_colours *to = painter->to;
	unsigned i;

	for (i = 0; i < palette->families && !painter->tinted[i]; i++)
		;
	if (!palette->tints || i == palette->families)
		return;
	to->inlined = (unsigned)to->meanings_n;
	add_meaning(to, middle_of(palette, palette->tints, i), STR("inlined"));
}

/* The number of families and tints in use. */
static unsigned
count_shown(const struct painter *painter)
{
	unsigned i, n = 0;

	for (i = 0; i < painter->palette.families; i++)
		n += painter->shown[i] + painter->tinted[i];
	return n;
}

/* The legend: the rules, then the palette's families. */
static void
explain(struct painter *painter)
{
	const struct palette *palette = &painter->palette;
	const struct palette_rules *rules = painter->how->rules;
	unsigned i;

	for (i = 0; rules && i < rules->n; i++)
		if (painter->used[i])
			explain_origin(painter, origin_of(FROM_RULE + i),
				rules->items[i].colour, rules->items[i].meaning);
	if (count_shown(painter) < 2 && !painter->to->meanings_n &&
		palette->row->by != BY_NAME)
		return;
	for (i = 0; i < palette->families; i++)
		if (painter->shown[i])
			explain_origin(painter, i, middle_of(palette, 0, i),
				i < painter->modules.n
					? painter->modules.names[i]
					: str_of(palette->row->meanings[i]));
	explain_tints(painter);
}

static void
find_root_colour(struct painter *painter)
{
	struct palette_map *map = painter->how->map;

	painter->to->root = ROOT;
	if (map && !find_stored(map, STR(""), &painter->to->root)) {
		painter->to->root = ROOT;
		store(map, STR(""), ROOT);
	}
}

static void
warn_about(const struct painter *painter)
{
	if (painter->lost)
		msg_warn("more than %d colours: using the nearest colour for %" PRIu32
			 " name%s",
			PALETTE_COLOURS_MAX, painter->lost, msg_s(painter->lost));
	if (painter->dark)
		msg_warn("%s: colours too dark to read names on: %" PRIu32,
			painter->how->map->path, painter->dark);
}

void
palette_colours_init(struct palette_colours *to, const struct palette_how *how,
	const struct tree *t, const struct table_order *o)
{
	struct painter painter = { .to = to, .how = how, .t = t, .order = o };
	unsigned char origin;
	uint32_t i, id;

	*to = (struct palette_colours){ .inlined = PALETTE_NO_KEY,
		.items = mem_zero(PALETTE_COLOURS_MAX, sizeof *to->items),
		.slots = mem_zero(SLOTS, sizeof *to->slots),
		.of = mem_zero(t->names.n, sizeof *to->of),
		.key = mem_alloc(PALETTE_COLOURS_MAX) };
	memset(to->key, PALETTE_NO_KEY, PALETTE_COLOURS_MAX);
	painter.origin = mem_alloc(PALETTE_COLOURS_MAX);
	palette_init(&painter.palette, how->palette, how->by_spelling);
	painter.used = mem_zero(how->rules ? how->rules->n : 0, sizeof *painter.used);
	find_families(&painter);
	for (i = 0; i < o->n; i++) {
		id = o->ids[i];
		to->of[id] = index_of(&painter, choose(&painter, id, &origin));
		painter.origin[to->of[id]] = origin;
	}
	find_root_colour(&painter);
	explain(&painter);
	warn_about(&painter);
	free(painter.family);
	free(painter.origin);
	free(painter.used);
	classify_modules_release(&painter.modules);
}

void
palette_colours_release(struct palette_colours *to)
{
	free(to->items);
	free(to->slots);
	free(to->of);
	free(to->key);
	free(to->meanings);
	intern_release(&to->words);
}
