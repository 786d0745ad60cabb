/* SPDX-License-Identifier: ISC */
/*
 * Palettes; see palette.h. The families are those of flamegraph.pl: each
 * channel runs over a range as a value from 0 to 1 does. Shades that black text
 * is hard to read on (of hot, io, red, blue, orange and purple) are lifted towards white.
 */
#include "palette.h"
#include "frame.h"
#include "language.h"

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

/* The kinds of auto are apart in lightness as well as in hue: an eye that does not
 * tell red from green tells them by that. */
static const struct family C = { { 238, 14, 1 }, { 165, 32, 0 }, { 112, 32, 1 }, true };
static const struct family CXX = { { 241, 12, 1 }, { 223, 22, 0 }, { 99, 36, 1 }, true };
static const struct family RUST = { { 174, 22, 0 }, { 129, 28, 1 }, { 207, 14, 0 },
	true };
static const struct family GO = { { 160, 28, 0 }, { 183, 22, 1 }, { 229, 10, 0 }, true };
static const struct family SCRIPT = { { 61, 34, 0 }, { 165, 18, 1 }, { 122, 28, 0 },
	true };
static const struct family KERNEL = { { 246, 9, 1 }, { 97, 28, 0 }, { 112, 24, 1 },
	true };
static const struct family INLINED = { { 148, 26, 0 }, { 243, 12, 1 }, { 240, 14, 1 },
	true };
static const struct family UNKNOWN = { { 180, 16, 0 }, { 179, 16, 0 }, { 174, 20, 1 },
	true };
static const struct family WARM = { { 230, 25, 1 }, { 125, 100, 0 }, { 60, 50, 1 },
	true };

/* The modules' are of one lightness, neighbours in the list far apart in hue. */
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

struct palette_rule {
	struct str name;
	unsigned (*kind)(struct str name); /* NULL: one family */
	const struct family *families[PALETTE_FAMILIES];
	const char *meanings[PALETTE_FAMILIES];
	enum palette_by by;
	unsigned shades; /* 0: as many as are usual */
};

static const struct palette_rule RULES[] = {
	{ { "aqua", 4 }, NULL, { &AQUA }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "auto", 4 }, NULL,
		{ [CLASSIFY_NATIVE] = &C,
			[CLASSIFY_CXX] = &CXX,
			[CLASSIFY_RUST] = &RUST,
			[CLASSIFY_GO] = &GO,
			[CLASSIFY_SCRIPT] = &SCRIPT,
			[CLASSIFY_KERNEL] = &KERNEL,
			[CLASSIFY_INLINED] = &INLINED,
			[CLASSIFY_UNKNOWN] = &UNKNOWN,
			[PALETTE_CLASS_ALONE] = &WARM },
		{ [CLASSIFY_NATIVE] = "native",
			[CLASSIFY_CXX] = "C++",
			[CLASSIFY_RUST] = "Rust",
			[CLASSIFY_GO] = "Go",
			[CLASSIFY_SCRIPT] = "JIT, interpreted",
			[CLASSIFY_KERNEL] = "kernel",
			[CLASSIFY_INLINED] = "inlined",
			[CLASSIFY_UNKNOWN] = "unknown" },
		PALETTE_BY_CLASS, SHADES_OF_CLASSES },
	{ { "blue", 4 }, NULL, { &BLUE }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "chain", 5 }, language_chain, { &BLUE, &AQUA }, { "blocked", "waker" },
		PALETTE_BY_NAME, 0 },
	{ { "green", 5 }, NULL, { &GREEN }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "hot", 3 }, NULL, { &HOT }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "io", 2 }, NULL, { &IO }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "java", 4 }, language_java, { &GREEN, &AQUA, &YELLOW, &ORANGE, &RED },
		{ "Java", "inlined", "C++", "kernel", "native" }, PALETTE_BY_NAME, 0 },
	{ { "js", 2 }, language_js, { &GREEN, &AQUA, &PURPLE, &YELLOW, &ORANGE, &RED },
		{ "JavaScript", "built in", "node_modules", "C++", "kernel", "native" },
		PALETTE_BY_NAME, 0 },
	{ { "mem", 3 }, NULL, { &MEM }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "module", 6 }, NULL,
		{ &SKY, &PEACH, &MINT, &MAUVE, &KHAKI, &TEAL, &ROSE, &LILAC, &LEAF, &SAND,
			&PINK, [CLASSIFY_MODULES_MOST] = &GREY },
		{ [CLASSIFY_MODULES_MOST] = "other" }, PALETTE_BY_MODULE,
		SHADES_OF_MODULES },
	{ { "orange", 6 }, NULL, { &ORANGE }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "perl", 4 }, language_perl, { &GREEN, &YELLOW, &ORANGE, &RED },
		{ "Perl", "C++", "kernel", "native" }, PALETTE_BY_NAME, 0 },
	{ { "purple", 6 }, NULL, { &PURPLE }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "python", 6 }, language_python, { &RED, &AQUA, &YELLOW },
		{ "program", "package", "library" }, PALETTE_BY_NAME, 0 },
	{ { "red", 3 }, NULL, { &RED }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "rust", 4 }, language_rust, { &AQUA, &ORANGE, &YELLOW },
		{ "Rust", "core, std, alloc", "other" }, PALETTE_BY_NAME, 0 },
	{ { "wakeup", 6 }, NULL, { &AQUA }, { NULL }, PALETTE_BY_NAME, 0 },
	{ { "yellow", 6 }, NULL, { &YELLOW }, { NULL }, PALETTE_BY_NAME, 0 },
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
	return colour_lift((struct colour){ channel_at(f->r, value),
		channel_at(f->g, value), channel_at(f->b, value) });
}

struct str
palette_name(size_t i)
{
	return i < sizeof RULES / sizeof RULES[0] ? RULES[i].name : STR("");
}

void
palette_list(struct buf *b)
{
	size_t i;

	for (i = 0; palette_name(i).n; i++) {
		if (i)
			buf_str(b, STR(", "));
		buf_str(b, palette_name(i));
	}
}

static const struct palette_rule *
find_rule(struct str name)
{
	size_t i;

	for (i = 0; palette_name(i).n; i++)
		if (str_eq(RULES[i].name, name))
			return &RULES[i];
	return NULL;
}

bool
palette_init(struct palette *p, struct str name, bool by_spelling)
{
	const struct palette_rule *rule = find_rule(name);
	unsigned f, i;

	if (!rule)
		return false;
	*p = (struct palette){ .rule = rule, .by_spelling = by_spelling };
	while (p->families < PALETTE_FAMILIES && rule->families[p->families])
		p->families++;
	p->shades = p->families > 1 ? SHADES_OF_MANY : SHADES_ALONE;
	if (rule->shades)
		p->shades = rule->shades;
	for (f = 0; f < p->families; f++)
		for (i = 0; i < p->shades; i++)
			p->colours[p->n++] =
				family_shade(rule->families[f], i, p->shades);
	p->colours[p->n++] = (struct colour){ 200, 200, 200 };
	p->colours[p->n++] = (struct colour){ 160, 160, 160 };
	return true;
}

/* The value, above 0 and at most 1, that the elder tools' --hash gives the
 * letters of NAME from AT on in steps of STEP: the remainders of the first
 * three by 10, 11 and 12, scaled to 1, each weighing 0.7 of the one before. */
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

/* Which of N equal steps from 0 to 1 VALUE is on. */
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

	/* a module before the name ("libc`read") does not count */
	size_t tick = str_find(name, '`');

	if (tick > 0 && tick < name.n)
		name = str_from(name, tick + 1);
	a = spelling(name, 0, 1);
	b = spelling(name, name.n - 1, -1);
	if (!f->two_axes)
		return step_at(a, p->shades);
	return step_at(a, p->shades / STEPS) * STEPS + step_at(b, STEPS);
}

bool
palette_is_named(struct str name)
{
	return !str_eq(name, STR("-")) && !str_eq(name, STR("--"));
}

enum palette_by
palette_by(const struct palette *p)
{
	return p->rule->by;
}

unsigned
palette_family(const struct palette *p, struct str name)
{
	return p->rule->kind ? p->rule->kind(name) : 0;
}

unsigned
palette_shade(const struct palette *p, unsigned family, struct str name)
{
	struct str bare = frame_bare(name);
	unsigned shade = 0;

	if (!palette_is_named(name))
		return p->n - (name.n == 1 ? GREYS : 1);
	if (!p->by_spelling)
		shade = (unsigned)(str_hash(bare) % p->shades);
	else if (bare.n)
		shade = shade_by_spelling(p, p->rule->families[family], bare);
	return family * p->shades + shade;
}

struct str
palette_meaning(const struct palette *p, unsigned i)
{
	return str_of(p->rule->meanings[i]);
}
